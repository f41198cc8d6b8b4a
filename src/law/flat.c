#include "law/flat.h"

#include <math.h>

#include "law/power_family.h"

static int check_count(const char *law, size_t want, size_t np, struct cf_error *err)
{
    return np == want ? CF_OK
                      : cf_fail(err, CF_EUSAGE, "%s has %zu parameters, not %zu", law, want, np);
}

/* The law, if it has a force, these parameters, and its states where it wants them. */
static int take_law(const char *name, size_t np, const double p[], const struct cf_contact *pair,
                    const struct cf_law **law, struct cf_error *err)
{
    int status;

    if (cf_law_get(name, law, err))
        return CF_EUSAGE;
    if (!(*law)->force)
        return cf_fail(err, CF_EUSAGE, "%s has no force: it is e(v)", name);
    status = check_count(name, (*law)->nparam, np, err);
    if (!status)
        status = cf_param_check((*law)->param, (*law)->nparam, p, err);
    if (!status && (*law)->family == CF_FAMILY_FOUNDATION)
        status = cf_fail(err, CF_EUSAGE,
                         "%s acts on a volume of interference, not on a depth: call its row", name);
    if (!status && (*law)->nstate && !(pair && pair->state))
        status = cf_fail(err, CF_EUSAGE, "%s has %zu inner states: they are wanted", name,
                         (*law)->nstate);
    return status;
}

/* The damping of the family is the same at every depth: it is asked for once. */
static void power_forces(const struct cf_law *law, const double p[], const struct cf_contact *pair,
                         size_t n, const double depth_m[], const double rate_m_s[],
                         double force_N[])
{
    struct cf_damping damping;

    law->damping(p, pair->mass_kg, pair->approach_m_s, &damping);
    for (size_t i = 0; i < n; i++)
        force_N[i] = cf_power_force_at(law, p, damping.ratio, depth_m[i], rate_m_s[i]);
}

static void forces(const struct cf_law *law, const double p[], const struct cf_contact *pair,
                   size_t n, const double depth_m[], const double rate_m_s[], double force_N[])
{
    struct cf_contact at = *pair;

    for (size_t i = 0; i < n; i++) {
        at.depth_m = depth_m[i];
        at.rate_m_s = rate_m_s[i];
        force_N[i] = law->force(law, p, &at);
    }
}

int cf_law_force(const char *name, size_t np, const double p[], const struct cf_contact *pair,
                 size_t n, const double depth_m[], const double rate_m_s[], double force_N[],
                 struct cf_error *err)
{
    const struct cf_contact unknown = {
        .approach_m_s = (double) NAN, .mass_kg = (double) NAN, .radius_m = (double) NAN};
    const struct cf_law *law = NULL;
    int status = take_law(name, np, p, pair, &law, err);

    if (status)
        return status;
    (law->force == cf_power_force ? power_forces : forces)(law, p, pair ? pair : &unknown, n,
                                                           depth_m, rate_m_s, force_N);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(depth_m[i]) || !isfinite(rate_m_s[i]))
            force_N[i] = NAN;
    return CF_OK;
}

int cf_friction_force(const char *name, size_t np, const double p[], const struct cf_slides *at,
                      double force_N[], double rate[], struct cf_error *err)
{
    const struct cf_friction_law *law = NULL;
    int status = cf_friction_get(name, &law, err) ? CF_EUSAGE : CF_OK;

    if (!status)
        status = check_count(name, law->nparam, np, err);
    if (!status)
        status = cf_param_check(law->param, law->nparam, p, err);
    if (!status && law->nstate && !at->state)
        status = cf_fail(err, CF_EUSAGE, "%s has %zu states: they are wanted", name, law->nstate);
    if (!status && !at->depth_m && cf_friction_check_load(law, "load", err))
        status = CF_EUSAGE;
    for (size_t i = 0; i < at->n && !status; i++) {
        const double *v = &at->velocity_m_s[2 * i];
        const struct cf_slide slide = {.depth_m = at->depth_m ? at->depth_m[i] : 0,
                                       .normal_N = at->normal_N[i],
                                       .velocity_m_s = {v[0], v[1]},
                                       .state = law->nstate ? &at->state[law->nstate * i] : NULL};
        law->force(p, &slide, &force_N[2 * i], rate ? &rate[law->nstate * i] : NULL);
    }
    return status;
}
