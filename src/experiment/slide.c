/* Sliding at constant speed: a force, a torque or a coefficient of friction against slip speed, of
 * either sign. Two rows, as a slide is driven along a line or about an axis.
 *
 *   force = sign(v) f_n mu(|v|)        torque = lever force        v = lever w of an axis
 *
 * Friction opposes the motion; what is read here is the force that keeps it up, of the sign of v.
 * Gravity, a payload and the sensor's zero are the bias of a channel (`nuisance`), which only rows
 * of both directions separate from friction.
 *
 * A coefficient needs the load, a torque a lever besides: where the set has none, a friction curve
 * of a force or a torque is what its data can identify. A friction law with bristles shows what it
 * does once they have settled (slide_friction.c).
 */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/rows.h"
#include "experiment/slide_channels.h"

enum {
    OF_COEFFICIENT =
        1u << CF_FAMILY_COEFFICIENT | 1u << CF_FAMILY_NORMAL | 1u << CF_FAMILY_TANGENTIAL,
    OF_FORCE = OF_COEFFICIENT | 1u << CF_FAMILY_FRICTION_FORCE,
    OF_TORQUE = OF_FORCE | 1u << CF_FAMILY_FRICTION_TORQUE,
};

static const char *const speed_names[] = {
    "v sliding_speed slip_speed slide_speed slip_rate relative_speed surface_speed",
    "linear_speed v_slip v_slide v_rel v_sliding",
    NULL,
};
static const char *const spin_names[] = {
    "w omega angular_speed joint_speed motor_speed shaft_speed qdot q_dot qd dq",
    NULL,
};
static const char *const load_names[] = {
    "normal_force normal_load normal contact_load applied_load vertical_force vertical_load",
    "f_n f_z",
    NULL,
};
static const char *const acceleration_names[] = {
    "a acc accel",
    NULL,
};
static const char *const force_names[] = {
    "friction friction_force f f_t f_f f_r f_x f_friction tangential_force lateral_force",
    "shear_force traction_force",
    NULL,
};
static const char *const torque_names[] = {
    "friction_torque joint_torque motor_torque drive_torque moment friction_moment m_r m_f",
    "t_f t_fric tau tau_f tau_fric",
    NULL,
};
static const char *const mu_names[] = {
    "mu cof friction_coefficient friction_factor traction_coefficient",
    "kinetic_friction_coefficient dynamic_friction_coefficient mu_k mu_kin mu_d",
    NULL,
};

#define COMMON_CHANNELS                                                                            \
    [CF_SLIDE_LOAD] = {"load",                                                                     \
                       "N",                                                                        \
                       "force between the surfaces",                                               \
                       CF_ROLE_IMPOSED,                                                            \
                       1e-9,                                                                       \
                       1e9,                                                                        \
                       0,                                                                          \
                       load_names,                                                                 \
                       "load",                                                                     \
                       "f_n",                                                                      \
                       false},                                                                     \
    [CF_SLIDE_FORCE] = {"force",                                                                   \
                        "N",                                                                       \
                        "force that keeps up the sliding, of the sign of the speed",               \
                        CF_ROLE_MEASURED,                                                          \
                        -1e9,                                                                      \
                        1e9,                                                                       \
                        OF_FORCE,                                                                  \
                        force_names,                                                               \
                        "friction force",                                                          \
                        "f",                                                                       \
                        true},                                                                     \
    [CF_SLIDE_COEFFICIENT] = {"coefficient",                                                       \
                              "1",                                                                 \
                              "that force over the load",                                          \
                              CF_ROLE_MEASURED,                                                    \
                              -100,                                                                \
                              100,                                                                 \
                              OF_COEFFICIENT,                                                      \
                              mu_names,                                                            \
                              "friction coefficient",                                              \
                              "mu",                                                                \
                              false}

static const struct cf_channel_row along[CF_SLIDE_NCHANNEL] = {
    [CF_SLIDE_SPEED] = {"speed", "m/s", "slip speed, signed", CF_ROLE_IMPOSED, -1e4, 1e4, 0,
                        speed_names, "slip speed", "v", false},
    [CF_SLIDE_ACCELERATION] = {"acceleration", "m/s^2", "change of the speed", CF_ROLE_IMPOSED,
                               -1e6, 1e6, 0, acceleration_names, "acceleration", "a", false},
    [CF_SLIDE_TORQUE] = {"torque", "N m", "force times lever", CF_ROLE_MEASURED, -1e9, 1e9,
                         OF_FORCE, torque_names, "friction torque", "T", false},
    COMMON_CHANNELS,
};

static const struct cf_channel_row about[CF_SLIDE_NCHANNEL] = {
    [CF_SLIDE_SPEED] = {"speed", "rad/s", "speed of the axis, signed", CF_ROLE_IMPOSED, -1e6, 1e6,
                        0, spin_names, "speed of the axis", "w", false},
    [CF_SLIDE_ACCELERATION] = {"acceleration", "rad/s^2", "change of the speed", CF_ROLE_IMPOSED,
                               -1e9, 1e9, 0, acceleration_names, "acceleration", "a", false},
    [CF_SLIDE_TORQUE] = {"torque", "N m",
                         "torque that keeps up the motion, of the sign of the speed",
                         CF_ROLE_MEASURED, -1e9, 1e9, OF_TORQUE, torque_names, "friction torque",
                         "T", true},
    COMMON_CHANNELS,
};

/* ---- apparatus: 0 where the study is silent */

static const struct cf_param apparatus[CF_SLIDE_NAPPARATUS] = {
    [CF_SLIDE_APPARATUS_LOAD] = {"load", "N", 0, 1e9, 1e-3, 1e6, 0, CF_SCALE_LINEAR,
                                 "force between the surfaces, where no column has it"},
    [CF_SLIDE_LEVER] = {"lever", "m", 0, 1e3, 1e-3, 10, 0, CF_SCALE_LINEAR,
                        "distance of the surfaces that slide from the axis"},
    [CF_SLIDE_RAMP] = {"ramp", "1", 0, 1e3, 0, 10, 0.01, CF_SCALE_LINEAR,
                       "most that the speed of a row may change in a second, in parts of it"},
};

static int check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                     struct cf_error *err)
{
    const char *unit = d->protocol->channel[CF_SLIDE_SPEED].unit;
    double v = cf_dataset_value(d, row, CF_SLIDE_SPEED),
           a = cf_dataset_value(d, row, CF_SLIDE_ACCELERATION);
    double most = d->apparatus[CF_SLIDE_RAMP];

    if (size)
        note[0] = '\0';
    if (!cf_dataset_has(d, row, CF_SLIDE_SPEED))
        return cf_fail(err, CF_EINPUT, "no speed: it is what a slide is driven at");
    if (v == 0)
        return cf_fail(err, CF_EINPUT,
                       "speed 0 %s: at rest friction is whatever is asked of it: give the speed "
                       "of the slide, or exclude the row",
                       unit);
    if (cf_dataset_has(d, row, CF_SLIDE_ACCELERATION) && fabs(a) > most * fabs(v))
        return cf_fail(err, CF_EINPUT,
                       "acceleration %g %s^2 at a speed of %g %s: the speed changes by %.3g of "
                       "itself in a second, and a row of constant speed by at most %g (apparatus: "
                       "{ramp: })",
                       a, unit, v, unit, fabs(a / v), most);
    return CF_OK;
}

/* "stribeck" of "mu-stribeck"; a caller's own law may be called anything. */
static const char *form_of(const struct cf_law *law)
{
    const char *dash = strchr(law->name, '-');
    return dash ? dash + 1 : law->name;
}

/* What a coefficient or a force of the law needs to become what was measured. */
static int check_law(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err)
{
    bool coefficient = cf_slide_is_coefficient(law);
    bool lever = d->apparatus[CF_SLIDE_LEVER] > 0, along_axis = cf_slide_is_rotary(d);
    bool torque_law = law->family == CF_FAMILY_FRICTION_TORQUE;

    if (!law->curve) {
        int status = cf_slide_check_friction(d, law, err);
        if (status)
            return status;
    }
    for (size_t row = 0; row < d->nrow; row++) {
        bool torque = cf_dataset_has(d, row, CF_SLIDE_TORQUE),
             force = cf_dataset_has(d, row, CF_SLIDE_FORCE);
        if (d->use[row] == CF_ROW_EXCLUDED)
            continue;
        if (!torque_law && !lever && (torque || along_axis))
            return cf_fail(err, CF_EINPUT,
                           "%s of a torque or the speed of an axis needs the lever: state "
                           "apparatus: {lever: 20 mm}, or fit t-%s, which is a torque over rad/s",
                           law->param[0].name, form_of(law));
        if (coefficient && (torque || force) && !(cf_slide_load(d, row, d->apparatus) > 0))
            return cf_fail(err, CF_EINPUT,
                           "%s needs the load of each force and torque: a column load, or "
                           "apparatus: {load: 10 N}; or fit f-%s, which is a force",
                           law->param[0].name, form_of(law));
    }
    return CF_OK;
}

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    (void) d;
    (void) row;
    return CF_SLIDE_SPEED;
}

static double speed(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, CF_SLIDE_SPEED);
}

/* ---- prediction */

static double by_apparatus(const struct cf_request *q, const struct cf_slide_reading *r,
                           size_t parameter, double w, const struct cf_friction_curve *curve)
{
    bool turned = cf_slide_is_rotary(q->data) && q->law->family != CF_FAMILY_FRICTION_TORQUE;

    if (parameter == CF_SLIDE_APPARATUS_LOAD)
        return r->by_load * curve->value;
    if (parameter == CF_SLIDE_LEVER)
        return r->by_lever * curve->value + (turned ? r->factor * curve->by_speed * fabs(w) : 0);
    return 0;
}

/* One reading of a row, and its derivatives. */
static int respond(const struct cf_request *q, size_t row, size_t channel, double *y,
                   double *by_imposed, double by_value[], struct cf_error *err)
{
    const struct cf_law *law = q->law;
    const double *apparatus_value = q->value + cf_apparatus_value(law, 0);
    double w = speed(q->data, row), sign = w < 0 ? -1 : 1;
    struct cf_slide_reading r = cf_slide_reading(q->data, law, apparatus_value, row, channel);
    struct cf_friction_curve curve;
    int status = CF_OK;

    if (law->curve)
        law->curve(q->value, r.by_speed * fabs(w), &curve);
    else
        status = cf_slide_settled(q, cf_slide_load(q->data, row, apparatus_value),
                                  r.by_speed * fabs(w), by_value || by_imposed, &curve, err);
    if (status)
        return status;
    *y = cf_channel_predicted(&q->data->protocol->channel[channel], law->family)
             ? sign * r.factor * curve.value
             : (double) NAN;
    if (by_imposed)
        *by_imposed = r.factor * curve.by_speed * r.by_speed;
    for (size_t k = 0; by_value && k < q->nby; k++)
        by_value[k] = sign * (q->by[k] < law->nparam
                                  ? r.factor * curve.by_param[q->by[k]]
                                  : by_apparatus(q, &r, q->by[k] - law->nparam, w, &curve));
    return CF_OK;
}

static int predict(void *work, const struct cf_request *q, struct cf_response *out,
                   struct cf_error *err)
{
    int status = CF_OK;

    (void) work;
    for (size_t i = 0; i < q->nrow && !status; i++)
        for (size_t c = 0; c < q->nchannel && !status; c++) {
            size_t to = i * q->nchannel + c;
            status = respond(q, q->row[i], q->channel[c], &out->y[to],
                             out->by_imposed ? &out->by_imposed[to] : NULL,
                             out->by_value ? &out->by_value[to * q->nby] : NULL, err);
        }
    return status;
}

static const size_t condition[] = {CF_SLIDE_LOAD, CF_SLIDE_ACCELERATION};

#define BIAS_OF(channel)                                                                           \
    "    # Gravity, a payload, a zero that is off: what does not change sign with the speed. "     \
    "Rows\n"                                                                                       \
    "    # of both directions separate it from friction:\n"                                        \
    "    # nuisance: {" channel ".bias: {}}\n"

#define COMMON                                                                                     \
    .nchannel = CF_SLIDE_NCHANNEL, .axis_channel = CF_SLIDE_SPEED, .ncondition = 2,                \
    .condition = condition, .bodiless = true, .napparatus = CF_SLIDE_NAPPARATUS,                   \
    .apparatus = apparatus, .check_row = check_row, .check_law = check_law, .imposed = imposed,    \
    .abscissa = speed, .hand = cf_slide_hand, .predict = predict

const struct cf_protocol cf_protocol_slide = {
    .name = "slide",
    .what = "sliding at constant speed: friction against slip speed",
    .channel = along,
    .axis = {"speed", "m/s", true, -1e4, 1e4, "speeds", "slip speed", "v", true},
    .headline = CF_SLIDE_FORCE,
    .begin_with = "f-stribeck",
    .begin_else = "mu-stribeck",
    .on_data = BIAS_OF("force"),
    COMMON,
};

const struct cf_protocol cf_protocol_slide_rotary = {
    .name = "slide_rotary",
    .what = "turning at constant speed: friction against the speed of an axis",
    .channel = about,
    .axis = {"speed", "rad/s", true, -1e6, 1e6, "speeds", "speed of the axis", "w", true},
    .headline = CF_SLIDE_TORQUE,
    .begin_with = "t-stribeck",
    .begin_else = "mu-stribeck",
    .on_data = BIAS_OF("torque"),
    COMMON,
};
