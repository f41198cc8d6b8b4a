/* Points in what convex surfaces have in common, by Newton's method on the logarithmic barrier
 *
 *   - sum of log(L - |u|) (L + |u|)     of a surface |u| <= L,   log L of a flat one
 *
 * which is self-concordant (Nesterov & Nemirovskii 1994): what is found moves smoothly as the
 * surfaces do. Private to src/volume.
 */

#ifndef CF_VOLUME_BARRIER_H
#define CF_VOLUME_BARRIER_H

#include <stddef.h>

#include "core/status.h"
#include "volume/conic.h"

/* The surfaces in lengths of which the bodies are some long, so that numbers are about 1. */
struct cf_overlap {
    const struct cf_conic *conic;
    size_t n;
    size_t nfixed; /* the first of them, whose values count against 0 and not a common bound */
};

/* What is no thicker has no inside beyond rounding. */
extern const double cf_overlap_thin;

/* The least by which all surfaces' values can be below a common bound, from a point `x` on, which
 * becomes where. *bound: that value, good to 1e-15 where it is above -cf_overlap_thin; else any
 * below that: x is inside all. CF_ESOLVE: Newton's method did not come to an end. */
int cf_overlap_inside(const struct cf_overlap *overlap, double x[3], double *bound,
                      struct cf_error *err);

/* The least that the surfaces' values, but for those of the first nfixed, which are to be below 0,
 * can be below: *bound, at x. From a point x on that is inside the first nfixed ones. n: the sum of
 * the others' gradients, by what each of them counts for; of a distance a unit vector. Good to
 * some 1e-12 of the bound's and x's size. CF_ERANGE: it has no least. CF_ESOLVE. */
int cf_overlap_deepest(const struct cf_overlap *overlap, double x[3], double *bound, double n[3],
                       struct cf_error *err);

/* The point that is furthest along `way`, a vector of about 1, of what is inside all surfaces, from
 * a point x inside them on. n: the part of `way` that the first nfixed surfaces hold back; by
 * moving them along u it is n.u further. Good to some 1e-12. CF_ESOLVE, as where there is no end.
 */
int cf_overlap_furthest(const struct cf_overlap *overlap, const double way[3], double x[3],
                        double n[3], struct cf_error *err);

/* The analytic centre, from a point `x` inside all surfaces on, and the triangular map whose unit
 * ball about it the barrier rises by about 1/2 in, all of it inside. CF_ERANGE: the overlap has no
 * end. */
int cf_overlap_centre(const struct cf_overlap *overlap, double x[3], double map[3][3],
                      struct cf_error *err);

/* The ends of a box about the overlap along the axes, seen from the map of its centre: the overlap
 * is in it, and it is wider by at most a fifth or so. */
int cf_overlap_extent(const struct cf_overlap *overlap, double low[3], double high[3],
                      struct cf_error *err);

#endif
