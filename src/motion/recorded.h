/* A recorded motion that drives a body: positions over time, joined by a twice continuously
 * differentiable cubic spline. */

#ifndef CF_MOTION_RECORDED_H
#define CF_MOTION_RECORDED_H

#include <stddef.h>

#include "core/status.h"

struct cf_trace;

/* position_m[3 * n], at times that grow from row to row. CF_ERANGE, with the row, where they do
 * not, or where something is not finite or n < 3. NULL on failure. */
struct cf_trace *cf_trace_make(size_t n, const double time_s[], const double position_m[],
                               struct cf_error *err);
void cf_trace_free(struct cf_trace *trace);

/* Before the first and after the last row the body is at rest there. */
void cf_trace_at(const struct cf_trace *trace, double time_s, double position_m[3],
                 double velocity_m_s[3]);

/* Its acceleration, continuous between the ends. */
void cf_trace_bend(const struct cf_trace *trace, double time_s, double acceleration_m_s2[3]);
void cf_trace_span(const struct cf_trace *trace, double *from_s, double *to_s);

#endif
