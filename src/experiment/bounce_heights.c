/* The heights of a bouncing ball over time, as from a video.
 *
 * The record is cut into flights between impacts, and each flight is fitted on its own by least
 * squares: under gravity and drag, which are given, it has two numbers, the height and the time of
 * its highest point (bounce_track.h). What is compared is
 *
 *   ratio = sqrt((next highest point - h)/(highest point - h)),     h the height at contact
 *
 * which is e without drag. The law predicts it from the highest point measured before: a fall to h,
 * e, and a rise. Fitted on its own a flight needs neither the law, nor the contact time, nor h,
 * which therefore may be a nuisance; its error is independent of that of all others, and is in two
 * ratios, which share it (estimate/records.h). What this leaves out is that one flight begins where
 * the other one ends: it would halve the variance at best, and take h and the contact time to be
 * exact. The highest point is fitted with the drag as it is stated: that of a drag which is fitted
 * along moves it by a millionth.
 *
 * A wrong scale of the heights cancels from e and not from the speed; flights that curve otherwise
 * than gravity has them show it. Assumed: vertical bounces without spin, air at rest.
 */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "experiment/bounce_ball.h"
#include "experiment/bounce_heights.h"
#include "experiment/rows.h"

static const char *const time_names[] = {
    "t timestamp video_time frame_time",
    NULL,
};
static const char *const throw_names[] = {
    "throw_number drop drop_number run run_number trial trial_number",
    NULL,
};
static const char *const height_names[] = {
    "h y z ball_height height_of_ball y_position z_position y_pos z_pos position_y position_z",
    "pos_y pos_z y_ball z_ball ball_y ball_z elevation altitude centre_height center_height",
    "position",
    NULL,
};
static const char *const none[] = {NULL};

enum { EVERY_LAW = 1u << CF_FAMILY_NORMAL | 1u << CF_FAMILY_RESTITUTION };

static const struct cf_channel_row channel[CF_HEIGHTS_NCHANNEL] = {
    [CF_HEIGHTS_TIME] = {"time", "s", "of a height", CF_ROLE_IMPOSED, -1e12, 1e12, 0, time_names,
                         "time", "t", false},
    [CF_HEIGHTS_THROW] = {"throw", "1", "number that distinguishes the throws", CF_ROLE_IMPOSED,
                          -1e12, 1e12, 0, throw_names, "throw", NULL, false},
    [CF_HEIGHTS_HEIGHT] = {"height", "m", "of the ball; of a flight that of its highest point",
                           CF_ROLE_IMPOSED, -1e4, 1e4, 0, height_names, "height", NULL, false},
    [CF_HEIGHTS_SPEED] = {"speed", "m/s", "landing speed", CF_ROLE_IMPOSED, 1e-6, 1e4, 0, none,
                          "approach speed", "v", false},
    [CF_HEIGHTS_RATIO] = {"ratio", "1", "root of the next highest point over the one before",
                          CF_ROLE_MEASURED, 1e-6, 1e6, EVERY_LAW, none, "root of ratio of heights",
                          NULL, false},
    [CF_HEIGHTS_RESTITUTION] = {"restitution", "1", "rebound speed over approach speed",
                                CF_ROLE_MEASURED, 0, 10, EVERY_LAW, none,
                                "coefficient of restitution", "e", true},
};

static const struct cf_param apparatus[CF_HEIGHTS_NAPPARATUS] = {
    [CF_HEIGHTS_DRAG] =
        {"drag_coefficient", "1", 0, 10, 0, 2, 0.5, CF_SCALE_LINEAR,
         "of the ball in flight, 0.4 to 0.5 of smooth spheres at a few m/s; one that is fitted "
         "holds given the law of e: a restitution that falls with speed looks like drag"},
    [CF_HEIGHTS_AIR_DENSITY] = {"air_density", "kg/m^3", 0, 1e3, 0.5, 2, 1.2, CF_SCALE_LINEAR,
                                "of the air, for drag"},
    [CF_HEIGHTS_CONTACT] = {"contact_height", "m", -1e4, 1e4, -1e4, 1e4, 0, CF_SCALE_LINEAR,
                            "height as read at which the ball touches the floor: that of its "
                            "centre then, where the centre is followed"},
    [CF_HEIGHTS_GRAVITY] = CF_GRAVITY_ROW,
};

static double contact_height(const struct cf_dataset *d)
{
    return d->apparatus[CF_HEIGHTS_CONTACT];
}

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_has(d, row, CF_HEIGHTS_HEIGHT) ? CF_HEIGHTS_HEIGHT : CF_HEIGHTS_SPEED;
}

static double speed_of(const struct cf_dataset *d, size_t row)
{
    double height = cf_dataset_value(d, row, CF_HEIGHTS_HEIGHT) - contact_height(d);

    if (isnan(height))
        return cf_dataset_value(d, row, CF_HEIGHTS_SPEED);
    return cf_fall_speed(height, d->pair.gravity_m_s2, cf_bounce_drag(d, d->apparatus)).value;
}

/* ---- prediction */

/* A bounce between two flights; heights are above contact. */
struct bounce {
    bool by_speed; /* the row has no height */
    double height_m, divisor_m;
    struct cf_ascent fall, rise;
    struct cf_impact impact;
    double rest_m; /* of the next highest point above the contact height as it is stated */
};

static double launch_of(const struct bounce *at)
{
    return at->impact.value[CF_IMPACT_RESTITUTION] * at->fall.value;
}

static double launch_by_speed(const struct bounce *at)
{
    return at->impact.value[CF_IMPACT_RESTITUTION] +
           at->fall.value * at->impact.by_speed[CF_IMPACT_RESTITUTION];
}

static int solve(const struct cf_bounce_ball *b, double contact, size_t row, struct bounce *at,
                 struct cf_error *err)
{
    const struct cf_dataset *d = b->q->data;
    double moved = contact - contact_height(d);
    int status;

    *at = (struct bounce){.by_speed = imposed(d, row) == CF_HEIGHTS_SPEED};
    if (at->by_speed) {
        double v = cf_dataset_value(d, row, CF_HEIGHTS_SPEED);
        at->height_m =
            cf_rise_height(cf_flight_launch_of_landing(v, b->g, b->kappa), b->g, b->kappa).value;
    } else {
        at->height_m = cf_dataset_value(d, row, CF_HEIGHTS_HEIGHT) - contact;
    }
    at->divisor_m = at->height_m + moved;
    if (!(at->height_m > 0) || !(at->divisor_m > 0))
        return cf_fail(err, CF_ESOLVE, "a highest point %g m above contact is no flight",
                       fmin(at->height_m, at->divisor_m));
    at->fall = cf_fall_speed(at->height_m, b->g, b->kappa);
    status = cf_ball_impact(b, at->fall.value, &at->impact, err);
    if (status)
        return status;
    at->rise = cf_rise_height(launch_of(at), b->g, b->kappa);
    at->rest_m = at->rise.value + moved;
    return at->rest_m > 0
               ? CF_OK
               : cf_fail(err, CF_ESOLVE, "a contact height of %g m leaves no rebound", contact);
}

/* By a value of the request: the speed of the impact at the row's highest point, or speed. */
static double speed_by(const struct cf_bounce_ball *b, const struct bounce *at, size_t value)
{
    bool contact = value == cf_apparatus_value(b->q->law, CF_HEIGHTS_CONTACT);

    if (at->by_speed)
        return 0;
    return at->fall.by_drag * cf_ball_drag_by(b, value) - (contact ? at->fall.by_argument : 0);
}

static double restitution_by(const struct cf_bounce_ball *b, const struct bounce *at, size_t value)
{
    const struct cf_impact *i = &at->impact;
    double own = value < b->q->law->nparam ? i->by_param[CF_IMPACT_RESTITUTION][value] : 0;

    return own + i->by_speed[CF_IMPACT_RESTITUTION] * speed_by(b, at, value);
}

static void respond_ratio(const struct cf_bounce_ball *b, const struct bounce *at, size_t to,
                          struct cf_response *out)
{
    double y = sqrt(at->rest_m / at->divisor_m);
    double rest = at->rise.by_argument * launch_by_speed(at), divisor = 1;

    /* what is imposed is the height, or the speed */
    if (at->by_speed)
        divisor = 1 / at->fall.by_argument;
    else
        rest *= at->fall.by_argument;
    out->y[to] = y;
    if (out->by_imposed)
        out->by_imposed[to] = y / 2 * (rest / at->rest_m - divisor / at->divisor_m);
    for (size_t k = 0; out->by_value && k < b->q->nby; k++) {
        size_t value = b->q->by[k];
        double kappa = cf_ball_drag_by(b, value);
        double moved = value == cf_apparatus_value(b->q->law, CF_HEIGHTS_CONTACT);
        double launch = at->impact.value[CF_IMPACT_RESTITUTION] * speed_by(b, at, value) +
                        at->fall.value * restitution_by(b, at, value);
        rest = moved + at->rise.by_argument * launch + at->rise.by_drag * kappa;
        divisor = at->by_speed ? moved - at->fall.by_drag / at->fall.by_argument * kappa : 0;
        out->by_value[to * b->q->nby + k] = y / 2 * (rest / at->rest_m - divisor / at->divisor_m);
    }
}

static void respond_restitution(const struct cf_bounce_ball *b, const struct bounce *at, size_t to,
                                struct cf_response *out)
{
    const struct cf_impact *i = &at->impact;

    out->y[to] = i->value[CF_IMPACT_RESTITUTION];
    if (out->by_imposed)
        out->by_imposed[to] =
            i->by_speed[CF_IMPACT_RESTITUTION] * (at->by_speed ? 1 : at->fall.by_argument);
    for (size_t k = 0; out->by_value && k < b->q->nby; k++)
        out->by_value[to * b->q->nby + k] = restitution_by(b, at, b->q->by[k]);
}

static int predict(void *work, const struct cf_request *q, struct cf_response *out,
                   struct cf_error *err)
{
    struct cf_bounce_ball b = cf_ball_of(work, q, CF_NO_CHANNEL);
    double contact = q->value[cf_apparatus_value(q->law, CF_HEIGHTS_CONTACT)];
    int status = CF_OK;

    for (size_t i = 0; i < q->nrow && !status; i++) {
        struct bounce at;
        status = solve(&b, contact, q->row[i], &at, err);
        for (size_t c = 0; c < q->nchannel && !status; c++)
            (q->channel[c] == CF_HEIGHTS_RATIO ? respond_ratio : respond_restitution)(
                &b, &at, i * q->nchannel + c, out);
    }
    return status;
}

/* ---- what is known of it */

/* e of two highest points. */
static bool headline(const struct cf_dataset *d, size_t from, double v, double *value,
                     double *sigma)
{
    double g = d->pair.gravity_m_s2, kappa = cf_bounce_drag(d, d->apparatus);
    double height = cf_rise_height(cf_flight_launch_of_landing(v, g, kappa), g, kappa).value;
    double next = *value * *value * height, e;

    if (from != CF_HEIGHTS_RATIO)
        return false;
    e = sqrt(kappa > 0 ? g / kappa * expm1(2 * kappa * next) : 2 * g * next) / v;
    *sigma *= e / *value;
    *value = e;
    return true;
}

/* Contact is below all highest points, and its search as far below the stated one as that allows
 * above it. */
static int range(const struct cf_dataset *d, size_t parameter, struct cf_param *row,
                 struct cf_error *err)
{
    const double within = 0.9;
    double lowest = INFINITY;

    if (parameter != CF_HEIGHTS_CONTACT)
        return CF_OK;
    for (size_t i = 0; i < d->nrow; i++)
        if (cf_dataset_has(d, i, CF_HEIGHTS_RATIO))
            lowest = fmin(lowest, cf_dataset_value(d, i, CF_HEIGHTS_HEIGHT));
    if (!isfinite(lowest))
        return CF_OK;
    row->fit_upper = contact_height(d) + within * (lowest - contact_height(d));
    row->fit_lower = 2 * contact_height(d) - row->fit_upper;
    (void) err;
    return CF_OK;
}

static int check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                     struct cf_error *err)
{
    if (size)
        note[0] = '\0';
    if (!cf_dataset_has(d, row, CF_HEIGHTS_TIME))
        return cf_fail(err, CF_EINPUT, "no time: a height has one");
    return CF_OK;
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
    .record = CF_HEIGHTS_HEIGHT,
    .reading = CF_HEIGHTS_RATIO,
    .nread = CF_HEIGHTS_SPEED,
    .level = "throw",
    .nrule = CF_HEIGHTS_NRULE,
    .rule = cf_heights_rules,
    .derive = cf_heights_derive,
    .unit = cf_bounce_throw,
    .stamped = cf_heights_stamped,
};

static const struct cf_trait trait[] = {
    {CF_HEIGHTS_TIME, CF_GAIT_SAMPLED, 0.2, -1, "samples of a clock"},
    {CF_HEIGHTS_HEIGHT, CF_GAIT_FALLS, 1, -0.8, "parabolas, as of free flight"},
};

const struct cf_protocol cf_protocol_bounce_heights = {
    .name = "bounce_heights",
    .what = "a ball that bounces freely: restitution from its heights over time",
    .nchannel = CF_HEIGHTS_NCHANNEL,
    .ntrait = sizeof trait / sizeof *trait,
    .trait = trait,
    .channel = channel,
    .axis = {"speed", "m/s", false, 1e-6, 1e4, "speeds", "approach speed", "v", false},
    .axis_channel = CF_HEIGHTS_SPEED,
    .headline = CF_HEIGHTS_RESTITUTION,
    .napparatus = CF_HEIGHTS_NAPPARATUS,
    .apparatus = apparatus,
    .gravity = CF_HEIGHTS_GRAVITY,
    .recording = &recording,
    .begin_with = "e-log",
    .on_data = "    # The height as read at which the ball touches: 0, or the radius where the "
               "centre is followed:\n"
               "    apparatus: {contact_height: FILL-IN}\n",
    .check_row = check_row,
    .check_law = cf_bounce_check_law,
    .range = range,
    .imposed = imposed,
    .abscissa = speed_of,
    .headline_from = headline,
    .open = open_curves,
    .close = close_curves,
    .predict = predict,
};
