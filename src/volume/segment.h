/* Moments of a segment of a circle, good to rounding from the thinnest to the whole circle. Private
 * to src/volume. */

#ifndef CF_VOLUME_SEGMENT_H
#define CF_VOLUME_SEGMENT_H

enum { CF_SEGMENT_ORDER = 3 };

/* Of the segment of a circle of radius r that is `height` high, 0 <= height <= 2 r: with x from the
 * top of its arc towards its chord and y along the chord,
 *
 *   x[k] = integral of x^k,  k <= 3,    yy[k] = integral of x^k y^2,  k <= 1
 */
struct cf_circular_segment {
    double x[CF_SEGMENT_ORDER + 1], yy[2];
};

void cf_circular_segment(double radius, double height, struct cf_circular_segment *out);

#endif
