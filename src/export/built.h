/* Targets that are libraries: a small C++ program that includes the export and drops a sphere. */

#ifndef CF_EXPORT_BUILT_H
#define CF_EXPORT_BUILT_H

#include "export/target.h"

struct cf_built {
    const char *title;   /* "ODE" */
    const char *module;  /* what pkg-config calls it, "ode" */
    const char *install; /* how to get it and the compiler */
    const char *source;  /* the program, which includes "export.h"; its arguments are radius, mass,
                            gap, speed, step, number of steps and the file of the trajectory */
};

/* `prepare` and `drop` of a target with `built`. */
int cf_built_prepare(const struct cf_mapping *m, const char *folder, struct cf_error *err);
int cf_built_drop(const struct cf_mapping *m, const struct cf_drop *drop, struct cf_seen *out,
                  struct cf_error *err);

#endif
