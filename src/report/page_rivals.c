/* The middle of a page: the law against its rivals. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "law/law.h"
#include "report/channel.h"
#include "report/html.h"
#include "report/prose.h"
#include "report/sections.h"

/* How much less a law is supported than the best one, by its distance in AICc: Burnham & Anderson,
 * Model Selection and Multimodel Inference, 2nd ed. 2002, sec. 2.6. */
static const double as_well = 2;

static const char *support(double delta)
{
    return delta <= as_well ? "about as well supported as the best"
           : delta <= 7     ? "considerably less supported than the best"
                            : "practically unsupported beside the best";
}

static bool compared(const json_t *rival)
{
    return strcmp(cf_view_text(rival, "status"), "ok") == 0 &&
           isfinite(cf_view_number(rival, "aicc"));
}

/* The best law's name; the list is sorted, so it is the first that was compared. */
static const json_t *best_of(const json_t *rivals)
{
    for (size_t i = 0; i < json_array_size(rivals); i++)
        if (compared(json_array_get(rivals, i)))
            return json_array_get(rivals, i);
    return NULL;
}

static const json_t *own_of(const json_t *rivals)
{
    for (size_t i = 0; i < json_array_size(rivals); i++)
        if (cf_view_true(json_array_get(rivals, i), "own"))
            return json_array_get(rivals, i);
    return NULL;
}

static void put_law(const json_t *rival, FILE *out)
{
    fputs("<b>", out);
    cf_html_text(out, cf_view_text(rival, "law"));
    fputs("</b>", out);
}

/* How far the fitted law, the best, is ahead. */
static void put_lead(const json_t *rivals, const json_t *best, FILE *out)
{
    const char *between = "";

    for (size_t i = 0; i < json_array_size(rivals); i++) {
        const json_t *rival = json_array_get(rivals, i);
        if (rival == best || !compared(rival) || !(cf_view_number(rival, "delta_aicc") < as_well))
            continue;
        fputs(*between ? between : ", but less than 2 below ", out);
        between = ", ";
        put_law(rival, out);
    }
    fputs(*between ? ": these data do not separate them."
                   : ": of these laws, the fitted one describes the data best.",
          out);
}

static void put_words(const json_t *rivals, FILE *out)
{
    const json_t *best = best_of(rivals), *own = own_of(rivals);

    if (!best)
        return;
    const struct cf_law *law = cf_law_find(cf_view_text(best, "law"));
    fputs("<p>", out);
    put_law(best, out);
    fprintf(out, " has the lowest AICc of all laws compared on the same %zu rows",
            cf_view_count(best, "n"));
    if (own == best) {
        put_lead(rivals, best, out);
        fputs(" The verdict and the residual tests show whether it describes them "
              "well.</p>\n",
              out);
        return;
    }
    fputs(". ", out);
    if (own && compared(own)) {
        fputs("The fitted law ", out);
        put_law(own, out);
        fputs(" lies ", out);
        cf_html_fixed(out, cf_view_number(own, "delta_aicc"), 1);
        fprintf(out, " above it: it is %s. ", support(cf_view_number(own, "delta_aicc")));
    }
    if (law && law->family == CF_FAMILY_RESTITUTION) {
        put_law(best, out);
        fputs(
            " is a formula for the restitution alone: it predicts no force, no compression and no "
            "contact time, and cannot drive a simulation by itself.",
            out);
    }
    fputs("</p>\n", out);
}

/* Is it one of the law's, and none of the rig's or of a segment's start? Files of before say it of
 * the fitted law's starts alone. */
static bool is_of_law(const json_t *fit, const char *name, const json_t *value)
{
    const char *role = cf_view_text(value, "role");

    return role[0] ? strcmp(role, "fitted") == 0
                   : !cf_view_is_start(json_object_get(json_object_get(fit, "parameters"), name));
}

static void put_quantity(const json_t *value, FILE *out)
{
    fputs(" = ", out);
    cf_html_number(out, cf_view_number(value, "value"), 4);
    cf_html_unit(out, cf_view_text(value, "unit"));
}

/* "held: k by Hertz", "v_e = 0.001 m/s", each behind a comma. */
static void put_held(const json_t *held, const char *between, const char *comma, FILE *out)
{
    const char *name, *head = comma[0] == '<' ? "held:<br>" : "held: ";
    json_t *value;

    json_object_foreach((json_t *) held, name, value)
    {
        fprintf(out, "%s%s", between, head);
        between = comma;
        head = "";
        cf_html_formula(out, name);
        if (json_is_string(json_object_get(value, "value")))
            fputs(" by Hertz", out);
        else
            put_quantity(value, out);
    }
}

/* Does the fit identify a number of its own law, by columns that the comparison does not have? */
static bool is_identified(const json_t *fit, const json_t *rival, const char *name)
{
    const json_t *parameter = json_object_get(json_object_get(fit, "parameters"), name);

    return cf_view_true(rival, "own") && parameter && cf_view_determined(parameter);
}

/* "a = 0.8416" and so on, one a line; then what is held. */
void cf_section_values(const json_t *fit, const json_t *rival, const char *comma, FILE *out)
{
    const char *name, *between = "";
    json_t *value;
    size_t others = 0;

    json_object_foreach((json_t *) json_object_get(rival, "parameters"), name, value)
    {
        others += !is_of_law(fit, name, value);
        if (!is_of_law(fit, name, value))
            continue;
        fputs(between, out);
        between = comma;
        cf_html_formula(out, name);
        if (!isfinite(cf_view_number(value, "value"))) {
            fputs(is_identified(fit, rival, name) ? " by other columns: see Parameters"
                                                  : " not identified",
                  out);
            continue;
        }
        put_quantity(value, out);
    }
    if (others)
        fprintf(out, "%sand %zu of rigs and segments", between, others);
    put_held(json_object_get(rival, "held"), others || *between ? comma : "", comma, out);
}

static void put_cell(FILE *out, double value, int decimals)
{
    fputs("<td class=\"r\">", out);
    cf_html_fixed(out, value, decimals);
    fputs("</td>", out);
}

/* In sigmas, and how far from the law under study: 0.79, +0.04, +- 0.05, in a narrow column. */
static void put_held_out(const json_t *rival, FILE *out)
{
    const json_t *held = json_object_get(rival, "held_out");
    double difference = cf_view_number(held, "difference");
    double error = cf_view_number(held, "standard_error");

    fputs("<td class=\"r\">", out);
    cf_html_fixed(out, cf_view_number(rival, "held_out_rms_sigma"), 2);
    if (isfinite(difference)) {
        fprintf(out, "<br><span class=\"note\">%s", difference > 0 ? "+" : "");
        cf_html_number(out, difference, 2);
        if (isfinite(error)) {
            fputs("<br>&plusmn;&#8239;", out);
            cf_html_number(out, error, 2);
        }
        fputs("</span>", out);
    }
    fputs("</td>", out);
}

void cf_section_rms(const json_t *fit, const json_t *rival, FILE *out)
{
    const char *channel, *between = "";
    json_t *value;

    fputs("<td class=\"r\">", out);
    json_object_foreach((json_t *) json_object_get(rival, "rms"), channel, value)
    {
        fputs(between, out);
        between = "<br>";
        cf_html_number(out, json_number_value(value), 3);
        cf_html_unit(out, cf_channel_unit(fit, channel));
    }
    if (!between[0])
        cf_html_none(out);
    fputs("</td>", out);
}

/* The columns that not every fit has: errors on rows left out, and on rows held out. */
struct columns {
    bool left_out, held_out;
};

static bool any_has(const json_t *rivals, const char *key)
{
    bool any = false;

    for (size_t i = 0; i < json_array_size(rivals); i++)
        any = any || isfinite(cf_view_number(json_array_get(rivals, i), key));
    return any;
}

/* A law of two parts takes two lines, and the table the width of the page. */
static void put_parts(const char *name, FILE *out)
{
    const char *plus = strstr(name, " + ");

    cf_html_letters(out, name, plus ? (size_t) (plus - name) : strlen(name));
    if (plus) {
        fputs("<br>", out);
        cf_html_text(out, plus + 1);
    }
}

/* A parameter that groups differ in, and the rival has not. */
static void put_lacks(const json_t *rival, FILE *out)
{
    const json_t *lacks = json_object_get(rival, "lacks");

    for (size_t i = 0; i < json_array_size(lacks); i++) {
        fputs(i ? ", " : "<br>fits no ", out);
        cf_html_formula(out, json_string_value(json_array_get(lacks, i)));
    }
    if (json_array_size(lacks))
        fputs(cf_view_true(rival, "groups_by_reading")
                  ? ": what a group shares is a share of each reading"
                  : ": groups differ in the other parameters alone",
              out);
}

static void put_rival(const json_t *fit, const json_t *rival, struct columns columns, FILE *out)
{
    fprintf(out, "<tr%s><td class=\"name\">", cf_view_true(rival, "own") ? " class=\"own\"" : "");
    put_parts(cf_view_text(rival, "law"), out);
    fputs("<br><span class=\"note\">", out);
    if (cf_view_true(rival, "own"))
        fputs("the fitted law<br>", out);
    cf_section_values(fit, rival, "<br>", out);
    put_lacks(rival, out);
    fputs("</span></td>", out);
    if (!compared(rival)) {
        fprintf(out, "<td colspan=\"%d\" class=\"note\">not compared",
                6 + columns.left_out + columns.held_out);
        fputs(cf_view_text(rival, "why")[0] ? ": " : "", out);
        cf_prose(fit, cf_view_text(rival, "why"), out);
        fputs("</td></tr>\n", out);
        return;
    }
    fprintf(out, "<td class=\"r\">%zu</td>", cf_view_count(rival, "rank"));
    put_cell(out, cf_view_number(rival, "aicc"), 1);
    put_cell(out, cf_view_number(rival, "delta_aicc"), 1);
    put_cell(out, cf_view_number(rival, "bic"), 1);
    put_cell(out, cf_view_number(rival, "weight"), 3);
    cf_section_rms(fit, rival, out);
    if (columns.left_out)
        put_cell(out, cf_view_number(rival, "leave_one_out_rms_sigma"), 2);
    if (columns.held_out)
        put_held_out(rival, out);
    fputs("</tr>\n", out);
}

/* Who predicts held-out rows better, and whether that is more than chance. */
static void put_better(const json_t *fit, FILE *out)
{
    const char *text = cf_view_text(json_object_get(fit, "held_out"), "text");

    if (!text[0])
        return;
    fputs("<p>", out);
    cf_prose(fit, text, out);
    fputs("</p>\n", out);
}

static void put_notes(struct columns columns, FILE *out)
{
    fputs("<p class=\"note\">AICc and BIC: lower is better; log <i>&sigma;</i> is inside the "
          "likelihood. Fitted: how many numbers these rows identify, estimated <i>&sigma;</i> and "
          "<i>&tau;</i> among them. &Delta;: distance in AICc from the best. Weight: "
          "exp(&minus;&Delta;/2), normalised. ",
          out);
    if (columns.left_out)
        fputs("One left out: root mean square of the errors on each row of fits without it, "
              "<i>&sigma;</i> that of the fitted law. ",
              out);
    if (columns.held_out)
        fprintf(out,
                "Held out: %s on rows that no law was fitted to, and below it the difference from "
                "the fitted law with its standard error. ",
                columns.left_out ? "the same" : "root mean square of the errors");
    fputs(
        "Laws are compared in what all of them predict, so a number that the fit of the "
        "study&rsquo;s law identifies by other columns may be &ldquo;not identified&rdquo; "
        "here. Intervals of a law that is chosen here do not know of the choice: <code>fit "
        "--choose-by hold-out</code> leaves it to the held-out rows.</p>\n",
        out);
}

static void put_table(const json_t *fit, const json_t *rivals, FILE *out)
{
    const struct columns columns = {any_has(rivals, "leave_one_out_rms_sigma"),
                                    any_has(rivals, "held_out_rms_sigma")};
    const char *heads[9] = {"Law",  ">Fitted", ">AICc",        ">&Delta;",
                            ">BIC", ">Weight", ">RMS residual"};
    size_t n = 7;

    if (columns.left_out)
        heads[n++] = ">One left out&#8239;/&#8239;<i>&sigma;</i>";
    if (columns.held_out)
        heads[n++] = ">Held out&#8239;/&#8239;<i>&sigma;</i>";
    cf_html_table_begin(out, heads, n);
    for (size_t i = 0; i < json_array_size(rivals); i++)
        put_rival(fit, json_array_get(rivals, i), columns, out);
    cf_html_table_end(out);
    put_notes(columns, out);
}

void cf_section_rivals(const json_t *fit, FILE *out)
{
    const json_t *rivals = cf_view(fit, "rivals");

    if (!json_array_size(rivals) && json_array_size(cf_view(fit, "study.rivals")))
        fprintf(out, "<p>The rivals were not compared: %s.</p>\n",
                cf_view_found(fit, CF_RULE_UNFINISHED)
                    ? "the fit was ended before"
                    : "nothing that all laws predict was measured");
    if (!json_array_size(rivals) || json_object_get(fit, "tournament"))
        return;
    put_words(rivals, out);
    put_better(fit, out);
    put_table(fit, rivals, out);
}
