/* A scene as a system of ordinary differential equations; private to src/motion.
 *
 * States, where a body or contact has them: displacement since the phase began and velocity of the
 * mass centre; attitude and spin (of the world for bodies with one moment of inertia, of the body
 * for others); angles from `down` and rates of the chain's links; states of laws, bristles as
 * vectors of the world; y and the time of the contact that is integrated in y; last what was
 * integrated for the energy balance. Displacements, so that a distant position costs no digits.
 */

#ifndef CF_MOTION_SYSTEM_H
#define CF_MOTION_SYSTEM_H

#include <stdint.h>

#include "law/patch.h"
#include "motion/motion.h"
#include "motion/near.h"
#include "volume/volume.h"

#define CF_NONE SIZE_MAX

/* Indices of a body's states; CF_NONE: it has no such state. */
struct cf_state_layout {
    size_t place, velocity, attitude, spin;
    bool oriented; /* it carries something that turns with it */
    bool pushed;   /* forces move it, */
    bool levered;  /* torques, too */
    bool guided;   /* a load presses it on another */

    bool keeps; /* contacts, springs or forces are on its account */

    /* What those lost, and the work that was put in there; CF_NONE: no other body keeps any, so
     * that its own are those of all. */
    size_t lost, work;
};

/* A body at one time. */
struct cf_pose {
    double from[3], moved[3]; /* where the phase began, and since then; */
    double x[3], v[3], w[3]; /* x is their sum, and rounded where the body is far from the origin */
    double r[3][3];          /* axes of the body, as columns; filled where `turned` */
    bool turned;             /* else they are those of the world */
    bool known;              /* of a body that never moves: computed once */
    bool settled;            /* w, r and turned do not change */
    double force[3], torque[3]; /* about the mass centre */
};

enum cf_mode {
    CF_MODE_OPEN,    /* no overlap */
    CF_MODE_CLAMPED, /* overlap without force: the surface has not recovered */
    CF_MODE_TOUCHING,
};

/* A contact while the scene runs. */
struct cf_contact_state {
    const struct cf_contact_pair *pair;
    size_t keeper; /* the body on whose account its energies are: it moves, if one does */
    const struct cf_ball *ball;
    const struct cf_solid *solid; /* NULL: a load, or a cell */
    const struct cf_cell *cell[2];
    enum cf_mode mode;
    double p[CF_MAX_PARAM]; /* of the law, for this touch */
    double approach_m_s, mass_kg, radius_m;
    double left_m, left_s;     /* where and when the force last ended, */
    double left[CF_MAX_STATE]; /* and with which states of the law */
    double touched_s;
    bool opened;     /* it began as an open contact, from depth 0 */
    double begins_m; /* depth at which one begins that is open; > 0: its bodies just touch, and its
                      * function must not begin at its own zero */
    double depth_scale_m, force_scale_N, speed_scale_m_s;

    /* k z^n + lambda z^p zdot with z = y^q as whole powers of y, where it is such a law */
    bool whole;
    int q, spring, damper; /* q n, q p */
    double k, ratio;

    /* The part of the depth that is between the ball's undeformed surface and where the force acts,
     * and its derivatives by the law's parameters. */
    double share, share_by[CF_MAX_PARAM];

    bool patch;                             /* over a volume of interference */
    double lever_m;                         /* no place of it is further from its centroid */
    const struct cf_octree_options *octree; /* it is measured so; NULL: exactly */
    bool knows_normal;                      /* since the touch; */
    double normal[3]; /* of the last step that was accepted, in the frame of body 1 */

    bool comes, laid; /* it has states while it touches only; it has them now */

    /* layouts: law's states, friction's, its spring's energy, what was relaxed, the work on the
     * normal spring of a volume that has no potential */
    size_t state, bristle, stored, relaxed, pressed;
};

/* A contact over a volume of interference at one time, beyond what all have; vectors are of the
 * world but in `volume`, which is in the frame of body 1. */
struct cf_patch_kinematics {
    struct cf_volume volume;
    struct cf_placing placing;     /* of the frame of body 0 in that of body 1, of cells */
    double normal[3];              /* n in the frame of body 1 */
    double twist[CF_TWIST];        /* of body 0 against body 1 there, about its origin */
    double pressed_m3;             /* V, less what was relaxed */
    double grown;                  /* 1 + a v_app >= 0 */
    double spin_rad_s, gyration_m; /* about n */
    double roll[3];                /* w_t */
    double moment[3];              /* of rolling and spinning on body 0, about the centroid */
    double rolling_W, spring_W;    /* lost by rolling; into the normal spring */
};

/* A contact at one time. */
struct cf_contact_kinematics {
    struct cf_touch touch;             /* in the frame of body 1, */
    double inside[3];                  /* where the ball's centre is there; */
    double centre[3], velocity_m_s[3]; /* of the world; the velocity is against body 1 */
    double n[3], n_rate[3], point[3], slip[3];
    double deepest[3];  /* of a cell: the point at which it touches */
    double hollow;      /* > 0 where the surface is concave: 1/(radius that the centre moves on);
                           INFINITY in a hole, of which that is not known */
    double depth, rate; /* of the geometry; depth is y^q for the contact in y */
    double normal_N, loss_W;
    double tangent[2][3];
    struct cf_slide slide;
    double bristle[CF_FRICTION_STATES];
    double friction[CF_PATCH_FORCES], friction_rate[CF_FRICTION_STATES];
    struct cf_patch_kinematics patch; /* where the contact is one */
};

struct cf_sensitivity; /* sensitivity.h */

struct cf_system {
    const struct cf_scene *scene;
    struct cf_sensitivity *sensitivity; /* of a system whose sensitivities are carried, else NULL */
    size_t n, nread;                    /* the states, and those of them that rates read */
    struct cf_state_layout *layout;     /* nbody */
    double (*reference)[3];             /* nbody: places at the start of the phase */
    struct cf_pose *pose;               /* nbody, of the latest call */
    double *now_s;                      /* and its time */
    struct cf_contact_kinematics *kin;  /* npair, of touching contacts: of the latest rates, */
    bool keeps;                         /* if they are kept */
    struct cf_contact_state *contact;   /* npair */
    struct cf_near near;                /* which of them to look at */
    struct cf_octree_options octree;    /* of contacts that are measured so */
    struct cf_error *why;               /* for what a rate is not finite since the last that was */
    size_t fresh;                       /* the contact in y, or CF_NONE */
    size_t angle, rate;                 /* of the chain */
    size_t account[CF_NENERGY];         /* what is integrated */
    size_t y, time;
    double pressed_J; /* the most that springs without a potential held */
    double began_s;   /* of the phase: commands are constant until its end */
    double floor_s;   /* no predicted contact caps a step below it */
};

/* layout.c */
int cf_system_make(struct cf_system *system, const struct cf_scene *scene,
                   const struct cf_motion_options *options, struct cf_error *err);
void cf_system_free(struct cf_system *system);

/* The body on whose account a body's springs and contacts are: itself, or of a chain the first
 * link. */
size_t cf_keeper(const struct cf_scene *scene, size_t body);

/* The states of a contact, and what the energy balance integrates of it: at the end of the layout.
 */
void cf_contact_lay(struct cf_system *system, struct cf_contact_state *contact);
void cf_contact_lay_accounts(struct cf_system *system, struct cf_contact_state *contact);

/* relay.c. From here on pairs of many cells have states while they touch only; before the start. */
void cf_system_pack(struct cf_system *system);

/* Of such a pair, states that are 0, if it has none; and no longer those of pairs that are open.
 * Indices of all states change. Both arrays have room for the states of all contacts. */
void cf_system_lay(struct cf_system *system, struct cf_contact_state *contact, double state[],
                   double spare[]);
void cf_system_drop_open(struct cf_system *system, double state[], double spare[]);

/* The states at the start, state[system->n]. */
void cf_system_start(struct cf_system *system, double state[]);

/* pose.c: all bodies at a time. */
void cf_system_poses(const struct cf_system *system, double time_s, const double state[]);
double cf_system_time(const struct cf_system *system, double s, const double state[]);

/* Of a contact's two bodies alone, where they are no links of a chain. */
void cf_contact_poses(const struct cf_system *system, const struct cf_contact_state *contact,
                      double time_s, const double state[]);

/* Displacements into places, so that a new phase begins. */
void cf_system_rebase(struct cf_system *system, double state[]);

/* contact_kinematics.c. Poses must be those of the state. */
void cf_contact_geometry(const struct cf_system *system, const struct cf_contact_state *contact,
                         struct cf_contact_kinematics *kin);
void cf_contact_forces(const struct cf_system *system, const struct cf_contact_state *contact,
                       const double state[], struct cf_contact_kinematics *kin);

/* From the ball's centre, against the normal, to where the force acts. */
static inline double cf_contact_arm_m(const struct cf_contact_state *contact, double depth_m)
{
    return contact->ball->radius_m - contact->share * depth_m;
}

/* Does the force end with the depth? */
static inline bool cf_contact_ends_with_depth(const struct cf_contact_state *contact)
{
    return contact->whole ? contact->spring == contact->damper || contact->ratio == 0
                          : !contact->pair->law->end;
}

/* Falls through 0 where the force ends. */
double cf_contact_end(const struct cf_system *system, const struct cf_contact_state *contact,
                      const double state[], const struct cf_contact_kinematics *kin);

/* Is it the contact that is integrated in y? */
static inline bool cf_contact_in_y(const struct cf_system *system,
                                   const struct cf_contact_state *contact)
{
    return system->fresh != CF_NONE && contact == &system->contact[system->fresh];
}

/* The surface of a clamped contact whose law has its recovery. */
static inline struct cf_surface cf_contact_surface(const struct cf_contact_state *contact,
                                                   double time_s)
{
    struct cf_surface out = {0};

    contact->pair->law->recovery(contact->p, contact->left_m, contact->left,
                                 time_s - contact->left_s, &out);
    return out;
}

/* Friction's states in space: deformations of three coordinates, then the numbers. How many, and
 * where a state of the law behind its deformations is. */
static inline size_t cf_bristle_count(const struct cf_friction_law *friction)
{
    return friction->nstate + friction->nvector;
}

static inline size_t cf_bristle_number(const struct cf_friction_law *friction, size_t state)
{
    return friction->nvector + state;
}

/* The contact as its law sees it. */
struct cf_contact cf_contact_seen(const struct cf_contact_state *contact, const double state[],
                                  const struct cf_contact_kinematics *kin);

/* x^n for n >= 0, else 1 */
static inline double cf_whole_power(double x, int n)
{
    double product = 1;

    while (n-- > 0)
        product *= x;
    return product;
}

/* z^(1/q) */
double cf_contact_root(const struct cf_contact_state *contact, double depth_m);

/* touch.c: a touch begins, and ends. */
void cf_contact_touch(struct cf_system *system, struct cf_contact_state *contact, double time_s,
                      double state[], const struct cf_contact_kinematics *kin);
void cf_contact_leave(struct cf_system *system, struct cf_contact_state *contact, double time_s,
                      double state[], const struct cf_contact_kinematics *kin);

/* A depth that is 0 to rounding: of where both bodies are [m]. */
double cf_contact_rounding(const struct cf_system *system, const struct cf_contact_state *contact);

/* What its springs hold, of normal force and of friction; 0 where it does not touch. */
void cf_contact_energies(const struct cf_system *system, const struct cf_contact_state *contact,
                         const double state[], double *normal_J, double *friction_J);

/* y of a contact that touches now: 0, or, where it touches without speed and y would stay at 0, a
 * depth far below its scale. */
double cf_contact_first_root(const struct cf_contact_state *contact);

/* Effective mass of a contact, 1/m = n . (acceleration of the point by a unit force along n). */
double cf_contact_mass(const struct cf_system *system, const struct cf_contact_state *contact,
                       const double state[], const struct cf_contact_kinematics *kin);

/* scales.c: scales of the error test: from the touching contacts under their loads. */
void cf_system_scales(const struct cf_system *system, double tolerance, const double state[],
                      double rate[], double scale[]);
/* Errors of the states that are never exceeded, however fast the bodies are: those that friction
 * would feel. INFINITY where it feels none. */
void cf_system_most(const struct cf_system *system, double most[]);

/* rates.c: of cf_ode_system; the context is the cf_system. */
void cf_system_rates(const void *context, double s, const double state[], double rate[]);

/* The same in time, also for a contact in y; not those of y and of the time. The rate of the depth
 * of the contact in y. */
double cf_system_time_rates(const struct cf_system *system, double time_s, const double state[],
                            double rate[]);

/* Adds those of a contact in y: y' is infinite at its touch. */
void cf_system_fill_rates(const struct cf_system *system, const double state[], double rate[]);

/* The command of a phase that began at a time. */
const double *cf_command_at(const struct cf_accommodation *a, double began_s);

/* Its speed as the force has it, before the command: with the dead band. */
double cf_yielded(const struct cf_accommodation *a, double force_N);

/* From the anchor to the body's point, and that point's velocity. */
void cf_tether_ends(const struct cf_system *system, const struct cf_tether *tether, double apart[3],
                    double v[3]);

/* course.c: the value in a phase that began at a time, which goes on straight beyond the phase's
 * end; its slope in time; its derivatives by the value and the time of a point; and its next corner
 * behind a time, INFINITY for none. */
double cf_course_at(const struct cf_course *course, double began_s, double time_s);
double cf_course_slope(const struct cf_course *course, double began_s);
void cf_course_by(const struct cf_course *course, size_t point, double began_s, double time_s,
                  double *by_value, double *by_time);
double cf_course_corner(const struct cf_course *course, double time_s);

/* chain.c */
void cf_chain_poses(const struct cf_system *system, const double state[]);
void cf_chain_rates(const struct cf_system *system, const double state[], double rate[]);
double cf_chain_mobility(const struct cf_system *system, const double state[], size_t body,
                         const double point[3], const double n[3]);

/* energy_balance.c: stored and dissipated energies, and those of each body's accounts,
 * account[nbody]; poses must be those of the state. */
void cf_system_energies(const struct cf_system *system, const double state[],
                        double energy_J[CF_NENERGY], double account[][CF_NACCOUNT]);
double cf_energy_sum(const double energy_J[CF_NENERGY]);

/* flight.c: what is known in closed form. */

/* Nothing touches, and all that moves is free under gravity or steady. */
bool cf_flight_possible(const struct cf_system *system);

/* The function that goes through 0 where a flight ends. */
enum cf_flight_sign { CF_SIGN_DEPTH, CF_SIGN_FORCE, CF_SIGN_SURFACE, CF_SIGN_APEX };

struct cf_flight_end {
    double after_s;
    enum cf_flight_sign sign;
    size_t contact;    /* CF_NONE: nothing happens before the limit */
    enum cf_mode mode; /* the contact's next mode */
};

/* The first event within limit_s; spare[system->n]. */
struct cf_flight_end cf_flight_next(const struct cf_system *system, double time_s,
                                    const double state[], double limit_s, double spare[]);

/* That sign's quantity of a contact (for CF_SIGN_APEX: of a body) a time after the flight began. */
double cf_flight_look(const struct cf_system *system, size_t contact, enum cf_flight_sign sign,
                      double time_s, const double state[], double after_s, double spare[]);

/* The states a time later, of all bodies or of one. */
void cf_flight_move_body(const struct cf_system *system, size_t b, const double state[],
                         double after_s, double out[]);
void cf_flight_move(const struct cf_system *system, const double state[], double after_s,
                    double out[]);

/* attitude.c */
void cf_attitude_of_matrix(double r[3][3], double q[4]);
void cf_attitude_rate(const double q[4], const double spin[3], bool of_world, double rate[4]);

/* q turned by a steady spin of the world for a time. */
void cf_attitude_spun(const double q[4], const double spin[3], double time_s, double out[4]);

/* w with dR = w x R where R turns by a rotation vector, which grows by `more`: its left Jacobian.
 */
void cf_attitude_grown(const double angle[3], const double more[3], double w[3]);

/* A body with one moment of inertia: its spin is constant without torque. */
bool cf_rigid_round(const struct cf_rigid *body);

/* A body that turns at all. */
bool cf_rigid_turns(const struct cf_rigid *body);

/* Does it move by forces, with a kinetic energy of its own? Or does it move others, whatever the
 * forces, and put work in? */
static inline bool cf_rigid_holds_energy(const struct cf_rigid *body)
{
    return body->drive == CF_DRIVE_FREE || body->drive == CF_DRIVE_LINK;
}

static inline bool cf_rigid_is_driven(const struct cf_rigid *body)
{
    return !cf_rigid_holds_energy(body) && body->drive != CF_DRIVE_FIXED;
}

#endif
