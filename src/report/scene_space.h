/* A path in space over the solids of the scene, and its shadow on the ground. Private to
 * src/report.
 */

#ifndef CF_REPORT_SCENE_SPACE_H
#define CF_REPORT_SCENE_SPACE_H

#include "figure/figure.h"
#include "report/chart.h"

/* Fill an empty chart. */
int cf_scene_space_chart(const struct cf_scene *scene, const struct cf_scene_figure *figure,
                         struct cf_chart *chart, struct cf_error *err);

#endif
