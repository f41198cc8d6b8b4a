/* The picture of a figure file, and the page of several. */

#ifndef CF_REPORT_DRAWING_H
#define CF_REPORT_DRAWING_H

#include <stdio.h>

#include "study/drawing.h"

/* As "svg", "pdf" or "png"; *bytes is the caller's to free(). */
int cf_drawing_render(const struct cf_drawing *drawing, const char *format, char **bytes,
                      size_t *len, struct cf_error *err);

/* One page that loads nothing else: each picture with its caption, its source, what is said of it,
 * and the laws with their parameters. */
int cf_gallery_write(struct cf_drawing *const drawing[], size_t n, FILE *out, struct cf_error *err);

#endif
