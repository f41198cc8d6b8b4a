/* A recorded motion that drives a body: positions over time, joined by a twice continuously
 * differentiable cubic spline, which goes through them or, as they have noise that the rate of the
 * motion would have many times over, smooths them (core/smoothing.h). */

#ifndef CF_MOTION_RECORDED_H
#define CF_MOTION_RECORDED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

struct cf_trace;

/* position_m[3 * n], at times that grow from row to row. CF_ERANGE, with the row, where they do
 * not, or where something is not finite or n < 3. NULL on failure. */
struct cf_trace *cf_trace_make(size_t n, const double time_s[], const double position_m[],
                               struct cf_error *err);

/* The same, smoothed: one cutoff for all axes; 0: that of the axis that moves most, by its
 * generalised cross-validation; INFINITY: as above. n >= 5. */
struct cf_trace *cf_trace_smooth(size_t n, const double time_s[], const double position_m[],
                                 double cutoff_Hz, struct cf_error *err);

/* The record of another trace, smoothed at this cutoff > 0. */
struct cf_trace *cf_trace_again(const struct cf_trace *trace, double cutoff_Hz,
                                struct cf_error *err);
void cf_trace_free(struct cf_trace *trace);

/* What smoothing did. */
struct cf_trace_smoothness {
    double cutoff_Hz;
    bool chosen;       /* by cross-validation */
    size_t rows;       /* of the record */
    int axis;          /* that moves most; */
    double freedom;    /* how many free numbers its spline spends */
    double noise_m[3]; /* along each axis: sd of the rows about the spline */
};

/* false: it goes through the rows. */
bool cf_trace_smoothness(const struct cf_trace *trace, struct cf_trace_smoothness *out);

/* Before the first and after the last row the body is at rest there. */
void cf_trace_at(const struct cf_trace *trace, double time_s, double position_m[3],
                 double velocity_m_s[3]);

/* Its acceleration, continuous between the ends. */
void cf_trace_bend(const struct cf_trace *trace, double time_s, double acceleration_m_s2[3]);
void cf_trace_span(const struct cf_trace *trace, double *from_s, double *to_s);

#endif
