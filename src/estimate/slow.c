/* How exact predictions are, and what that means for a search. */

#include "estimate/problem.h"

/* Converged: the best step would lower chi^2 by less, that is, the optimum is nearer than the root
 * of it in standard errors. Costs are accurate to 1e-12. */
static const double fall_tolerance = 1e-14;

/* For a law that is integrated, whose results have errors of some 1e-10: smaller falls follow those
 * errors and not the data. */
static const double slow_fall_tolerance = 1e-8;

/* And of motions: a hundredth of a standard error, which is the accuracy of their derivatives. */
static const double motion_fall_tolerance = 1e-4;

/* A fall that was foreseen but did not come, and both below this share of chi^2, is rounding. */
static const double rounding = 1e-13, motion_rounding = 1e-9;

bool cf_problem_is_motion(const struct cf_problem *problem)
{
    for (size_t i = 0; i < problem->spec->ndata; i++)
        if (problem->spec->data[i].protocol->whole)
            return true;
    return false;
}

bool cf_problem_is_slow(const struct cf_problem *problem)
{
    return cf_law_is_slow(problem->law) || cf_problem_is_motion(problem);
}

double cf_problem_fall(const struct cf_problem *problem)
{
    if (cf_problem_is_motion(problem))
        return motion_fall_tolerance;
    return cf_law_is_slow(problem->law) ? slow_fall_tolerance : fall_tolerance;
}

double cf_problem_rounding(const struct cf_problem *problem)
{
    return cf_problem_is_motion(problem) ? motion_rounding : rounding;
}

bool cf_nuisances_are_joint(const struct cf_problem *problem, size_t data)
{
    return problem->spec->data[data].nsegment > 1 || cf_problem_is_motion(problem) ||
           cf_uses_reml(problem);
}
