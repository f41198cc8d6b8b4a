/* Names of the curves and axes of a scene's figure. Private to src/report.
 *
 * What reaches gnuplot is from tables, or was checked to be letters, digits and harmless marks:
 * names of bodies and words of the key `as`.
 */

#ifndef CF_REPORT_SCENE_KEY_H
#define CF_REPORT_SCENE_KEY_H

#include <stdio.h>

#include "scene/figure.h"

enum { CF_SCENE_KEY = 512 };

/* The text of a curve in enhanced markup; its width in letters, about. */
size_t cf_scene_key(const struct cf_scene_figures *figures, const struct cf_scene_figure *figure,
                    const struct cf_scene_panel *panel, size_t curve, char text[CF_SCENE_KEY]);

/* What stands on an axis, in enhanced markup; `alone`: the one curve on it, or NULL. */
void cf_scene_axis_name(const struct cf_scene_figures *figures, const struct cf_scene_axis *axis,
                        const struct cf_scene_curve *alone, const char *prefix, FILE *script);

#endif
