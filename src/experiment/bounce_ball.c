#include "experiment/bounce_ball.h"

#include <math.h>

#include "experiment/bounce_channels.h"

struct cf_bounce_ball cf_ball_of(void *work, const struct cf_request *q, size_t contact)
{
    const double *a = q->value + cf_apparatus_value(q->law, 0);
    bool timed = contact != CF_NO_CHANNEL;
    struct cf_bounce_ball b = {.work = work,
                               .q = q,
                               .g = q->data->pair.gravity_m_s2,
                               .kappa = cf_bounce_drag(q->data, a),
                               .mass = q->data->pair.mass_kg,
                               .contact_time = timed ? a[contact] : 0,
                               .contact_value =
                                   timed ? cf_apparatus_value(q->law, contact) : CF_NO_CHANNEL};
    double of_one = cf_sphere_drag(1, 1, q->data->pair.radius_m, b.mass);

    b.by_drag_coefficient = isfinite(of_one) ? of_one * a[CF_BOUNCE_AIR_DENSITY] : 0;
    b.by_air_density = isfinite(of_one) ? of_one * a[CF_BOUNCE_DRAG] : 0;
    return b;
}

int cf_ball_impact(const struct cf_bounce_ball *b, double v, struct cf_impact *out,
                   struct cf_error *err)
{
    if (!(b->q->tolerance > 0))
        return cf_impact(b->work, b->q->law, b->q->value, b->mass, v, out, err);
    *out = (struct cf_impact){.known = {false}};
    for (size_t i = 0; i < CF_NIMPACT; i++)
        out->known[i] = true;
    return cf_impact_integrate(b->q->law, b->q->value, b->mass, v, b->q->tolerance, out->value,
                               err);
}

double cf_interval_contact(const struct cf_bounce_ball *b, const struct cf_bounce_interval *i)
{
    return i->knows_time ? i->impact.value[CF_IMPACT_DURATION] : b->contact_time;
}

int cf_interval_after(const struct cf_bounce_ball *b, double v, struct cf_bounce_interval *out,
                      struct cf_error *err)
{
    int status = cf_ball_impact(b, v, &out->impact, err);
    const struct cf_impact *i = &out->impact;
    double launch_by_v;

    if (status)
        return status;
    out->v = v;
    /* e of some laws needs no stiffness, and where nothing sets it there is no time */
    out->knows_time = i->known[CF_IMPACT_DURATION] && isfinite(i->value[CF_IMPACT_DURATION]);
    out->flight = cf_flight(i->value[CF_IMPACT_RESTITUTION] * v, b->g, b->kappa);
    out->length_s = out->flight.time_s + cf_interval_contact(b, out);
    launch_by_v = i->value[CF_IMPACT_RESTITUTION] + v * i->by_speed[CF_IMPACT_RESTITUTION];
    out->by_v = out->flight.time_by_launch * launch_by_v +
                (out->knows_time ? i->by_speed[CF_IMPACT_DURATION] : 0);
    out->landing_by_v = out->flight.landing_by_launch * launch_by_v;
    return CF_OK;
}

double cf_ball_drag_by(const struct cf_bounce_ball *b, size_t value)
{
    if (value == cf_apparatus_value(b->q->law, CF_BOUNCE_DRAG))
        return b->by_drag_coefficient;
    return value == cf_apparatus_value(b->q->law, CF_BOUNCE_AIR_DENSITY) ? b->by_air_density : 0;
}

double cf_interval_contact_by(const struct cf_bounce_ball *b, const struct cf_bounce_interval *i,
                              size_t value)
{
    const struct cf_law *law = b->q->law;

    if (i->knows_time)
        return value < law->nparam ? i->impact.by_param[CF_IMPACT_DURATION][value] : 0;
    return value == b->contact_value;
}

void cf_interval_by(const struct cf_bounce_ball *b, const struct cf_bounce_interval *i,
                    size_t value, double *length, double *landing)
{
    double kappa = cf_ball_drag_by(b, value), launch = 0;

    if (value < b->q->law->nparam)
        launch = i->v * i->impact.by_param[CF_IMPACT_RESTITUTION][value];
    *length = i->flight.time_by_launch * launch + i->flight.time_by_drag * kappa +
              cf_interval_contact_by(b, i, value);
    *landing = i->flight.landing_by_launch * launch + i->flight.landing_by_drag * kappa;
}

/* Newton's steps on its speed. Contact times are short, and the speed of a flight of the whole
 * length is near. */
int cf_interval_before(const struct cf_bounce_ball *b, double length_s,
                       struct cf_bounce_interval *out, struct cf_error *err)
{
    enum { MOST = 60 };
    const double accuracy = 1e-13;
    double launch = cf_flight_launch(length_s, b->g, b->kappa), v;
    int status = cf_ball_impact(b, launch, &out->impact, err);

    if (status)
        return status;
    v = launch / out->impact.value[CF_IMPACT_RESTITUTION];
    for (int i = 0; i < MOST; i++) {
        double step;
        status = v > 0 && isfinite(v) ? cf_interval_after(b, v, out, err)
                                      : cf_fail(err, CF_ESOLVE, "a ball that does not rebound");
        if (status)
            return status;
        if (b->q->tolerance > 0) /* no derivatives there: that of a constant e */
            out->by_v = out->length_s / v;
        step = (length_s - out->length_s) / out->by_v;
        if (!isfinite(step))
            break;
        if (fabs(step) <= accuracy * v)
            return CF_OK;
        v = fmax(v + step, v / 4);
    }
    return cf_fail(err, CF_ESOLVE, "%s: no impact is followed by an interval of %g s",
                   b->q->law->name, length_s);
}
