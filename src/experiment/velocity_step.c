/* Velocity steps: a load point draws a block through a frame, at speeds that change in steps, holds
 * among them, and friction answers.
 *
 * At a step up friction rises at once and falls to a new level while the contact slips over D_c; it
 * heals in a hold. The record begins in steady sliding. The equations are in driven_block.h, the
 * frame's numbers over the load.
 */

#include <math.h>
#include <string.h>

#include "experiment/rows.h"
#include "experiment/run_number.h"
#include "experiment/velocity_step_channels.h"

enum { OF_FRICTION = 1u << CF_FAMILY_NORMAL | 1u << CF_FAMILY_TANGENTIAL };

static const char *const time_names[] = {"t elapsed_time timestamp stamp time_stamp", NULL};
static const char *const load_point_names[] = {
    "load_point_velocity loading_rate loading_speed loading_velocity v_lp v_load_point", NULL};
static const char *const friction_names[] = {
    "mu cof friction friction_factor shear_over_normal tau_over_sigma", NULL};
static const char *const force_names[] = {"shear_force tangential_force", NULL};

static const struct cf_channel_row channel[CF_STEP_NCHANNEL] = {
    [CF_STEP_TIME] = {"time", "s", "of the record", CF_ROLE_IMPOSED, -1e12, 1e12, 0, time_names,
                      "time", "t", false},
    [CF_STEP_LOAD_POINT] = {"load_point_speed", "m/s", "that was set, the same for many rows",
                            CF_ROLE_IMPOSED, -1e3, 1e3, 0, load_point_names, "load point", "V",
                            false},
    [CF_STEP_FRICTION] = {"friction_coefficient", "1", "force along the surface over the load",
                          CF_ROLE_MEASURED, -100, 100, OF_FRICTION, friction_names,
                          "friction coefficient", "mu", true},
    [CF_STEP_FORCE] = {"friction_force", "N", "along the surface", CF_ROLE_MEASURED, -1e9, 1e9,
                       OF_FRICTION, force_names, "friction force", "F", true},
};

#define STEP(n)                                                                                    \
    {"step_" #n "_time",                                                                           \
     "s",                                                                                          \
     -1e12,                                                                                        \
     1e12,                                                                                         \
     -1e12,                                                                                        \
     1e12,                                                                                         \
     NAN,                                                                                          \
     CF_SCALE_LINEAR,                                                                              \
     "when the load point changed its speed"},                                                     \
    {                                                                                              \
        "step_" #n "_speed", "m/s", -1e3, 1e3, -1e3, 1e3, NAN, CF_SCALE_LINEAR,                    \
            "of the load point from then on; 0: a hold"                                            \
    }

static const struct cf_param apparatus[CF_STEP_NAPPARATUS] = {
    [CF_BLOCK_LOAD] = {"load", "N", 0, 1e12, 1e-3, 1e9, 0, CF_SCALE_LINEAR,
                       "force between the surfaces, for a measured force"},
    [CF_BLOCK_STIFFNESS] = {"stiffness", "1/m", 0, 1e12, 1, 1e9, 0, CF_SCALE_LOG,
                            "of the frame over the load; 0: rigid"},
    [CF_BLOCK_DAMPING] = {"damping", "s/m", 0, 1e12, 0, 1e9, 0, CF_SCALE_LINEAR,
                          "of the frame over the load"},
    [CF_BLOCK_MASS] = {"mass", "s^2/m", 0, 1e6, 0, 1e3, 0, CF_SCALE_LINEAR,
                       "of the block over the load; 0: it follows at once"},
    [CF_BLOCK_DRIFT] = {"drift", "1/m", -1e6, 1e6, -1e4, 1e4, 0, CF_SCALE_LINEAR,
                        "of friction with the slip since the record began"},
    [CF_BLOCK_START] = {"start", "s", -1e12, 1e12, -1e12, 1e12, NAN, CF_SCALE_LINEAR,
                        "when the record began, of which the rows are a part; else the first row"},
    [CF_BLOCK_SPEED] = {"speed_before", "m/s", -1e3, 1e3, -1e3, 1e3, NAN, CF_SCALE_LINEAR,
                        "of the load point before the first step"},
    [CF_BLOCK_STEP] = STEP(1),
    STEP(2),
    STEP(3),
    STEP(4),
    STEP(5),
    STEP(6),
    STEP(7),
    STEP(8),
    [CF_STEP_LEAST_ROWS] = {"least_rows", "1", 1, 1e9, 1, 1e9, 20, CF_SCALE_LINEAR,
                            "that a record has behind its last step"},
};

static int check_free(const struct cf_dataset *d, size_t parameter, struct cf_error *err)
{
    const char *name = d->protocol->apparatus[parameter].name;

    if (parameter == CF_STEP_LEAST_ROWS || parameter == CF_BLOCK_START)
        return cf_fail(err, CF_EINPUT, "%s is no number of the rig: state it under apparatus",
                       name);
    if (parameter == CF_BLOCK_STIFFNESS && !(d->apparatus[parameter] > 0))
        return cf_fail(err, CF_EINPUT,
                       "%s: a fit begins at a value above 0: state it under apparatus as well",
                       name);
    if (parameter >= CF_BLOCK_SPEED && isnan(d->apparatus[parameter]))
        return cf_fail(err, CF_EINPUT, "%s: state it under apparatus as well: a fit begins there",
                       name);
    return CF_OK;
}

static int check_law(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err)
{
    const struct cf_friction_law *friction = law->friction;
    bool force = d->series[CF_STEP_FORCE].value != NULL;

    if (!friction)
        return cf_fail(err, CF_EINPUT, "%s has no friction: a %s needs one, such as rate-state",
                       law->name, d->protocol->name);
    if (friction->impulse)
        return cf_fail(err, CF_EINPUT,
                       "friction %s is that of rigid contacts, without a force over time: fit "
                       "rate-state or bristle",
                       friction->name);
    if (cf_friction_check_load(friction, d->protocol->name, err))
        return CF_EINPUT;
    if ((friction->load_free || force) && !(d->apparatus[CF_BLOCK_LOAD] > 0))
        return cf_fail(err, CF_EINPUT, "%s needs the load (apparatus: {load: 10 kN})",
                       force ? "a force" : friction->name);
    return CF_OK;
}

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    (void) d;
    (void) row;
    return CF_STEP_TIME;
}

static double abscissa(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, CF_STEP_TIME);
}

/* Not what drives the rows: the speed of the load point is in the apparatus. */
static const size_t condition[] = {CF_STEP_LOAD_POINT};

/* Each step with what was before it, by the logarithm of its speeds; a hold has none. */
static size_t cut(const struct cf_dataset *d, struct cf_run run[], size_t room)
{
    const double *a = d->apparatus;
    size_t n = cf_step_count(a), row = 0;

    for (size_t i = 0; i < n && i < room; i++) {
        double before = fabs(a[cf_step_speed_of(i)]), behind = fabs(a[cf_step_speed_of(i + 1)]);
        size_t first = i > 0 ? run[i - 1].split : 0;
        while (row < d->nrow && !(cf_step_time(d, row) >= a[cf_step_time_of(i)]))
            row++;
        run[i] = (struct cf_run){.first = first, .split = row, .place = log(behind / before)};
        run[i].place = isfinite(run[i].place) ? run[i].place : (double) NAN;
        if (i > 0)
            run[i - 1].count = row - run[i - 1].first;
        run[i].count = d->nrow - first;
    }
    return n;
}

static const struct cf_axis step_axis = {
    "step", "1", true, -100, 100, "steps", "logarithm of the ratio of speeds", NULL, false};

#define OF_STEPS(channel) channel, CF_STEP_TIME, &step_axis, CF_NO_CHANNEL, cut
static const struct cf_run_number run_number[] = {
    {"direct_effect", "direct effect of a step", "1", OF_STEPS(CF_STEP_FRICTION), cf_find_jump},
    {"steady_change", "change of steady friction over a step", "1", OF_STEPS(CF_STEP_FRICTION),
     cf_find_change},
};

static const struct cf_trait trait[] = {
    {CF_STEP_LOAD_POINT, CF_GAIT_CONSTANT, -1, 0, "one speed"},
    {CF_STEP_LOAD_POINT, CF_GAIT_THERE, 0, -1, "no column of the load point's speed"},
    {CF_STEP_LOAD_POINT, CF_GAIT_LEVELS, 0.5, -1, "speeds in steps"},
};

const struct cf_protocol cf_protocol_velocity_step = {
    .name = "velocity_step",
    .what = "speed steps and holds of a load point that draws a block: friction over time",
    .nchannel = CF_STEP_NCHANNEL,
    .ntrait = sizeof trait / sizeof *trait,
    .trait = trait,
    .channel = channel,
    .axis = {"time", "s", true, -1e12, 1e12, "times", "time", "t", false},
    .axis_channel = CF_STEP_TIME,
    .headline = CF_STEP_FRICTION,
    .ncondition = sizeof condition / sizeof *condition,
    .condition = condition,
    .bodiless = true,
    .napparatus = CF_STEP_NAPPARATUS,
    .apparatus = apparatus,
    .begin_friction = "rate-state",
    .on_law =
        "# v_0 is a reference to which mu_0 belongs: take it out of fit, and state a speed of "
        "the\n"
        "# record; the slip law is the rival of the ageing law:\n"
        "# fixed: {v_0: 3 um/s}\n"
        "# rivals: [rate-state-slip]\n",
    .on_data = "    # How fast the load point was, where no column has it; the frame's stiffness "
               "over the load:\n"
               "    # apparatus: {speed_before: 3 um/s, step_1_time: 60 s, step_1_speed: 10 um/s, "
               "stiffness: 5000 1/m}\n"
               "    # nuisance: {stiffness: {}, step_1_time: {}, drift: {}}\n",
    .record = true,
    .whole = true,
    .few_minima = true,
    .clock = CF_STEP_TIME,
    .on_misfit =
        "look at what the rig leaves in the record, under nuisance: stiffness of the frame, "
        "step_1_time, drift of friction with slip; and compare rate-state with "
        "rate-state-slip, or with two states (rate-state-2)",
    .check_row = cf_step_check_row,
    .complete = cf_step_complete,
    .range = cf_step_range,
    .check_free = check_free,
    .check_law = check_law,
    .imposed = imposed,
    .abscissa = abscissa,
    .hand = cf_step_hand,
    .nsetting = CF_STEP_NSETTING,
    .setting = cf_step_setting,
    .nrun_number = sizeof run_number / sizeof *run_number,
    .run_number = run_number,
    .predict = cf_step_predict,
};
