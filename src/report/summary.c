#include "report/summary.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"
#include "core/wrap.h"
#include "document/view.h"
#include "report/listing.h"

/* A line, behind an empty one where it is the first of several. */
__attribute__((__format__(printf, 3, 4))) static void say(FILE *out, bool first, const char *format,
                                                          ...)
{
    va_list args;

    fputs(first ? "\n  " : "  ", out);
    va_start(args, format);
    vfprintf(out, format, args);
    va_end(args);
    fputc('\n', out);
}

void cf_summary_text(FILE *out, const char *mark, const char *text)
{
    fprintf(out, "%s%s\n", mark, text);
}

void cf_summary_list(FILE *out, const char *mark, const json_t *list, const char *what)
{
    size_t n = json_array_size(list);
    bool cut = cf_listing_is_long(n, CF_OPEN_STATEMENTS);

    for (size_t i = 0; i < (cut ? CF_OPEN_STATEMENTS : n); i++)
        cf_summary_text(out, mark, cf_view_statement(json_array_get(list, i)));
    if (cut)
        fprintf(out, "%sand %zu more %s, on the page and in its JSON\n", mark,
                n - CF_OPEN_STATEMENTS, what);
}

static void value_with_interval(FILE *out, double value, const json_t *interval)
{
    double low = cf_view_number(interval, "low"), high = cf_view_number(interval, "high");
    double half = isnan(low) ? high - value : isnan(high) ? value - low : (high - low) / 2;
    int digits = cf_decimal_digits(value, half, 6);
    char text[3][CF_DECIMAL];

    fprintf(out, "%-12s [%s, %s]", cf_decimal_short(value, digits, text[0]),
            isnan(low) ? "open" : cf_decimal_short(low, digits, text[1]),
            isnan(high) ? "open" : cf_decimal_short(high, digits, text[2]));
}

static const char *unit_of(const json_t *object)
{
    const char *unit = cf_view_text(object, "unit");
    return strcmp(unit, "1") == 0 ? "" : unit;
}

/* Its unit, and what a number is worth, in brackets: behind it where there is room, else below. */
static void put_worth(FILE *out, const char *unit, const char *worth)
{
    fprintf(out, "%s%s" CF_WRAP_FIRST "  (%s)\n", *unit ? " " : "", unit, worth);
}

static void parameter(FILE *out, const char *name, int width, const json_t *p)
{
    const char *worth = cf_view_text(p, "verdict_text"), *side;
    fprintf(out, "  %-*s " CF_WRAP_HANG, width, name);
    double limit;

    side = cf_view_limit(p, &limit);
    if (!cf_view_determined(p))
        fputs("not identified", out);
    else if (side)
        fprintf(out, "%s %.3g", side, limit);
    else if (json_is_object(json_object_get(p, "interval")))
        value_with_interval(out, cf_view_number(p, "value"), json_object_get(p, "interval"));
    else
        fprintf(out, "%-12.6g", cf_view_number(p, "value"));
    put_worth(out, cf_view_determined(p) ? unit_of(p) : "",
              *worth ? worth : cf_view_text(p, "verdict"));
}

static void nuisance(FILE *out, int width, const json_t *p)
{
    fprintf(out, "  %-*s " CF_WRAP_HANG, width, cf_view_text(p, "name"));

    if (json_is_object(json_object_get(p, "interval")))
        value_with_interval(out, cf_view_number(p, "value"), json_object_get(p, "interval"));
    else
        fputs("not identified", out);
    put_worth(out, unit_of(p), cf_view_true(p, "prior") ? "nuisance, with a prior" : "nuisance");
}

/* The longest name decides how wide the column of names is. */
static int name_width(const json_t *fit)
{
    size_t width = 8, i;
    const char *name;
    json_t *p;

    json_object_foreach(json_object_get(fit, "parameters"), name, p)
    {
        width = !cf_view_is_start(p) && strlen(name) > width ? strlen(name) : width;
    }
    json_array_foreach(json_object_get(fit, "combinations"), i, p)
    {
        size_t length = strlen(cf_view_text(p, "name"));
        width = length > width ? length : width;
    }
    json_array_foreach(json_object_get(fit, "nuisances"), i, p)
    {
        size_t length = strlen(cf_view_text(p, "name"));
        width = length > width ? length : width;
    }
    return (int) width;
}

static void parameters(FILE *out, const json_t *fit)
{
    int width = name_width(fit);
    const char *name;
    json_t *p;
    size_t i;

    fprintf(out, "\n  %s, intervals at %g %%\n", cf_view_text(fit, "law"),
            100 * cf_view_number(cf_view(fit, "study.options"), "level"));
    json_object_foreach(json_object_get(fit, "parameters"), name, p)
    {
        if (!cf_view_is_start(p))
            parameter(out, name, width, p);
    }
    if (cf_view_starts(fit))
        fprintf(out, "  and %zu numbers of the segments' starts, in the JSON of this result\n",
                cf_view_starts(fit));
    json_array_foreach(json_object_get(fit, "combinations"), i, p)
    {
        fprintf(out, "  %-*s " CF_WRAP_HANG, width, cf_view_text(p, "name"));
        value_with_interval(out, cf_view_number(p, "value"), json_object_get(p, "interval"));
        put_worth(out, unit_of(p), "identified");
    }
    json_array_foreach(json_object_get(fit, "nuisances"), i, p)
    {
        nuisance(out, width, p);
    }
}

/* What rows share, beside the parameters. */
static void shared(FILE *out, const json_t *fit)
{
    json_t *p;
    size_t i;

    json_array_foreach(cf_view(fit, "errors.shared"), i, p)
    {
        bool relative = cf_view_true(p, "relative"), of_parameter = *cf_view_text(p, "parameter");
        const char *unit = relative ? "%" : unit_of(p), *level = cf_view_text(p, "level");
        double per = relative ? 100 : 1;
        char sigma[160] = "not identified, taken as 0";
        double high = per * cf_view_number(p, "high");
        char end[40] = "open";
        if (!isnan(high))
            snprintf(end, sizeof end, "%.3g", high);
        if (cf_view_true(p, "identified"))
            snprintf(sigma, sizeof sigma, "%.3g [%.3g, %s]%s%s", per * cf_view_number(p, "sigma"),
                     per * cf_view_number(p, "low"), end, *unit ? " " : "", unit);
        say(out, i == 0,
            of_parameter ? "tau of %s, from one %s to another: %s (%zu groups, %zu rows)"
                         : "tau of %s, shared by the rows of one %s: %s (%zu groups, %zu rows)",
            cf_view_text(p, of_parameter ? "parameter" : "channel"), level, sigma,
            cf_view_count(p, "groups"), cf_view_count(p, "rows"));
    }
}

/* What is known of each row beside an estimated sigma. */
static void say_beside(const json_t *channel, char *text, size_t size)
{
    const char *unit = unit_of(channel), *space = *unit ? " " : "";
    int n = snprintf(text, size, "%s", "");

    if (json_object_get(channel, "sigma_floor"))
        n = snprintf(text, size, ", beside a floor of %.3g%s%s",
                     cf_view_number(channel, "sigma_floor"), space, unit);
    if (json_object_get(channel, "sigma_imposed") && n >= 0 && (size_t) n < size)
        snprintf(text + n, size - (size_t) n, "%s %.3g%s%s that errors of the imposed quantity add",
                 n ? " and" : ", beside", cf_view_number(channel, "sigma_imposed"), space, unit);
}

/* Has a data set before this one the channel's sigma, which they then share? */
static bool is_said(const json_t *fit, size_t data, size_t channel, const json_t *own)
{
    const json_t *all = cf_view(fit, "data");
    bool said = false;

    for (size_t i = 0; i < data && !said; i++) {
        const json_t *other =
            json_array_get(json_object_get(json_array_get(all, i), "channels"), channel);
        said = strcmp(cf_view_text(other, "name"), cf_view_text(own, "name")) == 0 &&
               cf_view_number(other, "sigma") == cf_view_number(own, "sigma");
    }
    return said;
}

/* Noise that is not one sigma a column. */
static void noise(FILE *out, const json_t *fit)
{
    json_t *data, *channel, *pair;
    size_t i, k;

    json_array_foreach(cf_view(fit, "data"), i, data)
    {
        json_array_foreach(json_object_get(data, "channels"), k, channel)
        {
            const char *unit = unit_of(channel);
            char beside[160];
            if (is_said(fit, i, k, channel))
                continue;
            say_beside(channel, beside, sizeof beside);
            if (json_object_get(channel, "sigma_exponent"))
                say(out, true, "sigma of %s goes with a power: %.3g x^%.2f, x the %s in %s%s",
                    cf_view_text(channel, "name"), cf_view_number(channel, "sigma_slope"),
                    cf_view_number(channel, "sigma_exponent"),
                    cf_view_text(json_object_get(data, "axis"), "name"),
                    cf_view_text(json_object_get(data, "axis"), "unit"), beside);
            else if (strcmp(cf_view_text(channel, "sigma_model"), "constant") == 0)
                say(out, true, "sigma of %s: %.3g%s%s%s", cf_view_text(channel, "name"),
                    cf_view_number(channel, "sigma_base"), *unit ? " " : "", unit, beside);
            else if (*cf_view_text(channel, "sigma_model"))
                say(out, true, "sigma of %s grows: sigma^2 = (%.3g)^2 + (%.3g x)^2, x the %s%s",
                    cf_view_text(channel, "name"), cf_view_number(channel, "sigma_base"),
                    cf_view_number(channel, "sigma_slope"),
                    cf_view_text(json_object_get(data, "axis"), "name"), beside);
        }
    }
    json_array_foreach(cf_view(fit, "errors.records"), i, pair)
    {
        if (cf_view_true(pair, "identified"))
            say(out, true, "sigma of each %s of %s, which its readings share: %.3g %s%s",
                cf_view_text(pair, "record"), cf_view_text(pair, "data"),
                cf_view_number(pair, "sigma"), cf_view_text(pair, "unit"),
                strcmp(cf_view_text(pair, "sigma_kind"), "given") == 0 ? ", as given" : "");
        else
            say(out, true, "sigma of each %s of %s: not identified, taken as 0",
                cf_view_text(pair, "record"), cf_view_text(pair, "data"));
    }
    json_array_foreach(cf_view(fit, "errors.serial"), i, pair)
    {
        if (strcmp(cf_view_text(pair, "model"), "white") != 0)
            say(out, true,
                "errors of %s of %s are correlated over %.3g rows (%s, order %zu): %zu "
                "rows are worth %.3g",
                cf_view_text(pair, "channel"), cf_view_text(pair, "data"),
                cf_view_number(pair, "correlation_rows"), cf_view_text(pair, "model"),
                cf_view_count(pair, "order"), cf_view_count(pair, "rows"),
                cf_view_number(pair, "effective_rows"));
    }
    json_array_foreach(cf_view(fit, "errors.correlated"), i, pair)
    {
        say(out, true, "correlation of the errors of %s and %s in one row: %.2f",
            cf_view_text(pair, "channel"), cf_view_text(pair, "with"),
            cf_view_number(pair, "correlation"));
    }
}

static void number_or_dash(FILE *out, int width, double value, const char *end)
{
    if (isnan(value))
        fprintf(out, "%*s%s", width, "-", end);
    else
        fprintf(out, "%*.2f%s", width, value, end);
}

/* The first of the rows that are worth a look, each in its own words. */
static void flagged(FILE *out, const json_t *list)
{
    enum { MOST_FLAGGED = 4 };
    size_t n = json_array_size(list), shown = n > MOST_FLAGGED ? MOST_FLAGGED : n;

    for (size_t i = 0; i < shown; i++) {
        const json_t *row = json_array_get(list, i);
        say(out, false, "%s: %s", cf_view_text(row, "kind"), cf_view_text(row, "text"));
    }
    if (shown < n)
        say(out, false, "and %zu more row%s, on the page", n - shown, n - shown == 1 ? "" : "s");
}

/* The error of prediction, and which rows are worth a look. */
static void rows(FILE *out, const json_t *fit)
{
    const json_t *left = cf_view(fit, "leave_one_out");
    if (!json_is_object(left))
        return;
    char over[120];
    if (cf_view_count(left, "of"))
        snprintf(over, sizeof over, "the %zu of %zu measurements that move the fit most",
                 cf_view_count(left, "n"), cf_view_count(left, "of"));
    else
        snprintf(over, sizeof over, "%zu measurements (about 1 is good)", cf_view_count(left, "n"));
    say(out, true, "leave-one%s-out error: %.2f sigma rms over %s",
        json_array_size(cf_view(fit, "errors.shared")) ? "-group" : "",
        cf_view_number(left, "rms_sigma"), over);
    flagged(out, cf_view(fit, "outliers"));
}

int cf_summary_law_width(const json_t *rivals)
{
    size_t width = 20; /* of the shorter names, so that most tables look alike */

    for (size_t i = 0; i < json_array_size(rivals); i++) {
        size_t length = strlen(cf_view_text(json_array_get(rivals, i), "law"));
        width = length > width ? length : width;
    }
    return (int) width;
}

/* Was any of them asked for rows that were held out? */
static bool has_held_out(const json_t *rivals)
{
    for (size_t i = 0; i < json_array_size(rivals); i++)
        if (!isnan(cf_view_number(json_array_get(rivals, i), "held_out_rms_sigma")))
            return true;
    return false;
}

/* A rival without a parameter that groups differ in. */
static void say_lacks(FILE *out, const json_t *rival)
{
    const json_t *lacks = json_object_get(rival, "lacks");
    char names[400] = "";

    for (size_t i = 0; i < json_array_size(lacks); i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                 json_string_value(json_array_get(lacks, i)));
    }
    if (*names)
        say(out, true, "%s fits no %s: %s", cf_view_text(rival, "law"), names,
            cf_view_true(rival, "groups_by_reading")
                ? "what a group shares is there a share of each reading"
                : "groups differ there in the other parameters alone");
}

static void rivals(FILE *out, const json_t *fit)
{
    const json_t *list = json_object_get(fit, "rivals");
    bool held_out = has_held_out(list);
    const char *better = cf_view_text(json_object_get(fit, "held_out"), "text");
    int width = cf_summary_law_width(list);

    if (json_array_size(list) == 0 && json_array_size(cf_view(fit, "study.rivals")))
        say(out, true, "The rivals were not compared: %s.",
            cf_view_found(fit, CF_RULE_UNFINISHED) ? "the fit was ended before"
                                                   : "nothing that all laws predict was measured");
    if (json_array_size(list) < 2)
        return;
    fprintf(out, "\n  %-*s %10s %7s %10s %10s%s\n", width, "law", "delta AICc", "weight",
            "rms/sigma", "loo/sigma", held_out ? " held-out/sigma" : "");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *v = json_array_get(list, i);
        double held = cf_view_number(v, "held_out_rms_sigma");
        fprintf(out, "%c %-*s ", cf_view_true(v, "own") ? '*' : ' ', width, cf_view_text(v, "law"));
        if (strcmp(cf_view_text(v, "status"), "ok") != 0) {
            fprintf(out, CF_WRAP_HANG "not compared: %s\n", cf_view_text(v, "why"));
            continue;
        }
        fprintf(out, "%10.2f %7.3f %10.2f ", cf_view_number(v, "delta_aicc"),
                cf_view_number(v, "weight"), cf_view_number(v, "rms_sigma"));
        number_or_dash(out, 10, cf_view_number(v, "leave_one_out_rms_sigma"),
                       held_out ? " " : "\n");
        if (held_out)
            number_or_dash(out, 14, held, "\n");
    }
    for (size_t i = 0; i < json_array_size(list); i++)
        say_lacks(out, json_array_get(list, i));
    if (*better)
        say(out, true, "%s", better);
}

/* How near curves come to what was measured. */
static void adequacy(FILE *out, const json_t *fit)
{
    const json_t *all = json_object_get(fit, "adequacy");

    for (size_t i = 0; i < json_array_size(all); i++)
        say(out, i == 0, "%s", cf_view_text(json_array_get(all, i), "text"));
}

void cf_summary_write(const json_t *fit, FILE *out)
{
    char first[64];

    snprintf(first, sizeof first, "%s: ", cf_view_text(cf_view(fit, "verdict"), "status"));
    fprintf(out, "%s%s\n", first, cf_view_text(cf_view(fit, "verdict"), "summary"));
    cf_summary_list(out, "  - ", cf_view(fit, "verdict.reasons"), "reasons");
    cf_summary_list(out, "  > ", cf_view(fit, "verdict.advice"), "pieces of advice");
    adequacy(out, fit);
    parameters(out, fit);
    cf_summary_budget(fit, out);
    shared(out, fit);
    noise(out, fit);
    rows(out, fit);
    rivals(out, fit);
}
