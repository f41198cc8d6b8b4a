#include "volume/balance.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "geometry/vector.h"

void cf_balance(double H[3][3], double map[3][3])
{
    double most = fmax(H[0][0], fmax(H[1][1], H[2][2])),
           along[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    bool done[3] = {false};

    for (int k = 0; k < 3; k++) {
        int p = done[0] ? done[1] ? 2 : 1 : 0;
        for (int q = p + 1; q < 3; q++)
            if (!done[q] && H[q][q] > H[p][p])
                p = q;
        double steep = fmax(H[p][p], 1e-15 * most);
        done[p] = true;
        for (int i = 0; i < 3; i++)
            map[i][k] = along[p][i] / sqrt(steep);
        for (int q = 0; q < 3; q++) {
            double share = H[q][p] / steep;
            if (done[q])
                continue;
            cf_vec_add_scaled(along[q], -share, along[p], along[q]);
            for (int r = 0; r < 3; r++)
                if (!done[r])
                    H[q][r] -= share * H[p][r];
        }
    }
}

void cf_multiply(double a[3][3], double b[3][3], double out[3][3])
{
    double product[3][3] = {{0}};

    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            for (int m = 0; m < 3; m++)
                product[i][k] += a[i][m] * b[m][k];
    memcpy(out, product, sizeof product);
}

void cf_straighten(double map[3][3])
{
    double axis[3][3], turn[3][3];

    for (int r = 2; r >= 0; r--) {
        memcpy(axis[r], map[r], sizeof axis[r]);
        for (int twice = 0; twice < 2; twice++)
            for (int k = r + 1; k < 3; k++)
                cf_vec_add_scaled(axis[r], -cf_vec_dot(axis[r], axis[k]), axis[k], axis[r]);
        cf_vec_scale(1 / cf_vec_norm(axis[r]), axis[r], axis[r]);
        for (int k = 0; k < 3; k++)
            turn[k][r] = axis[r][k];
    }
    cf_multiply(map, turn, map);
    map[1][0] = map[2][0] = map[2][1] = 0;
}
