/* A block that is held by a spring on a plate which moves on under it: the equations of stick-slip.
 *
 *   u' = V - v        m v' = k u + c (V - v) - f + m V'        v = V - (speed of the block)
 *
 * u is where the block is, from where its spring is slack, in the direction in which the plate
 * moves; v the slip of the plate under it, f the friction of the law against that slip under the
 * load. The plate's speed may ripple, as that of a screw or a gear does,
 *
 *   V(t) = V_0 (1 + r_c cos(2 pi n t) + r_s sin(2 pi n t)).
 *
 * A run begins at a trough of the spring's force: the block turns there, so that v = V; it has slid
 * for long, so that friction's states are those of steady sliding at that speed (law/sliding.h).
 * What is seen is the force of the spring, k u, or u. Private to src/experiment.
 */

#ifndef CF_EXPERIMENT_PLATE_H
#define CF_EXPERIMENT_PLATE_H

#include "law/friction.h"

enum cf_plate_seen { CF_PLATE_FORCE, CF_PLATE_PLACE };

/* The numbers of the rig and of the start, each a column that derivatives may be by. */
enum cf_plate_number {
    CF_PLATE_LOAD,          /* [N] */
    CF_PLATE_MASS,          /* m [kg] */
    CF_PLATE_STIFFNESS,     /* k [N/m] */
    CF_PLATE_DAMPING,       /* c [N s/m] */
    CF_PLATE_SPEED,         /* V_0 [m/s] */
    CF_PLATE_RIPPLE_RATE,   /* n [Hz] */
    CF_PLATE_RIPPLE_COSINE, /* r_c */
    CF_PLATE_RIPPLE_SINE,   /* r_s */
    CF_PLATE_TROUGH_N,      /* force of the spring at the start [N] */
    CF_PLATE_TROUGH_S,      /* its time [s] */
    CF_PLATE_NNUMBER
};

struct cf_plate {
    const struct cf_friction_law *law;
    const double *p; /* law->nparam */
    double number[CF_PLATE_NNUMBER];
};

/* Derivatives wanted: by a parameter of the law, or behind those by a number. */
struct cf_plate_columns {
    size_t n;
    const size_t *of; /* < law->nparam, or law->nparam + an enum cf_plate_number */
};

/* Where the answers go. Times ascend; those before the trough are as at it. */
struct cf_plate_samples {
    size_t n;
    const double *time_s;
    double *force_N, *place_m;             /* n; NULL: not wanted */
    double *force_by, *place_by;           /* n * columns; NULL: not wanted */
    double *force_by_time, *place_by_time; /* n; NULL: not wanted */
};

/* The plate's speed and acceleration. */
double cf_plate_speed(const struct cf_plate *plate, double time_s, double *acceleration);

/* Run it, within a tolerance of each step relative to the sizes of its states. CF_ESOLVE where it
 * cannot be integrated in max_steps, or the plate does not move forward where the run begins. */
int cf_plate_run(const struct cf_plate *plate, const struct cf_plate_columns *columns,
                 double tolerance, size_t max_steps, struct cf_plate_samples *out,
                 struct cf_error *err);

#endif
