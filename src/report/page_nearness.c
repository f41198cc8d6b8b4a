/* How near the fitted curve is to what was measured, and what that number is not. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "judge/adequacy.h"
#include "report/channel.h"
#include "report/html.h"
#include "report/listing.h"
#include "report/prose.h"
#include "report/sections.h"

/* Sentences that stand open on the first screen. */
enum { OPEN = 3 };

static const json_t *all_of(const json_t *fit)
{
    return json_object_get(fit, "adequacy");
}

static void put_level(const json_t *fit, FILE *out)
{
    cf_html_number(out, 100 * cf_view_number(cf_view(fit, "study.options"), "level"), 4);
    fputs("&#8239;%", out);
}

void cf_section_near(const json_t *fit, const char *prefix, FILE *out)
{
    const json_t *all = all_of(fit), *entry;
    struct cf_listing listing = {
        .out = out, .what = "ranges", .n = json_array_size(all), .open = OPEN};
    size_t i;

    if (!listing.n)
        return;
    fputs("<h2>How near is the curve?</h2>\n", out);
    cf_listing_begin(&listing);
    json_array_foreach(all, i, entry)
    {
        if (!cf_listing_next(&listing))
            continue;
        fputs("<li>", out);
        cf_prose(fit, cf_view_text(entry, "text"), out);
        fputs("</li>\n", out);
    }
    cf_listing_end(&listing);
    fputs("<p class=\"note\">At ", out);
    put_level(fit, out);
    fputs(", for this specimen and apparatus. <a href=\"#", out);
    cf_html_text(out, prefix);
    fputs("near\">Limits, figure, and what they mean</a></p>\n", out);
}

/* A quantity with its unit. */
static void put_quantity(double value, int digits, const char *unit, FILE *out)
{
    cf_html_number(out, value, digits);
    if (isfinite(value))
        cf_html_unit(out, unit);
}

static void put_percent(double share, FILE *out)
{
    cf_html_number(out, 100 * share, 2);
    fputs("&#8239;%", out);
}

/* What is narrower along the axis is not seen: a factor where it is logarithmic. */
static void put_resolution(const json_t *entry, const struct cf_shown_axis *axis, FILE *out)
{
    double share = cf_view_number(json_object_get(entry, "reference"), "resolution");
    double low = cf_view_number(entry, "low"), high = cf_view_number(entry, "high");

    if (isnan(share)) {
        cf_html_none(out);
    } else if (share >= 1) {
        fputs("the range", out);
    } else if (axis->linear) {
        put_quantity(share * fabs(high - low), 2, axis->unit, out);
    } else {
        fputs("&times;&#8239;", out);
        cf_html_number(out, pow(high / low, share), 3);
    }
}

static void put_limits(const json_t *entry, const struct cf_shown_channel *shown, FILE *out)
{
    const json_t *in_unit = json_object_get(entry, "in_unit");
    double relative = cf_view_number(json_object_get(entry, "relative"), "at_most");

    fputs("<td class=\"r\">", out);
    put_quantity(cf_view_number(in_unit, "at_most"), 2, shown->unit, out);
    if (isfinite(relative)) {
        fputs("<br><span class=\"note\">", out);
        put_percent(relative, out);
        fputs("</span>", out);
    }
    fputs("</td><td class=\"r\">", out);
    put_quantity(cf_view_number(in_unit, "at_least"), 2, shown->unit, out);
    fputs("</td><td class=\"r\">", out);
    put_quantity(cf_view_number(entry, "worst_at"), 3, shown->axis.unit, out);
    fputs("</td><td class=\"r\">", out);
    put_resolution(entry, &shown->axis, out);
    fputs("</td>", out);
}

static void put_need(const json_t *need, const char *unit, FILE *out)
{
    const char *answer = cf_view_text(need, "answer");

    if (!need) {
        cf_html_none(out);
        return;
    }
    if (cf_view_true(need, "relative"))
        put_percent(cf_view_number(need, "within"), out);
    else
        put_quantity(cf_view_number(need, "within"), 3, unit, out);
    fprintf(out, " <span class=\"tag %s\">",
            strcmp(answer, cf_adequacy_text(CF_ADEQUATE)) == 0 ? "fine" : "warn");
    cf_html_text(out, answer);
    fputs("</span>", out);
}

static void put_entry(const json_t *entry, const struct cf_shown_channel *shown, FILE *out)
{
    const char *branch = cf_view_text(entry, "branch");
    size_t rows = cf_view_count(entry, "rows"), places = cf_view_count(entry, "places");

    const char *what = json_object_get(entry, "number") ? "run" : "row";

    fputs("<tr><td class=\"name\">", out);
    cf_html_text(out, shown->label);
    fputs(*branch ? ", " : "", out);
    cf_html_text(out, branch);
    fputs("<br><span class=\"note\">", out);
    if (places > 1) {
        cf_html_number(out, cf_view_number(entry, "low"), 3);
        fputs(" to ", out);
        put_quantity(cf_view_number(entry, "high"), 3, shown->axis.unit, out);
        fputs("<br>", out);
    }
    fprintf(out, "%zu %s%s", rows, what, rows == 1 ? "" : "s");
    if (places > 1)
        fprintf(out, " at %zu places", places);
    fputs("</span></td>", out);
    put_limits(entry, shown, out);
    fputs("<td>", out);
    put_need(json_object_get(entry, "needed"), shown->unit, out);
    fputs("</td></tr>\n", out);
}

static void put_table(const json_t *fit, FILE *out)
{
    static const char *const heads[] = {"Quantity, range", ">At most",    ">At least",
                                        ">Worst at",       ">Resolution", "Needed"};
    const json_t *all = all_of(fit), *entry;
    struct cf_listing listing = {.out = out,
                                 .what = "ranges",
                                 .n = json_array_size(all),
                                 .open = CF_OPEN_ROWS,
                                 .heads = heads,
                                 .nhead = sizeof heads / sizeof heads[0]};
    struct cf_shown_channel shown;
    size_t i;

    cf_listing_begin(&listing);
    json_array_foreach(all, i, entry)
    {
        if (cf_shown_judged(fit, entry, &shown) && cf_listing_next(&listing))
            put_entry(entry, &shown, out);
    }
    cf_listing_end(&listing);
}

/* Has any entry a reference, or lacks any of them one? */
static bool any_entry(const json_t *fit, bool with)
{
    const json_t *all = all_of(fit), *entry;
    bool any = false;
    size_t i;

    json_array_foreach(all, i, entry)
    {
        any = any || ((json_object_get(entry, "reference") != NULL) == with &&
                      !cf_view_true(entry, "averaged"));
    }
    return any;
}

static void put_meaning(const json_t *fit, FILE *out)
{
    fputs("<p>At ", out);
    put_level(fit, out);
    fputs(" the curve is nowhere in the range off by more than &ldquo;at most&rdquo;, "
          "and somewhere by &ldquo;at least&rdquo;. It is held against the measurements, smoothed "
          "by a cubic spline that does not know the law: the limits hold where the law fails, too, "
          "and tell nothing of its parameters. They do not see features along the axis that are "
          "narrower than the resolution, nor errors that all rows share, as of this one specimen; "
          "those of instruments are in them where the study states or fits them. Outside of the "
          "range they say nothing.</p>\n",
          out);
}

/* Numbers of too few runs for a curve. */
static void put_average(const json_t *fit, FILE *out)
{
    const json_t *all = all_of(fit), *entry;
    bool any = false;
    size_t i;

    json_array_foreach(all, i, entry)
    {
        any = any || cf_view_true(entry, "averaged");
    }
    if (!any)
        return;
    fprintf(
        out,
        "<p>Runs at fewer than %d places have no curve: &ldquo;at most&rdquo; is the limit of "
        "their mean difference from the law, by Student&rsquo;s t, and no less than the largest "
        "of any run where these differ.</p>\n",
        CF_ADEQUACY_PLACES);
}

/* What would tell, where it cannot be told. */
static void put_lack(FILE *out)
{
    fprintf(out,
            "<p>Where there are no limits, the sentence says why. Against too few places along the "
            "axis: "
            "measure at %d or more of them over the range that matters; more rows at the same "
            "places do "
            "not help.</p>\n",
            CF_ADEQUACY_PLACES);
}

void cf_section_nearness(const json_t *fit, FILE *out)
{
    if (!json_array_size(all_of(fit)))
        return;
    put_table(fit, out);
    if (any_entry(fit, true))
        put_meaning(fit, out);
    put_average(fit, out);
    if (any_entry(fit, false))
        put_lack(out);
}
