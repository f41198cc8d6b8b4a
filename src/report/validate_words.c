#include "report/validate_words.h"

#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "document/json_value.h"
#include "document/view.h"
#include "report/html.h"
#include "report/listing.h"
#include "report/next_step.h"
#include "report/prose.h"
#include "report/sections.h"

static void put_coverage(const json_t *c, FILE *out)
{
    size_t n = cf_view_count(c, "n"), inside = cf_view_count(c, "inside");

    fprintf(out, "<h2>Coverage</h2>\n<ul>\n<li><b>%zu of %zu</b> values", inside, n);
    if (n > 0) {
        fputs(", ", out);
        cf_html_number(out, 100 * (double) inside / (double) n, 3);
        fputs("&#8239;%,", out);
    }
    fputs(" lie inside their ", out);
    cf_html_number(out, 100 * cf_view_number(c, "level"), 4);
    fputs("&#8239;% predictive intervals</li>\n<li>root mean square of the residuals: ", out);
    cf_html_number(out, cf_view_number(c, "rms_sigma"), 3);
    fputs(" &sigma; of the measurement, ", out);
    cf_html_number(out, cf_view_number(c, "rms_predictive"), 3);
    fputs(" of the prediction</li>\n<li>the errors of the fitted parameters, common to all rows, "
          "make ",
          out);
    cf_html_number(out, 100 * cf_view_number(c, "parameter_share"), 2);
    fputs("&#8239;% of the intervals&rsquo; variance</li>\n</ul>\n", out);
}

/* Each caution as far as its first colon: the reasons for it follow. */
static int put_cautions(const json_t *v, FILE *out, struct cf_error *err)
{
    const json_t *list = cf_view(v, "verdict.cautions");
    struct cf_listing listing = {
        .out = out, .what = "cautions", .n = json_array_size(list), .open = CF_OPEN_STATEMENTS};
    bool cut = false;

    if (!listing.n)
        return CF_OK;
    fputs("<h2>Cautions</h2>\n", out);
    cf_listing_begin(&listing);
    for (size_t i = 0; i < listing.n; i++) {
        const char *text = json_string_value(json_array_get(list, i)), *end = strstr(text, ": ");
        if (!cf_listing_next(&listing))
            continue;
        char *first = cf_format("%.*s", end ? (int) (end - text) : (int) strlen(text), text);
        if (!first)
            return cf_fail(err, CF_ENOMEM, "no memory for a caution");
        fputs("<li>", out);
        cf_prose(v, first, out);
        fputs("</li>\n", out);
        free(first);
        cut = cut || end;
    }
    cf_listing_end(&listing);
    if (cut)
        fputs("<p class=\"note\"><a href=\"#why\">The cautions in full</a></p>\n", out);
    return CF_OK;
}

int cf_validation_numbers(const json_t *validation, FILE *out, struct cf_error *err)
{
    const char *why = "", *study = cf_view_text(validation, "study");
    int status;

    put_coverage(json_object_get(validation, "coverage"), out);
    status = put_cautions(validation, out, err);
    if (status)
        return status;
    char *command = cf_next_validation(validation, *study ? study : "STUDY.yaml",
                                       cf_view_text(validation, "fit"), &why);
    return cf_section_command(command, why, out, err);
}

static bool has(const json_t *list, const char *text)
{
    const json_t *item;
    size_t i;

    json_array_foreach(list, i, item)
    {
        if (strcmp(json_string_value(item), text) == 0)
            return true;
    }
    return false;
}

json_t *cf_validation_new(const json_t *list, const json_t *said)
{
    json_t *new = json_array();
    json_t *item;
    size_t i;

    json_array_foreach(list, i, item)
    {
        if (!has(said, json_string_value(item)))
            cf_json_add(&new, json_incref(item));
    }
    return new;
}

bool cf_validation_has_words(const json_t *validation)
{
    return json_array_size(cf_view(validation, "verdict.reasons")) +
               json_array_size(cf_view(validation, "verdict.cautions")) +
               json_array_size(cf_view(validation, "verdict.counts")) >
           0;
}

int cf_validation_words(const json_t *validation, FILE *out, struct cf_error *err)
{
    const json_t *reasons = cf_view(validation, "verdict.reasons");
    json_t *counts = cf_validation_new(cf_view(validation, "verdict.counts"), reasons);

    if (!counts)
        return cf_fail(err, CF_ENOMEM, "no memory for a page");
    cf_section_list(validation, reasons, "Why", "reasons", out);
    cf_section_list(validation, cf_view(validation, "verdict.cautions"), "Cautions", "cautions",
                    out);
    cf_section_list(validation, counts, "Counted", "counts", out);
    json_decref(counts);
    return CF_OK;
}
