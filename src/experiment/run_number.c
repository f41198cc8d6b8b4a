#include "experiment/run_number.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct cf_run_number *cf_run_number_find(const struct cf_protocol *protocol, const char *name)
{
    for (size_t i = 0; i < protocol->nrun_number; i++)
        if (strcmp(protocol->run_number[i].name, name) == 0)
            return &protocol->run_number[i];
    return NULL;
}

/* ---- runs */

static size_t count_segments(const struct cf_dataset *d)
{
    return d->nsegment ? d->nsegment : 1;
}

static struct cf_segment segment_at(const struct cf_dataset *d, size_t i)
{
    return d->nsegment ? d->segment[i] : (struct cf_segment){0, d->nrow};
}

static bool has_place(const struct cf_run_number *number, double place)
{
    return isfinite(place) && (!number->axis || number->axis->linear || place > 0);
}

int cf_runs_cut(const struct cf_dataset *d, const struct cf_run_number *number, struct cf_run **run,
                size_t *n, struct cf_error *err)
{
    size_t all = number->cut(d, NULL, 0), kept = 0;

    *n = 0;
    *run = calloc(all + 1, sizeof **run);
    if (!*run)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu runs", all);
    number->cut(d, *run, all);
    for (size_t i = 0; i < all; i++)
        if (has_place(number, (*run)[i].place))
            (*run)[kept++] = (*run)[i];
    *n = kept;
    return CF_OK;
}

static void put_run(struct cf_run run[], size_t room, size_t n, struct cf_segment rows,
                    double place)
{
    if (n < room)
        run[n] = (struct cf_run){rows.first, rows.count, rows.first, place};
}

size_t cf_runs_by_mean(const struct cf_dataset *d, size_t channel, struct cf_run run[], size_t room)
{
    size_t n = count_segments(d);

    for (size_t i = 0; i < n; i++) {
        struct cf_segment rows = segment_at(d, i);
        double first = 0, beyond = 0; /* so that the mean of one number is that number */
        size_t known = 0;
        for (size_t row = rows.first; row < rows.first + rows.count; row++)
            if (d->use[row] == CF_ROW_FIT && cf_dataset_has(d, row, channel)) {
                first = known ? first : cf_dataset_value(d, row, channel);
                beyond += cf_dataset_value(d, row, channel) - first;
                known++;
            }
        put_run(run, room, i, rows, known ? first + beyond / (double) known : (double) NAN);
    }
    return n;
}

size_t cf_runs_repeated(const struct cf_dataset *d, struct cf_run run[], size_t room)
{
    size_t n = count_segments(d);

    for (size_t i = 0; i < n; i++)
        put_run(run, room, i, segment_at(d, i), 0);
    return n;
}

/* Where the motion turns next behind a row, a way back of at least `least`; the segment's end: it
 * does not. */
static size_t find_turn(const struct cf_dataset *d, size_t channel, struct cf_segment rows,
                        size_t from, double least)
{
    size_t end = rows.first + rows.count, low = end, high = end;

    for (size_t row = from; row < end; row++) {
        double x = cf_dataset_value(d, row, channel);
        if (d->use[row] != CF_ROW_FIT || isnan(x))
            continue;
        if (low == end || x < cf_dataset_value(d, low, channel))
            low = row;
        if (high == end || x > cf_dataset_value(d, high, channel))
            high = row;
        if (low > from && high < low && x - cf_dataset_value(d, low, channel) >= least)
            return low;
        if (high > from && low < high && cf_dataset_value(d, high, channel) - x >= least)
            return high;
    }
    return end;
}

/* The row from which on a motion that turned at `half` is back where it turned before, at `at`; a
 * motion that grows goes on behind it, one that decays turns at `next` without. */
static size_t find_return(const struct cf_dataset *d, size_t channel, size_t at, size_t half,
                          size_t next)
{
    double from = cf_dataset_value(d, at, channel);
    double side = from < cf_dataset_value(d, half, channel) ? -1 : 1;

    for (size_t row = half; row < next; row++)
        if (d->use[row] == CF_ROW_FIT && side * (cf_dataset_value(d, row, channel) - from) >= 0)
            return row;
    return next;
}

static double range_of(const struct cf_dataset *d, size_t channel, struct cf_segment rows)
{
    double low = (double) INFINITY, high = -low;

    for (size_t row = rows.first; row < rows.first + rows.count; row++)
        if (d->use[row] == CF_ROW_FIT && cf_dataset_has(d, row, channel)) {
            low = fmin(low, cf_dataset_value(d, row, channel));
            high = fmax(high, cf_dataset_value(d, row, channel));
        }
    return high - low;
}

size_t cf_runs_by_loop(const struct cf_dataset *d, size_t channel, double turn, struct cf_run run[],
                       size_t room)
{
    size_t n = 0;

    for (size_t i = 0; i < count_segments(d); i++) {
        struct cf_segment rows = segment_at(d, i);
        double least = turn * range_of(d, channel, rows);
        size_t end = rows.first + rows.count, at = rows.first, half, next;
        if (!(least > 0))
            continue;
        for (at = find_turn(d, channel, rows, at, least); at < end; at = next) {
            half = find_turn(d, channel, rows, at, least);
            next = half < end ? find_turn(d, channel, rows, half, least) : end;
            if (next == end)
                break;
            size_t last = find_return(d, channel, at, half, next);
            double way = cf_dataset_value(d, half, channel) - cf_dataset_value(d, at, channel);
            put_run(run, room, n++, (struct cf_segment){at, last - at + 1}, fabs(way) / 2);
        }
    }
    return n;
}

/* ---- numbers */

static void clear(const struct cf_run_readings *r, double by[])
{
    memset(by, 0, r->n * sizeof *by);
}

/* A parabola about the extreme of [first, end): readings beside it that are from this part of the
 * way from `base` on; and so many at least, or the extreme itself is it. */
static const double beside_peak = 0.8;
enum { LEAST_OF_PEAK = 5 };

/* The largest of the readings from `first` on; side -1: the smallest. */
static size_t find_extreme(const struct cf_run_readings *r, size_t first, double side)
{
    size_t at = first;

    for (size_t i = first; i < r->n; i++)
        if (side * r->y[i] > side * r->y[at])
            at = i;
    return at;
}

/* The top of the parabola of least squares through readings [first, end), about the middle of their
 * places; its derivative by a reading is the weight of that in the value at the top, for the slope
 * is 0 there. Adds sign * these. false: it has no top among them. */
static bool find_top(const struct cf_run_readings *r, size_t first, size_t end, double side,
                     double sign, double *value, double by[])
{
    double middle = (r->at[first] + r->at[end - 1]) / 2, half = (r->at[end - 1] - middle);
    double normal[9] = {0}, right[3] = {0}, top[3], at[3], c[3];
    gsl_matrix_view N = gsl_matrix_view_array(normal, 3, 3);
    gsl_vector_view b = gsl_vector_view_array(right, 3), x = gsl_vector_view_array(c, 3);

    if (!(half > 0))
        return false;
    for (size_t i = first; i < end; i++) {
        double t = (r->at[i] - middle) / half;
        const double power[3] = {1, t, t * t};
        for (int j = 0; j < 3; j++) {
            right[j] += power[j] * r->y[i];
            for (int k = 0; k < 3; k++)
                normal[3 * j + k] += power[j] * power[k];
        }
    }
    if (gsl_linalg_cholesky_decomp1(&N.matrix) ||
        gsl_linalg_cholesky_solve(&N.matrix, &b.vector, &x.vector))
        return false;
    double where = -c[1] / (2 * c[2]);
    if (!(side * c[2] < 0) || !(fabs(where) <= 1))
        return false;
    *value = c[0] + where * (c[1] + where * c[2]);
    at[0] = 1, at[1] = where, at[2] = where * where;
    gsl_vector_view a = gsl_vector_view_array(at, 3), w = gsl_vector_view_array(top, 3);
    gsl_linalg_cholesky_solve(&N.matrix, &a.vector, &w.vector);
    for (size_t i = first; i < end; i++) {
        double t = (r->at[i] - middle) / half;
        by[i] += sign * (top[0] + t * (top[1] + t * top[2]));
    }
    return true;
}

/* The extreme of the readings from `first` on, by a parabola about reading `at`, which it is of
 * their values; adds sign * its derivatives to by[]. */
static double add_extreme(const struct cf_run_readings *r, size_t first, size_t at, double base,
                          double sign, double by[])
{
    double side = r->y[at] < base ? -1 : 1, top;
    double least = side * (base + beside_peak * (r->y[at] - base));
    size_t low = at, high = at + 1;

    while (low > first && side * r->y[low - 1] >= least)
        low--;
    while (high < r->n && side * r->y[high] >= least)
        high++;
    if (high - low >= LEAST_OF_PEAK && find_top(r, low, high, side, sign, &top, by))
        return top;
    by[at] += sign;
    return r->y[at];
}

bool cf_find_peak(const struct cf_run_readings *r, double *value, double by[])
{
    clear(r, by);
    *value = r->n ? add_extreme(r, 0, find_extreme(r, 0, 1), 0, 1, by) : 0;
    return r->n > 0;
}

bool cf_find_span(const struct cf_run_readings *r, double *value, double by[])
{
    clear(r, by);
    *value = 0;
    if (r->n < 2)
        return false;
    size_t high = find_extreme(r, 0, 1), low = find_extreme(r, 0, -1);
    double middle = (r->y[high] + r->y[low]) / 2;
    *value = add_extreme(r, 0, high, middle, 1, by) - add_extreme(r, 0, low, middle, -1, by);
    return true;
}

static bool integrate(const struct cf_run_readings *r, bool closed, double *value, double by[])
{
    clear(r, by);
    *value = 0;
    for (size_t i = 0; i + !closed < r->n; i++) {
        size_t next = (i + 1) % r->n;
        double half = (r->at[next] - r->at[i]) / 2;
        *value += half * (r->y[i] + r->y[next]);
        by[i] += half;
        by[next] += half;
    }
    return r->n > 1;
}

bool cf_find_integral(const struct cf_run_readings *r, double *value, double by[])
{
    return integrate(r, false, value, by);
}

bool cf_find_area(const struct cf_run_readings *r, double *value, double by[])
{
    return integrate(r, true, value, by);
}

bool cf_find_area_across(const struct cf_run_readings *r, double *value, double by[])
{
    bool found = integrate(r, true, value, by);

    *value = -*value;
    for (size_t i = 0; i < r->n; i++)
        by[i] = -by[i];
    return found;
}

/* Where y crosses a level between reading i and the next; adds sign * its derivatives by these two
 * to by[], and says that by the level. */
static double find_crossing(const struct cf_run_readings *r, size_t i, double level, double sign,
                            double by[], double *by_level)
{
    double way = r->at[i + 1] - r->at[i], rise = r->y[i + 1] - r->y[i];

    *by_level = way / rise;
    by[i] += sign * way * (level - r->y[i + 1]) / (rise * rise);
    by[i + 1] -= sign * way * (level - r->y[i]) / (rise * rise);
    return r->at[i] + way * (level - r->y[i]) / rise;
}

bool cf_find_width(const struct cf_run_readings *r, double *value, double by[])
{
    double *of_peak = calloc(r->n + 1, sizeof *of_peak), peak = 0, by_up, by_down;
    bool found = false;

    clear(r, by);
    *value = 0;
    if (of_peak && r->n > 2) {
        size_t at = find_extreme(r, 0, 1), up = at, down = at;
        peak = add_extreme(r, 0, at, 0, 1, of_peak);
        while (up > 0 && r->y[up] > peak / 2)
            up--;
        while (down < r->n - 1 && r->y[down] > peak / 2)
            down++;
        found = peak > 0 && up < at && down > at && r->y[up] <= peak / 2 && r->y[down] <= peak / 2;
        if (found)
            *value = find_crossing(r, down - 1, peak / 2, 1, by, &by_down) -
                     find_crossing(r, up, peak / 2, -1, by, &by_up);
        for (size_t i = 0; found && i < r->n; i++)
            by[i] += (by_down - by_up) / 2 * of_peak[i];
    }
    free(of_peak);
    return found;
}

bool cf_find_fall(const struct cf_run_readings *r, double *value, double by[])
{
    clear(r, by);
    *value = 0;
    if (r->n < 3)
        return false;
    size_t high = find_extreme(r, 0, 1), low = find_extreme(r, 0, -1), at = high;
    double level = (r->y[high] + r->y[low]) / 2, by_level;
    while (at + 1 < r->n && r->y[at + 1] > level)
        at++;
    if (at + 1 == r->n || !(r->y[high] > level))
        return false;
    *value = find_crossing(r, at, level, 1, by, &by_level);
    by[high] += by_level / 2;
    by[low] += by_level / 2;
    return true;
}

bool cf_find_last(const struct cf_run_readings *r, double *value, double by[])
{
    clear(r, by);
    *value = r->n ? r->y[r->n - 1] : 0;
    if (r->n)
        by[r->n - 1] = 1;
    return r->n > 0;
}

/* The part of the readings before an end that are its level. */
static const double level_part = 0.2;

/* Adds sign * the level before reading `end` of those from `first` on. */
static double add_level(const struct cf_run_readings *r, size_t first, size_t end, double sign,
                        double by[])
{
    size_t n = (size_t) fmax(1, floor(level_part * (double) (end - first)));
    double sum = 0;

    for (size_t i = end - n; i < end; i++) {
        sum += r->y[i];
        by[i] += sign / (double) n;
    }
    return sum / (double) n;
}

static bool has_sides(const struct cf_run_readings *r)
{
    return r->split > 0 && r->split < r->n;
}

bool cf_find_jump(const struct cf_run_readings *r, double *value, double by[])
{
    clear(r, by);
    *value = 0;
    if (!has_sides(r))
        return false;
    double before = add_level(r, 0, r->split, -1, by);
    size_t high = find_extreme(r, r->split, 1), low = find_extreme(r, r->split, -1);
    size_t at = r->y[high] - before >= before - r->y[low] ? high : low;
    *value = add_extreme(r, r->split, at, before, 1, by) - before;
    return true;
}

bool cf_find_change(const struct cf_run_readings *r, double *value, double by[])
{
    clear(r, by);
    *value = 0;
    if (!has_sides(r))
        return false;
    double before = add_level(r, 0, r->split, -1, by);
    *value = add_level(r, r->split, r->n, 1, by) - before;
    return true;
}
