#include "poses.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"

/* Knuth's MMIX generator; its upper bits. */
double next_number(unsigned long *seed)
{
    *seed = (6364136223846793005ul * *seed + 1442695040888963407ul) & 0xfffffffffffffffful;
    return (double) (*seed >> 11) / 4503599627370496. - 1;
}

void next_rotation(unsigned long *seed, double row[3][3])
{
    double q[4], size = 0;

    for (int k = 0; k < 4; k++) {
        q[k] = next_number(seed);
        size += q[k] * q[k];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int k = 3 - i - j;
            double turn = (j - i + 3) % 3 == 1 ? -1 : 1;
            row[i][j] = i == j ? 1 - 2 * (size - q[0] * q[0] - q[1 + i] * q[1 + i]) / size
                               : 2 * (q[1 + i] * q[1 + j] + turn * q[0] * q[1 + k]) / size;
        }
}

/* R' a R for rows R. */
static void turned(double axis[3][3], const double a[3][3], double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            out[i][j] = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    out[i][j] += axis[k][i] * a[k][l] * axis[l][j];
        }
}

/* The twist t of the outer frame in the inner one. */
static void inner_twist(double axis[3][3], const double origin_m[3], int t, double out[CF_TWIST])
{
    double move[3] = {t == 0, t == 1, t == 2}, turn[3] = {t == 3, t == 4, t == 5}, carried[3];

    cf_vec_cross(turn, origin_m, carried);
    cf_vec_add_scaled(move, 1, carried, move);
    cf_vec_turn(axis, move, out);
    cf_vec_turn(axis, turn, out + 3);
}

void volume_seen(const struct cf_volume *v, double axis[3][3], const double origin_m[3],
                 struct cf_volume *out)
{
    *out = (struct cf_volume){.volume_m3 = v->volume_m3, .centroid_depth_m = v->centroid_depth_m};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out->centroid_m[i] += axis[k][i] * v->centroid_m[k] + (k == 0) * origin_m[i];
    turned(axis, v->inertia_m5, out->inertia_m5);
    for (int t = 0; t < CF_TWIST; t++) {
        double twist[CF_TWIST], inertia[3][3] = {{0}}, seen[3][3];
        inner_twist(axis, origin_m, t, twist);
        for (int u = 0; u < CF_TWIST; u++) {
            out->volume_by[t] += twist[u] * v->volume_by[u];
            for (int k = 0; k < 3; k++)
                for (int i = 0; i < 3; i++) {
                    out->centroid_by[i][t] += axis[k][i] * twist[u] * v->centroid_by[k][u];
                    inertia[k][i] += twist[u] * v->inertia_by[k][i][u];
                }
        }
        turned(axis, (const double(*)[3]) inertia, seen);
        for (int k = 0; k < 9; k++)
            out->inertia_by[k / 3][k % 3][t] = seen[k / 3][k % 3];
    }
}

struct cf_implicit primitive(const char *name, double a, double b, double c)
{
    return (struct cf_implicit){.row = cf_primitive_find(name),
                                .size = {a, b, c},
                                .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

void primitive_seen(struct cf_implicit *p, double axis[3][3], const double origin[3])
{
    struct cf_implicit before = *p;

    for (int i = 0; i < 3; i++) {
        p->origin_m[i] = origin[i];
        for (int k = 0; k < 3; k++) {
            p->origin_m[i] += before.origin_m[k] * axis[k][i];
            p->axis[k][i] = 0;
            for (int l = 0; l < 3; l++)
                p->axis[k][i] += before.axis[k][l] * axis[l][i];
        }
    }
}

/* Steiner: J = J_a + f J_b + V_a f V_b/V (d^2 1 - d d'), d between the centroids. */
static void add_inertia(const struct cf_volume *a, double f, const struct cf_volume *b,
                        struct cf_volume *sum)
{
    double share = a->volume_m3 * f * b->volume_m3 / sum->volume_m3, d[3];

    cf_vec_sub(a->centroid_m, b->centroid_m, d);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum->inertia_m5[i][j] = a->inertia_m5[i][j] + f * b->inertia_m5[i][j] +
                                    share * ((i == j) * cf_vec_dot(d, d) - d[i] * d[j]);
    for (int t = 0; t < CF_TWIST; t++) {
        double by[3],
            share_by = f * (a->volume_by[t] * b->volume_m3 + a->volume_m3 * b->volume_by[t]);
        share_by = (share_by - share * sum->volume_by[t]) / sum->volume_m3;
        for (int i = 0; i < 3; i++)
            by[i] = a->centroid_by[i][t] - b->centroid_by[i][t];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                sum->inertia_by[i][j][t] =
                    a->inertia_by[i][j][t] + f * b->inertia_by[i][j][t] +
                    share_by * ((i == j) * cf_vec_dot(d, d) - d[i] * d[j]) +
                    share * ((i == j) * 2 * cf_vec_dot(d, by) - d[i] * by[j] - by[i] * d[j]);
    }
}

void volume_sum(const struct cf_volume *a, double f, const struct cf_volume *b,
                struct cf_volume *sum)
{
    *sum =
        (struct cf_volume){.volume_m3 = a->volume_m3 + f * b->volume_m3, .centroid_depth_m = NAN};
    for (int t = 0; t < CF_TWIST; t++)
        sum->volume_by[t] = a->volume_by[t] + f * b->volume_by[t];
    for (int i = 0; i < 3; i++) {
        sum->centroid_m[i] =
            (a->volume_m3 * a->centroid_m[i] + f * b->volume_m3 * b->centroid_m[i]) /
            sum->volume_m3;
        for (int t = 0; t < CF_TWIST; t++)
            sum->centroid_by[i][t] =
                (a->volume_by[t] * a->centroid_m[i] + a->volume_m3 * a->centroid_by[i][t] +
                 f * (b->volume_by[t] * b->centroid_m[i] + b->volume_m3 * b->centroid_by[i][t]) -
                 sum->volume_by[t] * sum->centroid_m[i]) /
                sum->volume_m3;
    }
    add_inertia(a, f, b, sum);
}
