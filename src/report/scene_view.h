/* From where the bodies of a scene are seen. Private to src/report. */

#ifndef CF_REPORT_SCENE_VIEW_H
#define CF_REPORT_SCENE_VIEW_H

#include "figure/figure.h"

/* An orthographic view: unit vectors of the world, each across the others. */
struct cf_scene_view {
    double right[3], up[3], towards[3]; /* of the picture; out of it, to the eye */
    bool flat;      /* all that moves stays in planes of the picture: it can be drawn in section */
    double depth_m; /* along `towards`: where the section lies */
    double frame[3][3]; /* rows: two level axes, and against gravity */
};

/* By the figure's `from`; else from the side, level, where the motion is in an upright plane, and
 * else from aside and above, steeper where it is all level. */
void cf_scene_view_find(const struct cf_scene *scene, const struct cf_scene_figure *figure,
                        struct cf_scene_view *view);

/* A place of a body in the world, [m]. */
void cf_scene_place_of(const struct cf_scene_pose *pose, const double of_body_m[3],
                       double world_m[3]);

#endif
