/* What may stand in figure files and among the figures of a scene: the tables by which they are
 * read, and their JSON Schema is made. Private to src. */

#ifndef CF_FIGURE_KEYS_H
#define CF_FIGURE_KEYS_H

#include "file/schema.h"

/* Figure files. The root, and points, have the names of their axes beside these keys: those of x,
 * and of y, too. */
extern const struct cf_schema cf_drawing_schema, cf_drawing_panel_schema, cf_drawing_points_schema;
/* their keys that are no parameters */
extern const struct cf_schema cf_drawing_curve_schema, cf_drawing_target_schema;
enum { CF_DRAWING_KEYS = 13, CF_DRAWING_POINTS_KEYS = 9 };

/* Figures of scenes: the list, and one of each kind. */
extern const struct cf_schema cf_scene_figures_schema;
extern const struct cf_schema *const cf_scene_figure_schemas[]; /* CF_SCENE_NKIND */
extern const struct cf_schema cf_scene_panel_schema, cf_scene_curve_schema;
extern const struct cf_schema cf_scene_variation_schema, cf_scene_variant_schema;

#endif
