/* What drives the rows of a trace: a recorded displacement or force, and the load beside it, as
 * smoothing splines over time; or how a body flies where a piece begins. A record that was cut has
 * a piece for each of its segments.
 *
 * It is made once, by a protocol's `complete`, and never changed: copies of a data set share it.
 */

#ifndef CF_EXPERIMENT_RECORDED_DRIVE_H
#define CF_EXPERIMENT_RECORDED_DRIVE_H

#include <stddef.h>

#include "core/smoothing.h"

/* A rigid body in flight, in the world. */
struct cf_drive_body {
    double position_m[3], attitude[4], velocity_m_s[3], spin_rad_s[3];
};

struct cf_drive_piece {
    double from_s, to_s;
    struct cf_drive_body body;   /* what moves freely from there on; all 0: none does */
    double start_N;              /* friction that was measured where it begins; 0: none */
    struct cf_smoothing *driven; /* what was imposed: [m] or [N] */
    struct cf_smoothing *load;   /* [N]; NULL: the apparatus has it */
};

struct cf_recorded_drive {
    size_t npiece;
    struct cf_drive_piece *piece; /* by time */
    _Atomic size_t shared;        /* how many data sets hold it beside the first */
};

/* With room for so many pieces, which the caller fills; NULL: no memory. */
struct cf_recorded_drive *cf_recorded_drive_make(size_t npiece);

/* Hold it once more; NULL of NULL. From any thread. */
struct cf_recorded_drive *cf_recorded_drive_share(struct cf_recorded_drive *drive);

/* Let go of it: the last one frees it, pieces and all. */
void cf_recorded_drive_release(struct cf_recorded_drive *drive);

/* The piece that a time belongs to: the last that begins by then, or the first. */
const struct cf_drive_piece *cf_recorded_drive_at(const struct cf_recorded_drive *drive,
                                                  double time_s);

#endif
