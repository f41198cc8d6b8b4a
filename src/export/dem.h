/* What LAMMPS and LIGGGHTS share; private to src/export. */

#ifndef CF_EXPORT_DEM_H
#define CF_EXPORT_DEM_H

#include "export/target.h"

/* The particle types of several mappings, from 1: a named material once, and each body without one.
 * Fails where two fits are of
 * the same pair of types and want different values. */
enum { CF_MAX_TYPE = 64 };
enum cf_planes {
    CF_PLANES_LEFT_OUT,
    CF_PLANES_OWN,  /* types of their own */
    CF_PLANES_ALIKE /* of the type of their material, as grains are */
};
struct cf_types {
    enum cf_planes planes;
    size_t n;
    const struct cf_export_body *body[CF_MAX_TYPE]; /* the first of each */
    bool moves[CF_MAX_TYPE];                        /* does any body of it? */
};
int cf_types_collect(const struct cf_mapping *const m[], size_t n, enum cf_planes planes,
                     struct cf_types *types, struct cf_error *err);
/* Type of a body; 0: none. */
size_t cf_type_of(const struct cf_types *types, const struct cf_export_body *body);
/* The mapping of two types, NULL when no fit is of that pair. */
const struct cf_mapping *cf_pair_of(const struct cf_mapping *const m[], size_t n,
                                    const struct cf_types *types, size_t i, size_t j);

/* Is it hertz that is mapped, or hooke? */
bool cf_dem_hertzian(const struct cf_mapping *m);

/* `run`: the law itself by velocity Verlet. */
int cf_dem_run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err);

/* A program that reads a script, and its words. */
struct cf_script {
    const char *program; /* "lmp" */
    const char *install; /* how to get it */
    const char *input;   /* the script: it includes the export and prints the trajectory */
    const char *damping, *friction, *along; /* names of values; along: damping along the surface */
    bool by_mass;                           /* a linear damping is by m*, as those of Hertz are */
    double least_e; /* of a restitution: coefficients above it can be written */
};

/* Which laws there are: what is said of hertz, which is by m* and R*, and of hooke, which is by m*
 * or not. */
enum cf_exactness cf_dem_exactness(const struct cf_law *law, const char *hertz, const char *hooke,
                                   enum cf_exactness of_hooke, const char **why);

/* Of targets that take a coefficient of restitution on a Hertz spring, which show another e where
 * the contact never pulls: `exactness`; `run`, Tsuji's law with that e, refused where no
 * coefficient above script->least_e has it; and the coefficient that shows the e of the twin. */
enum cf_exactness cf_constant_e_exactness(const struct cf_law *law, const char **why);
int cf_constant_e_run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err);
double cf_constant_e_coefficient(const struct cf_mapping *m);

/* `fill` of a target with `script`: kn, the damping and the friction under their names. */
int cf_dem_fill(struct cf_mapping *m, struct cf_error *err);

/* kt of a tangential spring as stiff as the normal one. */
double cf_dem_patch_kt(const struct cf_mapping *m);

/* What type i is called. */
const char *cf_type_name(const struct cf_types *types, size_t i);

/* The heads of the mappings, and which type is which material or body. */
void cf_dem_head(const struct cf_mapping *const m[], size_t n, const struct cf_types *types,
                 FILE *out);

/* `prepare` and `drop` of a target with `script`, which is written to FOLDER/drop.in. */
int cf_dem_prepare(const struct cf_mapping *m, const char *folder, struct cf_error *err);
int cf_dem_drop(const struct cf_mapping *m, const struct cf_drop *drop, struct cf_seen *out,
                struct cf_error *err);

/* What both rows say alike. */
#define CF_DEM                                                                                     \
    .comment = {"# ", ""}, .by_type = true, .needs = CF_NEEDS_MASS | CF_NEEDS_RADIUS,              \
    .takes = CF_TAKES_MU_C | CF_TAKES_KAPPA | CF_TAKES_D_T,                                        \
    .approximate = cf_laws_damped_by_patch, .run = cf_dem_run, .fill = cf_dem_fill,                \
    .prepare = cf_dem_prepare, .drop = cf_dem_drop, .tolerance_e = 1e-5
#define CF_DEM_CONSTANT_E                                                                          \
    .comment = {"# ", ""}, .by_type = true, .spring = true,                                        \
    .needs = CF_NEEDS_MASS | CF_NEEDS_RADIUS, .takes = CF_TAKES_MU_C | CF_TAKES_KAPPA,             \
    .exactness = cf_constant_e_exactness, .run = cf_constant_e_run, .drop = cf_dem_drop,           \
    .tolerance_e = 1e-5

#endif
