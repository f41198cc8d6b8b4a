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
    int status = cf_slider_check_law(d, law, CF_SLIDE_LOAD, CF_SLIDE_APPARATUS_LOAD, err);

    for (size_t row = 0; row < d->nrow && !status; row++)
        if (d->use[row] != CF_ROW_EXCLUDED && !(cf_slide_load(d, row, d->apparatus) > 0))
            status = cf_fail(err, CF_EINPUT,
                             "%s needs the load of each row: a column load, or apparatus: {load: "
                             "10 N}",
                             law->friction->name);
    return status;
}

/* Along the slip, and along each parameter, the states following. */
static void put_slopes(const struct cf_friction_law *law, const double p[],
                       const struct cf_slide *c, const struct cf_sliding *s, double slope[])
{
    size_t n = 1 + law->nparam;
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
    put_slopes(law, p, &c, &s, slope);
    out->by_speed = slope[0];
    memcpy(out->by_param + from, slope + 1, law->nparam * sizeof *slope);
    return CF_OK;
}
