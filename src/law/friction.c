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

bool cf_friction_takes_load(const struct cf_friction_law *law)
{
    return law->needs < CF_NEEDS_DEPTH;
}

int cf_friction_check_load(const struct cf_friction_law *law, const char *where,
                           struct cf_error *err)
{
    const char *names[NLAW];
    char hint[CF_HINT];
    size_t n = 0;

    if (cf_friction_takes_load(law))
        return CF_OK;
    for (size_t i = 0; i < NLAW; i++)
        if (cf_friction_takes_load(cf_friction_laws[i]))
            names[n++] = cf_friction_laws[i]->name;
    cf_nearest_hint(law->name, names, n, hint);
    return cf_fail(err, CF_EINPUT,
                   "friction %s needs the %s beside the load, and a %s has none: %s", law->name,
                   law->needs == CF_NEEDS_DEPTH ? "depth of indentation" : "width of the patch",
                   where, hint);
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
