/* What the files of the stepper share: its workspace, one step, its dense output and its events. */

#ifndef CF_ODE_STEPPER_H
#define CF_ODE_STEPPER_H

#include "ode/ode.h"
#include "ode/tableau.h"

enum {
    CF_ODE_TERMS = 3 + CF_DOP_DENSE, /* of the dense output */
    CF_ODE_SLACK = 16                /* of the workspace */
};

struct cf_stiff;

struct cf_ode_dense {
    const struct cf_stiff *stiff; /* NULL: an explicit step */
    size_t n;
    double from, length;
    double *y;          /* at from */
    double *term;       /* CF_ODE_TERMS * n */
    struct cf_ode *ode; /* for its columns, */
    double *s_term;     /* CF_ODE_TERMS * ncolumn * nrow, */
    bool s_made;        /* if they have been made */
};

/* One event's g over the current step. */
struct cf_ode_events {
    double g, slope; /* at the step's start; the slope is dg/dt along the solution */
    double g_next, slope_next;
    double most; /* the largest |g| of the run */
    int sign;    /* side of 0 of the solution (where g is 0: it leaves to); 0: not known */
    bool left;   /* g is 0 to rounding at the step's start: its own value has no sign */
    bool found;  /* it happens within the step, */
    double at;   /* at this part of it */
    bool fired;
};

/* Whether stability limits the steps. */
struct cf_ode_suspicion {
    int signs;         /* for the other method: 2 a step, less 1 for each without */
    size_t row, trial; /* explicit steps in a row, and after how many a stiff one is tried */
    double h;          /* the explicit step when it was certain */
};

struct cf_ode {
    size_t n, ncolumn, nrow, nevent; /* nrow: states in a column */
    const struct cf_ode_system *system;
    const void *context;
    const struct cf_ode_options *options;
    double t, h;      /* the step's start and length */
    double *y, *next; /* the states at both ends */
    double *k;        /* rates, CF_DOP_ALL * n; row CF_DOP_STAGES is the one at the step's end */
    double *stage;    /* the states that they were taken at */
    double *spare;    /* n */
    double *nudged;   /* n: a state of the events' slopes */
    double *unit;     /* n: errors allowed */
    double *s_now, *s_next, *s_size,
        *s_own_size; /* ncolumn * nrow, and so is the following: at both ends; what
                      * their errors are held against */
    double *s_stage;
    double *s_rate; /* the same for each of CF_DOP_ALL */
    double span;    /* the length that the states have lately allowed a step */
    bool blurred;   /* t resolves no step that meets the tolerance */
    bool unsolved;  /* the stiff method did not find the step that was taken again */
    bool left, cut; /* this one begins at an event, ends at one */
    bool s_begun;   /* the rates at the start are known, */
    bool s_arrived; /* and those at the end */
    double *dtau;   /* ncolumn */
    double *s_seen; /* ncolumn * nrow */
    struct cf_ode_dense dense;
    bool dense_made;
    struct cf_ode_events *watch;
    size_t evaluations;
    double *store;
    struct cf_stiff *stiff; /* NULL until a run may need it */
    bool stiff_now;
    struct cf_ode_suspicion suspicion;
};

/* The arguments of an event's functions. */
static inline const void *cf_ode_event_context(const struct cf_ode *ode,
                                               const struct cf_ode_event *event)
{
    return event->context ? event->context : ode->context;
}

/* step.c */

/* out = y + h (row of k): the state of a stage, or at CF_DOP_STAGES of the step's end */
void cf_ode_combine(int stage, size_t n, const double *k, double h, const double *y, double *out);

/* out = h (row of k), of a row whose weights sum to 0 */
void cf_ode_weigh(const struct cf_dop_row *row, size_t n, const double *k, double h, double *out);

/* The rate at (t, y) as stage `stage`. */
void cf_ode_rate(struct cf_ode *ode, int stage, double t, const double y[]);

/* A step of length h from t, y, whose rate is stage 0: next, and nothing yet at its end. */
void cf_ode_step(struct cf_ode *ode, double h);

/* Its error over the allowed one: good when <= 1; not finite where a rate is not. */
double cf_ode_error(struct cf_ode *ode);

/* A step from y to next by rates k; `unit` are the errors that are allowed, and `rough` of them
 * that of order 3, INFINITY: any. */
struct cf_ode_trial {
    const double *k, *y, *next, *unit;
    double h, rough;
};

/* The error of n of its `stride` numbers, from `first` on. */
double cf_ode_error_of(size_t stride, size_t first, size_t n, const struct cf_ode_trial *trial);

/* A sum of rounding. */
extern const double cf_ode_rounding;

/* What the rounding of t makes of a state that goes so far over the step: 0 but over a step that is
 * taken because no shorter one meets the tolerance. So a jump of the rates is passed that no event
 * tells of, at whatever tolerance; size: of the state, or its scale. */
double cf_ode_shortest(const struct cf_ode *ode); /* such a step, at most */
double cf_ode_blur(const struct cf_ode *ode, double moved, double size);

/* The rate at its end. Finite? */
bool cf_ode_arrive(struct cf_ode *ode);

void cf_ode_make_dense(struct cf_ode *ode);

/* The step's end becomes the next one's start. */
void cf_ode_advance(struct cf_ode *ode, double t);

/* A first step, after Hairer, Norsett & Wanner II.4. */
double cf_ode_first_step(struct cf_ode *ode, double longest);

/* event.c */

/* Each g at t, y; `fired` ones are just leaving 0. */
void cf_ode_events_start(struct cf_ode *ode, double h);

enum cf_ode_sight { CF_ODE_NOTHING, CF_ODE_SEEN, CF_ODE_TOUCH, CF_ODE_BAD };

/* Looks for events within the step. CF_ODE_SEEN: the earliest is at the part *at of it, found and
 * marked in `watch`. CF_ODE_TOUCH: one comes to 0 within rounding and does not go through.
 * CF_ODE_BAD: a g is not finite. *event: which. */
enum cf_ode_sight cf_ode_events_step(struct cf_ode *ode, size_t *event, double *at);

/* No event: `watch` goes on from the step's end. */
void cf_ode_events_advance(struct cf_ode *ode);

/* locate.c: replaces the step by the one that ends at the event, and marks all that happen there
 * as fired. */
double cf_ode_locate(struct cf_ode *ode, size_t event, double at);

/* stiffness.c: nothing is known yet; */
void cf_ode_suspect(struct cf_ode *ode);

/* should the step behind this one, just taken with length h, be a stiff one? */
bool cf_ode_switches(struct cf_ode *ode, double h);

/* variation.c */

/* A state on the side of an event on which its g has a sign: y, or as little as needed before
 * (`way` -1) or behind it (1) along its rates f, by *dt. */
const double *cf_ode_beside(struct cf_ode *ode, size_t event, int sign, double t, const double y[],
                            const double f[], int way, double *dt);

/* The variations of all columns at a state, with its rates f. Where it is at the step's end (`ends`
 * 1) or start (-1) and there an event, derivatives may jump: then at a state beside it that lies
 * within the step. */
void cf_ode_vary(struct cf_ode *ode, double t, const double y[], const double f[], int ends,
                 const double s[], double dsdt[]);

/* The error allowed to number i of the columns, which goes on to `next`. It is held against the
 * column's size, and against what it changes in a step as long as the states allow: where the rates
 * jump, as at a corner that no event marks, no step would be short enough else. */
double cf_ode_column_unit(const struct cf_ode *ode, size_t i, double next);

/* sensitivity.c */

/* The larger of two errors; one that is not a number stays. */
static inline double cf_ode_worse(double a, double b)
{
    return b <= a || a != a ? a : b;
}

/* All columns over the step, from s_now to s_next. Their error; good when <= 1. `retry`: after a
 * step that was not. */
double cf_ode_carry(struct cf_ode *ode, bool retry);

/* The dense output of an explicit step's columns, once that of its states has been made. */
void cf_ode_columns_dense(struct cf_ode *ode);

/* The step's end becomes the next one's start; `smoothly`: their rates go on there. */
void cf_ode_columns_advance(struct cf_ode *ode, bool smoothly);

/* dtau of an event at the step's end. False: it grazes. */
bool cf_ode_event_moves(struct cf_ode *ode, const struct cf_ode_event *event, double t,
                        const double s[]);

/* s over the event's reset from y to after, whose rates are f and f_after. */
void cf_ode_jump(struct cf_ode *ode, const struct cf_ode_event *event, double t, const double y[],
                 const double f[], const double f_after[], double s[]);

#endif
