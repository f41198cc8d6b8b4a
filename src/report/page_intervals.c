/* Intervals side by side: what the profile, the covariance, the bootstraps and the posterior say of
 * the same parameter, and how each was made. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/html.h"
#include "report/prose.h"
#include "report/sections.h"

enum { MAX_METHOD = 5 };

/* A data set of fewer rows is named: drawing its rows shows too little of its scatter. */
static const size_t few_rows = 10;

/* So many of them are named one by one. */
static const size_t most_named = 3;

/* One of the rows of a parameter. */
struct method {
    const char *head;
    const json_t *bootstrap; /* the entry of the fit file; NULL for the others */
    const json_t *posterior;
    const char *key; /* of the fitted parameter, for the others */
};

static size_t methods_of(const json_t *fit, struct method method[MAX_METHOD])
{
    const json_t *bootstraps = cf_view(fit, "bootstrap"), *posterior = cf_view(fit, "posterior");
    size_t n = 0;

    method[n++] = (struct method){.head = "Profile likelihood", .key = "interval"};
    method[n++] = (struct method){.head = "Wald", .key = "wald"};
    for (size_t i = 0; i < json_array_size(bootstraps) && n < MAX_METHOD - 1; i++) {
        const json_t *b = json_array_get(bootstraps, i);
        bool rows = strcmp(cf_view_text(b, "kind"), "rows") == 0;
        if (cf_view_true(b, "shown"))
            method[n++] = (struct method){
                .head = rows ? "Bootstrap of rows" : "Parametric bootstrap", .bootstrap = b};
    }
    if (cf_view_true(posterior, "converged"))
        method[n++] = (struct method){.head = "Posterior", .posterior = posterior};
    return n;
}

static void put_cell(const struct method *m, const json_t *row, const char *name, bool combination,
                     FILE *out)
{
    const json_t *from = json_object_get(row, m->key ? m->key : "");
    double value = cf_view_number(row, "value");

    /* the interval of a combination is Wald's */
    if (combination && m->key)
        from = json_object_get(row, strcmp(m->key, "wald") == 0 ? "interval" : "");
    if (m->bootstrap)
        from = json_object_get(
            json_object_get(m->bootstrap, combination ? "combinations" : "parameters"), name);
    if (m->posterior) {
        from =
            json_object_get(json_object_get(m->posterior, combination ? "" : "parameters"), name);
        value = cf_view_number(from, "median");
    }
    fputs("<td>", out);
    if (isfinite(cf_view_number(from, "low")) || isfinite(cf_view_number(from, "high")))
        cf_html_interval(out, value, cf_view_number(from, "low"), cf_view_number(from, "high"),
                         cf_view_text(row, "unit"));
    else
        cf_html_none(out);
    fputs("</td>", out);
}

/* A row for each method; the name stands beside all of them. */
static void put_number(const struct method method[], size_t n, const json_t *row, const char *name,
                       bool combination, FILE *out)
{
    for (size_t i = 0; i < n; i++) {
        fputs("<tr>", out);
        if (i == 0) {
            fprintf(out, "<td rowspan=\"%zu\">", n);
            cf_html_formula(out, name);
            fputs("</td>", out);
        }
        fprintf(out, "<td>%s</td>", method[i].head);
        put_cell(&method[i], row, name, combination, out);
        fputs("</tr>\n", out);
    }
}

static void put_table(const json_t *fit, const struct method method[], size_t n, FILE *out)
{
    static const char *const heads[] = {"Parameter", "By", "Value [interval]"};
    const json_t *combinations = cf_view(fit, "combinations");
    const char *name;
    json_t *parameter;

    cf_html_table_begin(out, heads, 3);
    json_object_foreach((json_t *) cf_view(fit, "parameters"), name, parameter)
    {
        if (strcmp(cf_view_text(parameter, "role"), "fitted") == 0 && cf_view_determined(parameter))
            put_number(method, n, parameter, name, false, out);
    }
    for (size_t i = 0; i < json_array_size(combinations); i++) {
        const json_t *c = json_array_get(combinations, i);
        put_number(method, n, c, cf_view_text(c, "name"), true, out);
    }
    cf_html_table_end(out);
}

/* The unit of a parameter or, where there is none of that name, of a combination. */
static const char *unit_of(const json_t *fit, const char *name)
{
    const json_t *parameter = json_object_get(cf_view(fit, "parameters"), name);
    const json_t *list = cf_view(fit, "combinations");

    for (size_t i = 0; i < json_array_size(list) && !parameter; i++)
        if (strcmp(cf_view_text(json_array_get(list, i), "name"), name) == 0)
            parameter = json_array_get(list, i);
    return cf_view_text(parameter, "unit");
}

/* "Standard error of k 2.4 x 10^6 N/m^1.5, bias ..., interval BCa." for each of a map. */
static void put_moments(const json_t *fit, const json_t *map, FILE *out)
{
    const char *name;
    json_t *r;

    json_object_foreach((json_t *) map, name, r)
    {
        fputs(" Standard error of ", out);
        cf_html_formula(out, name);
        fputs(" ", out);
        cf_html_number(out, cf_view_number(r, "standard_error"), 2);
        cf_html_unit(out, unit_of(fit, name));
        fputs(", bias ", out);
        cf_html_number(out, cf_view_number(r, "bias"), 2);
        cf_html_unit(out, unit_of(fit, name));
        fprintf(out, ", interval %s.",
                strcmp(cf_view_text(r, "method"), "BCa") == 0 ? "BCa" : "by percentile");
    }
}

/* Sets whose scatter the drawing of rows shows too small, by (n - 1)/n. */
static void put_few_rows(const json_t *fit, FILE *out)
{
    const json_t *data = cf_view(fit, "data");
    size_t few = 0;

    for (size_t i = 0; i < json_array_size(data); i++) {
        const json_t *d = json_array_get(data, i);
        size_t n = cf_view_count(d, "rows") - cf_view_count(d, "rows_held_out") -
                   cf_view_count(d, "rows_excluded");
        if (n == 0 || n >= few_rows || ++few > most_named)
            continue;
        fputs(" <b>Data set ", out);
        cf_html_text(out, cf_view_text(d, "name"));
        fprintf(out,
                " has only %zu rows</b>: with so few rows these intervals come out too narrow.", n);
    }
    if (few > most_named)
        fprintf(out, " <b>The same holds for %zu more data sets</b> of fewer than %zu rows.",
                few - most_named, few_rows);
}

static void put_bootstrap(const json_t *fit, const json_t *b, FILE *out)
{
    bool rows = strcmp(cf_view_text(b, "kind"), "rows") == 0;

    fprintf(out, "<li><b>%s</b>: ", rows ? "Bootstrap of rows" : "Parametric bootstrap");
    if (!cf_view_true(b, "shown")) {
        fputs("not shown: ", out);
        cf_prose(fit, cf_view_text(b, "why"), out);
        fputs(".</li>\n", out);
        return;
    }
    fprintf(
        out,
        rows
            ? "%zu times each data set&rsquo;s rows were drawn anew from themselves, the "
              "columns of a row together, and the fit made again: it does not lean on the "
              "stated <i>&sigma;</i>."
            : "%zu times values were drawn about the law&rsquo;s own predictions with the "
              "<i>&sigma;</i> in force, and the fit made again: it supposes that the law is right.",
        cf_view_count(b, "replicates"));
    fprintf(out, " %zu replicates failed.", cf_view_count(b, "failed"));
    put_moments(fit, json_object_get(b, "parameters"), out);
    put_moments(fit, json_object_get(b, "combinations"), out);
    if (rows)
        put_few_rows(fit, out);
    fputs("</li>\n", out);
}

void cf_section_intervals(const json_t *fit, FILE *out)
{
    const json_t *bootstraps = cf_view(fit, "bootstrap"), *posterior = cf_view(fit, "posterior");
    struct method method[MAX_METHOD];
    double level = cf_view_number(
        json_array_size(bootstraps) ? json_array_get(bootstraps, 0) : posterior, "level");

    if (!json_array_size(bootstraps) && !posterior)
        return;
    fputs("<p>", out);
    cf_html_number(out, 100 * level, 4);
    fputs("&#8239;% intervals of the same numbers, made in ways that suppose different things. "
          "Where they differ by much, ask why before believing the narrower.</p>\n",
          out);
    put_table(fit, method, methods_of(fit, method), out);
    fputs(
        "<ul class=\"note\">\n<li><b>Profile likelihood</b>: where the fit, all other parameters "
        "at their best, becomes worse than chance allows: by <i>&chi;</i><sup>2</sup> where every "
        "<i>&sigma;</i> is "
        "given, by Student&rsquo;s <i>t</i> where one is estimated. <b>Wald</b>: by the "
        "curvature at the optimum, symmetric on the scale (log or linear) on which the parameter "
        "is fitted.</li>\n",
        out);
    for (size_t i = 0; i < json_array_size(bootstraps); i++)
        put_bootstrap(fit, json_array_get(bootstraps, i), out);
    if (posterior)
        cf_page_posterior(fit, posterior, out);
    fputs("</ul>\n", out);
}
