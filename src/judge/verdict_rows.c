#include "judge/verdict_rows.h"

#include "estimate/records.h"

#include <stdio.h>

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
