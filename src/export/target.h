/* Targets of an export: a row and a file each.
 *
 * To add one, write one file that defines a `const struct cf_target` and list it in rows.h and
 * registry.c: help, errors, predictions, man-page checks and `--verify` read the row.
 *
 * The way of an export, cf_export_map(): does the target take this law at all (`exactness`)? Is
 * everything there that it `needs`? Then `run` says what the target will integrate, its twin; the
 * twin's damping is compensated for the step where that helps; and `fill` turns the twin into the
 * target's own parameters, with its units, for the pair and for each body by the target's pair
 * rule. `write` prints one or many mappings as the target's own text. Comments at its head, the
 * same for all targets, are cf_export_head()'s.
 */

#ifndef CF_EXPORT_TARGET_H
#define CF_EXPORT_TARGET_H

#include <stdio.h>

#include "export/convert.h"
#include "export/material.h"
#include "export/twin.h"

enum cf_exactness {
    CF_EXACTNESS_LAW, /* the fitted law, for bodies of any mass and radius of this material */
    CF_EXACTNESS_LAW_RADIUS, /* the fitted law for any mass, with coefficients that belong to this
                              * R*
                              */
    CF_EXACTNESS_LAW_HERE,   /* the fitted law, with coefficients that belong to this m* and R* */
    CF_EXACTNESS_E, /* the fitted e at every speed; depth and duration at the design speed only */
    CF_EXACTNESS_SOFT,    /* the fitted e at every speed; depth and duration given up, for a step */
    CF_EXACTNESS_E_ALONE, /* the fitted e at every speed; the target has no depth and no duration */
    CF_EXACTNESS_CONSTANT_E, /* e of the design speed at every speed */
    CF_EXACTNESS_NEAREST,    /* of friction alone: the nearest that the target's form of it has */
    CF_EXACTNESS_NONE        /* the target has no such law; an approximation may be asked for */
};

/* What the user asks. */
struct cf_question {
    double speed_m_s;                /* design speed */
    double dt_s;                     /* step of the target; NAN: not given */
    double slowest_m_s, fastest_m_s; /* speeds over which e is held; NAN: those that were fitted */
    enum cf_keep keep;
    bool plain;            /* do not compensate the damping for the step */
    bool smooth, monotone; /* the smoothed measurements in place of the law's e; sorted */
    double bound_e;        /* error of e that is still good; NAN: cf_usual_bound */
    /* Along the approach. 0, or NAN: e is held without; of CF_KEEP_STEP, whose soft contact lasts
     * long enough to feel it, what standard gravity does is said. */
    double gravity_m_s2;
    bool settings;   /* the text sets what of the engine is in the contact's way */
    bool any_depth;  /* as if bodies were as large as their contact is deep */
    bool only_good;  /* nothing is told but whether it is good */
    unsigned points; /* that touch at once, and share a spring of a point; 0 or 1: one */
    /* Pairs "BODY,BODY", in either order, that no fit is of and that may pass through each other
     * in a target that sets every pair; any_missing: all may, as where one ball drops. */
    const char **missing;
    size_t nmissing;
    bool any_missing;
};

enum cf_whose { CF_OF_PAIR, CF_OF_BODY_1, CF_OF_BODY_2, CF_OF_BOTH, CF_OF_SCENE };

/* One parameter of the target, in its own words. */
struct cf_value {
    char name[48];    /* "solref[0]" */
    const char *unit; /* "1/s^2"; "1" for a pure number */
    double value;     /* INFINITY: rigid; how that is written is the target's business */
    enum cf_whose whose;
    const char *what; /* one line */
};
enum { CF_WHY = 256 };

/* What will be seen, and whether that is good enough. */
struct cf_outlook {
    double e_fit, e_low, e_high; /* at the design speed, with the fit's interval; NAN: none */
    double bound_e;              /* what an error of e is held against */
    double e_target;             /* of the target at fine steps, at the design speed */
    /* Over the speeds of the question, or those that were fitted; NAN: the design speed alone. */
    double slowest_m_s, fastest_m_s;
    double range_error, range_speed_m_s; /* largest |e_target - e_fit| over them */
    /* Peak depth and duration of the target at fine steps, by those of the fit, least and largest
     * over these speeds; NAN: one of the two has none. */
    double depth_low, depth_high, duration_low, duration_high;
    bool stepped;            /* a step was given and the target's e depends on it */
    struct cf_spread spread; /* at that step, with the damping that is exported */
    bool rounded;            /* it counts what single precision does */
    struct cf_spread plain;  /* the same without compensation */
    struct cf_miss miss;     /* over the speeds above, at that step */
    double largest_dt_s;     /* that keeps the bound there; INFINITY: any; 0: none does */
    /* CF_KEEP_STEP: the same under standard gravity, where the question has none. */
    struct cf_miss heavy;
    double deepest_m; /* of the target, at the fastest of the speeds; NAN: no depth */
    /* A step was given, and no twin tells what the target makes of e there. */
    bool unpredicted;
    bool good;
    char reason[CF_WHY]; /* why it is not */
};

struct cf_target;

struct cf_mapping {
    const struct cf_target *target;
    const struct cf_material *material;
    struct cf_question question;

    /* the law that is mapped: the fit's, or one that stands for it */
    const struct cf_law *law;
    double p[CF_MAX_PARAM];
    bool approximated;
    double approximation_error; /* of e, largest over the fitted range */

    enum cf_exactness exactness;
    const char *why; /* one line to the exactness */
    struct cf_twin twin;
    double depth_m;  /* of the design speed, where `run` asks for it */
    unsigned beyond; /* of what the target takes, what is out of the range that it can have there */
    bool compensated, compensable; /* changed for the step; could be */
    double plain_damping;          /* before that */
    /* What CF_KEEP_STEP made of the stiffness and of the damping; 1 where it made nothing. */
    double softened, softened_damping;
    size_t nvalue;
    struct cf_value *value;
    bool failed; /* there was no memory for a value */
    struct cf_outlook prediction;
};

/* The error of e that is still good where the user states none: about what single drops of one pair
 * scatter by, and what is seen as wrong in a simulation. It is the same for every fit: one that is
 * better known is not harder to serve. */
extern const double cf_usual_bound;

/* The one speed that stands for those over which e is held, their geometric mean; NAN: there are
 * none. */
double cf_export_middle_speed(const struct cf_question *question,
                              const struct cf_material *material);

/* A drop that `--verify` asks for: a sphere of m* and R* from a small gap onto a plane, or what is
 * the same to the target (two spheres of twice R*, where it tells spheres from a plane), without
 * gravity unless the target cannot do without. */
struct cf_drop {
    double speed_m_s, dt_s, gap_m;
    long steps;         /* enough for the contact to end */
    const char *folder; /* a temporary one, to write and run in */
    double timeout_s;   /* of one run */
};

enum { CF_NEEDS_MASS = 1, CF_NEEDS_RADIUS = 2 };

/* Of struct cf_tangential, what a target carries. */
enum {
    CF_TAKES_MU_S = 1,
    CF_TAKES_MU_C = 2,
    CF_TAKES_V_S = 4,
    CF_TAKES_SIGMA_2 = 8,
    CF_TAKES_KV = 16,
    CF_TAKES_KAPPA = 32,
    CF_TAKES_D_T = 64,
    CF_TAKES_ALL = 127
};

/* Dry and viscous friction of a joint: the target's words for them, and its text. */
struct cf_friction_joint {
    const char *dry, *viscous; /* names of values */
    const char *opening, *closing;
    void (*one)(const struct cf_mapping *m, size_t i, FILE *out);
};

struct cf_built;
struct cf_join;
struct cf_runner;
struct cf_script;

struct cf_target {
    const char *name;       /* "liggghts" */
    const char *title;      /* "LIGGGHTS" */
    const char *what;       /* one line: what the text that is written is */
    const char *formula;    /* the target's contact force, in its own letters */
    const char *pair_rule;  /* in words: how it joins the values of two bodies */
    const char *source;     /* what was read to know that, with the version */
    const char *checked;    /* how the text and the mapping were tried */
    const char *comment[2]; /* around a line of comment: {"# ", ""}; {NULL}: the text has none */
    unsigned needs;
    unsigned takes;
    bool spring; /* a linear spring and damper is all that its normal force can be */
    /* At how many radii of depth it loses a sphere on a plane; 0: at none. */
    double lost_radii;
    bool only_e; /* nothing but e and friction reaches it: no stiffness, no damping */
    bool
        per_point; /* each point of a contact gets the spring: a face that lands flat has several */
    bool every_pair; /* its tables hold every pair of bodies: --allow-missing */
    bool by_type;    /* its tables are of types of particles, with coefficients by m* and R* */
    bool one_pair;   /* one contact is that of all bodies */
    bool by_pair;    /* it holds values by pair of bodies, whatever fits share them */
    /* How it joins values by body, where its text can give each body its own; NULL: the same
     * values for both bodies only. A value goes behind those that it depends on. */
    const struct cf_join *joins;
    bool any_values; /* it holds the law as it was fitted: no value is out of its range */
    const char *const *approximate; /* laws that --approximate may ask for here; NULL-terminated */

    bool single;   /* its numbers are of single precision, unless it is built otherwise */
    bool any_step; /* it controls the error of its own steps, or takes none: e holds at each */

    /* What becomes of a law here, and one line why. */
    enum cf_exactness (*exactness)(const struct cf_law *law, const char **why);

    /* Set m->twin from m->law, m->p, m->material and m->question. NULL: the law itself, by an
     * integrator with error control. */
    int (*run)(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err);

    /* Say in m->twin.engine what the engine adds to the contact, as it comes or, with the settings
     * of the question, as the lines set it that it then has. NULL: nothing. */
    void (*adds)(struct cf_mapping *m);
    bool settings; /* its text has such lines: --engine-settings */

    /* What a drop shows where e is the law's but the spring is not, in closed form or by its own
     * integration; NULL: the twin says. */
    void (*shape)(const struct cf_mapping *m, double speed_m_s, struct cf_seen *seen);

    /* Add the target's parameters with cf_mapping_add(), from m->twin. */
    int (*fill)(struct cf_mapping *m, struct cf_error *err);

    /* Friction and no normal force: add what of `fill` is friction, which `write` can do with
     * alone. NULL: it cannot. And friction of a joint; NULL: there is no place for it. */
    void (*fill_friction)(struct cf_mapping *m);
    const struct cf_friction_joint *joint;

    int (*write)(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err);
    /* For cf_export_each(): what stands above all mappings and below them, NULL for nothing, and
     * the text of one, the i-th, below its head. */
    const char *opening, *closing;
    void (*one)(const struct cf_mapping *m, size_t i, FILE *out);

    /* For --verify; NULL where no Debian machine can run the target. `prepare` finds the program
     * and builds what is to be built in the folder; its message says how to install it. `drop`
     * runs one drop and reads the trajectory. */
    int (*prepare)(const struct cf_mapping *m, const char *folder, struct cf_error *err);
    int (*drop)(const struct cf_mapping *m, const struct cf_drop *drop, struct cf_seen *out,
                struct cf_error *err);
    const struct cf_built *built;   /* for cf_built_prepare() and cf_built_drop() */
    const struct cf_runner *runner; /* for cf_runner_prepare() and cf_runner_drop() */
    const struct cf_script *script; /* for cf_dem_prepare() and cf_dem_drop() */
    double tolerance_e;             /* of the twin: a run further from it than that is a failure */
    double pushed_out; /* part of a depth that is taken back in a step where nothing bounces, and so
                          of the speed that is seen there; 0: not known */
    double tolerance_depth; /* relative; 0: the depth is not held against anything */
};

/* NULL-terminated; the order is that of help. */
extern const struct cf_target *const cf_targets[];

/* Find a target, or fail with the nearest known name. */
int cf_target_get(const char *name, const struct cf_target **target, struct cf_error *err);

/* The first half of cf_export_map(): no prediction, no compensation, no values. The exactness
 * is CF_EXACTNESS_NONE where the target has no such law, which is no failure here. */
int cf_export_try(const struct cf_target *target, const struct cf_material *material,
                  const struct cf_question *question, const struct cf_law *approximate,
                  struct cf_curves *curves, struct cf_mapping *out, struct cf_error *err);

/* Map a material. approximate: the law to put in place of one that the target cannot express, or
 * NULL. Everything is checked here: unknown masses, a law that cannot be expressed (the message
 * names the approximations), steps. The prediction is filled in. The caller clears *out, also after
 * a failure. */
int cf_export_map(const struct cf_target *target, const struct cf_material *material,
                  const struct cf_question *question, const struct cf_law *approximate,
                  struct cf_curves *curves, struct cf_mapping *out, struct cf_error *err);
void cf_mapping_clear(struct cf_mapping *m);

/* Write mappings of one target as its text. CF_EINPUT for contacts and joints together. */
int cf_export_write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err);

/* The prediction of a mapping: the last part of cf_export_map(). */
int cf_export_predict(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err);

/* Can what a target takes of a material be trusted? All of it; or e alone, where the data identify
 * that and the target takes no more, or a spring is asked for that keeps no more. */
bool cf_export_trusted(const struct cf_target *target, const struct cf_question *question,
                       const struct cf_material *material);

/* Names of the targets but one that are good for a question, with --keep step where that is what it
 * takes: "ode-bounce, mujoco --keep step"; "" for none. Cut at `size`, of which CF_SERVING is
 * enough for all. */
enum { CF_SERVING = 2048 };
void cf_export_serving(const struct cf_target *but, const struct cf_material *material,
                       const struct cf_question *question, struct cf_curves *curves, char *names,
                       size_t size);

/* Is this target good for the question? */
bool cf_export_serves(const struct cf_target *target, const struct cf_material *material,
                      const struct cf_question *question, struct cf_curves *curves);

/* Where it is not: "; cause: gravity, ...; it serves with --dt=... or --slowest=... or
 * --bound=...", of which CF_ADVICE is enough for all, with the rest of the question as it is; ""
 * where neither is known, or no step was given. */
enum { CF_ADVICE = 512 };
void cf_export_advise(const struct cf_target *target, const struct cf_material *material,
                      const struct cf_question *question, struct cf_curves *curves, char *text,
                      size_t size);

/* Is e over the fitted speeds, at fine steps, that of the fit in all digits that are printed? */
bool cf_export_as_fit(const struct cf_outlook *outlook);

/* Where the target has tables of types of particles: add to the n fits of material[], m[] and
 * list[], which hold twice as many, the pairs of equal grains that they tell, of half of m* and R*:
 * those of a ball on a fixed plane of the same material. Not where a fit is of such a pair, or
 * where the law has no rule for another R*. */
int cf_export_add_grains(struct cf_material material[], struct cf_mapping m[],
                         const struct cf_mapping *list[], size_t *n,
                         const struct cf_law *approximate, struct cf_curves *curves,
                         struct cf_error *err);

/* Make these stand in one text: where a target sets values by body, a body that two of them share
 * must have one. Values that the target joins for each pair are chosen anew where that gives all
 * pairs theirs (join.h); fails where there are none, with the pairs and the values. */
int cf_export_together(struct cf_mapping m[], size_t n, struct cf_error *err);
/* "ball with cube, ...": pairs that no fit is of and that the target gives what it joins of the
 * values of their bodies; "": none. */
void cf_export_unfitted(const struct cf_mapping m[], size_t n, char *text, size_t size);
/* "mujoco, ode, ...": the targets that hold values by pair. */
void cf_export_by_pair(char *text, size_t size);

/* For the targets' files. */

void cf_mapping_add(struct cf_mapping *m, const char *name, const char *unit, double value,
                    enum cf_whose whose, const char *what);
/* A value by name; NAN when there is none. */
double cf_mapping_value(const struct cf_mapping *m, const char *name);
/* The same of body `which`, 0 or 1; its unit, "1" when there is none; and another for that body. */
double cf_mapping_of(const struct cf_mapping *m, const char *name, int which);
const char *cf_mapping_unit(const struct cf_mapping *m, const char *name);
/* Does no body have a value of its own? */
bool cf_mapping_alike(const struct cf_mapping *m);
void cf_mapping_set(struct cf_mapping *m, const char *name, int which, double value);

/* What a point gets of stiffness and damping: 1/N where N share them. */
double cf_export_share(const struct cf_mapping *m);

/* "exact", "here", "in e", "constant e", "not". */
const char *cf_exactness_word(enum cf_exactness exactness);
/* How exactly a target takes a law: its own answer, but for forces of a volume of interference,
 * which have no place but in a foundation. *why says why. */
enum cf_exactness cf_target_exactness(const struct cf_target *target, const struct cf_law *law,
                                      const char **why);

/* A fit of winkler for a target whose contact is a foundation: its kv becomes the material's, and
 * its law hunt-crossley without k, which has the same e by the same a. Else nothing changes. */
void cf_export_on_foundation(const struct cf_target *target, struct cf_material *material);

/* How exact, in words: an approximation is never called exact. */
const char *cf_mapping_exactness(const struct cf_mapping *m);

/* The parameter of the twin's law of that name; NAN when it has none. */
double cf_mapping_parameter(const struct cf_mapping *m, const char *name);

/* Laws that other laws may be approximated by, as `approximate` names them. */
extern const char *const cf_laws_damped_by_force[]; /* hunt-crossley */
extern const char *const cf_laws_damped_by_patch[]; /* azad-featherstone */

/* `run` of targets that know a linear spring and damper only: K and C at the design speed. */
int cf_run_linear(struct cf_mapping *m, enum cf_scheme scheme, struct cf_curves *curves,
                  struct cf_error *err);
/* `run` of targets that integrate the law itself with fixed steps. */
int cf_run_law(struct cf_mapping *m, enum cf_scheme scheme);
/* The same on a foundation: refused, by the name given, where its kv is not known. */
int cf_run_foundation(struct cf_mapping *m, const char *name, struct cf_error *err);
/* The law itself, and m->depth_m at the design speed. */
int cf_run_depth(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err);
/* `run` of targets that know a coefficient of restitution only: e at the design speed. */
int cf_run_restitution(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err);

/* The same for what DART steps: a contact that would leave at 0.1 m/s or slower stays. What DART
 * adds. */
int cf_run_dart(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err);
void cf_dart_adds(struct cf_mapping *m);

/* Poisson's ratio of two bodies alike, where it enters shear alone: that of the fit's kappa,
 * K_t/K_n = 2 (1 - nu)/(2 - nu), from `least` to 1/2; else the usual one, and m->beyond says if
 * there was a kappa. */
double cf_export_poisson(struct cf_mapping *m, double least);

/* `exactness` of the linear and of the restitution targets. */
enum cf_exactness cf_exactness_linear(const struct cf_law *law, const char **why);
enum cf_exactness cf_exactness_restitution(const struct cf_law *law, const char **why);

/* `write` of texts in which one mapping follows the other. */
int cf_export_each(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err);
/* Is it a value of that body, 0 or 1, be it of both? */
bool cf_value_of(const struct cf_value *value, int which);

/* The comment at the head: fit, file, verdict, pair, exactness, errors, the values with their
 * units. Nothing for a target without comments. */
void cf_export_head(const struct cf_mapping *m, FILE *out);
/* What is known of friction and foundation and has no place in the target: "mu_S, kv", or "". A
 * mu_S that is mu_C is none of its own. */
void cf_export_left(const struct cf_mapping *m, char *text, size_t size);
/* One more line of comment; text from the fit cannot end it, nor reach into the next. */
void cf_export_comment(const struct cf_mapping *m, FILE *out, const char *format, ...)
    __attribute__((__format__(printf, 3, 4)));

#endif
