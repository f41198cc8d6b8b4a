/* The parts of reading and filling a scene's figures; private to src/scene. */

#ifndef CF_FIGURE_FIGURE_PARTS_H
#define CF_FIGURE_FIGURE_PARTS_H

#include "figure/figure.h"
#include "file/yaml.h"

/* Text that figures may show: letters, digits, blanks and .,()+-=/| */
int cf_scene_words(const struct cf_yaml *at, const char **words, struct cf_error *err);

/* A column, the length of a vector, or {of:, as:, less:, times:}. */
int cf_scene_curve_read(const struct cf_scene_table *table, const struct cf_yaml *at,
                        struct cf_scene_curve *curve, struct cf_error *err);

/* A column by its name, which exists, added to a curve. */
void cf_scene_curve_add(const struct cf_scene_table *table, struct cf_scene_curve *curve,
                        const char *column, double weight);

/* Curves of one quantity or unit, and the axis that they share: the keys y, axis, unit, range. */
int cf_scene_panel_read(const struct cf_scene_table *table, const struct cf_yaml *node,
                        struct cf_scene_panel *panel, struct cf_error *err);

/* Keys of an axis whose quantity is known; NULL for one that is not in the mapping. */
int cf_scene_axis_read(const struct cf_yaml *node, const char *as, const char *unit,
                       const char *range, struct cf_scene_axis *axis, struct cf_error *err);

/* A key that says true or false. */
int cf_scene_flag(const struct cf_yaml *node, const char *key, bool *flag, struct cf_error *err);

/* What is drawn in a figure of each kind; x is time except for paths over a column. */
int cf_scene_panels_read(const struct cf_scene_table *table, const struct cf_yaml *node,
                         struct cf_scene_figure *figure, struct cf_error *err);
int cf_scene_path_read(const struct cf_scene_table *table, const struct cf_yaml *node,
                       struct cf_scene_figure *figure, struct cf_error *err);
int cf_scene_path3d_read(const struct cf_scene_table *table, const struct cf_yaml *node,
                         struct cf_scene_figure *figure, struct cf_error *err);
int cf_scene_energy_read(const struct cf_scene *scene, const struct cf_scene_table *table,
                         const struct cf_yaml *node, struct cf_scene_figure *figure,
                         struct cf_error *err);

/* The keys from and times of bodies; and the figure of them that a file need not ask for, where it
 * would show something: false, it would not. figures->figure has room for one more. */
int cf_scene_bodies_read(const struct cf_yaml *node, struct cf_scene_figure *figure,
                         struct cf_error *err);
bool cf_scene_bodies_default(struct cf_scene_figures *figures);

/* The keys over, lines and y of a sweep. */
int cf_scene_sweep_read(const struct cf_yaml *node, struct cf_scene_figure *figure,
                        struct cf_error *err);
void cf_scene_sweep_free(struct cf_scene_figure *figure);
int cf_scene_sweep_run(const struct cf_scene_file *file, struct cf_scene_figure *figure,
                       struct cf_error *err);

/* The keys variants, y and panels of variants, each of which is read once to see that it can be. */
int cf_scene_variants_read(const struct cf_scene_file *file, const struct cf_scene_table *table,
                           const struct cf_yaml *node, struct cf_scene_figure *figure,
                           struct cf_error *err);
void cf_scene_variants_free(struct cf_scene_figure *figure);

#endif
