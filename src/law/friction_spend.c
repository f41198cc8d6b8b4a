/* Where the energy of friction is, and where its power goes: of every row alike, by its parts. */

#include "law/friction_rows.h"

double cf_friction_energy(const struct cf_friction_law *law, const double p[],
                          const struct cf_slide *c)
{
    struct cf_friction_parts parts;
    double sum = 0;

    if (!law->nvector)
        return 0;
    law->parts(p, c, &parts);
    for (size_t i = 0; i < law->nvector; i++)
        sum += 0.5 * parts.stiffness_N_m[i] * cf_dot(c->state + 2 * i, c->state + 2 * i);
    return sum;
}

/* A spring beside the first, of whose slip `carried` is what is left. */
static void spend_beside(double stiffness_N_m, const double x[2], const double rate[2],
                         const double v[2], double carried[2], struct cf_friction_power *out)
{
    for (int i = 0; i < 2; i++) {
        out->spring_W += stiffness_N_m * x[i] * rate[i];
        out->slide_W += stiffness_N_m * x[i] * (v[i] - rate[i]);
        carried[i] -= stiffness_N_m * x[i];
    }
}

void cf_friction_spend(const struct cf_friction_law *law, const double p[],
                       const struct cf_slide *c, const double force[2], const double rate[],
                       struct cf_friction_power *out)
{
    static const double none[CF_FRICTION_STATES] = {0};
    const double *v = c->velocity_m_s, *x = law->nvector ? c->state : none;
    struct cf_friction_parts parts;
    double slip[2], carried[2];

    if (!law->nvector)
        rate = none; /* of what it deforms, nothing */
    law->parts(p, c, &parts);
    for (int i = 0; i < 2; i++) {
        slip[i] = v[i] - rate[i];
        carried[i] = -force[i] - parts.viscous_N_s_m * (law->viscous_on_slip ? slip[i] : v[i]);
    }
    out->spring_W = parts.stiffness_N_m[0] * cf_dot(x, rate);
    out->damper_W = parts.damping_N_s_m * cf_dot(rate, rate);
    out->slide_W = 0;
    for (size_t j = 1; j < law->nvector; j++)
        spend_beside(parts.stiffness_N_m[j], x + 2 * j, rate + 2 * j, v, carried, out);
    out->slide_W += cf_dot(carried, slip);
    out->viscous_W =
        parts.viscous_N_s_m * (law->viscous_on_slip ? cf_dot(slip, slip) : cf_dot(v, v));
}

void cf_friction_power(const struct cf_friction_law *law, const double p[],
                       const struct cf_slide *c, struct cf_friction_power *out)
{
    double force[2], rate[CF_FRICTION_STATES] = {0};

    law->force(p, c, force, rate);
    cf_friction_spend(law, p, c, force, rate, out);
}
