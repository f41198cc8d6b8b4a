/* The bounce protocol: a ball bounces freely on a fixed floor, and the time of each impact is
 * stamped, by ear, microphone or sensor.
 *
 *   interval after an impact at speed v = contact time(v) + flight(e(v) v)
 *
 * with a flight under gravity and drag (flight.h). Each interval is predicted from the one
 * *measured* before it, whose flight tells the speed at which it ended: a ball's own scatter then
 * stays with its bounce instead of adding up along the throw. What is compared is the ratio of the
 * two intervals, nearly e.
 *
 * The errors of one stamp are in three ratios (estimate/records.h); scatter of e is each bounce's
 * own; what a whole throw shares is an effect of its group. Assumed: vertical bounces without spin,
 * air at rest, a stamp that lies at the same moment of each impact.
 */

#include <math.h>
#include <stdlib.h>

#include "experiment/bounce_channels.h"
#include "experiment/flight.h"
#include "experiment/rows.h"

static const char *const time_names[] = {"t",         "event_time",  "stamp",
                                         "timestamp", "impact_time", NULL};
static const char *const throw_names[] = {"drop", "run", "trial", NULL};
static const char *const interval_names[] = {"flight", "flight_time", "dt", NULL};
static const char *const none[] = {NULL};

enum { EVERY_LAW = 1u << CF_FAMILY_NORMAL | 1u << CF_FAMILY_RESTITUTION };

static const struct cf_channel_row channel[CF_BOUNCE_NCHANNEL] = {
    [CF_BOUNCE_TIME] = {"time", "s", "stamp of an impact", CF_ROLE_IMPOSED, -1e12, 1e12, 0,
                        time_names, "time", "t", false},
    [CF_BOUNCE_THROW] = {"throw", "1", "number that tells throws apart", CF_ROLE_IMPOSED, -1e12,
                         1e12, 0, throw_names, "throw", NULL, false},
    [CF_BOUNCE_INTERVAL] = {"interval", "s", "time since the impact before", CF_ROLE_IMPOSED, 1e-6,
                            1e4, 0, interval_names, "interval", "T", false},
    [CF_BOUNCE_SPEED] = {"speed", "m/s", "landing speed", CF_ROLE_IMPOSED, 1e-6, 1e4, 0, none,
                         "approach speed", "v", false},
    [CF_BOUNCE_RATIO] = {"ratio", "1", "next interval over the one before", CF_ROLE_MEASURED, 1e-6,
                         1e6, EVERY_LAW, none, "ratio of intervals", NULL, false},
    [CF_BOUNCE_RESTITUTION] = {"restitution", "1", "rebound speed over approach speed",
                               CF_ROLE_MEASURED, 0, 10, EVERY_LAW, none,
                               "coefficient of restitution", "e", true},
};

static const struct cf_param apparatus[CF_BOUNCE_NAPPARATUS] = {
    [CF_BOUNCE_DRAG] = {"drag_coefficient", "1", 0, 10, 0, 2, 0.5, CF_SCALE_LINEAR,
                        "of the ball in flight: 0.4 to 0.5 of smooth spheres at a few m/s; given, "
                        "or with a prior: it looks like a restitution that falls with speed"},
    [CF_BOUNCE_AIR_DENSITY] = {"air_density", "kg/m^3", 0, 1e3, 0.5, 2, 1.2, CF_SCALE_LINEAR,
                               "of the air, for drag"},
    [CF_BOUNCE_CONTACT_TIME] = {"contact_time", "s", 0, 1, 0, 0.1, 0, CF_SCALE_LINEAR,
                                "of an impact, where the law does not tell it"},
};

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_has(d, row, CF_BOUNCE_INTERVAL) ? CF_BOUNCE_INTERVAL : CF_BOUNCE_SPEED;
}

/* ---- prediction */

/* What a request predicts by. */
struct ball {
    void *work;
    const struct cf_request *q;
    double g, kappa, mass, contact_time;
    double by_drag_coefficient, by_air_density; /* of kappa */
};

/* The interval after an impact, its end and their derivatives by the speed of the impact; those by
 * parameters through the impact's answers. */
struct interval {
    struct cf_impact impact;
    struct cf_flight flight;
    double v, length_s, by_v, landing_by_v;
    bool knows_time; /* the law tells the contact time */
};

static struct ball ball_of(void *work, const struct cf_request *q)
{
    const double *a = q->value + cf_apparatus_value(q->law, 0);
    struct ball b = {.work = work,
                     .q = q,
                     .g = q->data->pair.gravity_m_s2,
                     .kappa = cf_bounce_drag(q->data, a),
                     .mass = q->data->pair.mass_kg,
                     .contact_time = a[CF_BOUNCE_CONTACT_TIME]};
    double of_one = cf_sphere_drag(1, 1, q->data->pair.radius_m, b.mass);

    b.by_drag_coefficient = isfinite(of_one) ? of_one * a[CF_BOUNCE_AIR_DENSITY] : 0;
    b.by_air_density = isfinite(of_one) ? of_one * a[CF_BOUNCE_DRAG] : 0;
    return b;
}

static int impact_at(const struct ball *b, double v, struct cf_impact *out, struct cf_error *err)
{
    if (!(b->q->tolerance > 0))
        return cf_impact(b->work, b->q->law, b->q->value, b->mass, v, out, err);
    *out = (struct cf_impact){.known = {false}};
    for (size_t i = 0; i < CF_NIMPACT; i++)
        out->known[i] = true;
    return cf_impact_integrate(b->q->law, b->q->value, b->mass, v, b->q->tolerance, out->value,
                               err);
}

static double contact_of(const struct ball *b, const struct interval *i)
{
    return i->knows_time ? i->impact.value[CF_IMPACT_DURATION] : b->contact_time;
}

static int interval_after(const struct ball *b, double v, struct interval *out,
                          struct cf_error *err)
{
    int status = impact_at(b, v, &out->impact, err);
    const struct cf_impact *i = &out->impact;
    double launch_by_v;

    if (status)
        return status;
    out->v = v;
    out->knows_time = i->known[CF_IMPACT_DURATION];
    out->flight = cf_flight(i->value[CF_IMPACT_RESTITUTION] * v, b->g, b->kappa);
    out->length_s = out->flight.time_s + contact_of(b, out);
    launch_by_v = i->value[CF_IMPACT_RESTITUTION] + v * i->by_speed[CF_IMPACT_RESTITUTION];
    out->by_v = out->flight.time_by_launch * launch_by_v +
                (out->knows_time ? i->by_speed[CF_IMPACT_DURATION] : 0);
    out->landing_by_v = out->flight.landing_by_launch * launch_by_v;
    return CF_OK;
}

/* Derivatives by a value of the request: of kappa; of the contact time of an impact; of the
 * interval behind it and of the speed at its end, at a constant speed of the impact. */
static double drag_by(const struct ball *b, size_t value)
{
    if (value == cf_apparatus_value(b->q->law, CF_BOUNCE_DRAG))
        return b->by_drag_coefficient;
    return value == cf_apparatus_value(b->q->law, CF_BOUNCE_AIR_DENSITY) ? b->by_air_density : 0;
}

static double contact_by(const struct ball *b, const struct interval *i, size_t value)
{
    const struct cf_law *law = b->q->law;

    if (i->knows_time)
        return value < law->nparam ? i->impact.by_param[CF_IMPACT_DURATION][value] : 0;
    return value == cf_apparatus_value(law, CF_BOUNCE_CONTACT_TIME);
}

static void interval_by(const struct ball *b, const struct interval *i, size_t value,
                        double *length, double *landing)
{
    double kappa = drag_by(b, value), launch = 0;

    if (value < b->q->law->nparam)
        launch = i->v * i->impact.by_param[CF_IMPACT_RESTITUTION][value];
    *length = i->flight.time_by_launch * launch + i->flight.time_by_drag * kappa +
              contact_by(b, i, value);
    *landing = i->flight.landing_by_launch * launch + i->flight.landing_by_drag * kappa;
}

/* The impact before an interval of this length: Newton's steps on its speed. Contact times are
 * short, and the speed of a flight of the whole length is near. */
static int before(const struct ball *b, double length_s, struct interval *out, struct cf_error *err)
{
    enum { MOST = 60 };
    const double accuracy = 1e-13;
    double launch = cf_flight_launch(length_s, b->g, b->kappa), v;
    int status = impact_at(b, launch, &out->impact, err);

    if (status)
        return status;
    v = launch / out->impact.value[CF_IMPACT_RESTITUTION];
    for (int i = 0; i < MOST; i++) {
        double step;
        status = v > 0 && isfinite(v) ? interval_after(b, v, out, err)
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

/* A row: its interval, the impact before it where that matters, and the one that it leads to. */
struct bounce {
    double length_s, v;
    bool by_speed; /* the row has the speed and no interval */
    struct interval first, next;
    struct cf_flight flight; /* of a law without contact times: of the interval */
};

/* Where the law tells no contact time, the interval's flight is known without it. */
static bool tells_time(const struct ball *b)
{
    return b->q->law->family == CF_FAMILY_NORMAL;
}

static int landing_of(const struct ball *b, struct bounce *at, struct cf_error *err)
{
    if (tells_time(b)) {
        int status = before(b, at->length_s, &at->first, err);
        at->v = at->first.flight.landing_m_s;
        return status;
    }
    if (!(at->length_s > b->contact_time))
        return cf_fail(err, CF_ESOLVE, "an interval of %g s is shorter than the contact, %g s",
                       at->length_s, b->contact_time);
    at->flight =
        cf_flight(cf_flight_launch(at->length_s - b->contact_time, b->g, b->kappa), b->g, b->kappa);
    at->v = at->flight.landing_m_s;
    return CF_OK;
}

static int solve(const struct ball *b, size_t row, struct bounce *at, struct cf_error *err)
{
    const struct cf_dataset *d = b->q->data;
    int status = CF_OK;

    *at = (struct bounce){0};
    at->by_speed = imposed(d, row) == CF_BOUNCE_SPEED;
    if (!at->by_speed) {
        at->length_s = cf_dataset_value(d, row, CF_BOUNCE_INTERVAL);
        status = landing_of(b, at, err);
    } else {
        at->v = cf_dataset_value(d, row, CF_BOUNCE_SPEED);
    }
    if (!status)
        status = interval_after(b, at->v, &at->next, err);
    if (!status && at->by_speed) {
        at->flight = cf_flight(cf_flight_launch_of_landing(at->v, b->g, b->kappa), b->g, b->kappa);
        at->length_s = at->flight.time_s + contact_of(b, &at->next);
    }
    return status;
}

/* Derivatives of the interval of a row that has the speed, whose contact is as long as the next
 * one: by the speed, and by a value. */
static double length_by_speed(const struct bounce *at)
{
    return at->flight.time_by_launch / at->flight.landing_by_launch +
           (at->next.knows_time ? at->next.impact.by_speed[CF_IMPACT_DURATION] : 0);
}

static double length_by(const struct ball *b, const struct bounce *at, size_t value)
{
    const struct cf_flight *f = &at->flight;
    double kappa = drag_by(b, value), contact = contact_by(b, &at->next, value);

    return contact + kappa * (f->time_by_drag -
                              f->time_by_launch * f->landing_by_drag / f->landing_by_launch);
}

/* How the landing speed goes with the interval, at constant parameters. */
static double landing_by_interval(const struct ball *b, const struct bounce *at)
{
    if (at->by_speed)
        return 0;
    return tells_time(b) ? at->first.landing_by_v / at->first.by_v
                         : at->flight.landing_by_launch / at->flight.time_by_launch;
}

/* And with a value, at the interval measured. */
static double landing_by(const struct ball *b, const struct bounce *at, size_t value)
{
    double length, landing, kappa = drag_by(b, value);

    if (at->by_speed)
        return 0;
    if (tells_time(b)) {
        interval_by(b, &at->first, value, &length, &landing);
        return landing - at->first.landing_by_v / at->first.by_v * length;
    }
    length = at->flight.time_by_drag * kappa + contact_by(b, &at->next, value);
    return at->flight.landing_by_drag * kappa - landing_by_interval(b, at) * length;
}

/* The ratio of the next interval to that of the row. */
static void respond_ratio(const struct ball *b, const struct bounce *at, size_t to,
                          struct cf_response *out)
{
    double y = at->next.length_s / at->length_s, by_v = at->next.by_v;

    out->y[to] = y;
    if (out->by_imposed)
        out->by_imposed[to] = (at->by_speed ? by_v - y * length_by_speed(at)
                                            : by_v * landing_by_interval(b, at) - y) /
                              at->length_s;
    for (size_t k = 0; out->by_value && k < b->q->nby; k++) {
        size_t value = b->q->by[k];
        double length, landing;
        interval_by(b, &at->next, value, &length, &landing);
        length += by_v * landing_by(b, at, value);
        if (at->by_speed)
            length -= y * length_by(b, at, value);
        out->by_value[to * b->q->nby + k] = length / at->length_s;
    }
}

/* e at the end of the row's interval. */
static void respond_restitution(const struct ball *b, const struct bounce *at, size_t to,
                                struct cf_response *out)
{
    const struct cf_impact *i = &at->next.impact;
    double by_v = i->by_speed[CF_IMPACT_RESTITUTION];

    out->y[to] = i->value[CF_IMPACT_RESTITUTION];
    if (out->by_imposed)
        out->by_imposed[to] = by_v * (at->by_speed ? 1 : landing_by_interval(b, at));
    for (size_t k = 0; out->by_value && k < b->q->nby; k++) {
        size_t value = b->q->by[k];
        double own = value < b->q->law->nparam ? i->by_param[CF_IMPACT_RESTITUTION][value] : 0;
        out->by_value[to * b->q->nby + k] = own + by_v * landing_by(b, at, value);
    }
}

static int predict(void *work, const struct cf_request *q, struct cf_response *out,
                   struct cf_error *err)
{
    struct ball b = ball_of(work, q);
    int status = CF_OK;

    for (size_t i = 0; i < q->nrow && !status; i++) {
        struct bounce at;
        status = solve(&b, q->row[i], &at, err);
        for (size_t c = 0; c < q->nchannel && !status; c++) {
            size_t to = i * q->nchannel + c;
            (q->channel[c] == CF_BOUNCE_RATIO ? respond_ratio : respond_restitution)(&b, &at, to,
                                                                                     out);
            if (channel[q->channel[c]].role != CF_ROLE_MEASURED)
                out->y[to] = (double) NAN;
        }
    }
    return status;
}

static void *open_curves(struct cf_curves *curves)
{
    return cf_curves_view(curves);
}

static void close_curves(void *work)
{
    cf_curves_free(work);
}

static const struct cf_derived recording = {
    .record = CF_BOUNCE_TIME,
    .reading = CF_BOUNCE_RATIO,
    .nread = CF_BOUNCE_INTERVAL,
    .level = "throw",
    .nrule = CF_BOUNCE_NRULE,
    .rule = cf_bounce_rules,
    .derive = cf_bounce_derive,
    .unit = cf_bounce_throw,
    .stamped = cf_bounce_stamped,
};

const struct cf_protocol cf_protocol_bounce = {
    .name = "bounce",
    .what = "a ball that bounces freely: restitution from the times of its impacts",
    .nchannel = CF_BOUNCE_NCHANNEL,
    .channel = channel,
    .axis = {"speed", "m/s", false, 1e-6, 1e4, "speeds", "approach speed", "v"},
    .axis_channel = CF_BOUNCE_SPEED,
    .headline = CF_BOUNCE_RESTITUTION,
    .second_axis = CF_NO_CHANNEL,
    .napparatus = CF_BOUNCE_NAPPARATUS,
    .apparatus = apparatus,
    .recording = &recording,
    .begin_with = "e-log",
    .check_row = cf_bounce_check_row,
    .check_law = cf_bounce_check_law,
    .imposed = imposed,
    .abscissa = cf_bounce_speed,
    .headline_from = cf_bounce_headline,
    .open = open_curves,
    .close = close_curves,
    .predict = predict,
};
