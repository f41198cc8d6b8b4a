/* The equations of one impact, and their derivatives along columns. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

#include "experiment/pulse_parts.h"

/* At touch a law may jump, or its slope be infinite: its first instant is taken so deep, in parts
 * of the depth that the impact comes to. */
static const double FIRST_DEPTH = 1e-14;

/* ---- forces */

static bool is_touching(const struct cf_pulse_state *r)
{
    return r->mode == CF_PULSE_TOUCHING;
}

struct cf_contact cf_pulse_contact(const struct cf_pulse_state *r, const double y[])
{
    const struct cf_pulse_motion *m = r->motion;

    return (struct cf_contact){.depth_m = fmax(y[CF_PULSE_Z], FIRST_DEPTH * r->depth_m),
                               .rate_m_s = y[CF_PULSE_W],
                               .approach_m_s = r->approach_m_s,
                               .mass_kg = m->mass_kg,
                               .radius_m = m->radius_m,
                               .state = m->law->nstate ? y + CF_PULSE_STATE : NULL};
}

static double force_of(const struct cf_pulse_state *r, const double y[])
{
    struct cf_contact c = cf_pulse_contact(r, y);
    return is_touching(r) ? r->motion->law->force(r->motion->law, r->motion->p, &c) : 0;
}

static double felt(const struct cf_pulse_state *r, const double y[], double force)
{
    const struct cf_pulse_motion *m = r->motion;
    return r->soft ? m->stiffness_N_m * y[CF_PULSE_X] + m->damping_N_s_m * y[CF_PULSE_V] : force;
}

/* ---- rates */

static const double BUTTERWORTH = 1.4142135623730951; /* 2 zeta */

void cf_pulse_rates(const void *context, double t, const double y[], double rate[])
{
    const struct cf_pulse_state *r = context;
    const struct cf_pulse_motion *m = r->motion;
    double F = force_of(r, y), shown = felt(r, y, F);

    (void) t;
    memset(rate, 0, CF_PULSE_NSTATE * sizeof *rate);
    rate[CF_PULSE_Z] = y[CF_PULSE_W];
    rate[CF_PULSE_W] = -F / m->mass_kg;
    if (r->soft) {
        rate[CF_PULSE_W] -= (F - shown) / m->head_kg;
        rate[CF_PULSE_X] = y[CF_PULSE_V];
        rate[CF_PULSE_V] = (F - shown) / m->head_kg;
    }
    if (m->law->nstate && is_touching(r)) {
        struct cf_contact c = cf_pulse_contact(r, y);
        m->law->state_rate(m->p, &c, rate + CF_PULSE_STATE);
    }
    if (!r->slow)
        return;
    if (m->order == 1) {
        rate[CF_PULSE_SHOWN] = r->w * (shown - y[CF_PULSE_SHOWN]);
        return;
    }
    rate[CF_PULSE_SHOWN] = y[CF_PULSE_SHOWN_RATE];
    rate[CF_PULSE_SHOWN_RATE] =
        r->w * (r->w * (shown - y[CF_PULSE_SHOWN]) - BUTTERWORTH * y[CF_PULSE_SHOWN_RATE]);
}

/* The derivative of one of the law's quantities along a column. */
static double along(const struct cf_pulse_state *r, const struct cf_force_slope *slope,
                    const double y[], const double s[], size_t c)
{
    const struct cf_law *law = r->motion->law;
    size_t own = r->motion->column[c];
    double sum = slope->by_rate * s[CF_PULSE_W] + slope->by_approach * r->approach_by[c];

    if (y[CF_PULSE_Z] > FIRST_DEPTH * r->depth_m)
        sum += slope->by_depth * s[CF_PULSE_Z];
    for (size_t i = 0; i < law->nstate; i++)
        sum += slope->by_state[i] * s[CF_PULSE_STATE + i];
    return own < law->nparam ? sum + r->unit[c] * slope->by_param[own] : sum;
}

/* Of what the sensor feels, where the force changes by dF. */
static double felt_along(const struct cf_pulse_state *r, const double y[], const double s[],
                         double dF, size_t c)
{
    const struct cf_pulse_motion *m = r->motion;
    size_t own = m->column[c] - m->law->nparam;
    double sum;

    if (!r->soft)
        return dF;
    sum = m->stiffness_N_m * s[CF_PULSE_X] + m->damping_N_s_m * s[CF_PULSE_V];
    if (own == CF_PULSE_BY_STIFFNESS)
        sum += r->unit[c] * y[CF_PULSE_X];
    return own == CF_PULSE_BY_DAMPING ? sum + r->unit[c] * y[CF_PULSE_V] : sum;
}

static void vary_lag(const struct cf_pulse_state *r, const double y[], const double s[],
                     double shown, double dshown, size_t c, double ds[])
{
    const struct cf_pulse_motion *m = r->motion;
    bool own = m->column[c] - m->law->nparam == CF_PULSE_BY_BANDWIDTH;
    double dw = own ? 2 * M_PI * r->unit[c] : 0;

    if (m->order == 1) {
        ds[CF_PULSE_SHOWN] = r->w * (dshown - s[CF_PULSE_SHOWN]) + dw * (shown - y[CF_PULSE_SHOWN]);
        return;
    }
    ds[CF_PULSE_SHOWN] = s[CF_PULSE_SHOWN_RATE];
    ds[CF_PULSE_SHOWN_RATE] =
        r->w * (r->w * (dshown - s[CF_PULSE_SHOWN]) - BUTTERWORTH * s[CF_PULSE_SHOWN_RATE]) +
        dw * (2 * r->w * (shown - y[CF_PULSE_SHOWN]) - BUTTERWORTH * y[CF_PULSE_SHOWN_RATE]);
}

/* The law's derivatives at one place, for all columns. */
struct laws_slope {
    struct cf_force_slope force, state[CF_MAX_STATE];
};

static void laws_slope(const struct cf_pulse_state *r, const double y[], struct laws_slope *out)
{
    const struct cf_law *law = r->motion->law;
    struct cf_contact c = cf_pulse_contact(r, y);

    memset(out, 0, sizeof *out);
    if (!is_touching(r))
        return;
    law->slope(law, r->motion->p, &c, &out->force);
    if (law->nstate)
        law->state_slope(r->motion->p, &c, out->state);
}

void cf_pulse_variation(const void *context, double t, const double y[], const double s[],
                        double ds[])
{
    const struct cf_pulse_state *r = context;
    const struct cf_pulse_motion *m = r->motion;
    double F = force_of(r, y), shown = felt(r, y, F);
    struct laws_slope slope;

    (void) t;
    laws_slope(r, y, &slope);
    memset(ds, 0, m->ncolumn * CF_PULSE_NSTATE * sizeof *ds);
    for (size_t c = 0; c < m->ncolumn; c++, s += CF_PULSE_NSTATE, ds += CF_PULSE_NSTATE) {
        double dF = along(r, &slope.force, y, s, c), dshown = felt_along(r, y, s, dF, c);
        ds[CF_PULSE_Z] = s[CF_PULSE_W];
        ds[CF_PULSE_W] = -dF / m->mass_kg;
        if (r->soft) {
            double more = (dF - dshown) / m->head_kg;
            if (m->column[c] - m->law->nparam == CF_PULSE_BY_MASS)
                more -= r->unit[c] * (F - shown) / (m->head_kg * m->head_kg);
            ds[CF_PULSE_W] -= more;
            ds[CF_PULSE_X] = s[CF_PULSE_V];
            ds[CF_PULSE_V] = more;
        }
        for (size_t i = 0; i < m->law->nstate && is_touching(r); i++)
            ds[CF_PULSE_STATE + i] = along(r, &slope.state[i], y, s, c);
        if (r->slow)
            vary_lag(r, y, s, shown, dshown, c, ds);
    }
}

/* ---- what is felt */

double cf_pulse_felt(const struct cf_pulse_state *r, const double y[])
{
    return felt(r, y, force_of(r, y));
}

double cf_pulse_felt_rate(const struct cf_pulse_state *r, const double y[], const double rate[])
{
    const struct cf_pulse_motion *m = r->motion;
    struct laws_slope slope;
    double sum;

    if (r->soft)
        return m->stiffness_N_m * rate[CF_PULSE_X] + m->damping_N_s_m * rate[CF_PULSE_V];
    laws_slope(r, y, &slope);
    sum = slope.force.by_rate * rate[CF_PULSE_W];
    if (y[CF_PULSE_Z] > FIRST_DEPTH * r->depth_m)
        sum += slope.force.by_depth * rate[CF_PULSE_Z];
    for (size_t i = 0; i < m->law->nstate; i++)
        sum += slope.force.by_state[i] * rate[CF_PULSE_STATE + i];
    return sum;
}

void cf_pulse_felt_by(const struct cf_pulse_state *r, const double y[], const double s[],
                      double by[])
{
    struct laws_slope slope;

    laws_slope(r, y, &slope);
    for (size_t c = 0; c < r->motion->ncolumn; c++, s += CF_PULSE_NSTATE)
        by[c] = felt_along(r, y, s, along(r, &slope.force, y, s, c), c);
}
