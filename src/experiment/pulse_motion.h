/* One impact on the head of a force sensor, and what the sensor shows of it; private to the pulse
 * protocol.
 *
 *   m x'' = -F,   m_r x_r'' = F - X,   z = x - x_r,   X = k_r x_r + c_r x_r'
 *
 * from z = 0, z' = v and a head at rest. F is the law's force at depth z, never below 0; X is what
 * the sensor feels: of a rigid one (k_r = 0) F itself. Where the head swings back it may touch
 * again. A slow sensor shows X as sensor.h has it, from 0.
 */

#ifndef CF_EXPERIMENT_PULSE_MOTION_H
#define CF_EXPERIMENT_PULSE_MOTION_H

#include "law/law.h"

/* What the force may be differentiated by, behind the parameters of the law. */
enum cf_pulse_wrt {
    CF_PULSE_BY_SPEED,
    CF_PULSE_BY_STIFFNESS,
    CF_PULSE_BY_MASS,
    CF_PULSE_BY_DAMPING,
    CF_PULSE_BY_BANDWIDTH,
    CF_PULSE_NWRT
};

enum { CF_PULSE_MOST_COLUMNS = CF_MAX_PARAM + CF_PULSE_NWRT };

struct cf_pulse_motion {
    const struct cf_law *law; /* of the family `normal` */
    const double *p;
    double mass_kg, radius_m, speed_m_s; /* of the pair; > 0 */
    double stiffness_N_m;                /* of the rig; 0: rigid, and the next two do not count */
    double head_kg, damping_N_s_m;
    double bandwidth_Hz; /* of the sensor; 0: it follows at once */
    int order;           /* 1 or 2 */
    double tolerance;    /* of each step */
    size_t ncolumn;
    const size_t *column; /* a parameter of the law, or nparam + enum cf_pulse_wrt */
};

/* What is shown at n times [s] since touch, ascending; before it, 0. rate: by time [N/s]; by:
 * n * ncolumn; NULL: not wanted. CF_ESOLVE where it cannot be integrated. */
int cf_pulse_run(const struct cf_pulse_motion *motion, size_t n, const double time_s[],
                 double force_N[], double rate_N_s[], double by[], struct cf_error *err);

#endif
