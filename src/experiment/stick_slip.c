/* Stick-slip: a block held by a spring on a plate that moves on under it (Bowden and Leben 1939;
 * Gonthier 2007, 4.4). The equations are in plate.h.
 *
 * Over a whole record the time of each slip hangs on that of all before it, so that a comparison in
 * time finds the truth from few starts. So rows are cut into cycles, from trough to trough of the
 * spring's force; each is a run of its own from a block that turns after a long slip, whose
 * friction has forgotten what it was: only force and time of the trough are its own unknowns.
 */

#include <math.h>

#include "experiment/rows.h"
#include "experiment/run_number.h"
#include "experiment/slider.h"
#include "experiment/stick_slip_channels.h"

enum { OF_FRICTION = 1u << CF_FAMILY_NORMAL | 1u << CF_FAMILY_TANGENTIAL };

static const char *const since_names[] = {"time_since_trough", NULL};
static const char *const time_names[] = {"t elapsed_time timestamp stamp time_stamp", NULL};
static const char *const load_names[] = {
    "normal_force normal_load normal contact_load applied_load f_n f_z", NULL};
static const char *const force_names[] = {"pull spring spring_load tension", NULL};
static const char *const place_names[] = {"block_displacement spring_deflection", NULL};
static const char *const trough_names[] = {NULL};

static const struct cf_channel_row channel[CF_STICK_NCHANNEL] = {
    [CF_STICK_SINCE] = {"since_trough", "s", "time since the trough before", CF_ROLE_IMPOSED, -1e12,
                        1e12, 0, since_names, "time since trough", "t", false},
    [CF_STICK_TIME] = {"time", "s", "of the record", CF_ROLE_IMPOSED, -1e12, 1e12, 0, time_names,
                       "time", NULL, false},
    [CF_STICK_LOAD] = {"load", "N", "force between block and plate", CF_ROLE_IMPOSED, 1e-9, 1e9, 0,
                       load_names, "load", "f_n", false},
    [CF_STICK_TROUGH_AT] = {"trough_time", "s", "time of the trough before, by hand",
                            CF_ROLE_IMPOSED, -1e12, 1e12, 0, trough_names, "time of the trough",
                            NULL, false},
    [CF_STICK_TROUGH] = {"trough", "N", "force of the spring at the trough before, by hand",
                         CF_ROLE_IMPOSED, -1e9, 1e9, 0, trough_names, "force at the trough", NULL,
                         false},
    [CF_STICK_FORCE] = {"spring_force", "N",
                        "of the spring that holds the block, above 0 where the plate drags it",
                        CF_ROLE_MEASURED, -1e9, 1e9, OF_FRICTION, force_names, "spring force", "F",
                        true},
    [CF_STICK_PLACE] = {"displacement", "m", "of the block, from where the spring is slack",
                        CF_ROLE_MEASURED, -1e3, 1e3, OF_FRICTION, place_names, "displacement", "x",
                        false},
};

static const struct cf_param apparatus[CF_STICK_NAPPARATUS] = {
    {"load", "N", 0, 1e9, 1e-3, 1e6, 0, CF_SCALE_LINEAR,
     "force between block and plate, where no column has it"},
    {"mass", "kg", 0, 1e6, 1e-6, 1e3, 0, CF_SCALE_LOG, "of the block"},
    {"stiffness", "N/m", 0, 1e12, 1e-3, 1e9, 0, CF_SCALE_LOG, "of the spring that holds it"},
    {"damping", "N s/m", 0, 1e9, 0, 1e4, 0, CF_SCALE_LINEAR,
     "of the rig, beside the spring; its force is not in that of the spring"},
    {"plate_speed", "m/s", 0, 1e3, 1e-9, 10, 0, CF_SCALE_LOG, "mean speed of the plate"},
    {"ripple_rate", "Hz", 0, 1e6, 1e-3, 1e4, 0, CF_SCALE_LOG,
     "at which the plate's speed ripples, as a screw's turns; 0: it does not"},
    {"ripple_cosine", "1", -0.9, 0.9, -0.2, 0.2, 0, CF_SCALE_LINEAR,
     "part of the plate's speed that goes with the cosine of the ripple from time 0 on"},
    {"ripple_sine", "1", -0.9, 0.9, -0.2, 0.2, 0, CF_SCALE_LINEAR,
     "part of the plate's speed that goes with its sine"},
    {"hysteresis", "1", 0.01, 0.9, 0.01, 0.9, 0.25, CF_SCALE_LINEAR,
     "part of the force's range by which a trough and a peak lie apart at least"},
    {"drift", "1", 0, 10, 0, 10, 0.1, CF_SCALE_LINEAR,
     "part by which the rise of the last stick may differ from that of the first"},
    {"rows", "1", 3, 1e6, 3, 1e6, 20, CF_SCALE_LINEAR, "rows that a cycle has at least"},
};

static const struct cf_param start[CF_STICK_NSTART] = {
    [CF_STICK_TROUGH_TIME] = {"trough_time", "s", -1e3, 1e3, -1e3, 1e3, 0, CF_SCALE_LINEAR,
                              "time after that by hand at which the block turns"},
    [CF_STICK_TROUGH_FORCE] = {"trough_force", "N", -1e6, 1e6, -1e6, 1e6, 0, CF_SCALE_LINEAR,
                               "force of the spring there, above that by hand"},
};

/* ---- what may be asked */

static int check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                     struct cf_error *err)
{
    if (size)
        note[0] = '\0';
    if (!cf_dataset_has(d, row, CF_STICK_TIME))
        return cf_fail(err, CF_EINPUT, "no time: the rows of stick-slip have one each");
    return CF_OK;
}

static int check_law(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err)
{
    return cf_slider_check_law(d, law, CF_STICK_LOAD, CF_STICK_APPARATUS_LOAD, err);
}

static int check_free(const struct cf_dataset *d, size_t parameter, struct cf_error *err)
{
    const char *name = apparatus[parameter].name;

    if (parameter >= CF_STICK_HYSTERESIS)
        return cf_fail(err, CF_EINPUT,
                       "%s is a rule by which the record is read, and no number of the rig: state "
                       "it under apparatus",
                       name);
    if (parameter == CF_STICK_APPARATUS_LOAD && d->series[CF_STICK_LOAD].value)
        return cf_fail(err, CF_EINPUT, "load: a column has it, and it is not to be fitted beside");
    if ((parameter == CF_STICK_RIPPLE_COSINE || parameter == CF_STICK_RIPPLE_SINE) &&
        !(d->apparatus[CF_STICK_RIPPLE_RATE] > 0))
        return cf_fail(err, CF_EINPUT,
                       "%s: of which rate? State it, too (apparatus: {ripple_rate: 2 Hz})", name);
    if (apparatus[parameter].scale == CF_SCALE_LOG && !(d->apparatus[parameter] > 0))
        return cf_fail(err, CF_EINPUT,
                       "%s: a fit begins at a value above 0: state it under apparatus as well",
                       name);
    return CF_OK;
}

/* Numbers that are stated are sought within this factor; where a ripple's rate lies is seen to the
 * length of the record alone. */
static const double SOUGHT_FACTOR = 10, SOUGHT_DAMPING = 2;

static int range(const struct cf_dataset *d, size_t parameter, struct cf_param *row,
                 struct cf_error *err)
{
    const double *a = d->apparatus;
    double first = (double) NAN, last = (double) NAN;

    if (parameter == CF_STICK_DAMPING)
        row->fit_upper = SOUGHT_DAMPING * 2 * sqrt(a[CF_STICK_STIFFNESS] * a[CF_STICK_MASS]);
    if (row->scale != CF_SCALE_LOG || !(row->typical > 0))
        return CF_OK;
    row->fit_lower = row->typical / SOUGHT_FACTOR;
    row->fit_upper = row->typical * SOUGHT_FACTOR;
    if (parameter != CF_STICK_RIPPLE_RATE)
        return CF_OK;
    for (size_t i = 0; i < d->nrow; i++)
        if (cf_dataset_has(d, i, CF_STICK_TIME)) {
            first = isnan(first) ? cf_dataset_value(d, i, CF_STICK_TIME) : first;
            last = cf_dataset_value(d, i, CF_STICK_TIME);
        }
    if (last > first) {
        row->fit_lower = fmax(row->typical - 1 / (last - first), row->typical / SOUGHT_FACTOR);
        row->fit_upper = row->typical + 1 / (last - first);
    }
    (void) err;
    return CF_OK;
}

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    (void) d;
    (void) row;
    return CF_STICK_SINCE;
}

static double abscissa(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, CF_STICK_SINCE);
}

static const size_t condition[] = {CF_STICK_TROUGH_AT, CF_STICK_TROUGH, CF_STICK_LOAD};

/* The speed of the plate in each cycle. */
static size_t cut(const struct cf_dataset *d, struct cf_run run[], size_t room)
{
    size_t n = cf_runs_repeated(d, run, room);

    for (size_t i = 0; i < n && i < room; i++)
        run[i].place = d->apparatus[CF_STICK_SPEED];
    return n;
}

static const struct cf_axis speed_axis = {
    "speed", "m/s", false, 1e-9, 1e3, "speeds", "speed of the plate", "v", false};

#define OF_CYCLES CF_STICK_FORCE, CF_STICK_SINCE, &speed_axis, CF_STICK_SPEED, cut
static const struct cf_run_number run_number[] = {
    {"amplitude", "amplitude of the spring force, from trough to peak", "N", OF_CYCLES,
     cf_find_span},
    {"stick_time", "time from a trough to the slip", "s", OF_CYCLES, cf_find_fall},
};

static const struct cf_trait trait[] = {
    {CF_STICK_FORCE, CF_GAIT_SAWTOOTH, 0.6, -0.6, "a force that rises slowly and drops at once"},
};

const struct cf_protocol cf_protocol_stick_slip = {
    .name = "stick_slip",
    .what = "a block held by a spring on a moving plate: force of the spring over time",
    .nchannel = CF_STICK_NCHANNEL,
    .ntrait = sizeof trait / sizeof *trait,
    .trait = trait,
    .channel = channel,
    .axis = {"since_trough", "s", true, -1e12, 1e12, "times", "time since trough", "t", false},
    .axis_channel = CF_STICK_SINCE,
    .headline = CF_STICK_FORCE,
    .ncondition = sizeof condition / sizeof *condition,
    .condition = condition,
    .bodiless = true,
    .napparatus = CF_STICK_NAPPARATUS,
    .apparatus = apparatus,
    .nstart = CF_STICK_NSTART,
    .start = start,
    .begin_friction = "bristle",
    .on_law =
        "# Stick-slip identifies mu_s, mu_c, v_s and tau_dw, the last only where sticks are not "
        "much longer;\n"
        "# sigma_0 and sigma_1 come from a ramp and a tap beside it. Without those state "
        "them:\n"
        "# fixed: {sigma_0: 1e4 1/m, sigma_1: 30 s/m, sigma_2: 0 s/m}\n"
        "# rivals: [bristle-fixed, lugre, elasto-plastic]\n",
    .on_data = "    # Of the rig, such as {load: 10 N, mass: 1 kg, stiffness: 50 N/m, plate_speed: "
               "20 mm/s}:\n"
               "    apparatus: {load: FILL-IN, mass: FILL-IN, stiffness: FILL-IN, plate_speed: "
               "FILL-IN}\n"
               "    # A stiffness that is not known exactly:\n"
               "    # nuisance: {stiffness: {prior: {value: 50 N/m, sigma: 2 %}}}\n",
    .whole = true,
    .record = true,
    .few_minima = true,
    .clock = CF_STICK_TIME,
    .on_misfit = "look at what the rig leaves in the record, under nuisance: a plate whose speed "
                 "ripples (ripple_rate under apparatus, ripple_cosine and ripple_sine), damping of "
                 "its own, a zero that is off (spring_force.bias)",
    .check_row = check_row,
    .complete = cf_stick_complete,
    .range = range,
    .check_free = check_free,
    .check_law = check_law,
    .imposed = imposed,
    .abscissa = abscissa,
    .hand = cf_stick_hand,
    .start_sd = cf_stick_start_sd,
    .foresee = cf_stick_foresee,
    .nsetting = CF_STICK_NSETTING,
    .setting = cf_stick_setting,
    .nrun_number = sizeof run_number / sizeof *run_number,
    .run_number = run_number,
    .predict = cf_stick_predict,
};
