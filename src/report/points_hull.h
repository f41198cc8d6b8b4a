/* The convex hull of the points of a body. Private to src/report. */

#ifndef CF_REPORT_POINTS_HULL_H
#define CF_REPORT_POINTS_HULL_H

#include "report/body_outline.h"

/* Adds its faces, each once, with the corners in their order; of points in a plane the face from
 * both sides, of those on a line nothing. The time is at worst that of looking at all triples,
 * which for the points that a body may have is short. */
void cf_points_hull(const struct cf_ball point[], size_t n, struct cf_body_outline *out);

#endif
