/* Names of the curves and axes of a scene's figure. Private to src/report.
 *
 * They are from tables, or were checked to be letters, digits and harmless marks: names of bodies
 * and words of the key `as`.
 */

#ifndef CF_REPORT_SCENE_KEY_H
#define CF_REPORT_SCENE_KEY_H

#include "figure/figure.h"
#include "report/chart_text.h"

/* The text of a curve. */
void cf_scene_key(const struct cf_scene_figures *figures, const struct cf_scene_figure *figure,
                  const struct cf_scene_panel *panel, size_t curve, struct cf_text *text);

/* What stands on an axis; `alone`: the one curve on it, or NULL. */
void cf_scene_axis_name(const struct cf_scene_figures *figures, const struct cf_scene_axis *axis,
                        const struct cf_scene_curve *alone, const char *prefix,
                        struct cf_text *text);

#endif
