/* Running a scene: flights and clamped rises in closed form, contacts by the one stepper in the
 * variables in which their law is smooth, energy balance kept throughout.
 *
 * With z = y^q, dt = y^(q-1) ds, the touch of a law with roots in z is smooth in s (see
 * law/regular.h); the contact that touched last is integrated so, the others, if any, in their
 * depth.
 */

#ifndef CF_MOTION_MOTION_H
#define CF_MOTION_MOTION_H

#include "motion/scene.h"
#include "ode/ode.h"

/* Stored and dissipated energies [J]. Kinetic, potential, normal springs and tethers are evaluated
 * from the state, the others integrated, so that the sum is a check of the motion ([AF10] 14-18,
 * 28-33, 37). Losses and the work of drives count from the start. */
enum cf_energy {
    CF_ENERGY_KINETIC,
    CF_ENERGY_POTENTIAL,
    CF_ENERGY_NORMAL_SPRING,
    CF_ENERGY_TANGENTIAL_SPRING,
    CF_ENERGY_TETHER,
    CF_ENERGY_NORMAL_DAMPER, /* including what was left in the spring when the force ended ([AF10]
                              * 14) */
    CF_ENERGY_LOOP, /* what springs without a potential, of volumes that no plane cuts, took and
                     * did not give back by the time that they were relieved; < 0: gave too much */
    CF_ENERGY_TANGENTIAL_DAMPER, /* including what was left in the bristles then */
    CF_ENERGY_SLIDE,             /* clutch or bristles that slide */
    CF_ENERGY_VISCOUS,
    CF_ENERGY_ROLLING,  /* resistance of a volume of interference that rolls */
    CF_ENERGY_SPINNING, /* friction against its spin, but for what its bristles hold */
    CF_ENERGY_TETHER_DAMPER,
    CF_ENERGY_WORK, /* done by driven bodies: plates, recorded and commanded bodies */
    CF_NENERGY
};
extern const char *const cf_energy_names[CF_NENERGY]; /* "kinetic", ... for columns and reports */

/* The accounts of a body. Its contacts, springs and forces are on it, too; what two bodies share is
 * on the account of one, and of a chain all is on that of its first link. */
enum cf_account {
    CF_ACCOUNT_KINETIC,
    CF_ACCOUNT_POTENTIAL,
    CF_ACCOUNT_CONTACTS, /* held by their springs, of normal force and of friction */
    CF_ACCOUNT_SPRINGS,  /* held by those to points of the world */
    CF_ACCOUNT_LOST,     /* from the start */
    CF_ACCOUNT_WORK,     /* put in, from the start */
    CF_NACCOUNT
};

struct cf_body_state {
    double position_m[3], attitude[4], velocity_m_s[3], spin_rad_s[3];
};

struct cf_contact_snapshot {
    bool touching;  /* a force acts */
    double depth_m; /* < 0: the gap */
    double rate_m_s;
    double normal_N;
    double normal[3];
    double surface_m;     /* depth of the surface of a law that recovers, else NAN */
    double friction_N[3]; /* on body 0 */
    double slip_m_s[3];   /* of body 0 over body 1, in the plane of contact */
    double bristle_m[3];  /* deformation of a friction law that has one */
    double dwell;         /* s_dw of a friction law that has one, else NAN */

    /* Over a volume of interference; else 0. */
    double volume_m3, spin_rad_s; /* V; of body 0 over body 1, about the normal */
    double torsion_rad;           /* of its bristles */
    double moment_N_m[3];         /* on body 0, about the centroid: of rolling and spinning */
};

/* What derivatives are taken by: sensitivities, carried through flights, contacts and touches. */
enum cf_wrt_kind {
    CF_WRT_LAW,         /* parameter `part` of the normal law of contact pair `index`, */
    CF_WRT_FRICTION,    /* of its friction law, */
    CF_WRT_TARGET,      /* of its wanted restitution; */
    CF_WRT_LOAD,        /* its load, or that at point `part`, */
    CF_WRT_LOAD_TIME,   /* and the time of that point */
    CF_WRT_SOLID_PLACE, /* of the solid that it touches, along axis `part` of the body, */
    CF_WRT_SOLID_TILT,  /* and turned about that axis, through its own point [1/rad] */
    CF_WRT_MASS,     /* of body `index`, free or a link, its moments of inertia growing with it */
    CF_WRT_GRAVITY,  /* its component `part` */
    CF_WRT_POSITION, /* component `part` of the initial value of body `index`; so are the others;
                      * of a fixed or a steady body, for the whole run */
    CF_WRT_VELOCITY,
    CF_WRT_SPIN,          /* of the world */
    CF_WRT_TILT,          /* turned about axis `part` of the world, through its origin [1/rad] */
    CF_WRT_ANGLE,         /* of the chain's link `index`, at the start; those behind it go along */
    CF_WRT_RATE,          /* and how fast it grows */
    CF_WRT_SPRING,        /* of spring `index`; `part`: stiffness, damping, three of the anchor */
    CF_WRT_FORCE,         /* of applied force `index`: its value at point `part`, */
    CF_WRT_FORCE_TIME,    /* and the time of that point */
    CF_WRT_ACCOMMODATION, /* of body `index`; `part`: yield, dead band, lag */
    CF_WRT_COMMAND,       /* its command: component `part` % 3 of leg `part` / 3, */
    CF_WRT_COMMAND_TIME,  /* and when leg `part` begins */
    CF_WRT_DELAY,         /* by which the recorded motion of body `index` comes later */
    CF_NWRT
};

struct cf_wrt {
    enum cf_wrt_kind kind;
    size_t index, part;
};

/* The index that stands for all contacts at once, where they share a law and its parameters: of
 * CF_WRT_LAW, CF_WRT_FRICTION and CF_WRT_TARGET. */
#define CF_WRT_EVERY ((size_t) -1)

/* The scene at one time. */
struct cf_snapshot {
    double time_s;
    const struct cf_body_state *body;          /* nbody */
    const struct cf_contact_snapshot *contact; /* npair */
    const double *energy_J;                    /* CF_NENERGY */
    const double *angle_rad, *rate_rad_s;      /* of the chain's links */

    /* Derivatives by options->wrt[w], of the same members of the structures above: body_by[w *
     * nbody + b], contact_by[w * npair + m]. The time of a sample is fixed; that of an event moves,
     * by time_by[w], and the other derivatives are those at the moving time. */
    const double *time_by;
    const struct cf_body_state *body_by;
    const struct cf_contact_snapshot *contact_by;
};

/* One number of a snapshot. */
enum cf_channel_kind {
    CF_CHANNEL_POSITION, /* component `part` of body `index`; so are the three following */
    CF_CHANNEL_VELOCITY,
    CF_CHANNEL_ATTITUDE,
    CF_CHANNEL_SPIN,
    CF_CHANNEL_ANGLE, /* of the chain's link `index` */
    CF_CHANNEL_ANGLE_RATE,
    CF_CHANNEL_DEPTH, /* of contact pair `index`; so are the following */
    CF_CHANNEL_DEPTH_RATE,
    CF_CHANNEL_SURFACE,
    CF_CHANNEL_NORMAL_FORCE,
    CF_CHANNEL_FRICTION, /* component `part`; so are the two following */
    CF_CHANNEL_SLIP,
    CF_CHANNEL_BRISTLE,
    CF_CHANNEL_DWELL,
    CF_NCHANNEL
};

struct cf_motion_channel {
    enum cf_channel_kind kind;
    size_t index, part;
};

/* Channels at one time. */
struct cf_values {
    double time_s;
    size_t sample;       /* from 0 */
    const double *value; /* nchannel, NAN where there is no such number */
    const double *rate;  /* in time [1/s] */
    const double *by;    /* by[w * nchannel + i]: derivatives by options->wrt[w] at this time */
};

enum cf_motion_event {
    CF_EVENT_MAKE,  /* a touch, or the force of one that has not lifted off comes back */
    CF_EVENT_BREAK, /* the force has ended; a law's surface may still be down */
    CF_EVENT_STICK,
    CF_EVENT_SLIP,
    CF_EVENT_APEX, /* a free body in flight turns from rising to falling along gravity */
    CF_EVENT_REST, /* nothing moves any more: the rest of the run is constant */
    CF_NEVENT
};
extern const char *const cf_motion_event_names[CF_NEVENT];

/* index: of the contact pair; of the body for CF_EVENT_APEX; SIZE_MAX for CF_EVENT_REST. */
typedef void cf_on_event(void *observer, enum cf_motion_event what, size_t index,
                         const struct cf_snapshot *at);
typedef void cf_on_sample(void *observer, const struct cf_snapshot *at);
typedef void cf_on_values(void *observer, const struct cf_values *at);

struct cf_motion_options {
    double tolerance; /* of each step, relative; in [1e-14, 1e-2] */
    size_t max_steps; /* of the whole run; a scene that needs more fails; 0: two million, or ten
                       * million fixed ones */

    const struct cf_ode_scheme *scheme; /* NULL: the adaptive stepper; else fixed steps */
    double dt_s;                        /* of the scheme */

    /* Derivatives wanted, by the equations' own derivatives and held to the tolerance as the states
     * are: at 1e-8 within 1e-4 of the largest of their kind, at 1e-10 within 1e-6; over volumes of
     * interference within 5e-4 and 1e-5. Fixed steps carry none. */
    size_t nwrt;
    const struct cf_wrt *wrt;

    double every_s; /* between samples; 0: none. The start and the end are always sampled. */
    double from_s;  /* no samples but the start's before it */
    size_t ntime;   /* or at these times alone, which grow: samples are the same whatever the */
    const double *time_s; /* steps, of which they take none of their own */
    cf_on_sample *sample; /* NULL: none */
    /* NULL, or npair: contacts that snapshots show, beside the one that an event is about; what
     * they say of the others means nothing. Derivatives are of all, and so are samples without it,
     * and events of those that are near. */
    const bool *watched;

    /* NULL, or called at the samples with these numbers and no others: where all of them are
     * states, for little more than the steps themselves cost. */
    cf_on_values *on_values;
    size_t nchannel;
    const struct cf_motion_channel *channel;

    cf_on_event *on_event;

    /* Bodies that do not meet may run apart from each other, each by steps of its own: what an
     * event shows of bodies and contacts beside its own, and of energies, is of up to a window
     * earlier. */
    bool apart;

    /* NULL, or asked after each step and each sample, with the time that they reached: true ends
     * the run with CF_ECANCELLED. */
    bool (*stop)(void *observer, double time_s);
    void *observer;
};

extern const struct cf_motion_options cf_motion_defaults; /* 1e-10 */

/* Judged of each group of bodies that touch each other: its energy; and its momentum and spin where
 * nothing outside acts on it, no gravity, no body that is fixed or driven, no spring, no force. */
enum cf_conserved {
    CF_CONSERVED_ENERGY,   /* [J] */
    CF_CONSERVED_MOMENTUM, /* [N s] */
    CF_CONSERVED_SPIN,     /* the moment of momentum about a point of the world [N m s] */
    CF_NCONSERVED
};

/* Over what it is judged. An exchange lasts from the time when a contact of the group begins or
 * ends to the next such time. Over the whole run all that ever touched each other is one group. */
enum cf_span { CF_SPAN_EXCHANGE, CF_SPAN_RUN, CF_NSPAN };

/* The check that came nearest to its limit, or went furthest beyond it. */
struct cf_balance_check {
    size_t body;             /* on whose account most was; SIZE_MAX: there was nothing to judge */
    size_t others;           /* bodies of the group */
    enum cf_account account; /* of energy: which of the body's */
    double most;     /* the largest that one account held while it was exchanged; over the run with
                      * all that was lost and put in, which is forgotten */
    double off;      /* what is there in excess, at its largest */
    double time_s;   /* when it was; over the run, where it is beyond the limit: since when */
    double limit;    /* of |off| */
    double rounding; /* and what of it is rounding */
};

struct cf_motion_result {
    double time_s; /* reached */
    size_t steps, rejected, evaluations;
    size_t stiff_steps; /* of steps */
    size_t flights;     /* in closed form */
    size_t events[CF_NEVENT];
    double energy_J[CF_NENERGY]; /* at the end */
    double pressed_J;            /* the most that springs without a potential held, at steps */
    double residual_J;           /* largest |sum now - sum at the start| at samples and events */
    size_t exchanges;            /* that have ended, of groups in touch */
    struct cf_balance_check balance[CF_NSPAN][CF_NCONSERVED];
    double rest_s; /* NAN: it never came to rest */
};

/* The check of the result that is nearest to its limit or furthest beyond it; *span and *what say
 * which. It is good, and with it all of them, where |off| is within the limit. */
const struct cf_balance_check *cf_balance_worst(const struct cf_motion_result *result,
                                                enum cf_span *span, enum cf_conserved *what);

/* Of the most that one account held, how much of it is off. */
double cf_balance_part(const struct cf_balance_check *check);

/* Does the scene have all of these numbers, and carry derivatives? CF_ERANGE: no; of a volume whose
 * normal is an axis of its inertia no second derivatives are known. */
int cf_wrt_check(const struct cf_scene *scene, size_t n, const struct cf_wrt wrt[],
                 struct cf_error *err);

/* Runs a scene that cf_scene_check() took. CF_ESOLVE, with time, contact and reason, where it
 * cannot be integrated to tolerance; the observer has then seen the good part. */
int cf_motion_run(const struct cf_scene *scene, const struct cf_motion_options *options,
                  struct cf_motion_result *out, struct cf_error *err);

#endif
