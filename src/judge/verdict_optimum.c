#include "judge/verdict_optimum.h"

#include <math.h>
#include <stdio.h>

#include "judge/comparison.h"
#include "judge/solver_bias.h"
#include "judge/statements.h"

/* The gradient in units of standard errors: the distance to the optimum. */
static const double gradient_limit = 1e-2;

enum { LEAST_CONFIRMED = 2 };

/* A slope that does not vanish where a descent without derivatives finds nothing lower. */
static bool at_kink(const struct cf_fit *fit)
{
    return isfinite(fit->optimum.gradient) && !(fit->optimum.gradient < gradient_limit) &&
           fit->optimum.fall <= cf_least_fall(&fit->optimum.problem);
}

static void judge_slope(struct cf_fit *fit)
{
    double off = fit->optimum.gradient;

    /* of a number of the rig, as where springs let go, it says nothing of the law */
    if (off < gradient_limit || (at_kink(fit) && fit->optimum.gradient_of_law < gradient_limit))
        return;
    struct cf_finding *f =
        at_kink(fit)
            ? cf_add_finding(&fit->findings, CF_RULE_KINK,
                             "the optimum lies at a kink of the law, where rows change between "
                             "regimes, as from sliding to sticking, or into contact: chi^2 rises "
                             "to all sides of it, "
                             "but its slope does not vanish (%.2g standard errors)",
                             off)
            : cf_add_finding(
                  &fit->findings, CF_RULE_GRADIENT,
                  "the gradient is not zero at the optimum: it is %.2g standard errors away", off);
    f->size = off;
    f->unit = "standard errors";
    f->level = gradient_limit;
}

/* A lower chi^2, or restricted likelihood, that was found elsewhere, and what is said of it. */
static void judge_fall(struct cf_fit *fit, enum cf_verdict_rule rule, double fall,
                       const char *words, const char *behind)
{
    double least = cf_least_fall(&fit->optimum.problem);

    if (!(fall > least))
        return;
    struct cf_finding *f =
        cf_add_finding(&fit->findings, rule, "%s by %.3g%s", words, fall, behind);
    f->size = fall;
    f->unit = "1";
    f->level = least;
}

static void judge_numbers(struct cf_fit *fit)
{
    double better = 0;

    for (size_t i = 0; i < fit->optimum.nstart; i++)
        better = fmin(better, fit->optimum.start[i].excess);
    judge_fall(fit, CF_RULE_PROFILE, -fit->lowest, "a profile found a point that fits better",
               " in chi^2");
    judge_fall(fit, CF_RULE_START, -better,
               "another start ended where the same variances give a lower chi^2,", "");
    judge_fall(fit, CF_RULE_DESCENT, fit->optimum.fall,
               "a descent without derivatives from the optimum lowers chi^2",
               ": so it is no optimum");
    judge_fall(fit, CF_RULE_VARIANCES, fit->optimum.variance_fall,
               "other variances of the same channels lower the restricted likelihood",
               ": those reported are not at its maximum");
}

/* What a number is worth at a point that nothing confirms. */
static void judge_worths(struct cf_fit *fit)
{
    const struct cf_rank *rank = &fit->optimum.rank;

    for (size_t i = 0; i < fit->optimum.problem.nfree; i++)
        fit->estimate[i].worth = rank->dead[i]   ? CF_WORTH_DEAD
                                 : rank->flat[i] ? CF_WORTH_FLAT
                                                 : CF_WORTH_WEAK;
}

void cf_judge_unfinished(struct cf_fit *fit)
{
    static const char *const name[CF_NSTAGE] = {CF_STAGE_LIST(CF_FIT_TEXT)};
    const struct cf_fit_options *o = &fit->optimum.problem.spec->options;
    char by[80] = "interrupted";
    struct cf_finding *f;

    if (!fit->interrupted)
        snprintf(by, sizeof by, "ended after %g s (options: time)", o->time_s);
    if (fit->stage == CF_STAGE_SEARCH)
        f = cf_add_finding(
            &fit->findings, CF_RULE_UNFINISHED,
            "%s in %s, step 1 of %d: this is where the best of %zu start%s had come, "
            "of %zu at most",
            by, name[fit->stage], (int) CF_NSTAGE, fit->optimum.nstart,
            fit->optimum.nstart == 1 ? "" : "s", cf_start_count(o));
    else
        f = cf_add_finding(&fit->findings, CF_RULE_UNFINISHED,
                           "%s in %s, step %d of %d: %zu of %zu starts ended at this optimum, and "
                           "what comes behind it is left out",
                           by, name[fit->stage], (int) fit->stage + 1, (int) CF_NSTAGE,
                           fit->optimum.confirmed, fit->optimum.nstart);
    f->size = (double) fit->optimum.nstart;
    f->unit = "starts";
    f->level = (double) cf_start_count(o);
    if (fit->interrupted)
        cf_say(&fit->advice, "let it end; options: {time: } sets how long it may take");
    else /* twice the time is the least that is worth a new beginning */
        cf_say(&fit->advice, "give it more time, fit --time %.0fs, fewer parameters or fewer rows",
               ceil(2 * o->time_s));
    judge_worths(fit);
}

void cf_judge_optimum(struct cf_fit *fit)
{
    if (fit->optimum.start[0].end != CF_END_CONVERGED)
        cf_add_finding(&fit->findings, CF_RULE_CONVERGED, "the best start did not converge");
    judge_slope(fit);
    if (fit->optimum.confirmed < LEAST_CONFIRMED) {
        struct cf_finding *f = cf_add_finding(&fit->findings, CF_RULE_CONFIRMED,
                                              "only %zu of %zu starts ended at the optimum",
                                              fit->optimum.confirmed, fit->optimum.nstart);
        f->size = (double) fit->optimum.confirmed;
        f->unit = "starts";
        f->level = LEAST_CONFIRMED;
        cf_say(&fit->advice, "narrow the bounds, state a start, or raise options: {starts: ...}");
    }
    judge_numbers(fit);
    cf_judge_solver(fit);
}
