#include "law/driven.h"

#include <math.h>

#include "law/rows.h"

const struct cf_param cf_driven_param[CF_DRIVEN_NPARAM] = {
    [CF_DRIVEN_K] = CF_PARAM_HERTZ,
    [CF_DRIVEN_E] = {"e", "1", 0, 1, 0.01, 1, 0.7, CF_SCALE_LINEAR,
                     "restitution that is asked for"},
    [CF_DRIVEN_V_SMALL] = {"v_small", "m/s", 0, 1e3, 1e-6, 1, 1e-3, CF_SCALE_LOG,
                           "approach speed below which the damping grows no more"},
};

/* Least e that a law divides by: its damping is then some thousand times 1/v_i. */
#define LEAST_E 1e-3

const struct cf_param cf_driven_divided_param[CF_DRIVEN_NPARAM] = {
    [CF_DRIVEN_K] = CF_PARAM_HERTZ,
    [CF_DRIVEN_E] = {"e", "1", LEAST_E, 1, 0.01, 1, 0.7, CF_SCALE_LINEAR,
                     "restitution that is asked for; an e(v) below 0.001 counts as 0.001"},
    [CF_DRIVEN_V_SMALL] = {"v_small", "m/s", 0, 1e3, 1e-6, 1, 1e-3, CF_SCALE_LOG,
                           "approach speed below which the damping grows no more"},
};

const struct cf_alias cf_driven_alias[CF_DRIVEN_NALIAS] = {CF_ALIAS_MODULUS(CF_DRIVEN_K)};

void cf_driven_damping(const double p[], double approach_m_s, double x, double x_by_e,
                       struct cf_damping *out)
{
    double v_small = p[CF_DRIVEN_V_SMALL];
    double v = fmax(approach_m_s, v_small);

    *out = (struct cf_damping){.ratio = x / v};
    out->by_param[CF_DRIVEN_E] = x_by_e / v;
    if (approach_m_s > v_small)
        out->by_approach = -out->ratio / v;
    else
        out->by_param[CF_DRIVEN_V_SMALL] = -out->ratio / v;
}

double cf_driven_divisor(double e, double *slope)
{
    *slope = e >= LEAST_E;
    return fmax(e, LEAST_E);
}
