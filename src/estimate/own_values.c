#include "estimate/own_values.h"

#include <math.h>
#include <string.h>

#include "estimate/effects.h"

bool cf_own_any(const struct cf_problem *problem)
{
    for (size_t e = 0; e < problem->neffect; e++)
        if (problem->effect[e].bends)
            return true;
    return false;
}

void cf_own_forget(struct cf_problem *problem)
{
    for (size_t e = 0; e < problem->neffect; e++) {
        struct cf_effect *effect = &problem->effect[e];
        effect->bends = false;
        for (size_t i = 0; i < effect->nload; i++)
            effect->own[i] = NAN;
    }
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

size_t cf_own_run(const struct cf_problem *problem, size_t first, size_t end)
{
    for (size_t i = first + 1; i < end; i++)
        for (size_t e = 0; e < problem->neffect; e++)
            if (!same(problem->effect[e].own[i], problem->effect[e].own[first]))
                return i;
    return end;
}

void cf_own_theta(const struct cf_problem *problem, size_t observation, const double theta[],
                  double mine[])
{
    memcpy(mine, theta, problem->nfree * sizeof *mine);
    for (size_t e = 0; e < problem->neffect; e++)
        if (!isnan(problem->effect[e].own[observation]))
            mine[problem->effect[e].unknown] = problem->effect[e].own[observation];
}
