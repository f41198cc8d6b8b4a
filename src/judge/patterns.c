#include "judge/patterns.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/serial.h"
#include "estimate/serial_regression.h"
#include "estimate/variance_work.h"
#include "judge/pattern_columns.h"

/* Of more rows than this, means of some are taken, so that the time it takes stays what it is; and
 * fewer than this show nothing. */
enum { MOST_ROWS = 2000, LEAST_ROWS = 50 };

static const char *const pattern_name[CF_NPATTERN] = {
    [CF_PATTERN_OFFSET] = "offset", [CF_PATTERN_DRIFT] = "drift",
    [CF_PATTERN_PLACE] = "place",   [CF_PATTERN_DIRECTION] = "direction",
    [CF_PATTERN_SIGN] = "sign",     [CF_PATTERN_CYCLE] = "cycle",
};

/* A channel whose errors follow each other. */
struct record {
    const struct cf_fitted *of;
    const struct cf_serial *serial;
    struct cf_pattern_rows rows;
    size_t n;                     /* blocks of rows, whose means are taken */
    size_t *first;                /* n + 1: rows */
    uint32_t *place;              /* n: blocks of its run before each */
    size_t fitted;                /* columns of the fit */
    double *column;               /* n each: those of the fit, all patterns, the residual */
    size_t from[CF_NPATTERN + 1]; /* column of each pattern */
};

static void record_clear(struct record *r)
{
    cf_pattern_rows_clear(&r->rows);
    free(r->first);
    free(r->place);
    free(r->column);
}

/* Blocks of `rows` rows of one run, the last of which may have half of them. */
static void find_blocks(struct record *r, size_t rows)
{
    const struct cf_serial *s = r->serial;

    r->n = 0;
    for (size_t k = 0, last; k < s->n; k = last) {
        for (last = k + 1; last < s->n && last - k < rows && s->place[last] > 0; last++)
            continue;
        r->place[r->n] = s->place[k] == 0 || r->n == 0 ? 0 : r->place[r->n - 1] + 1;
        r->first[r->n++] = k;
    }
    r->first[r->n] = s->n;
}

/* The mean of x[] over a block. */
static double mean_of(const struct record *r, size_t block, const double x[])
{
    double sum = 0;

    for (size_t k = r->first[block]; k < r->first[block + 1]; k++)
        sum += x[r->serial->member[k]] / r->of->problem->observation[r->serial->member[k]].sigma;
    return sum / (double) (r->first[block + 1] - r->first[block]);
}

static void put_columns(struct record *r, const struct cf_variance_work *w)
{
    double x[CF_MOST_PATTERN];

    for (size_t j = 0; j <= r->fitted; j++) {
        size_t to = j < r->fitted ? j : r->from[CF_NPATTERN];
        for (size_t b = 0; b < r->n; b++)
            r->column[to * r->n + b] = mean_of(r, b, &w->A[j * w->n]);
    }
    for (enum cf_pattern p = 0; p < CF_NPATTERN; p++)
        for (size_t b = 0; b < r->n && r->from[p + 1] > r->from[p]; b++) {
            double rows = (double) (r->first[b + 1] - r->first[b]);
            for (size_t k = r->first[b]; k < r->first[b + 1]; k++) {
                cf_pattern_values(&r->rows, p, k, x);
                for (size_t j = r->from[p]; j < r->from[p + 1]; j++)
                    r->column[j * r->n + b] += x[j - r->from[p]] / rows;
            }
        }
}

static int record_make(const struct cf_fitted *of, const struct cf_serial *serial,
                       const struct cf_variance_work *w, struct record *r, struct cf_error *err)
{
    size_t n = serial->n;
    int status;

    *r = (struct record){.of = of,
                         .serial = serial,
                         .fitted = w->columns - 1,
                         .first = calloc(n + 2, sizeof *r->first),
                         .place = calloc(n + 1, sizeof *r->place)};
    if (!r->first || !r->place)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    status = cf_pattern_rows_make(of, serial->member, n, &r->rows, err);
    if (status)
        return status;
    find_blocks(r, (n + MOST_ROWS - 1) / MOST_ROWS);
    r->from[0] = r->fitted;
    for (enum cf_pattern p = 0; p < CF_NPATTERN; p++)
        r->from[p + 1] = r->from[p] + cf_pattern_columns(&r->rows, p);
    r->column = calloc((r->from[CF_NPATTERN] + 1) * r->n + 1, sizeof *r->column);
    if (!r->column)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    put_columns(r, w);
    return CF_OK;
}

/* ---- words */

/* The root mean squares of what a mean cycle without any law leaves of the readings, a bin of the
 * cycle for each of its rows, as if the mean were of other cycles; and of what the law leaves
 * there. */
static bool compare_with_cycle(const struct record *r, double *mean_cycle, double *law)
{
    const struct cf_pattern_rows *rows = &r->rows;
    size_t nbin = (size_t) ((double) rows->n / fmax(rows->cycles, 1)), n = 0;
    double *mean = calloc(2 * nbin + 1, sizeof *mean), *count = mean + nbin;

    *mean_cycle = *law = 0;
    for (int pass = 0; pass < 2 && mean; pass++)
        for (size_t i = 0; i < rows->n; i++) {
            const size_t at = r->serial->member[i];
            double value = r->of->problem->observation[at].value;
            size_t bin = isnan(rows->phase[i]) ? 0 : (size_t) (rows->phase[i] * (double) nbin);
            if (isnan(rows->phase[i]) || (pass && count[bin] < 2))
                continue;
            if (!pass) {
                mean[bin] += (value - mean[bin]) / ++count[bin];
                continue;
            }
            *mean_cycle += gsl_pow_2(value - mean[bin]) * count[bin] / (count[bin] - 1);
            *law += gsl_pow_2(value - r->of->y[at]);
            n++;
        }
    free(mean);
    *mean_cycle = sqrt(*mean_cycle / (double) n);
    *law = sqrt(*law / (double) n);
    return n > 0;
}

/* Of both follows which part repeats; where there are too few rows for that, `share` does. */
static void say_cycle(const struct record *r, double share, struct cf_test *t)
{
    const struct cf_problem *q = r->of->problem;
    const struct cf_channel *c = &q->channel[r->serial->channel];
    const char *unit = q->spec->data[c->data].protocol->channel[c->column].unit;
    double mean_cycle, law, cycles = round(r->rows.cycles * 10) / 10;

    if (compare_with_cycle(r, &mean_cycle, &law))
        snprintf(t->text, sizeof t->text,
                 "%.0f %% of the residuals' variance repeats in each of %g cycles: a mean cycle "
                 "without any "
                 "law leaves %.3g %s, and the law %.3g %s",
                 100 * fmax(1 - gsl_pow_2(mean_cycle / law), 0), cycles, mean_cycle, unit, law,
                 unit);
    else
        snprintf(t->text, sizeof t->text,
                 "%.0f %% of the residuals' variance repeats in each of %g cycles", 100 * share,
                 cycles);
}

static void say(const struct record *r, enum cf_pattern pattern, double share, struct cf_test *t)
{
    const struct cf_problem *q = r->of->problem;
    const struct cf_channel *c = &q->channel[r->serial->channel];
    const struct cf_protocol *protocol = q->spec->data[c->data].protocol;
    const char *driver =
        r->rows.driver != CF_NO_CHANNEL ? protocol->channel[r->rows.driver].name : "";
    const char *measured = protocol->channel[c->column].name;
    double percent = 100 * share;
    char *text = t->text;
    size_t size = sizeof t->text;

    switch (pattern) {
    case CF_PATTERN_OFFSET:
        snprintf(text, size,
                 "the residuals have a mean that is not 0: %.0f %% of their mean square", percent);
        break;
    case CF_PATTERN_DRIFT:
        snprintf(text, size,
                 "the residuals drift with time, which explains %.0f %% of their variance",
                 percent);
        break;
    case CF_PATTERN_PLACE:
        snprintf(text, size, "the residuals depend on %s, which explains %.0f %% of their variance",
                 driver, percent);
        break;
    case CF_PATTERN_DIRECTION:
        snprintf(text, size,
                 "the residuals depend on whether %s rises or falls, which explains %.0f %% of "
                 "their variance",
                 driver, percent);
        break;
    case CF_PATTERN_SIGN:
        snprintf(text, size,
                 "the residuals depend on the sign of %s, which explains %.0f %% of their variance",
                 measured, percent);
        break;
    case CF_PATTERN_CYCLE:
        say_cycle(r, share, t);
        break;
    case CF_NPATTERN:
        break;
    }
}

/* ---- tests */

static int test_pattern(const struct record *r, const struct cf_serial_regression *regression,
                        enum cf_pattern pattern, struct cf_tests *tests, struct cf_error *err)
{
    /* a constant is part of most of them, and has a test of its own */
    size_t offset = pattern != CF_PATTERN_OFFSET, n = r->n, m = r->fitted + offset;
    size_t own = r->from[pattern + 1] - r->from[pattern];
    double *column = malloc(((m + own + 1) * n + 1) * sizeof *column);
    struct cf_serial_addition added;
    struct cf_test *t;
    int status;

    if (!column)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    memcpy(column, r->column, m * n * sizeof *column);
    memcpy(&column[m * n], &r->column[r->from[pattern] * n], own * n * sizeof *column);
    memcpy(&column[(m + own) * n], &r->column[r->from[CF_NPATTERN] * n], n * sizeof *column);
    status = cf_serial_add(regression, m + own + 1, m, column, &added, err);
    free(column);
    if (status)
        return status;
    t = cf_tests_add(tests, pattern_name[pattern], CF_ACCUSES_LAW, r->serial->channel, r->serial->n,
                     added.share, added.p);
    if (t)
        say(r, pattern, added.share, t);
    return CF_OK;
}

static int test_record(const struct cf_fitted *of, const struct cf_serial *serial,
                       const struct cf_variance_work *w, struct cf_tests *tests,
                       struct cf_error *err)
{
    struct record r;
    struct cf_serial_regression regression = {0};
    int status = record_make(of, serial, w, &r, err);

    if (!status)
        status = cf_serial_regress(r.n, r.place, r.from[CF_NPATTERN] + 1, r.column,
                                   cf_serial_most_order(r.n), &regression, err);
    for (enum cf_pattern p = 0; p < CF_NPATTERN && !status; p++)
        if (r.from[p + 1] > r.from[p])
            status = test_pattern(&r, &regression, p, tests, err);
    cf_serial_regression_clear(&regression);
    record_clear(&r);
    return status;
}

/* Did the test of neighbouring residuals find this channel's to resemble each other? */
static bool resemble(const struct cf_problem *q, size_t channel, const struct cf_tests *tests)
{
    for (size_t i = 0; i < tests->n; i++)
        if (tests->item[i].channel == channel && !tests->item[i].channels &&
            tests->item[i].accuses == CF_ACCUSES_INDEPENDENCE)
            return tests->item[i].p <= q->spec->options.p_reject;
    return false;
}

/* A copy of the problem whose series are, beside those that the study calls dense, those of records
 * that were taken for white and are not: the errors are chosen a model for the test alone. */
static int find_series(const struct cf_problem *q, const struct cf_tests *tests,
                       struct cf_problem *copy, struct cf_error *err)
{
    int status = CF_OK;

    *copy = *q;
    copy->nserial = 0;
    copy->serial = calloc(q->nchannel + 1, sizeof *copy->serial);
    if (!copy->serial)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu series", q->nchannel);
    for (size_t c = 0; c < q->nchannel && !status; c++) {
        const struct cf_dataset *d = &q->spec->data[q->channel[c].data];
        bool record = d->protocol->record && d->protocol->clock != CF_NO_CHANNEL &&
                      d->series[d->protocol->clock].value;
        if (cf_serial_of(q, c) || (record && resemble(q, c, tests)))
            status = cf_serial_append(copy, c, NULL, err);
    }
    return status;
}

int cf_test_patterns(const struct cf_fitted *of, struct cf_tests *tests, bool followed[],
                     struct cf_error *err)
{
    struct cf_problem copy;
    const struct cf_problem *q = of->problem;
    struct cf_fold fold = {0};
    struct cf_rank rank = {0};
    struct cf_variance_work w = {0};
    int status = find_series(q, tests, &copy, err);

    if (!status && copy.nserial) {
        status = cf_fold_alloc(&fold, q, err);
        if (!status)
            status = cf_problem_fold(q, of->theta, &fold, err);
        if (!status)
            status = cf_rank_within_bounds(q, of->theta, &fold, &rank, err);
        if (!status)
            status = cf_variance_work_at(q, of->theta, &rank, &w, err);
    }
    for (size_t s = 0; s < copy.nserial && !status; s++)
        if (copy.serial[s].n >= LEAST_ROWS) {
            status = test_record(of, &copy.serial[s], &w, tests, err);
            followed[copy.serial[s].channel] = true;
        }
    cf_variance_work_free(&w);
    cf_rank_clear(&rank);
    cf_fold_clear(&fold);
    cf_serial_free(&copy);
    return status;
}
