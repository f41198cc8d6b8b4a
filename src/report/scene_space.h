/* A path in space, and its shadow on the ground. Private to src/report. */

#ifndef CF_REPORT_SCENE_SPACE_H
#define CF_REPORT_SCENE_SPACE_H

#include "scene/figure.h"

int cf_scene_space_render(const struct cf_scene_figure *figure, const char *format, char **bytes,
                          size_t *len, struct cf_error *err);

#endif
