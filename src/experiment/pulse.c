/* Pulses: the force of impacts over time, as a sensor shows it.
 *
 *   force = drift time + shown(time since touch; approach speed)
 *
 * One body, of the pair's mass, meets the head of a force sensor at a known speed; what is shown is
 * that of pulse_motion.h: the law's force, felt by a rig that may give way and swing, seen by a
 * sensor that may be slow. What the sensor shows without a force is `force.bias`, how much of it
 * `force.gain`; when each impact touches is fitted along. The weight is left out: the force is
 * then many weights.
 *
 * The law's mass is the pair's, also where the head moves.
 */

#include <math.h>

#include "experiment/pulse_channels.h"
#include "experiment/rows.h"
#include "experiment/run_number.h"

static const char *const since_names[] = {"time_since_touch since_impact", NULL};
static const char *const time_names[] = {
    "t elapsed_time timestamp stamp time_stamp test_time",
    NULL,
};
static const char *const speed_names[] = {
    "v approach_speed impact_speed incident_speed incoming_speed collision_speed v_in v_i v_0",
    "v_imp v_approach",
    NULL,
};
static const char *const impact_names[] = {
    "pulse hit drop event shot run test trial no number impact_number",
    NULL,
};
static const char *const force_names[] = {
    "f load contact_force impact_force normal_force f_n f_z sensor load_cell",
    NULL,
};

static const struct cf_channel_row channel[CF_PULSE_NCHANNEL] = {
    [CF_PULSE_SINCE] = {"since_touch", "s", "time since touch", CF_ROLE_IMPOSED, -1e12, 1e12, 0,
                        since_names, "time since touch", "t", false},
    [CF_PULSE_TIME] = {"time", "s", "of the record", CF_ROLE_IMPOSED, -1e12, 1e12, 0, time_names,
                       "time", NULL, false},
    [CF_PULSE_SPEED] = {"speed", "m/s", "approach speed of the impact that the row belongs to",
                        CF_ROLE_IMPOSED, 1e-6, 1e4, 0, speed_names, "approach speed", "v", false},
    [CF_PULSE_IMPACT] = {"impact", "1", "number of the impact that the row belongs to",
                         CF_ROLE_IMPOSED, -1e12, 1e12, 0, impact_names, "impact", NULL, false},
    [CF_PULSE_FORCE] = {"force", "N", "as the sensor shows it, above 0 where it is pressed",
                        CF_ROLE_MEASURED, -1e12, 1e12, 1u << CF_FAMILY_NORMAL, force_names, "force",
                        "F", true},
};

/* ---- apparatus: what is 0 is not there. */

#define RULE(name, lower, upper, typical, what)                                                    \
    {                                                                                              \
        name, "1", lower, upper, lower, upper, typical, CF_SCALE_LINEAR, what                      \
    }

static const struct cf_param apparatus[CF_PULSE_NAPPARATUS] = {
    [CF_PULSE_STIFFNESS] = {"rig_stiffness", "N/m", 0, 1e15, 1e2, 1e12, 0, CF_SCALE_LOG,
                            "of what holds the sensor's head; 0: it does not move"},
    [CF_PULSE_HEAD] = {"rig_mass", "kg", 0, 1e6, 1e-6, 1e3, 0, CF_SCALE_LOG,
                       "of the head, which moves along"},
    [CF_PULSE_DAMPING] = {"rig_damping", "N s/m", 0, 1e12, 0, 1e6, 0, CF_SCALE_LINEAR,
                          "of what holds the head"},
    [CF_PULSE_BANDWIDTH] = {"force.bandwidth", "Hz", 0, 1e9, 1, 1e7, 0, CF_SCALE_LOG,
                            "up to which the sensor follows; 0: it follows at once"},
    [CF_PULSE_ORDER] = {"force.order", "1", 1, 2, 1, 2, 1, CF_SCALE_LINEAR,
                        "of the sensor's bandwidth: 1, or 2 as Butterworth"},
    [CF_PULSE_DRIFT] = {"drift", "N/s", -1e12, 1e12, -1e9, 1e9, 0, CF_SCALE_LINEAR,
                        "of what is shown without a force, from time 0 on"},
    [CF_PULSE_SPEED_GAIN] = {"speed_gain", "1", 0.1, 10, 0.5, 2, 1, CF_SCALE_LOG,
                             "true approach speeds over those read"},
    [CF_PULSE_RISE] =
        RULE("rise", 0, 1e6, 8, "force, in sds of its noise, from which on there is a contact"),
    [CF_PULSE_BASELINE] =
        RULE("baseline", 0, 1e6, 3, "readings before touch that an impact has at least"),
    [CF_PULSE_CONTACT_ROWS] =
        RULE("contact_rows", 0, 1e6, 8, "readings in contact that an impact has at least"),
    [CF_PULSE_PERIOD_ROWS] =
        RULE("period_rows", 0, 1e6, 2,
             "least readings in a period of the bandwidth for its lag to be identified"),
    [CF_PULSE_SHIFT] = RULE(
        "shift", 0, 1, 0.02,
        "part of the greatest force by which the level may change over an impact without a note"),
    [CF_PULSE_APART] =
        RULE("apart", 0, 1e6, 5,
             "least durations between two impacts that are separated by their force"),
};

static const struct cf_param start[CF_PULSE_NSTART] = {
    [CF_PULSE_TOUCH] = {"touch", "s", -1e3, 1e3, -1e3, 1e3, 0, CF_SCALE_LINEAR,
                        "time since touch by hand at which the impact touches"},
};

/* ---- what is asked of rows, laws and what is free */

static int check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                     struct cf_error *err)
{
    if (size)
        note[0] = '\0';
    if (!cf_dataset_has(d, row, CF_PULSE_TIME) && !cf_dataset_has(d, row, CF_PULSE_SINCE))
        return cf_fail(err, CF_EINPUT, "no time: a pulse is a force over it");
    if (!cf_dataset_has(d, row, CF_PULSE_SPEED))
        return cf_fail(err, CF_EINPUT,
                       "no speed: a row has the approach speed of the impact that it belongs to");
    if (cf_dataset_sigma(d, row, CF_PULSE_SPEED) > 0)
        return cf_fail(err, CF_EINPUT,
                       "sigma of speed: all rows of an impact share its error, and it would be "
                       "taken as one of each: leave it out, and free the speeds' gain, as "
                       "nuisance: {speed_gain: {prior: {value: 1, sigma: 1 %%}}}");
    return CF_OK;
}

static int check_law(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err)
{
    const struct cf_law *normal = cf_law_normal(law);

    if (!normal || normal->family != CF_FAMILY_NORMAL)
        return cf_fail(err, CF_EINPUT,
                       "%s has no force over time: azad-featherstone, linear or power have",
                       law->name);
    if (normal->recovery && d->apparatus[CF_PULSE_STIFFNESS] > 0)
        return cf_fail(err, CF_EINPUT,
                       "the surface of %s comes back slowly, which is not followed where the "
                       "sensor's head swings: rig_stiffness must be 0, or the law another one",
                       normal->name);
    if (d->apparatus[CF_PULSE_STIFFNESS] > 0 && !(d->apparatus[CF_PULSE_HEAD] > 0))
        return cf_fail(err, CF_EINPUT,
                       "rig_stiffness %g N/m: the head that it holds has a mass: give rig_mass "
                       "under apparatus",
                       d->apparatus[CF_PULSE_STIFFNESS]);
    return CF_OK;
}

static int check_free(const struct cf_dataset *d, size_t parameter, struct cf_error *err)
{
    const char *name = apparatus[parameter].name;

    if (parameter >= CF_PULSE_RISE)
        return cf_fail(err, CF_EINPUT,
                       "%s is a rule by which the record is read, and no number of the rig: state "
                       "it under apparatus",
                       name);
    if (parameter == CF_PULSE_ORDER)
        return cf_fail(err, CF_EINPUT, "%s is 1 or 2: state it under apparatus", name);
    if (apparatus[parameter].scale == CF_SCALE_LOG && !(d->apparatus[parameter] > 0))
        return cf_fail(err, CF_EINPUT,
                       "%s is 0, which stands for none: state under apparatus from where it is "
                       "sought",
                       name);
    if (parameter == CF_PULSE_DAMPING && !(d->apparatus[CF_PULSE_STIFFNESS] > 0))
        return cf_fail(err, CF_EINPUT, "%s: the rig does not move: state rig_stiffness, too", name);
    return CF_OK;
}

/* Numbers that are stated are sought within this factor; a drift, within what would sum up to the
 * spread of the record; damping, up to so much of what is critical. */
static const double SOUGHT_FACTOR = 100, SOUGHT_DAMPING = 2;

static int range(const struct cf_dataset *d, size_t parameter, struct cf_param *row,
                 struct cf_error *err)
{
    const double *a = d->apparatus;
    double low[2] = {(double) INFINITY, (double) INFINITY}, high[2] = {-low[0], -low[0]};

    if (row->scale == CF_SCALE_LOG && row->typical > 0 && parameter != CF_PULSE_SPEED_GAIN) {
        row->fit_lower = row->typical / SOUGHT_FACTOR;
        row->fit_upper = row->typical * SOUGHT_FACTOR;
    }
    if (parameter == CF_PULSE_DAMPING && a[CF_PULSE_STIFFNESS] > 0 && a[CF_PULSE_HEAD] > 0)
        row->fit_upper = fmax(SOUGHT_DAMPING * 2 * sqrt(a[CF_PULSE_STIFFNESS] * a[CF_PULSE_HEAD]),
                              SOUGHT_DAMPING * a[CF_PULSE_DAMPING]);
    if (parameter != CF_PULSE_DRIFT)
        return CF_OK;
    for (size_t i = 0; i < d->nrow; i++) {
        const double at[2] = {cf_dataset_value(d, i, CF_PULSE_SINCE),
                              cf_dataset_value(d, i, CF_PULSE_FORCE)};
        for (int k = 0; k < 2 && d->use[i] != CF_ROW_EXCLUDED; k++) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
    if (high[0] > low[0] && high[1] > low[1]) {
        row->fit_upper = (high[1] - low[1]) / (high[0] - low[0]);
        row->fit_lower = -row->fit_upper;
    }
    (void) err;
    return CF_OK;
}

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    (void) d;
    (void) row;
    return CF_PULSE_SINCE;
}

static double abscissa(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, CF_PULSE_SINCE);
}

static const size_t condition[] = {CF_PULSE_SPEED, CF_PULSE_IMPACT};

static size_t cut(const struct cf_dataset *d, struct cf_run run[], size_t room)
{
    return cf_runs_by_mean(d, CF_PULSE_SPEED, run, room);
}

static const struct cf_axis speed_axis = {"speed",          "m/s", false, 1e-6, 1e4, "speeds",
                                          "approach speed", "v",   false};

#define OF_IMPACTS CF_PULSE_FORCE, CF_PULSE_SINCE, &speed_axis, CF_NO_CHANNEL, cut
static const struct cf_run_number run_number[] = {
    {"peak_force", "peak force", "N", OF_IMPACTS, cf_find_peak},
    {"impulse", "impulse", "N s", OF_IMPACTS, cf_find_integral},
    {"duration", "duration at half of the peak force", "s", OF_IMPACTS, cf_find_width},
};

static const struct cf_trait trait[] = {
    {CF_PULSE_SPEED, CF_GAIT_LEVELS, 0.1, -0.5, "one speed for each impact"},
    {CF_PULSE_FORCE, CF_GAIT_ONE_SIGN, 0, CF_NEVER, "a force of one sign"},
    {CF_PULSE_FORCE, CF_GAIT_SPARSE, 0.6, -0.2, "a force in pulses"},
};

const struct cf_protocol cf_protocol_pulse = {
    .name = "pulse",
    .what = "force over time of one or more impacts",
    .nchannel = CF_PULSE_NCHANNEL,
    .ntrait = sizeof trait / sizeof *trait,
    .trait = trait,
    .channel = channel,
    .axis = {"since_touch", "s", true, -1e12, 1e12, "times", "time since touch", "t", false},
    .axis_channel = CF_PULSE_SINCE,
    .headline = CF_PULSE_FORCE,
    .ncondition = sizeof condition / sizeof *condition,
    .condition = condition,
    .napparatus = CF_PULSE_NAPPARATUS,
    .apparatus = apparatus,
    .nstart = CF_PULSE_NSTART,
    .start = start,
    .begin_with = "azad-featherstone",
    .on_data =
        "    # A row has the approach speed of the impact that it belongs to: a column of\n"
        "    # approach speeds, speed: {from: ...}, and its number, impact: {from: ...}\n"
        "    # What the sensor shows without a force; of a slow one, of a rig that gives way:\n"
        "    nuisance: {force.bias: {}}\n"
        "    # apparatus: {force.bandwidth: 20 kHz, rig_stiffness: 1e8 N/m, rig_mass: 50 g}\n",
    .whole = true,
    .record = true,
    .clock = CF_PULSE_TIME,
    .on_misfit = "look at what the rig leaves in the record, under nuisance: a level (force.bias) "
                 "that drifts (drift), a sensor that is slow (force.bandwidth), a head that swings "
                 "(rig_stiffness, rig_mass, rig_damping), speeds that are read wrongly "
                 "(speed_gain)",
    .check_row = check_row,
    .complete = cf_pulse_complete,
    .range = range,
    .check_free = check_free,
    .check_law = check_law,
    .imposed = imposed,
    .abscissa = abscissa,
    .depth = cf_pulse_depth,
    .hand = cf_pulse_hand,
    .nrun_number = sizeof run_number / sizeof *run_number,
    .run_number = run_number,
    .predict = cf_pulse_predict,
};
