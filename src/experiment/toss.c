/* Tosses: place and attitude of a cube that is thrown onto a floor, over time.
 *
 * Of each impact a window of a few rows is predicted, by one run of the motion (toss_motion.h): it
 * begins as the flight before it says (toss_flight.c), so that an impact that went astray costs a
 * window and not the toss. What the law does at corners follows: friction and restitution from how
 * velocity and spin change, stiffness hardly, which is flat with the floor's height.
 *
 * The cube is rigid, its corners are points or spheres, or a foundation presses on its whole volume
 * below the floor; air and table move nothing.
 */

#include <math.h>

#include "experiment/rows.h"
#include "experiment/run_number.h"
#include "experiment/toss_channels.h"
#include "law/friction.h"

static const char *const since_names[] = {"time_since_start", NULL};
static const char *const window_names[] = {"window_number", NULL};
static const char *const time_names[] = {"t elapsed_time timestamp stamp time_stamp", NULL};
static const char *const toss_names[] = {"throw trial run experiment test no toss_number", NULL};
static const char *const x_names[] = {"pos_x position_x p_x x_position", NULL};
static const char *const y_names[] = {"pos_y position_y p_y y_position", NULL};
static const char *const z_names[] = {"pos_z position_z p_z z_position height", NULL};
static const char *const qw_names[] = {"q_w quat_w quaternion_w q_0 q0", "orientation_w", NULL};
static const char *const qx_names[] = {"q_x quat_x quaternion_x q_1 q1", "orientation_x", NULL};
static const char *const qy_names[] = {"q_y quat_y quaternion_y q_2 q2", "orientation_y", NULL};
static const char *const qz_names[] = {"q_z quat_z quaternion_z q_3 q3", "orientation_z", NULL};

#define OF_FORCES (1u << CF_FAMILY_NORMAL | 1u << CF_FAMILY_FOUNDATION)
#define PLACE(name, guesses)                                                                       \
    {                                                                                              \
        name, "m", "of the centre", CF_ROLE_MEASURED, -1e3, 1e3, OF_FORCES, guesses,               \
            "place along " name, NULL, true                                                        \
    }
#define TURN(name, guesses, what)                                                                  \
    {                                                                                              \
        name, "1", what, CF_ROLE_MEASURED, -1.1, 1.1, OF_FORCES, guesses, "attitude, " name, NULL, \
            true                                                                                   \
    }

static const struct cf_channel_row channel[CF_TOSS_NCHANNEL] = {
    [CF_TOSS_SINCE] = {"since_start", "s", "since the flight before an impact", CF_ROLE_IMPOSED, 0,
                       1e6, 0, since_names, "time since the start", "t", false},
    [CF_TOSS_WINDOW] = {"window", "1", "number of the window that the row belongs to, from 1",
                        CF_ROLE_IMPOSED, 1, 1e9, 0, window_names, "window", NULL, false},
    [CF_TOSS_TIME] = {"time", "s", "of the record", CF_ROLE_IMPOSED, -1e12, 1e12, 0, time_names,
                      "time", NULL, false},
    [CF_TOSS_TOSS] = {"toss", "1", "number of the toss that the row belongs to", CF_ROLE_IMPOSED,
                      -1e12, 1e12, 0, toss_names, "toss", NULL, false},
    [CF_TOSS_X] = PLACE("x", x_names),
    [CF_TOSS_Y] = PLACE("y", y_names),
    [CF_TOSS_Z] = PLACE("z", z_names),
    [CF_TOSS_QW] = TURN("qw", qw_names, "scalar part of the attitude's unit quaternion"),
    [CF_TOSS_QX] = TURN("qx", qx_names, "vector part of the quaternion, along x"),
    [CF_TOSS_QY] = TURN("qy", qy_names, "vector part of the quaternion, along y"),
    [CF_TOSS_QZ] = TURN("qz", qz_names, "vector part of the quaternion, along z"),
};

/* ---- apparatus */

#define NUMBER(name, unit, lower, upper, fit_lower, fit_upper, usual, what)                        \
    {                                                                                              \
        name, unit, lower, upper, fit_lower, fit_upper, usual, CF_SCALE_LINEAR, what               \
    }
#define RULE(name, unit, lower, upper, usual, what)                                                \
    NUMBER(name, unit, lower, upper, lower, upper, usual, what)

static const struct cf_param apparatus[CF_TOSS_NAPPARATUS] = {
    [CF_TOSS_HALF_WIDTH] = NUMBER("half_width", "m", 0, 1e3, 0, 1e3, 0, "of the cube"),
    [CF_TOSS_MASS] = NUMBER("mass", "kg", 0, 1e6, 0, 1e6, 0, "of the cube"),
    [CF_TOSS_INERTIA] = NUMBER("inertia", "kg m^2", 0, 1e9, 0, 1e9, 0,
                               "of the cube about any axis through its centre"),
    [CF_TOSS_GRAVITY] = NUMBER("gravity", "m/s^2", 0, 1e3, 0, 1e3, 9.80665, "along -z"),
    [CF_TOSS_CORNER] = NUMBER("corner_radius", "m", 0, 1e3, 0, 1e3, 0,
                              "by which edges and corners are rounded; 0: corners are points"),
    [CF_TOSS_HEIGHT] =
        NUMBER("floor_height", "m", -1e3, 1e3, -0.05, 0.05, 0, "z of the floor where x = y = 0"),
    [CF_TOSS_SLOPE_X] =
        NUMBER("floor_slope_x", "1", -1, 1, -0.1, 0.1, 0, "by which the floor rises along x"),
    [CF_TOSS_SLOPE_Y] =
        NUMBER("floor_slope_y", "1", -1, 1, -0.1, 0.1, 0, "by which the floor rises along y"),
    [CF_TOSS_JUMP] = RULE("jump", "m/s", 0, 1e3, 0.1,
                          "change of velocity beside gravity's from row to row that an impact has"),
    [CF_TOSS_QUIET] = RULE("quiet", "m/s", 0, 1e3, 0.08, "change that a free flight has at most"),
    [CF_TOSS_FLIGHT_ROWS] =
        RULE("flight_rows", "1", 3, 64, 3, "rows of free flight before a window at least"),
    [CF_TOSS_FLIGHT_MOST] =
        RULE("flight_most", "1", 3, 64, 6,
             "rows of free flight that give the state at the start of a window"),
    [CF_TOSS_ROWS] = RULE("rows", "1", 1, 1e6, 6, "rows of a window behind its start"),
    [CF_TOSS_ROWS_LEAST] =
        RULE("rows_least", "1", 1, 1e6, 4, "rows that a window has behind its start at least"),
    [CF_TOSS_SUPPORT] = RULE("support", "1", 0, 1, 0.5,
                             "share of the weight that may be carried in what counts as a flight"),
    [CF_TOSS_WHOLE] = RULE("whole", "1", 0, 1, 0,
                           "1: one window for each toss, from before its first impact to its end"),
    [CF_TOSS_AGREE_PLACE] = RULE("agree_place", "m", 0, 1e3, 0.01,
                                 "distance within which a prediction of a toss agrees"),
    [CF_TOSS_AGREE_ANGLE] =
        RULE("agree_angle", "rad", 0, 10, 0.2, "angle within which a prediction of a toss agrees"),
};

/* ---- what is asked of rows, laws and what is free */

/* A quaternion that is written with four digits is of unit length within this. */
static const double UNIT = 1e-3;

static int check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                     struct cf_error *err)
{
    double square = 0;

    if (size)
        note[0] = '\0';
    for (size_t c = CF_TOSS_TIME; c < CF_TOSS_NCHANNEL; c++)
        if (!cf_dataset_has(d, row, c))
            return cf_fail(err, CF_EINPUT,
                           "no %s: a row of a toss has time, toss, x, y, z and the quaternion qw, "
                           "qx, qy, qz",
                           channel[c].name);
    for (size_t c = CF_TOSS_QW; c <= CF_TOSS_QZ; c++)
        square += cf_dataset_value(d, row, c) * cf_dataset_value(d, row, c);
    if (!(fabs(sqrt(square) - 1) < UNIT))
        return cf_fail(err, CF_EINPUT,
                       "the quaternion (qw, qx, qy, qz) = (%g, %g, %g, %g) has the length %.6g: an "
                       "attitude is one of unit length, to %g; is its order w, x, y, z?",
                       cf_dataset_value(d, row, CF_TOSS_QW), cf_dataset_value(d, row, CF_TOSS_QX),
                       cf_dataset_value(d, row, CF_TOSS_QY), cf_dataset_value(d, row, CF_TOSS_QZ),
                       sqrt(square), UNIT);
    return CF_OK;
}

static int check_law(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err)
{
    static const size_t needed[] = {CF_TOSS_HALF_WIDTH, CF_TOSS_MASS, CF_TOSS_INERTIA};
    const struct cf_law *normal = cf_law_normal(law);
    bool volume = law->family == CF_FAMILY_FOUNDATION;

    if (!normal || (normal->family != CF_FAMILY_NORMAL && !volume))
        return cf_fail(err, CF_EINPUT,
                       "%s has no force over time: hunt-crossley-e, gonthier or linear have",
                       law->name);
    if (law->friction && law->friction->impulse)
        return cf_fail(err, CF_EINPUT,
                       "friction %s is of rigid impacts, and has no force over time: coulomb has",
                       law->friction->name);
    if (volume && law->friction && !law->friction->over_area)
        return cf_fail(err, CF_EINPUT,
                       "friction %s has no form over a volume: bristle, coulomb and viscous-load "
                       "have",
                       law->friction->name);
    if (volume && d->apparatus[CF_TOSS_CORNER] > 0)
        return cf_fail(err, CF_EINPUT,
                       "corner_radius %g m: %s presses on the volume of a cube with sharp edges: "
                       "leave it out",
                       d->apparatus[CF_TOSS_CORNER], normal->name);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!(d->apparatus[needed[i]] > 0))
            return cf_fail(err, CF_EINPUT, "%s is missing: state it under apparatus",
                           apparatus[needed[i]].name);
    if (!(d->apparatus[CF_TOSS_CORNER] < d->apparatus[CF_TOSS_HALF_WIDTH]))
        return cf_fail(err, CF_EINPUT, "corner_radius %g m: it is less than half_width, %g m",
                       d->apparatus[CF_TOSS_CORNER], d->apparatus[CF_TOSS_HALF_WIDTH]);
    return CF_OK;
}

static int check_free(const struct cf_dataset *d, size_t parameter, struct cf_error *err)
{
    (void) d;
    if (parameter >= CF_TOSS_HEIGHT && parameter < CF_TOSS_JUMP)
        return CF_OK;
    return cf_fail(err, CF_EINPUT,
                   "%s is not fitted, floor_height and the floor's slopes are: "
                   "state it under apparatus",
                   apparatus[parameter].name);
}

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    (void) d;
    (void) row;
    return CF_TOSS_SINCE;
}

static double abscissa(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, CF_TOSS_SINCE);
}

static const size_t condition[] = {CF_TOSS_WINDOW, CF_TOSS_TOSS};

/* Places alone are those of any body. */
static const size_t needed[] = {CF_TOSS_QW, CF_TOSS_QX, CF_TOSS_QY, CF_TOSS_QZ};

#define END_OF_WINDOW(name, channel)                                                               \
    {                                                                                              \
        "end_" name, name " at the end of a window", "m", channel, CF_TOSS_SINCE, NULL,            \
            CF_NO_CHANNEL, cf_runs_repeated, cf_find_last                                          \
    }

static const struct cf_run_number run_number[] = {
    END_OF_WINDOW("z", CF_TOSS_Z),
    END_OF_WINDOW("x", CF_TOSS_X),
    END_OF_WINDOW("y", CF_TOSS_Y),
};

static const struct cf_trait trait[] = {
    {CF_TOSS_Z, CF_GAIT_FALLS, 0.5, 0, "parabolas, as of free flight"},
};

const struct cf_protocol cf_protocol_toss = {
    .name = "toss",
    .what = "a cube tossed onto a floor: place and attitude over time",
    .nchannel = CF_TOSS_NCHANNEL,
    .ntrait = sizeof trait / sizeof *trait,
    .trait = trait,
    .channel = channel,
    .axis = {"since_start", "s", true, 0, 1e6, "times", "time since the start", "t", false},
    .axis_channel = CF_TOSS_SINCE,
    .headline = CF_TOSS_Z,
    .cluster = CF_TOSS_TOSS,
    .ncondition = sizeof condition / sizeof *condition,
    .condition = condition,
    .nneeded = sizeof needed / sizeof *needed,
    .needed = needed,
    .bodiless = true,
    .napparatus = CF_TOSS_NAPPARATUS,
    .apparatus = apparatus,
    .gravity = CF_TOSS_GRAVITY,
    .flat_parameter = "k",
    .on_flat = "k is flat with the floor's height: a softer floor that lies higher moves the cube "
               "alike; hold k (fixed: {k: }), or measure the height by itself",
    .begin_with = "gonthier",
    .begin_friction = "coulomb",
    .on_data = "    # The cube, such as {half_width: 50 mm, mass: 0.4 kg, inertia: 7e-4 kg m^2}:\n"
               "    apparatus: {half_width: FILL-IN, mass: FILL-IN, inertia: FILL-IN}\n"
               "    # How high the floor lies; gravity points along -z:\n"
               "    nuisance: {floor_height: {prior: {value: 0 mm, sigma: 1 mm}}}\n",
    .windows = 4,
    .record = true,
    .whole = true,
    .few_minima = true,
    .clock = CF_NO_CHANNEL,
    .on_misfit = "corners that are rounded meet the floor later than points (apparatus: "
                 "{corner_radius: }, for a law that presses by depth); look at the floor, under "
                 "nuisance: floor_height, floor_slope_x, floor_slope_y",
    .check_row = check_row,
    .complete = cf_toss_complete,
    .check_free = check_free,
    .check_law = check_law,
    .imposed = imposed,
    .abscissa = abscissa,
    .hand = cf_toss_hand,
    .account = cf_toss_account,
    .open = cf_toss_open,
    .close = cf_toss_close,
    .nrun_number = sizeof run_number / sizeof *run_number,
    .run_number = run_number,
    .predict = cf_toss_predict,
};
