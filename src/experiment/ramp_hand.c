/* Friction and its stiffness by hand, from the loop of force over displacement.
 *
 * The force goes between two levels, +f and -f about the zero of its sensor: mu = f/load. Where the
 * motion turns, it comes to the middle between them after a way of delta_z = f/(stiffness): so
 * sigma_0 = mu/delta_z (Gonthier 2007, 3.46), and sigma_1 = 2 sqrt(sigma_0/g) (3.51).
 */

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/ramp_channels.h"

static const double GRAVITY = 9.80665;

/* The levels of a loop are those beyond which this share of its forces lies, noise and peaks. */
static const double BEYOND = 0.05;

/* The median of |second differences| of noise, in its sd: of a normal of variance 1 + 4 + 1. */
static const double SD_OF_SECOND = 0.67448975 * 2.44948974;

/* As far as such numbers may be from those of a fit. */
static const double REACH_MU = 2, REACH_SIGMA = 10;

struct loop {
    size_t n;
    double *x, *f; /* n each */
    struct cf_ramp_levels levels;
};

static int compare(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

static bool gather(struct loop *l, const struct cf_dataset *d, double room[])
{
    l->n = 0;
    for (size_t row = 0; row < d->nrow; row++)
        if (d->use[row] == CF_ROW_FIT && cf_dataset_has(d, row, CF_RAMP_FORCE) &&
            cf_dataset_has(d, row, CF_RAMP_DISPLACEMENT)) {
            l->x[l->n] = cf_dataset_value(d, row, CF_RAMP_DISPLACEMENT);
            l->f[l->n] = cf_dataset_value(d, row, CF_RAMP_FORCE);
            room[l->n++] = cf_ramp_load(d, row);
        }
    if (!l->n)
        return false;
    gsl_sort(room, 1, l->n);
    l->levels.load_N = gsl_stats_median_from_sorted_data(room, 1, l->n);
    memcpy(room, l->f, l->n * sizeof *room);
    gsl_sort(room, 1, l->n);
    double low = gsl_stats_quantile_from_sorted_data(room, 1, l->n, BEYOND),
           high = gsl_stats_quantile_from_sorted_data(room, 1, l->n, 1 - BEYOND);
    l->levels.level_N = (high - low) / 2;
    l->levels.middle_N = (high + low) / 2;
    return l->levels.load_N > 0 && l->levels.level_N > 0;
}

/* The next turning point behind `from`, a way back of at least `least`; n: none. */
static size_t turn_behind(const struct loop *l, size_t from, double least)
{
    size_t low = from, high = from;

    for (size_t i = from; i < l->n; i++) {
        if (l->x[i] < l->x[low])
            low = i;
        if (l->x[i] > l->x[high])
            high = i;
        if (low > from && l->x[i] - l->x[low] > least && low > high)
            return low;
        if (high > from && l->x[high] - l->x[i] > least && high > low)
            return high;
    }
    return l->n;
}

/* The way behind each turn to the middle of both levels, into way[]; how many. */
static size_t ways(const struct loop *l, double turn, double way[])
{
    double low, high;
    size_t n = 0, at;

    gsl_stats_minmax(&low, &high, l->x, 1, l->n);
    at = turn_behind(l, 0, turn * (high - low));
    while (at < l->n) {
        size_t next = turn_behind(l, at, turn * (high - low));
        double side = l->f[at] - l->levels.middle_N;
        for (size_t i = at; i < l->n && i < next; i++)
            if (side * (l->f[i] - l->levels.middle_N) <= 0) {
                way[n++] = fabs(l->x[i] - l->x[at]);
                break;
            }
        at = next;
    }
    return n;
}

/* Where the motion never turns: the way from the first force to the level's middle, of a first
 * loading. */
static double first_way(const struct loop *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (fabs(l->f[i] - l->f[0]) >= l->levels.level_N)
            return fabs(l->x[i] - l->x[0]);
    return 0;
}

/* Of the ways forth and of those back: the work that the drive does on them, in parts of what it
 * would be if the force stood at its level against them all along. Ways are counted from turn to
 * turn, for noise makes a path longer, and no work. */
static void find_sliding(struct loop *l, double turn)
{
    double low, high, work[2] = {0, 0}, path[2] = {0, 0}, share[2];
    size_t next;

    gsl_stats_minmax(&low, &high, l->x, 1, l->n);
    for (size_t at = 0; at + 1 < l->n; at = next) {
        size_t end;
        next = turn_behind(l, at, turn * (high - low));
        end = next < l->n ? next : l->n - 1;
        bool back = l->x[end] < l->x[at];
        for (size_t i = at + 1; i <= end; i++)
            work[back] +=
                ((l->f[i] + l->f[i - 1]) / 2 - l->levels.middle_N) * (l->x[i] - l->x[i - 1]);
        path[back] += fabs(l->x[end] - l->x[at]);
    }
    for (int k = 0; k < 2; k++)
        share[k] = path[k] > 0 ? work[k] / (l->levels.level_N * path[k]) : 0;
    l->levels.least_sliding = fmin(share[0], share[1]);
    l->levels.most_sliding = fmax(share[0], share[1]);
}

/* By the ways behind turns, or of a first loading. */
static void find_way(struct loop *l, double turn, double way[])
{
    size_t n = ways(l, turn, way);

    if (n)
        qsort(way, n, sizeof *way, compare);
    l->levels.way_m = n ? gsl_stats_median_from_sorted_data(way, 1, n) : first_way(l);
}

static double noise(const struct loop *l, double room[])
{
    size_t n = l->n < 3 ? 0 : l->n - 2;

    for (size_t i = 0; i < n; i++)
        room[i] = fabs(l->f[i] - 2 * l->f[i + 1] + l->f[i + 2]);
    gsl_sort(room, 1, n);
    return n ? gsl_stats_median_from_sorted_data(room, 1, n) / SD_OF_SECOND : 0;
}

bool cf_ramp_slides(const struct cf_ramp_levels *levels)
{
    return levels->least_sliding > CF_RAMP_SLIDING;
}

int cf_ramp_levels(const struct cf_dataset *d, struct cf_ramp_levels *out, struct cf_error *err)
{
    double *room = malloc((4 * d->nrow + 1) * sizeof *room), *way;
    struct loop l = {.x = room};

    *out = (struct cf_ramp_levels){.middle_N = 0};
    if (!room)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu rows", d->nrow);
    way = room + 3 * d->nrow;
    l.f = room + d->nrow;
    if (gather(&l, d, room + 2 * d->nrow)) {
        find_way(&l, d->apparatus[CF_RAMP_TURN], way);
        find_sliding(&l, d->apparatus[CF_RAMP_TURN]);
        l.levels.noise_N = noise(&l, way);
        *out = l.levels;
        if (!cf_ramp_slides(out))
            out->middle_N = 0;
    }
    free(room);
    return CF_OK;
}

/* A deflection is at most one at which friction slides; by hand it may be off by this factor. */
static const double REACH_DEFLECTION = 4;

/* As far as the middle of the levels is from the zero of the force, in levels. */
static const double OFF_MIDDLE = 0.05;

int cf_ramp_range(const struct cf_dataset *d, size_t parameter, struct cf_param *row,
                  struct cf_error *err)
{
    struct cf_ramp_levels levels;
    int status;

    if (parameter != CF_RAMP_DEFLECTION)
        return CF_OK;
    status = cf_ramp_levels(d, &levels, err);
    if (!(levels.way_m > 0))
        return status;
    row->fit_upper = REACH_DEFLECTION * levels.way_m;
    row->fit_lower = -row->fit_upper;
    return status;
}

/* How far friction's springs are deflected where a record begins, its first force gives to its
 * noise and to the zero of its sensor; and that zero only a block that slides to both sides. */
int cf_ramp_is_unknown(const struct cf_dataset *d, size_t parameter, bool *unknown, double *sd,
                       struct cf_error *err)
{
    struct cf_ramp_levels l;
    int status;

    *unknown = parameter == CF_RAMP_DEFLECTION;
    if (!*unknown)
        return CF_OK;
    status = cf_ramp_levels(d, &l, err);
    *sd = cf_ramp_slides(&l) && l.way_m > 0 ? l.way_m * hypot(OFF_MIDDLE, l.noise_N / l.level_N)
                                            : (double) INFINITY;
    return status;
}

int cf_ramp_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                 struct cf_error *err)
{
    struct cf_ramp_levels l;
    double mu;
    int status = cf_ramp_levels(d, &l, err);

    if (!law->friction || !(l.load_N > 0))
        return status;
    mu = l.level_N / l.load_N;
    cf_slider_hand(law, "mu_s", "1", mu, REACH_MU, start);
    cf_slider_hand(law, "mu_c", "1", mu, REACH_MU, start);
    if (l.way_m > 0) {
        double sigma_0 = mu / l.way_m, per_load = 2 * sqrt(sigma_0 / GRAVITY);
        cf_slider_hand(law, "sigma_0", "1/m", sigma_0, REACH_SIGMA, start);
        cf_slider_hand(law, "sigma_0_star", "N/m", sigma_0 * l.load_N, REACH_SIGMA, start);
        cf_slider_hand(law, "sigma_1", "s/m", per_load, REACH_SIGMA, start);
        cf_slider_hand(law, "sigma_1_star", "N s/m", per_load * l.load_N, REACH_SIGMA, start);
    }
    return CF_OK;
}
