/* Unit quaternions (w, x, y, z), which turn vectors of the body into vectors of the world. */

#include <math.h>

#include "geometry/vector.h"
#include "motion/system.h"

void cf_attitude_matrix(const double q[4], double r[3][3])
{
    /* whole also for a quaternion that integration left a little off length 1 */
    double s = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

    r[0][0] = 1 - s * (q[2] * q[2] + q[3] * q[3]);
    r[1][1] = 1 - s * (q[1] * q[1] + q[3] * q[3]);
    r[2][2] = 1 - s * (q[1] * q[1] + q[2] * q[2]);
    r[0][1] = s * (q[1] * q[2] - q[0] * q[3]);
    r[1][0] = s * (q[1] * q[2] + q[0] * q[3]);
    r[0][2] = s * (q[1] * q[3] + q[0] * q[2]);
    r[2][0] = s * (q[1] * q[3] - q[0] * q[2]);
    r[1][2] = s * (q[2] * q[3] - q[0] * q[1]);
    r[2][1] = s * (q[2] * q[3] + q[0] * q[1]);
}

/* From the largest of the four, so that no root of a small difference is taken. */
void cf_attitude_of_matrix(double r[3][3], double q[4])
{
    double trace = r[0][0] + r[1][1] + r[2][2];
    int i = 0;

    for (int k = 1; k < 3; k++)
        if (r[k][k] > r[i][i])
            i = k;
    if (trace > r[i][i]) {
        double d = 2 * sqrt(1 + trace);
        q[0] = 0.25 * d;
        q[1] = (r[2][1] - r[1][2]) / d;
        q[2] = (r[0][2] - r[2][0]) / d;
        q[3] = (r[1][0] - r[0][1]) / d;
        return;
    }
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double d = 2 * sqrt(1 + r[i][i] - r[j][j] - r[k][k]);
    q[0] = (r[k][j] - r[j][k]) / d;
    q[1 + i] = 0.25 * d;
    q[1 + j] = (r[j][i] + r[i][j]) / d;
    q[1 + k] = (r[k][i] + r[i][k]) / d;
}

static void product(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
    out[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
}

void cf_attitude_rate(const double q[4], const double spin[3], bool of_world, double rate[4])
{
    const double half[4] = {0, 0.5 * spin[0], 0.5 * spin[1], 0.5 * spin[2]};

    if (of_world)
        product(half, q, rate);
    else
        product(q, half, rate);
}

void cf_attitude_spun(const double q[4], const double spin[3], double time_s, double out[4])
{
    double size = cf_vec_norm(spin), half = 0.5 * size * time_s;
    double part = size > 0 ? sin(half) / size : 0;
    const double turn[4] = {cos(half), part * spin[0], part * spin[1], part * spin[2]};

    product(turn, q, out);
}

void cf_attitude_grown(const double angle[3], const double more[3], double w[3])
{
    static const double FEW = 1e-4; /* below it by series: its square is rounding */
    double size = cf_vec_norm(angle), square = size * size, once[3], twice[3];
    double a = size > FEW ? (1 - cos(size)) / square : 0.5 - square / 24;
    double b = size > FEW ? (size - sin(size)) / (square * size) : 1.0 / 6 - square / 120;

    cf_vec_cross(angle, more, once);
    cf_vec_cross(angle, once, twice);
    for (int i = 0; i < 3; i++)
        w[i] = more[i] + a * once[i] + b * twice[i];
}

bool cf_rigid_turns(const struct cf_rigid *body)
{
    return isfinite(body->inertia_kg_m2[0]);
}

bool cf_rigid_round(const struct cf_rigid *body)
{
    const double *I = body->inertia_kg_m2;

    return I[0] == I[1] && I[1] == I[2];
}
