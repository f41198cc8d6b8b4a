/* Rows to look at: those that stand off, those that decide the result, those that a robust loss
 * lets count for less. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/channel.h"
#include "report/html.h"
#include "report/listing.h"
#include "report/prose.h"
#include "report/sections.h"

static void put_row(const json_t *fit, const json_t *row, FILE *out)
{
    bool outlier = strcmp(cf_view_text(row, "kind"), "outlier") == 0;

    fprintf(out, "<tr><td><span class=\"tag%s\">%s</span></td><td>", outlier ? " warn" : "",
            outlier ? "outlier" : "influential");
    cf_prose(fit, cf_view_text(row, "text"), out);
    fputs("</td><td class=\"r\">", out);
    cf_html_fixed(out, cf_view_number(row, "studentized"), 2);
    fputs("</td><td class=\"r\">", out);
    cf_html_probability(out, cf_view_number(row, "p_adjusted"));
    fputs("</td><td class=\"r\">", out);
    cf_html_number(out, cf_view_number(row, "cook"), 2);
    fputs("</td></tr>\n", out);
}

static void put_table(const json_t *fit, const json_t *rows, FILE *out)
{
    static const char *const heads[] = {"", "Row", ">Studentised residual", ">Adjusted <i>p</i>",
                                        ">Cook&rsquo;s distance"};

    struct cf_listing listing = {.out = out,
                                 .what = "rows",
                                 .n = json_array_size(rows),
                                 .open = CF_OPEN_ROWS,
                                 .heads = heads,
                                 .nhead = sizeof heads / sizeof heads[0]};

    if (!listing.n)
        return;
    cf_listing_begin(&listing);
    for (size_t i = 0; i < listing.n; i++)
        if (cf_listing_next(&listing))
            put_row(fit, json_array_get(rows, i), out);
    cf_listing_end(&listing);
    fputs("<p class=\"note\">A row is an outlier where the law fitted without it misses it by more "
          "than scatter allows (1&#8239;% over all rows); while the residuals are systematic, only "
          "if nothing systematic is left without it. A row is influential (large Cook&rsquo;s "
          "distance; not in itself an error) where the parameters move "
          "beyond the middle of their confidence region without it. No row was left out for "
          "this.</p>\n",
          out);
}

static bool counts_less(const json_t *row)
{
    return cf_view_number(row, "weight") < 0.995; /* 1.00 to two decimals is in full */
}

static void put_weights(const json_t *fit, FILE *out)
{
    char axis[80];
    const char *const heads[] = {"Row", cf_words(fit, ">{Axis}", axis, sizeof axis),
                                 ">Residual&#8239;/&#8239;<i>&sigma;</i>", ">Weight"};
    const json_t *points = json_object_get(fit, "points");
    bool all = cf_view_count(points, "held") >= cf_view_count(points, "of");
    const json_t *rows = cf_view(fit, "observations"), *row;
    struct cf_listing listing = {.out = out,
                                 .what = "rows",
                                 .open = CF_OPEN_ROWS,
                                 .heads = heads,
                                 .nhead = sizeof heads / sizeof heads[0]};
    size_t i;

    fputs("<h3>Rows that count for less</h3>\n<p>The loss is ", out);
    cf_html_text(out, cf_view_text(cf_view(fit, "loss"), "name"));
    fputs(" (scale ", out);
    cf_html_number(out, cf_view_number(cf_view(fit, "loss"), "scale"), 4);
    fputs("), not squares: a row far off counts for less. The residual tests count all rows in "
          "full.",
          out);
    fputs(all ? "</p>\n" : " Shown are those of the rows in the fit file.</p>\n", out);
    json_array_foreach(rows, i, row)
    {
        listing.n += counts_less(row);
    }
    cf_listing_begin(&listing);
    json_array_foreach(rows, i, row)
    {
        if (!counts_less(row) || !cf_listing_next(&listing))
            continue;
        cf_section_row_head(fit, row, out);
        fputs("<td class=\"r\">", out);
        cf_html_fixed(out, cf_view_number(row, "residual"), 2);
        fputs("</td><td class=\"r\">", out);
        cf_html_fixed(out, cf_view_number(row, "weight"), 2);
        fputs("</td></tr>\n", out);
    }
    cf_listing_end(&listing);
}

static void put_influence(const json_t *left, FILE *out)
{
    size_t n = cf_view_count(left, "by_influence");

    if (n)
        fprintf(out,
                " For %zu of them the fit was not repeated: the prediction follows from residual "
                "and leverage, as refits without the most influential rows confirm.",
                n);
}

static void put_left_out(const json_t *fit, const json_t *left, FILE *out)
{
    size_t n = cf_view_count(left, "n"), of = cf_view_count(left, "of");
    bool groups = json_array_size(cf_view(fit, "errors.shared")) > 0;

    fputs("<p>Predictions of ", out);
    if (of)
        fprintf(out, "the %zu of %zu measurements that move the fit most", n, of);
    else
        fprintf(out, "the %zu measurements", n);
    fprintf(out, ", each by a fit without %s, miss them by ", groups ? "its group" : "it");
    cf_html_number(out, cf_view_number(left, "rms_sigma"), 3);
    fprintf(out, "&#8239;<i>&sigma;</i> (root mean square%s).",
            of ? "" : "; about 1 where the law holds");
    if (of)
        fputs(" For the others this is not known: it does not follow from their residuals and "
              "leverages, and more refits would take too long.",
              out);
    put_influence(left, out);
}

void cf_section_outliers(const json_t *fit, FILE *out)
{
    const json_t *rows = cf_view(fit, "outliers"), *left = cf_view(fit, "leave_one_out");
    const char *loss = cf_view_text(cf_view(fit, "loss"), "name");
    bool robust = loss[0] && strcmp(loss, "squares") != 0;

    if (!json_array_size(rows) && !robust && !json_is_object(left))
        return;
    if (json_is_object(left)) {
        put_left_out(fit, left, out);
        fputs(json_array_size(rows) ? "</p>\n" : " No row is an outlier or influential.</p>\n",
              out);
    }
    put_table(fit, rows, out);
    if (robust)
        put_weights(fit, out);
}
