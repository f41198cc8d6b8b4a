/* The bounce protocol: a ball bounces freely on a fixed floor, and the time of each impact is
 * stamped, by ear, microphone or sensor.
 *
 *   interval after an impact at speed v = contact time(v) + flight(e(v) v)
 *
 * with a flight under gravity and drag (flight.h). Each interval is predicted from the one
 * *measured* before it, whose flight gives the speed at which it ended: a ball's own scatter then
 * stays with its bounce instead of adding up along the throw. What is compared is the ratio of the
 * two intervals, nearly e.
 *
 * The first interval of a throw that was let fall from a known height is predicted from that fall
 * (bounce_release.c).
 *
 * The errors of one stamp are in three ratios (estimate/records.h); scatter of e is each bounce's
 * own; what a whole throw shares is an effect of its group. Assumed: vertical bounces without spin,
 * air at rest, a stamp that lies at the same moment of each impact.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/bounce_ball.h"
#include "experiment/bounce_channels.h"
#include "experiment/flight.h"
#include "experiment/rows.h"

static const char *const time_names[] = {
    "t event_time stamp timestamp bounce_time hit_time onset onset_time time_of_bounce",
    "t_bounce t_event t_hit",
    NULL,
};
static const char *const throw_names[] = {
    "throw_number drop drop_number run run_number trial trial_number",
    NULL,
};
static const char *const release_names[] = {
    "drop_height h0 h_0",
    NULL,
};
static const char *const interval_names[] = {
    "flight flight_time dt",
    NULL,
};
static const char *const none[] = {NULL};

enum { EVERY_LAW = 1u << CF_FAMILY_NORMAL | 1u << CF_FAMILY_RESTITUTION };

static const struct cf_channel_row channel[CF_BOUNCE_NCHANNEL] = {
    [CF_BOUNCE_TIME] = {"time", "s", "stamp of an impact", CF_ROLE_IMPOSED, -1e12, 1e12, 0,
                        time_names, "time", "t", false},
    [CF_BOUNCE_THROW] = {"throw", "1", "number that distinguishes the throws", CF_ROLE_IMPOSED,
                         -1e12, 1e12, 0, throw_names, "throw", NULL, false},
    [CF_BOUNCE_RELEASE] = {"release_height", "m", "height of the fall before the first impact",
                           CF_ROLE_IMPOSED, 1e-6, 1e3, 0, release_names, "release height", NULL,
                           false},
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
    [CF_BOUNCE_DRAG] =
        {"drag_coefficient", "1", 0, 10, 0, 2, 0.5, CF_SCALE_LINEAR,
         "of the ball in flight, 0.4 to 0.5 of smooth spheres at a few m/s; one that is fitted "
         "holds given the law of e: a restitution that falls with speed looks like drag"},
    [CF_BOUNCE_AIR_DENSITY] = {"air_density", "kg/m^3", 0, 1e3, 0.5, 2, 1.2, CF_SCALE_LINEAR,
                               "of the air, for drag"},
    [CF_BOUNCE_CONTACT_TIME] = {"contact_time", "s", 0, 1, 0, 0.1, 0, CF_SCALE_LINEAR,
                                "of an impact, where the law does not predict it"},
    [CF_BOUNCE_RELEASE_HEIGHT] = {"release_height", "m", 0, 1e3, 1e-3, 1e2, 0, CF_SCALE_LINEAR,
                                  "from which every throw without a height of its own was let "
                                  "fall; 0: not known"},
    [CF_BOUNCE_RELEASE_OFFSET] = {"release_offset", "m", -1e2, 1e2, -1, 1, 0, CF_SCALE_LINEAR,
                                  "that is added to all release heights"},
    [CF_BOUNCE_GRAVITY] = CF_GRAVITY_ROW,
};

static int check_free(const struct cf_dataset *d, size_t parameter, struct cf_error *err)
{
    (void) d;
    if (parameter != CF_BOUNCE_RELEASE_HEIGHT)
        return CF_OK;
    return cf_fail(err, CF_EINPUT,
                   "release_height is what was read, and stated under apparatus: what it may be "
                   "off by is nuisance: {release_offset: {prior: {value: 0 mm, sigma: 3 mm}}}");
}

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    if (cf_dataset_has(d, row, CF_BOUNCE_RELEASE))
        return CF_BOUNCE_RELEASE;
    return cf_dataset_has(d, row, CF_BOUNCE_INTERVAL) ? CF_BOUNCE_INTERVAL : CF_BOUNCE_SPEED;
}

/* ---- prediction */

/* A row: its interval, the impact before it where that matters, and the one that it leads to. */
struct bounce {
    double length_s, v;
    bool by_speed;         /* the row has the speed and no interval */
    bool by_fall;          /* a throw's first one: the interval is a mere divisor */
    struct cf_ascent fall; /* the speed at its end */
    struct cf_bounce_interval first, next;
    struct cf_flight flight; /* of a law without contact times: of the interval */
};

/* Where the law predicts no contact time, the interval's flight follows without it. */
static bool tells_time(const struct cf_bounce_ball *b)
{
    return b->q->law->family == CF_FAMILY_NORMAL;
}

static int landing_of(const struct cf_bounce_ball *b, struct bounce *at, struct cf_error *err)
{
    if (tells_time(b)) {
        int status = cf_interval_before(b, at->length_s, &at->first, err);
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

static int speed_of_fall(const struct cf_bounce_ball *b, size_t row, struct bounce *at,
                         struct cf_error *err)
{
    double read = cf_dataset_value(b->q->data, row, CF_BOUNCE_RELEASE);
    double offset = b->q->value[cf_apparatus_value(b->q->law, CF_BOUNCE_RELEASE_OFFSET)];

    if (!(read + offset > 0))
        return cf_fail(err, CF_ESOLVE, "a release height of %g m with an offset of %g m is no fall",
                       read, offset);
    at->fall = cf_fall_speed(read + offset, b->g, b->kappa);
    at->v = at->fall.value;
    return CF_OK;
}

static int solve(const struct cf_bounce_ball *b, size_t row, struct bounce *at,
                 struct cf_error *err)
{
    const struct cf_dataset *d = b->q->data;
    int status = CF_OK;

    *at = (struct bounce){0};
    at->by_speed = imposed(d, row) == CF_BOUNCE_SPEED;
    at->by_fall = imposed(d, row) == CF_BOUNCE_RELEASE;
    if (at->by_fall) {
        at->length_s = cf_dataset_value(d, row, CF_BOUNCE_INTERVAL);
        status = speed_of_fall(b, row, at, err);
    } else if (!at->by_speed) {
        at->length_s = cf_dataset_value(d, row, CF_BOUNCE_INTERVAL);
        status = landing_of(b, at, err);
    } else {
        at->v = cf_dataset_value(d, row, CF_BOUNCE_SPEED);
    }
    if (!status)
        status = cf_interval_after(b, at->v, &at->next, err);
    if (!status && at->by_speed) {
        double launch = cf_flight_launch_of_landing(at->v, b->g, b->kappa);
        at->flight = cf_flight(launch, b->g, b->kappa);
        at->length_s = isnan(launch) /* a flight that ends at the terminal speed has no beginning */
                           ? (double) INFINITY
                           : at->flight.time_s + cf_interval_contact(b, &at->next);
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

static double length_by(const struct cf_bounce_ball *b, const struct bounce *at, size_t value)
{
    const struct cf_flight *f = &at->flight;
    double kappa = cf_ball_drag_by(b, value), contact = cf_interval_contact_by(b, &at->next, value);

    return contact + kappa * (f->time_by_drag -
                              f->time_by_launch * f->landing_by_drag / f->landing_by_launch);
}

/* How the landing speed goes with the interval, or with the height of the fall, at constant
 * parameters. */
static double landing_by_imposed(const struct cf_bounce_ball *b, const struct bounce *at)
{
    if (at->by_speed)
        return 1;
    if (at->by_fall)
        return at->fall.by_argument;
    return tells_time(b) ? at->first.landing_by_v / at->first.by_v
                         : at->flight.landing_by_launch / at->flight.time_by_launch;
}

/* And with a value, at the interval measured. */
static double landing_by(const struct cf_bounce_ball *b, const struct bounce *at, size_t value)
{
    double length, landing, kappa = cf_ball_drag_by(b, value);

    if (at->by_speed)
        return 0;
    if (at->by_fall)
        return at->fall.by_drag * kappa +
               at->fall.by_argument *
                   (value == cf_apparatus_value(b->q->law, CF_BOUNCE_RELEASE_OFFSET));
    if (tells_time(b)) {
        cf_interval_by(b, &at->first, value, &length, &landing);
        return landing - at->first.landing_by_v / at->first.by_v * length;
    }
    length = at->flight.time_by_drag * kappa + cf_interval_contact_by(b, &at->next, value);
    return at->flight.landing_by_drag * kappa - landing_by_imposed(b, at) * length;
}

/* The ratio of the next interval to that of the row. */
static void respond_ratio(const struct cf_bounce_ball *b, const struct bounce *at, size_t to,
                          struct cf_response *out)
{
    double y = at->next.length_s / at->length_s, by_v = at->next.by_v;
    double divisor_by = at->by_speed ? length_by_speed(at) : at->by_fall ? 0 : 1;

    out->y[to] = y;
    if (isinf(at->length_s)) {
        if (out->by_imposed)
            out->by_imposed[to] = 0;
        if (out->by_value)
            memset(out->by_value + to * b->q->nby, 0, b->q->nby * sizeof *out->by_value);
        return;
    }
    if (out->by_imposed)
        out->by_imposed[to] = (by_v * landing_by_imposed(b, at) - y * divisor_by) / at->length_s;
    for (size_t k = 0; out->by_value && k < b->q->nby; k++) {
        size_t value = b->q->by[k];
        double length, landing;
        cf_interval_by(b, &at->next, value, &length, &landing);
        length += by_v * landing_by(b, at, value);
        if (at->by_speed)
            length -= y * length_by(b, at, value);
        out->by_value[to * b->q->nby + k] = length / at->length_s;
    }
}

/* e at the end of the row's interval. */
static void respond_restitution(const struct cf_bounce_ball *b, const struct bounce *at, size_t to,
                                struct cf_response *out)
{
    const struct cf_impact *i = &at->next.impact;
    double by_v = i->by_speed[CF_IMPACT_RESTITUTION];

    out->y[to] = i->value[CF_IMPACT_RESTITUTION];
    if (out->by_imposed)
        out->by_imposed[to] = by_v * landing_by_imposed(b, at);
    for (size_t k = 0; out->by_value && k < b->q->nby; k++) {
        size_t value = b->q->by[k];
        double own = value < b->q->law->nparam ? i->by_param[CF_IMPACT_RESTITUTION][value] : 0;
        out->by_value[to * b->q->nby + k] = own + by_v * landing_by(b, at, value);
    }
}

static int predict(void *work, const struct cf_request *q, struct cf_response *out,
                   struct cf_error *err)
{
    struct cf_bounce_ball b = cf_ball_of(work, q, CF_BOUNCE_CONTACT_TIME);
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

static const struct cf_trait trait[] = {
    {CF_NO_CHANNEL, CF_GAIT_SAMPLED, CF_NEVER, 0, "its rows are samples"},
    {CF_BOUNCE_TIME, CF_GAIT_STAMPS, 1, -1, "gaps that shrink, as those of a bouncing ball do"},
};

const struct cf_protocol cf_protocol_bounce = {
    .name = "bounce",
    .what = "a ball that bounces freely: restitution from the times of its impacts",
    .nchannel = CF_BOUNCE_NCHANNEL,
    .ntrait = sizeof trait / sizeof *trait,
    .trait = trait,
    .channel = channel,
    .axis = {"speed", "m/s", false, 1e-6, 1e4, "speeds", "approach speed", "v", false},
    .axis_channel = CF_BOUNCE_SPEED,
    .headline = CF_BOUNCE_RESTITUTION,
    .napparatus = CF_BOUNCE_NAPPARATUS,
    .apparatus = apparatus,
    .gravity = CF_BOUNCE_GRAVITY,
    .recording = &recording,
    .begin_with = "e-log",
    .check_row = cf_bounce_check_row,
    .check_law = cf_bounce_check_law,
    .check_free = check_free,
    .imposed = imposed,
    .abscissa = cf_bounce_speed,
    .headline_from = cf_bounce_headline,
    .open = open_curves,
    .close = close_curves,
    .predict = predict,
};
