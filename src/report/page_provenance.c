/* The foot of a page: the data, the law, and how the fit was made. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/html.h"
#include "report/listing.h"
#include "report/sections.h"

static void put_quantity(FILE *out, const char *what, double value, const char *unit)
{
    if (!isfinite(value))
        return;
    fprintf(out, "<dt>%s</dt><dd>", what);
    cf_html_number(out, value, 6);
    cf_html_unit(out, unit);
    fputs("</dd>\n", out);
}

static void put_channels(const json_t *channels, FILE *out)
{
    static const char *const heads[] = {"Measured", ">Values", "><i>&sigma;</i>",
                                        "<i>&sigma;</i> is", ">RMS residual"};

    cf_html_table_begin(out, heads, sizeof heads / sizeof heads[0]);
    for (size_t i = 0; i < json_array_size(channels); i++) {
        const json_t *channel = json_array_get(channels, i);
        const char *unit = cf_view_text(channel, "unit");
        if (!cf_view_text(channel, "sigma_kind")[0])
            continue;
        fputs("<tr><td>", out);
        cf_html_text(out, cf_view_text(channel, "label"));
        fprintf(out, "</td><td class=\"r\">%zu</td><td class=\"r\">", cf_view_count(channel, "n"));
        cf_html_number(out, cf_view_number(channel, "sigma"), 3);
        cf_html_unit(out, unit);
        fputs("</td><td>", out);
        cf_html_text(out, cf_view_text(channel, "sigma_kind"));
        fputs("</td><td class=\"r\">", out);
        cf_html_number(out, cf_view_number(channel, "rms"), 3);
        cf_html_unit(out, unit);
        fputs("</td></tr>\n", out);
    }
    cf_html_table_end(out);
}

static void put_lines(const json_t *lines, FILE *out)
{
    if (!json_array_size(lines))
        return;
    fputs("<pre>", out);
    for (size_t i = 0; i < json_array_size(lines); i++) {
        cf_html_text(out, json_string_value(json_array_get(lines, i)));
        fputc('\n', out);
    }
    fputs("</pre>\n", out);
}

/* The apparatus, where it is not as usual. */
static void put_apparatus(const json_t *apparatus, FILE *out)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *) apparatus, name, value)
    {
        if (cf_view_true(value, "usual"))
            continue;
        fputs("<dt>", out);
        cf_html_formula(out, name);
        fputs("</dt><dd>", out);
        cf_html_number(out, cf_view_number(value, "value"), 6);
        cf_html_unit(out, cf_view_text(value, "unit"));
        fputs("</dd>\n", out);
    }
}

/* The files of a record whose channels have their own, each with its hash. */
static void put_files(const json_t *files, FILE *out)
{
    for (size_t i = 0; i < json_array_size(files); i++) {
        const json_t *file = json_array_get(files, i), *channels = cf_view(file, "channels");
        fputs("<dt>File of ", out);
        for (size_t k = 0; k < json_array_size(channels); k++) {
            fputs(k ? ", " : "", out);
            cf_html_text(out, json_string_value(json_array_get(channels, k)));
        }
        fputs("</dt><dd><code>", out);
        cf_html_text(out, cf_view_text(file, "file"));
        fprintf(out, "</code>, %zu rows, SHA-256 <code>", cf_view_count(file, "rows"));
        cf_html_text(out, cf_view_text(file, "sha256"));
        fputs("</code></dd>\n", out);
    }
}

static void put_file(const json_t *data, FILE *out)
{
    const char *file = cf_view_text(data, "file");

    fputs("<dt>File</dt><dd>", out);
    if (file[0]) {
        fputs("<code>", out);
        cf_html_text(out, file);
        fputs("</code>", out);
    } else {
        fputs("in the study itself", out);
    }
    fputs("</dd>\n<dt>SHA-256</dt><dd><code>", out);
    cf_html_text(out, cf_view_text(data, "sha256"));
    fputs("</code></dd>\n", out);
}

/* The first data set of the same file, which has the same head. */
static size_t same_file(const json_t *all, size_t number)
{
    const char *hash = cf_view_text(json_array_get(all, number), "sha256");
    const json_t *lines = cf_view(json_array_get(all, number), "provenance");
    size_t first = 0;

    while (first < number &&
           (strcmp(cf_view_text(json_array_get(all, first), "sha256"), hash) ||
            !json_equal(cf_view(json_array_get(all, first), "provenance"), lines)))
        first++;
    return first;
}

/* What the file says of itself; not again for each data set that it has rows of. */
static void put_provenance(const json_t *all, size_t number, FILE *out)
{
    const json_t *lines = cf_view(json_array_get(all, number), "provenance");
    size_t first = same_file(all, number);

    if (first == number) {
        put_lines(lines, out);
    } else if (json_array_size(lines)) {
        fprintf(out, "<p class=\"note\">The head of the file stands above, under %zu. ", first + 1);
        cf_html_text(out, cf_view_text(json_array_get(all, first), "name"));
        fputs(".</p>\n", out);
    }
}

static void put_data(const json_t *all, size_t index, FILE *out)
{
    const json_t *data = json_array_get(all, index);

    fprintf(out, "<div class=\"set\">\n<h3>%zu. ", index + 1);
    cf_html_text(out, cf_view_text(data, "name"));
    fputs("</h3>\n<dl>\n", out);
    if (json_object_get(data, "files"))
        put_files(json_object_get(data, "files"), out);
    else
        put_file(data, out);
    fputs("<dt>Protocol</dt><dd>", out);
    cf_html_text(out, cf_view_text(data, "protocol"));
    fprintf(out, "</dd>\n<dt>Rows</dt><dd>%zu, of them %zu held out and %zu excluded</dd>\n",
            cf_view_count(data, "rows"), cf_view_count(data, "rows_held_out"),
            cf_view_count(data, "rows_excluded"));
    put_quantity(out, "Effective mass", cf_view_number(data, "mass_kg"), "kg");
    put_quantity(out, "Effective radius", cf_view_number(data, "radius_m"), "m");
    put_apparatus(json_object_get(data, "apparatus"), out);
    if (json_object_get(data, "press")) {
        fputs("<dt>shape of the probe</dt><dd>", out);
        cf_html_text(out, cf_view_text(json_object_get(data, "press"), "shape"));
        fputs("</dd>\n", out);
    }
    fputs("</dl>\n", out);
    put_channels(json_object_get(data, "channels"), out);
    cf_section_excluded(json_object_get(data, "excluded"), out);
    put_provenance(all, index, out);
    fputs("</div>\n", out);
}

/* More data sets than these stand in two columns on paper, as do those of a tournament, whose
 * paper the laws need. */
enum { MOST_WIDE = 3 };

void cf_section_data(const json_t *fit, FILE *out)
{
    const json_t *data = cf_view(fit, "data");
    struct cf_listing listing = {.out = out,
                                 .what = "data sets",
                                 .n = json_array_size(data),
                                 .open = CF_OPEN_SETS,
                                 .bare = true};

    bool columns = listing.n > MOST_WIDE || json_object_get(fit, "tournament");

    cf_section_bodies(fit, out);
    if (columns)
        fputs("<div class=\"sets\">\n<p class=\"paper\">On paper without the heads of the files, "
              "which the page and its JSON have.</p>\n",
              out);
    cf_listing_begin(&listing);
    for (size_t i = 0; i < listing.n; i++)
        if (cf_listing_next(&listing))
            put_data(data, i, out);
    cf_listing_end(&listing);
    fputs(columns ? "</div>\n" : "", out);
}

static void put_code(FILE *out, const char *what, const char *text)
{
    fprintf(out, "<dt>%s</dt><dd><code>", what);
    cf_html_text(out, text);
    fputs("</code></dd>\n", out);
}

static void put_bias(const json_t *fit, FILE *out)
{
    const json_t *bias = cf_view(fit, "solver_bias");

    fputs("<dt>Solver bias</dt><dd>", out);
    if (!json_is_object(bias)) {
        fputs("not measured</dd>\n", out);
        return;
    }
    fputs("at most ", out);
    cf_html_number(out, cf_view_number(bias, "max_over_sigma"), 2);
    fputs("&#8239;<i>&sigma;</i>, ", out);
    fputs(cf_view_true(bias, "passed") ? "below" : "<b>not below</b>", out);
    fputs(" the limit of ", out);
    cf_html_number(out, cf_view_number(bias, "gate"), 2);
    fputs("&#8239;<i>&sigma;</i></dd>\n", out);
}

void cf_section_law(const json_t *fit, FILE *out)
{
    fputs("<p class=\"formula\">", out);
    cf_html_formula(out, cf_view_text(fit, "law_formula"));
    fputs("</p>\n<p><b>", out);
    cf_html_text(out, cf_view_text(fit, "law"));
    fputs("</b>. Source: ", out);
    cf_html_text(out, cf_view_text(fit, "law_cite"));
    fputs("</p>\n", out);
}

void cf_section_making(const json_t *fit, FILE *out)
{
    const json_t *study = cf_view(fit, "study");

    fputs("<dl>\n", out);
    put_code(out, "Command", cf_view_text(fit, "command"));
    fputs("<dt>Program</dt><dd>contactfit ", out);
    cf_html_text(out, cf_view_text(fit, "version"));
    fprintf(out, "</dd>\n<dt>Seed</dt><dd>%zu</dd>\n", cf_view_count(fit, "seed"));
    put_code(out, "Study", cf_view_text(study, "path"));
    put_code(out, "Study&rsquo;s SHA-256", cf_view_text(study, "sha256"));
    put_quantity(out, "Gravity", cf_view_number(study, "gravity_m_s2"), "m/s^2");
    put_bias(fit, out);
    fputs("</dl>\n<h3>How to cite</h3>\n<p>State the law with its source, this page&rsquo;s data "
          "hash, the seed and the version: the same command on the same files gives the same "
          "numbers. For example: &ldquo;",
          out);
    cf_html_text(out, cf_view_text(fit, "title"));
    fputs(", fit of ", out);
    cf_html_text(out, cf_view_text(fit, "law"));
    fputs(" (", out);
    cf_html_text(out, cf_view_text(fit, "law_cite"));
    fputs(") by contactfit ", out);
    cf_html_text(out, cf_view_text(fit, "version"));
    fprintf(out, ", seed %zu, data SHA-256 ", cf_view_count(fit, "seed"));
    cf_html_text(out, cf_view_text(json_array_get(cf_view(fit, "data"), 0), "sha256"));
    fputs(".&rdquo;</p>\n", out);
}
