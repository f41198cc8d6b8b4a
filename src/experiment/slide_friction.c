/* Friction laws with bristles in steady sliding, as a coefficient over slip speed.
 *
 * f(v) at the states at which the law stands still, and df/dv = f_v + f_x dx/dv, the last by the
 * states' own derivatives (law/sliding.h). The load is one that is known: it moves no fit here.
 */

#include <math.h>
#include <string.h>

#include "experiment/slide_channels.h"
#include "experiment/slider.h"
#include "law/sliding.h"

int cf_slide_check_friction(const struct cf_dataset *d, const struct cf_law *law,
                            struct cf_error *err)
{
    const struct cf_friction_law *friction = law->friction;

    if (!friction)
        return cf_fail(err, CF_EINPUT, "%s has no friction: a slide needs a law that has",
                       law->name);
    if (friction->impulse)
        return cf_fail(err, CF_EINPUT,
                       "friction %s is that of rigid contacts, without a force over time: "
                       "mu-coulomb is its curve",
                       friction->name);
    if (cf_friction_check_load(friction, d->protocol->name, err))
        return CF_EINPUT;
    for (size_t row = 0; row < d->nrow; row++)
        if (d->use[row] != CF_ROW_EXCLUDED && !(cf_slide_load(d, row, d->apparatus) > 0))
            return cf_fail(err, CF_EINPUT,
                           "%s needs the load: a column load, or apparatus: {load: 10 N}",
                           friction->name);
    return CF_OK;
}

/* What of a slope is rounding: it would change friction by this part of it, or of what the damper
 * of a bristle that moves at the slip speed would add, were its number doubled. */
static const double ROUNDING = 1e-13;

/* Along the slip, and along each parameter, the states following. */
static void put_slopes(const struct cf_friction_law *law, const double p[],
                       const struct cf_slide *c, const struct cf_sliding *s, double mu,
                       double slope[])
{
    size_t n = 1 + law->nparam;
    struct cf_friction_parts parts;
    double size;
    double d[(1 + CF_MAX_PARAM) * CF_FRICTION_COLUMNS] = {0}, force[2 * (1 + CF_MAX_PARAM)],
                                  rate[(1 + CF_MAX_PARAM) * CF_FRICTION_STATES];

    for (size_t i = 0; i < n; i++) {
        double *at = d + i * CF_FRICTION_COLUMNS;
        size_t column = i ? CF_SLIDING_BY_PARAM + i - 1 : (size_t) CF_SLIDING_BY_SPEED;
        at[i ? CF_BY_PARAM + i - 1 : (size_t) CF_BY_VELOCITY] = 1;
        memcpy(at + CF_BY_STATE, s->by[column], law->nstate * sizeof *at);
    }
    cf_friction_vary(law, p, c, n, d, force, rate);
    for (size_t i = 0; i < n; i++)
        slope[i] = -force[2 * i] / c->normal_N;
    law->parts(p, c, &parts);
    size = mu + parts.damping_N_s_m * c->velocity_m_s[0] / c->normal_N;
    for (size_t i = 1; i < n; i++)
        if (fabs(slope[i] * p[i - 1]) <= ROUNDING * size)
            slope[i] = 0;
}

int cf_slide_settled(const struct cf_request *q, double load_N, double speed_m_s, bool derivatives,
                     struct cf_friction_curve *out, struct cf_error *err)
{
    const struct cf_friction_law *law = q->law->friction;
    size_t from = cf_law_friction_from(q->law);
    const double *p = q->value + from;
    double force[2], slope[1 + CF_MAX_PARAM];
    struct cf_sliding s;
    int status = cf_sliding_settle(law, p, speed_m_s, load_N, derivatives, &s, err);
    const struct cf_slide c = {
        .normal_N = load_N, .velocity_m_s = {speed_m_s, 0}, .state = s.state};

    *out = (struct cf_friction_curve){.value = (double) NAN};
    if (status)
        return status;
    law->force(p, &c, force, NULL);
    out->value = -force[0] / load_N;
    if (!derivatives)
        return CF_OK;
    put_slopes(law, p, &c, &s, fabs(out->value), slope);
    out->by_speed = slope[0];
    memcpy(out->by_param + from, slope + 1, law->nparam * sizeof *slope);
    return CF_OK;
}
