/* What the fitted law is worth in simulators: a row for all of them that do the same with it. */

#include <math.h>

#include "document/view.h"
#include "report/html.h"
#include "report/prose.h"
#include "report/sections.h"

enum { COLUMNS = 5 };

/* A step in the unit that it is usually given in. */
static void put_step(double dt_s, FILE *out)
{
    if (!isfinite(dt_s)) {
        cf_html_none(out);
        return;
    }
    bool milli = dt_s > 0.99e-3;
    cf_html_number(out, dt_s * (milli ? 1e3 : 1e6), 2);
    fputs(milli ? "&#8239;ms" : "&#8239;&micro;s", out);
}

static void put_targets(const json_t *row, FILE *out)
{
    const json_t *targets = json_object_get(row, "targets");

    for (size_t i = 0; i < json_array_size(targets); i++) {
        fputs(i ? ", <b>" : "<b>", out);
        cf_html_text(out, cf_view_text(json_array_get(targets, i), "title"));
        fputs("</b>", out);
    }
}

/* Below a row: why, and e at each step. */
static void put_notes(const json_t *row, const json_t *dt, FILE *out)
{
    const json_t *steps = json_object_get(row, "steps"), *step;
    const char *instead = cf_view_text(row, "instead");
    size_t i;

    fprintf(out, "<tr><td></td><td colspan=\"%d\" class=\"note\">", COLUMNS - 1);
    if (instead[0]) {
        fputs("It has ", out);
        cf_prose(NULL, instead, out);
        fputs(": ", out);
    }
    cf_prose(NULL, cf_view_text(row, "why"), out);
    json_array_foreach(steps, i, step)
    {
        fputs(i ? "; at " : ".<br><i>e</i> at ", out);
        put_step(cf_view_item(dt, i), out);
        fputs(": ", out);
        cf_html_fixed(out, cf_view_number(step, "low"), 3);
        fputs(" to ", out);
        cf_html_fixed(out, cf_view_number(step, "high"), 3);
        fputs(cf_view_true(step, "good") ? "&nbsp;&#10003;" : "&nbsp;&#10007;", out);
    }
    fputs(".</td></tr>\n", out);
}

static void put_row(const json_t *row, size_t number, const json_t *dt, FILE *out)
{
    double largest = cf_view_number(row, "largest_dt_s");

    fprintf(out, "<tr class=\"over\"><td class=\"r\">%zu</td><td>", number);
    put_targets(row, out);
    fputs("</td><td>", out);
    cf_prose(NULL, cf_view_text(row, "exactness"), out);
    fputs("</td><td class=\"r\">", out);
    cf_html_fixed(out, cf_view_number(row, "range_error"), 3);
    fputs("</td><td class=\"r\">", out);
    if (json_array_size(json_object_get(row, "steps")) == 0)
        cf_html_none(out);
    else if (largest > 0)
        put_step(largest, out);
    else
        fputs("none", out);
    fputs("</td></tr>\n", out);
    put_notes(row, dt, out);
}

static void put_words(const json_t *part, FILE *out)
{
    fputs("<p>What simulators will make of this law. A bounce at ", out);
    cf_html_number(out, cf_view_number(part, "speed_m_s"), 3);
    fputs("&#8239;m/s, the middle of the fitted speeds, has <i>e</i> = ", out);
    cf_html_fixed(out, cf_view_number(part, "e"), 4);
    fputs(" by the fit, and what stays within ", out);
    cf_html_number(out, cf_view_number(part, "bound"), 2);
    fputs(
        " of the fit at all fitted speeds is good (&#10003;). Steps show <i>e</i> at the middle, "
        "over all "
        "places within a step where the touch may fall, with the damping chosen for the step where "
        "that helps; above 1 a bounce gains energy.</p>\n",
        out);
}

void cf_section_simulators(const json_t *fit, FILE *out)
{
    static const char *const heads[COLUMNS] = {">No.", "Simulator", "The law there",
                                               ">Largest error of <i>e</i>, fitted speeds",
                                               ">Largest good step"};
    const json_t *part = json_object_get(fit, "simulators"), *rows = cf_view(part, "rows"), *row;
    size_t i;

    if (json_array_size(rows) == 0)
        return;
    put_words(part, out);
    cf_html_table_begin(out, heads, COLUMNS);
    json_array_foreach(rows, i, row) put_row(row, i + 1, json_object_get(part, "dt_s"), out);
    cf_html_table_end(out);
    fputs("<p class=\"note\"><code>contactfit export --to NAME FIT.json</code> writes the "
          "parameters, <code>--list</code> has the names; <code>--dt</code> is for your step, "
          "<code>--keep step</code> for one that is too long for the contact, and "
          "<code>--verify</code> runs the simulator. <code>--to c-header</code>, "
          "<code>python</code> or <code>javascript</code> is <i>e</i>(<i>v</i>) as code, for "
          "engines that take <i>e</i> "
          "at "
          "the touch: they have every <i>e</i> of the fit at any step.</p>\n",
          out);
}
