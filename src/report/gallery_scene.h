/* A scene's section of the page. Private to src/report. */

#ifndef CF_REPORT_GALLERY_SCENE_H
#define CF_REPORT_GALLERY_SCENE_H

#include <stdbool.h>
#include <stdio.h>

#include "figure/figure.h"
#include "report/render.h"

/* The number of the scene on the page is in the identifiers of its figures; its bodies can be moved
 * where the page has the script of motion.h. */
int cf_section_scene(const struct cf_scene_figures *scene, size_t number, bool moving,
                     struct cf_plotter *plotter, FILE *out, struct cf_error *err);

#endif
