/* Heights over time into flights: see bounce_heights.c for what becomes of them.
 *
 * Impacts are where the height turns from falling to rising by `rise` standard deviations of its
 * noise. Samples next to them may be in contact and are left out, and so is what is held before the
 * first fall and what rests behind the last flight. A flight whose heights lie far off a parabola
 * was touched; two that do not meet at the contact height have an impact between them that was not
 * seen, or another floor.
 */

#define _POSIX_C_SOURCE 200809L

#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

#include "core/text.h"
#include "experiment/bounce_heights_record.h"
#include "experiment/flight.h"

const struct cf_param cf_heights_rules[CF_HEIGHTS_NRULE] = {
    [CF_HEIGHTS_RISE] = {"rise", "1", 1, 1e6, 1, 1e6, 8, CF_SCALE_LINEAR,
                         "standard deviations of the noise that a flight rises above its ends"},
    [CF_HEIGHTS_APART] = {"apart", "s", 0, 1e3, 0, 1e3, 5e-3, CF_SCALE_LINEAR,
                          "samples so near to the lowest one between two flights are left out: the "
                          "ball may touch"},
    [CF_HEIGHTS_LEAST] = {"least_samples", "1", 3, 1e6, 3, 1e6, 5, CF_SCALE_LINEAR,
                          "of a flight that is used"},
    [CF_HEIGHTS_MISFIT] = {"misfit", "1", 1, 1e6, 1, 1e6, 4, CF_SCALE_LINEAR,
                           "standard deviations of the usual noise that the samples of a flight "
                           "may lie off its path, as a root mean square"},
    [CF_HEIGHTS_MEET] = {"meet", "s", 0, 1e3, 0, 1e3, 0.02, CF_SCALE_LINEAR,
                         "between the end of a flight and the begin of the next one, by the "
                         "contact height, at most"},
};

static void record_free(struct cf_heights_record *r)
{
    free(r->track.time_s);
    free(r->row);
    free(r->flight);
}

static int record_alloc(struct cf_dataset *d, const struct cf_remarks *remarks,
                        struct cf_heights_record *r, struct cf_error *err)
{
    size_t n = d->nrow + 1;

    *r = (struct cf_heights_record){.d = d,
                                    .remarks = remarks,
                                    .file = d->file ? d->file : d->name,
                                    .track = {.time_s = malloc(5 * n * sizeof *r->work),
                                              .gravity_m_s2 = d->pair.gravity_m_s2,
                                              .drag_1_m = cf_bounce_drag(d, d->apparatus)},
                                    .row = malloc(2 * n * sizeof *r->row),
                                    .flight = malloc(n * sizeof *r->flight)};
    if (!r->track.time_s || !r->row || !r->flight)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu heights", d->nrow);
    r->track.height_m = r->track.time_s + n;
    if (d->series[CF_HEIGHTS_HEIGHT].kind == CF_SIGMA_GIVEN)
        r->track.sigma_m = r->track.height_m + n;
    r->work = r->track.height_m + 2 * n;
    r->low = r->row + n;
    if (!isfinite(r->track.drag_1_m)) /* the law's check says what it needs */
        r->track.drag_1_m = 0;
    return CF_OK;
}

/* ---- one throw */

/* The samples of the throw that begins at row `first`; *end is the row behind it. */
static int take(struct cf_heights_record *r, size_t first, size_t *end, struct cf_error *err)
{
    const struct cf_dataset *d = r->d;
    struct cf_track *track = &r->track;

    track->n = 0;
    for (*end = first; *end < d->nrow && cf_bounce_throw(d, *end) == cf_bounce_throw(d, first);
         ++*end) {
        double t = cf_dataset_value(d, *end, CF_HEIGHTS_TIME);
        if (d->use[*end] == CF_ROW_EXCLUDED || !cf_dataset_has(d, *end, CF_HEIGHTS_HEIGHT))
            continue;
        if (track->n && !(t > track->time_s[track->n - 1]))
            return cf_fail(err, CF_EINPUT,
                           "%s:%zu: time %.9g s does not follow %.9g s of line %zu: the times of a "
                           "throw ascend; where another throw begins, name the column that numbers "
                           "them: columns: {throw: HEADER}",
                           r->file, d->line[*end], t, track->time_s[track->n - 1],
                           d->line[r->row[track->n - 1]]);
        track->time_s[track->n] = t;
        track->height_m[track->n] = cf_dataset_value(d, *end, CF_HEIGHTS_HEIGHT);
        if (track->sigma_m)
            track->sigma_m[track->n] = cf_dataset_sigma(d, *end, CF_HEIGHTS_HEIGHT);
        r->row[track->n++] = *end;
    }
    return CF_OK;
}

/* Samples [first, end) between impacts at two samples, or at none: SIZE_MAX. */
static void add_flight(struct cf_heights_record *r, size_t first, size_t end, size_t from,
                       size_t to)
{
    const double *t = r->track.time_s, *rule = r->d->rule;
    struct cf_heights_flight *f = &r->flight[r->n];

    if (first >= end)
        return;
    *f = (struct cf_heights_flight){.throw = cf_bounce_throw(r->d, r->row[first]),
                                    .first_row = r->row[first],
                                    .last_row = r->row[end - 1]};
    r->n += cf_track_fit(&r->track, first, end, from == SIZE_MAX ? -(double) INFINITY : t[from],
                         to == SIZE_MAX ? (double) INFINITY : t[to], rule[CF_HEIGHTS_APART],
                         (size_t) rule[CF_HEIGHTS_LEAST], &f->fit);
}

/* What is behind the last flight of a throw. */
static void look_behind(const struct cf_track *track, size_t end, double rise,
                        struct cf_heights_flight *last)
{
    last->is_last = true;
    last->rise_m = rise;
    last->end_s = track->time_s[track->n - 1];
    last->lowest_m = INFINITY;
    last->high_m = -INFINITY;
    for (size_t i = end; i < track->n; i++) {
        last->lowest_m = fmin(last->lowest_m, track->height_m[i]);
        last->high_m = fmax(last->high_m, track->height_m[i]);
    }
}

static void add_flights(struct cf_heights_record *r)
{
    size_t before;
    double rise = r->d->rule[CF_HEIGHTS_RISE] * cf_track_noise(&r->track, r->work);
    size_t begin, end, n = cf_track_impacts(&r->track, rise, r->low, &begin, &end);

    if (!n)
        return;
    add_flight(r, begin, r->low[0], SIZE_MAX, r->low[0]);
    for (size_t i = 0; i + 1 < n; i++)
        add_flight(r, r->low[i] + 1, r->low[i + 1], r->low[i], r->low[i + 1]);
    before = r->n;
    add_flight(r, r->low[n - 1] + 1, end, r->low[n - 1], end < r->track.n ? end : SIZE_MAX);
    if (r->n > before)
        look_behind(&r->track, end, rise, &r->flight[r->n - 1]);
}

/* ---- all flights */

static double variance_of(const struct cf_track_flight *fit)
{
    return fit->square / ((double) fit->n - 2);
}

/* The usual variance of samples about their flight, and then that of the flights that are used, the
 * others being left out. */
static int choose(struct cf_heights_record *r, double *variance, struct cf_error *err)
{
    double most = r->d->rule[CF_HEIGHTS_MISFIT], usual, squares = 0, dof = 0;
    size_t kept = 0;
    int status = CF_OK;

    for (size_t i = 0; i < r->n; i++)
        r->work[i] = variance_of(&r->flight[i].fit);
    gsl_sort(r->work, 1, r->n);
    usual = r->n ? gsl_stats_median_from_sorted_data(r->work, 1, r->n) : 1;
    if (r->track.sigma_m)
        usual = fmax(usual, 1);
    for (size_t i = 0; i < r->n && !status; i++) {
        const struct cf_heights_flight *f = &r->flight[i];
        double off = sqrt(variance_of(&f->fit) / usual);
        if (off > most) {
            status = cf_bounce_remark(
                r->remarks,
                cf_format("%s: lines %zu to %zu are no free flight: their heights lie %.3g "
                          "standard deviations off its path; left out (rules: {misfit: %.3g} is "
                          "the limit)",
                          r->file, r->d->line[f->first_row], r->d->line[f->last_row], off, most),
                err);
            continue;
        }
        squares += f->fit.square;
        dof += (double) f->fit.n - 2;
        r->flight[kept++] = *f;
    }
    r->n = kept;
    *variance = r->track.sigma_m ? 1 : squares / dof;
    return status;
}

/* Of neighbours that do not meet, so many are named. */
enum { MOST_NAMED = 4 };

/* The ratio of two flights, unless they do not meet: *apart counts those. */
static int link(const struct cf_heights_record *r, const struct cf_heights_flight *f, size_t *apart,
                struct cf_error *err)
{
    const struct cf_heights_flight *next = f + 1;
    double gap = cf_heights_between(r, f, r->d->apparatus[CF_HEIGHTS_CONTACT]),
           most = r->d->rule[CF_HEIGHTS_MEET];

    if (fabs(gap) > most && ++*apart > MOST_NAMED)
        return CF_OK;
    if (fabs(gap) > most)
        return cf_bounce_remark(
            r->remarks,
            cf_format("%s: the flights of lines %zu to %zu and of %zu to %zu do not meet at "
                      "contact_height %.4g m: %.3g s are between them; cut there (rules: {meet: "
                      "%.3g s} is the limit)",
                      r->file, r->d->line[f->first_row], r->d->line[f->last_row],
                      r->d->line[next->first_row], r->d->line[next->last_row],
                      r->d->apparatus[CF_HEIGHTS_CONTACT], gap, most),
            err);
    return cf_dataset_put(r->d, cf_heights_row(r->d, f), CF_HEIGHTS_RATIO,
                          sqrt(cf_heights_above_contact(r, next) / cf_heights_above_contact(r, f)),
                          0, err);
}

/* Highest points take the place of heights. */
static int put(struct cf_heights_record *r, double variance, struct cf_error *err)
{
    struct cf_dataset *d = r->d;
    size_t apart = 0;
    int status = CF_OK;

    for (size_t row = 0; row < d->nrow && !status; row++)
        status = cf_dataset_put(d, row, CF_HEIGHTS_HEIGHT, (double) NAN, 0, err);
    d->series[CF_HEIGHTS_HEIGHT].kind = CF_SIGMA_GIVEN;
    for (size_t i = 0; i < r->n && !status; i++) {
        const struct cf_heights_flight *f = &r->flight[i];
        double height = cf_heights_above_contact(r, f);
        size_t row = cf_heights_row(d, f);
        if (!(height > 0))
            return cf_fail(err, CF_EINPUT,
                           "%s: the flight of lines %zu to %zu has its highest point at %.4g m, "
                           "which is not above contact_height %.4g m: apparatus: {contact_height: "
                           "} is the height at which the ball touches",
                           r->file, d->line[f->first_row], d->line[f->last_row], f->fit.apex_m,
                           d->apparatus[CF_HEIGHTS_CONTACT]);
        status = cf_dataset_put(d, row, CF_HEIGHTS_HEIGHT, f->fit.apex_m,
                                sqrt(f->fit.apex_v * variance), err);
        if (!status)
            status = cf_dataset_put(
                d, row, CF_HEIGHTS_SPEED,
                cf_fall_speed(height, r->track.gravity_m_s2, r->track.drag_1_m).value, 0, err);
    }
    for (size_t i = 0; i + 1 < r->n && !status; i++)
        if (r->flight[i].throw == r->flight[i + 1].throw)
            status = link(r, &r->flight[i], &apart, err);
    if (!status && apart > MOST_NAMED)
        status = cf_bounce_remark(r->remarks,
                                  cf_format("%s: and %zu more neighbouring flights do not meet",
                                            r->file, apart - MOST_NAMED),
                                  err);
    return status;
}

/* All flights of all throws. */
static int cut(struct cf_heights_record *r, struct cf_error *err)
{
    int status = CF_OK;

    r->n = r->turns_up = r->turns_down = 0;
    for (size_t row = 0; row < r->d->nrow && !status;) {
        status = take(r, row, &row, err);
        if (status)
            break;
        cf_heights_count_turns(r);
        add_flights(r);
    }
    return status;
}

/* Flights that are used, and the variance of their samples. */
static int cut_and_choose(struct cf_heights_record *r, double *variance, struct cf_error *err)
{
    int status = cut(r, err);

    if (!status)
        status = cf_heights_check_upwards(r, err);
    return status ? status : choose(r, variance, err);
}

/* Where times are far from right no path with drag leads through the heights, or one that tells
 * nothing: parabolas tell by how much. */
static int find_flights(struct cf_heights_record *r, double *variance, struct cf_error *err)
{
    double drag = r->track.drag_1_m;
    int status = cut_and_choose(r, variance, err);

    if (status || (r->n && !cf_heights_fall_otherwise(r)))
        return status;
    r->track.drag_1_m = 0;
    if (drag > 0)
        status = cut_and_choose(r, variance, err);
    if (!status)
        status = cf_heights_check_fall(r, err);
    r->track.drag_1_m = drag;
    return !status && drag > 0 ? cut_and_choose(r, variance, err) : status;
}

int cf_heights_derive(struct cf_dataset *d, const struct cf_remarks *remarks, struct cf_error *err)
{
    struct cf_heights_record r;
    double variance = 1;
    int status = record_alloc(d, remarks, &r, err);

    if (!status)
        status = cf_bounce_number_throws(d, err);
    if (!status)
        status = find_flights(&r, &variance, err);
    if (!status)
        status = cf_heights_tell_scale(&r, err);
    if (!status)
        status = cf_heights_check_contact(&r, err);
    if (!status)
        status = put(&r, variance, err);
    if (!status && !d->series[CF_HEIGHTS_RATIO].value)
        status = cf_fail(err, CF_EINPUT,
                         "data set %s: no throw has two flights that follow each other: "
                         "restitution is the root of the ratio of their heights (a flight takes "
                         "rules: {least_samples: %.4g})",
                         d->name, d->rule[CF_HEIGHTS_LEAST]);
    if (!status)
        status = cf_heights_tell_ends(&r, err);
    record_free(&r);
    return status;
}

/* ---- records */

bool cf_heights_stamped(const struct cf_dataset *d, size_t row, double ratio,
                        struct cf_stamped *out)
{
    double height = cf_dataset_value(d, row, CF_HEIGHTS_HEIGHT) - d->apparatus[CF_HEIGHTS_CONTACT];
    size_t next = row + 1;

    while (next < d->nrow && !cf_dataset_has(d, next, CF_HEIGHTS_HEIGHT))
        next++;
    if (isnan(height) || next == d->nrow)
        return false;
    *out = (struct cf_stamped){
        .n = 2,
        .row = {row, next},
        .by_value = {-ratio / (2 * height), 1 / (2 * ratio * height)},
        .by_imposed = {1, 0},
    };
    return true;
}
