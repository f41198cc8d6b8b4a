/* Fixed steps; private to src/motion. */

#ifndef CF_MOTION_FIXED_H
#define CF_MOTION_FIXED_H

#include "motion/phase.h"

/* From the start to the scene's end in steps of the options' scheme, as a simulator takes them:
 * contacts are seen to begin and end between steps only. */
int cf_motion_fixed(struct cf_phase *phase, double *time_s, struct cf_error *err);

#endif
