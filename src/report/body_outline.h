/* What is seen of a body: discs, lines and faces in its own frame. Private to src/report. */

#ifndef CF_REPORT_BODY_OUTLINE_H
#define CF_REPORT_BODY_OUTLINE_H

#include <stdbool.h>

#include "motion/scene.h"

/* A sphere, whose outline is a circle from wherever it is seen; radius 0: a point. */
struct cf_outline_disc {
    double centre_m[3], radius_m;
};

/* A line, or the loop of a flat face, counter-clockwise as seen from outside, which is seen from
 * there alone. */
struct cf_outline_line {
    size_t n;
    double (*at_m)[3];
    bool face;
};

struct cf_body_outline {
    size_t ndisc, nline;
    struct cf_outline_disc *disc;
    struct cf_outline_line *line;
    bool failed; /* memory ran out */
};

/* The spheres, points, links and bounded cells of a body; of a body of points alone the faces of
 * their convex hull. Solids, which have no end, are none of them. *out is the caller's to
 * cf_body_outline_free(), whatever comes out. CF_ENOMEM. */
int cf_body_outline_find(const struct cf_scene *scene, size_t body, struct cf_body_outline *out,
                         struct cf_error *err);
void cf_body_outline_free(struct cf_body_outline *outline);

/* A disc or a line at its end; places are copied. Where memory runs out nothing is added and
 * `failed` is set. */
void cf_body_outline_add_disc(struct cf_body_outline *outline, const double centre_m[3],
                              double radius_m);
void cf_body_outline_add_line(struct cf_body_outline *outline, const double at_m[][3], size_t n,
                              bool face);

#endif
