#include "law/driven.h"

#include <math.h>

#include "law/exact.h"
#include "law/rows.h"

const struct cf_param cf_driven_param[CF_DRIVEN_NPARAM] = {
    [CF_DRIVEN_K] = CF_PARAM_HERTZ,
    [CF_DRIVEN_E] = {"e", "1", 0, 1, 0.01, 1, 0.7, CF_SCALE_LINEAR,
                     "restitution that is asked for"},
    [CF_DRIVEN_V_SMALL] = CF_PARAM_V_SMALL,
};

const struct cf_param cf_driven_divided_param[CF_DRIVEN_NPARAM] = {
    [CF_DRIVEN_K] = CF_PARAM_HERTZ,
    [CF_DRIVEN_E] = CF_PARAM_DIVIDED_E,
    [CF_DRIVEN_V_SMALL] = CF_PARAM_V_SMALL,
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
    *slope = e >= CF_LEAST_E;
    return fmax(e, CF_LEAST_E);
}

void cf_driven_exactly(const double p[], double mass_kg, double approach_m_s,
                       struct cf_damping *out)
{
    double slope, x_by_e, divisor = cf_driven_divisor(p[CF_DRIVEN_E], &slope);
    double x = cf_hunt_crossley_damping(divisor, &x_by_e);

    (void) mass_kg;
    cf_driven_damping(p, approach_m_s, x, slope * x_by_e, out);
}
