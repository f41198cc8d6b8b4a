/* Ramps and loops: a block drawn slowly to and fro, by a displacement with the force measured, or
 * by a force with the displacement measured. Two rows, as one or the other is imposed.
 *
 * The surfaces hold by small deflections before they slide: the slope of the force is the stiffness
 * of friction's springs, sigma_0 times the load, where the frame is rigid or its stiffness known;
 * the level at which it ends is mu_S. The equations are in slider.h.
 */

#include <math.h>
#include <stdlib.h>

#include "experiment/ramp_channels.h"
#include "experiment/rows.h"
#include "experiment/run_number.h"
#include "experiment/sensor_rows.h"

enum { OF_FRICTION = 1u << CF_FAMILY_NORMAL | 1u << CF_FAMILY_TANGENTIAL };

/* ---- tables */

static const char *const time_names[] = {"t elapsed_time timestamp stamp time_stamp", NULL};
static const char *const displacement_names[] = {
    "x position place pos travel stroke deflection slider_position table_position",
    "x_slider x_table",
    NULL,
};
static const char *const load_names[] = {
    "normal_force normal_load normal contact_load applied_load vertical_force vertical_load",
    "f_n f_z",
    NULL,
};
static const char *const force_names[] = {
    "friction friction_force f f_t f_f f_r f_x f_friction tangential_force lateral_force",
    "shear_force traction_force pull spring_force",
    NULL,
};

#define TIME_AND_LOAD                                                                              \
    [CF_RAMP_TIME] = {"time", "s", "of the record", CF_ROLE_IMPOSED, -1e12,                        \
                      1e12,   0,   time_names,      "time",          "t",                          \
                      false},                                                                      \
    [CF_RAMP_LOAD] = {"load",                                                                      \
                      "N",                                                                         \
                      "force between the surfaces",                                                \
                      CF_ROLE_IMPOSED,                                                             \
                      0,                                                                           \
                      1e9,                                                                         \
                      0,                                                                           \
                      load_names,                                                                  \
                      "load",                                                                      \
                      "f_n",                                                                       \
                      false}

static const struct cf_channel_row by_displacement[CF_RAMP_NCHANNEL] = {
    [CF_RAMP_DISPLACEMENT] = {"displacement", "m", "by which the block is drawn", CF_ROLE_IMPOSED,
                              -1e3, 1e3, 0, displacement_names, "displacement", "x", false},
    [CF_RAMP_FORCE] = {"force", "N", "that draws the block, of the sign of a speed",
                       CF_ROLE_MEASURED, -1e9, 1e9, OF_FRICTION, force_names, "force", "F", true},
    TIME_AND_LOAD,
};

static const struct cf_channel_row by_force[CF_RAMP_NCHANNEL] = {
    [CF_RAMP_DISPLACEMENT] = {"displacement", "m", "of the drive, from where it began",
                              CF_ROLE_MEASURED, -1e3, 1e3, OF_FRICTION, displacement_names,
                              "displacement", "x", true},
    [CF_RAMP_FORCE] = {"force", "N", "by which the block is drawn", CF_ROLE_IMPOSED, -1e9, 1e9, 0,
                       force_names, "force", "F", false},
    TIME_AND_LOAD,
};

#define NUMBER(name, unit, least, most, fit_least, fit_most, usual, scale, what)                   \
    {                                                                                              \
        name, unit, least, most, fit_least, fit_most, usual, scale, what                           \
    }
#define RULE(name, unit, least, most, usual, what)                                                 \
    NUMBER(name, unit, least, most, least, most, usual, CF_SCALE_LINEAR, what)

/* Of both rows, but for the sensor's. */
#define LOAD                                                                                       \
    NUMBER("load", "N", 0, 1e9, 1e-3, 1e6, 0, CF_SCALE_LINEAR,                                     \
           "force between the surfaces, where no column has it")
#define MASS NUMBER("mass", "kg", 0, 1e6, 0, 1e3, 0, CF_SCALE_LINEAR, "of the block")
#define STIFFNESS                                                                                  \
    NUMBER("stiffness", "N/m", 0, 1e15, 1, 1e12, 0, CF_SCALE_LOG,                                  \
           "of the frame in series, drawn forth; 0: rigid")
#define RATIO                                                                                      \
    NUMBER("stiffness_ratio", "1", 1e-6, 1e6, 0.01, 100, 1, CF_SCALE_LOG,                          \
           "of the frame's stiffness drawn back over that drawn forth")
#define DAMPING                                                                                    \
    NUMBER("damping", "N s/m", 0, 1e12, 0, 1e9, 0, CF_SCALE_LINEAR, "of the frame in series")
#define BACKLASH                                                                                   \
    NUMBER("backlash", "m", 0, 1, 0, 1e-2, 0, CF_SCALE_LINEAR,                                     \
           "way that the drive goes between push and pull")
#define DEFLECTION                                                                                 \
    NUMBER("deflection", "m", -1, 1, -1e-2, 1e-2, 0, CF_SCALE_LINEAR,                              \
           "of friction's springs where the record begins, beside what the force shows")
#define SMOOTHING                                                                                  \
    RULE("smoothing", "Hz", 0, 1e12, 0,                                                            \
         "frequency up to which what is imposed is believed; 0: by cross-validation")
#define SUBSTEPS                                                                                   \
    RULE("substeps", "1", 1, 1000, 1,                                                              \
         "steps of the motion from row to row, more where a fit needs them")
#define GAP                                                                                        \
    RULE("gap", "1", 1.5, 1e9, 10,                                                                 \
         "times the usual spacing of rows from which on the record is cut")
#define TURN                                                                                       \
    RULE("turn", "1", 0, 1, 0.05,                                                                  \
         "part of the whole travel that a way back has at least, for the start by hand")

#define RIG(sensor)                                                                                \
    {                                                                                              \
        [CF_RAMP_APPARATUS_LOAD] = LOAD, [CF_RAMP_MASS] = MASS, [CF_RAMP_STIFFNESS] = STIFFNESS,   \
        [CF_RAMP_RATIO] = RATIO, [CF_RAMP_DAMPING] = DAMPING, [CF_RAMP_BACKLASH] = BACKLASH,       \
        [CF_RAMP_DELAY] = CF_SENSOR_DELAY_ROW(sensor ".delay"),                                    \
        [CF_RAMP_BANDWIDTH] = CF_SENSOR_BANDWIDTH_ROW(sensor ".bandwidth"),                        \
        [CF_RAMP_ORDER] = CF_SENSOR_ORDER_ROW(sensor ".order"), [CF_RAMP_DEFLECTION] = DEFLECTION, \
        [CF_RAMP_SMOOTHING] = SMOOTHING, [CF_RAMP_SUBSTEPS] = SUBSTEPS, [CF_RAMP_GAP] = GAP,       \
        [CF_RAMP_TURN] = TURN,                                                                     \
    }

static const struct cf_param apparatus_of_force[CF_RAMP_NAPPARATUS] = RIG("force");
static const struct cf_param apparatus_of_displacement[CF_RAMP_NAPPARATUS] = RIG("displacement");

/* ---- what may be asked */

static bool is_rule(size_t parameter)
{
    return parameter == CF_RAMP_ORDER || parameter >= CF_RAMP_SMOOTHING;
}

static int check_free(const struct cf_dataset *d, size_t parameter, struct cf_error *err)
{
    const char *name = d->protocol->apparatus[parameter].name;

    if (is_rule(parameter))
        return cf_fail(err, CF_EINPUT,
                       "%s is a rule by which the record is read, and no number of the rig: state "
                       "it under apparatus",
                       name);
    if (parameter == CF_RAMP_APPARATUS_LOAD && d->series[CF_RAMP_LOAD].value)
        return cf_fail(err, CF_EINPUT, "load: a column has it, and it is not to be fitted beside");
    if ((parameter == CF_RAMP_STIFFNESS || parameter == CF_RAMP_BANDWIDTH) &&
        !(d->apparatus[parameter] > 0))
        return cf_fail(err, CF_EINPUT,
                       "%s: a fit begins at a value above 0: state it under apparatus as well",
                       name);
    return CF_OK;
}

static int check_law(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err)
{
    return cf_slider_check_law(d, law, CF_RAMP_LOAD, CF_RAMP_APPARATUS_LOAD, err);
}

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    (void) d;
    (void) row;
    return CF_RAMP_TIME;
}

static double abscissa(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, CF_RAMP_TIME);
}

/* Not what drives the rows: a table that has a time and a force alone is no ramp. */
static const size_t condition[] = {CF_RAMP_TIME, CF_RAMP_LOAD};

static size_t cut(const struct cf_dataset *d, struct cf_run run[], size_t room)
{
    return cf_runs_by_loop(d, d->protocol->loop, d->apparatus[CF_RAMP_TURN], run, room);
}

static const struct cf_axis way = {
    "amplitude", "m", false, 1e-12, 1e3, "amplitudes", "amplitude of the loop", "A", false};
static const struct cf_axis pull = {
    "amplitude", "N", false, 1e-12, 1e9, "amplitudes", "amplitude of the force", "F_A", false};

#define OF_LOOPS CF_RAMP_FORCE, CF_RAMP_DISPLACEMENT, &way, CF_NO_CHANNEL, cut
static const struct cf_run_number number_of_force[] = {
    {"loss", "work lost in a loop", "J", OF_LOOPS, cf_find_area},
    {"peak_force", "largest force of a loop", "N", OF_LOOPS, cf_find_peak},
};

#define OF_CYCLES CF_RAMP_DISPLACEMENT, CF_RAMP_FORCE, &pull, CF_NO_CHANNEL, cut
static const struct cf_run_number number_of_displacement[] = {
    {"loss", "work lost in a cycle", "J", OF_CYCLES, cf_find_area_across},
    {"peak_displacement", "largest displacement of a cycle", "m", OF_CYCLES, cf_find_peak},
};

static const struct cf_trait trait[] = {
    {CF_RAMP_DISPLACEMENT, CF_GAIT_CONSTANT, CF_NEVER, 0, "a place that does not change"},
    {CF_RAMP_FORCE, CF_GAIT_ONE_SIGN, -0.3, 0.3, "a force of both signs"},
};

#define COMMON                                                                                     \
    .nchannel = CF_RAMP_NCHANNEL, .ntrait = sizeof trait / sizeof *trait, .trait = trait,          \
    .axis = {"time", "s", true, -1e12, 1e12, "times", "time", "t", false},                         \
    .axis_channel = CF_RAMP_TIME, .ncondition = 2, .bodiless = true,                               \
    .napparatus = CF_RAMP_NAPPARATUS, .begin_with = NULL, .begin_friction = "bristle",             \
    .on_law =                                                                                      \
        "# Slow loops identify mu_s and sigma_0, loops at two speeds or more also sigma_1, and "   \
        "little else: "                                                                            \
        "take\n"                                                                                   \
        "# the rest out of fit, and state it or tie it; other laws of friction are rivals:\n"      \
        "# tie: {mu_c: mu_s}\n"                                                                    \
        "# fixed: {sigma_1: 10 s/m, sigma_2: 0 s/m, v_s: 10 mm/s, tau_dw: 0.1 s}\n"                \
        "# rivals: [lugre, dahl, iwan-2]\n",                                                       \
    .on_data =                                                                                     \
        "    # The load, where no column has it, and what the sensor shows without a force:\n"     \
        "    # apparatus: {load: 10 N}\n"                                                          \
        "    # nuisance: {force.bias: {}}\n",                                                      \
    .record = true, .whole = true, .few_minima = true, .nsmoothing = 1,                            \
    .smoothing = CF_RAMP_SMOOTHING, .steps = CF_RAMP_SUBSTEPS, .clock = CF_RAMP_TIME,              \
    .on_misfit = "look at what the rig leaves in the record, under nuisance: a frame that gives "  \
                 "way (stiffness), differently in the two directions (stiffness_ratio), play "     \
                 "(backlash), a sensor that lags (delay, bandwidth), a zero that is off (bias); "  \
                 "and compare with iwan-2 to iwan-4, whose springs give way one by one",           \
    .check_row = cf_ramp_check_row, .check_law = check_law, .check_free = check_free,              \
    .complete = cf_ramp_complete, .range = cf_ramp_range, .imposed = imposed,                      \
    .abscissa = abscissa, .hand = cf_ramp_hand, .predict = cf_ramp_predict

const struct cf_protocol cf_protocol_ramp = {
    .name = "ramp",
    .what = "a block drawn by a slow displacement, to and fro: force over time",
    .channel = by_displacement,
    .headline = CF_RAMP_FORCE,
    .condition = condition,
    .apparatus = apparatus_of_force,
    .is_unknown = cf_ramp_is_unknown,
    .loop = CF_RAMP_DISPLACEMENT,
    .nrun_number = sizeof number_of_force / sizeof *number_of_force,
    .run_number = number_of_force,
    COMMON,
};

const struct cf_protocol cf_protocol_ramp_force = {
    .name = "ramp_force",
    .what = "a block drawn by a slow force: displacement over time",
    .channel = by_force,
    .headline = CF_RAMP_DISPLACEMENT,
    .condition = condition,
    .apparatus = apparatus_of_displacement,
    .loop = CF_RAMP_FORCE,
    .nrun_number = sizeof number_of_displacement / sizeof *number_of_displacement,
    .run_number = number_of_displacement,
    COMMON,
};
