/* Scenes as experiments: a scene, the sensors that look at it, and its numbers that a study states
 * or frees. The general protocol `log` is made of them for one data set; the named protocols of
 * traces lay out a scene of their own.
 *
 * A made protocol has one imposed channel, the time, and a measured one for each sensor. Its
 * apparatus are the numbers of the scene by their paths, then `start`, then for each sensor its
 * delay, bandwidth and order, then the cutoff of each recorded motion that is smoothed. `start` is
 * the time at which the scene begins, counted from the beginning of each segment where there are
 * such.
 */

#ifndef CF_EXPERIMENT_RIG_H
#define CF_EXPERIMENT_RIG_H

#include "experiment/protocol.h"
#include "experiment/sensor.h"
#include "motion/scene_path.h"

/* What a sensor looks at, under its name in the scene's trace. */
struct cf_rig_channel {
    const char *name, *unit; /* "ball_z_m", "m" */
    const char *what;        /* "position of ball along z" */
    struct cf_motion_channel channel;
};

/* A number of the scene, under its path. */
struct cf_rig_path {
    const char *name; /* "bodies.plate.plane.height" */
    const char *unit;
    struct cf_scene_path path; /* taken over */
};

/* A piece of the record. The scene begins anew at its start, or (joins) goes on running from the
 * piece before; one that joins and is the first runs on from the scene's start. */
struct cf_rig_segment {
    double from_s, to_s; /* of the record's clock */
    bool joins;
};

struct cf_rig;

/* What a rig is made of; arrays and texts are copied, the paths' contents taken over. */
struct cf_rig_parts {
    const struct cf_scene *scene; /* outlives it; NULL: it is not known, and nothing is predicted */
    size_t nchannel;
    const struct cf_rig_channel *channel;
    size_t npath;
    struct cf_rig_path *path;
    double tolerance; /* of each step of the motion; 0: the usual one */
    size_t max_steps; /* of a run; 0: some times those of the scene as it is */
    size_t npair;     /* contacts that have the study's law */
    const size_t *pair;
    size_t nsegment; /* by time; 0: the record is one, in which the scene begins at 0 */
    const struct cf_rig_segment *segment;
    size_t nrecorded; /* bodies whose recorded motion has the record's clock, and so begins with */
    const size_t *recorded;
    double start_s; /* the time of the record at which the scene begins, as far as it is known */
};

/* NULL on failure. */
struct cf_rig *cf_rig_make(const struct cf_rig_parts *parts, struct cf_error *err);
void cf_rig_free(struct cf_rig *rig);

/* The i-th body whose recorded motion has the record's clock, and from when to when it was
 * recorded, its delay counted in; NULL: there is none. */
const char *cf_rig_recorded(const struct cf_dataset *d, size_t i, double *from_s, double *to_s);

/* Is an entry of the apparatus of the clock or of a sensor, by its name, and of no scene? */
bool cf_rig_is_sensors(const char *name);

/* The protocol of its data sets: alive as long as the rig. Without a scene, as it stands in lists
 * of protocols, it has a time and nothing that is measured. */
const struct cf_protocol *cf_rig_protocol(const struct cf_rig *rig);

#endif
