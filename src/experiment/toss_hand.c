/* Starting values by hand: each window as one impact at the corner that is lowest, which needs no
 * more than velocity and spin before and behind it.
 *
 *   e  = -(velocity of the corner behind)/(before), along the floor's normal, taken as z
 *   mu = |change of the centre's velocity along the floor|/(that along z)
 *
 * The medians over all windows. A corner that sticks has an impulse inside of its cone, so that mu
 * comes out somewhat low.
 *
 * A stiffness is hardly identified: one for which a contact would last as long as a step of the
 * record, pi sqrt(m_c/k) of a linear spring with the mass m_c = 1/(1/m + r^2/I) that a corner has
 * at most; of k z^1.5 the one that has its force at the depth to which it is then pressed.
 */

#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/toss_channels.h"
#include "geometry/vector.h"

enum { X, Y, Z };

/* How far other starts are spread about them, of a stiffness by this factor; and within which they
 * are believed. */
static const double REACH = 0.2, REACH_OF_STIFFNESS = 10, LEAST = 0.02, MOST = 0.98;

static void pose_of(const struct cf_dataset *d, size_t row, double place[3], double turn[4])
{
    for (size_t k = 0; k < 3; k++)
        place[k] = cf_dataset_value(d, row, CF_TOSS_X + k);
    for (size_t k = 0; k < 4; k++)
        turn[k] = cf_dataset_value(d, row, CF_TOSS_QW + k);
}

/* From the centre to the lowest corner, by the axes of the body in the world. */
static void lowest_corner(const double q[4], double half_width_m, double r[3])
{
    memset(r, 0, 3 * sizeof *r);
    for (int k = 0; k < 3; k++) {
        double axis[3] = {0}, turned[3];
        axis[k] = 1;
        cf_toss_turn(q, axis, turned);
        cf_vec_add_scaled(r, turned[Z] > 0 ? -half_width_m : half_width_m, turned, r);
    }
}

/* Upwards, of a point of the body. */
static double rise(const double velocity[3], const double spin[3], const double r[3])
{
    double turned[3];

    cf_vec_cross(spin, r, turned);
    return velocity[Z] + turned[Z];
}

/* What is read from a window. */
struct told {
    double e, mu, speed_m_s, step_s; /* speed of the corner before it; step of the record */
};

/* false: nothing. */
static bool tell(const struct cf_dataset *d, size_t i, struct told *t)
{
    const struct cf_drive_piece *piece = &d->drive->piece[i];
    size_t last = d->segment[i].first + d->segment[i].count - 1;
    double place[2][3], turn[2][4], r[3], velocity[3], spin[3], before[3], change[3], per, fallen;

    if (d->segment[i].count < 2)
        return false;
    for (size_t k = 0; k < 2; k++)
        pose_of(d, last - 1 + k, place[k], turn[k]);
    per =
        1 / (cf_dataset_value(d, last, CF_TOSS_TIME) - cf_dataset_value(d, last - 1, CF_TOSS_TIME));
    cf_vec_sub(place[1], place[0], velocity);
    cf_vec_scale(per, velocity, velocity);
    cf_toss_rotation(turn[0], turn[1], spin);
    cf_vec_scale(per, spin, spin);
    fallen =
        d->apparatus[CF_TOSS_GRAVITY] * (cf_dataset_value(d, last, CF_TOSS_SINCE) - 1 / (2 * per));
    memcpy(before, piece->body.velocity_m_s, sizeof before);
    before[Z] -= fallen;
    cf_vec_sub(velocity, before, change);
    pose_of(d, d->segment[i].first, place[0], turn[0]);
    lowest_corner(turn[0], d->apparatus[CF_TOSS_HALF_WIDTH], r);
    t->speed_m_s = -rise(before, piece->body.spin_rad_s, r);
    t->step_s = 1 / per;
    t->e = rise(velocity, spin, r) / t->speed_m_s;
    t->mu = hypot(change[X], change[Y]) / change[Z];
    return change[Z] > 0 && t->speed_m_s > 0;
}

static double median(double x[], size_t n)
{
    gsl_sort(x, 1, n);
    return gsl_stats_median_from_sorted_data(x, 1, n);
}

static void put(const struct cf_law *law, const char *name, double value, struct cf_hand start[])
{
    size_t i = cf_param_find(law->param, law->nparam, name);

    if (i < law->nparam)
        start[i] = (struct cf_hand){fmin(fmax(value, LEAST), MOST), REACH};
}

/* Of a law k z^n with a fixed n, at the corner's speed. */
static void put_stiffness(const struct cf_dataset *d, const struct cf_law *law, double speed_m_s,
                          double step_s, struct cf_hand start[])
{
    const struct cf_law *normal = cf_law_normal(law);
    const double *a = d->apparatus;
    double r = M_SQRT3 * a[CF_TOSS_HALF_WIDTH];
    double mass = 1 / (1 / a[CF_TOSS_MASS] + r * r / a[CF_TOSS_INERTIA]);
    double linear = mass * gsl_pow_2(M_PI / step_s), depth = speed_m_s * sqrt(mass / linear);
    size_t k = cf_law_k(normal);

    if (k < normal->nparam && normal->n > 0 && isfinite(linear) && depth > 0)
        start[k] = (struct cf_hand){linear * pow(depth, 1 - normal->n), REACH_OF_STIFFNESS};
}

int cf_toss_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                 struct cf_error *err)
{
    double *x = malloc((4 * d->nsegment + 1) * sizeof *x), *of[4];
    size_t n = 0;

    if (!x)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu tosses", d->nsegment);
    for (size_t k = 0; k < 4; k++)
        of[k] = x + k * d->nsegment;
    for (size_t i = 0; d->drive && i < d->nsegment; i++) {
        struct told t;
        if (!tell(d, i, &t))
            continue;
        of[0][n] = t.e;
        of[1][n] = t.mu;
        of[2][n] = t.speed_m_s;
        of[3][n++] = t.step_s;
    }
    if (n) {
        double mu = median(of[1], n);
        put(law, "e", median(of[0], n), start);
        put(law, "mu", mu, start);
        put(law, "mu_c", mu, start);
        put(law, "mu_s", mu, start);
        put(law, "mu_d", mu, start);
        put_stiffness(d, law, median(of[2], n), median(of[3], n), start);
    }
    free(x);
    return CF_OK;
}
