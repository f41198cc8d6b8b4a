/* Estimates of hydroelastic contact: the force f = kv V of an elastic foundation, kv its stiffness
 * per area, over the volume V in which two undeformed bodies overlap when pressed together by a
 * depth x. Drake, "Hydroelastic contact: estimating the modulus"; the law is Gonthier 2007, 4.3.
 *
 * Of each shape there are two answers: Drake's closed form, V = c x^power, to leading order in the
 * depth, and that by the exact overlap volume (volume.h, pairs.h). Between a sphere and a
 * half-space they differ by x/(3 R) of the force; of cylinder and cone they are the same.
 *
 * A body of modulus E on a foundation H thick has kv = E/H, two bodies 1/kv = 1/kv_1 + 1/kv_2
 * [G07] 4.132; H of each shape is the depth over which Drake's pressure field falls off. The
 * modulus is no Young's modulus: both are pressures, and one guides a guess of the other. Forces
 * are positive in compression. Functions allocate nothing and keep nothing.
 */

#ifndef CF_VOLUME_HYDROELASTIC_H
#define CF_VOLUME_HYDROELASTIC_H

#include <stdbool.h>
#include <stddef.h>

#include "core/param.h"
#include "core/status.h"

enum { CF_HYDROELASTIC_SIZES = 2 };

/* A shape on a half-space, or two bodies of it. */
struct cf_hydroelastic {
    const char *name;    /* "hydroelastic-sphere" */
    const char *what;    /* one line */
    const char *formula; /* of the force, closed form */
    const char *cite;
    size_t nsize;  /* the first of param are sizes, in the order of size[] below; */
    size_t nparam; /* behind them is what the stiffness may be given by, see below */
    const struct cf_param *param;
    bool pair;           /* both bodies are of the shape, and have a modulus */
    const char *deepest; /* what the greatest depth is: "the radius of the sphere" */
    double power;        /* of the depth, in the closed form of V */

    double (*coefficient)(const double size[]);         /* c, V = c x^power */
    double (*thickness)(const double size[], int body); /* H of body 0, and of body 1 of a pair */
    double (*limit)(const double size[]); /* the greatest depth: here the shape ends */
    /* The depth at which the contact has the radius a, by the closed form; NULL: it has one radius
     * at every depth. */
    double (*depth_of_radius)(const double size[], double a);
    /* The exact V at a depth within the limit, and its derivative, the area of contact. */
    int (*exact)(const double size[], double depth_m, double *volume_m3, double *area_m2,
                 struct cf_error *err);
};

/* NULL-terminated; the order is the order of help. */
extern const struct cf_hydroelastic *const cf_hydroelastic_shapes[];

/* NULL when unknown. */
const struct cf_hydroelastic *cf_hydroelastic_find(const char *name);

/* CF_ERANGE where a size is out of its range, as a half-apex angle of 0 or of 90 deg. */
int cf_hydroelastic_check(const struct cf_hydroelastic *shape, const double size[],
                          struct cf_error *err);

/* What a stiffness is given by, as NAN where it is not. Body 1 (index 1) is what the shape meets: a
 * half-space, or the second body of a pair. */
struct cf_hydroelastic_stiffness {
    double kv_N_m3;
    double modulus_Pa[2], thickness_m[2];
};

/* Complete it: the thickness of a shape's foundation, where a modulus has none, is its own; kv
 * follows of modulus over thickness; and modulus_Pa[0] of kv where the other body is rigid, as it
 * is where it has no modulus. CF_ERANGE: a value out of range. CF_EINPUT: neither kv nor a modulus;
 * kv beside moduli of which it is not the stiffness, to 1e-3; a thickness without its modulus; a
 * half-space with a modulus, whose thickness follows from nothing; a pair of which one has no
 * modulus. */
int cf_hydroelastic_stiffness(const struct cf_hydroelastic *shape, const double size[],
                              struct cf_hydroelastic_stiffness *stiffness, struct cf_error *err);

/* One contact. */
struct cf_hydroelastic_contact {
    double depth_m, volume_m3, force_N;
};

enum { CF_HYDROELASTIC_CLOSED, CF_HYDROELASTIC_EXACT, CF_HYDROELASTIC_NFORM };

/* Volume and force of a depth, and volume and depth under a force, by both forms. CF_ERANGE: kv not
 * above 0, a depth or force below 0, and a depth beyond the limit, or a force under which it is.
 * CF_ESOLVE: the depth was not found to rounding. */
int cf_hydroelastic_at(const struct cf_hydroelastic *shape, const double size[], double kv_N_m3,
                       double depth_m, struct cf_hydroelastic_contact out[CF_HYDROELASTIC_NFORM],
                       struct cf_error *err);
int cf_hydroelastic_under(const struct cf_hydroelastic *shape, const double size[], double kv_N_m3,
                          double force_N, struct cf_hydroelastic_contact out[CF_HYDROELASTIC_NFORM],
                          struct cf_error *err);

/* kv of a measured force at a measured depth, by the exact volume. CF_ERANGE: one is not above 0,
 * or the depth is beyond the limit. */
int cf_hydroelastic_kv_of_depth(const struct cf_hydroelastic *shape, const double size[],
                                double force_N, double depth_m, double *kv_N_m3,
                                struct cf_error *err);

/* kv for a contact of this radius under a force, by the closed form: of a sphere 4 f R/(pi a^4).
 * CF_ERANGE: one is not above 0, the depth is beyond the limit, or the shape's contact has one
 * radius at every depth. */
int cf_hydroelastic_kv_of_radius(const struct cf_hydroelastic *shape, const double size[],
                                 double force_N, double radius_m, double *kv_N_m3,
                                 struct cf_error *err);

#endif
