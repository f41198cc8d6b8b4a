/* Stamps into throws, intervals and their ratios.
 *
 * An impact's interval is the time since the impact before it, its ratio the next interval over
 * that one. Stamps that are no impacts are excluded, with the reason; where an impact was missed,
 * the chain of intervals is cut, and both halves stay one throw.
 */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/text.h"
#include "experiment/bounce_channels.h"
#include "experiment/flight.h"

const struct cf_param cf_bounce_rules[CF_BOUNCE_NRULE] = {
    [CF_BOUNCE_PENALTY] = {"penalty", "1", 1, 1e3, 1, 1e3, 4.5, CF_SCALE_LINEAR,
                           "a stamp is called spurious, or an impact missed, where that spares so "
                           "many standard deviations of the usual scatter"},
    [CF_BOUNCE_MOST_MISSED] = {"most_missed", "1", 0, 20, 0, 20, 2, CF_SCALE_LINEAR,
                               "missed impacts in a row that are looked for; 0: none"},
    [CF_BOUNCE_MOST_SPURIOUS] = {"most_spurious", "1", 0, 20, 0, 20, 2, CF_SCALE_LINEAR,
                                 "spurious stamps in one flight that are looked for; 0: none"},
};

static double time_of(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, CF_BOUNCE_TIME);
}

/* ---- throws */

/* Stamps that are not excluded ascend. */
static int check_order(const struct cf_dataset *d, struct cf_error *err)
{
    const char *file = d->file ? d->file : d->name;
    size_t last = SIZE_MAX;

    for (size_t row = 0; row < d->nrow; row++) {
        if (cf_bounce_begins(d, row))
            last = SIZE_MAX;
        if (d->use[row] == CF_ROW_EXCLUDED)
            continue;
        if (last != SIZE_MAX && time_of(d, row) == time_of(d, last))
            return cf_fail(err, CF_EINPUT,
                           "%s:%zu: time %.9g s stands in line %zu already: one impact has one "
                           "stamp; exclude: [{row: %zu, because: ...}]",
                           file, d->line[row], time_of(d, row), d->line[last], d->line[row]);
        if (last != SIZE_MAX && time_of(d, row) < time_of(d, last))
            return cf_fail(err, CF_EINPUT,
                           "%s:%zu: time %.9g s behind %.9g s of line %zu: the stamps of a throw "
                           "ascend; where another throw begins, name the column that numbers them: "
                           "columns: {throw: HEADER}, or group: {by: [HEADER]}",
                           file, d->line[row], time_of(d, row), time_of(d, last), d->line[last]);
        last = row;
    }
    return CF_OK;
}

/* ---- one throw */

/* The stamps of a throw that are not excluded. */
struct throw
{
    size_t n, *row;
    double *t;
    enum cf_trigger *kind;
    unsigned char *missed;
};

static void throw_free(struct throw *w)
{
    free(w->row);
    free(w->t);
    free(w->kind);
    free(w->missed);
}

static int throw_alloc(struct throw *w, size_t n, struct cf_error *err)
{
    *w = (struct throw){.row = malloc((n + 1) * sizeof *w->row),
                        .t = malloc((n + 1) * sizeof *w->t),
                        .kind = malloc((n + 1) * sizeof *w->kind),
                        .missed = calloc(n + 1, 1)};
    return w->row && w->t && w->kind && w->missed
               ? CF_OK
               : cf_fail(err, CF_ENOMEM, "no memory for %zu stamps", n);
}

/* The throw that begins at row `first`; returns the row behind it. */
static size_t take(const struct cf_dataset *d, size_t first, struct throw *w)
{
    size_t row = first;

    w->n = 0;
    for (; row < d->nrow && cf_bounce_throw(d, row) == cf_bounce_throw(d, first); row++) {
        if (d->use[row] == CF_ROW_EXCLUDED)
            continue;
        w->kind[w->n] = CF_TRIGGER_IMPACT;
        w->missed[w->n] = 0;
        w->t[w->n] = time_of(d, row);
        w->row[w->n++] = row;
    }
    return row;
}

/* Say what was found, and exclude what is no impact. */
static int name_triggers(struct cf_dataset *d, const struct throw *w, bool told,
                         const struct cf_remarks *remarks, struct cf_error *err)
{
    const char *file = d->file ? d->file : d->name;
    size_t last = SIZE_MAX;
    int status = CF_OK;

    for (size_t i = 0; i < w->n && !status; i++) {
        size_t line = d->line[w->row[i]];
        if (w->kind[i] == CF_TRIGGER_SPURIOUS) {
            status = cf_bounce_remark(
                remarks,
                cf_format("%s:%zu: stamp %.7g s is no impact: without it the intervals "
                          "about it follow the others; left out (rules: "
                          "{most_spurious: 0} keeps such)",
                          file, line, w->t[i]),
                err);
            if (!status)
                status = cf_dataset_exclude(
                    d, w->row[i], "no impact: the intervals follow each other without it", err);
            continue;
        }
        if (last != SIZE_MAX && w->missed[i] == CF_TRIGGER_LOST)
            status = cf_bounce_remark(
                remarks,
                cf_format("%s:%zu: the interval %.4g s from line %zu to here follows "
                          "no other: %s",
                          file, line, w->t[i] - w->t[last], d->line[w->row[last]],
                          told ? "cut there" : "taken as another throw"),
                err);
        else if (last != SIZE_MAX && w->missed[i])
            status = cf_bounce_remark(
                remarks,
                cf_format("%s:%zu: %d impact%s missed in the %.4g s from line %zu to "
                          "here: cut there (rules: {most_missed: 0} keeps such)",
                          file, line, w->missed[i], w->missed[i] == 1 ? "" : "s",
                          w->t[i] - w->t[last], d->line[w->row[last]]),
                err);
        last = i;
    }
    return status;
}

/* Where no column or group separates the throws, an interval that follows no other begins another
 * throw: one recording holds several. `more` is how many have begun so. */
static int begin_throws(struct cf_dataset *d, const struct throw *w, size_t end, size_t *more,
                        struct cf_error *err)
{
    size_t row = w->n ? w->row[0] : end;
    int status = CF_OK;

    for (size_t i = 0; i <= w->n && !status; i++) {
        size_t to = i < w->n ? w->row[i] : end;
        for (; row < to && !status; row++)
            status = cf_dataset_put(d, row, CF_BOUNCE_THROW,
                                    (double) (cf_bounce_throw(d, row) + *more), 0, err);
        *more += i < w->n && w->missed[i] == CF_TRIGGER_LOST;
    }
    return status;
}

/* Drag lets no fall be faster than the terminal speed, v_t^2 = g/kappa, and so no rebound without a
 * gain be longer than a flight that begins with it. A ball that was thrown down comes faster, once.
 */
static int check_flight(const struct cf_dataset *d, const struct throw *w, size_t last, size_t to,
                        bool follows, struct cf_error *err)
{
    double g = d->pair.gravity_m_s2, kappa = cf_bounce_drag(d, d->apparatus), most, length;

    if (!(kappa > 0 && isfinite(kappa) && g > 0))
        return CF_OK;
    length = w->t[to] - w->t[last];
    most = cf_flight(sqrt(g / kappa), g, kappa).time_s + d->apparatus[CF_BOUNCE_CONTACT_TIME];
    if (follows ? length <= most
                : !isnan(cf_flight_launch_of_landing(cf_bounce_speed(d, w->row[to]), g, kappa)))
        return CF_OK;
    return cf_fail(err, CF_EINPUT,
                   "%s:%zu: %.4g s since the impact of line %zu: in this air the ball falls at "
                   "%.4g m/s at most, and a rebound from that takes at most %.4g s: check its mass "
                   "and radius, drag_coefficient and air_density of the apparatus, and whether an "
                   "impact was missed",
                   d->file ? d->file : d->name, d->line[w->row[to]], length, d->line[w->row[last]],
                   sqrt(g / kappa), most);
}

/* Intervals and ratios of what is left. */
static int put_intervals(struct cf_dataset *d, const struct throw *w, struct cf_error *err)
{
    size_t last = SIZE_MAX, before = SIZE_MAX; /* the impact before, and that row if it has one */
    int status = CF_OK;

    for (size_t i = 0; i < w->n && !status; i++) {
        if (w->kind[i] == CF_TRIGGER_SPURIOUS)
            continue;
        if (last == SIZE_MAX || w->missed[i]) {
            last = i;
            before = SIZE_MAX;
            continue;
        }
        status = cf_dataset_put(d, w->row[i], CF_BOUNCE_INTERVAL, w->t[i] - w->t[last], 0, err);
        if (!status)
            status = check_flight(d, w, last, i, before != SIZE_MAX, err);
        if (!status)
            status = cf_dataset_put(d, w->row[i], CF_BOUNCE_SPEED, cf_bounce_speed(d, w->row[i]), 0,
                                    err);
        if (!status && before != SIZE_MAX) {
            double interval = cf_dataset_value(d, w->row[before], CF_BOUNCE_INTERVAL);
            status = cf_dataset_put(d, w->row[before], CF_BOUNCE_RATIO,
                                    (w->t[i] - w->t[last]) / interval, 0, err);
        }
        before = last = i;
    }
    return status;
}

/* ---- all throws */

/* What is usual of two intervals in a row. */
static int learn(const struct cf_dataset *d, struct throw *w, struct cf_trigger_rules *rules,
                 bool *known, struct cf_error *err)
{
    double *x = malloc((2 * d->nrow + 1) * sizeof *x), *y = x ? x + d->nrow : NULL;
    size_t n = 0;

    if (!x)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu intervals", d->nrow);
    for (size_t row = 0; row < d->nrow;) {
        row = take(d, row, w);
        for (size_t i = 2; i < w->n; i++) {
            x[n] = log(w->t[i - 1] - w->t[i - 2]);
            y[n] = log(w->t[i] - w->t[i - 1]) - x[n];
            n++;
        }
    }
    int status = cf_triggers_learn(n, x, y, rules, known, err);
    free(x);
    return status;
}

int cf_bounce_derive(struct cf_dataset *d, const struct cf_remarks *remarks, struct cf_error *err)
{
    struct cf_trigger_rules rules = {.penalty = d->rule[CF_BOUNCE_PENALTY],
                                     .missed = (size_t) d->rule[CF_BOUNCE_MOST_MISSED],
                                     .spurious = (size_t) d->rule[CF_BOUNCE_MOST_SPURIOUS]};
    struct throw w = {0};
    bool known = false, looks = rules.missed || rules.spurious;
    bool told = d->series[CF_BOUNCE_THROW].value || d->ngroup_level > 0;
    size_t more = 0;
    int status = check_order(d, err);

    if (!status)
        status = cf_bounce_number_throws(d, err);
    if (!status)
        status = throw_alloc(&w, d->nrow, err);
    if (!status && looks)
        status = learn(d, &w, &rules, &known, err);
    for (size_t row = 0; row < d->nrow && !status;) {
        row = take(d, row, &w);
        if (known)
            status = cf_triggers_explain(&rules, w.n, w.t, w.kind, w.missed, err);
        if (!status)
            status = name_triggers(d, &w, told, remarks, err);
        if (!status)
            status = put_intervals(d, &w, err);
        if (!status && !told)
            status = begin_throws(d, &w, row, &more, err);
    }
    if (!status)
        status = cf_bounce_release(d, known ? &rules : NULL, remarks, err);
    if (!status && !d->series[CF_BOUNCE_RATIO].value)
        status = cf_fail(err, CF_EINPUT,
                         "data set %s: no throw has three stamps in a row: restitution is the "
                         "ratio of two flights, and takes three",
                         d->name);
    if (!status)
        status = cf_bounce_stamps_end(d, remarks, err);
    throw_free(&w);
    return status;
}

/* ---- records */

/* The next stamp whose interval begins at this row. */
static size_t next_of(const struct cf_dataset *d, size_t row)
{
    for (size_t i = row + 1; i < d->nrow; i++)
        if (cf_dataset_has(d, i, CF_BOUNCE_INTERVAL))
            return i;
    return row;
}

/* The stamp at which its own interval began. */
static size_t last_of(const struct cf_dataset *d, size_t row)
{
    double begin = time_of(d, row) - cf_dataset_value(d, row, CF_BOUNCE_INTERVAL);
    size_t last = row;

    for (size_t i = row; i-- > 0 && cf_bounce_throw(d, i) == cf_bounce_throw(d, row);) {
        double off = fabs(time_of(d, i) - begin);
        if (off < fabs(time_of(d, last) - begin))
            last = i;
        else if (time_of(d, i) < begin)
            break;
    }
    return last;
}

bool cf_bounce_stamped(const struct cf_dataset *d, size_t row, double ratio, struct cf_stamped *out)
{
    double interval = cf_dataset_value(d, row, CF_BOUNCE_INTERVAL);

    if (!isfinite(interval) || !cf_dataset_has(d, row, CF_BOUNCE_TIME))
        return false;
    if (cf_dataset_has(d, row, CF_BOUNCE_RELEASE)) { /* of a fall: its interval is no reading */
        *out = (struct cf_stamped){
            .n = 2, .row = {row, next_of(d, row)}, .by_value = {-1 / interval, 1 / interval}};
        return true;
    }
    *out = (struct cf_stamped){
        .n = 3,
        .row = {last_of(d, row), row, next_of(d, row)},
        .by_value = {ratio / interval, -(1 + ratio) / interval, 1 / interval},
        .by_imposed = {-1, 1, 0},
    };
    return true;
}
