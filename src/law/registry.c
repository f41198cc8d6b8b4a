/* The table of laws, and finding one by name. */

#include <string.h>

#include "core/nearest.h"
#include "law/friction.h"
#include "law/rows.h"

const struct cf_law *const cf_laws[] = {
    &cf_azad_featherstone,
    &cf_hunt_crossley,
    &cf_lee_wang,
    &cf_tsuji,
    &cf_linear,
    &cf_gonthier,
    &cf_hunt_crossley_e,
    &cf_lankarani_nikravesh,
    &cf_herbert_mcwhannell,
    &cf_hu_guo,
    &cf_flores,
    &cf_power,
    &cf_two_body,
    &cf_recovering,
    &cf_exponential,
    &cf_winkler,
    &cf_gonthier_volumetric,
    &cf_e_constant,
    &cf_e_linear,
    &cf_e_log,
    &cf_e_power,
    &cf_e_thornton,
    &cf_mu_coulomb,
    &cf_mu_viscous,
    &cf_mu_stribeck,
    &cf_mu_stribeck_exponential,
    &cf_mu_stribeck_free,
    &cf_mu_drake,
    &cf_mu_power_viscous,
    &cf_mu_tanh,
    &cf_f_coulomb,
    &cf_f_viscous,
    &cf_f_stribeck,
    &cf_f_stribeck_exponential,
    &cf_f_stribeck_free,
    &cf_f_drake,
    &cf_f_power_viscous,
    &cf_f_tanh,
    &cf_t_coulomb,
    &cf_t_viscous,
    &cf_t_stribeck,
    &cf_t_stribeck_exponential,
    &cf_t_stribeck_free,
    &cf_t_drake,
    &cf_t_power_viscous,
    &cf_t_tanh,
    NULL,
};

enum { NLAW = sizeof cf_laws / sizeof cf_laws[0] - 1 };

/* Laws go by their authors' names, too, where several have found the same one. */
static const struct {
    const char *name, *law;
} other_names[] = {
    {"kuwabara-kono", "azad-featherstone"},
    {"brilliantov", "azad-featherstone"},
    {"kelvin-voigt", "linear"},
    {"cundall-strack", "linear"},
    {"tsuji-tanaka-ishida", "tsuji"},
    {"marhefka-orin", "hunt-crossley"},
};

const struct cf_law *cf_law_normal(const struct cf_law *law)
{
    if (law->family == CF_FAMILY_TANGENTIAL)
        return NULL;
    return law->normal ? law->normal : law;
}

size_t cf_law_friction_from(const struct cf_law *law)
{
    return law->friction ? law->nparam - law->friction->nparam : law->nparam;
}

bool cf_law_is_slow(const struct cf_law *law)
{
    return law->regular || (law->friction && !law->friction->impulse);
}

const char *cf_law_proper_name(const char *name)
{
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (strcmp(other_names[i].name, name) == 0)
            return other_names[i].law;
    return name;
}

const struct cf_law *cf_law_find(const char *name)
{
    const struct cf_law *const *law = cf_laws;

    name = cf_law_proper_name(name);
    while (*law && strcmp((*law)->name, name) != 0)
        law++;
    return *law;
}

int cf_law_get(const char *name, const struct cf_law **law, struct cf_error *err)
{
    const char *names[NLAW];
    char hint[CF_HINT];

    *law = cf_law_find(name);
    if (*law)
        return CF_OK;
    for (size_t i = 0; i < NLAW; i++)
        names[i] = cf_laws[i]->name;
    cf_nearest_hint(name, names, NLAW, hint);
    return cf_fail(err, CF_EINPUT, "unknown law %s: %s", name, hint);
}
