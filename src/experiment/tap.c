/* Taps: a block at rest under a load is knocked, and rings down on the springs of its friction.
 *
 * The knock gives it a speed at once; while it is so small that nothing slides, frequency and
 * decay are those of friction's spring and damper (Gonthier 2007, 3.3.2),
 *
 *   w_n^2 = k/m     2 zeta w_n = d/m     w_d = w_n sqrt(1 - zeta^2), which is what is seen
 *
 * (3.49-3.50 write w_d for both), k = sigma_0 f_n and d = sigma_1 f_n. The equations are in
 * slider.h.
 */

#include <math.h>

#include "experiment/rows.h"
#include "experiment/run_number.h"
#include "experiment/sensor_rows.h"
#include "experiment/tap_channels.h"

/* Steps of fits: errors of this part of the deflection under a tenth of the load. */
static const double FIT_TOLERANCE = 1e-9;

/* A run that needs more is given up, and costs its start alone: a thousand swings take some
 * 10,000. */
enum { MOST_STEPS = 200000 };

enum { OF_FRICTION = 1u << CF_FAMILY_NORMAL | 1u << CF_FAMILY_TANGENTIAL };

static const char *const time_names[] = {"t elapsed_time timestamp stamp time_stamp", NULL};
static const char *const load_names[] = {
    "normal_force normal_load normal contact_load applied_load f_n f_z", NULL};
static const char *const displacement_names[] = {"deflection", NULL}; /* places are of any trace */
static const char *const velocity_names[] = {"v speed vel vibrometer", NULL};
static const char *const acceleration_names[] = {"a acc accel accelerometer", NULL};

static const struct cf_channel_row channel[CF_TAP_NCHANNEL] = {
    [CF_TAP_TIME] = {"time", "s", "of the record", CF_ROLE_IMPOSED, -1e12, 1e12, 0, time_names,
                     "time", "t", false},
    [CF_TAP_LOAD] = {"load", "N", "force between the surfaces", CF_ROLE_IMPOSED, 1e-9, 1e9, 0,
                     load_names, "load", "f_n", false},
    [CF_TAP_DISPLACEMENT] = {"displacement", "m", "from where the block rests", CF_ROLE_MEASURED,
                             -1e3, 1e3, OF_FRICTION, displacement_names, "displacement", "x",
                             false},
    [CF_TAP_VELOCITY] = {"velocity", "m/s", "of the block", CF_ROLE_MEASURED, -1e4, 1e4,
                         OF_FRICTION, velocity_names, "velocity", "v", true},
    [CF_TAP_ACCELERATION] = {"acceleration", "m/s^2", "of the block, the knock itself left out",
                             CF_ROLE_MEASURED, -1e9, 1e9, OF_FRICTION, acceleration_names,
                             "acceleration", "a", false},
};

#define OF_CHANNEL(name)                                                                           \
    CF_SENSOR_DELAY_ROW(name ".delay"), CF_SENSOR_BANDWIDTH_ROW(name ".bandwidth"),                \
        CF_SENSOR_ORDER_ROW(name ".order")

static const struct cf_param apparatus[CF_TAP_NAPPARATUS] = {
    {"load", "N", 0, 1e9, 1e-3, 1e6, 0, CF_SCALE_LINEAR,
     "force between the surfaces, where no column has it"},
    {"mass", "kg", 0, 1e6, 1e-6, 1e3, 0, CF_SCALE_LOG, "of the block"},
    {"sensor_mass", "kg", 0, 1e3, 0, 10, 0, CF_SCALE_LINEAR, "of what is fixed to the block"},
    {"knock", "s", -1e12, 1e12, -1e12, 1e12, NAN, CF_SCALE_LINEAR,
     "time of the knock; where it is not stated, the one that the record shows"},
    {"speed", "m/s", -1e3, 1e3, -1e3, 1e3, 0, CF_SCALE_LINEAR, "that the knock gives the block"},
    OF_CHANNEL("displacement"),
    OF_CHANNEL("velocity"),
    OF_CHANNEL("acceleration"),
    {"rise", "1", 1, 1e6, 1, 1e6, 6, CF_SCALE_LINEAR,
     "signal, in sds of its noise before the knock, from which on there is one"},
};

/* The slider's number of each, as a channel sees it. */
static void number_table(size_t seen, enum cf_slider_number number_of[CF_TAP_NAPPARATUS])
{
    for (size_t i = 0; i < CF_TAP_NAPPARATUS; i++)
        number_of[i] = CF_SLIDER_NO_NUMBER;
    number_of[CF_TAP_APPARATUS_LOAD] = CF_SLIDER_LOAD;
    number_of[CF_TAP_MASS] = number_of[CF_TAP_SENSOR_MASS] = CF_SLIDER_MASS;
    number_of[CF_TAP_KNOCK] = number_of[cf_tap_number(seen, CF_TAP_DELAY)] = CF_SLIDER_DELAY;
    number_of[CF_TAP_SPEED] = CF_SLIDER_SPEED;
    number_of[cf_tap_number(seen, CF_TAP_BANDWIDTH)] = CF_SLIDER_BANDWIDTH;
}

static int predict(void *work, const struct cf_request *q, struct cf_response *out,
                   struct cf_error *err)
{
    static const enum cf_slider_seen seen[CF_TAP_NCHANNEL] = {
        [CF_TAP_DISPLACEMENT] = CF_SLIDER_DISPLACEMENT,
        [CF_TAP_VELOCITY] = CF_SLIDER_VELOCITY,
        [CF_TAP_ACCELERATION] = CF_SLIDER_ACCELERATION,
    };
    const double *a = q->value + cf_apparatus_value(q->law, 0);
    double load = q->nrow ? cf_dataset_value(q->data, q->row[0], CF_TAP_LOAD) : 0;
    int status = CF_OK;

    (void) work;
    for (size_t c = 0; c < q->nchannel && q->nrow && !status; c++) {
        enum cf_slider_number number_of[CF_TAP_NAPPARATUS];
        struct cf_slider_reading r = {.q = q,
                                      .clock = CF_TAP_TIME,
                                      .number_of = number_of,
                                      .napparatus = CF_TAP_NAPPARATUS,
                                      .max_steps = MOST_STEPS,
                                      .tolerance = FIT_TOLERANCE};
        struct cf_slider s = {.drive = CF_SLIDER_LEFT_ALONE,
                              .seen = seen[q->channel[c]],
                              .order = (int) a[cf_tap_number(q->channel[c], CF_TAP_ORDER)]};
        number_table(q->channel[c], number_of);
        cf_slider_put(&s, &r);
        if (!isnan(load))
            s.number[CF_SLIDER_LOAD] = load;
        status = cf_slider_predict(&s, &r, c, out, err);
    }
    return status;
}

static int check_law(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err)
{
    if (!(d->apparatus[CF_TAP_MASS] > 0))
        return cf_fail(err, CF_EINPUT, "no mass: a block rings by it (apparatus: {mass: 1 kg})");
    return cf_slider_check_law(d, law, CF_TAP_LOAD, CF_TAP_APPARATUS_LOAD, err);
}

static int check_free(const struct cf_dataset *d, size_t parameter, struct cf_error *err)
{
    const char *name = d->protocol->apparatus[parameter].name;
    bool bandwidth = false, order = false;

    for (size_t c = CF_TAP_FIRST; c < CF_TAP_NCHANNEL; c++) {
        bandwidth = bandwidth || parameter == cf_tap_number(c, CF_TAP_BANDWIDTH);
        order = order || parameter == cf_tap_number(c, CF_TAP_ORDER);
    }
    if (order || parameter >= CF_TAP_RISE)
        return cf_fail(err, CF_EINPUT, "%s is no number of the rig: state it under apparatus",
                       name);
    if (parameter == CF_TAP_APPARATUS_LOAD && d->series[CF_TAP_LOAD].value)
        return cf_fail(err, CF_EINPUT, "load: a column has it, and it is not to be fitted beside");
    if (bandwidth && !(d->apparatus[parameter] > 0))
        return cf_fail(err, CF_EINPUT,
                       "%s: a fit begins at a value above 0: state it under apparatus as well",
                       name);
    return CF_OK;
}

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    (void) d;
    (void) row;
    return CF_TAP_TIME;
}

static double abscissa(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, CF_TAP_TIME);
}

static const size_t condition[] = {CF_TAP_LOAD};

static const struct cf_run_number run_number[] = {
    {"end_displacement", "displacement at the end", "m", CF_TAP_DISPLACEMENT, CF_TAP_TIME, NULL,
     CF_NO_CHANNEL, cf_runs_repeated, cf_find_last},
};

static const struct cf_trait trait[] = {
    {CF_TAP_VELOCITY, CF_GAIT_SPARSE, 0.3, -0.5, "a speed that rings down"},
    {CF_TAP_ACCELERATION, CF_GAIT_SPARSE, 0.3, -0.5, "an acceleration that rings down"},
};

const struct cf_protocol cf_protocol_tap = {
    .name = "tap",
    .what = "a knock on a block at rest, and how it rings down",
    .nchannel = CF_TAP_NCHANNEL,
    .ntrait = sizeof trait / sizeof *trait,
    .trait = trait,
    .channel = channel,
    .axis = {"time", "s", true, -1e12, 1e12, "times", "time", "t", false},
    .axis_channel = CF_TAP_TIME,
    .headline = CF_TAP_VELOCITY,
    .ncondition = sizeof condition / sizeof *condition,
    .condition = condition,
    .bodiless = true,
    .napparatus = CF_TAP_NAPPARATUS,
    .apparatus = apparatus,
    .begin_friction = "bristle",
    .on_law =
        "# A knock that lets nothing slide identifies sigma_0 and sigma_1: take the rest out of "
        "fit, and\n"
        "# state it; other laws of friction are rivals:\n"
        "# fixed: {mu_s: 0.15, mu_c: 0.1, sigma_2: 0 s/m, v_s: 50 mm/s, tau_dw: 2 s}\n"
        "# rivals: [lugre, dahl]\n",
    .on_data =
        "    # The block's mass and the load, such as 1 kg and 10 N; when it was knocked, and "
        "how fast it went:\n"
        "    apparatus: {mass: FILL-IN, load: FILL-IN}\n"
        "    nuisance: {knock: {}, speed: {}}\n",
    .record = true,
    .whole = true,
    .few_minima = true,
    .clock = CF_TAP_TIME,
    .on_misfit =
        "a knock so hard that the block slides identifies mu as well: fit it; otherwise look "
        "at the sensor, under nuisance: bandwidth, delay, bias, and at its mass",
    .check_row = cf_tap_check_row,
    .complete = cf_tap_complete,
    .range = cf_tap_range,
    .check_law = check_law,
    .check_free = check_free,
    .imposed = imposed,
    .abscissa = abscissa,
    .hand = cf_tap_hand,
    .nrun_number = sizeof run_number / sizeof *run_number,
    .run_number = run_number,
    .predict = predict,
};
