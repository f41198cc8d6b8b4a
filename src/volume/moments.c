#include "volume/moments.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "law/tangent.h"

/* Moments x_i, and x_i x_j. */
static const int first[3] = {CF_MOMENT_X, CF_MOMENT_Y, CF_MOMENT_Z};
static const int second[3][3] = {
    {CF_MOMENT_XX, CF_MOMENT_XY, CF_MOMENT_ZX},
    {CF_MOMENT_XY, CF_MOMENT_YY, CF_MOMENT_YZ},
    {CF_MOMENT_ZX, CF_MOMENT_YZ, CF_MOMENT_ZZ},
};

void cf_region_begin(struct cf_region *region, const double origin_m[3], const double n[3],
                     const double along[3])
{
    *region = (struct cf_region){.up = {0, 0, 1}, .ceiling_m = NAN};
    memcpy(region->origin_m, origin_m, sizeof region->origin_m);
    memcpy(region->axis[2], n, sizeof region->axis[2]);
    if (along) {
        memcpy(region->axis[0], along, sizeof region->axis[0]);
    } else {
        struct cf_tangent frame;
        cf_tangent_frame(n, &frame);
        memcpy(region->axis[0], frame.axis[0], sizeof region->axis[0]);
    }
    cf_vec_cross(n, region->axis[0], region->axis[1]);
}

void cf_region_begin_along(struct cf_region *region, const double origin_m[3], const double n[3])
{
    *region = (struct cf_region){.axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .ceiling_m = NAN};
    memcpy(region->origin_m, origin_m, sizeof region->origin_m);
    memcpy(region->up, n, sizeof region->up);
}

/* The functions f at a point of the region's frame. */
void cf_moment_functions(const double x[3], double f[CF_NMOMENT])
{
    f[CF_MOMENT_1] = 1;
    for (int i = 0; i < 3; i++) {
        f[first[i]] = x[i];
        for (int j = i; j < 3; j++)
            f[second[i][j]] = x[i] * x[j];
    }
}

void cf_moment_map(const double moment[CF_NMOMENT], double map[3][3], double out[CF_NMOMENT])
{
    double column[3], det;

    cf_vec_cross(map[0], map[1], column);
    det = cf_vec_dot(column, map[2]);
    out[CF_MOMENT_1] = det * moment[CF_MOMENT_1];
    for (int i = 0; i < 3; i++) {
        out[first[i]] = 0;
        for (int k = 0; k < 3; k++) {
            out[first[i]] += det * map[i][k] * moment[first[k]];
            column[k] = 0; /* of the second moments of x_k and y_i */
            for (int l = 0; l < 3; l++)
                column[k] += det * map[i][l] * moment[second[k][l]];
        }
        for (int j = i; j < 3; j++)
            out[second[i][j]] = cf_vec_dot(map[j], column);
    }
}

/* The integral of x_i x_j over a simplex of four corners is V/20 (sum of both over the corners +
 * the product of the sums). */
void cf_moment_add_cone(double moment[CF_NMOMENT], const double a[3], const double b[3],
                        const double c[3])
{
    double normal[3], volume;

    cf_vec_cross(b, c, normal);
    volume = cf_vec_dot(a, normal) / 6;
    moment[CF_MOMENT_1] += volume;
    for (int i = 0; i < 3; i++) {
        double sum = a[i] + b[i] + c[i];
        moment[first[i]] += volume / 4 * sum;
        for (int j = i; j < 3; j++)
            moment[second[i][j]] +=
                volume / 20 *
                (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + sum * (a[j] + b[j] + c[j]));
    }
}

void cf_region_add_cone(struct cf_region *region, const double a[3], const double b[3],
                        const double c[3])
{
    cf_moment_add_cone(region->moment, a, b, c);
}

void cf_region_still(struct cf_region *region, const double x[3], const double area_m2[3])
{
    double f[CF_NMOMENT], turn[3];

    cf_moment_functions(x, f);
    cf_vec_cross(x, area_m2, turn);
    for (int k = 0; k < CF_NMOMENT; k++)
        for (int i = 0; i < 3; i++) {
            region->still[k][i] += f[k] * area_m2[i];
            region->still[k][3 + i] += f[k] * turn[i];
        }
}

/* The rule that is exact for cubics: 3/60 at the corners, 8/60 at the middles of the sides, 27/60
 * at the centroid (Stroud 1971, T2: 3-8). */
void cf_region_still_triangle(struct cf_region *region, const double a[3], const double b[3],
                              const double c[3])
{
    static const double share[7][4] = {
        {1, 0, 0, 3. / 60},
        {0, 1, 0, 3. / 60},
        {0, 0, 1, 3. / 60},
        {0, 0.5, 0.5, 8. / 60},
        {0.5, 0, 0.5, 8. / 60},
        {0.5, 0.5, 0, 8. / 60},
        {1. / 3, 1. / 3, 1. / 3, 27. / 60},
    };
    double ab[3], ac[3], normal[3];

    cf_vec_sub(b, a, ab);
    cf_vec_sub(c, a, ac);
    cf_vec_cross(ab, ac, normal);
    for (int k = 0; k < 7; k++) {
        double x[3], area[3];
        for (int i = 0; i < 3; i++)
            x[i] = share[k][0] * a[i] + share[k][1] * b[i] + share[k][2] * c[i];
        cf_vec_scale(share[k][3] / 2, normal, area);
        cf_region_still(region, x, area);
    }
}

/* A polynomial in x and y of at most the third degree, by the coefficients of x^a y^b. */
struct polynomial {
    double of[4][4];
};

static struct polynomial linear(double constant, double x, double y)
{
    return (struct polynomial){{{constant, y}, {x}}};
}

static struct polynomial product(const struct polynomial *p, const struct polynomial *q)
{
    struct polynomial r = {{{0}}};

    for (int a = 0; a < 4; a++)
        for (int b = 0; a + b < 4; b++)
            for (int c = 0; a + b + c < 4; c++)
                for (int d = 0; a + b + c + d < 4; d++)
                    r.of[a + c][b + d] += p->of[a][b] * q->of[c][d];
    return r;
}

static double integral(const struct polynomial *p, double across[4][4])
{
    double sum = 0;

    for (int a = 0; a < 4; a++)
        for (int b = 0; a + b < 4; b++)
            sum += p->of[a][b] * across[a][b];
    return sum;
}

/* u.n for a unit of a component of the twist: n itself, and e x r . n = e . (r x n) */
static void normal_speeds(const double origin[3], const double along[3], const double beside[3],
                          struct polynomial speed[CF_TWIST])
{
    double n[3], at[3], by_x[3], by_y[3];

    cf_vec_cross(along, beside, n);
    cf_vec_cross(origin, n, at);
    cf_vec_cross(along, n, by_x);
    cf_vec_cross(beside, n, by_y);
    for (int i = 0; i < 3; i++) {
        speed[i] = linear(n[i], 0, 0);
        speed[3 + i] = linear(at[i], by_x[i], by_y[i]);
    }
}

void cf_region_still_section(struct cf_region *region, const double origin[3],
                             const double along[3], const double beside[3], double across[4][4])
{
    struct polynomial speed[CF_TWIST], x[3], f[CF_NMOMENT];

    normal_speeds(origin, along, beside, speed);
    f[CF_MOMENT_1] = linear(1, 0, 0);
    for (int i = 0; i < 3; i++)
        f[first[i]] = x[i] = linear(origin[i], along[i], beside[i]);
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            f[second[i][j]] = product(&x[i], &x[j]);
    for (int k = 0; k < CF_NMOMENT; k++)
        for (int t = 0; t < CF_TWIST; t++) {
            struct polynomial swept = product(&f[k], &speed[t]);
            region->still[k][t] += integral(&swept, across);
        }
}

/* Derivatives of all moments by the twist about the region's origin: over the whole boundary the
 * integral of f u.n is that of grad f . u over the region, u being free of divergence. */
static void moment_rates(const struct cf_region *r, double by[CF_NMOMENT][CF_TWIST])
{
    for (int t = 0; t < CF_TWIST; t++) {
        double move[3] = {t == 0, t == 1, t == 2}, turn[3] = {t == 3, t == 4, t == 5};
        double mean[3] = {r->moment[CF_MOMENT_X], r->moment[CF_MOMENT_Y], r->moment[CF_MOMENT_Z]};
        double swept[3], shift[3][3];

        cf_vec_cross(turn, mean, swept);
        for (int j = 0; j < 3; j++) { /* shift[j] = the integral of u x_j */
            double column[3];
            for (int i = 0; i < 3; i++)
                column[i] = r->moment[second[i][j]];
            cf_vec_cross(turn, column, shift[j]);
            cf_vec_add_scaled(shift[j], mean[j], move, shift[j]);
        }
        by[CF_MOMENT_1][t] = -r->still[CF_MOMENT_1][t];
        for (int i = 0; i < 3; i++) {
            by[first[i]][t] = r->moment[CF_MOMENT_1] * move[i] + swept[i] - r->still[first[i]][t];
            for (int j = i; j < 3; j++)
                by[second[i][j]][t] = shift[j][i] + shift[i][j] - r->still[second[i][j]][t];
        }
    }
}

void cf_region_still_whole(struct cf_region *region, const double moment[CF_NMOMENT])
{
    struct cf_region part = {.ceiling_m = NAN};
    double by[CF_NMOMENT][CF_TWIST];

    memcpy(part.moment, moment, sizeof part.moment);
    moment_rates(&part, by);
    for (int k = 0; k < CF_NMOMENT; k++)
        for (int t = 0; t < CF_TWIST; t++)
            region->still[k][t] += by[k][t];
}

/* Q^T a Q, for rows of Q: from the region's axes to those of the call. */
static void turned(const struct cf_region *r, double a[3][3], double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    sum += r->axis[k][i] * a[k][l] * r->axis[l][j];
            out[i][j] = sum;
        }
}

/* trace(c) 1 - c */
static void inertia_of(double c[3][3])
{
    double apart[3] = {c[1][1] + c[2][2], c[2][2] + c[0][0], c[0][0] + c[1][1]};

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c[i][j] = i == j ? apart[i] : -c[i][j];
}

/* The twist of a unit of component t in the frame of the call, about the region's origin and along
 * its axes. */
static void local_twist(const struct cf_region *r, int t, double out[CF_TWIST])
{
    double move[3] = {t == 0, t == 1, t == 2}, turn[3] = {t == 3, t == 4, t == 5}, carried[3];

    cf_vec_cross(turn, r->origin_m, carried);
    cf_vec_add_scaled(move, 1, carried, move);
    for (int i = 0; i < 3; i++) {
        out[i] = cf_vec_dot(r->axis[i], move);
        out[3 + i] = cf_vec_dot(r->axis[i], turn);
    }
}

/* The derivatives of the metrics along one component of the twist, from those of the moments. */
static void differentiate(const struct cf_region *r, const double centre[3],
                          double by[CF_NMOMENT][CF_TWIST], int t, struct cf_volume *out)
{
    double twist[CF_TWIST], rate[CF_NMOMENT], volume = r->moment[CF_MOMENT_1];
    double shift[3], spread[3][3], inertia[3][3];

    local_twist(r, t, twist);
    for (int k = 0; k < CF_NMOMENT; k++) {
        rate[k] = 0;
        for (int i = 0; i < CF_TWIST; i++)
            rate[k] += by[k][i] * twist[i];
    }
    out->volume_by[t] = rate[CF_MOMENT_1];
    for (int i = 0; i < 3; i++)
        shift[i] = (rate[first[i]] - centre[i] * rate[CF_MOMENT_1]) / volume;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            spread[i][j] = rate[second[i][j]] - rate[CF_MOMENT_1] * centre[i] * centre[j] -
                           volume * (shift[i] * centre[j] + centre[i] * shift[j]);
    inertia_of(spread);
    turned(r, spread, inertia);
    for (int i = 0; i < 3; i++) {
        out->centroid_by[i][t] = 0;
        for (int k = 0; k < 3; k++)
            out->centroid_by[i][t] += r->axis[k][i] * shift[k];
        for (int j = 0; j < 3; j++)
            out->inertia_by[i][j][t] = inertia[i][j];
    }
}

void cf_region_metrics(const struct cf_region *region, struct cf_volume *out)
{
    double volume = region->moment[CF_MOMENT_1], centre[3], spread[3][3];
    double by[CF_NMOMENT][CF_TWIST];

    *out = (struct cf_volume){.centroid_depth_m = region->ceiling_m};
    memcpy(out->centroid_m, region->origin_m, sizeof out->centroid_m);
    if (volume == 0)
        return;
    for (int i = 0; i < 3; i++)
        centre[i] = region->moment[first[i]] / volume;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            spread[i][j] = region->moment[second[i][j]] - volume * centre[i] * centre[j];
    out->volume_m3 = volume;
    out->centroid_depth_m = region->ceiling_m - cf_vec_dot(region->up, centre);
    for (int i = 0; i < 3; i++)
        cf_vec_add_scaled(out->centroid_m, centre[i], region->axis[i], out->centroid_m);
    inertia_of(spread);
    turned(region, spread, out->inertia_m5);
    moment_rates(region, by);
    for (int t = 0; t < CF_TWIST; t++)
        differentiate(region, centre, by, t, out);
}
