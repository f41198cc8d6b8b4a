/* The table of targets, and finding one by name. */

#include <string.h>

#include "core/nearest.h"
#include "core/text.h"
#include "export/elsewhere.h"
#include "export/rows.h"

const struct cf_target *const cf_targets[] = {
    &cf_target_csv,
    &cf_target_json,
    &cf_target_latex,
    &cf_target_c_header,
    &cf_target_python,
    &cf_target_javascript,
    &cf_target_mujoco,
    &cf_target_drake,
    &cf_target_drake_sap,
    &cf_target_drake_hydroelastic,
    &cf_target_drake_sdf,
    &cf_target_drake_sap_sdf,
    &cf_target_drake_hydroelastic_sdf,
    &cf_target_drake_yaml,
    &cf_target_drake_sap_yaml,
    &cf_target_simbody,
    &cf_target_simbody_csv,
    &cf_target_foundation,
    &cf_target_gazebo,
    &cf_target_gz,
    &cf_target_urdf,
    &cf_target_bullet,
    &cf_target_ode,
    &cf_target_ode_bounce,
    &cf_target_dart,
    &cf_target_physx,
    &cf_target_lammps,
    &cf_target_lammps_restitution,
    &cf_target_liggghts,
    &cf_target_liggghts_restitution,
    &cf_target_yade,
    &cf_target_esys,
    &cf_target_mercury,
    &cf_target_chrono,
    &cf_target_chrono_json,
    NULL,
};

enum { NTARGET = sizeof cf_targets / sizeof cf_targets[0] - 1 };

int cf_target_get(const char *name, const struct cf_target **target, struct cf_error *err)
{
    const char *names[NTARGET];
    const char *title, *what;
    char hint[CF_HINT], shown[CF_SHOWN];

    for (size_t i = 0; i < NTARGET; i++) {
        names[i] = cf_targets[i]->name;
        if (strcmp(names[i], name) == 0) {
            *target = cf_targets[i];
            return CF_OK;
        }
    }
    if (cf_elsewhere(name, &title, &what))
        return cf_fail(
            err, CF_EUSAGE,
            "--to: nothing is written for %s itself: --to csv, or latex, has the numbers "
            "to enter there: %s",
            title, what);
    cf_nearest_hint(name, names, NTARGET, hint);
    return cf_fail(err, CF_EUSAGE, "--to: unknown target \"%s\": %s", cf_show(name, shown), hint);
}

void cf_export_by_pair(char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (const struct cf_target *const *t = cf_targets; *t && used < size; t++)
        if ((*t)->by_pair)
            used +=
                (size_t) snprintf(text + used, size - used, "%s%s", used ? ", " : "", (*t)->name);
}
