/* The apparatus of an indentation: what is 0 is not there. The last are the rules by which a record
 * is read. */

#include <gsl/gsl_math.h>

#include "experiment/indent_channels.h"

#define OF_BRANCH(name, unit, most, what)                                                          \
    {                                                                                              \
        name, unit, -(most), most, -(most), most, 0, CF_SCALE_LINEAR, what                         \
    }

#define OF_PROBE(name, what)                                                                       \
    {                                                                                              \
        name, "m", 0, 1e6, 0, 1e6, 0, CF_SCALE_LINEAR, what                                        \
    }

const struct cf_param cf_indent_apparatus[CF_INDENT_NAPPARATUS] = {
    [CF_INDENT_CONTACT] = {"contact", "m", -10, 10, -10, 10, 0, CF_SCALE_LINEAR,
                           "depth as read at which the probe touches"},
    [CF_INDENT_BIAS] = OF_BRANCH("bias_loading", "N", 1e9, "force as read at touch, of loading"),
    [CF_INDENT_BIAS_END] =
        OF_BRANCH("bias_unloading", "N", 1e9, "force as read at touch, of unloading"),
    [CF_INDENT_SLOPE] =
        OF_BRANCH("slope_loading", "N/m", 1e9, "force as read over depth without contact"),
    [CF_INDENT_SLOPE_END] =
        OF_BRANCH("slope_unloading", "N/m", 1e9, "force as read over depth without contact"),
    [CF_INDENT_SLOPE_IN_CONTACT] = {"slope_in_contact", "1", -10, 10, -1, 2, 1, CF_SCALE_LINEAR,
                                    "part of these slopes that goes on in contact; 0: they end "
                                    "at touch"},
    [CF_INDENT_DRAG] = {"drag", "N s/m", 0, 1e9, 0, 1e6, 0, CF_SCALE_LINEAR,
                        "drag of what the probe moves in, over its rate"},
    [CF_INDENT_ADHESION] = {"adhesion", "N", 0, 1e9, 0, 1e6, 0, CF_SCALE_LINEAR,
                            "attraction in contact"},
    [CF_INDENT_ADHESION_RANGE] = {"adhesion_range", "m", 0, 1, 0, 1e-2, 0, CF_SCALE_LINEAR,
                                  "distance over which attraction falls off before contact"},
    [CF_INDENT_COMPLIANCE] =
        {"compliance", "m/N", 0, 1e9, 0, 1e3, 0, CF_SCALE_LINEAR,
         "of the rig in series: the depth is the drive's less this much force"},
    [CF_INDENT_TILT] = {"tilt", "rad", 0, M_PI_2, 0, 0.2, 0, CF_SCALE_LINEAR,
                        "of the probe's axis against the direction of the press"},
    [CF_INDENT_TILT_TOWARDS] = {"tilt_towards", "rad", -M_PI, M_PI, -M_PI, M_PI, 0, CF_SCALE_LINEAR,
                                "of a box: to which side, from its length on"},
    [CF_INDENT_SPHERE_RADIUS] = OF_PROBE("sphere_radius", "of a probe that is a sphere"),
    [CF_INDENT_CYLINDER_RADIUS] = OF_PROBE("cylinder_radius", "of a punch"),
    [CF_INDENT_CYLINDER_LENGTH] = OF_PROBE("cylinder_length", "of a punch"),
    [CF_INDENT_CONE_RADIUS] = OF_PROBE("cone_radius", "of the base of a cone"),
    [CF_INDENT_CONE_ANGLE] = {"cone_half_angle", "rad", 0, M_PI_2 - 1e-6, 0, M_PI_2 - 1e-6, 0,
                              CF_SCALE_LINEAR, "of a cone, between its axis and its side"},
    [CF_INDENT_BOX_LENGTH] = OF_PROBE("box_length", "of a box, across the press"),
    [CF_INDENT_BOX_WIDTH] = OF_PROBE("box_width", "of a box, across the press"),
    [CF_INDENT_BOX_HEIGHT] = OF_PROBE("box_height", "of a box, along the press"),
    [CF_INDENT_ONSET] = {"onset", "m", 0, 1, 0, 1, 0, CF_SCALE_LINEAR,
                         "depth to both sides of touch over which contact sets in; 0: as far as "
                         "rows lie apart"},
    [CF_INDENT_RATE_ROWS] = {"rate_rows", "1", 3, 10001, 3, 10001, 11, CF_SCALE_LINEAR,
                             "rows about each through which a line in time gives its rate"},
    [CF_INDENT_REVERSAL] = {"reversal", "1", 0, 1, 0, 1, 0.02, CF_SCALE_LINEAR,
                            "part of the record's depth that may be run backwards"},
    [CF_INDENT_RISE] = {"rise", "1", 0, 1e6, 0, 1e6, 5, CF_SCALE_LINEAR,
                        "force at the greatest depth, in sds of its noise, from which on there is "
                        "a contact"},
    [CF_INDENT_BASELINE] = {"baseline", "1", 0, 1e6, 0, 1e6, 3, CF_SCALE_LINEAR,
                            "rows without contact that a record has at least"},
};
