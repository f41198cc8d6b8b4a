/* The tournament: what it shows and what it cannot, and a table with a row for every different
 * curve, the laws that draw it, and what their residuals say. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/channel.h"
#include "report/html.h"
#include "report/prose.h"
#include "report/sections.h"

enum { COLUMNS = 7 }; /* that are always there */

struct table {
    const json_t *fit;
    const json_t *rivals, *contenders; /* side by side */
    bool held_out, leave_one_out;
    size_t columns;
    FILE *out;
};

static void put_name(const char *name, FILE *out)
{
    fputs("<b class=\"n\">", out);
    cf_html_text(out, name);
    fputs("</b>", out);
}

static void put_number(const struct table *t, const json_t *rival, const char *key, int decimals)
{
    fputs("<td class=\"r\">", t->out);
    cf_html_fixed(t->out, cf_view_number(rival, key), decimals);
    fputs("</td>", t->out);
}

/* The laws whose curve is that of row i, each with what it says of its parameters. */
static void put_equals(const struct table *t, const char *leader)
{
    bool any = false;

    for (size_t i = 0; i < json_array_size(t->contenders); i++) {
        if (strcmp(cf_view_text(json_array_get(t->contenders, i), "same_as"), leader) != 0)
            continue;
        if (any)
            fputs(", ", t->out);
        else
            cf_words_html(t->fit, "<br>The same {headline} curve: ", t->out);
        any = true;
        put_name(cf_view_text(json_array_get(t->rivals, i), "law"), t->out);
        if (cf_view_true(json_array_get(t->rivals, i), "own"))
            fputs(" (the study&rsquo;s own law)", t->out);
    }
    if (any)
        cf_words_html(t->fit, ". {Headline} cannot separate these laws.", t->out);
}

static void put_words(const struct table *t, const json_t *rival, const json_t *contender)
{
    bool describes = cf_view_true(contender, "describes");

    fprintf(t->out, "<tr><td colspan=\"%zu\" class=\"note\">", t->columns);
    if (describes) {
        fprintf(t->out,
                "<span class=\"tag fine\">&#10003; describes the data</span> none of %zu tests of "
                "its residuals rejects it.",
                json_array_size(json_object_get(contender, "tests")));
    } else {
        fprintf(t->out, "<span class=\"tag warn\">%s</span> ",
                cf_view_true(contender, "rejected") ? "&#10007; rejected" : "? not judged");
        cf_prose(t->fit, cf_view_text(contender, "verdict"), t->out);
        fputs(".", t->out);
    }
    fputs(cf_view_true(rival, "own") ? "<br>The study&rsquo;s own law: " : "<br>", t->out);
    cf_section_values(t->fit, rival, ", ", t->out);
    fputs(".", t->out);
    put_equals(t, cf_view_text(rival, "law"));
    fputs("</td></tr>\n", t->out);
}

static void put_curve(const struct table *t, size_t place, const json_t *rival,
                      const json_t *contender)
{
    fprintf(t->out, "<tr class=\"over%s\"><td class=\"r\">%zu</td><td class=\"name\"><b>",
            cf_view_true(rival, "own") ? " own" : "", place);
    cf_html_text(t->out, cf_view_text(rival, "law"));
    fprintf(t->out, "</b></td><td class=\"r\">%zu</td>", cf_view_count(rival, "rank"));
    put_number(t, rival, "delta_aicc", 1);
    put_number(t, rival, "bic", 1);
    put_number(t, rival, "weight", 3);
    put_number(t, rival, "rms_sigma", 2);
    if (t->held_out)
        put_number(t, rival, "held_out_rms_sigma", 2);
    if (t->leave_one_out)
        put_number(t, rival, "leave_one_out_rms_sigma", 2);
    fputs("</tr>\n", t->out);
    put_words(t, rival, contender);
}

static void put_table(const struct table *t)
{
    const char *heads[] = {">",        "Law",     ">Fitted", ">&Delta;&#8239;AICc",
                           ">BIC",     ">Weight", ">RMS",    ">Held out",
                           ">Left out"};
    size_t place = 0;

    if (!t->held_out)
        heads[COLUMNS] = heads[COLUMNS + 1];
    cf_html_table_begin(t->out, heads, t->columns);
    for (size_t i = 0; i < json_array_size(t->rivals); i++) {
        const json_t *rival = json_array_get(t->rivals, i);
        const json_t *contender = json_array_get(t->contenders, i);
        if (strcmp(cf_view_text(rival, "status"), "ok") != 0) {
            fputs("<tr><td></td><td class=\"name\">", t->out);
            cf_html_text(t->out, cf_view_text(rival, "law"));
            fprintf(t->out, "</td><td colspan=\"%zu\" class=\"note\">", t->columns - 2);
            cf_prose(t->fit, cf_view_text(contender, "verdict"), t->out);
            fputs("</td></tr>\n", t->out);
        } else if (!cf_view_text(contender, "same_as")[0]) {
            put_curve(t, ++place, rival, contender);
        }
    }
    cf_html_table_end(t->out);
}

void cf_section_tournament(const json_t *fit, FILE *out)
{
    const json_t *tournament = json_object_get(fit, "tournament");
    const json_t *statements = json_object_get(tournament, "statements");
    struct table table = {
        .fit = fit,
        .rivals = json_object_get(fit, "rivals"),
        .contenders = json_object_get(tournament, "contenders"),
        .held_out = json_is_object(json_object_get(tournament, "held_out")),
        .columns = COLUMNS,
        .out = out,
    };

    if (!json_is_object(tournament))
        return;
    table.leave_one_out = cf_view_has_leave_one_out(table.rivals);
    table.columns += (size_t) table.held_out + table.leave_one_out;
    fputs("<p>", out);
    cf_prose(fit, cf_view_text(tournament, "summary"), out);
    fputs("</p>\n<ul>\n", out);
    for (size_t i = 0; i < json_array_size(statements); i++) {
        fputs("<li>", out);
        cf_prose(fit, json_string_value(json_array_get(statements, i)), out);
        fputs("</li>\n", out);
    }
    fputs("</ul>\n", out);
    put_table(&table);
    fputs("<p class=\"note\">One row for each different curve, lowest AICc first; AICc and BIC: "
          "lower is better, log <i>&sigma;</i> is inside the likelihood. Fitted: how many numbers "
          "these "
          "rows "
          "identify, estimated <i>&sigma;</i> among them. Weight: exp(&minus;&Delta;/2) over all "
          "different "
          "curves, normalised; it compares the curves with each other and says nothing of whether "
          "any is right. RMS: residuals in units of <i>&sigma;</i>, that of the study&rsquo;s own "
          "law for "
          "all. ",
          out);
    if (table.held_out)
        fputs("Held out: the same on rows that no law was fitted to. ", out);
    if (table.leave_one_out)
        fputs("Left out: the same on each fitted row by a fit without it. ", out);
    fputs("Not identified: the compared rows alone do not determine it.</p>\n", out);
}
