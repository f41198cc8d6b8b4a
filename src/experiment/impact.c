/* The impact protocol: one body meets another at a known speed, or falls on it from a known
 * height, and restitution, contact time, peak compression, peak force, rebound speed or rebound
 * height are measured, in any subset.
 *
 *   v = speed, or sqrt(2 g h_0);   rebound speed = e v;   rebound height = (e v)^2/(2 g)
 *
 * Heights are those of the same point of the body above its height at touch. The flight is free
 * of drag and the weight is neglected during the contact: the peak force is then many weights.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiment/impact_channels.h"
#include "experiment/rows.h"

static const char *const speed_names[] = {"v", "velocity", "impact_speed", "v_in", "vi", NULL};
static const char *const drop_names[] = {"h0", "h_0", "height", "drop", NULL};
static const char *const restitution_names[] = {"e", "cor", "restitution_coefficient", NULL};
static const char *const rebound_names[] = {"v_out", "vo", "rebound_velocity", NULL};
static const char *const height_names[] = {"h1", "h_1", "bounce_height", NULL};
static const char *const duration_names[] = {"contact_time", "t_c", "tc", NULL};
static const char *const depth_names[] = {"compression", "penetration", "indentation", NULL};
static const char *const force_names[] = {"force_peak", "f_max", "fmax", "force", NULL};

/* The families that predict a channel: a restitution law knows nothing of times and forces. */
enum {
    FORCE_LAW = 1u << CF_FAMILY_NORMAL,
    EVERY_LAW = 1u << CF_FAMILY_NORMAL | 1u << CF_FAMILY_RESTITUTION,
};

/* Ranges cover anything that can be dropped on a bench: 1 um/s to 10 km/s, 1 ns to 10 s. */
static const struct cf_channel_row channel[CF_CHANNEL_NCHANNEL] = {
    [CF_CHANNEL_SPEED] = {"speed", "m/s", "approach speed at first touch", CF_ROLE_IMPOSED, 1e-6,
                          1e4, 0, speed_names, "approach speed", "v", false},
    [CF_CHANNEL_DROP_HEIGHT] = {"drop_height", "m", "height of free fall before the impact",
                                CF_ROLE_IMPOSED, 1e-9, 1e4, 0, drop_names, "drop height", NULL,
                                false},
    [CF_CHANNEL_RESTITUTION] = {"restitution", "1", "rebound speed over approach speed",
                                CF_ROLE_MEASURED, 0, 10, EVERY_LAW, restitution_names,
                                "coefficient of restitution", "e", true},
    [CF_CHANNEL_REBOUND_SPEED] = {"rebound_speed", "m/s", "speed after the impact",
                                  CF_ROLE_MEASURED, 0, 1e4, EVERY_LAW, rebound_names,
                                  "rebound speed", NULL, false},
    [CF_CHANNEL_REBOUND_HEIGHT] = {"rebound_height", "m", "height of the first rebound",
                                   CF_ROLE_MEASURED, 0, 1e4, EVERY_LAW, height_names,
                                   "rebound height", NULL, false},
    [CF_CHANNEL_DURATION] = {"duration", "s",
                             "contact time, first touch to first zero of the force",
                             CF_ROLE_MEASURED, 1e-9, 10, FORCE_LAW, duration_names,
                             "contact duration", NULL, true},
    [CF_CHANNEL_DEPTH] = {"depth", "m", "peak compression", CF_ROLE_MEASURED, 1e-12, 10, FORCE_LAW,
                          depth_names, "greatest compression", NULL, true},
    [CF_CHANNEL_PEAK_FORCE] = {"peak_force", "N", "largest force during the contact",
                               CF_ROLE_MEASURED, 1e-9, 1e12, FORCE_LAW, force_names, "peak force",
                               NULL, true},
};

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_has(d, row, CF_CHANNEL_SPEED) ? CF_CHANNEL_SPEED : CF_CHANNEL_DROP_HEIGHT;
}

static double fall_speed(double height_m, double gravity_m_s2)
{
    return sqrt(2 * gravity_m_s2 * height_m);
}

static double abscissa(const struct cf_dataset *d, size_t row)
{
    if (imposed(d, row) == CF_CHANNEL_SPEED)
        return cf_dataset_value(d, row, CF_CHANNEL_SPEED);
    return fall_speed(cf_dataset_value(d, row, CF_CHANNEL_DROP_HEIGHT), d->pair.gravity_m_s2);
}

/* A speed and a drop height in one row must agree. Drag and a rough height make some difference; a
 * factor of 1.5 is a wrong unit. */
static int check_fall(const struct cf_dataset *d, size_t row, struct cf_error *err)
{
    const double most = 1.5;
    double v = cf_dataset_value(d, row, CF_CHANNEL_SPEED),
           h = cf_dataset_value(d, row, CF_CHANNEL_DROP_HEIGHT);
    double fall = fall_speed(h, d->pair.gravity_m_s2);

    if (fall < most * v && v < most * fall)
        return CF_OK;
    return cf_fail(err, CF_EINPUT,
                   "speed %g m/s against drop_height %g m is implausible: a fall from there ends "
                   "at %.3g m/s, and %g m/s takes %.3g m; is one of them in another unit (mm, cm)?",
                   v, h, fall, v, v * v / (2 * d->pair.gravity_m_s2));
}

/* No rebound may exceed its impact by more than 3 sigma; where sigma is to be estimated, that is
 * judged when it is known (impact_rules.c). */
static int check_gain(const struct cf_dataset *d, size_t row, size_t out, double whole, char note[],
                      size_t size, struct cf_error *err)
{
    const struct cf_channel_row *c = &channel[out];
    double value = cf_dataset_value(d, row, out), sigma = cf_dataset_sigma(d, row, out);
    const char *unit = out == CF_CHANNEL_RESTITUTION ? "" : c->unit, *space = *unit ? " " : "";

    if (value <= whole)
        return CF_OK;
    if (value <= whole + 3 * sigma) {
        snprintf(note, size, "%s %g%s%s is above %g%s%s but within 3 sigma (%g): accepted", c->name,
                 value, space, unit, whole, space, unit, sigma);
        return CF_OK;
    }
    if (d->series[out].kind == CF_SIGMA_ESTIMATE) {
        snprintf(note, size, "%s %g%s%s is above %g%s%s: judged when its sigma is known", c->name,
                 value, space, unit, whole, space, unit);
        return CF_OK;
    }
    return cf_fail(err, CF_EINPUT,
                   "%s %g%s%s: must be at most %g%s%s + 3 sigma%s; an impact gives back no more "
                   "than it got",
                   c->name, value, space, unit, whole, space, unit,
                   sigma > 0 ? "" : " (and no sigma is given)");
}

static int check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                     struct cf_error *err)
{
    bool has_speed = cf_dataset_has(d, row, CF_CHANNEL_SPEED),
         has_drop = cf_dataset_has(d, row, CF_CHANNEL_DROP_HEIGHT);
    double v, g = d->pair.gravity_m_s2;

    if (size)
        note[0] = '\0';
    if (!has_speed && !has_drop)
        return cf_fail(err, CF_EINPUT, "neither speed nor drop_height: one of them is needed");
    if (has_speed && has_drop) {
        int status = check_fall(d, row, err);
        if (status)
            return status;
    }
    v = abscissa(d, row);
    const double whole[CF_CHANNEL_NCHANNEL] = {[CF_CHANNEL_RESTITUTION] = 1,
                                               [CF_CHANNEL_REBOUND_SPEED] = v,
                                               [CF_CHANNEL_REBOUND_HEIGHT] = v * v / (2 * g)};
    for (size_t i = CF_CHANNEL_RESTITUTION; i <= CF_CHANNEL_REBOUND_HEIGHT; i++) {
        int status = CF_OK;
        if (cf_dataset_has(d, row, i))
            status = check_gain(d, row, i, whole[i], note, size, err);
        if (status)
            return status;
    }
    return CF_OK;
}

/* ---- apparatus */

enum { HEIGHT_SCALE, NAPPARATUS };

static const struct cf_param apparatus[NAPPARATUS] = {
    [HEIGHT_SCALE] = {"height_scale", "1", 0.1, 10, 0.8, 1.25, 1, CF_SCALE_LOG,
                      "true heights over those read: of a ruler, or of a camera's pixels"},
};

/* ---- prediction */

/* The impact of one row, and the conditions that its readings depend on. */
struct drop {
    double v, gravity_m_s2, scale;
    bool by_height;
    struct cf_impact impact;
};

/* v and its derivatives by the imposed reading and by the scale of heights. */
static void approach(const struct cf_request *q, size_t row, struct drop *at, double *by_imposed,
                     double *by_scale)
{
    at->gravity_m_s2 = q->data->pair.gravity_m_s2;
    at->scale = q->value[cf_apparatus_value(q->law, HEIGHT_SCALE)];
    at->by_height = imposed(q->data, row) == CF_CHANNEL_DROP_HEIGHT;
    at->v = abscissa(q->data, row);
    *by_imposed = 1;
    *by_scale = 0;
    if (!at->by_height)
        return;
    at->v *= at->scale == 1 ? 1 : sqrt(at->scale); /* of readings that are right, to the last bit */
    *by_imposed = at->scale * at->gravity_m_s2 / at->v;
    *by_scale = at->v / (2 * at->scale);
}

/* A channel as a function of one answer of the impact, x, and of v: its value and derivatives. */
struct reading {
    enum cf_impact_what what;
    double value, by_x, by_v, by_scale;
};

static void read_channel(const struct drop *at, size_t to, struct reading *out)
{
    double e = at->impact.value[CF_IMPACT_RESTITUTION], u = e * at->v;
    double g = at->gravity_m_s2 * at->scale; /* of heights as read */

    *out = (struct reading){.what = CF_IMPACT_RESTITUTION, .by_x = 1};
    switch (to) {
    case CF_CHANNEL_REBOUND_SPEED:
        *out = (struct reading){CF_IMPACT_RESTITUTION, u, at->v, e, 0};
        return;
    case CF_CHANNEL_REBOUND_HEIGHT:
        *out = (struct reading){CF_IMPACT_RESTITUTION, u * u / (2 * g), u / g * at->v, u / g * e,
                                -u * u / (2 * g * at->scale)};
        return;
    case CF_CHANNEL_DURATION:
        out->what = CF_IMPACT_DURATION;
        break;
    case CF_CHANNEL_DEPTH:
        out->what = CF_IMPACT_DEPTH;
        break;
    case CF_CHANNEL_PEAK_FORCE:
        out->what = CF_IMPACT_FORCE;
        break;
    default:
        break;
    }
    out->value = at->impact.value[out->what];
}

/* One row's answers, the fast way or by integration. */
static int solve(void *work, const struct cf_request *q, struct drop *at, struct cf_error *err)
{
    double mass = q->data->pair.mass_kg;
    int status;

    if (!(q->tolerance > 0))
        return cf_impact(work, q->law, q->value, mass, at->v, &at->impact, err);
    at->impact = (struct cf_impact){.known = {false}};
    status =
        cf_impact_integrate(q->law, q->value, mass, at->v, q->tolerance, at->impact.value, err);
    for (size_t i = 0; i < CF_NIMPACT; i++)
        at->impact.known[i] = true;
    return status;
}

/* Row i of the request, at the answers found. */
static void respond(const struct cf_request *q, size_t i, const struct drop *at, double by_imposed,
                    double by_scale, struct cf_response *out)
{
    size_t scale = cf_apparatus_value(q->law, HEIGHT_SCALE);

    for (size_t c = 0; c < q->nchannel; c++) {
        size_t to = i * q->nchannel + c;
        struct reading r;
        double by_v;
        read_channel(at, q->channel[c], &r);
        by_v = r.by_v + r.by_x * at->impact.by_speed[r.what];
        out->y[to] = at->impact.known[r.what] ? r.value : (double) NAN;
        if (out->by_imposed)
            out->by_imposed[to] = by_v * by_imposed;
        for (size_t k = 0; out->by_value && k < q->nby; k++)
            out->by_value[to * q->nby + k] = q->by[k] == scale
                                                 ? r.by_scale + by_v * by_scale
                                                 : r.by_x * at->impact.by_param[r.what][q->by[k]];
    }
}

/* For a law that is integrated impact by impact: the speeds of all rows in advance. */
static int sweep(void *work, const struct cf_request *q, const struct cf_response *out,
                 struct cf_error *err)
{
    double *v = calloc(q->nrow + 1, sizeof *v), by_imposed, by_scale;
    int status;

    if (!v)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu speeds", q->nrow);
    for (size_t i = 0; i < q->nrow; i++) {
        struct drop at;
        approach(q, q->row[i], &at, &by_imposed, &by_scale);
        v[i] = at.v;
    }
    status = cf_curves_sweep(work, q->law, q->value, q->data->pair.mass_kg, q->nrow, v,
                             out->by_value || out->by_imposed, err);
    free(v);
    return status;
}

static int predict(void *work, const struct cf_request *request, struct cf_response *out,
                   struct cf_error *err)
{
    struct drop at = {.v = NAN};
    int status = CF_OK;

    if (request->law->regular && !(request->tolerance > 0))
        status = sweep(work, request, out, err);
    for (size_t i = 0; i < request->nrow && !status; i++) {
        double by_imposed, by_scale, before = at.v;
        approach(request, request->row[i], &at, &by_imposed, &by_scale);
        if (at.v != before) /* drops are repeated */
            status = solve(work, request, &at, err);
        if (!status)
            respond(request, i, &at, by_imposed, by_scale, out);
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

/* Peak compression over speed times duration of an elastic impact: 0.30 to 0.34 for n of 1 to 2. */
static const double depth_share = 1.0 / 3;

static double depth(const struct cf_dataset *d, size_t row, bool *measured)
{
    *measured = cf_dataset_has(d, row, CF_CHANNEL_DEPTH);
    if (*measured)
        return cf_dataset_value(d, row, CF_CHANNEL_DEPTH);
    return cf_dataset_value(d, row, CF_CHANNEL_DURATION) * (depth_share * abscissa(d, row));
}

/* u/v and sqrt(h_1/h_0) for rebound speeds and heights. */
static bool headline_from(const struct cf_dataset *d, size_t from, double v, double *value,
                          double *sigma)
{
    double h0 = v * v / (2 * d->pair.gravity_m_s2);

    if (from == CF_CHANNEL_REBOUND_SPEED) {
        *value /= v;
        *sigma /= v;
        return true;
    }
    if (from == CF_CHANNEL_REBOUND_HEIGHT) {
        *value = sqrt(*value / h0);
        *sigma /= 2 * *value * h0;
        return true;
    }
    return false;
}

const struct cf_protocol cf_protocol_impact = {
    .name = "impact",
    .what = "drops and collisions: restitution, contact time, compression, force against speed",
    .nchannel = CF_CHANNEL_NCHANNEL,
    .channel = channel,
    .axis = {"speed", "m/s", false, 1e-6, 1e4, "speeds", "approach speed", "v"},
    .axis_channel = CF_CHANNEL_SPEED,
    .headline = CF_CHANNEL_RESTITUTION,
    .second_axis = CF_CHANNEL_DEPTH,
    .napparatus = NAPPARATUS,
    .apparatus = apparatus,
    .begin_with = "azad-featherstone",
    .begin_common = "e-log",
    .on_common =
        "# These columns hold e and nothing else: they identify e(v), and k and lambda of a force\n"
        "# law only together. What parts them is a contact time, a peak force or a compression;\n"
        "# or the materials: give both bodies youngs_modulus and poissons_ratio (or one of them\n"
        "# rigid: true), and write\n"
        "#   law: azad-featherstone\n"
        "#   fit: {k: {prior: {value: hertz, sigma: 20 %}}, lambda: {}}\n",
    .rules = cf_impact_rules,
    .check_row = check_row,
    .imposed = imposed,
    .abscissa = abscissa,
    .headline_from = headline_from,
    .depth = depth,
    .open = open_curves,
    .close = close_curves,
    .predict = predict,
};
