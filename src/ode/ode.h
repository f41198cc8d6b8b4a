/* The one stepper: an explicit Runge-Kutta method of order 8 with dense output (Dormand & Prince;
 * Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, 1993, DOP853), events, and
 * forward sensitivities carried through the same steps; for stiff systems, an implicit one of
 * order 9 (stiff_step.c).
 *
 * Sensitivities: s = dy/dp obeys s' = f_y s + f_p and uses the same steps and weights as y (the
 * stiff method: its own factorised matrix). A step is good where the states meet the tolerance, and
 * then the columns. At an event, which moves with p, the jump term is added:
 *
 *   dtau = -(g_y s + g_p)/(g_y f + g_t),   s+ = R_y s + R_p + (R_y f + R_t - f+) dtau
 */

#ifndef CF_ODE_ODE_H
#define CF_ODE_ODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* In place of a column's index: derivative with respect to time itself. */
#define CF_ODE_TIME SIZE_MAX

/* Happens where g(t, y) goes through 0, located to rounding; not at the start, where g may be 0,
 * nor again at the point where it has just happened. Of several at one time each happens, in the
 * table's order, up to the first terminal one.
 *
 * A g that dips through 0 and back within one step is found where its values at the ends, its
 * slopes there, or its values at four stages between approach 0 (then eight places of the
 * dense output are looked at, and extrema near 0 are refined): one dip in a step always, if both
 * end slopes point towards it. A g that wiggles faster than the solution needs max_step. */
struct cf_ode_event {
    const char *name;
    const void *context; /* of the functions below; NULL: the run's */
    double (*g)(const void *context, double t, const double y[]);

    /* g_y s + g_p for a column (for CF_ODE_TIME: g_y s + g_t); NULL where no sensitivities are
     * wanted. */
    double (*slope)(const void *context, double t, const double y[], const double s[],
                    size_t column);
    int direction; /* < 0: g falls, > 0: rises, 0: either */
    bool terminal; /* the run ends there, and its reset, if any, is left to the caller */
    bool corner;   /* only derivatives of the rates jump there: where it touches 0 without going
                    * through, sensitivities exist, and `seen` is given none */
    bool jumps;    /* of a corner: the rates themselves jump, too */

    /* The state after it, and R_y s + R_p (for CF_ODE_TIME: R_y s + R_t); NULL: it does not change.
     * The rates may change with it: they are evaluated again after each event. */
    void (*reset)(const void *context, double t, const double y[], double after[]);
    void (*reset_slope)(const void *context, double t, const double y[], const double s[],
                        size_t column, double after[]);
};

struct cf_ode_system {
    size_t n; /* states */
    size_t
        nread; /* states from here on are pure quadratures: no rate depends on them; 0: none are */
    size_t ncolumn; /* sensitivities, of the states that rates read: column c starts at
                     * s[c * nread], or, where nread is 0, at s[c * n] */

    /* Steps reach beyond an event before it is found: the rates must go on smoothly there. */
    void (*rates)(const void *context, double t, const double y[], double dydt[]);

    /* f_y s + f_p of all columns; NULL when ncolumn is 0. */
    void (*variation)(const void *context, double t, const double y[], const double s[],
                      double dsdt[]);
    size_t nevent;
    const struct cf_ode_event *event;
};

struct cf_ode_dense; /* one step, to be asked for the states within it */

enum cf_ode_method {
    CF_ODE_EXPLICIT,
    CF_ODE_STIFF,
    CF_ODE_AUTO, /* explicit, until its stability and not the error limits the steps */
};

struct cf_ode_options {
    enum cf_ode_method method;
    double tolerance;    /* relative, of each step */
    const double *scale; /* n sizes > 0: the error allowed is tolerance * max(|y|, scale) */
    const double *most;  /* NULL, or n errors > 0 that are never exceeded, whatever the size of y */

    /* Of columns the error allowed is tolerance * max(|s|, size), sizes being as large as the
     * column has been: s_size[ncolumn * nread] grows with it from one run to the next. NULL: they
     * begin with the states' scales. */
    double *s_size;

    /* NULL, or 1/(size of a column's parameter), of each: no column is known better than the
     * rounding of its state over that. */
    const double *s_per;

    /* Columns are allowed this many times that error; 0: once. Steps are then the states' own, and
     * states the same with and without columns, as long as these are as smooth. INFINITY: steps
     * are always the states' own; but where states stand still, those may be too long for columns
     * that decay, and they grow without a limit. */
    double s_slack;

    double first_step; /* 0: chosen by the stepper */
    double max_step;   /* 0: none; else no step is longer */
    size_t max_steps;  /* accepted and rejected; reported as a reason when they run out */

    /* NULL, or the longest step that may be tried from (t, y): time to a predicted contact. */
    double (*cap)(const void *context, double t, const double y[]);

    /* NULL, or called for each event, terminal or not, with the state before its reset and, where
     * they are carried, the sensitivities at the event's own moving time (jump term in). dtau is
     * the derivative of the event's time by each column. */
    void (*seen)(void *observer, size_t event, double t, const double y[], const double s[],
                 const double dtau[]);

    /* NULL, or called for each accepted step. */
    void (*step)(void *observer, const struct cf_ode_dense *dense);

    /* NULL, or asked after each accepted step, with its end: true ends the run there, with
     * CF_ECANCELLED. */
    bool (*stop)(void *observer, double t, const double y[]);
    void *observer;
};

enum cf_ode_reason {
    CF_ODE_REACHED,    /* t_end */
    CF_ODE_EVENT,      /* a terminal event */
    CF_ODE_STEPS,      /* max_steps ran out */
    CF_ODE_TOO_SMALL,  /* the step fell below rounding of t: a singularity, or too tight a tolerance
                        */
    CF_ODE_NOT_FINITE, /* a rate or a state is not finite even for the smallest step */
    CF_ODE_GRAZING,    /* an event's g touches 0, within the tolerance, without going through:
                        * sensitivities do not exist (asked only where they are carried) */
    CF_ODE_STOPPED,    /* `stop` said so */
};

struct cf_ode_result {
    enum cf_ode_reason reason;
    size_t event; /* of the terminal one */
    size_t steps, rejected, evaluations;
    size_t stiff_steps; /* of steps: those of the stiff method */
};

/* A reason in words, for messages; never NULL. */
const char *cf_ode_reason_text(enum cf_ode_reason reason);

struct cf_ode; /* workspace for systems of one size, reusable */
struct cf_ode *cf_ode_alloc(size_t n, size_t ncolumn); /* NULL: out of memory */
void cf_ode_free(struct cf_ode *ode);

/* From (*t, y[n], s[ncolumn * n]) to t_end > *t, or to what comes first. CF_OK where t_end or a
 * terminal event was reached; else CF_ESOLVE with the reason in words and in out->reason, *t, y and
 * s being the last good ones. */
int cf_ode_run(struct cf_ode *ode, const struct cf_ode_system *system, const void *context,
               const struct cf_ode_options *options, double *t, double y[], double s[],
               double t_end, struct cf_ode_result *out, struct cf_error *err);

/* The states at a time within the step that `dense` (of options->step) represents. */
void cf_ode_dense_span(const struct cf_ode_dense *dense, double *from, double *to);
void cf_ode_dense_at(const struct cf_ode_dense *dense, double t, double y[]);

/* Some of them, with their rates in t and, where they are carried, their sensitivities at a fixed
 * t: of state[i] in value[i], rate[i] and by[c * n + i]. */
void cf_ode_dense_states_at(const struct cf_ode_dense *dense, double t, size_t n,
                            const size_t state[], double value[], double rate[], double by[]);

/* And the sensitivities there, at a fixed t. */
void cf_ode_dense_columns_at(const struct cf_ode_dense *dense, double t, double s[]);

/* Fixed steps, for comparison with a simulator that takes them. */
struct cf_ode_scheme {
    const char *name; /* "rk4" */
    const char *what;
    int order;
    size_t nstage;
    const double *a, *b, *c; /* a[nstage * nstage] */
};

extern const struct cf_ode_scheme *const cf_ode_schemes[]; /* NULL-terminated: euler rk3 rk4 rk5 */
const struct cf_ode_scheme *cf_ode_scheme_find(const char *name);

/* `count` steps of length dt, or fewer: events are noticed only at the end of the step in which g
 * changed its sign, reset there, and terminal ones end the run there, as in such a simulator. */
int cf_ode_fixed(struct cf_ode *ode, const struct cf_ode_scheme *scheme,
                 const struct cf_ode_system *system, const void *context, double dt, size_t count,
                 double *t, double y[], struct cf_ode_result *out, struct cf_error *err);

#endif
