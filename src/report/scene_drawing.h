/* The pictures of a scene. */

#ifndef CF_REPORT_SCENE_DRAWING_H
#define CF_REPORT_SCENE_DRAWING_H

#include "figure/figure.h"
#include "report/chart.h"

/* A figure that has been filled, as data. *chart is the caller's to cf_chart_free(), whatever comes
 * out. */
int cf_scene_figure_chart(const struct cf_scene_figures *figures,
                          const struct cf_scene_figure *figure, struct cf_chart *chart,
                          struct cf_error *err);

#endif
