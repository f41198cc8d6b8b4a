#include "judge/verdict_rows.h"

#include "estimate/records.h"

#include <math.h>
#include <stdio.h>
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

bool cf_say_outliers(struct cf_fit *fit)
{
    bool squares = fit->optimum.problem.loss.kind == CF_LOSS_SQUARES;
    size_t n = fit->outliers.noutlier;

    for (size_t i = 0; i < n && i < MAX_NAMED; i++)
        cf_say(&fit->reasons, "%s", fit->outliers.item[i].text);
    if (n > MAX_NAMED)
        cf_say(&fit->reasons, "and %zu more rows are outliers like these", n - MAX_NAMED);
    if (fit->outliers.unexamined)
        cf_say(&fit->reasons,
               "%zu more rows lie as far off; the residuals are systematic, and only the %zu that "
               "lie furthest were fitted without, to see whether they alone are at fault",
               fit->outliers.unexamined, fit->outliers.examined);
    if (n == 0 || !squares)
        return false;
    if (say_onset(fit))
        return true;
    cf_say(&fit->advice,
           "check %s again, and exclude what is a mistake: exclude: [{row: ..., because: ...}]%s",
           n == 1 ? "that row" : "those rows",
           cf_shares_errors(&fit->optimum.problem)
               ? "" /* such a loss takes every row as independent */
               : ", or let it count for less, options: {loss: huber}");
    return true;
}

/* So many equal readings at the end of all, at places of their own, and such a share of them, are
 * no chance, where not half as many are equal next to them, and where digits are finer than the
 * scatter. */
enum { LEAST_CLIPPED = 4 };
static const double least_clipped = 1.0 / 12, fine_digits = 3;

/* How many readings of a channel have this size, and how often their place changes. */
static size_t count_equal(const struct cf_problem *q, size_t channel, double size, size_t *places)
{
    const struct cf_observation *before = NULL;
    size_t n = 0;

    *places = 0;
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        if (o->channel != channel || fabs(o->value) != size)
            continue;
        *places += !before || o->abscissa != before->abscissa;
        before = o;
        n++;
    }
    return n;
}

/* The largest size of all readings of a channel, or of those below a size. */
static double largest_below(const struct cf_problem *q, size_t channel, double below)
{
    double most = 0;

    for (size_t i = 0; i < q->nobservation; i++)
        if (q->observation[i].channel == channel && fabs(q->observation[i].value) < below)
            most = fmax(most, fabs(q->observation[i].value));
    return most;
}

bool cf_say_clipped(struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    bool any = false;

    for (size_t c = 0; c < q->nchannel; c++) {
        const struct cf_dataset *d = &q->spec->data[q->channel[c].data];
        const struct cf_channel_row *row = &d->protocol->channel[q->channel[c].column];
        double most = largest_below(q, c, (double) INFINITY);
        size_t places, other, n = count_equal(q, c, most, &places);
        size_t next = count_equal(q, c, largest_below(q, c, most), &other);
        if (places < LEAST_CLIPPED || (double) n < least_clipped * (double) q->channel[c].n ||
            n == q->channel[c].n || n <= 2 * next ||
            !(q->channel[c].sigma > fine_digits * q->channel[c].floor))
            continue;
        any = true;
        cf_say(&fit->reasons,
               "%s of %s: %zu of %zu readings have one size, the largest, %.4g%s%s: were they cut "
               "off where the range of the sensor ends?",
               row->name, d->name, n, q->channel[c].n, most, strcmp(row->unit, "1") ? " " : "",
               strcmp(row->unit, "1") ? row->unit : "");
        cf_say(&fit->advice, "exclude readings that were cut off: exclude: [{row: ..., because: "
                             "...}], or measure with a wider range");
    }
    return any;
}
