/* The table of tangential laws, and what holds for all of its rows. */

#include "law/friction.h"

#include <string.h>

#include "core/nearest.h"
#include "law/friction_rows.h"

const struct cf_friction_law *const cf_friction_laws[] = {
    &cf_clutch,
    &cf_clutch_linear,
    &cf_bristle,
    &cf_bristle_fixed,
    &cf_stribeck,
    &cf_viscous_load,
    &cf_coulomb,
    &cf_dahl,
    &cf_lugre,
    &cf_elasto_plastic,
    &cf_iwan_2,
    &cf_iwan_3,
    &cf_iwan_4,
    &cf_rate_state,
    &cf_rate_state_slip,
    &cf_rate_state_2,
    &cf_rate_state_slip_2,
    NULL,
};

enum { NLAW = sizeof cf_friction_laws / sizeof cf_friction_laws[0] - 1 };

const struct cf_friction_law *cf_friction_find(const char *name)
{
    const struct cf_friction_law *const *law = cf_friction_laws;
    while (*law && strcmp((*law)->name, name) != 0)
        law++;
    return *law;
}

int cf_friction_get(const char *name, const struct cf_friction_law **law, struct cf_error *err)
{
    const char *names[NLAW];
    char hint[CF_HINT];

    *law = cf_friction_find(name);
    if (*law)
        return CF_OK;
    for (size_t i = 0; i < NLAW; i++)
        names[i] = cf_friction_laws[i]->name;
    cf_nearest_hint(name, names, NLAW, hint);
    return cf_fail(err, CF_EINPUT, "unknown friction law %s: %s", name, hint);
}

void cf_friction_vary(const struct cf_friction_law *law, const double p[], const struct cf_slide *c,
                      size_t n, const double d[], double dforce[], double drate[])
{
    memset(drate, 0, n * CF_FRICTION_STATES * sizeof *drate);
    if (law->vary_all)
        law->vary_all(p, c, n, d, dforce, drate);
    for (size_t i = 0; i < n && !law->vary_all; i++)
        law->vary(p, c, d + i * CF_FRICTION_COLUMNS, dforce + 2 * i,
                  drate + i * CF_FRICTION_STATES);
}

void cf_friction_slopes(const struct cf_friction_law *law, const double p[],
                        const struct cf_slide *c, struct cf_friction_slopes *out)
{
    *out = (struct cf_friction_slopes){0};
    for (size_t j = 0; j < CF_BY_PARAM + law->nparam; j++) {
        double d[CF_FRICTION_COLUMNS] = {0}, force[2], rate[CF_FRICTION_STATES];
        if (j >= CF_BY_STATE + law->nstate && j < CF_BY_PARAM)
            continue;
        d[j] = 1;
        law->vary(p, c, d, force, rate);
        for (size_t i = 0; i < 2; i++)
            out->force[i][j] = force[i];
        for (size_t i = 0; i < law->nstate; i++)
            out->rate[i][j] = rate[i];
    }
}

double cf_friction_least_speed(const struct cf_friction_law *law, const double p[])
{
    double least = law->creep ? law->creep(p) : (double) INFINITY;

    for (size_t i = 0; i < law->nparam; i++)
        if (strcmp(law->param[i].unit, "m/s") == 0 && p[i] > 0)
            least = fmin(least, p[i]);
    return least;
}

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
