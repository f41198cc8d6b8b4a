/* Friction parameters as the user gives them, by name or by an alias, and the substitutes for
 * unknown ones, where these are asked for by name.
 *
 * [G07] 3.3.2 advises, without measurements: a bristle that deflects by delta_z = 0.1 mm before it
 * slips, sigma_0 = mu_s/delta_z (3.46); critical damping under its own weight, sigma_1 = 2
 * sqrt(sigma_0/g) (3.51); v_s = 1 mm/s; tau_dw = 10 tau_br, tau_br = sigma_1/sigma_0 (3.52);
 * sigma_2 = 0 at low speed. [AF10] 12, 24: a clutch has k_t = 1.5 k and d_t = lambda of the normal
 * law.
 */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/nearest.h"
#include "law/friction.h"

static const double advised_delta_z_m = 1e-4;
static const double advised_v_s_m_s = 1e-3;
static const double advised_dwell = 10; /* tau_dw over tau_br */

static const char delta_z[] = "delta_z";

static size_t find(const struct cf_friction_law *law, const char *name)
{
    return cf_param_find(law->param, law->nparam, name);
}

/* Bristles by load: sigma_0 [1/m] is mu_s over the deflection at which they slip. */
static bool leans(const struct cf_friction_law *law)
{
    size_t sigma_0 = find(law, "sigma_0");
    return sigma_0 < law->nparam && strcmp(law->param[sigma_0].unit, "1/m") == 0 &&
           find(law, "mu_s") < law->nparam;
}

size_t cf_friction_names(const struct cf_friction_law *law, const char *name[CF_MAX_PARAM + 1])
{
    size_t n = 0;

    for (; n < law->nparam; n++)
        name[n] = law->param[n].name;
    if (leans(law))
        name[n++] = delta_z;
    return n;
}

const char *cf_friction_unit(const struct cf_friction_law *law, const char *name)
{
    size_t i = find(law, name);

    if (i < law->nparam)
        return law->param[i].unit;
    return leans(law) && strcmp(name, delta_z) == 0 ? "m" : NULL;
}

static int unknown(const struct cf_friction_law *law, const char *name, struct cf_error *err)
{
    const char *words[CF_MAX_PARAM + 1];
    size_t n = cf_friction_names(law, words);
    const char *nearest = cf_nearest(name, words, n);

    if (nearest)
        return cf_fail(err, CF_EINPUT, "%s has no parameter %s: did you mean %s?", law->name, name,
                       nearest);
    return cf_fail(err, CF_EINPUT, "%s has no parameter %s: see contactfit models %s", law->name,
                   name, law->name);
}

/* Give parameter i a value that is not yet there. */
static void give(struct cf_friction_given *out, double p[], size_t i, double value,
                 enum cf_friction_origin origin)
{
    p[i] = value;
    out->origin[i] = origin;
}

static int take_names(const struct cf_friction_law *law, const struct cf_named given[], size_t n,
                      double p[], struct cf_friction_given *out, double *deflection_m,
                      struct cf_error *err)
{
    for (size_t g = 0; g < n; g++) {
        size_t i = find(law, given[g].name);
        bool spelled = leans(law) && strcmp(given[g].name, delta_z) == 0;
        if (i == law->nparam && !spelled)
            return unknown(law, given[g].name, err);
        if (spelled ? !isnan(*deflection_m) : out->origin[i] != CF_FRICTION_MISSING)
            return cf_fail(err, CF_EINPUT, "%s is given twice", given[g].name);
        if (spelled)
            *deflection_m = given[g].value;
        else
            give(out, p, i, given[g].value, CF_FRICTION_GIVEN);
    }
    return CF_OK;
}

static int spell_sigma_0(const struct cf_friction_law *law, double deflection_m, double p[],
                         struct cf_friction_given *out, enum cf_friction_origin origin,
                         struct cf_error *err)
{
    size_t sigma_0 = find(law, "sigma_0"), mu_s = find(law, "mu_s");

    if (out->origin[sigma_0] != CF_FRICTION_MISSING)
        return cf_fail(err, CF_EINPUT, "%s and sigma_0 both give sigma_0 of %s: give one of them",
                       delta_z, law->name);
    if (!(deflection_m > 0 && isfinite(deflection_m)))
        return cf_fail(err, CF_ERANGE, "%s = %.15g m: must be above 0 and finite", delta_z,
                       deflection_m);
    if (out->origin[mu_s] == CF_FRICTION_MISSING)
        return CF_OK; /* reported with all that is missing */
    give(out, p, sigma_0, p[mu_s] / deflection_m, origin);
    return CF_OK;
}

/* [AF10] 12 and 24. */
static int from_normal(const struct cf_friction_law *law, const struct cf_friction_help *help,
                       double p[], struct cf_friction_given *out, struct cf_error *err)
{
    size_t to[2] = {find(law, "k_t"), find(law, "d_t")}, from[2];
    static const char *const name[2] = {"k", "lambda"};
    static const double factor[2] = {1.5, 1};

    for (int i = 0; i < 2; i++)
        if (to[i] == law->nparam || strcmp(law->param[to[i]].unit, i ? "N s/m^1.5" : "N/m^1.5"))
            return cf_fail(err, CF_EINPUT, "%s takes nothing from the normal law: clutch does",
                           law->name);
    for (int i = 0; i < 2; i++) {
        const struct cf_law *normal = help->normal;
        if (out->origin[to[i]] != CF_FRICTION_MISSING)
            continue;
        from[i] = normal ? cf_param_find(normal->param, normal->nparam, name[i]) : 0;
        if (!normal || from[i] == normal->nparam ||
            strcmp(normal->param[from[i]].unit, law->param[to[i]].unit))
            return cf_fail(err, CF_EINPUT,
                           "%s of %s cannot come from the normal law%s%s, which has no %s [%s]",
                           law->param[to[i]].name, law->name, normal ? " " : "",
                           normal ? normal->name : "", name[i], law->param[to[i]].unit);
        give(out, p, to[i], factor[i] * help->normal_p[from[i]], CF_FRICTION_FROM_NORMAL);
    }
    return CF_OK;
}

/* Give by name, where the law has it and it is missing. */
static void assume(const struct cf_friction_law *law, const char *name, double value, double p[],
                   struct cf_friction_given *out)
{
    size_t i = find(law, name);
    if (i < law->nparam && out->origin[i] == CF_FRICTION_MISSING)
        give(out, p, i, value, CF_FRICTION_ASSUMED);
}

/* [G07] 3.3.2. */
static int assume_gonthier(const struct cf_friction_law *law, const struct cf_friction_help *help,
                           double p[], struct cf_friction_given *out, struct cf_error *err)
{
    double g = help->gravity_m_s2;
    size_t sigma_0 = find(law, "sigma_0");
    int status = CF_OK;

    if (!leans(law))
        return cf_fail(err, CF_EINPUT, "%s has no advised values: bristle has", law->name);
    if (!(g > 0 && isfinite(g)))
        return cf_fail(err, CF_ERANGE,
                       "the values that Gonthier 2007 advises depend on gravity, which is %g m/s^2 "
                       "here",
                       g);
    if (out->origin[sigma_0] == CF_FRICTION_MISSING)
        status = spell_sigma_0(law, advised_delta_z_m, p, out, CF_FRICTION_ASSUMED, err);
    if (status || out->origin[sigma_0] == CF_FRICTION_MISSING)
        return status;
    assume(law, "sigma_1", 2 * sqrt(p[sigma_0] / g), p, out);
    assume(law, "sigma_2", 0, p, out);
    assume(law, "v_s", advised_v_s_m_s, p, out);
    size_t sigma_1 = find(law, "sigma_1");
    if (sigma_1 < law->nparam) /* tau_br = sigma_1/sigma_0 */
        assume(law, "tau_dw", advised_dwell * p[sigma_1] / p[sigma_0], p, out);
    return CF_OK;
}

/* All that is missing, in one message. */
static int check_complete(const struct cf_friction_law *law, const struct cf_friction_given *out,
                          struct cf_error *err)
{
    char list[600] = "";
    size_t used = 0, n = 0;

    for (size_t i = 0; i < law->nparam; i++)
        if (out->origin[i] == CF_FRICTION_MISSING && used < sizeof list)
            used += (size_t) snprintf(list + used, sizeof list - used, "%s%s [%s] (%s)",
                                      n++ ? ", " : "", law->param[i].name, law->param[i].unit,
                                      law->param[i].what);
    return n ? cf_fail(err, CF_EINPUT, "%s needs %s", law->name, list) : CF_OK;
}

int cf_friction_params(const struct cf_friction_law *law, const struct cf_named given[], size_t n,
                       const struct cf_friction_help *help, double p[],
                       struct cf_friction_given *out, struct cf_error *err)
{
    double deflection_m = (double) NAN;
    int status;

    *out = (struct cf_friction_given){{CF_FRICTION_MISSING}};
    for (size_t i = 0; i < law->nparam; i++)
        p[i] = (double) NAN;
    status = take_names(law, given, n, p, out, &deflection_m, err);
    if (status == CF_OK && !isnan(deflection_m))
        status = spell_sigma_0(law, deflection_m, p, out, CF_FRICTION_GIVEN, err);
    if (status == CF_OK && help && help->from_normal)
        status = from_normal(law, help, p, out, err);
    if (status == CF_OK && help && help->assume)
        status = assume_gonthier(law, help, p, out, err);
    if (status == CF_OK)
        status = check_complete(law, out, err);
    return status == CF_OK ? cf_param_check(law->param, law->nparam, p, err) : status;
}
