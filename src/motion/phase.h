/* One phase of a run: the stepper until something changes; private to src/motion. */

#ifndef CF_MOTION_PHASE_H
#define CF_MOTION_PHASE_H

#include "motion/observer.h"

/* Why a phase ended. */
enum cf_turn {
    CF_TURN_STOP,   /* the time asked for */
    CF_TURN_LEAVE,  /* a contact's force ended */
    CF_TURN_TOUCH,  /* a contact touches, or its force comes back */
    CF_TURN_LIFT,   /* a clamped contact is open again */
    CF_TURN_SLIDE,  /* a contact begins to slide or to stick; the phase goes on */
    CF_TURN_CORNER, /* the same, where derivatives jump */
    CF_TURN_REST,
    CF_TURN_FAR, /* bodies have moved so far that other cells may be near; nothing else changes */
};

struct cf_phase;

struct cf_phase_event;

/* The derivative of its function along a column. */
typedef double cf_event_along(const struct cf_phase_event *about, const struct cf_along *along,
                              const struct cf_contact_kinematics *kin,
                              const struct cf_contact_by *by);

/* The meaning of an event of the stepper. */
struct cf_phase_event {
    struct cf_phase *phase;
    const struct cf_system *system;
    double (*g)(const void *context, double s, const double y[]);
    cf_event_along *along;
    enum cf_turn turn;
    int which;      /* seam of its solid, corner of its friction */
    size_t contact; /* or, of a dead band, 3 times the body and the axis; of a margin the group */
};

struct cf_phase {
    struct cf_system *system;
    struct cf_observer *observer;
    struct cf_sensitivity *sensitivity; /* NULL: no sensitivities */
    struct cf_ode *ode;
    size_t nstate;                                               /* that it is for */
    double *state, *spare, *scale, *rate, *later, *still, *most; /* n */
    size_t nevent;
    struct cf_ode_event *event;
    struct cf_phase_event *about; /* of each event */
    double stop_s;
    double gravity_m_s2, weight_m; /* its size, and the depth that rest is measured by */
    bool can_rest;
    bool keeps; /* normals of volumes, from step to step */
    size_t steps_left;
};

int cf_phase_make(struct cf_phase *phase, struct cf_system *system, struct cf_observer *observer,
                  struct cf_error *err);
void cf_phase_free(struct cf_phase *phase);

/* From *time_s, phase->state, to stop_s or the first terminal event. */
int cf_phase_run(struct cf_phase *phase, double *time_s, double stop_s, enum cf_turn *turn,
                 size_t *contact, struct cf_error *err);

/* phase_events.c: fills phase->event. */
enum { CF_EVENTS_PER_CONTACT = 2 + CF_FRICTION_CORNERS + CF_SHAPE_SEAMS, CF_EVENTS_OF_ALL = 3 };
void cf_phase_list_events(struct cf_phase *phase);

/* At a contact's slide event: does it begin to slide, or to stick? */
bool cf_phase_begins(struct cf_phase *phase, const struct cf_phase_event *about, double s,
                     const double y[]);

/* rest.c: the depth that scales rest, 0 without a touch; and how far from rest, squared: 0 is at
 * rest, 1 far from it. Poses are made. */
double cf_phase_weight(const struct cf_system *system);
double cf_phase_unrest(const struct cf_phase *phase, double s, const double state[]);
bool cf_scene_can_rest(const struct cf_scene *scene);

/* The square root of cf_phase_unrest() below which the scene counts as at rest. */
extern const double cf_at_rest;

/* CF_ESOLVE with the time, the contact that touches, if any, and the reason. */
int cf_phase_stopped(const struct cf_phase *phase, double time_s,
                     const struct cf_ode_result *result, struct cf_error *err);

#endif
