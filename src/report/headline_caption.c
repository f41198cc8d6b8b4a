/* The captions of the main figures: what is drawn, and from which data sets. */

#include "report/headline_caption.h"

#include <stdlib.h>
#include <string.h>

#include "document/view.h"
#include "report/figures.h"
#include "report/fit_curve.h"
#include "report/headline_flags.h"
#include "report/headline_points.h"
#include "report/html.h"

/* " (drag coefficient 0.5, contact time 0 s)": of a data set; nothing where it has none. */
static void caption_apparatus(const json_t *set, FILE *html)
{
    const json_t *part;
    const char *name, *between = " (";

    json_object_foreach((json_t *) json_object_get(set, "apparatus"), name, part)
    {
        fputs(between, html);
        for (const char *c = name; *c; c++)
            cf_html_text(html, (char[]){*c == '_' ? ' ' : *c, '\0'});
        fputc(' ', html);
        cf_html_number(html, cf_view_number(part, "value"), 4);
        cf_html_unit(html, cf_view_text(part, "unit"));
        between = ", ";
    }
    fputs(strcmp(between, ", ") == 0 ? ")" : "", html);
}

/* The headline of n data sets was computed from a channel; without the law, so that a contact time
 * that the law alone tells is not in it. */
static void caption_source(const json_t *fit, const struct cf_headline_points *points,
                           const struct cf_shown_channel *channel, size_t n, FILE *html)
{
    size_t first = 0;

    while (first < points->ndata &&
           !(cf_headline_has(points, first) && cf_shown_in(fit, channel, first) &&
             strcmp(points->set[first].from, channel->name) == 0))
        first++;
    const json_t *set = json_array_get(json_object_get(fit, "data"), first);
    if (points->nset > 1 && n > 1) {
        fprintf(html, " In %zu of them ", n);
    } else if (points->nset > 1) {
        fputs(" Of ", html);
        cf_html_text(html, cf_view_text(set, "name"));
        fputc(' ', html);
    } else {
        fputc(' ', html);
    }
    cf_html_formula(html, *points->shown.symbol ? points->shown.symbol : points->shown.name);
    fputs(" is computed from the measured ", html);
    cf_html_text(html, channel->label);
    fputs(n > 1 ? " and each set&rsquo;s apparatus" : " and the apparatus", html);
    if (n == 1)
        caption_apparatus(set, html);
    fputs(" as stated, without anything that the law predicts.", html);
}

/* Of how many data sets the headline was computed from which other channel. */
static void caption_sources(const json_t *fit, const struct cf_headline_points *points, FILE *html)
{
    struct cf_shown_channel c;

    for (size_t k = 0; cf_shown_channel(fit, k, &c); k++) {
        size_t n = cf_headline_from(fit, points, &c);
        if (n && strcmp(c.name, points->shown.name) != 0)
            caption_source(fit, points, &c, n, html);
    }
}

/* Does a data set have curves of its parts? Which ones is then said. */
static bool caption_parts(const json_t *fit, size_t data, FILE *html)
{
    const json_t *curve;
    const char *between = NULL;
    size_t i;

    json_array_foreach(json_object_get(fit, "curves"), i, curve)
    {
        if (cf_view_count(curve, "data") != data || !json_object_get(curve, "part"))
            continue;
        if (!between) {
            fputs(" The curves of ", html);
            cf_html_text(html,
                         cf_view_text(json_array_get(json_object_get(fit, "data"), data), "name"));
            fputs(" are those at the conditions of its parts, in their order ", html);
        }
        fprintf(html, "%s%zu", between ? between : "", cf_view_count(curve, "part"));
        between = ", ";
    }
    if (between)
        fputs(".", html);
    return between != NULL;
}

/* What else was imposed when its curve was drawn: a load, where rows have several. */
static void caption_conditions(const json_t *fit, const struct cf_headline_points *points,
                               FILE *html)
{
    const char *branch[CF_BRANCHES_APART];
    size_t nbranch = cf_fit_branches(fit, &points->shown, branch);

    if (!points->named || nbranch > 1 || *branch[0]) /* strokes have conditions of their own */
        return;
    for (size_t i = 0; i < points->ndata; i++) {
        const json_t *set = json_array_get(json_object_get(fit, "data"), i), *value;
        const char *name, *between = " The curve of ";
        if (!points->set[i].from || caption_parts(fit, i, html))
            continue;
        json_object_foreach((json_t *) json_object_get(set, "conditions"), name, value)
        {
            fputs(between, html);
            if (strcmp(between, ", ") != 0) {
                cf_html_text(html, cf_view_text(set, "name"));
                fputs(" is that at the median of its rows: ", html);
            }
            cf_html_text(html, cf_channel_label(fit, name));
            fputc(' ', html);
            cf_html_number(html, json_number_value(value), 4);
            cf_html_unit(html, cf_channel_unit(fit, name));
            between = ", ";
        }
        if (strcmp(between, ", ") == 0)
            fputs(".", html);
    }
}

/* Those of one main channel. */
static void caption_points(const json_t *fit, const struct cf_headline_points *points, FILE *html)
{
    struct cf_curve_choice curves = {0};

    if (points->nset > 1) {
        fprintf(html, " The %zu data sets", points->nset);
        if (points->nset < points->ndata) {
            fputs(" with ", html);
            cf_html_text(html, points->shown.label);
        }
        fputs(points->named ? " have a marker each."
                            : ", too many for a key, have a marker each, black circles and squares "
                              "first, in the order in which they are listed under Data.",
              html);
    }
    caption_sources(fit, points, html);
    caption_conditions(fit, points, html);
    if (!cf_fit_curves_choose(fit, &points->shown, NULL, cf_headline_has, points, &curves, NULL))
        cf_fit_curves_caption(&curves, html);
    free(curves.curve);
    cf_headline_readings_caption(fit, points, html);
}

/* Which data set is which, and where the headline was computed from something else. */
void cf_headline_caption_sets(const json_t *fit, FILE *html)
{
    struct cf_headline_points points;

    for (size_t i = 0; !cf_headline_find(fit, i, &points, NULL); i++) {
        if (points.nset)
            caption_points(fit, &points, html);
        free(points.set);
    }
}

/* Which strokes of a loop are which. */
static void caption_branches(const char *const branch[], size_t n, FILE *html)
{
    if (n < 2)
        return;
    fputs(" Filled points are ", html);
    cf_html_text(html, branch[0]);
    fputs(", open points ", html);
    cf_html_text(html, branch[1]);
    fputs(", and their lines differ in colour; the lines of several data sets differ in their "
          "dashes.",
          html);
}

/* Where the axis is, then what is drawn. */
void cf_headline_caption(const json_t *fit, const char *along, size_t nrival, FILE *html)
{
    struct cf_shown_channel shown;
    const char *branch[CF_BRANCHES_APART];
    size_t nbranch = cf_shown_headline(fit, &shown) ? cf_fit_branches(fit, &shown, branch) : 0;

    cf_words_html(fit, along, html);
    fprintf(html,
            "Points are measurements, with error bars of one <i>&sigma;</i> where they are few; %s "
            "points "
            "were held out of the fit. The thick line is ",
            nbranch < 2 ? "open" : "orange");
    cf_html_text(html, cf_view_text(fit, "law"));
    fputs(" as fitted, with the confidence band of the curve", html);
    fputs(nrival ? "; thin lines are its rivals, each fitted to the same rows." : ".", html);
    caption_branches(branch, nbranch, html);
    cf_headline_flags_caption(fit, html);
    cf_headline_caption_sets(fit, html);
    cf_caption_points(fit, html);
}
