/* Figures of a fit, drawn by gnuplot through a pipe. A figure is a row and a file. */

#ifndef CF_REPORT_FIGURE_H
#define CF_REPORT_FIGURE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/status.h"

struct cf_figure {
    const char *name;     /* "restitution-log": file stem and option value */
    const char *title;    /* heading on the page */
    const char *what;     /* one line for help */
    double width, height; /* inches; height is that of one panel */

    /* Does this fit have what the figure shows? */
    bool (*applies)(const json_t *fit);

    /* How many panels lie below each other; NULL for one. */
    size_t (*panels)(const json_t *fit);

    /* Write gnuplot commands with inline data, after `set terminal` and `set output`. */
    int (*draw)(const json_t *fit, FILE *script, struct cf_error *err);

    /* Write the caption in words, HTML, every text from the fit escaped. */
    void (*caption)(const json_t *fit, FILE *html);
};

extern const struct cf_figure *const cf_figures[]; /* NULL-terminated, order of the page */
const struct cf_figure *cf_figure_find(const char *name);

/* Draw as "svg", "pdf" or "png"; *bytes is the caller's to free(). A missing gnuplot is an error
 * that says how to install it. */
int cf_figure_render(const struct cf_figure *figure, const json_t *fit, const char *format,
                     char **bytes, size_t *len, struct cf_error *err);

#endif
