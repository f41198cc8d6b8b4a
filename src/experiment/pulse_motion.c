#include "experiment/pulse_motion.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/pulse_parts.h"
#include "ode/ode.h"

enum { MOST_STEPS = 100000 }; /* some thousand times what an impact takes */

/* A contact that loses its force less deep than this, in parts of the depth that the impact comes
 * to, ends with the depth. */
static const double LEFT_DEPTH = 1e-9;

/* States between steps are exact as long as no step is longer than this part of the shortest time;
 * where that would take more steps than so many, they are right to some 1e-6. */
static const double STEP_SHARE = 2, MOST_OF_THAT = 5000;

/* ---- events */

/* Falls through 0 where the force ends. */
static double end(const void *context, double t, const double y[])
{
    const struct cf_pulse_state *r = context;
    const struct cf_law *law = r->motion->law;
    struct cf_contact c = cf_pulse_contact(r, y);
    struct cf_damping damping;

    (void) t;
    if (law->damping && law->n > law->p) {
        law->damping(r->motion->p, c.mass_kg, c.approach_m_s, &damping);
        return copysign(pow(fabs(y[CF_PULSE_Z]), law->n - law->p), y[CF_PULSE_Z]) +
               damping.ratio * y[CF_PULSE_W];
    }
    return law->damping || !law->end || !(y[CF_PULSE_Z] > 0) ? y[CF_PULSE_Z]
                                                             : law->end(r->motion->p, &c);
}

static double depth(const void *context, double t, const double y[])
{
    (void) context, (void) t;
    return y[CF_PULSE_Z];
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
    return s[CF_PULSE_Z];
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
    enum cf_pulse_mode to[2];
} turns[CF_PULSE_NMODE] = {[CF_PULSE_TOUCHING] = {0, 1, {CF_PULSE_CLAMPED}},
                           [CF_PULSE_CLAMPED] = {1, 2, {CF_PULSE_TOUCHING, CF_PULSE_OPEN}},
                           [CF_PULSE_OPEN] = {3, 1, {CF_PULSE_TOUCHING}}};

static void seen(void *observer, size_t event, double t, const double y[], const double s[],
                 const double dtau[])
{
    struct cf_pulse_state *r = observer;

    (void) event, (void) t, (void) y, (void) s;
    memset(r->dtau, 0, sizeof r->dtau);
    if (dtau)
        memcpy(r->dtau, dtau, r->motion->ncolumn * sizeof *dtau);
}

/* The surfaces meet again: the law begins anew, at the speed that they have now. */
static void touch_again(struct cf_pulse_state *r, double y[], double s[])
{
    size_t ncolumn = r->motion->ncolumn;
    double rate[CF_PULSE_NSTATE];

    r->approach_m_s = fmax(y[CF_PULSE_W], 0);
    for (size_t i = 0; i < CF_MAX_STATE; i++)
        y[CF_PULSE_STATE + i] = 0;
    cf_pulse_rates(r, 0, y, rate);
    for (size_t c = 0; c < ncolumn;
         c++, s += CF_PULSE_NSTATE) { /* which are those of the moving time */
        r->approach_by[c] = s[CF_PULSE_W];
        for (size_t i = 0; i < CF_MAX_STATE; i++)
            s[CF_PULSE_STATE + i] = 0;
        for (size_t i = 0; i < CF_PULSE_NSTATE; i++)
            s[i] -= rate[i] * r->dtau[c];
    }
}

/* ---- samples */

static void take(struct cf_pulse_state *r, const double y[], const double s[])
{
    size_t n = r->motion->ncolumn;
    double rate[CF_PULSE_NSTATE], *by = r->by ? r->by + r->at * n : NULL;

    r->force_N[r->at] = r->slow ? y[CF_PULSE_SHOWN] : cf_pulse_felt(r, y);
    if (r->rate_N_s) {
        cf_pulse_rates(r, 0, y, rate);
        r->rate_N_s[r->at] = r->slow ? rate[CF_PULSE_SHOWN] : cf_pulse_felt_rate(r, y, rate);
    }
    if (by && !r->slow)
        cf_pulse_felt_by(r, y, s, by);
    for (size_t c = 0; by && c < n; c++)
        by[c] = (r->slow ? s[c * CF_PULSE_NSTATE + CF_PULSE_SHOWN] : by[c]) / r->unit[c];
    r->at++;
}

static void sample(void *observer, const struct cf_ode_dense *dense)
{
    struct cf_pulse_state *r = observer;
    double from, to, y[CF_PULSE_NSTATE], s[CF_PULSE_NSTATE * CF_PULSE_MOST_COLUMNS];

    cf_ode_dense_span(dense, &from, &to);
    while (r->at < r->n && r->time_s[r->at] <= to) {
        cf_ode_dense_at(dense, r->time_s[r->at], y);
        if (r->by)
            cf_ode_dense_columns_at(dense, r->time_s[r->at], s);
        take(r, y, s);
    }
}

/* Before touch, and of a rigid rig without a lag behind its end, nothing is felt. */
static void take_nothing(struct cf_pulse_state *r)
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
static void sizes(const struct cf_pulse_state *r, double scale[CF_PULSE_NSTATE])
{
    const struct cf_pulse_motion *m = r->motion;
    double z = r->depth_m, v = m->speed_m_s, force = m->mass_kg * v * v / z;
    double give = r->soft ? force / m->stiffness_N_m : z;

    scale[CF_PULSE_Z] = z;
    scale[CF_PULSE_W] = v;
    scale[CF_PULSE_X] = give;
    scale[CF_PULSE_V] = v * fmin(give / z, 1);
    for (size_t i = 0; i < CF_MAX_STATE; i++)
        scale[CF_PULSE_STATE + i] = z;
    scale[CF_PULSE_SHOWN] = force;
    scale[CF_PULSE_SHOWN_RATE] = force * fmax(v / z, r->w);
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

/* The largest of its frequencies and decays, at the depth that it comes to [1/s]. */
static double fastest(const struct cf_pulse_state *r)
{
    const struct cf_pulse_motion *m = r->motion;
    const double y[CF_PULSE_NSTATE] = {[CF_PULSE_Z] = r->depth_m};
    struct cf_contact c = cf_pulse_contact(r, y);
    double mobility = 1 / m->mass_kg + (r->soft ? 1 / m->head_kg : 0), most = r->w;
    struct cf_force_slope slope;

    m->law->slope(m->law, m->p, &c, &slope);
    most = fmax(most, sqrt(fabs(slope.by_depth) * mobility));
    most = fmax(most, fabs(slope.by_rate) * mobility);
    if (r->soft) {
        most = fmax(most, sqrt(m->stiffness_N_m / m->head_kg));
        most = fmax(most, m->damping_N_s_m / m->head_kg);
    }
    return most;
}

static int go(struct cf_pulse_state *r, struct cf_ode *ode, double y[], double s[],
              struct cf_error *err)
{
    double scale[CF_PULSE_NSTATE], size[CF_PULSE_NSTATE * CF_PULSE_MOST_COLUMNS],
        t = 0, last = r->time_s[r->n - 1];
    struct cf_ode_options options = {.method = CF_ODE_AUTO,
                                     .tolerance = r->motion->tolerance,
                                     .scale = scale,
                                     .s_size = size,
                                     .max_steps = MOST_STEPS,
                                     .seen = seen,
                                     .step = sample,
                                     .observer = r};
    double most = fastest(r);
    int status = CF_OK;

    if (most * last < STEP_SHARE * MOST_OF_THAT) {
        options.method = CF_ODE_EXPLICIT;
        options.max_step = STEP_SHARE / most;
    }
    sizes(r, scale);
    for (size_t c = 0; c < r->motion->ncolumn; c++)
        memcpy(size + c * CF_PULSE_NSTATE, scale, sizeof scale);
    while (r->at < r->n && !status) {
        struct cf_ode_system system = {.n = CF_PULSE_NSTATE,
                                       .ncolumn = r->motion->ncolumn,
                                       .rates = cf_pulse_rates,
                                       .variation = cf_pulse_variation,
                                       .nevent = turns[r->mode].n,
                                       .event = events + turns[r->mode].first};
        struct cf_ode_result result;
        if (r->mode == CF_PULSE_OPEN && !r->soft)
            system.nevent = 0;
        if (r->mode == CF_PULSE_OPEN && !r->soft && !r->slow) {
            take_nothing(r);
            continue;
        }
        status = cf_ode_run(ode, &system, r, &options, &t, y, s, last, &result, err);
        options.max_steps -= status ? 0 : result.steps + result.rejected;
        if (status || result.reason != CF_ODE_EVENT)
            break;
        bool open = r->mode == CF_PULSE_OPEN;
        r->mode = turns[r->mode].to[result.event];
        if (r->mode == CF_PULSE_CLAMPED && !(y[CF_PULSE_Z] > LEFT_DEPTH * r->depth_m))
            r->mode = CF_PULSE_OPEN;
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
    struct cf_pulse_state r = {.motion = &plain,
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
    double y[CF_PULSE_NSTATE] = {[CF_PULSE_W] = m->speed_m_s},
           s[CF_PULSE_NSTATE * CF_PULSE_MOST_COLUMNS] = {0};
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
            s[c * CF_PULSE_NSTATE + CF_PULSE_W] = r.approach_by[c] = r.unit[c];
    }
    ode = cf_ode_alloc(CF_PULSE_NSTATE, plain.ncolumn);
    if (!ode)
        return cf_fail(err, CF_ENOMEM, "no memory for an impact");
    status = go(&r, ode, y, s, err);
    cf_ode_free(ode);
    return status;
}
