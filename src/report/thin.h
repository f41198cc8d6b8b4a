/* Points of a line that can be left out unseen. Private to src/report. */

#ifndef CF_REPORT_THIN_H
#define CF_REPORT_THIN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

/* Sets keep[i] for those of n points, coordinates x[axis][i] over scale[axis], without which the
 * line would be off by more than `off` (Ramer, Douglas and Peucker). A point that is not finite
 * parts the line and is kept. */
int cf_thin(size_t naxis, const double *const x[], const double scale[], size_t n, double off,
            bool keep[], struct cf_error *err);

#endif
