/* Tangential laws: friction in the plane of contact, as const tables of parameters and pure
 * functions. To add one, write a file that defines a row and list it in friction.c.
 *
 * Everything is a vector of the tangent plane, in the two coordinates of any orthonormal frame that
 * is carried along with the normal: no law prefers a direction. v is the slip velocity of body i on
 * body j, f the force on body i, so that friction has f.v < 0. Functions allocate nothing and never
 * fail: parameters are checked once, by cf_param_check(), before the first call.
 *
 * Laws with a memory hold deformations x [m] (a bristle, the spring before a clutch), vectors of
 * the plane, and behind them numbers such as a dwell: a law's row says how many, and which is
 * which.
 */

#ifndef CF_LAW_FRICTION_H
#define CF_LAW_FRICTION_H

#include <stdbool.h>
#include <stddef.h>

#include "core/param.h"
#include "law/law.h"

/* The most that a law has: for arrays on the stack. */
enum {
    CF_FRICTION_VECTORS = 4,
    CF_FRICTION_STATES = 2 * CF_FRICTION_VECTORS,
    CF_FRICTION_CORNERS = 4
};

/* A contact as friction sees it. */
struct cf_slide {
    double depth_m;         /* compression z; 0 under a load, which has none; < 0: apart */
    double normal_N;        /* normal force, >= 0 */
    double velocity_m_s[2]; /* slip v */
    const double *state;    /* the law's nstate states; NULL where it has none */
};

/* The variables of derivatives: the columns of cf_friction_slopes, and the components of a
 * direction for `vary`. */
enum {
    CF_BY_VELOCITY,
    CF_BY_NORMAL = CF_BY_VELOCITY + 2,
    CF_BY_DEPTH,
    CF_BY_STATE,
    CF_BY_PARAM = CF_BY_STATE + CF_FRICTION_STATES,
    CF_FRICTION_COLUMNS = CF_BY_PARAM + CF_MAX_PARAM
};

/* Derivatives of force and state rates; 0 in columns that the law does not read. */
struct cf_friction_slopes {
    double force[2][CF_FRICTION_COLUMNS];
    double rate[CF_FRICTION_STATES][CF_FRICTION_COLUMNS];
};

/* The mechanical parts of a law at one contact. Its deformation x takes part in
 *
 *   -f = stiffness x + damping x' + viscous v          and with viscous_on_slip
 *   -f = stiffness x + damping x' = (what slides) + viscous (v - x')
 *
 * Of several deformations each has a stiffness, and the sum of the springs stands for stiffness x;
 * the first has the damping. A law without a deformation has neither. */
struct cf_friction_parts {
    double stiffness_N_m[CF_FRICTION_VECTORS], damping_N_s_m, viscous_N_s_m;
};

/* Where the power -f.v goes. Their sum is -f.v. */
struct cf_friction_power {
    double spring_W;  /* into the springs; comes back */
    double damper_W;  /* >= 0 */
    double slide_W;   /* bristles or clutch that slide */
    double viscous_W; /* >= 0 */
};

/* A tangential impulse over the normal one, and its derivatives. */
struct cf_friction_impulse {
    double ratio; /* >= 0, against the slip */
    double by_stick, by_param[CF_MAX_PARAM];
};

struct cf_patch_friction; /* patch.h */

/* What a law reads of the normal contact beside its force. A load, which is a force without a
 * depth, gives the first two. */
enum cf_friction_needs {
    CF_NEEDS_NOTHING,
    CF_NEEDS_CONTACT, /* whether there is one: apart it lets go of what it holds */
    CF_NEEDS_DEPTH,
    CF_NEEDS_WIDTH /* of the patch, its radius of gyration */
};

struct cf_friction_law {
    const char *name; /* "bristle" */
    const char *cite; /* source, with the equation number */
    const char *what; /* one line */
    const char *formula;
    enum cf_friction_needs needs;
    size_t nparam;
    const struct cf_param *param;

    /* States of a contact: all 0 where it has just been made, `rested` (NULL: 0, too) where it has
     * long been at rest and carries no tangential force. */
    size_t nstate;
    size_t nvector; /* deformations: state[2 i] and state[2 i + 1] are the i-th; numbers follow */
    size_t shown;   /* that of them which stands for the contact's deformation */
    size_t dwell;   /* the state that is a dwell s_dw; 0: none */
    const double *rested;

    /* Force [N] on body i and the states' rates; rate may be NULL. */
    void (*force)(const double p[], const struct cf_slide *c, double force[2], double rate[]);

    /* Derivatives of both along d, a direction in velocity, normal force, depth, states and
     * parameters: what a sensitivity needs, in one call. */
    void (*vary)(const double p[], const struct cf_slide *c, const double d[CF_FRICTION_COLUMNS],
                 double dforce[2], double drate[]);

    /* The same along n directions at one contact, one after the other in d[n *
     * CF_FRICTION_COLUMNS], dforce[n * 2] and drate[n * CF_FRICTION_STATES]; NULL:
     * cf_friction_vary() takes one by one. */
    void (*vary_all)(const double p[], const struct cf_slide *c, size_t n, const double d[],
                     double dforce[], double drate[]);

    void (*parts)(const double p[], const struct cf_slide *c, struct cf_friction_parts *out);
    bool viscous_on_slip; /* the viscous part acts on v - x', not on v */
    bool load_free;       /* springs depend on neither load nor depth: their energy is a state */

    /* > 0 while it slides, < 0 while it sticks, smooth where it changes: for the names of events.
     * NULL for a law that does not distinguish the two. Rates have corners, but no jumps, there and
     * elsewhere: a run needs no event for them. */
    double (*slip)(const double p[], const struct cf_slide *c);

    /* The slip speed [m/s] below which friction falls to 0, where no parameter is that speed; else
     * NULL. */
    double (*creep)(const double p[]);

    /* Of a rigid contact, which has no force over time (rigid_friction.h); else NULL. */
    void (*impulse)(const double p[], double stick, struct cf_friction_impulse *out);

    /* Go through 0 where derivatives of force and rates jump and `slip` does not: steps that carry
     * sensitivities should end there. From the first on, the rest NULL. */
    double (*corner[CF_FRICTION_CORNERS])(const double p[], const struct cf_slide *c);

    /* Its form over an area that slides and spins: a row that no table lists, of the same name and
     * parameters and with states of its own, in which `patch` stands for `force`, `vary` and
     * `slip`; NULL: it has none. */
    const struct cf_friction_law *over_area;
    const struct cf_patch_friction *patch;
};

/* NULL-terminated; the order is the order of help and reports. */
extern const struct cf_friction_law *const cf_friction_laws[];

/* NULL when unknown. */
const struct cf_friction_law *cf_friction_find(const char *name);

/* Find a law, or fail with the nearest known name. */
int cf_friction_get(const char *name, const struct cf_friction_law **law, struct cf_error *err);

/* May a law stand where there is a load and no depth? The check fails with the nearest law that
 * may; `where` is what has no depth: "slide", "load". */
bool cf_friction_takes_load(const struct cf_friction_law *law);
int cf_friction_check_load(const struct cf_friction_law *law, const char *where,
                           struct cf_error *err);

/* Sources for parameters that are not given; used only on request. */
struct cf_friction_help {
    const struct cf_law *normal; /* the contact's normal law; NULL: none, or not known */
    const double *normal_p;      /* its parameters */
    double gravity_m_s2;
    bool from_normal; /* `clutch`: k_t = 1.5 k and d_t = lambda of the normal law ([AF10] 12, 24) */
    bool assume;      /* laws with mu_s and sigma_0 [1/m]: as [G07] 3.3.2 advises: delta_z = 0.1 mm,
                         sigma_1 = 2 sqrt(sigma_0/g), sigma_2 = 0, v_s = 1 mm/s, tau_dw = 10
                         sigma_1/sigma_0 */
};

/* Where the value of a parameter comes from. */
enum cf_friction_origin {
    CF_FRICTION_MISSING,
    CF_FRICTION_GIVEN,
    CF_FRICTION_FROM_NORMAL,
    CF_FRICTION_ASSUMED
};
struct cf_friction_given {
    enum cf_friction_origin origin[CF_MAX_PARAM];
};

/* Convert named values to the law's parameters p[law->nparam], checked against its table. Besides
 * parameters, laws with mu_s and sigma_0 [1/m] take delta_z [m], the deflection at which bristles
 * slip: sigma_0 = mu_s/delta_z ([G07] 3.46). help may be NULL. Fails on names that are unknown
 * (with the nearest one), doubled or in conflict, and with one message on all that are missing.
 * out->origin[i] receives the source of p[i]. */
int cf_friction_params(const struct cf_friction_law *law, const struct cf_named given[], size_t n,
                       const struct cf_friction_help *help, double p[],
                       struct cf_friction_given *out, struct cf_error *err);

/* The names that it takes, and the SI unit of one; NULL: not a name that it takes. */
size_t cf_friction_names(const struct cf_friction_law *law, const char *name[CF_MAX_PARAM + 1]);
const char *cf_friction_unit(const struct cf_friction_law *law, const char *name);

/* As vary_all; drate is 0 for states that the law lacks. */
void cf_friction_vary(const struct cf_friction_law *law, const double p[], const struct cf_slide *c,
                      size_t n, const double d[], double dforce[], double drate[]);

/* The least speed [m/s] at which friction changes its ways: of `creep`, and of the parameters that
 * are speeds; INFINITY: of none. */
double cf_friction_least_speed(const struct cf_friction_law *law, const double p[]);

/* All derivatives at one contact. */
void cf_friction_slopes(const struct cf_friction_law *law, const double p[],
                        const struct cf_slide *c, struct cf_friction_slopes *out);

/* Energy in the springs, (1/2) stiffness |x|^2 [J]. Its rate is spring_W while load and depth stay
 * (with load_free: always); else spring_W has to be integrated: the spring stiffens with the load
 * ([AF10] 33). */
double cf_friction_energy(const struct cf_friction_law *law, const double p[],
                          const struct cf_slide *c);

/* Where the power goes at one contact, for the energy audit. cf_friction_spend() is given the law's
 * force and rates, cf_friction_power() evaluates them. */
void cf_friction_spend(const struct cf_friction_law *law, const double p[],
                       const struct cf_slide *c, const double force[2], const double rate[],
                       struct cf_friction_power *out);
void cf_friction_power(const struct cf_friction_law *law, const double p[],
                       const struct cf_slide *c, struct cf_friction_power *out);

#endif
