/* The picture of a figure file. */

#ifndef CF_REPORT_DRAWING_H
#define CF_REPORT_DRAWING_H

#include <stdio.h>

#include "scene/law_figure.h"

/* As "svg", "pdf" or "png"; *bytes is the caller's to free(). */
int cf_drawing_render(const struct cf_drawing *drawing, const char *format, char **bytes,
                      size_t *len, struct cf_error *err);

#endif
