/* The impact protocol: one body meets another at a known speed, or falls on it from a known
 * height, and restitution, contact time, peak compression, peak force, rebound speed or rebound
 * height are measured, in any subset.
 *
 *   v = speed, or sqrt(2 g h_0);   rebound speed = e v;   rebound height = (e v)^2/(2 g)
 *
 * Heights are those of the same point of the body above its height at touch. The flight is free
 * of drag unless the apparatus has some (experiment/flight.h), and the weight is neglected during
 * the contact: the peak force is then many weights. Where it is not, a fit says so
 * (impact_weight.c).
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiment/flight.h"
#include "experiment/impact_channels.h"
#include "experiment/rows.h"

static const char *const speed_names[] = {
    "v approach_speed incident_speed incoming_speed initial_speed collision_speed",
    "landing_speed speed_before v_in v_i v_0 v_imp v_approach v_before v_inc v_pre v_1 v_drop",
    "speed_in speed_before_bounce v_n v_normal normal_speed",
    NULL,
};
static const char *const drop_names[] = {
    "h_0 height h h_drop h_1 h_i h_in h_fall fall_height falling_height release_height",
    "start_height initial_height height_before",
    NULL,
};
static const char *const restitution_names[] = {
    "e cor restitution_coefficient e_n cor_n epsilon normal_restitution",
    "normal_restitution_coefficient c_r eps eps_n coefficient_rest",
    NULL,
};
static const char *const rebound_names[] = {
    "rebound bounce_speed exit_speed final_speed outgoing_speed return_speed separation_speed",
    "speed_after v_out v_o v_1 v_2 v_f v_r v_rebound v_reb v_bounce v_after v_post v_exit",
    "speed_after_bounce speed_out",
    NULL,
};
static const char *const height_names[] = {
    "rebound bounce_height return_height final_height height_after height_of_first_bounce h_1",
    "h_2 h_r h_f h_out h_rebound h_reb h_bounce h_after",
    NULL,
};
static const char *const duration_names[] = {
    "contact_time contact_duration collision_time collision_duration pulse_duration t_c",
    "t_contact t_col t_imp dwell_time time_in_contact contact_dur",
    NULL,
};
static const char *const depth_names[] = {
    "compression penetration indentation deformation deflection max_depth max_compression",
    "max_penetration max_indentation max_deformation max_deflection max_displacement",
    "penetration_depth indentation_depth delta delta_max d_max x_max",
    NULL,
};
static const char *const force_names[] = {
    "f_max f_peak force f max_contact_force max_normal_force max_load contact_force fpeak",
    NULL,
};

/* The families that predict a channel: a restitution law predicts no times and forces. */
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

/* ---- apparatus */

static const struct cf_param apparatus[CF_IMPACT_NAPPARATUS] = {
    [CF_IMPACT_HEIGHT_SCALE] =
        {"height_scale", "1", 0.1, 10, 0.8, 1.25, 1, CF_SCALE_LOG,
         "true heights over those read: of a ruler, or of a camera's pixels"},
    [CF_IMPACT_DRAG] = {"drag_coefficient", "1", 0, 10, 0, 2, 0, CF_SCALE_LINEAR,
                        "of a sphere that falls and rises; of smooth ones at a few m/s 0.4 to 0.5"},
    [CF_IMPACT_AIR_DENSITY] = {"air_density", "kg/m^3", 0, 1e3, 0.5, 2, 1.2, CF_SCALE_LINEAR,
                               "of the air, for drag"},
    [CF_IMPACT_GRAVITY] = CF_GRAVITY_ROW,
};

static double abscissa(const struct cf_dataset *d, size_t row)
{
    if (imposed(d, row) == CF_CHANNEL_SPEED)
        return cf_dataset_value(d, row, CF_CHANNEL_SPEED);
    return cf_impact_fall(d, cf_dataset_value(d, row, CF_CHANNEL_DROP_HEIGHT));
}

/* ---- prediction */

/* The impact of one row, and the conditions that its readings depend on. */
struct drop {
    double v, gravity_m_s2, scale, kappa, kappa_by[2];
    double by_imposed, by_scale, by_kappa; /* of v */
    struct cf_impact impact;
};

/* v and its derivatives by the imposed reading, by the scale of heights and by drag. */
static void approach(const struct cf_request *q, size_t row, struct drop *at)
{
    const double *value = q->value + cf_apparatus_value(q->law, 0);
    double height = cf_dataset_value(q->data, row, CF_CHANNEL_DROP_HEIGHT);
    struct cf_ascent fall;

    at->gravity_m_s2 = q->data->pair.gravity_m_s2;
    at->scale = value[CF_IMPACT_HEIGHT_SCALE];
    at->kappa = cf_impact_drag(q->data, value, at->kappa_by);
    at->v = cf_dataset_value(q->data, row, CF_CHANNEL_SPEED);
    at->by_imposed = 1;
    at->by_scale = at->by_kappa = 0;
    if (imposed(q->data, row) != CF_CHANNEL_DROP_HEIGHT)
        return;
    fall = cf_fall_speed(at->scale * height, at->gravity_m_s2, at->kappa);
    at->v = fall.value;
    at->by_imposed = at->scale * fall.by_argument;
    at->by_scale = height * fall.by_argument;
    at->by_kappa = fall.by_drag;
}

/* A channel as a function of one answer of the impact, x, and of v: its value and derivatives. */
struct reading {
    enum cf_impact_what what;
    double value, by_x, by_v, by_scale, by_kappa;
};

static void read_channel(const struct drop *at, size_t to, struct reading *out)
{
    double e = at->impact.value[CF_IMPACT_RESTITUTION], u = e * at->v;
    struct cf_ascent rise;

    *out = (struct reading){.what = CF_IMPACT_RESTITUTION, .by_x = 1};
    switch (to) {
    case CF_CHANNEL_REBOUND_SPEED:
        *out = (struct reading){CF_IMPACT_RESTITUTION, u, at->v, e, 0, 0};
        return;
    case CF_CHANNEL_REBOUND_HEIGHT: /* as read */
        rise = cf_rise_height(u, at->gravity_m_s2, at->kappa);
        *out = (struct reading){CF_IMPACT_RESTITUTION,
                                rise.value / at->scale,
                                rise.by_argument / at->scale * at->v,
                                rise.by_argument / at->scale * e,
                                -rise.value / (at->scale * at->scale),
                                rise.by_drag / at->scale};
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

/* A reading by a value of the request. */
static double by_value(const struct cf_request *q, const struct drop *at, const struct reading *r,
                       double by_v, size_t value)
{
    double by_kappa = r->by_kappa + by_v * at->by_kappa;

    if (value == cf_apparatus_value(q->law, CF_IMPACT_HEIGHT_SCALE))
        return r->by_scale + by_v * at->by_scale;
    if (value == cf_apparatus_value(q->law, CF_IMPACT_DRAG))
        return by_kappa * at->kappa_by[0];
    if (value == cf_apparatus_value(q->law, CF_IMPACT_AIR_DENSITY))
        return by_kappa * at->kappa_by[1];
    return r->by_x * at->impact.by_param[r->what][value];
}

/* Row i of the request, at the answers found. */
static void respond(const struct cf_request *q, size_t i, const struct drop *at,
                    struct cf_response *out)
{
    for (size_t c = 0; c < q->nchannel; c++) {
        size_t to = i * q->nchannel + c;
        struct reading r;
        double by_v;
        read_channel(at, q->channel[c], &r);
        by_v = r.by_v + r.by_x * at->impact.by_speed[r.what];
        out->y[to] = at->impact.known[r.what] ? r.value : (double) NAN;
        if (out->by_imposed)
            out->by_imposed[to] = by_v * at->by_imposed;
        for (size_t k = 0; out->by_value && k < q->nby; k++)
            out->by_value[to * q->nby + k] = by_value(q, at, &r, by_v, q->by[k]);
    }
}

/* For a law that is integrated impact by impact: the speeds of all rows in advance. */
static int sweep(void *work, const struct cf_request *q, const struct cf_response *out,
                 struct cf_error *err)
{
    double *v = calloc(q->nrow + 1, sizeof *v);
    int status;

    if (!v)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu speeds", q->nrow);
    for (size_t i = 0; i < q->nrow; i++) {
        struct drop at;
        approach(q, q->row[i], &at);
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
        double before = at.v;
        approach(request, request->row[i], &at);
        if (at.v != before) /* drops are repeated */
            status = solve(work, request, &at, err);
        if (!status)
            respond(request, i, &at, out);
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

static int depth(const struct cf_dataset *d, size_t row, double *depth_m, bool *measured,
                 struct cf_error *err)
{
    (void) err;
    *measured = cf_dataset_has(d, row, CF_CHANNEL_DEPTH);
    *depth_m = *measured ? cf_dataset_value(d, row, CF_CHANNEL_DEPTH)
                         : cf_dataset_value(d, row, CF_CHANNEL_DURATION) *
                               (depth_share * abscissa(d, row));
    return CF_OK;
}

/* u/v and sqrt(h_1/h_0) for rebound speeds and heights. */
static bool headline_from(const struct cf_dataset *d, size_t from, double v, double *value,
                          double *sigma)
{
    double g = d->pair.gravity_m_s2, kappa = cf_impact_drag(d, d->apparatus, NULL);
    struct cf_ascent fall;

    if (from == CF_CHANNEL_REBOUND_SPEED) {
        *value /= v;
        *sigma /= v;
        return true;
    }
    if (from == CF_CHANNEL_REBOUND_HEIGHT) {
        /* a rise to h is launched with v of a fall from h, times sqrt(exp(2 kappa h)) */
        fall = cf_fall_speed(*value, g, kappa);
        *sigma *= (fall.by_argument + kappa * fall.value) * exp(kappa * *value) / v;
        *value = fall.value * exp(kappa * *value) / v;
        return true;
    }
    return false;
}

static const struct cf_trait trait[] = {
    {CF_NO_CHANNEL, CF_GAIT_SAMPLED, -1.5, 0, "its rows are samples"},
    {CF_CHANNEL_DROP_HEIGHT, CF_GAIT_CONSTANT, -0.7, 0, "one drop height"},
    {CF_CHANNEL_RESTITUTION, CF_GAIT_RATIO, 0, CF_NEVER, "a restitution above 1"},
};

const struct cf_protocol cf_protocol_impact = {
    .name = "impact",
    .what = "drops and collisions: restitution, contact time, compression, force against speed",
    .nchannel = CF_CHANNEL_NCHANNEL,
    .ntrait = sizeof trait / sizeof *trait,
    .trait = trait,
    .channel = channel,
    .axis = {"speed", "m/s", false, 1e-6, 1e4, "speeds", "approach speed", "v", false},
    .axis_channel = CF_CHANNEL_SPEED,
    .headline = CF_CHANNEL_RESTITUTION,
    .napparatus = CF_IMPACT_NAPPARATUS,
    .apparatus = apparatus,
    .gravity = CF_IMPACT_GRAVITY,
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
    .check_row = cf_impact_check_row,
    .check_law = cf_impact_check_law,
    .weigh = cf_impact_weigh,
    .imposed = imposed,
    .abscissa = abscissa,
    .headline_from = headline_from,
    .depth = depth,
    .open = open_curves,
    .close = close_curves,
    .predict = predict,
};
