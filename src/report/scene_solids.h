/* The solids of a scene in a picture of a path in space. Private to src/report. */

#ifndef CF_REPORT_SCENE_SOLIDS_H
#define CF_REPORT_SCENE_SOLIDS_H

#include "figure/figure.h"
#include "report/chart.h"

/* How high the highest solid of the bodies that do not move stands in the free space under a place
 * (x, y) of the figure, between these heights [m, axes of the figure]; NAN: none does. */
double cf_scene_surface(const struct cf_scene *scene, const double frame[3][3], double x, double y,
                        struct cf_range z);

/* Its mesh over the range of the axes x and y, as lines in space below the height range[2].high;
 * range[2].low is lowered as far as the mesh reaches. Nothing where there is no such solid. */
int cf_scene_solids_add(const struct cf_scene *scene, const struct cf_scene_figure *figure,
                        struct cf_range range[3], struct cf_panel *panel, struct cf_error *err);

#endif
