/* The rows of the targets; private to src/export. */

#ifndef CF_EXPORT_ROWS_H
#define CF_EXPORT_ROWS_H

#include "export/target.h"

extern const struct cf_target cf_target_bullet;
extern const struct cf_target cf_target_c_header;
extern const struct cf_target cf_target_chrono;
extern const struct cf_target cf_target_chrono_json;
extern const struct cf_target cf_target_csv;
extern const struct cf_target cf_target_dart;
extern const struct cf_target cf_target_drake;
extern const struct cf_target cf_target_drake_hydroelastic;
extern const struct cf_target cf_target_drake_hydroelastic_sdf;
extern const struct cf_target cf_target_drake_sap;
extern const struct cf_target cf_target_drake_sap_sdf;
extern const struct cf_target cf_target_drake_sap_yaml;
extern const struct cf_target cf_target_drake_sdf;
extern const struct cf_target cf_target_drake_yaml;
extern const struct cf_target cf_target_esys;
extern const struct cf_target cf_target_foundation;
extern const struct cf_target cf_target_gazebo;
extern const struct cf_target cf_target_gz;
extern const struct cf_target cf_target_javascript;
extern const struct cf_target cf_target_json;
extern const struct cf_target cf_target_lammps;
extern const struct cf_target cf_target_lammps_restitution;
extern const struct cf_target cf_target_latex;
extern const struct cf_target cf_target_liggghts;
extern const struct cf_target cf_target_liggghts_restitution;
extern const struct cf_target cf_target_mercury;
extern const struct cf_target cf_target_mujoco;
extern const struct cf_target cf_target_ode;
extern const struct cf_target cf_target_ode_bounce;
extern const struct cf_target cf_target_physx;
extern const struct cf_target cf_target_python;
extern const struct cf_target cf_target_simbody;
extern const struct cf_target cf_target_simbody_csv;
extern const struct cf_target cf_target_urdf;
extern const struct cf_target cf_target_yade;

#endif
