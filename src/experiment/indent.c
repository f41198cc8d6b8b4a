/* Slow indentation: the force on a probe that is pressed into a body and drawn back, against depth.
 *
 *   force = bias + slope (depth - contact) + F(depth - contact, rate)       before and in contact
 *
 * F is that of the law at depth and depth rate, of a foundation over the volume that the probe has
 * at the depth (indent_probe.h), of attraction and of the drag of what the probe moves in, by a rig
 * that gives way (indent_force.c). Bias and slope of the sensor differ between
 * loading and unloading. The depth is that of the drive, from any zero: `contact` is where it
 * touches.
 *
 * A data set is one loading, one unloading, or both, at one or several rates. Inertia is left out,
 * so laws that ask for a mass or for the speed of an impact have no meaning here.
 */

#include <gsl/gsl_math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/indent_channels.h"
#include "experiment/rows.h"
#include "experiment/run_number.h"

static const char *const depth_names[] = {
    "z h d x delta indentation displacement penetration position travel indentation_depth",
    "penetration_depth piezo z_piezo piezo_position piezo_displacement probe_position",
    "probe_displacement stage_position crosshead crosshead_displacement crosshead_position",
    "extension compression deformation displacement_into_surface",
    "distance",
    NULL,
};
static const char *const time_names[] = {
    "t elapsed_time test_time time_on_sample",
    NULL,
};
static const char *const rate_names[] = {
    "depth_rate indentation_rate zdot",
    NULL,
};
static const char *const direction_names[] = {
    "branch segment stroke",
    NULL,
};
static const char *const force_names[] = {
    "f load p normal_force f_n f_z reaction_force contact_force applied_force",
    "indentation_force probe_force load_on_sample",
    NULL,
};

static const struct cf_channel_row channel[CF_INDENT_NCHANNEL] = {
    [CF_INDENT_DEPTH] = {"depth", "m", "travel of the probe's drive", CF_ROLE_IMPOSED, -10, 10, 0,
                         depth_names, "depth", "z", false},
    [CF_INDENT_TIME] = {"time", "s", "from which rates follow", CF_ROLE_IMPOSED, -1e12, 1e12, 0,
                        time_names, "time", "t", false},
    [CF_INDENT_RATE] = {"rate", "m/s", "rate of the depth, below 0 where the probe is drawn back",
                        CF_ROLE_IMPOSED, -100, 100, 0, rate_names, "depth rate", "w", false},
    [CF_INDENT_DIRECTION] = {"direction", "1", "1 of a row that loads, -1 of one that unloads",
                             CF_ROLE_IMPOSED, -1, 1, 0, direction_names, "direction", NULL, false},
    [CF_INDENT_FORCE] = {"force", "N", "on the probe, above 0 where it is pressed back",
                         CF_ROLE_MEASURED, -1e9, 1e9,
                         1u << CF_FAMILY_NORMAL | 1u << CF_FAMILY_FOUNDATION, force_names, "force",
                         "F", true},
};

static int check_free(const struct cf_dataset *d, size_t parameter, struct cf_error *err)
{
    if (parameter >= CF_INDENT_ONSET)
        return cf_fail(err, CF_EINPUT,
                       "%s is a rule by which the record is read, and no number of the rig: state "
                       "it under apparatus",
                       cf_indent_apparatus[parameter].name);
    if (parameter >= CF_INDENT_TILT_TOWARDS)
        return cf_fail(err, CF_EINPUT,
                       "%s is measured on the probe, and kv goes with it: state it under apparatus",
                       cf_indent_apparatus[parameter].name);
    if (parameter == CF_INDENT_TILT) {
        struct cf_indent_probe probe;
        double a[CF_INDENT_NAPPARATUS];
        memcpy(a, d->apparatus, sizeof a);
        a[parameter] = cf_indent_apparatus[parameter].fit_upper;
        return cf_indent_probe(a, d->press, &probe, err);
    }
    if ((parameter == CF_INDENT_ADHESION || parameter == CF_INDENT_ADHESION_RANGE) &&
        !(d->apparatus[CF_INDENT_ADHESION_RANGE] > 0))
        return cf_fail(err, CF_EINPUT,
                       "%s: the attraction must fall off over some distance before contact, for a "
                       "step has no derivative: state it, as apparatus: {adhesion_range: 1 um}",
                       cf_indent_apparatus[parameter].name);
    return CF_OK;
}

/* ---- laws that an indentation can predict */

/* Does the law's force, in the middle of its ranges, depend on what only an impact has? */
static bool asks_for_impact(const struct cf_law *law, bool *mass)
{
    const struct cf_contact c = {.depth_m = 1e-4,
                                 .rate_m_s = 1e-3,
                                 .approach_m_s = 1,
                                 .mass_kg = 1,
                                 .radius_m = 1e-2,
                                 .volume_m3 = 1e-9};
    double p[CF_MAX_PARAM];
    struct cf_force_slope s;

    for (size_t i = 0; i < law->nparam; i++)
        p[i] = law->param[i].typical;
    law->slope(law, p, &c, &s);
    *mass = s.by_mass != 0;
    return s.by_mass != 0 || s.by_approach != 0;
}

static int check_law(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err)
{
    bool mass = false, volume = cf_indent_has_volume(law);

    if (law->family != CF_FAMILY_NORMAL && !volume)
        return cf_fail(err, CF_EINPUT,
                       "%s predicts no force over depth: azad-featherstone, linear or power do",
                       law->name);
    if (volume) {
        struct cf_indent_probe probe;
        int status = cf_indent_probe(d->apparatus, d->press, &probe, err);
        if (status || !cf_indent_is_stated(&probe))
            return status ? status
                          : cf_fail(err, CF_EINPUT,
                                    "%s is a force over the volume of the probe that is pressed "
                                    "in: state its shape, as apparatus: {sphere_radius: 5 mm}",
                                    law->name);
    }
    if (law->recovery || law->nstate)
        return cf_fail(err, CF_EINPUT,
                       "%s has a force that depends on earlier loading, and an indentation is "
                       "predicted from depth and rate alone: fit azad-featherstone or power",
                       law->name);
    if (asks_for_impact(law, &mass))
        return cf_fail(err, CF_EINPUT,
                       "the damping of %s depends on the %s, which an indentation does not have: "
                       "fit %s",
                       law->name, mass ? "mass that moves" : "speed at impact",
                       volume ? "winkler" : "azad-featherstone, hunt-crossley or power");
    return CF_OK;
}

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    (void) d;
    (void) row;
    return CF_INDENT_DEPTH;
}

static double depth(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, CF_INDENT_DEPTH);
}

/* One of a record: half of what it presses in by hand. */
static int pressed(const struct cf_dataset *d, size_t row, double *depth_m, bool *measured,
                   struct cf_error *err)
{
    struct cf_indent_contact c = {.n = 0};
    int status = row > 0 ? CF_OK : cf_indent_find_contact(d, &c, err);

    *measured = false;
    *depth_m = c.deepest_m > c.contact_m ? (c.deepest_m - c.contact_m) / 2 : (double) NAN;
    return status;
}

/* ---- prediction */

/* The sensor without contact, slope * way: of the way in contact a part counts. */
struct baseline {
    double slope, way, by_travel, by_part;
};

static struct baseline baseline(const double a[], enum cf_indent_branch branch, double travel)
{
    double part = a[CF_INDENT_SLOPE_IN_CONTACT];
    struct baseline b = {.slope = a[CF_INDENT_SLOPE + branch], .way = travel};

    b.by_travel = b.slope;
    if (travel > 0) {
        b.way = part * travel;
        b.by_travel = part * b.slope;
        b.by_part = b.slope * travel;
    }
    return b;
}

static double by_apparatus(const struct cf_indent_force *at, enum cf_indent_branch branch,
                           const struct baseline *b, size_t parameter)
{
    if (parameter == CF_INDENT_CONTACT)
        return -at->by_travel - b->by_travel;
    if (parameter == CF_INDENT_BIAS + (size_t) branch)
        return 1;
    if (parameter == CF_INDENT_SLOPE + (size_t) branch)
        return b->way;
    if (parameter == CF_INDENT_SLOPE_IN_CONTACT)
        return b->by_part;
    return at->by_apparatus[parameter];
}

static bool wants(const struct cf_request *q, size_t parameter)
{
    for (size_t k = 0; k < q->nby; k++)
        if (q->by[k] == cf_apparatus_value(q->law, parameter))
            return true;
    return false;
}

static int predict(void *work, const struct cf_request *q, struct cf_response *out,
                   struct cf_error *err)
{
    const double *a = q->value + cf_apparatus_value(q->law, 0);
    struct cf_indent_probe probe;
    enum cf_indent_wanted wanted = wants(q, CF_INDENT_COMPLIANCE)     ? CF_INDENT_SLOPES_OF_RIG
                                   : out->by_value || out->by_imposed ? CF_INDENT_SLOPES
                                                                      : CF_INDENT_VALUE;

    (void) work;
    if (cf_indent_probe(a, q->data->press, &probe, err))
        return CF_EINPUT;
    if ((a[CF_INDENT_ADHESION] != 0 || wants(q, CF_INDENT_ADHESION)) &&
        !(a[CF_INDENT_ADHESION_RANGE] > 0))
        return cf_fail(err, CF_EINPUT,
                       "adhesion needs the distance over which it falls off before contact: a "
                       "step there has no derivative (apparatus: {adhesion_range: 1 um})");
    for (size_t i = 0; i < q->nrow; i++) {
        size_t row = q->row[i];
        enum cf_indent_branch stroke = cf_indent_branch(q->data, row);
        double travel = depth(q->data, row) - a[CF_INDENT_CONTACT];
        double rate = cf_indent_rate(q->data, row);
        struct baseline b = baseline(a, stroke, travel);
        struct cf_indent_force at;
        cf_indent_force(q->law, q->value, &probe, a, travel, rate, wanted, &at);
        if (probe.status)
            return probe.status;
        out->y[i] = at.force_N + a[CF_INDENT_BIAS + stroke] + b.slope * b.way;
        if (out->by_imposed)
            out->by_imposed[i] = at.by_travel + b.by_travel;
        for (size_t k = 0; out->by_value && k < q->nby; k++)
            out->by_value[i * q->nby + k] =
                q->by[k] < q->law->nparam
                    ? at.by_param[q->by[k]]
                    : by_apparatus(&at, stroke, &b, q->by[k] - q->law->nparam);
    }
    return CF_OK;
}

static const char *const branch_name[] = {
    [CF_INDENT_LOADING] = "loading", [CF_INDENT_UNLOADING] = "unloading"};

static size_t branch(const struct cf_dataset *d, size_t row)
{
    return cf_indent_branch(d, row);
}

static const size_t condition[] = {CF_INDENT_RATE, CF_INDENT_DIRECTION, CF_INDENT_TIME};

static const struct cf_assumption slope_goes_on = {
    .parameter = CF_INDENT_SLOPE_IN_CONTACT,
    .is = 1,
    .otherwise = 0,
    .first = CF_INDENT_SLOPE,
    .last = CF_INDENT_SLOPE_END,
    .name = "slope_in_contact",
    .that = "the slope of the baseline goes on in contact",
    .if_not = "it ended at touch",
};

/* Strokes in and out, each to its deepest place; one stroke alone encloses nothing. */
static size_t cut(const struct cf_dataset *d, struct cf_run run[], size_t room)
{
    size_t n = cf_runs_repeated(d, run, room);

    for (size_t i = 0; i < n && i < room; i++) {
        bool stroke[CF_INDENT_NBRANCH] = {false};
        run[i].place = 0;
        for (size_t row = run[i].first; row < run[i].first + run[i].count; row++) {
            if (d->use[row] != CF_ROW_FIT)
                continue;
            stroke[cf_indent_branch(d, row)] = true;
            run[i].place = fmax(run[i].place, depth(d, row));
        }
        if (!stroke[CF_INDENT_LOADING] || !stroke[CF_INDENT_UNLOADING])
            run[i].place = (double) NAN;
    }
    return n;
}

static const struct cf_axis depth_axis = {"depth",         "m", true, -10, 10, "depths",
                                          "deepest depth", "z", false};

#define OF_STROKES CF_INDENT_FORCE, CF_INDENT_DEPTH, &depth_axis, CF_NO_CHANNEL, cut
static const struct cf_run_number run_number[] = {
    {"work_lost", "work lost between loading and unloading", "J", OF_STROKES, cf_find_area},
    {"peak_force", "peak force", "N", OF_STROKES, cf_find_peak},
};

static const struct cf_trait trait[] = {
    {CF_INDENT_FORCE, CF_GAIT_CONSTANT, CF_NEVER, 0, "a force that does not change"},
    {CF_INDENT_DEPTH, CF_GAIT_CONSTANT, CF_NEVER, 0, "a depth that does not change"},
    {CF_INDENT_DEPTH, CF_GAIT_RETURNS, 0.4, -0.2, "a depth that returns"},
    {CF_INDENT_FORCE, CF_GAIT_ONE_SIGN, 0.2, -0.4, "a force of one sign"},
};

const struct cf_protocol cf_protocol_indent = {
    .name = "indent",
    .what = "slow indentation: force over depth, loading and unloading",
    .nchannel = CF_INDENT_NCHANNEL,
    .ntrait = sizeof trait / sizeof *trait,
    .trait = trait,
    .channel = channel,
    .axis = {"depth", "m", true, -10, 10, "depths", "depth", "z", false},
    .axis_channel = CF_INDENT_DEPTH,
    .headline = CF_INDENT_FORCE,
    .ncondition = sizeof condition / sizeof *condition,
    .condition = condition,
    .bodiless = true,
    .napparatus = CF_INDENT_NAPPARATUS,
    .presses = true,
    .apparatus = cf_indent_apparatus,
    .assumption = &slope_goes_on,
    .begin_with = "azad-featherstone",
    .on_data =
        "    # Where the probe touches, and what the sensor shows without contact:\n"
        "    nuisance: {contact: {}, bias_loading: {}, bias_unloading: {}}\n"
        "    # and of gels in a bath or a sensor that drifts, where the record identifies them:\n"
        "    # slope_loading: {}, slope_unloading: {}, drag: {}\n"
        "    # Of a foundation, over the volume of the probe (foundation: winkler): apparatus: "
        "{sphere_radius: 5 mm}\n"
        "    # A cantilever or frame that gives way in series: apparatus: {compliance: 0.1 "
        "mm/N}\n",
    .record = true,
    .clock = CF_INDENT_TIME,
    .on_misfit = "look at what the rig leaves in the record, under nuisance: a baseline that tilts "
                 "(slope_loading, slope_unloading) or shifts with speed (drag), a frame that gives "
                 "way (compliance), attraction (adhesion); where damping itself changes with the "
                 "rate, fit each rate alone and compare",
    .check_row = cf_indent_check_row,
    .check_law = check_law,
    .check_free = check_free,
    .complete = cf_indent_complete,
    .range = cf_indent_range,
    .nbranch = CF_INDENT_NBRANCH,
    .branch_name = branch_name,
    .branch = branch,
    .imposed = imposed,
    .abscissa = depth,
    .depth = pressed,
    .hand = cf_indent_hand,
    .nrun_number = sizeof run_number / sizeof *run_number,
    .run_number = run_number,
    .predict = predict,
};
