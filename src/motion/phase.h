/* One phase of a run: the stepper until something changes; private to src/motion. */

#ifndef CF_MOTION_PHASE_H
#define CF_MOTION_PHASE_H

#include "motion/observer.h"
#include "motion/sensitivity.h"

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

/* How far bodies come from the parabolas that they would fly on, had they touched nothing. */
struct cf_straying {
    double from_s, seen_s;          /* since when, and when last looked at */
    double (*at_m)[3], (*v_m_s)[3]; /* nbody: the parabola's start */
    double *aside_m, *aside_m_s;    /* nbody: the most so far, and how fast when last looked at */
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
    struct cf_straying *straying; /* NULL: nobody asks */
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

/* A run of a scene, or of a part of it from one time to another. */
struct cf_scene_run {
    struct cf_system system;
    struct cf_observer observer;
    struct cf_phase phase;
    struct cf_sensitivity sensitivity; /* ncolumn 0: none */
    double time_s;
    bool loads_change; /* of any contact */
    double changed_s;  /* when something changed last, and how often then */
    size_t at_once;
};

/* run.c: contacts that exist from the start, and scales. */
void cf_run_start(struct cf_scene_run *run);

/* From run->time_s to the end of the scene, or to where nothing moves any more. */
int cf_run_go(struct cf_scene_run *run, struct cf_error *err);

/* phase.c: a step or a flight after the last look. */
void cf_straying_look(const struct cf_system *system, struct cf_straying *straying, double time_s,
                      const double state[]);

/* apart.c: the same by islands, whose bodies do not meet; cf_apart_possible(): of a scene whose
 * bodies are balls, and planes and spheres that stand, and whom nothing but weight and contacts
 * moves. */
bool cf_apart_possible(const struct cf_scene_run *run);
int cf_apart_go(struct cf_scene_run *run, struct cf_error *err);

/* What an event of an island shows, by the numbers of the whole scene. */
struct cf_island_event {
    enum cf_motion_event what;
    size_t index, order;
    double time_s;
    struct cf_body_state body[2]; /* of the pair, or the body alone */
    struct cf_contact_snapshot contact;
};

/* Of a window. */
struct cf_island_events {
    size_t n, room;
    struct cf_island_event *event;
};

/* A scene that is run by islands, from window to window. */
struct cf_apart {
    struct cf_scene_run *whole;
    double window_s;
    double step_s;                  /* of islands, in the last window */
    double (*at_m)[3], (*v_m_s)[3]; /* nbody: at the start of the window */
    double *aside_m;                /* nbody: how far contacts may turn it aside, or did */
    double *speed_m_s;
    bool *rests;                   /* nbody: it moves no more, unless another touches it */
    bool *dirty;                   /* nbody: it came near another island */
    size_t *first;                 /* nbody: the first body of its island */
    size_t *count;                 /* nbody: bodies of the island whose first it is */
    size_t *number;                /* nbody: of a body in the island that is made; else SIZE_MAX */
    size_t nfixed;                 /* bodies that stand */
    bool *plane;                   /* npair: a ball and a plane */
    bool *chosen;                  /* npair: may meet in the window, */
    size_t ncandidate, *candidate; /* and a list of these */
    struct cf_island **island;     /* nbody: of its first body; NULL: it flies, or rests */
    struct cf_island_events events;
    int status; /* of what observers do, who cannot say it */
};

/* Bodies that run apart from the others; `body` and `pair` are numbers of the whole scene. */
struct cf_island {
    struct cf_apart *apart;
    struct cf_scene scene;
    size_t *body, *pair;
    bool *watched; /* none of its pairs, but for those of events */
    struct cf_motion_options options;
    struct cf_motion_result result;
    struct cf_scene_run run;
    struct cf_straying straying;
    struct cf_island_events events;
    bool rests; /* at its end */
};

/* A body that moves. */
static inline bool cf_is_free(const struct cf_scene *scene, size_t b)
{
    return scene->body[b].drive == CF_DRIVE_FREE;
}

/* island.c. The first body of the island that a pair belongs to; SIZE_MAX: both bodies stand. */
size_t cf_island_of(const struct cf_apart *apart, size_t pair);

/* The island of this first body, whose pairs are candidates; NULL: no memory. */
struct cf_island *cf_island_make(struct cf_apart *apart, size_t first, double to_s);
void cf_island_free(struct cf_island *island);

/* From the window's start, where the whole still is, to its end. */
int cf_island_run(struct cf_island *island, struct cf_error *err);

/* The island's end becomes the whole's: bodies, accounts and modes of contacts; then, when the
 * whole lists what is near there, states of those that touch. */
void cf_island_store_bodies(const struct cf_island *island, double window_s);
void cf_island_store_contacts(const struct cf_island *island);

/* Room for one more; NULL: no memory. */
struct cf_island_event *cf_island_add_event(struct cf_island_events *events);

/* The states of a body of a system as those of one of another, or of the same. */
void cf_copy_body(const struct cf_system *system, size_t b, const double state[],
                  struct cf_system *to, size_t there, double out[]);

#endif
