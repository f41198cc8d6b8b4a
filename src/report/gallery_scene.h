/* A scene's section of the page. Private to src/report. */

#ifndef CF_REPORT_GALLERY_SCENE_H
#define CF_REPORT_GALLERY_SCENE_H

#include <stdio.h>

#include "figure/figure.h"

int cf_section_scene(const struct cf_scene_figures *scene, FILE *out, struct cf_error *err);

#endif
