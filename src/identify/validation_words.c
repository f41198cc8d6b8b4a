/* What a validation says: where new data disagree with the fit, and what to keep in mind. */

#include <math.h>
#include <stdio.h>

#include "core/decimal.h"
#include "identify/validation.h"

/* Tests that stand before the reasons of other kinds; data sets that are named one by one where
 * they are not new. */
enum { FIRST_TESTS = 8, FIRST_SETS = 3 };

/* Smaller probabilities say nothing more. */
static const double least_p = 1e-15;

/* The surest of the tests that reject, or all others. */
static void say_tests(struct cf_validation *v, bool surest)
{
    for (size_t i = 0; i < v->tests.n; i++) {
        const struct cf_test *t = &v->tests.item[i];
        const struct cf_channel *c = &v->problem.channel[t->channel];
        const struct cf_dataset *d = &v->spec.data[c->data];
        if (t->rejects && (t->place < FIRST_TESTS) == surest)
            cf_say(&v->reasons, "%s of %s: %s (p %s %.2g)", d->protocol->channel[c->column].name,
                   d->name, t->text, t->p_adjusted < least_p ? "<" : "=",
                   fmax(t->p_adjusted, least_p));
    }
}

/* Where the data disagree: by which tests, and in which rows first of all. */
static void say_reasons(struct cf_validation *v)
{
    const struct cf_problem *q = &v->problem;

    say_tests(v, true);
    for (size_t i = 0; i < v->nworst && v->reasons.n; i++) {
        const struct cf_observation *o = &q->observation[v->worst[i]];
        const struct cf_predicted *p = &v->predicted[v->worst[i]];
        const struct cf_dataset *d = &v->spec.data[o->data];
        int digits =
            cf_decimal_digits(fmax(fabs(p->low), fabs(p->high)), (p->high - p->low) / 2, 6);
        cf_say(&v->reasons,
               "%s of %s, line %zu, at %.4g %s: measured %.6g; the fit predicts %.*g to %.*g",
               d->protocol->channel[o->column].name, d->name, cf_dataset_line(d, o->row, o->column),
               o->abscissa, d->protocol->axis.unit, o->value, digits, p->low, digits, p->high);
    }
    if (v->nworst < v->noutside && v->reasons.n)
        cf_say(&v->reasons, "and %zu more values lie outside their intervals",
               v->noutside - v->nworst);
    say_tests(v, false);
}

/* Data sets that are not new: the first few by name. */
static void say_fitted(struct cf_validation *v)
{
    size_t named = 0, sets = 0, values = 0;

    for (size_t i = 0; i < v->spec.ndata; i++) {
        size_t fitted = v->set[i].fitted;
        if (fitted && named++ < FIRST_SETS && v->model->thinned) {
            cf_say(&v->cautions,
                   "%s is a file that was fitted, by its hash; the fit file does not hold all of "
                   "its rows, so that its %zu values are all taken as fitted: they are not new, "
                   "and agreement with them shows nothing",
                   v->spec.data[i].name, fitted);
        } else if (fitted && named <= FIRST_SETS) {
            cf_say(&v->cautions,
                   "%zu values of %s are among those that were fitted: they are not new, and "
                   "agreement with them shows nothing",
                   fitted, v->spec.data[i].name);
        } else {
            sets += fitted > 0;
            values += fitted;
        }
    }
    if (sets)
        cf_say(&v->cautions, "the same holds for %zu values of %zu more data sets", values, sets);
}

static void say_cautions(struct cf_validation *v)
{
    const struct cf_axis *axis = &v->spec.data[0].protocol->axis;
    double low = (double) INFINITY, high = -low;
    size_t beyond = 0;

    for (size_t i = 0; i < v->problem.nobservation; i++) {
        double at = v->problem.observation[i].abscissa;
        low = fmin(low, at);
        high = fmax(high, at);
        beyond += at < v->model->axis_low || at > v->model->axis_high;
    }
    say_fitted(v);
    if (!v->model->trusted)
        cf_say(&v->cautions, "the fit itself is not to be trusted: %s", v->model->verdict);
    if (v->unjudged)
        cf_say(&v->cautions, "%zu measured values are not judged: the fit does not predict them",
               v->unjudged);
    if (low > v->model->axis_high || high < v->model->axis_low)
        cf_say(&v->cautions,
               "the new %s, %.4g to %.4g %s, lie outside the fitted ones, %.4g to %.4g %s",
               axis->plural, low, high, axis->unit, v->model->axis_low, v->model->axis_high,
               axis->unit);
    else if (beyond)
        cf_say(&v->cautions,
               "%zu of %zu values lie beyond the fitted %s, %.4g to %.4g %s: there the law is "
               "extrapolated, and the intervals assume that it still holds",
               beyond, v->problem.nobservation, axis->plural, v->model->axis_low,
               v->model->axis_high, axis->unit);
}

int cf_validate_words(struct cf_validation *v, struct cf_error *err)
{
    int status;

    say_reasons(v);
    say_cautions(v);
    snprintf(v->summary, sizeof v->summary,
             "The new data %s the fit of %s: %zu of %zu values lie inside their %g %% intervals; "
             "rms of the residuals %.3g standard deviations of the prediction.",
             v->agrees ? "agree with" : "disagree with", v->model->law->name, v->inside,
             v->problem.nobservation, 100 * v->model->spec.options.level, v->rms_predictive);
    status = cf_statements_status(&v->reasons, err);
    return status ? status : cf_statements_status(&v->cautions, err);
}
