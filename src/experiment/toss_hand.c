/* Starting values by hand: each window as one impact at the corner that is lowest, which needs no
 * more than velocity and spin before and behind it.
 *
 *   e  = -(velocity of the corner behind)/(before), along the floor's normal, taken as z
 *   mu = |change of the centre's velocity along the floor|/(that along z)
 *
 * The medians over all windows. A corner that sticks has an impulse inside of its cone, so that mu
 * comes out somewhat low.
 */

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/toss_channels.h"
#include "geometry/vector.h"

enum { X, Y, Z };

/* How far other starts are spread about them, and within which they are believed. */
static const double REACH = 0.2, LEAST = 0.02, MOST = 0.98;

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

/* What window i tells; false: nothing. */
static bool tell(const struct cf_dataset *d, size_t i, double *e, double *mu)
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
    *e = -rise(velocity, spin, r) / rise(before, piece->body.spin_rad_s, r);
    *mu = hypot(change[X], change[Y]) / change[Z];
    return change[Z] > 0 && rise(before, piece->body.spin_rad_s, r) < 0;
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

bool cf_toss_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[])
{
    double *e = malloc((2 * d->nsegment + 1) * sizeof *e), *mu = e + d->nsegment;
    size_t n = 0;

    for (size_t i = 0; e && d->drive && i < d->nsegment; i++)
        n += tell(d, i, &e[n], &mu[n]);
    if (n) {
        double friction = median(mu, n);
        put(law, "e", median(e, n), start);
        put(law, "mu", friction, start);
        put(law, "mu_c", friction, start);
        put(law, "mu_s", friction, start);
        put(law, "mu_d", friction, start);
    }
    free(e);
    return n > 0;
}
