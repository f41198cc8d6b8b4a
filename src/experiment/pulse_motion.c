#include "experiment/pulse_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_math.h>

#include "ode/ode.h"

enum { Z, W, X, V, STATE, SHOWN = STATE + CF_MAX_STATE, SHOWN_RATE, NSTATE };

enum { MOST_STEPS = 100000 }; /* some thousand times what an impact takes */

/* At touch a law may jump, or its slope be infinite: its first instant is taken so deep, in parts
 * of the depth that the impact comes to. */
static const double FIRST_DEPTH = 1e-14;

/* A contact that loses its force less deep than this, in the same parts, ends with the depth. */
static const double LEFT_DEPTH = 1e-9;

enum mode {
    TOUCHING,
    CLAMPED, /* the force has ended before the depth did, and may come back */
    OPEN,
    NMODE
};

struct run {
    const struct cf_pulse_motion *motion;
    enum mode mode;
    bool soft, slow; /* a rig that gives way, a sensor that lags */
    double depth_m;  /* about what the impact comes to */
    double approach_m_s, approach_by[CF_PULSE_MOST_COLUMNS]; /* of this touch */
    double unit[CF_PULSE_MOST_COLUMNS]; /* columns are of parameters over their size */
    double dtau[CF_PULSE_MOST_COLUMNS]; /* of the event that has ended a mode */
    double w;                           /* 2 pi times the bandwidth */

    size_t n, at; /* samples, and the first that is still to be taken */
    const double *time_s;
    double *force_N, *rate_N_s, *by;
};

/* ---- forces */

static bool is_touching(const struct run *r)
{
    return r->mode == TOUCHING;
}

static struct cf_contact contact_at(const struct run *r, const double y[])
{
    const struct cf_pulse_motion *m = r->motion;

    return (struct cf_contact){.depth_m = fmax(y[Z], FIRST_DEPTH * r->depth_m),
                               .rate_m_s = y[W],
                               .approach_m_s = r->approach_m_s,
                               .mass_kg = m->mass_kg,
                               .radius_m = m->radius_m,
                               .state = m->law->nstate ? y + STATE : NULL};
}

static double force_of(const struct run *r, const double y[])
{
    struct cf_contact c = contact_at(r, y);
    return is_touching(r) ? r->motion->law->force(r->motion->law, r->motion->p, &c) : 0;
}

static double felt(const struct run *r, const double y[], double force)
{
    const struct cf_pulse_motion *m = r->motion;
    return r->soft ? m->stiffness_N_m * y[X] + m->damping_N_s_m * y[V] : force;
}

/* ---- rates */

static const double BUTTERWORTH = 1.4142135623730951; /* 2 zeta */

static void rates(const void *context, double t, const double y[], double rate[])
{
    const struct run *r = context;
    const struct cf_pulse_motion *m = r->motion;
    double F = force_of(r, y), shown = felt(r, y, F);

    (void) t;
    memset(rate, 0, NSTATE * sizeof *rate);
    rate[Z] = y[W];
    rate[W] = -F / m->mass_kg;
    if (r->soft) {
        rate[W] -= (F - shown) / m->head_kg;
        rate[X] = y[V];
        rate[V] = (F - shown) / m->head_kg;
    }
    if (m->law->nstate && is_touching(r)) {
        struct cf_contact c = contact_at(r, y);
        m->law->state_rate(m->p, &c, rate + STATE);
    }
    if (!r->slow)
        return;
    if (m->order == 1) {
        rate[SHOWN] = r->w * (shown - y[SHOWN]);
        return;
    }
    rate[SHOWN] = y[SHOWN_RATE];
    rate[SHOWN_RATE] = r->w * (r->w * (shown - y[SHOWN]) - BUTTERWORTH * y[SHOWN_RATE]);
}

/* The derivative of one of the law's quantities along a column. */
static double along(const struct run *r, const struct cf_force_slope *slope, const double y[],
                    const double s[], size_t c)
{
    const struct cf_law *law = r->motion->law;
    size_t own = r->motion->column[c];
    double sum = slope->by_rate * s[W] + slope->by_approach * r->approach_by[c];

    if (y[Z] > FIRST_DEPTH * r->depth_m)
        sum += slope->by_depth * s[Z];
    for (size_t i = 0; i < law->nstate; i++)
        sum += slope->by_state[i] * s[STATE + i];
    return own < law->nparam ? sum + r->unit[c] * slope->by_param[own] : sum;
}

/* Of what the sensor feels, where the force changes by dF. */
static double felt_along(const struct run *r, const double y[], const double s[], double dF,
                         size_t c)
{
    const struct cf_pulse_motion *m = r->motion;
    size_t own = m->column[c] - m->law->nparam;
    double sum;

    if (!r->soft)
        return dF;
    sum = m->stiffness_N_m * s[X] + m->damping_N_s_m * s[V];
    if (own == CF_PULSE_BY_STIFFNESS)
        sum += r->unit[c] * y[X];
    return own == CF_PULSE_BY_DAMPING ? sum + r->unit[c] * y[V] : sum;
}

static void vary_lag(const struct run *r, const double y[], const double s[], double shown,
                     double dshown, size_t c, double ds[])
{
    const struct cf_pulse_motion *m = r->motion;
    bool own = m->column[c] - m->law->nparam == CF_PULSE_BY_BANDWIDTH;
    double dw = own ? 2 * M_PI * r->unit[c] : 0;

    if (m->order == 1) {
        ds[SHOWN] = r->w * (dshown - s[SHOWN]) + dw * (shown - y[SHOWN]);
        return;
    }
    ds[SHOWN] = s[SHOWN_RATE];
    ds[SHOWN_RATE] = r->w * (r->w * (dshown - s[SHOWN]) - BUTTERWORTH * s[SHOWN_RATE]) +
                     dw * (2 * r->w * (shown - y[SHOWN]) - BUTTERWORTH * y[SHOWN_RATE]);
}

/* The law's derivatives at one place, for all columns. */
struct laws_slope {
    struct cf_force_slope force, state[CF_MAX_STATE];
};

static void laws_slope(const struct run *r, const double y[], struct laws_slope *out)
{
    const struct cf_law *law = r->motion->law;
    struct cf_contact c = contact_at(r, y);

    memset(out, 0, sizeof *out);
    if (!is_touching(r))
        return;
    law->slope(law, r->motion->p, &c, &out->force);
    if (law->nstate)
        law->state_slope(r->motion->p, &c, out->state);
}

static void variation(const void *context, double t, const double y[], const double s[],
                      double ds[])
{
    const struct run *r = context;
    const struct cf_pulse_motion *m = r->motion;
    double F = force_of(r, y), shown = felt(r, y, F);
    struct laws_slope slope;

    (void) t;
    laws_slope(r, y, &slope);
    memset(ds, 0, m->ncolumn * NSTATE * sizeof *ds);
    for (size_t c = 0; c < m->ncolumn; c++, s += NSTATE, ds += NSTATE) {
        double dF = along(r, &slope.force, y, s, c), dshown = felt_along(r, y, s, dF, c);
        ds[Z] = s[W];
        ds[W] = -dF / m->mass_kg;
        if (r->soft) {
            double more = (dF - dshown) / m->head_kg;
            if (m->column[c] - m->law->nparam == CF_PULSE_BY_MASS)
                more -= r->unit[c] * (F - shown) / (m->head_kg * m->head_kg);
            ds[W] -= more;
            ds[X] = s[V];
            ds[V] = more;
        }
        for (size_t i = 0; i < m->law->nstate && is_touching(r); i++)
            ds[STATE + i] = along(r, &slope.state[i], y, s, c);
        if (r->slow)
            vary_lag(r, y, s, shown, dshown, c, ds);
    }
}

/* ---- events */

/* Falls through 0 where the force ends. */
static double end(const void *context, double t, const double y[])
{
    const struct run *r = context;
    const struct cf_law *law = r->motion->law;
    struct cf_contact c = contact_at(r, y);
    struct cf_damping damping;

    (void) t;
    if (law->damping && law->n > law->p) {
        law->damping(r->motion->p, c.mass_kg, c.approach_m_s, &damping);
        return copysign(pow(fabs(y[Z]), law->n - law->p), y[Z]) + damping.ratio * y[W];
    }
    return law->damping || !law->end || !(y[Z] > 0) ? y[Z] : law->end(r->motion->p, &c);
}

static double depth(const void *context, double t, const double y[])
{
    (void) context, (void) t;
    return y[Z];
}

/* At an end the force is 0 on both sides: no column jumps, whatever becomes of its time. */
static double end_slope(const void *context, double t, const double y[], const double s[],
                        size_t column)
{
    (void) context, (void) t, (void) y, (void) s;
    return column == CF_ODE_TIME ? -1 : 0;
}

static double depth_slope(const void *context, double t, const double y[], const double s[],
                          size_t column)
{
    (void) context, (void) t, (void) y, (void) column;
    return s[Z];
}

static const struct cf_ode_event events[] = {
    {"end", NULL, end, end_slope, -1, true, true, false, NULL, NULL},
    {"return", NULL, end, end_slope, 1, true, true, false, NULL, NULL},
    {"left", NULL, depth, end_slope, -1, true, true, false, NULL, NULL},
    {"touch", NULL, depth, depth_slope, 1, true, false, false, NULL, NULL},
};

/* Those of each mode stand behind each other; the modes that they lead to. */
static const struct {
    size_t first, n;
    enum mode to[2];
} turns[NMODE] = {[TOUCHING] = {0, 1, {CLAMPED}},
                  [CLAMPED] = {1, 2, {TOUCHING, OPEN}},
                  [OPEN] = {3, 1, {TOUCHING}}};

static void seen(void *observer, size_t event, double t, const double y[], const double s[],
                 const double dtau[])
{
    struct run *r = observer;

    (void) event, (void) t, (void) y, (void) s;
    memset(r->dtau, 0, sizeof r->dtau);
    if (dtau)
        memcpy(r->dtau, dtau, r->motion->ncolumn * sizeof *dtau);
}

/* The surfaces meet again: the law begins anew, at the speed that they have now. */
static void touch_again(struct run *r, double y[], double s[])
{
    size_t ncolumn = r->motion->ncolumn;
    double rate[NSTATE];

    r->approach_m_s = fmax(y[W], 0);
    for (size_t i = 0; i < CF_MAX_STATE; i++)
        y[STATE + i] = 0;
    rates(r, 0, y, rate);
    for (size_t c = 0; c < ncolumn; c++, s += NSTATE) { /* which are those of the moving time */
        r->approach_by[c] = s[W];
        for (size_t i = 0; i < CF_MAX_STATE; i++)
            s[STATE + i] = 0;
        for (size_t i = 0; i < NSTATE; i++)
            s[i] -= rate[i] * r->dtau[c];
    }
}

/* ---- samples */

/* Of what is felt, by time. */
static double felt_rate(const struct run *r, const double y[], const double rate[])
{
    const struct cf_pulse_motion *m = r->motion;
    struct laws_slope slope;
    double sum;

    if (r->soft)
        return m->stiffness_N_m * rate[X] + m->damping_N_s_m * rate[V];
    laws_slope(r, y, &slope);
    sum = slope.force.by_rate * rate[W];
    if (y[Z] > FIRST_DEPTH * r->depth_m)
        sum += slope.force.by_depth * rate[Z];
    for (size_t i = 0; i < m->law->nstate; i++)
        sum += slope.force.by_state[i] * rate[STATE + i];
    return sum;
}

static void take(struct run *r, const double y[], const double s[])
{
    const struct cf_pulse_motion *m = r->motion;
    double F = force_of(r, y), rate[NSTATE];
    struct laws_slope slope;

    r->force_N[r->at] = r->slow ? y[SHOWN] : felt(r, y, F);
    if (r->rate_N_s) {
        rates(r, 0, y, rate);
        r->rate_N_s[r->at] = r->slow ? rate[SHOWN] : felt_rate(r, y, rate);
    }
    if (r->by && !r->slow)
        laws_slope(r, y, &slope);
    for (size_t c = 0; r->by && c < m->ncolumn; c++, s += NSTATE)
        r->by[r->at * m->ncolumn + c] =
            (r->slow ? s[SHOWN] : felt_along(r, y, s, along(r, &slope.force, y, s, c), c)) /
            r->unit[c];
    r->at++;
}

static void sample(void *observer, const struct cf_ode_dense *dense)
{
    struct run *r = observer;
    double from, to, y[NSTATE], s[NSTATE * CF_PULSE_MOST_COLUMNS];

    cf_ode_dense_span(dense, &from, &to);
    while (r->at < r->n && r->time_s[r->at] <= to) {
        cf_ode_dense_at(dense, r->time_s[r->at], y);
        if (r->by)
            cf_ode_dense_columns_at(dense, r->time_s[r->at], s);
        take(r, y, s);
    }
}

/* Before touch, and of a rigid rig without a lag behind its end, nothing is felt. */
static void take_nothing(struct run *r)
{
    size_t ncolumn = r->motion->ncolumn;

    r->force_N[r->at] = 0;
    if (r->rate_N_s)
        r->rate_N_s[r->at] = 0;
    if (r->by)
        memset(r->by + r->at * ncolumn, 0, ncolumn * sizeof *r->by);
    r->at++;
}

/* ---- the run */

/* The depth at which the spring holds the energy of the impact. */
static double depth_of(const struct cf_pulse_motion *m)
{
    double low = 1e-15, high = 1e3; /* metres: no contact is outside */
    double energy = 0.5 * m->mass_kg * m->speed_m_s * m->speed_m_s;
    const double none[CF_MAX_STATE] = {0};
    struct cf_contact c = {.mass_kg = m->mass_kg,
                           .radius_m = m->radius_m,
                           .approach_m_s = m->speed_m_s,
                           .state = none};

    while (high > 1.5 * low) {
        c.depth_m = sqrt(low * high);
        *(m->law->energy(m->law, m->p, &c) < energy ? &low : &high) = c.depth_m;
    }
    return low;
}

/* The sizes of the states, against which errors are held. */
static void sizes(const struct run *r, double scale[NSTATE])
{
    const struct cf_pulse_motion *m = r->motion;
    double z = r->depth_m, v = m->speed_m_s, force = m->mass_kg * v * v / z;
    double give = r->soft ? force / m->stiffness_N_m : z;

    scale[Z] = z;
    scale[W] = v;
    scale[X] = give;
    scale[V] = v * fmin(give / z, 1);
    for (size_t i = 0; i < CF_MAX_STATE; i++)
        scale[STATE + i] = z;
    scale[SHOWN] = force;
    scale[SHOWN_RATE] = force * fmax(v / z, r->w);
}

/* The size of what a column is by: of one that is 0, what is usual of it. */
static double unit_of(const struct cf_pulse_motion *m, size_t column)
{
    const double rig[CF_PULSE_NWRT] = {
        [CF_PULSE_BY_SPEED] = m->speed_m_s,
        [CF_PULSE_BY_STIFFNESS] = m->stiffness_N_m,
        [CF_PULSE_BY_MASS] = m->head_kg,
        [CF_PULSE_BY_DAMPING] = fmax(m->damping_N_s_m, sqrt(m->stiffness_N_m * m->head_kg)),
        [CF_PULSE_BY_BANDWIDTH] = m->bandwidth_Hz,
    };
    const struct cf_param *row = &m->law->param[column];
    double size;

    if (column >= m->law->nparam)
        return rig[column - m->law->nparam] > 0 ? rig[column - m->law->nparam] : 1;
    size = fabs(m->p[column]);
    if (!(size > 0))
        size = fabs(row->typical);
    return size > 0 ? size : fmax(fabs(row->fit_upper), 1e-300);
}

static int go(struct run *r, struct cf_ode *ode, double y[], double s[], struct cf_error *err)
{
    double scale[NSTATE], size[NSTATE * CF_PULSE_MOST_COLUMNS], t = 0, last = r->time_s[r->n - 1];
    struct cf_ode_options options = {.method = CF_ODE_AUTO,
                                     .tolerance = r->motion->tolerance,
                                     .scale = scale,
                                     .s_size = size,
                                     .max_steps = MOST_STEPS,
                                     .seen = seen,
                                     .step = sample,
                                     .observer = r};
    int status = CF_OK;

    sizes(r, scale);
    for (size_t c = 0; c < r->motion->ncolumn; c++)
        memcpy(size + c * NSTATE, scale, sizeof scale);
    while (r->at < r->n && !status) {
        struct cf_ode_system system = {.n = NSTATE,
                                       .ncolumn = r->motion->ncolumn,
                                       .rates = rates,
                                       .variation = variation,
                                       .nevent = turns[r->mode].n,
                                       .event = events + turns[r->mode].first};
        struct cf_ode_result result;
        if (r->mode == OPEN && !r->soft)
            system.nevent = 0;
        if (r->mode == OPEN && !r->soft && !r->slow) {
            take_nothing(r);
            continue;
        }
        status = cf_ode_run(ode, &system, r, &options, &t, y, s, last, &result, err);
        options.max_steps -= status ? 0 : result.steps + result.rejected;
        if (status || result.reason != CF_ODE_EVENT)
            break;
        bool open = r->mode == OPEN;
        r->mode = turns[r->mode].to[result.event];
        if (r->mode == CLAMPED && !(y[Z] > LEFT_DEPTH * r->depth_m))
            r->mode = OPEN;
        if (open)
            touch_again(r, y, s);
    }
    return status;
}

int cf_pulse_run(const struct cf_pulse_motion *motion, size_t n, const double time_s[],
                 double force_N[], double rate_N_s[], double by[], struct cf_error *err)
{
    const struct cf_pulse_motion *m = motion;
    struct cf_pulse_motion plain = *m;
    struct run r = {.motion = &plain,
                    .soft = m->stiffness_N_m > 0,
                    .slow = m->bandwidth_Hz > 0,
                    .w = 2 * M_PI * m->bandwidth_Hz,
                    .depth_m = depth_of(m),
                    .approach_m_s = m->speed_m_s,
                    .n = n,
                    .time_s = time_s,
                    .force_N = force_N,
                    .rate_N_s = rate_N_s,
                    .by = by};
    double y[NSTATE] = {[W] = m->speed_m_s}, s[NSTATE * CF_PULSE_MOST_COLUMNS] = {0};
    struct cf_ode *ode;
    int status;

    if (!by)
        plain.ncolumn = 0;
    while (r.at < n && !(time_s[r.at] > 0))
        take_nothing(&r);
    if (r.at == n)
        return CF_OK;
    for (size_t c = 0; c < plain.ncolumn; c++) {
        r.unit[c] = unit_of(m, m->column[c]);
        if (m->column[c] == m->law->nparam + CF_PULSE_BY_SPEED)
            s[c * NSTATE + W] = r.approach_by[c] = r.unit[c];
    }
    ode = cf_ode_alloc(NSTATE, plain.ncolumn);
    if (!ode)
        return cf_fail(err, CF_ENOMEM, "no memory for an impact");
    status = go(&r, ode, y, s, err);
    cf_ode_free(ode);
    return status;
}
