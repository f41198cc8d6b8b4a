/* The bodies of a scene to scale, at several times, over the surfaces that they touch. Private to
 * src/report. */

#ifndef CF_REPORT_SCENE_BODIES_H
#define CF_REPORT_SCENE_BODIES_H

#include "figure/figure.h"
#include "report/body_outline.h"
#include "report/chart.h"
#include "report/scene_view.h"

/* What the picture is made of: outlines of all bodies, the view, the window [m, in the view] and
 * what the axes show of a metre. */
struct cf_bodies_picture {
    const struct cf_scene *scene;
    const struct cf_scene_figure *figure;
    struct cf_scene_view view;
    struct cf_body_outline *outline; /* nbody */
    bool *moves, *turns;             /* nbody: is the pose, or the attitude, ever another one? */
    size_t *first; /* nbody: the first of many that look alike and move, or the body itself */
    struct cf_range window[2];
    size_t ntime; /* when the bodies are drawn, in order, at least one */
    double *time_s;
    double factor; /* of the axes' unit */
    const char *prefix;
};

/* Of a figure that has been filled; *picture is the caller's to cf_bodies_picture_free(), whatever
 * comes out. CF_ENOMEM. */
int cf_bodies_picture_make(const struct cf_scene *scene, const struct cf_scene_figure *figure,
                           struct cf_bodies_picture *picture, struct cf_error *err);
void cf_bodies_picture_free(struct cf_bodies_picture *picture);

/* A place of a body in the picture [m]. */
void cf_bodies_picture_place(const struct cf_bodies_picture *picture,
                             const struct cf_scene_pose *pose, const double of_body_m[3],
                             double at[2]);

/* The row of the pose at a time, or the one before it. */
size_t cf_bodies_picture_row(const struct cf_bodies_picture *picture, double time_s);

/* How far a body is from one row to another [m, in the picture]: of what is drawn of it, the most.
 */
double cf_bodies_picture_way(const struct cf_bodies_picture *picture, size_t body, size_t from,
                             size_t to);

/* The line from the centre of a disc to its rim that shows how it turns, in the frame of the body;
 * false: it does not turn. */
bool cf_bodies_picture_spoke(const struct cf_bodies_picture *picture, size_t body,
                             const struct cf_outline_disc *disc, double rim_m[3]);

/* The colour of a body: those that move have their own, but for many that look alike. */
const char *cf_bodies_picture_colour(const struct cf_bodies_picture *picture, size_t body);

/* The whole figure. Fills an empty chart. */
int cf_scene_bodies_chart(const struct cf_scene *scene, const struct cf_scene_figure *figure,
                          struct cf_chart *chart, struct cf_error *err);

#endif
