/* Figures of a fit. A figure is a row and a file. */

#ifndef CF_REPORT_FIGURE_H
#define CF_REPORT_FIGURE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "report/chart.h"

struct cf_figure {
    /* With words in braces for the main channel and its axis: see channel.h. */
    const char *name;  /* "{headline}-log": file stem and option value */
    const char *title; /* heading on the page */
    const char *what;  /* one line for help */

    /* Does this fit have what the figure shows? */
    bool (*applies)(const json_t *fit);

    /* Fill a chart, which is the caller's to free on failure, too. That memory ran out is seen by
     * cf_chart_status(). */
    int (*chart)(const json_t *fit, struct cf_chart *chart, struct cf_error *err);

    /* Write the caption in words, HTML, every text from the fit escaped. */
    void (*caption)(const json_t *fit, FILE *html);
};

extern const struct cf_figure *const cf_figures[]; /* NULL-terminated, order of the page */

enum { CF_FIGURE_NAME = 80 };

/* Its name for a fit, "restitution-log"; NULL: for any, "headline-log". Returns out. */
const char *cf_figure_name(const struct cf_figure *figure, const json_t *fit,
                           char out[CF_FIGURE_NAME]);

/* What it shows, in words of the fit; NULL: of any. Returns out. */
const char *cf_figure_what(const struct cf_figure *figure, const json_t *fit, char out[],
                           size_t size);

/* The figure of this name, as it is for the fit or for any; or NULL. */
const struct cf_figure *cf_figure_find(const json_t *fit, const char *name);

/* The figure of a fit as data. *chart is the caller's to cf_chart_free(), whatever comes out. */
int cf_figure_chart(const struct cf_figure *figure, const json_t *fit, struct cf_chart *chart,
                    struct cf_error *err);

/* What the figure of this fit shows, in words, for the alternative text of its image: its axes, and
 * what each of its series does there (see chart_words.h). Plain text, UTF-8, to be escaped in HTML;
 * *words is the caller's to free(). */
int cf_figure_words(const struct cf_figure *figure, const json_t *fit, char **words,
                    struct cf_error *err);

#endif
