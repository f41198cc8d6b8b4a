/* Force laws and restitution laws: const tables of parameters and pure functions.
 *
 * A law is a row: to add one, write one file that defines a row and list it in registry.c.
 * Functions here allocate nothing, keep no static data and never fail: parameters are checked
 * once, by cf_param_check(), before the first call.
 *
 * Signs: depth > 0 is compression, rate > 0 is compressing, force > 0 pushes the bodies apart.
 */

#ifndef CF_LAW_LAW_H
#define CF_LAW_LAW_H

#include <stdbool.h>
#include <stddef.h>

#include "core/param.h"

enum { CF_MAX_STATE = 1 }; /* inner states of a law */

/* One contact, in its own frame. */
struct cf_contact {
    double depth_m;      /* compression z; > 0 touching */
    double rate_m_s;     /* dz/dt; > 0 pressing in */
    double approach_m_s; /* rate at first touch, for laws driven by a restitution; > 0 */
    double mass_kg;      /* effective mass, 1/m = 1/m1 + 1/m2 */
    double radius_m;     /* effective radius, 1/R = 1/R1 + 1/R2 */
    const double *state; /* the law's inner states; NULL where it has none */

    /* What a law of the foundation family reads in place of depth and radius. */
    double volume_m3;        /* of interference, V */
    double centroid_depth_m; /* of V below the plane of a half-space, h_c; NAN: there is none */
};

/* The damping of k z^n + lambda z^p zdot as the ratio r = lambda/k [s m^(n-p-1)], and its
 * derivatives. The ratio, and not lambda, so that where k cancels its derivative is exactly 0. */
struct cf_damping {
    double ratio;
    double by_param[CF_MAX_PARAM];
    double by_mass;     /* [1/kg of ratio] */
    double by_approach; /* [s/m of ratio] */
};

/* Derivatives of a normal force. */
struct cf_force_slope {
    double by_depth;    /* [N/m] */
    double by_rate;     /* [N s/m] */
    double by_approach; /* [N s/m] */
    double by_mass;     /* [N/kg] */
    double by_volume;   /* [N/m^3], of the foundation family */
    double by_param[CF_MAX_PARAM];
    double by_state[CF_MAX_STATE]; /* [N per unit of the state] */
};

/* The surface of a contact that was lost, as it comes back. */
struct cf_surface {
    double depth_m, rate_m_s;
    double state[CF_MAX_STATE]; /* the inner states with which it is met */
};

/* e(v) and its derivatives. */
struct cf_restitution {
    double e;
    double by_speed; /* [s/m] */
    double by_param[CF_MAX_PARAM];
};

/* Steady friction at a slip speed, and its derivatives. */
struct cf_friction_curve {
    double value;    /* >= 0: a coefficient, a force [N] or a torque [N m] */
    double by_speed; /* per m/s or rad/s */
    double by_param[CF_MAX_PARAM];
};

/* Another alias of a parameter:
 *   target = factor * value * R^radius_power * k^k_power / pivot^p[pivot_by - 1],
 * the last with pivot_by > 0 only: a coefficient whose unit changes with a free exponent is given
 * by the force at a pivot depth [m]. */
struct cf_alias {
    const char *name; /* "lambda_star" */
    const char *unit;
    size_t target; /* index into the law's parameters */
    double factor, radius_power, k_power;
    size_t pivot_by; /* 0: none; else 1 + index of the exponent */
    const char *what;
};

/* The family of a law decides which functions it has. */
enum cf_family {
    CF_FAMILY_NORMAL,     /* force, energy, slope; `damping`, n and p where it is k z^n + lambda z^p
                      zdot with fixed n and p, else `regular` */
    CF_FAMILY_FOUNDATION, /* force, energy, slope, damping of a volume of interference: kv V (1 + a
                           * v_app), with kv as parameter 0 and a = `damping` */
    CF_FAMILY_RESTITUTION, /* restitution only: e(v), a rival or a target, without duration, depth,
                            * force
                            */
    CF_FAMILY_COEFFICIENT, /* curve only: steady friction over the load at slip speed v [m/s], */
    CF_FAMILY_FRICTION_FORCE,  /* its force [N], */
    CF_FAMILY_FRICTION_TORQUE, /* its torque [N m] at the speed of an axis [rad/s] */
    CF_FAMILY_TANGENTIAL,      /* none of these: friction over time alone, in `friction` */
    CF_NFAMILY
};

struct cf_regular;
struct cf_friction_law; /* friction.h */

struct cf_law {
    const char *name; /* "hunt-crossley" */
    const char *cite; /* source, with the equation number */
    const char *what; /* one line */
    const char *formula;
    enum cf_family family;
    size_t nparam;
    const struct cf_param *param;
    size_t nalias;
    const struct cf_alias *alias;

    double n, p; /* exponents of k z^n + lambda z^p zdot */
    void (*damping)(const double p[], double mass_kg, double approach_m_s, struct cf_damping *out);

    /* Force in N, never below 0 and 0 where depth_m <= 0 (volume_m3 <= 0 of a foundation): the
     * clamp is part of the law. */
    double (*force)(const struct cf_law *self, const double p[], const struct cf_contact *c);

    /* Its derivatives; all 0 where the clamp holds. */
    void (*slope)(const struct cf_law *self, const double p[], const struct cf_contact *c,
                  struct cf_force_slope *out);

    /* Elastic energy in J; NAN where there is no potential. */
    double (*energy)(const struct cf_law *self, const double p[], const struct cf_contact *c);

    void (*restitution)(const double p[], double speed_m_s, struct cf_restitution *out);

    /* Steady friction at a speed >= 0. */
    void (*curve)(const double p[], double speed, struct cf_friction_curve *out);

    /* Inner states of a contact, and their rates; they start at 0 on a surface at rest. */
    size_t nstate;
    void (*state_rate)(const double p[], const struct cf_contact *c, double rate[]);

    /* Their derivatives, each as those of a force. */
    void (*state_slope)(const double p[], const struct cf_contact *c, struct cf_force_slope out[]);

    /* Falls through 0 where the force ends before the depth does; NULL: it follows from n, p and
     * damping, or force and depth end together. */
    double (*end)(const double p[], const struct cf_contact *c);

    /* Power into the dampers [W]; NULL: it is that of the force beyond the spring's. */
    double (*loss)(const double p[], const struct cf_contact *c);

    /* The free surface time_s after contact was lost at depth_m with the inner states left[nstate];
     * NULL: it recovers at once. */
    void (*recovery)(const double p[], double depth_m, const double left[], double time_s,
                     struct cf_surface *out);

    /* How much of a depth at rest is in the first of two bodies, and its derivatives; NULL: the law
     * does not tell them apart. */
    double (*share)(const double p[], double by_param[]);

    /* How one impact is integrated (regular.h); NULL where n, p and damping suffice. */
    const struct cf_regular *regular;

    /* A threshold that only slower impacts show: unless a study says otherwise it is 0, which
     * switches it off, and it is not fitted. NULL: there is none. */
    const char *threshold;

    /* The names that are fitted by default; NULL: the parameters themselves. */
    const char *const *unknown; /* NULL-terminated */

    /* Of a contact law (contact_law.h), whose parameters are those of a normal law, followed by
     * those of a friction law; everything else is as in the normal law. NULL in the rows of
     * tables. */
    const struct cf_law *normal;
    const struct cf_friction_law *friction;
};

/* The law of the normal direction: of a contact law its part, else the law itself; NULL where it is
 * friction alone. */
const struct cf_law *cf_law_normal(const struct cf_law *law);

/* Index of the first parameter of its friction; nparam where it has none. */
size_t cf_law_friction_from(const struct cf_law *law);

/* Do its impacts have to be integrated one by one? Such answers take some hundred times longer than
 * a curve's, and are smooth to the tolerance of the integration only. */
bool cf_law_is_slow(const struct cf_law *law);

/* NULL-terminated; the order is the order of help and reports. */
extern const struct cf_law *const cf_laws[];

/* NULL when unknown. */
const struct cf_law *cf_law_find(const char *name);

/* "azad-featherstone" of "kuwabara-kono": the name under which a law stands in the table, of those
 * that its authors have given it; else the name itself. All of them find the law. */
const char *cf_law_proper_name(const char *name);

/* Find a law, or fail with the nearest known name. */
int cf_law_get(const char *name, const struct cf_law **law, struct cf_error *err);

/* The alias of a law that has this name, or NULL. */
const struct cf_alias *cf_law_alias(const struct cf_law *law, const char *name);

/* Index of the law's parameter k, or nparam when it has none. */
size_t cf_law_k(const struct cf_law *law);

/* One parameter as given in a file or on the command line, in SI. */
struct cf_named {
    const char *name; /* a parameter of the law, one of its aliases, or a material name below */
    double value;
};

/* Convert named values to the law's own parameters p[law->nparam], checked against its table.
 * Besides parameters and aliases, k may be given by Hertz: youngs_modulus_1, poissons_ratio_1,
 * and for a second deformable body youngs_modulus_2, poissons_ratio_2; and the radii radius_1,
 * radius_2 (absent: a plane); kv of a foundation by kv_1 and kv_2, of two bodies in series; and
 * pivot, the depth that aliases with pivot_by need. radius_m is
 * the pair's R where no radius is named, NAN when not known. `optional` != 0 leaves parameters that
 * are not given at NAN instead of failing. Fails on unknown (with the nearest name), doubled,
 * missing and conflicting names. */
int cf_law_params(const struct cf_law *law, const struct cf_named given[], size_t n,
                  double radius_m, int optional, double p[], struct cf_error *err);

#endif
