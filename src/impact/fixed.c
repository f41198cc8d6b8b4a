#include "impact/fixed.h"

#include <math.h>

enum { Z, W, OFFSET, INNER, NSTATE = INNER + CF_MAX_STATE };
enum { MAX_STEPS = 1000000 };

struct fixed_run {
    const struct cf_law *law;
    const double *p;
    double mass_kg, approach_m_s, relaxation_s;
    bool touching;
};

static struct cf_contact contact_of(const struct fixed_run *c, const double x[])
{
    return (struct cf_contact){.depth_m = x[Z] - x[OFFSET],
                               .rate_m_s = x[W],
                               .approach_m_s = c->approach_m_s,
                               .mass_kg = c->mass_kg,
                               .state = &x[INNER]};
}

static double force_of(const struct fixed_run *c, const double x[])
{
    struct cf_contact contact = contact_of(c, x);
    return c->touching ? c->law->force(c->law, c->p, &contact) : 0;
}

static void rates(const void *context, double t, const double x[], double rate[])
{
    const struct fixed_run *c = context;
    struct cf_contact contact = contact_of(c, x);

    (void) t;
    rate[Z] = x[W];
    rate[W] = -force_of(c, x) / c->mass_kg;
    rate[OFFSET] = c->relaxation_s > 0 ? -x[OFFSET] / c->relaxation_s : 0;
    rate[INNER] = 0;
    if (c->touching && c->law->nstate && contact.depth_m > 0)
        c->law->state_rate(c->p, &contact, &rate[INNER]);
}

static int check(const struct cf_law *law, const double p[], double mass_kg, double speed_m_s,
                 const struct cf_fixed_step *how, struct cf_error *err)
{
    if (law->family != CF_FAMILY_NORMAL)
        return cf_fail(err, CF_ESOLVE, "%s has no force to integrate", law->name);
    if (!(mass_kg > 0 && isfinite(mass_kg)))
        return cf_fail(err, CF_ERANGE, "mass = %.15g kg: must be above 0", mass_kg);
    if (!(speed_m_s > 0 && isfinite(speed_m_s)))
        return cf_fail(err, CF_ERANGE, "speed = %.15g m/s: must be above 0", speed_m_s);
    if (!(how->dt_s > 0 && isfinite(how->dt_s)))
        return cf_fail(err, CF_ERANGE, "step = %.15g s: must be above 0", how->dt_s);
    if (!(how->gap_m >= 0 && isfinite(how->gap_m)))
        return cf_fail(err, CF_ERANGE, "gap = %.15g m: must not be below 0", how->gap_m);
    if (!(how->relaxation_s >= 0 && isfinite(how->relaxation_s)))
        return cf_fail(err, CF_ERANGE, "relaxation = %.15g s: must not be below 0",
                       how->relaxation_s);
    return cf_param_check(law->param, law->nparam, p, err);
}

static void note(const struct fixed_run *c, const double x[], struct cf_fixed_impact *out)
{
    out->value[CF_IMPACT_DEPTH] = fmax(out->value[CF_IMPACT_DEPTH], x[Z]);
    out->value[CF_IMPACT_FORCE] = fmax(out->value[CF_IMPACT_FORCE], force_of(c, x));
}

/* Contact is found. */
static void touch(struct fixed_run *c, double x[], struct cf_fixed_impact *out)
{
    c->touching = true;
    c->approach_m_s = x[W];
    x[OFFSET] = c->relaxation_s > 0 ? fmax(0, x[Z]) : 0;
    out->first_force_N = force_of(c, x);
    note(c, x, out);
}

int cf_impact_fixed(const struct cf_law *law, const double p[], double mass_kg, double speed_m_s,
                    const struct cf_fixed_step *how, struct cf_fixed_impact *out,
                    struct cf_error *err)
{
    struct fixed_run c = {law, p, mass_kg, speed_m_s, how->relaxation_s, false};
    const struct cf_ode_system system = {.n = NSTATE, .rates = rates};
    double x[NSTATE] = {[Z] = -how->gap_m, [W] = speed_m_s}, t = 0;
    struct cf_ode *ode;
    struct cf_ode_result result;
    bool over = false;
    int status = check(law, p, mass_kg, speed_m_s, how, err);

    *out = (struct cf_fixed_impact){.steps = 0};
    if (status)
        return status;
    if (!(ode = cf_ode_alloc(NSTATE, 0)))
        return cf_fail(err, CF_ENOMEM, "out of memory");
    if (how->gap_m == 0)
        touch(&c, x, out);
    for (int i = 0; i < MAX_STEPS && !over && !status; i++) {
        status = cf_ode_fixed(ode, how->scheme, &system, &c, how->dt_s, 1, &t, x, &result, err);
        if (!status && !c.touching && x[Z] > 0) {
            touch(&c, x, out);
        } else if (!status && c.touching) {
            out->steps++;
            note(&c, x, out);
            /* overlap without force: the very first moment, or hidden by relaxation */
            over = !(force_of(&c, x) > 0) && x[W] <= 0;
        }
    }
    cf_ode_free(ode);
    if (status)
        return status;
    if (!over)
        return cf_fail(err, CF_ESOLVE, "%s: the contact is not through after %d steps of %g s",
                       law->name, MAX_STEPS, how->dt_s);
    out->value[CF_IMPACT_RESTITUTION] = -x[W] / speed_m_s;
    out->value[CF_IMPACT_DURATION] = (double) out->steps * how->dt_s;
    return CF_OK;
}
