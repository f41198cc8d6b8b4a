/* Heights of a bouncing ball over time: where its impacts part them into flights, and what each
 * flight says of its highest point; private to the protocol of heights. */

#ifndef CF_EXPERIMENT_BOUNCE_TRACK_H
#define CF_EXPERIMENT_BOUNCE_TRACK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

/* Samples of one throw, times ascending; sigma NULL: not stated. */
struct cf_track {
    size_t n;
    double *time_s, *height_m, *sigma_m;
    double gravity_m_s2, drag_1_m;
};

/* sd of the heights' errors from third differences, which a parabola has none of, by their median:
 * an impact is in few of them; and no less than that of rounding to the step in which heights are
 * read, as the rows of pictures are: a ball at rest shows no other. 0: too few samples. `work`
 * holds n numbers. */
double cf_track_noise(const struct cf_track *track, double work[]);

/* The lowest samples between two flights, low[n] at most; their number. A flight rises above both
 * of its ends by `rise` at least. *begin: where the first one is as high as it is seen, after being
 * held; *end: where the last one is down, or n. */
size_t cf_track_impacts(const struct cf_track *track, double rise, size_t low[], size_t *begin,
                        size_t *end);

/* Samples in free flight, and the least-squares fit to them. */
struct cf_track_flight {
    size_t n;
    double apex_m, time_s; /* of the highest point, which may lie outside */
    double apex_v, time_v; /* their variances for heights of unit variance, or of the stated */
    double square;         /* weighted sum of squares left, by n - 2 degrees of freedom */
    double scale, scale_v; /* how much more the path curves than gravity has it, and variance */
};

/* Fit samples [first, end) further than `apart_s` from the times `from_s` and `to_s` of the impacts
 * about them. false: fewer than `least`, or their times say nothing. */
bool cf_track_fit(const struct cf_track *track, size_t first, size_t end, double from_s,
                  double to_s, double apart_s, size_t least, struct cf_track_flight *out);

#endif
