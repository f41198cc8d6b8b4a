/* Is a record one of stick and slip? It is cut from trough to trough. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/stick_slip_channels.h"

/* Two sticks differ where their slopes do by so many sds. */
static const double SURE = 4;

static int check_times(const struct cf_dataset *d, size_t *row, struct cf_error *err)
{
    double before = (double) -INFINITY;

    for (size_t i = 0; i < d->nrow; i++) {
        double t = cf_dataset_value(d, i, CF_STICK_TIME);
        if (d->use[i] == CF_ROW_EXCLUDED)
            continue;
        *row = i;
        if (!(t > before))
            return cf_fail(err, CF_EINPUT,
                           "time %.9g s behind %.9g s: times must increase from row to row; of "
                           "several plate speeds, each is a data set of its own (where)",
                           t, before);
        before = t;
    }
    return CF_OK;
}

/* The rig that nothing can be said without. */
static int check_rig(const struct cf_dataset *d, const char **number, struct cf_error *err)
{
    static const struct {
        enum cf_stick_apparatus number;
        const char *name, *example;
    } needed[] = {{CF_STICK_MASS, "mass", "1 kg"},
                  {CF_STICK_STIFFNESS, "stiffness", "50 N/m"},
                  {CF_STICK_SPEED, "plate_speed", "20 mm/s"}};

    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!(d->apparatus[needed[i].number] > 0)) {
            *number = needed[i].name;
            return cf_fail(err, CF_EINPUT,
                           "no %s: stick-slip is nothing without it (apparatus: {%s: %s})",
                           needed[i].name, needed[i].name, needed[i].example);
        }
    return CF_OK;
}

/* One speed of the plate: sticks rise by k V all along. */
static int check_drift(const struct cf_dataset *d, const struct cf_stick_cycles *c, size_t *row,
                       struct cf_error *err)
{
    const struct cf_stick_cycle *first = &c->cycle[0], *last = first;
    double k = d->apparatus[CF_STICK_STIFFNESS], ripple = 0, change, sd;

    for (size_t i = 1; i < c->n; i++)
        if (!isnan(c->cycle[i].peak_s) && !isnan(c->cycle[i].rise_N_s))
            last = &c->cycle[i];
    ripple = hypot(d->apparatus[CF_STICK_RIPPLE_COSINE], d->apparatus[CF_STICK_RIPPLE_SINE]);
    change = last->rise_N_s / first->rise_N_s - 1;
    sd = hypot(last->rise_sd / last->rise_N_s, first->rise_sd / first->rise_N_s);
    if (!(fabs(change) > d->apparatus[CF_STICK_DRIFT] + 2 * ripple + SURE * sd))
        return CF_OK;
    *row = last->first;
    return cf_fail(
        err, CF_EINPUT,
        "the plate's speed drifts: the force rises by %.4g N/s in the first stick and by "
        "%.4g N/s in the last, of speeds %.4g and %.4g mm/s: cut the record where it "
        "changes (exclude), or let it pass (apparatus: {drift: %.2g})",
        first->rise_N_s, last->rise_N_s, 1e3 * first->rise_N_s / k, 1e3 * last->rise_N_s / k,
        ceil(100 * fabs(change)) / 100);
}

static size_t last_used(const struct cf_dataset *d)
{
    size_t last = 0;

    for (size_t row = 0; row < d->nrow; row++)
        last = d->use[row] == CF_ROW_EXCLUDED ? last : row;
    return last;
}

static size_t count_whole(const struct cf_stick_cycles *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++)
        n += c->cycle[i].whole;
    return n;
}

/* Not one whole cycle: where does the only slip begin or end, and where the record? */
static int fail_by_one_slip(const struct cf_dataset *d, const struct cf_stick_cycles *c,
                            size_t *row, struct cf_error *err)
{
    size_t last = last_used(d);
    double end = cf_dataset_value(d, last, CF_STICK_TIME);

    if (c->n) {
        *row = c->cycle[0].first;
        return cf_fail(err, CF_EINPUT,
                       "one slip only, with its trough at %.4g s: a cycle goes from one trough to "
                       "the next, and the record's end at %.4g s in line %zu cuts the stick behind "
                       "it: record longer, or move the plate faster",
                       c->cycle[0].trough_s, end, d->line[last]);
    }
    *row = c->peak;
    return cf_fail(err, CF_EINPUT,
                   "one slip only, from %.4g s on: a cycle goes from one trough to the next, and "
                   "the record ends at %.4g s in line %zu, before its trough or just behind it: "
                   "record longer, or move the plate faster",
                   cf_dataset_value(d, *row, CF_STICK_TIME), end, d->line[last]);
}

static int check_cycles(const struct cf_dataset *d, const struct cf_stick_cycles *c, size_t *row,
                        struct cf_error *err)
{
    *row = c->highest;
    if (c->npeak + c->n == 0)
        return cf_fail(
            err, CF_EINPUT,
            "no slip in the trace: the force goes from %.4g to %.4g N, is greatest here, "
            "at %.4g s, and never falls and rises again by %g of that and clearly above "
            "its noise (apparatus: {hysteresis: }): where a plate so fast or a spring so "
            "stiff lets nothing stick, slide fits the level",
            c->low_N, c->high_N, cf_dataset_value(d, *row, CF_STICK_TIME),
            d->apparatus[CF_STICK_HYSTERESIS]);
    if (count_whole(c) == 0)
        return fail_by_one_slip(d, c, row, err);
    for (size_t i = 0; i < c->n; i++) {
        *row = c->cycle[i].first;
        if ((double) c->cycle[i].count < d->apparatus[CF_STICK_ROWS] && c->cycle[i].whole)
            return cf_fail(
                err, CF_EINPUT,
                "a cycle of %zu rows, from %.6g s on: at least %g are needed for its shape "
                "(apparatus: {rows: }): sample faster",
                c->cycle[i].count, c->cycle[i].trough_s, d->apparatus[CF_STICK_ROWS]);
    }
    return check_drift(d, c, row, err);
}

/* Rows belong to the trough before them; those before the first have none. */
static int put_cycles(struct cf_dataset *d, const struct cf_stick_cycles *c, struct cf_error *err)
{
    int status = CF_OK;

    free(d->segment);
    d->segment = malloc((c->n + 1) * sizeof *d->segment);
    d->nsegment = 0;
    if (!d->segment)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu cycles", c->n);
    for (size_t i = 0; i < c->n && !status; i++) {
        const struct cf_stick_cycle *cycle = &c->cycle[i];
        d->segment[d->nsegment++] = (struct cf_segment){cycle->first, cycle->count};
        for (size_t row = cycle->first; row < cycle->first + cycle->count && !status; row++) {
            double since = cf_dataset_value(d, row, CF_STICK_TIME) - cycle->trough_s;
            status = cf_dataset_put(d, row, CF_STICK_SINCE, since, 0, err);
            if (!status)
                status = cf_dataset_put(d, row, CF_STICK_TROUGH_AT, cycle->trough_s, 0, err);
            if (!status)
                status = cf_dataset_put(d, row, CF_STICK_TROUGH, cycle->trough_N, 0, err);
        }
    }
    return status;
}

static int drop_beginning(struct cf_dataset *d, size_t n, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t row = 0; row < n && !status; row++)
        if (d->use[row] != CF_ROW_EXCLUDED)
            status = cf_dataset_exclude(d, row, "before the first trough", err);
    return status;
}

static void note_cycles(const struct cf_dataset *d, const struct cf_stick_cycles *c, char note[],
                        size_t size)
{
    size_t whole = 0;
    double load = cf_stick_load(d), peak = 0, trough = 0, stick = 0;
    char ends[80] = "";

    for (size_t i = 0; i < c->n; i++) {
        if (!c->cycle[i].whole) {
            snprintf(ends, sizeof ends, " and one, from line %zu on, that the record's end cuts",
                     d->line[c->cycle[i].first]);
            continue;
        }
        whole++;
        peak += c->cycle[i].peak_N;
        trough += c->cycle[i].trough_N;
        stick += c->cycle[i].peak_s - c->cycle[i].trough_s;
    }
    if (!whole || !size)
        return;
    snprintf(
        note, size,
        "hand formulas: %zu cycle%s%s, each holds %.3g s; slips from %.4g to %.4g N: mu_s %.3g and "
        "mu_c %.3g at a load of %g N",
        whole, whole == 1 ? "" : "s", ends, stick / (double) whole, peak / (double) whole,
        trough / (double) whole, peak / (double) whole / load,
        (peak + trough) / 2 / (double) whole / load, load);
}

int cf_stick_complete(struct cf_dataset *d, struct cf_record_about *about, char note[], size_t size,
                      struct cf_error *err)
{
    size_t *row = &about->row;
    struct cf_stick_cycles c = {0};
    int status;

    if (size)
        note[0] = '\0';
    status = check_rig(d, &about->number, err);
    if (!status)
        status = check_times(d, row, err);
    if (!status)
        status = cf_stick_cut(d, &c, err);
    if (!status)
        status = check_cycles(d, &c, row, err);
    if (!status)
        status = drop_beginning(d, c.cycle[0].first, err);
    if (!status)
        status = put_cycles(d, &c, err);
    if (!status)
        note_cycles(d, &c, note, size);
    free(c.cycle);
    return status;
}
