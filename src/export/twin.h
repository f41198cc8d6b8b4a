/* Discrete twins: what a time-stepping target will show at a given step.
 *
 * A target does not integrate the law but a recurrence; at a usual step the two differ visibly
 * (a contact tuned to e = 0.85 bounced with 1.063 in MuJoCo at 1 ms, with 0.54 in ODE). A twin is
 * that recurrence in one dimension, x the compression, v the rate, m the effective mass, h the
 * step, g the gravity along the approach, 0 in what follows but where it is named:
 *
 *   semi-implicit  f from the state at the start of the step, if x > 0;
 *                  v -= h f/m;  x += h v                               (Yade, ESyS-Particle)
 *   reference      the same, but what the contact sets is not a force beside gravity: it is the
 *                  acceleration, d times -(K x + C v)/(d m) and 1 - d times g, never below free
 *                  fall; d is the impedance                                  (MuJoCo's Euler)
 *   backward       f = K (x + h v') + C v' >= 0 if x > 0, solved for v';
 *                  x += h v'                                                (ODE's ERP and CFM)
 *   ahead          the same, and a gap g that would close within the step is closed by the part
 *                  that the soft constraint allows: K x/(hK + C) becomes -g/h
 *                                                    (Bullet, but of two spheres: backward)
 *                  A gap wider than is seen is not met before it is closed. From a depth on, the
 *                  spring moves the body and leaves its rate alone, and the damper alone brakes
 *                                                    (Bullet's split impulse)
 *   through        the same, and f goes on below 0: such a gap is met by the spring, K x < 0, and
 *                  the damper                                                      (PhysX)
 *   verlet         half kick, drift, force from the new place and the half-step rate, half kick
 *                                                           (LAMMPS, LIGGGHTS, MercuryDPM)
 *   restitution    a bounce by e at the first step that begins in touch, v' = -e v: gravity's
 *                  kick of that step is taken up by the contact (ODE), or is bounced too (DART);
 *                  v' is no slower than what takes a part of the depth back in a step
 *   continuous     an integrator with error control: the law itself
 */

#ifndef CF_EXPORT_TWIN_H
#define CF_EXPORT_TWIN_H

#include <stdbool.h>

#include "export/e_rows.h"
#include "impact/impact.h"
#include "law/law.h"

enum cf_scheme {
    CF_SCHEME_CONTINUOUS,
    CF_SCHEME_RESTITUTION,
    CF_SCHEME_SEMI_IMPLICIT,
    CF_SCHEME_REFERENCE, /* law "linear" only */
    CF_SCHEME_VERLET,
    CF_SCHEME_BACKWARD, /* law "linear" only */
    CF_SCHEME_AHEAD,    /* law "linear" only */
    CF_SCHEME_THROUGH   /* law "linear" only */
};

/* Two bodies whose places and rates are kept in single precision, the touch at 0: there floats are
 * finest, and where the bodies are farther out than their radii e scatters more. */
struct cf_floats {
    bool are;           /* false: places are as exact as numbers */
    double radius_m[2]; /* 0: a plane */
    double part[2];     /* m* over the body's mass; 0: held */
};

/* What an engine adds to the contact that it is given. */
struct cf_engine {
    double impedance; /* reference: of the contact, 0 < d < 1; 0: 1 */
    double sees_m;    /* ahead, through: the widest gap that is seen; 0: all are */
    double split_m;   /* backward, ahead: the depth from which the spring moves the body; 0: none */
    bool bounces_kick; /* restitution: gravity's kick of the step is bounced, too */
    double taken_back; /* restitution: part of the depth that is taken back in a step */
};

/* What the target integrates. The laws never pull: targets that can pull are exported clipped. */
struct cf_twin {
    enum cf_scheme scheme;
    const struct cf_law *law; /* of CF_SCHEME_RESTITUTION: what gives e at each speed, or NULL */
    double p[CF_MAX_PARAM];
    double mass_kg;                /* effective */
    double radius_m;               /* effective; NAN where the law does not read it */
    double e;                      /* of CF_SCHEME_RESTITUTION without a law */
    const struct cf_e_table *rows; /* the same: what gives e at each speed in its place, or NULL */
    double still_m_s;              /* the speed up to which it does not bounce; 0: it always does */
    /* Along the approach, in steps of a spring: a speed is then that of the touch, and e that of
     * the flights before and after. */
    double gravity_m_s2;
    struct cf_engine engine;
    struct cf_floats floats; /* backward, ahead and through only */
};

/* What one impact shows, as read off the steps of a run. */
struct cf_seen {
    double e;
    double depth_m;    /* largest compression at the end of a step */
    double duration_s; /* steps that changed the rate, times their length */
    double time_s;     /* from the gap to the first step that ends outside */
    bool left;         /* false: still in touch when the run was given up; e is then of no use */
};

/* One impact from a gap [m] (negative: already compressed) at speed_m_s > 0 with steps dt_s > 0.
 * CF_ERANGE for other values, NaN too. For CF_SCHEME_CONTINUOUS the answer of cf_impact(), dt_s
 * and gap_m not read. */
int cf_twin_run(const struct cf_twin *twin, struct cf_curves *curves, double speed_m_s, double dt_s,
                double gap_m, struct cf_seen *out, struct cf_error *err);

/* The e of a CF_SCHEME_RESTITUTION at a speed: 0 where it stays. */
int cf_twin_bounce(const struct cf_twin *twin, struct cf_curves *curves, double speed_m_s,
                   double *e, struct cf_error *err);

/* Where within a step the touch falls is chance: the mean over CF_TWIN_PHASES equal parts of it,
 * and the extremes over all of it, searched for between those parts and its ends. Of floats what is
 * exact is in the band, too, and beyond it they may be as far again as they are seen to be: what
 * their rounding does depends on every digit of a scene. */
enum { CF_TWIN_PHASES = 16 };
struct cf_spread {
    double e_mean, e_low, e_high;
    double depth_mean_m, duration_mean_s;
    bool left; /* in all phases */
};
int cf_twin_spread(const struct cf_twin *twin, struct cf_curves *curves, double speed_m_s,
                   double dt_s, struct cf_spread *out, struct cf_error *err);

/* Is the damping of such a twin chosen for the step? That of a linear spring and damper solved
 * semi-implicitly or backward; a law that is exported as it was fitted keeps its own. */
bool cf_twin_compensates(const struct cf_twin *twin);

/* Does the contact look the same at every size? Gravity, and lengths of the engine's own, end that.
 */
bool cf_twin_scales(const struct cf_twin *twin);

/* The damping (lambda of the twin's law) whose mean e at this step is the wanted one. *possible =
 * false: there is none, for even without any damping the steps lose more, or they are too coarse
 * for damping to lose enough; the twin then has the damping that comes nearest. */
int cf_twin_compensate(struct cf_twin *twin, struct cf_curves *curves, double speed_m_s,
                       double dt_s, double e, bool *possible, struct cf_error *err);

/* What e is to be at some speeds: that of the fit, within a bound. One more speed, the design
 * speed, is that for which a damping is chosen. */
enum { CF_MOST_GOALS = 9 };
struct cf_goal {
    double design_m_s, design_e;
    size_t n;
    double speed_m_s[CF_MOST_GOALS], e[CF_MOST_GOALS];
    double bound;
};

/* How far from its goal a twin is at a step, over all speeds and phases. */
struct cf_miss {
    double error, speed_m_s; /* the largest, and where */
    double e_high;           /* the largest e, which no spring shows that is above 1 */
    bool left;               /* every bounce ends */
};
int cf_twin_miss(const struct cf_twin *twin, struct cf_curves *curves, const struct cf_goal *goal,
                 double dt_s, struct cf_miss *out, struct cf_error *err);

/* Is it within the bound of the goal at this step, at each of its speeds and in every phase; with
 * `compensate`, with the damping that is chosen for the step? */
int cf_twin_within(const struct cf_twin *twin, struct cf_curves *curves, const struct cf_goal *goal,
                   double dt_s, bool compensate, bool *good, struct cf_error *err);

/* The largest step, to 1 %, up to which e stays within the bound of the goal at each of its speeds
 * and in every phase; with `compensate` the damping follows the step. 0: no step does. INFINITY:
 * every one. */
int cf_twin_largest_step(const struct cf_twin *twin, struct cf_curves *curves,
                         const struct cf_goal *goal, bool compensate, double *dt_s,
                         struct cf_error *err);

#endif
