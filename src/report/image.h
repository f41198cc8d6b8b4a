/* An image by gnuplot, in any of the formats, of whatever can write a script. Private to
 * src/report. */

#ifndef CF_REPORT_IMAGE_H
#define CF_REPORT_IMAGE_H

#include <stddef.h>
#include <stdio.h>

#include "core/status.h"

struct cf_image {
    double width, height; /* inches */

    /* Write gnuplot commands with inline data, after `set terminal` and `set output`. */
    int (*draw)(const void *what, FILE *script, struct cf_error *err);
    const void *what;
};

/* As "svg", "pdf" or "png"; *bytes is the caller's to free(). */
int cf_image_render(const struct cf_image *image, const char *format, char **bytes, size_t *len,
                    struct cf_error *err);

#endif
