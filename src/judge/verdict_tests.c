#include "judge/verdict_tests.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "judge/prior_tests.h"

/* A probability that doubles round to 0 is none. */
static const double least_p = 1e-300;

/* The test of all residuals together. */
static bool is_whole(const struct cf_test *t)
{
    return t->accuses == CF_ACCUSES_SIGMAS;
}

static void find_test(struct cf_fit *fit, const struct cf_test *t)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_channel *c = &q->channel[t->channel];
    const struct cf_dataset *d = &q->spec->data[c->data];
    const char *quantity = is_whole(t) ? NULL : d->protocol->channel[c->column].name;
    const char *data = is_whole(t) || t->channels ? NULL : d->name;
    struct cf_finding *f =
        cf_add_finding(&fit->findings, CF_RULE_TEST, "%s%s%s: %s (p %s %.2g)",
                       quantity ? quantity : "the residuals are larger than the given sigmas allow",
                       data ? " of " : "", data ? data : "", t->text,
                       t->p_adjusted < least_p ? "<" : "=", fmax(t->p_adjusted, least_p));

    cf_test_into(t, f);
    f->quantity = quantity;
    f->data = data;
    f->level = q->spec->options.p_reject;
}

static void judge_small_residuals(struct cf_fit *fit)
{
    const struct cf_optimum *o = &fit->optimum;
    double chi2, dof, p;

    cf_chi2_of_data(o, &chi2, &dof);
    if (!o->sigma_known || o->problem.loss.kind != CF_LOSS_SQUARES || !(dof >= 1))
        return;
    p = gsl_cdf_chisq_P(chi2, dof);
    if (!(p < o->problem.spec->options.p_reject))
        return;
    struct cf_finding *f = cf_add_finding(
        &fit->findings, CF_RULE_SMALL,
        "note: the residuals are smaller than the given sigmas let one expect: chi^2 %.4g on %g "
        "degrees of freedom (p %s %.2g): sigmas that are stated too large make intervals too wide, "
        "and hide what a test would see",
        chi2, dof, p < least_p ? "<" : "=", fmax(p, least_p));
    f->p = p;
    f->level = o->problem.spec->options.p_reject;
    f->size = chi2 / dof;
    f->unit = "1";
}

bool cf_follow_rows(const struct cf_fit *fit)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;

    for (size_t i = 0; i < spec->ndata; i++)
        if (spec->data[i].protocol->record)
            return false;
    for (size_t i = 0; i < fit->findings.n; i++)
        if (fit->findings.item[i].rule == CF_RULE_TEST &&
            fit->findings.item[i].accuses != CF_ACCUSES_ORDER)
            return false;
    return cf_found(&fit->findings, CF_RULE_TEST);
}

void cf_judge_tests(struct cf_fit *fit)
{
    for (size_t i = 0; i < fit->tests.n; i++)
        if (fit->tests.item[i].rejects)
            find_test(fit, &fit->tests.item[i]);
    if (cf_follow_rows(fit))
        cf_say(&fit->advice, "find out what changed from row to row, as wear, warmth or an offset "
                             "that drifts, and measure in another order");
    judge_small_residuals(fit);
}
