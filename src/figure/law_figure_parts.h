/* The parts of reading a figure file; private to src/scene. */

#ifndef CF_FIGURE_LAW_FIGURE_PARTS_H
#define CF_FIGURE_LAW_FIGURE_PARTS_H

#include "figure/law_figure.h"
#include "file/schema.h"

/* The curves of a panel, with the parameters that they are given and those that bodies give. */
int cf_drawing_curves(struct cf_drawing *drawing, struct cf_drawn_panel *panel,
                      struct cf_curves *curves, const struct cf_yaml *node, struct cf_error *err);

/* A law by its name, and its parameters from the other keys of a mapping, but for those of `skip`
 * and of `own`. What is not given is NAN. *hertz: k comes from the pair. */
int cf_drawing_law(const struct cf_yaml *node, const struct cf_schema *skip,
                   const char *const own[], const struct cf_pair *pair, const struct cf_law **law,
                   double p[], bool *hertz, struct cf_error *err);

/* The user's points. */
int cf_drawing_points(struct cf_drawing *drawing, const struct cf_yaml *node, const char *folder,
                      struct cf_drawn_points *points, struct cf_error *err);

/* Least squares, all points weighing the same: the one parameter of the curve that is to be tuned.
 */
int cf_drawing_tune(struct cf_curves *curves, const struct cf_drawing_kind *kind,
                    const struct cf_drawn_points *points, struct cf_drawn *curve,
                    struct cf_error *err);

#endif
