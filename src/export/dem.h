/* What LAMMPS and LIGGGHTS share; private to src/export. */

#ifndef CF_EXPORT_DEM_H
#define CF_EXPORT_DEM_H

#include "export/target.h"

/* Bodies of several mappings, each name once: the particle types, from 1; with or
 * without the planes, which are walls. */
enum { CF_MAX_TYPE = 64 };
struct cf_types {
    size_t n;
    const struct cf_export_body *body[CF_MAX_TYPE];
};
int cf_types_collect(const struct cf_mapping *const m[], size_t n, bool planes,
                     struct cf_types *types, struct cf_error *err);
/* Type of a body by its name; 0: none. */
size_t cf_type_of(const struct cf_types *types, const struct cf_export_body *body);
/* The mapping of two types, NULL when no fit is of that pair. */
const struct cf_mapping *cf_pair_of(const struct cf_mapping *const m[], size_t n,
                                    const struct cf_types *types, size_t i, size_t j);

/* Is it hertz that is mapped, or hooke? */
bool cf_dem_hertzian(const struct cf_mapping *m);

/* The values of both: kn, the damping under its name, and friction under its name. Hertz's are by
 * R* and m*; a linear damping is by m* if asked. */
struct cf_dem_names {
    const char *damping, *friction;
    bool by_mass;
};
void cf_dem_fill(struct cf_mapping *m, const struct cf_dem_names *names);

/* `run`: the law itself by velocity Verlet. */
int cf_dem_run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err);

/* A program that reads a script. */
struct cf_script {
    const char *program; /* "lmp" */
    const char *install; /* how to get it */
    const char *input;   /* the script: it includes the export and prints the trajectory */
};

/* `prepare` and `drop` of a target with `script`, which is written to FOLDER/drop.in. */
int cf_dem_prepare(const struct cf_mapping *m, const char *folder, struct cf_error *err);
int cf_dem_drop(const struct cf_mapping *m, const struct cf_drop *drop, struct cf_seen *out,
                struct cf_error *err);

#endif
