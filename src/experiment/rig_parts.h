/* The inside of a rig; private to its files. */

#ifndef CF_EXPERIMENT_RIG_PARTS_H
#define CF_EXPERIMENT_RIG_PARTS_H

#include "experiment/rig.h"

/* Channels: the time, then the sensors. */
enum { CF_RIG_TIME = 0, CF_RIG_FIRST_SENSOR = 1 };

/* The apparatus behind the paths: the clock's, then each sensor's. */
enum { CF_RIG_START, CF_RIG_OF_SENSORS };
enum cf_rig_number { CF_RIG_DELAY, CF_RIG_BANDWIDTH, CF_RIG_ORDER, CF_RIG_NNUMBER };

/* A recorded motion that is smoothed. */
struct cf_rig_smooth {
    size_t body;
    double cutoff_Hz; /* of base */
};

/* A run may take so many steps where what the scene as it is takes is not known. */
enum { CF_RIG_STEPS_UNKNOWN = 200000 };

struct cf_rig {
    struct cf_protocol protocol; /* first: a data set's protocol is its rig */
    bool known;                  /* its scene is */
    struct cf_scene base;
    struct cf_scene_numbers numbers; /* of base */
    size_t npath, nsensor, npair;
    struct cf_scene_path *path;
    struct cf_motion_channel *sensor;
    size_t *pair;
    size_t nrecorded, *recorded; /* bodies whose motion has the record's clock */
    bool segmented;
    size_t norigin; /* times at which the scene begins anew, ascending; at least one: */
    double *origin_s;
    size_t nsmooth;
    struct cf_rig_smooth *smooth;
    double tolerance;
    size_t max_steps;   /* stated; 0: by */
    double steps_per_s; /* those of the scene as it is; 0: not known */
    struct cf_channel_row *channel;
    struct cf_param *apparatus;
    char **text; /* names that are made here */
    size_t ntext;
};

/* rig_make.c: the rig of a data set. */
const struct cf_rig *cf_rig_of(const struct cf_dataset *d);

/* Where a number of a sensor stands in the apparatus. */
size_t cf_rig_number(const struct cf_rig *rig, size_t sensor, enum cf_rig_number number);

/* Where the cutoff of the i-th motion that is smoothed stands in the apparatus. */
size_t cf_rig_cutoff(const struct cf_rig *rig, size_t i);

/* The time of the record at which the scene begins that this time of it belongs to, `start` apart;
 * of times before the first, the first. */
double cf_rig_origin(const struct cf_rig *rig, double time_s);

/* The scene begins at this time of the record, by whose clock rig->recorded move: each is then so
 * much less late. delay_s[nrecorded] are theirs where it begins at 0. */
void cf_rig_begin(const struct cf_rig *rig, struct cf_scene *scene, const double delay_s[],
                  double start_s);

/* rig_predict.c: for the protocol. */
void *cf_rig_open(struct cf_curves *curves);
void cf_rig_close(void *work);
int cf_rig_predict(void *work, const struct cf_request *q, struct cf_response *out,
                   struct cf_error *err);

/* Channels and apparatus; false: no memory. */
extern const struct cf_channel_row cf_rig_time;
bool cf_rig_make_channels(struct cf_rig *rig, const struct cf_rig_parts *parts);
bool cf_rig_make_apparatus(struct cf_rig *rig, const struct cf_rig_parts *parts);

#endif
