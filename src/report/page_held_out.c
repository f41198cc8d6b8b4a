/* The law against rows held out of its fit, and its rivals against the same rows. */

#include "document/view.h"
#include "report/channel.h"
#include "report/html.h"
#include "report/listing.h"
#include "report/sections.h"

/* By quantity, with their names where there are several. */
static void put_errors(const json_t *fit, const json_t *rms, FILE *out)
{
    const char *channel, *between = "";
    json_t *value;

    fputs("<td class=\"r\">", out);
    json_object_foreach((json_t *) rms, channel, value)
    {
        fputs(between, out);
        between = "<br>";
        if (json_object_size(rms) > 1) {
            cf_html_text(out, channel);
            fputs(" ", out);
        }
        cf_html_number(out, json_number_value(value), 3);
        cf_html_unit(out, cf_channel_unit(fit, channel));
    }
    fputs("</td>", out);
}

static void put_law(const json_t *fit, const json_t *rival, FILE *out)
{
    bool own = cf_view_true(rival, "own");

    fprintf(out, "<tr%s><td class=\"name\">", own ? " class=\"own\"" : "");
    cf_html_text(out, cf_view_text(rival, "law"));
    fputs("</td><td class=\"r\">", out);
    cf_html_fixed(out, cf_view_number(rival, "held_out_rms_sigma"), 2);
    fputs("</td>", out);
    put_errors(fit, json_object_get(json_object_get(rival, "held_out"), "rms"), out);
    fputs("</tr>\n", out);
}

/* Each law of a comparison, quantity by quantity; a tournament has too many. */
static void put_laws(const json_t *fit, FILE *out)
{
    static const char *const heads[] = {"Law", ">RMS error&#8239;/&#8239;<i>&sigma;</i>",
                                        ">RMS error"};
    const json_t *rivals = cf_view(fit, "rivals");

    if (!cf_view_text(json_object_get(fit, "held_out"), "text")[0] ||
        json_object_get(fit, "tournament"))
        return;
    fputs("<p>By law, of what all of them predict:</p>\n", out);
    cf_html_table_begin(out, heads, sizeof heads / sizeof heads[0]);
    for (size_t i = 0; i < json_array_size(rivals); i++)
        if (json_object_get(json_array_get(rivals, i), "held_out"))
            put_law(fit, json_array_get(rivals, i), out);
    cf_html_table_end(out);
}

void cf_section_held_out(const json_t *fit, FILE *out)
{
    const json_t *held = cf_view(fit, "held_out"), *points = cf_view(fit, "points");
    bool all = cf_view_count(points, "held") >= cf_view_count(points, "of");

    if (!json_is_object(held))
        return;
    fprintf(
        out,
        "<p>The law was fitted without these "
        "%zu values and then predicted them. Root mean square of the error over <i>&sigma;</i>: ",
        cf_view_count(held, "n"));
    cf_html_number(out, cf_view_number(held, "rms_sigma"), 3);
    fputs(" (about 1 where the law holds).", out);
    fputs(all ? "</p>\n"
              : " Shown are those of the rows in the fit file that lie outside their "
                "intervals.</p>\n",
          out);
    cf_section_rows(fit, "held-out", all, CF_OPEN_ROWS, out);
    put_laws(fit, out);
}
