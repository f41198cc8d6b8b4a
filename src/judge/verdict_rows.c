#include "judge/verdict_rows.h"

#include "estimate/evaluate.h"
#include "estimate/records.h"
#include "judge/odd_rows.h"
#include "judge/outliers.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Outliers named one by one; a list of more is no help. */
enum { MAX_NAMED = 3 };

static bool is_outlier(const struct cf_fit *fit, size_t observation)
{
    for (size_t i = 0; i < fit->outliers.noutlier; i++)
        if (fit->outliers.item[i].observation == observation)
            return true;
    return false;
}

/* Is there nothing beyond this outlier, on one side, but outliers of its column? */
static bool at_end(const struct cf_fit *fit, size_t observation)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_observation *at = &q->observation[observation];
    bool below = false, above = false;

    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        if (o->channel != at->channel || is_outlier(fit, i))
            continue;
        below = below || o->abscissa <= at->abscissa;
        above = above || o->abscissa >= at->abscissa;
    }
    return !below || !above;
}

/* What begins at the end of the range is no slip. */
static bool say_onset(struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_axis *axis =
        &q->spec->data[q->observation[fit->outliers.item[0].observation].data].protocol->axis;

    for (size_t i = 0; i < fit->outliers.noutlier; i++)
        if (!at_end(fit, fit->outliers.item[i].observation))
            return false;
    cf_say(&fit->advice,
           "%s at the end of the range of %s: another behaviour may begin there, as yield or "
           "adhesion, so do not leave %s out as a slip: measure again there and beyond, or fit the "
           "range that the law describes (where)",
           fit->outliers.noutlier == 1 ? "that row stands" : "those rows stand", axis->plural,
           fit->outliers.noutlier == 1 ? "it" : "them");
    return true;
}

static void find_outlier(struct cf_fit *fit, const struct cf_outlier *x, enum cf_verdict_rule rule)
{
    const struct cf_observation *o = &fit->optimum.problem.observation[x->observation];
    const struct cf_dataset *d = &fit->optimum.problem.spec->data[o->data];
    struct cf_finding *f = cf_add_finding(&fit->findings, rule, "%s", x->text);

    f->data = d->name;
    f->quantity = d->protocol->channel[o->column].name;
    f->p = x->p_adjusted;
    f->level = cf_outlier_level;
    f->size = fabs(x->studentized);
    f->unit = "sigma";
    f->at = o->abscissa;
}

void cf_judge_outliers(struct cf_fit *fit)
{
    bool squares = fit->optimum.problem.loss.kind == CF_LOSS_SQUARES;
    enum cf_verdict_rule rule = squares ? CF_RULE_OUTLIER : CF_RULE_LIGHT_OUTLIER;
    size_t n = fit->outliers.noutlier;

    for (size_t i = 0; i < n && i < MAX_NAMED; i++)
        find_outlier(fit, &fit->outliers.item[i], rule);
    if (n > MAX_NAMED)
        cf_add_finding(&fit->findings, rule, "and %zu more rows are outliers like these",
                       n - MAX_NAMED);
    if (fit->outliers.unexamined)
        cf_add_finding(
            &fit->findings, CF_RULE_UNEXAMINED,
            "%zu more rows lie as far off; the residuals are systematic, and only the "
            "%zu that lie furthest were fitted without, to see whether they alone are at "
            "fault",
            fit->outliers.unexamined, fit->outliers.examined);
    if (n == 0 || !squares || cf_found(&fit->findings, CF_RULE_ODD_ROW) || say_onset(fit))
        return;
    cf_say(&fit->advice,
           "check %s again, and exclude what is a mistake: exclude: [{row: ..., because: ...}]%s",
           n == 1 ? "that row" : "those rows",
           cf_shares_errors(&fit->optimum.problem)
               ? "" /* such a loss takes every row as independent */
               : ", or let it count for less, options: {loss: huber}");
}

/* ---- rows that are odd by themselves */

/* The curve stays this share of the way from a reading's neighbours to it behind, or more: it does
 * not follow it. */
static const double follows_share = 0.5;

static bool is_rejected(const struct cf_fit *fit)
{
    for (size_t i = 0; i < fit->tests.n; i++)
        if (fit->tests.item[i].rejects && fit->tests.item[i].accuses != CF_ACCUSES_SIGMAS)
            return true;
    return false;
}

/* Does the fit go another way than the row? One that is not fitted changes nothing. */
static bool contradicts(const struct cf_fit *fit, const struct cf_odd_row *odd)
{
    const struct cf_problem *q = &fit->optimum.problem;
    bool place = odd->channel == CF_NO_CHANNEL, any = false;

    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        double off = fabs(odd->value - fit->predicted[i].value);
        if (o->data != odd->data || o->row != odd->row || (!place && o->column != odd->channel))
            continue;
        any = true;
        if (is_outlier(fit, i) || (!place && off > follows_share * fabs(odd->value - odd->nearest)))
            return true;
    }
    return any && place && is_rejected(fit);
}

static void find_odd(struct cf_fit *fit, const struct cf_odd_row *odd)
{
    const struct cf_dataset *d = &fit->optimum.problem.spec->data[odd->data];
    bool place = odd->channel == CF_NO_CHANNEL;
    struct cf_finding *f = cf_add_finding(&fit->findings, CF_RULE_ODD_ROW, "%s", odd->text);

    f->data = d->name;
    f->quantity = place ? NULL : d->protocol->channel[odd->channel].name;
    f->size = odd->value;
    f->unit = place ? d->protocol->axis.unit : d->protocol->channel[odd->channel].unit;
    f->at = d->protocol->abscissa(d, odd->row);
}

int cf_judge_odd_rows(struct cf_fit *fit, struct cf_error *err)
{
    struct cf_odd_rows rows = {0};
    size_t n = 0;
    int status = CF_OK;

    if (fit->optimum.problem.loss.kind == CF_LOSS_SQUARES) /* else such a row hardly counts */
        status = cf_odd_rows(fit->optimum.problem.spec, &rows, err);
    for (size_t i = 0; i < rows.n && !status && n < MAX_NAMED; i++)
        if (contradicts(fit, &rows.item[i])) {
            find_odd(fit, &rows.item[i]);
            n++;
        }
    if (n)
        cf_say(&fit->advice,
               "check %s first: correct a slip of typing, or exclude what is a mistake: exclude: "
               "[{row: ..., because: ...}]",
               n == 1 ? "that line" : "those lines");
    cf_odd_rows_clear(&rows);
    return status;
}

/* So many equal readings at the end of all, at places of their own, and such a share of them, are
 * no chance, where not half as many are equal next to them, and where digits are finer than the
 * scatter. */
enum { LEAST_CLIPPED = 4 };
static const double least_clipped = 1.0 / 12, fine_digits = 3;

/* The observations of a column of a data set, among those of its rows. */
struct readings {
    const struct cf_observation *first, *end; /* of the data set */
    size_t column, n;
};

/* How many readings have this size, and how often their place changes. */
static size_t count_equal(const struct readings *of, double size, size_t *places)
{
    const struct cf_observation *before = NULL;
    size_t n = 0;

    *places = 0;
    for (const struct cf_observation *o = of->first; o < of->end; o++) {
        if (o->column != of->column || fabs(o->value) != size)
            continue;
        *places += !before || o->abscissa != before->abscissa;
        before = o;
        n++;
    }
    return n;
}

/* The largest size of all readings, or of those below a size; counts them. */
static double largest_below(struct readings *of, double below)
{
    double most = 0;

    of->n = 0;
    for (const struct cf_observation *o = of->first; o < of->end; o++) {
        of->n += o->column == of->column;
        if (o->column == of->column && fabs(o->value) < below)
            most = fmax(most, fabs(o->value));
    }
    return most;
}

static void judge_clipped(struct cf_fit *fit, const struct cf_dataset *d, struct readings *of,
                          const struct cf_channel *c)
{
    const struct cf_channel_row *row = &d->protocol->channel[of->column];
    double most = largest_below(of, (double) INFINITY);
    size_t places, other, n = count_equal(of, most, &places);
    size_t next = count_equal(of, largest_below(of, most), &other);

    if (places < LEAST_CLIPPED || (double) n < least_clipped * (double) of->n || n == of->n ||
        n <= 2 * next || !(c->sigma > fine_digits * c->floor))
        return;
    struct cf_finding *f = cf_add_finding(
        &fit->findings, CF_RULE_CLIPPED,
        "%s of %s: %zu of %zu readings have one size, the largest, %.4g%s%s: were they cut off "
        "where the range of the sensor ends?",
        row->name, d->name, n, of->n, most, strcmp(row->unit, "1") ? " " : "",
        strcmp(row->unit, "1") ? row->unit : "");
    f->data = d->name;
    f->quantity = row->name;
    f->size = most;
    f->unit = row->unit;
    cf_say(&fit->advice, "exclude readings that were cut off: exclude: [{row: ..., because: "
                         "...}], or measure with a wider range");
}

void cf_judge_clipped(struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_observation *o = q->observation, *end = o + q->nobservation;

    for (size_t d = 0; d < q->spec->ndata; d++) {
        struct readings of = {.first = o};
        while (o < end && o->data == d)
            o++;
        of.end = o;
        for (size_t c = 0; c < q->set[d].nchannel; c++) {
            of.column = q->set[d].channel[c];
            judge_clipped(fit, &q->spec->data[d], &of, &q->channel[q->set[d].fitted[c]]);
        }
    }
}

/* So many twins at least, at this level, are no chance. */
enum { LEAST_TWINS = 3 };
static const double twin_level = 1e-6;

static int compare_reading(const void *a, const void *b)
{
    const struct cf_observation *x = *(const struct cf_observation *const *) a;
    const struct cf_observation *y = *(const struct cf_observation *const *) b;

    if (x->abscissa != y->abscissa)
        return x->abscissa < y->abscissa ? -1 : 1;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x > y) - (x < y);
}

/* Were two readings entered in one line? Where windows of a run overlap, both have it. */
static bool is_one_line(const struct cf_spec *spec, const struct cf_observation *a,
                        const struct cf_observation *b)
{
    const struct cf_dataset *d = &spec->data[a->data];

    return a->data == b->data &&
           cf_dataset_line(d, a->row, a->column) == cf_dataset_line(d, b->row, b->column);
}

/* Twins among o[n], sorted: of how many pairs of one place they are, and the last of them. */
static size_t count_twins(const struct cf_spec *spec, const struct cf_observation *const o[],
                          size_t n, double *pairs, size_t *last)
{
    size_t twins = 0, same = 0;

    *pairs = 0;
    for (size_t i = 1; i < n; i++) {
        same = o[i]->abscissa == o[i - 1]->abscissa ? same + 1 : 0;
        *pairs += (double) same;
        if (!same || o[i]->value != o[i - 1]->value || is_one_line(spec, o[i - 1], o[i]))
            continue;
        twins++;
        *last = i;
    }
    return twins;
}

/* How far the readings lie from the curve: of twins alone, the scatter of repeats is nothing. */
static double rms_of(const struct cf_fit *fit, const struct cf_observation *const o[], size_t n)
{
    double squares = 0;

    for (size_t i = 0; i < n; i++) {
        size_t at = (size_t) (o[i] - fit->optimum.problem.observation);
        squares += gsl_pow_2(o[i]->value - fit->predicted[at].value);
    }
    return n ? sqrt(squares / (double) n) : 0;
}

static int compare_value(const void *a, const void *b)
{
    double x = (*(const struct cf_observation *const *) a)->value;
    double y = (*(const struct cf_observation *const *) b)->value;
    return (x > y) - (x < y);
}

/* The step of the scale: the least difference of two readings, where all lie such steps apart, be
 * it no power of ten; else that of their digits. */
static double step_of(const struct cf_observation *o[], size_t n, double digits)
{
    const double rounding = 1e-3;
    double step = (double) INFINITY;

    qsort(o, n, sizeof *o, compare_value);
    for (size_t i = 1; i < n; i++)
        if (o[i]->value - o[i - 1]->value > digits / 2)
            step = fmin(step, o[i]->value - o[i - 1]->value);
    for (size_t i = 1; i < n; i++) {
        double steps = (o[i]->value - o[i - 1]->value) / step;
        if (!(fabs(steps - round(steps)) < rounding))
            return digits;
    }
    return step;
}

/* Two readings of one place are equal by chance with the probability of one step of their scale
 * under the density of their difference at 0. */
static void judge_twins(struct cf_fit *fit, size_t channel, const struct cf_observation *o[],
                        size_t n)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_channel *c = &q->channel[channel];
    double spread = rms_of(fit, o, n), p;
    double step = step_of(o, n, c->floor * sqrt(12));
    double chance = fmin(1, step / (2 * sqrt(M_PI) * spread));

    qsort(o, n, sizeof *o, compare_reading);
    double pairs;
    size_t last = 0, twins = count_twins(q->spec, o, n, &pairs, &last);

    if (twins < LEAST_TWINS || !(spread > fine_digits * c->floor))
        return;
    p = gsl_cdf_poisson_Q((unsigned) twins - 1, chance * pairs);
    if (!(p < twin_level))
        return;
    const struct cf_dataset *a = &q->spec->data[o[last - 1]->data];
    const struct cf_dataset *b = &q->spec->data[o[last]->data];
    const char *name = a->protocol->channel[c->column].name;
    struct cf_finding *f =
        cf_add_finding(&fit->findings, CF_RULE_TWICE,
                       "%s: %zu of %zu readings have a twin at the same place to all digits, as "
                       "line %zu of %s and "
                       "line %zu of %s: were rows entered twice? Then intervals are too narrow",
                       name, twins, n, cf_dataset_line(a, o[last - 1]->row, c->column), a->name,
                       cf_dataset_line(b, o[last]->row, c->column), b->name);
    f->quantity = name;
    f->p = p;
    f->level = twin_level;
    f->size = (double) twins;
    f->unit = "readings";
    cf_say(&fit->advice, "leave out rows that were entered twice: exclude: [{row: ..., because: "
                         "...}]");
}

int cf_judge_twins(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_observation **o = calloc(q->nobservation + 1, sizeof *o);

    if (!o)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu readings", q->nobservation);
    for (size_t c = 0; c < q->nchannel; c++) {
        size_t n = 0;
        for (size_t i = 0; i < q->nobservation; i++)
            if (q->observation[i].channel == c)
                o[n++] = &q->observation[i];
        if (n && !q->spec->data[q->channel[c].data].protocol->recording)
            judge_twins(fit, c, o, n);
    }
    free(o);
    return CF_OK;
}

/* ---- the weight during a contact */

/* What is fitted moves by no more standard errors than this root of squares of what readings are
 * off by, in their sigmas: half the width of an interval, and it misses. */
static const double most_off = 2;

/* The readings of one column of a data set. */
struct weighed {
    double squares;                /* of their changes in sigmas */
    double share, at, sigma_share; /* of the one that changes most; its place, and its sigma */
};

static void weigh_reading(const struct cf_observation *o, double predicted, double share,
                          struct weighed *c)
{
    c->squares += gsl_pow_2(share * predicted / o->sigma);
    if (fabs(share) <= fabs(c->share))
        return;
    c->share = share;
    c->at = o->abscissa;
    c->sigma_share = o->sigma / fabs(predicted);
}

static void find_weight(struct cf_fit *fit, const struct cf_dataset *d, size_t channel,
                        const struct weighed *c)
{
    struct cf_finding *f = cf_add_finding(
        &fit->findings, CF_RULE_WEIGHT,
        "%s of %s: the weight during the contact, which predictions leave out, changes it by %.2g "
        "%% at %s %.3g %s, where its sigma is %.2g %%: together its readings move what is fitted "
        "by up to %.2g standard errors",
        d->protocol->channel[channel].name, d->name, 100 * c->share, d->protocol->axis.name, c->at,
        d->protocol->axis.unit, 100 * c->sigma_share, sqrt(c->squares));

    f->data = d->name;
    f->quantity = d->protocol->channel[channel].name;
    f->size = sqrt(c->squares);
    f->unit = "sigma";
    f->level = most_off;
    f->at = c->at;
}

/* Observations of one data set, from the first on; their number. */
static size_t weigh_set(struct cf_fit *fit, size_t first, const double p[], struct weighed sum[])
{
    const struct cf_problem *q = &fit->optimum.problem;
    size_t data = q->observation[first].data, i = first, row = SIZE_MAX;
    const struct cf_dataset *d = &q->spec->data[data];
    double share[CF_MAX_COLUMN], at = NAN;
    bool any = false;

    for (; i < q->nobservation && q->observation[i].data == data; i++) {
        const struct cf_observation *o = &q->observation[i];
        if (!d->protocol->weigh)
            continue;
        if (o->row != row && o->abscissa != at) /* drops are repeated */
            any = d->protocol->weigh(d, o->row, q->law, p, share);
        row = o->row;
        at = o->abscissa;
        if (any && o->weight > 0)
            weigh_reading(o, fit->predicted[i].value, share[o->column], &sum[o->column]);
    }
    return i - first;
}

int cf_judge_weight(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    double p[CF_MAX_PARAM];
    bool any = false;
    int status = CF_OK;

    if (fit->optimum.rank.rank < q->nfree)
        return CF_OK; /* nothing there to be weighed */
    for (size_t i = 0; i < q->nobservation && !status;) {
        struct weighed sum[CF_MAX_COLUMN] = {{0}};
        const struct cf_dataset *d = &q->spec->data[q->observation[i].data];
        status = cf_problem_params(q, q->observation[i].data, fit->optimum.theta, p, NULL, err);
        if (status)
            return status;
        i += weigh_set(fit, i, p, sum);
        for (size_t c = 0; c < d->protocol->nchannel; c++)
            if (sqrt(sum[c].squares) > most_off) {
                find_weight(fit, d, c, &sum[c]);
                any = true;
            }
    }
    if (any)
        cf_say(&fit->advice, "measure faster impacts, and leave slow ones out (where: ): there the "
                             "weight is no small part of the force");
    return CF_OK;
}
