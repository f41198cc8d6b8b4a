/* What a fit says of one pair of bodies, as exports need it. */

#ifndef CF_EXPORT_MATERIAL_H
#define CF_EXPORT_MATERIAL_H

#include <jansson.h>
#include <stdbool.h>

#include "export/e_rows.h"
#include "impact/impact.h"
#include "law/friction.h"
#include "law/law.h"

enum { CF_NAME = 64 };

/* One of the two bodies. */
struct cf_export_body {
    char name[CF_NAME];     /* printable: cf_show() has been over it */
    char material[CF_NAME]; /* also; "": not named */
    bool plane;
    bool fixed;
    double mass_kg;  /* INFINITY: fixed; NAN: not known */
    double radius_m; /* INFINITY: a plane; NAN: not known */
};

/* Confidence band of e(v), as the fit file gives it. */
struct cf_band {
    size_t n;
    double *speed_m_s, *low, *high; /* ascending speeds */
};

/* Friction and foundation: NAN where not known. */
struct cf_tangential {
    double mu_S;    /* static */
    double mu_C;    /* kinetic */
    double v_S;     /* Stribeck speed [m/s] */
    double sigma_2; /* viscous [s/m] */
    double kv;      /* Winkler, hydroelastic [N/m^3] */
    double kappa;   /* stiffness along the surface over that along the normal */
    double d_t;     /* damping along the surface, in the unit of the normal law's lambda */
    double v_t;     /* where friction that rises by a quintic step has its peak [m/s] */
};
extern const struct cf_tangential cf_tangential_unknown;
/* v_t, or that of the steps that are nearest to a Stribeck curve; NAN: neither is known. */
double cf_tangential_peak(const struct cf_tangential *t);

/* Friction over slip speed, of a fit of slides. */
struct cf_friction_known {
    const struct cf_law *law; /* a friction curve; NULL: none */
    double p[CF_MAX_PARAM];
    double low, high;    /* speeds that were fitted, of either direction, in the unit of the law */
    double dry, viscous; /* a joint's, where it is one of a joint */
    char name[CF_NAME], file[CF_NAME];
    char sha256[65];
};

/* What friction over speed is in a target that has another form for it. */
struct cf_friction_loss {
    const char *form; /* "one constant"; NULL: friction is no curve here */
    double error;     /* largest difference over the fitted speeds, in the curve's unit */
    double share, at; /* of the friction there, and the speed */
};

struct cf_material {
    char name[CF_NAME];    /* of the fit; printable */
    char file[CF_NAME];    /* the fit file's base name; printable */
    char sha256[65];       /* of that file; "" when given by hand */
    char verdict[CF_NAME]; /* "good", "weak", ... */
    bool trusted;
    bool partly_known; /* not trusted, but what its data identify can be used: e, by only_e */
    bool by_curve;     /* and that because e(v) is adequate for what the study needs, where it was
                        * measured, of this pair alone */
    size_t nreference;
    struct cf_reference *reference;   /* of the fit's curves */
    const struct cf_reference *curve; /* that of e(v); NULL: there is none */
    struct cf_e_table smooth;         /* and its rows, where they are wanted in place of the law */

    const struct cf_law *law;
    double p[CF_MAX_PARAM];
    double low[CF_MAX_PARAM], high[CF_MAX_PARAM]; /* interval; NAN where there is none */
    bool identified[CF_MAX_PARAM];                /* by the data; false: flat or dead */
    double level;                                 /* of the intervals, 0.95 */

    /* where a foundation was fitted and the target has one (target.h): its law; NULL: none */
    const struct cf_law *foundation;
    bool foundation_identified; /* its kv, which is tangential.kv */

    double mass_kg, radius_m; /* effective, m* and R*; NAN: not known; R* INFINITY: two planes */
    double fitted_radius_m;   /* R* of the fit, where radius_m is another; NAN: it is not */
    double fitted_mass_kg;    /* m* of the fit, where mass_kg is another; NAN: it is not */
    struct cf_export_body body[2];
    double speed_low_m_s, speed_high_m_s; /* of the fitted rows; NAN: no speeds */
    struct cf_band band;                  /* n = 0: none */
    struct cf_tangential tangential;

    /* of a fit of impacts at an angle; NULL: no friction was fitted */
    const struct cf_friction_law *friction;
    double friction_p[CF_MAX_PARAM]; /* NAN: not known */
    bool friction_identified[CF_MAX_PARAM];

    struct cf_friction_known slide; /* of a fit of slides: alone, or beside one of impacts */
    struct cf_friction_loss loss;   /* and what the target makes of it */
};

/* Everything NAN and "", so that what is not set later is not known. */
void cf_material_clear(struct cf_material *material);

/* From a fit file that cf_fit_file_read() has checked; `path` and sha256 are kept for provenance.
 * Nothing is left to free on failure; else cf_material_free() the parts. */
int cf_material_read(const json_t *fit, const char *path, const char *sha256,
                     struct cf_material *out, struct cf_error *err);
void cf_material_free(struct cf_material *material);
/* Take from a copy what the material that it was copied from owns. */
void cf_material_unlink(struct cf_material *copy);

/* Is it a fit of slides, friction and no normal force? */
bool cf_material_is_friction(const struct cf_material *material);
/* The friction of a fit of impacts at an angle: out->tangential and out->friction. */
void cf_material_read_friction(const json_t *fit, const struct cf_friction_law *friction,
                               struct cf_material *out);
/* Is parameter i of its friction law known, not 0, and in no place of out->tangential? */
bool cf_material_is_left(const struct cf_material *material, size_t i);
/* That of a fit of slides, whose law and parameters have been read: out->slide. */
void cf_material_read_slide(const json_t *fit, struct cf_material *out);

/* The same materials at another effective radius, as law/radius.h has it: parameters and their
 * intervals scale, and where any does, there is no band of e any more. A fit without a radius gets
 * this one and nothing else changes. */
int cf_material_at_radius(struct cf_material *material, double radius_m, struct cf_error *err);

/* The same materials at another effective mass: the parameters stay, and what depends on m* is
 * the law's there. The band of e, which is of the fitted mass, stays only where the law's e depends
 * on no mass; formulas for e know none, and theirs goes. A fit without a mass gets this one and
 * nothing else changes. */
void cf_material_at_mass(struct cf_material *material, double mass_kg);

/* The smoothed measurements in place of the law's e, and their limits in place of its band.
 * CF_EINPUT: the fit has none, or is asked about other bodies. */
int cf_material_smooth(struct cf_material *material, bool monotone, struct cf_error *err);

/* The fit's interval of e at a speed, log-linear between the points of its band; false outside it
 * or where there is none. */
bool cf_material_band(const struct cf_material *material, double speed_m_s, double *low,
                      double *high);

/* The same name and the same size: names like "ball" come back in other studies. */
bool cf_export_same_body(const struct cf_export_body *a, const struct cf_export_body *b);
/* The same for tables by material: one material, by name, and both solid or both planes; where
 * neither has one, the same body. */
bool cf_export_same_type(const struct cf_export_body *a, const struct cf_export_body *b);
/* Two bodies of one named material, whatever their shapes. */
bool cf_export_same_material(const struct cf_export_body *a, const struct cf_export_body *b);
/* What a table calls a body: its material, or where it has none, or is a plane, its name. */
const char *cf_export_type_name(const struct cf_export_body *body);
/* The two bodies of a fit, in whatever order. */
bool cf_export_is_pair(const struct cf_material *material, const struct cf_export_body *a,
                       const struct cf_export_body *b);
bool cf_export_same_pair(const struct cf_material *a, const struct cf_material *b);

/* Two solid spheres of known radii? Not planes, hollow spheres or bodies of no stated shape. */
bool cf_export_two_spheres(const struct cf_material *material);

/* The one speed that stands for the fitted range, its geometric mean; NAN: no range. */
double cf_material_middle_speed(const struct cf_material *material);

#endif
