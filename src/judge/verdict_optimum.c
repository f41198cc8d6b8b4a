#include "judge/verdict_optimum.h"

#include <math.h>

#include "judge/comparison.h"
#include "judge/statements.h"

/* The gradient in units of standard errors: the distance to the optimum. */
static const double gradient_limit = 1e-2;

const double cf_bias_gate = 0.1;

/* A slope that does not vanish where a descent without derivatives finds nothing lower. */
static bool at_kink(const struct cf_fit *fit)
{
    return isfinite(fit->optimum.gradient) && !(fit->optimum.gradient < gradient_limit) &&
           fit->optimum.fall <= cf_least_fall(&fit->optimum.problem);
}

static enum cf_verdict_status worse(enum cf_verdict_status a, enum cf_verdict_status b)
{
    return a > b ? a : b;
}

static enum cf_verdict_status say_slope(struct cf_fit *fit)
{
    /* of a number of the rig, as where springs let go, it says nothing of the law */
    if (at_kink(fit) && fit->optimum.gradient_of_law < gradient_limit)
        return CF_VERDICT_GOOD;
    if (at_kink(fit)) {
        cf_say(&fit->reasons,
               "the optimum lies at a kink of the law, where rows change between regimes, as from "
               "sliding to sticking: chi^2 rises to all sides of it, but its slope does not vanish "
               "(%.2g standard errors)",
               fit->optimum.gradient);
        return CF_VERDICT_WEAK;
    }
    if (fit->optimum.gradient < gradient_limit)
        return CF_VERDICT_GOOD;
    cf_say(&fit->reasons,
           "the gradient is not zero at the optimum: it is %.2g standard errors away",
           fit->optimum.gradient);
    return CF_VERDICT_FAILED;
}

/* Variances, and the solver. */
static enum cf_verdict_status say_numbers(struct cf_fit *fit)
{
    enum cf_verdict_status status = CF_VERDICT_GOOD;

    if (fit->optimum.variance_fall > cf_least_fall(&fit->optimum.problem)) {
        cf_say(
            &fit->reasons,
            "other variances of the same channels lower the restricted likelihood by %.3g: those "
            "reported are not at its maximum",
            fit->optimum.variance_fall);
        status = CF_VERDICT_FAILED;
    }
    if (!(fit->bias_over_sigma < cf_bias_gate)) {
        cf_say(
            &fit->reasons,
            "the solver's own error reaches %.2g sigma (allowed: %g): it could look like damping",
            fit->bias_over_sigma, cf_bias_gate);
        status = CF_VERDICT_FAILED;
    }
    return status;
}

enum cf_verdict_status cf_say_optimum(struct cf_fit *fit)
{
    enum cf_verdict_status status = CF_VERDICT_GOOD;
    double better = 0;

    for (size_t i = 0; i < fit->optimum.nstart; i++)
        better = fmin(better, fit->optimum.start[i].excess);
    if (fit->optimum.start[0].end != CF_END_CONVERGED) {
        cf_say(&fit->reasons, "the best start did not converge");
        status = CF_VERDICT_FAILED;
    }
    status = worse(status, say_slope(fit));
    if (fit->optimum.confirmed < 2) {
        cf_say(&fit->reasons, "only %zu of %zu starts ended at the optimum", fit->optimum.confirmed,
               fit->optimum.nstart);
        cf_say(&fit->advice, "narrow the bounds, state a start, or raise options: {starts: ...}");
        status = CF_VERDICT_FAILED;
    }
    if (fit->lowest < -cf_least_fall(&fit->optimum.problem)) {
        cf_say(&fit->reasons, "a profile found a point that fits better by %.3g in chi^2",
               -fit->lowest);
        status = CF_VERDICT_FAILED;
    }
    if (better < -cf_least_fall(&fit->optimum.problem)) {
        cf_say(&fit->reasons,
               "another start ended where the same variances give a lower chi^2, by %.3g", -better);
        status = CF_VERDICT_FAILED;
    }
    if (fit->optimum.fall > cf_least_fall(&fit->optimum.problem)) {
        cf_say(&fit->reasons,
               "a descent without derivatives from the optimum lowers chi^2 by %.3g: so it is no "
               "optimum",
               fit->optimum.fall);
        status = CF_VERDICT_FAILED;
    }
    return worse(status, say_numbers(fit));
}
