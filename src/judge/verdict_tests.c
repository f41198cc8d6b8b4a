#include "judge/verdict_tests.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "judge/prior_tests.h"

/* A probability that doubles round to 0 is none. */
static const double least_p = 1e-300;

/* Tests that stand before the reasons of other kinds. */
enum { FIRST_TESTS = 8 };

/* The test of all residuals together. */
static bool is_whole(const struct cf_test *t)
{
    return t->accuses == CF_ACCUSES_SIGMAS;
}

static void say_test(struct cf_fit *fit, const struct cf_test *t)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_channel *c = &q->channel[t->channel];
    const struct cf_dataset *d = &q->spec->data[c->data];
    const char *quantity = d->protocol->channel[c->column].name;
    const char *sign = t->p_adjusted < least_p ? "<" : "=";
    double p = fmax(t->p_adjusted, least_p);

    if (is_whole(t))
        cf_say(&fit->reasons,
               "the residuals are larger than the given sigmas allow: %s (p %s %.2g)", t->text,
               sign, p);
    else if (t->channels)
        cf_say(&fit->reasons, "%s: %s (p %s %.2g)", quantity, t->text, sign, p);
    else
        cf_say(&fit->reasons, "%s of %s: %s (p %s %.2g)", quantity, d->name, t->text, sign, p);
}

void cf_say_tests(struct cf_fit *fit, bool surest)
{
    for (size_t i = 0; i < fit->tests.n; i++) {
        const struct cf_test *t = &fit->tests.item[i];
        if (t->rejects && (is_whole(t) || t->channels || t->place < FIRST_TESTS) == surest)
            say_test(fit, t);
    }
}

void cf_say_small_residuals(struct cf_fit *fit)
{
    const struct cf_optimum *o = &fit->optimum;
    double chi2, dof, p;

    cf_chi2_of_data(o, &chi2, &dof);
    if (!o->sigma_known || o->problem.loss.kind != CF_LOSS_SQUARES || !(dof >= 1))
        return;
    p = gsl_cdf_chisq_P(chi2, dof);
    if (p < o->problem.spec->options.p_reject)
        cf_say(
            &fit->reasons,
            "note: the residuals are smaller than the given sigmas let one expect: chi^2 %.4g on "
            "%g degrees of freedom (p %s %.2g): sigmas that are stated too large make intervals "
            "too wide, and hide what a test would see",
            chi2, dof, p < least_p ? "<" : "=", fmax(p, least_p));
}

bool cf_tests_reject(const struct cf_fit *fit)
{
    for (size_t i = 0; i < fit->tests.n; i++)
        if (fit->tests.item[i].rejects)
            return true;
    return false;
}

bool cf_tests_reject_by_row(const struct cf_fit *fit)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;

    for (size_t i = 0; i < spec->ndata; i++)
        if (spec->data[i].protocol->record)
            return false;
    for (size_t i = 0; i < fit->tests.n; i++)
        if (fit->tests.item[i].rejects && fit->tests.item[i].accuses != CF_ACCUSES_ORDER)
            return false;
    return cf_tests_reject(fit);
}
