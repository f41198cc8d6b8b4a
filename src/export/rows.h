/* The rows of the targets; private to src/export. */

#ifndef CF_EXPORT_ROWS_H
#define CF_EXPORT_ROWS_H

#include "export/target.h"

extern const struct cf_target cf_target_bullet;
extern const struct cf_target cf_target_csv;
extern const struct cf_target cf_target_json;
extern const struct cf_target cf_target_latex;
extern const struct cf_target cf_target_lammps;
extern const struct cf_target cf_target_liggghts;
extern const struct cf_target cf_target_mujoco;
extern const struct cf_target cf_target_ode;
extern const struct cf_target cf_target_ode_bounce;
extern const struct cf_target cf_target_simbody;

#endif
