/* The captions of the main figures: what is drawn, and from which data sets. */

#include "report/headline_caption.h"

#include <stdlib.h>
#include <string.h>

#include "document/view.h"
#include "report/figures.h"
#include "report/fit_curve.h"
#include "report/headline_points.h"
#include "report/html.h"

/* Of how many data sets the headline was computed from which other channel. */
static void caption_sources(const json_t *fit, const struct cf_headline_points *points, FILE *html)
{
    struct cf_shown_channel c;

    for (size_t k = 0; cf_shown_channel(fit, k, &c); k++) {
        size_t n = cf_headline_from(points, &c);
        if (!n || strcmp(c.name, points->shown.name) == 0)
            continue;
        fprintf(html, " In %zu of them ", n);
        cf_words_html(fit, "<i>{y}</i> is computed from the measured ", html);
        cf_html_text(html, c.label);
        fputs(".", html);
    }
}

/* Which data set is which, and where the headline was computed from something else. */
void cf_headline_caption_sets(const json_t *fit, FILE *html)
{
    struct cf_headline_points points;
    struct cf_curve_choice curves = {0};

    if (cf_headline_find(fit, &points, NULL))
        return;
    if (!points.apart) {
        fprintf(html, " The %zu data sets share one marker; they are listed below, under Data.",
                points.nset);
        caption_sources(fit, &points, html);
        if (!cf_fit_curves_choose(fit, &points.shown, NULL, cf_headline_has, &points, &curves,
                                  NULL))
            cf_fit_curves_caption(&curves, html);
        free(curves.curve);
    }
    for (size_t i = 0; points.apart && i < points.ndata; i++) {
        const json_t *set = json_array_get(json_object_get(fit, "data"), i);
        const char *from = points.set[i].from;
        if (!from)
            continue;
        if (points.nset > 1) {
            fprintf(html, " Set %zu: ", i + 1);
            cf_html_text(html, cf_view_text(set, "name"));
            fputs(".", html);
        }
        if (strcmp(from, points.shown.name) == 0)
            continue;
        cf_words_html(fit, " <i>{y}</i> is computed from the measured ", html);
        cf_html_text(html, cf_channel_label(fit, from));
        fputs(".", html);
    }
    cf_headline_readings_caption(fit, &points, html);
    free(points.set);
}

/* Which strokes of a loop are which. */
static void caption_branches(const char *const branch[], size_t n, FILE *html)
{
    if (n < 2)
        return;
    fputs(" Filled points and blue lines are ", html);
    cf_html_text(html, branch[0]);
    fputs(", open points and purple lines ", html);
    cf_html_text(html, branch[1]);
    fputs("; the lines of several data sets differ in their dashes.", html);
}

/* Where the axis is, then what is drawn. */
void cf_headline_caption(const json_t *fit, const char *along, size_t nrival, FILE *html)
{
    struct cf_shown_channel shown;
    const char *branch[CF_BRANCHES_APART];
    size_t nbranch = cf_shown_headline(fit, &shown) ? cf_fit_branches(fit, &shown, branch) : 0;

    cf_words_html(fit, along, html);
    fprintf(html,
            "Points are measurements, where they are few with one &sigma; each way; %s points were "
            "held out of the fit. The thick solid line is ",
            nbranch < 2 ? "open" : "orange");
    cf_html_text(html, cf_view_text(fit, "law"));
    fputs(" as fitted, with the confidence band of the curve", html);
    fputs(nrival ? "; broken lines are its rivals, each fitted to the same rows." : ".", html);
    caption_branches(branch, nbranch, html);
    cf_headline_caption_sets(fit, html);
    cf_caption_points(fit, html);
}
