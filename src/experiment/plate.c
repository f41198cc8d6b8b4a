#include "experiment/plate.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "law/sliding.h"
#include "ode/ode.h"

/* States: friction's along the line, u, v. */
enum { MOST_STATES = CF_FRICTION_STATES + 2, MOST_COLUMNS = CF_MAX_PARAM + CF_PLATE_NNUMBER };

/* A deflection's scale is that under a tenth of the load, as in scenes; a speed's, a part of the
 * plate's: while the block sticks, slips are thousandths of it. */
static const double SHARE = 0.1, SHARE_OF_SPEED = 1e-3;

struct run {
    const struct cf_plate *plate;
    const struct cf_plate_columns *columns;
    size_t nfriction, of[CF_FRICTION_STATES]; /* the law's state of each */
    size_t place, slip, n;
    size_t next;
    struct cf_plate_samples *to;
    double d[MOST_COLUMNS * CF_FRICTION_COLUMNS]; /* directions for the law */
};

/* Where the ripple is at a time. */
struct phase {
    double w, t, c, s;
};

static struct phase phase_at(const struct cf_plate *plate, double t)
{
    double w = 2 * M_PI * plate->number[CF_PLATE_RIPPLE_RATE];

    return (struct phase){w, t, w > 0 ? cos(w * t) : 1, w > 0 ? sin(w * t) : 0};
}

static double speed_in(const struct cf_plate *plate, const struct phase *at, double *acceleration)
{
    const double *a = plate->number;
    double c = at->c, s = at->s;

    *acceleration =
        a[CF_PLATE_SPEED] * at->w * (a[CF_PLATE_RIPPLE_SINE] * c - a[CF_PLATE_RIPPLE_COSINE] * s);
    return a[CF_PLATE_SPEED] * (1 + a[CF_PLATE_RIPPLE_COSINE] * c + a[CF_PLATE_RIPPLE_SINE] * s);
}

double cf_plate_speed(const struct cf_plate *plate, double time_s, double *acceleration)
{
    struct phase at = phase_at(plate, time_s);

    return speed_in(plate, &at, acceleration);
}

/* The derivatives of both by a number. */
static double vary_speed(const struct cf_plate *plate, const struct phase *at, size_t number,
                         double *dV1)
{
    const double *a = plate->number;
    double w = at->w, t = at->t, c = at->c, s = at->s;
    double V = a[CF_PLATE_SPEED], r_c = a[CF_PLATE_RIPPLE_COSINE], r_s = a[CF_PLATE_RIPPLE_SINE];

    switch (number) {
    case CF_PLATE_SPEED:
        *dV1 = w * (r_s * c - r_c * s);
        return 1 + r_c * c + r_s * s;
    case CF_PLATE_RIPPLE_RATE:
        *dV1 = 2 * M_PI * V * ((r_s * c - r_c * s) - w * t * (r_s * s + r_c * c));
        return 2 * M_PI * t * V * (r_s * c - r_c * s);
    case CF_PLATE_RIPPLE_COSINE:
        *dV1 = -V * w * s;
        return V * c;
    case CF_PLATE_RIPPLE_SINE:
        *dV1 = V * w * c;
        return V * s;
    default:
        *dV1 = 0;
        return 0;
    }
}

/* ---- rates */

/* A contact of the plate and the block, with friction's states as the law has them. */
static struct cf_slide contact(const struct run *r, const double y[], double state[])
{
    memset(state, 0, CF_FRICTION_STATES * sizeof *state);
    for (size_t i = 0; i < r->nfriction; i++)
        state[r->of[i]] = y[i];
    return (struct cf_slide){.normal_N = r->plate->number[CF_PLATE_LOAD],
                             .velocity_m_s = {y[r->slip], 0},
                             .state = state};
}

static double pull(const struct run *r, double t, const double y[], double *V, double *V1)
{
    const double *a = r->plate->number;

    *V = cf_plate_speed(r->plate, t, V1);
    return a[CF_PLATE_STIFFNESS] * y[r->place] + a[CF_PLATE_DAMPING] * (*V - y[r->slip]);
}

static void rates(const void *context, double t, const double y[], double dydt[])
{
    const struct run *r = context;
    double state[CF_FRICTION_STATES], force[2], rate[CF_FRICTION_STATES], V, V1;
    const struct cf_slide c = contact(r, y, state);
    double spring_N = pull(r, t, y, &V, &V1);

    r->plate->law->force(r->plate->p, &c, force, rate);
    for (size_t i = 0; i < r->nfriction; i++)
        dydt[i] = rate[r->of[i]];
    dydt[r->place] = V - y[r->slip];
    dydt[r->slip] = (spring_N + force[0]) / r->plate->number[CF_PLATE_MASS] + V1;
}

/* The part of m v' beside friction, along a column. */
static double vary_pull(const struct run *r, size_t number, const struct phase *at, double V,
                        const double y[], const double s[], double *dV, double *dV1)
{
    const double *a = r->plate->number;
    double change;

    *dV = vary_speed(r->plate, at, number, dV1);
    change = a[CF_PLATE_STIFFNESS] * s[r->place] + a[CF_PLATE_DAMPING] * (*dV - s[r->slip]);
    if (number == CF_PLATE_STIFFNESS)
        change += y[r->place];
    else if (number == CF_PLATE_DAMPING)
        change += V - y[r->slip];
    return change;
}

static void variation(const void *context, double t, const double y[], const double s[],
                      double dsdt[])
{
    /* the directions are the run's own room: what they hold of states is put anew each time */
    struct run *r = (struct run *) context;
    size_t n = r->columns->n, nparam = r->plate->law->nparam;
    double state[CF_FRICTION_STATES], force[2 * MOST_COLUMNS],
        rate[MOST_COLUMNS * CF_FRICTION_STATES], own[MOST_STATES],
        mass = r->plate->number[CF_PLATE_MASS], V, V1;
    const struct cf_slide c = contact(r, y, state);
    const struct phase at = phase_at(r->plate, t);

    for (size_t k = 0; k < n; k++) {
        double *d = r->d + k * CF_FRICTION_COLUMNS;
        d[CF_BY_VELOCITY] = s[k * r->n + r->slip];
        for (size_t i = 0; i < r->nfriction; i++)
            d[CF_BY_STATE + r->of[i]] = s[k * r->n + i];
    }
    cf_friction_vary(r->plate->law, r->plate->p, &c, n, r->d, force, rate);
    V = speed_in(r->plate, &at, &V1);
    for (size_t k = 0; k < n; k++) {
        const double *ds = s + k * r->n;
        double *to = dsdt + k * r->n, dV, dV1;
        size_t number = r->columns->of[k] < nparam ? CF_PLATE_NNUMBER : r->columns->of[k] - nparam;
        double change = vary_pull(r, number, &at, V, y, ds, &dV, &dV1);
        for (size_t i = 0; i < r->nfriction; i++)
            to[i] = rate[k * CF_FRICTION_STATES + r->of[i]];
        to[r->place] = dV - ds[r->slip];
        to[r->slip] = (change + force[2 * k]) / mass + dV1;
        if (number == CF_PLATE_MASS) {
            rates(r, t, y, own);
            to[r->slip] -= (own[r->slip] - V1) / mass;
        }
    }
}

/* ---- start */

/* How the start moves along a column: the friction's states by speed, load and parameters, the
 * block's place by the trough's force; and back along the motion where the trough is later. */
static void vary_start(const struct run *r, const struct cf_sliding *slid, size_t column,
                       const double y[], const double dydt[], double s[])
{
    const double *a = r->plate->number;
    size_t nparam = r->plate->law->nparam,
           number = column < nparam ? CF_PLATE_NNUMBER : column - nparam;
    const struct phase at = phase_at(r->plate, a[CF_PLATE_TROUGH_S]);
    double dV1, dV = vary_speed(r->plate, &at, number, &dV1);

    if (number == CF_PLATE_TROUGH_S)
        cf_plate_speed(r->plate, a[CF_PLATE_TROUGH_S], &dV); /* V' is what it changes by */
    for (size_t i = 0; i < r->nfriction; i++) {
        s[i] = slid->by[CF_SLIDING_BY_SPEED][r->of[i]] * dV;
        if (column < nparam)
            s[i] += slid->by[CF_SLIDING_BY_PARAM + column][r->of[i]];
        else if (number == CF_PLATE_LOAD)
            s[i] += slid->by[CF_SLIDING_BY_LOAD][r->of[i]];
    }
    s[r->slip] = dV;
    s[r->place] = number == CF_PLATE_TROUGH_N    ? 1 / a[CF_PLATE_STIFFNESS]
                  : number == CF_PLATE_STIFFNESS ? -y[r->place] / a[CF_PLATE_STIFFNESS]
                                                 : 0;
    for (size_t i = 0; i < r->n && number == CF_PLATE_TROUGH_S; i++)
        s[i] -= dydt[i];
}

static int begin(struct run *r, bool derivatives, double y[], double s[], struct cf_error *err)
{
    const struct cf_plate *plate = r->plate;
    const double *a = plate->number;
    double V1, V = cf_plate_speed(plate, a[CF_PLATE_TROUGH_S], &V1), dydt[MOST_STATES];
    struct cf_sliding slid;
    int status;

    if (!(V > 0))
        return cf_fail(err, CF_ESOLVE, "the plate moves at %.6g m/s at the trough: not forward", V);
    status = cf_sliding_settle(plate->law, plate->p, V, a[CF_PLATE_LOAD], derivatives, &slid, err);
    if (status)
        return status;
    for (size_t i = 0; i < r->nfriction; i++)
        y[i] = slid.state[r->of[i]];
    y[r->place] = a[CF_PLATE_TROUGH_N] / a[CF_PLATE_STIFFNESS];
    y[r->slip] = V;
    rates(r, a[CF_PLATE_TROUGH_S], y, dydt);
    for (size_t k = 0; derivatives && k < r->columns->n; k++)
        vary_start(r, &slid, r->columns->of[k], y, dydt, s + k * r->n);
    return CF_OK;
}

static void put_scales(const struct run *r, double scale[])
{
    const double *a = r->plate->number;
    const struct cf_slide c = {.normal_N = a[CF_PLATE_LOAD],
                               .state = (double[CF_FRICTION_STATES]){0}};
    struct cf_friction_parts parts;

    r->plate->law->parts(r->plate->p, &c, &parts);
    for (size_t i = 0; i < r->nfriction; i++) {
        bool vector = r->of[i] < 2 * r->plate->law->nvector;
        double stiffness = vector ? parts.stiffness_N_m[r->of[i] / 2] : 0;
        scale[i] = stiffness > 0 ? SHARE * a[CF_PLATE_LOAD] / stiffness : 1;
    }
    scale[r->place] = SHARE * a[CF_PLATE_LOAD] / a[CF_PLATE_STIFFNESS];
    scale[r->slip] = SHARE_OF_SPEED * a[CF_PLATE_SPEED];
}

/* ---- samples */

/* What sample i shows of u, u' and its columns; s by columns of `stride`, from `at` on. */
static void note(struct run *r, size_t i, double u, double rate, const double s[], size_t stride)
{
    struct cf_plate_samples *to = r->to;
    double k = r->plate->number[CF_PLATE_STIFFNESS];
    size_t stiffness = r->plate->law->nparam + CF_PLATE_STIFFNESS, n = r->columns->n;

    if (to->force_N)
        to->force_N[i] = k * u;
    if (to->place_m)
        to->place_m[i] = u;
    if (to->force_by_time)
        to->force_by_time[i] = k * rate;
    if (to->place_by_time)
        to->place_by_time[i] = rate;
    for (size_t c = 0; c < n && to->place_by; c++)
        to->place_by[i * n + c] = s[c * stride];
    for (size_t c = 0; c < n && to->force_by; c++)
        to->force_by[i * n + c] = k * s[c * stride] + (r->columns->of[c] == stiffness ? u : 0);
}

static void stepped(void *observer, const struct cf_ode_dense *dense)
{
    struct run *r = observer;
    double from, until, u, rate, by[MOST_COLUMNS];

    cf_ode_dense_span(dense, &from, &until);
    for (; r->next < r->to->n && r->to->time_s[r->next] <= until; r->next++) {
        cf_ode_dense_states_at(dense, r->to->time_s[r->next], 1, &r->place, &u, &rate, by);
        note(r, r->next, u, rate, by, 1);
    }
}

/* Samples before the trough: as at it, a block that does not move. */
static void before(struct run *r, const double y[], const double s[])
{
    double trough_s = r->plate->number[CF_PLATE_TROUGH_S], by[MOST_COLUMNS];
    size_t late = r->plate->law->nparam + CF_PLATE_TROUGH_S;

    for (size_t c = 0; c < r->columns->n && s; c++)
        by[c] = r->columns->of[c] == late ? 0 : s[c * r->n + r->place];
    for (; r->next < r->to->n && r->to->time_s[r->next] <= trough_s; r->next++)
        note(r, r->next, y[r->place], 0, by, 1);
}

static int integrate(struct run *r, double tolerance, size_t max_steps, double y[], double s[],
                     struct cf_error *err)
{
    double t = r->plate->number[CF_PLATE_TROUGH_S], scale[MOST_STATES];
    bool derivatives = r->to->force_by || r->to->place_by;
    const struct cf_ode_system system = {.n = r->n,
                                         .ncolumn = derivatives ? r->columns->n : 0,
                                         .rates = rates,
                                         .variation = variation};
    const struct cf_ode_options options = {.method = CF_ODE_AUTO,
                                           .tolerance = tolerance,
                                           .scale = scale,
                                           .max_steps = max_steps,
                                           .s_slack = (double) INFINITY,
                                           .step = stepped,
                                           .observer = r};
    struct cf_ode_result result;
    struct cf_ode *ode = cf_ode_alloc(r->n, system.ncolumn);
    int status;

    if (!ode)
        return cf_fail(err, CF_ENOMEM, "no memory to integrate a block on a plate");
    put_scales(r, scale);
    status =
        cf_ode_run(ode, &system, r, &options, &t, y, s, r->to->time_s[r->to->n - 1], &result, err);
    cf_ode_free(ode);
    return status;
}

static void layout(struct run *r)
{
    const struct cf_friction_law *law = r->plate->law;

    for (size_t i = 0; i < law->nstate; i++)
        if (i >= 2 * law->nvector || i % 2 == 0)
            r->of[r->nfriction++] = i;
    r->place = r->nfriction;
    r->slip = r->nfriction + 1;
    r->n = r->nfriction + 2;
    for (size_t k = 0; k < r->columns->n; k++) {
        double *d = r->d + k * CF_FRICTION_COLUMNS;
        if (r->columns->of[k] < law->nparam)
            d[CF_BY_PARAM + r->columns->of[k]] = 1;
        else if (r->columns->of[k] == law->nparam + CF_PLATE_LOAD)
            d[CF_BY_NORMAL] = 1;
    }
}

int cf_plate_run(const struct cf_plate *plate, const struct cf_plate_columns *columns,
                 double tolerance, size_t max_steps, struct cf_plate_samples *out,
                 struct cf_error *err)
{
    bool derivatives = out->force_by || out->place_by;
    double y[MOST_STATES] = {0}, s[MOST_COLUMNS * MOST_STATES] = {0};
    struct run *r = calloc(1, sizeof *r);
    int status;

    if (!r)
        return cf_fail(err, CF_ENOMEM, "no memory for a block on a plate");
    r->plate = plate;
    r->columns = columns;
    r->to = out;
    layout(r);
    status = begin(r, derivatives, y, s, err);
    if (!status)
        before(r, y, derivatives ? s : NULL);
    if (!status && r->next < out->n)
        status = integrate(r, tolerance, max_steps, y, s, err);
    free(r);
    return status;
}
