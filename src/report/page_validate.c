#include "report/page_validate.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/wrap.h"
#include "document/view.h"
#include "report/channel.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/listing.h"
#include "report/live.h"
#include "report/prose.h"
#include "report/sections.h"
#include "report/summary.h"
#include "report/validate_words.h"

static void put_top(const json_t *v, bool figures, FILE *out)
{
    const json_t *verdict = json_object_get(v, "verdict");
    bool agrees = cf_view_true(verdict, "agrees");

    fputs("<header>\n<p class=\"kind\">New data against a fit</p>\n<h1>", out);
    cf_html_text(out, cf_view_text(v, "title"));
    fputs("</h1>\n<p class=\"sub\">Against ", out);
    cf_html_text(out, cf_view_text(v, "law"));
    fputs(" as fitted in ", out);
    cf_html_text(out, cf_view_text(v, "fit"));
    fputs(" (", out);
    cf_html_text(out, cf_view_text(v, "fit_title"));
    fprintf(out,
            ")</p>\n</header>\n<nav aria-label=\"Contents\">\n<ul>\n%s%s"
            "<li><a href=\"#tests\">Tests</a></li>\n<li><a href=\"#rows\">The rows</a></li>\n"
            "<li><a href=\"#made\">How this was made</a></li>\n</ul>\n</nav>\n"
            "<section class=\"verdict %s\">\n<h2><span class=\"mark\" "
            "aria-hidden=\"true\">%s</span>%s</h2>\n<p>",
            cf_validation_has_words(v) ? "<li><a href=\"#why\">Why</a></li>\n" : "",
            figures ? "<li><a href=\"#figures\">More figures</a></li>\n" : "",
            agrees ? "good" : "misfit", agrees ? "&#10003;" : "&#10007;",
            agrees ? "Agrees" : "Disagrees");
    cf_prose(v, cf_view_text(verdict, "summary"), out);
    fputs("</p>\n</section>\n", out);
}

static void put_test(const json_t *v, const json_t *test, FILE *out)
{
    fputs("<tr><td>", out);
    cf_prose(v, cf_view_text(test, "test"), out);
    fputs("<br><span class=\"note\">", out);
    cf_html_text(out, cf_view_text(test, "data"));
    fputs(", ", out);
    cf_html_text(out, cf_channel_label(v, cf_view_text(test, "channel")));
    fputs("</span></td>", out);
    cf_section_outcome(v, test, "disagrees", out);
}

/* The tests that reject, or those that do not, in a table. */
static void put_some(const json_t *tests, const json_t *v, bool rejecting, size_t n, FILE *out)
{
    static const char *const heads[] = {"Test", "><i>p</i>", ">Adjusted <i>p</i>", "Outcome"};
    struct cf_listing listing = {.out = out,
                                 .what = "tests",
                                 .n = n,
                                 .open = CF_OPEN_ROWS,
                                 .heads = heads,
                                 .nhead = sizeof heads / sizeof heads[0]};
    size_t i = SIZE_MAX;

    if (cf_listing_is_long(n, listing.open))
        fputs("<p class=\"note\">The smallest <i>p</i> first.</p>\n", out);
    cf_listing_begin(&listing);
    while ((i = cf_listing_next_test(tests, i)) != SIZE_MAX) {
        if (cf_view_true(json_array_get(tests, i), "rejects") != rejecting)
            continue;
        if (!cf_listing_next(&listing))
            break;
        put_test(v, json_array_get(tests, i), out);
    }
    cf_listing_end(&listing);
}

static void put_tests(const json_t *v, FILE *out)
{
    const json_t *tests = json_object_get(v, "tests");
    size_t all = json_array_size(tests), n = 0;

    for (size_t i = 0; i < all; i++)
        n += cf_view_true(json_array_get(tests, i), "rejects");
    cf_fold_begin("tests", "Tests", true, out);
    fputs("<p>Do these rows agree with the fit? Every test allows for "
          "the errors of the fitted parameters; the adjustment is for the number of tests.</p>\n",
          out);
    if (n > 0)
        put_some(tests, v, true, n, out);
    if (n < all) {
        fprintf(out, "<details><summary>%zu test%s</summary>\n", all - n,
                all - n == 1 ? " passes" : "s pass");
        put_some(tests, v, false, all - n, out);
        fputs("</details>\n", out);
    }
    cf_fold_end(out);
}

/* Of many rows the table has what lies outside only, and says how many do. */
static void put_rows(const json_t *v, FILE *out)
{
    enum { LONG = 60 };
    const json_t *rows = json_object_get(v, "observations"), *points = json_object_get(v, "points");
    bool all = json_array_size(rows) <= LONG;
    bool thinned = cf_view_count(points, "held") < cf_view_count(points, "of");

    cf_fold_begin("rows", "The rows", false, out);
    fputs("<p>", out);
    if (all)
        fputs("Every value with its predictive interval", out);
    else
        fprintf(out, "The %zu of %zu values that lie outside their predictive intervals",
                cf_section_rows(v, NULL, all, CF_OPEN_ROWS, NULL), json_array_size(rows));
    if (thinned) {
        fprintf(out, ". Only some rows are looked at here: %zu of %zu, ",
                cf_view_count(points, "held"), cf_view_count(points, "of"));
        cf_html_text(out, cf_view_text(points, "rule"));
    }
    fputs(".</p>\n", out);
    cf_section_rows(v, NULL, all, all ? LONG : CF_OPEN_ROWS, out);
    cf_fold_end(out);
}

static void put_term(const char *term, const char *text, bool code, FILE *out)
{
    fprintf(out, "<dt>%s</dt><dd>%s", term, code ? "<code>" : "");
    cf_html_text(out, text);
    fprintf(out, "%s</dd>\n", code ? "</code>" : "");
}

static void put_making(const json_t *v, FILE *out)
{
    const json_t *data = json_object_get(v, "data");
    struct cf_listing listing = {.out = out,
                                 .what = "data sets",
                                 .n = json_array_size(data),
                                 .open = CF_OPEN_SETS,
                                 .bare = true};
    bool folds = cf_listing_is_long(listing.n, listing.open);

    cf_fold_begin("made", "How this was made", false, out);
    fputs("<dl>\n", out);
    put_term("Command", cf_view_text(v, "command"), true, out);
    put_term("Version", cf_view_text(v, "version"), false, out);
    put_term("Study", cf_view_text(v, "study_sha256"), true, out);
    if (folds)
        fputs("</dl>\n", out);
    cf_listing_begin(&listing);
    for (size_t i = 0; i < listing.n; i++) {
        const json_t *d = json_array_get(data, i);
        if (!cf_listing_next(&listing))
            continue;
        fputs(folds ? "<dl>\n" : "", out);
        put_term("Data set", cf_view_text(d, "name"), false, out);
        if (cf_view_text(d, "file")[0])
            put_term("File", cf_view_text(d, "file"), false, out);
        put_term("SHA&#8209;256", cf_view_text(d, "sha256"), true, out);
        fputs(folds ? "</dl>\n" : "", out);
    }
    cf_listing_end(&listing);
    fputs(folds ? "" : "</dl>\n", out);
    cf_fold_end(out);
}

static void caption(const json_t *v, FILE *html)
{
    fputs("Points: the new data, with error bars of one <i>&sigma;</i> where they are few. Line "
          "and band: ",
          html);
    cf_html_text(html, cf_view_text(v, "law"));
    fputs(" as it was fitted before, with the confidence band of its curve. Nothing was fitted "
          "here.",
          html);
    cf_caption_points(v, html);
}

static void caption_residuals(const json_t *v, FILE *html)
{
    cf_words_html(
        v, "Measured less predicted, in <i>&sigma;</i> of the measurement, against {axis label}.",
        html);
    cf_caption_points(v, html);
}

static int put_figure(const struct cf_figure *figure, int level, const json_t *v,
                      struct cf_plotter *plotter, FILE *out, struct cf_error *err)
{
    fprintf(out, "<h%d>", level);
    cf_words_html(v, figure->title, out);
    fprintf(out, "</h%d>\n", level);
    return cf_page_figure(figure, v, "", plotter, out, err);
}

/* The first screen below the verdict: a figure, or none, and beside it the numbers. */
static int put_first(const struct cf_figure *figure, const json_t *v, struct cf_plotter *plotter,
                     FILE *out, struct cf_error *err)
{
    int status = CF_OK;

    fputs(figure ? "<div class=\"first\">\n<section>\n" : "<div>\n<section>\n", out);
    if (figure)
        status = put_figure(figure, 2, v, plotter, out, err);
    fputs("</section>\n<section class=\"numbers\">\n", out);
    if (!status)
        status = cf_validation_numbers(v, out, err);
    fputs("</section>\n</div>\n", out);
    return status;
}

enum { MOST_FIGURES = 3 };

/* The figures of new data: the fit over what was measured with the residuals below it; other
 * quantities, and the residuals of all. Without such a pair, one of both. Returns their number. */
static size_t choose(const json_t *v, struct cf_figure figure[MOST_FIGURES])
{
    struct cf_figure all[] = {cf_figure_prediction, cf_figure_measurements, cf_figure_residuals};
    bool pair = all[0].applies(v), others = all[1].applies(v);
    size_t n = 0;

    if (!pair) {
        all[0] = cf_figure_headline_log.applies(v) ? cf_figure_headline_log : cf_figure_headline;
        all[0].caption = caption;
    }
    all[0].title = "New {label} over the fit";
    all[1].title = "New measurements over the fit";
    all[1].caption = caption;
    all[2].caption = caption_residuals;
    for (size_t i = 0; i < MOST_FIGURES; i++)
        if (all[i].applies(v) && !(i == 2 && pair && !others))
            figure[n++] = all[i];
    return n;
}

/* The first screen, why, and the other figures. */
static int put_figures(const json_t *v, struct cf_plotter *plotter, FILE *out, struct cf_error *err)
{
    struct cf_figure figure[MOST_FIGURES];
    size_t n = choose(v, figure);

    put_top(v, n > 1, out);
    int status = put_first(n ? figure : NULL, v, plotter, out, err);
    if (!status && cf_validation_has_words(v)) {
        cf_fold_begin("why", "Why, and what to keep in mind", true, out);
        status = cf_validation_words(v, out, err);
        cf_fold_end(out);
    }
    if (n > 1)
        cf_fold_begin("figures", "More figures", true, out);
    for (size_t i = 1; i < n && !status; i++)
        status = put_figure(&figure[i], 3, v, plotter, out, err);
    if (n > 1)
        cf_fold_end(out);
    return status;
}

int cf_page_validate_write(const json_t *v, bool draw, FILE *out, struct cf_error *err)
{
    struct cf_plotter plotter = CF_PLOTTER;

    cf_page_begin(v, "validation", out);
    int status = put_figures(v, draw ? &plotter : NULL, out, err);
    cf_plotter_end(&plotter);
    if (!status && draw)
        status = cf_live_rows(v, "", out, err);
    if (status)
        return status;
    put_tests(v, out);
    put_rows(v, out);
    put_making(v, out);
    if (draw)
        cf_live_script(cf_live_pieces, out);
    return cf_page_end(out, err);
}

/* A probability that doubles round to 0 is none. */
static const double least_p = 1e-15;

/* How wide a column of the first n tests that are shown has to be, and at least so much. */
static int widest(const json_t *tests, size_t n, const char *key, int least)
{
    int width = least;

    for (size_t k = 0, i = SIZE_MAX; k < n; k++) {
        i = cf_listing_next_test(tests, i);
        int own = (int) strlen(cf_view_text(json_array_get(tests, i), key));
        width = own > width ? own : width;
    }
    return width;
}

int cf_summary_validate_write(const json_t *v, FILE *out, struct cf_error *err)
{
    const json_t *verdict = json_object_get(v, "verdict");
    const json_t *tests = json_object_get(v, "tests");
    bool several = json_array_size(json_object_get(v, "data")) > 1;
    size_t all = json_array_size(tests),
           n = cf_listing_is_long(all, CF_OPEN_ROWS) ? CF_OPEN_ROWS : all;
    const json_t *list[] = {json_object_get(verdict, "reasons"),
                            json_object_get(verdict, "cautions"),
                            json_object_get(verdict, "counts")};
    static const char *const mark[] = {"  - ", "  ! ", "  = "};
    static const char *const what[] = {"reasons", "cautions", "counts"};

    cf_summary_text(out, cf_view_true(verdict, "agrees") ? "agrees: " : "disagrees: ",
                    cf_view_text(verdict, "summary"));
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        json_t *new = cf_validation_new(list[k], k > 0 ? list[0] : NULL);
        if (!new)
            return cf_fail(err, CF_ENOMEM, "no memory for the summary");
        cf_summary_list(out, mark[k], new, what[k]);
        json_decref(new);
    }
    int width[] = {widest(tests, n, "test", 17), widest(tests, n, "channel", 16)};
    fprintf(out, "\n  %-*s %-*s %9s\n", width[0], "test", width[1], "quantity", "adj. p");
    for (size_t k = 0, i = SIZE_MAX; k < n; k++) {
        i = cf_listing_next_test(tests, i);
        const json_t *t = json_array_get(tests, i);
        double p = cf_view_number(t, "p_adjusted");
        char shown[16];
        snprintf(shown, sizeof shown, p < least_p ? "<%.2g" : "%.2g", fmax(p, least_p));
        fprintf(out, "  %-*s %-*s %9s" CF_WRAP_FIRST "  %s%s%s\n", width[0],
                cf_view_text(t, "test"), width[1], cf_view_text(t, "channel"), shown,
                several ? cf_view_text(t, "data") : "", several ? ": " : "",
                cf_view_text(t, "text"));
    }
    if (n < all)
        fprintf(out, "  and %zu more tests, of larger p, on the page and in its JSON\n", all - n);
    return CF_OK;
}
