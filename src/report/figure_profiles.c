/* Profile likelihoods: how much worse the best fit gets when one parameter is held elsewhere. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/layout.h"

enum { WALD_POINTS = 61 };

static bool has_profile(const json_t *parameter)
{
    return json_array_size(cf_view(parameter, "profile.value")) > 1 &&
           isfinite(cf_view_number(parameter, "value"));
}

static size_t panels(const json_t *fit)
{
    size_t n = 0;
    const char *name;
    json_t *parameter;
    json_object_foreach((json_t *) json_object_get(fit, "parameters"), name, parameter)
    {
        n += has_profile(parameter);
    }
    return n;
}

static bool applies(const json_t *fit)
{
    return panels(fit) > 0;
}

/* What is shown: a power of ten of the file's values, on logarithms where the profile spans a
 * decade. */
struct shown_profile {
    bool logarithmic;
    int power;
    double scale; /* of the file's values */
    struct cf_range range;
};

static struct shown_profile find_shown(const json_t *parameter)
{
    struct shown_profile shown = {false, 0, 1, CF_RANGE_EMPTY};
    const json_t *values = cf_view(parameter, "profile.value");

    for (size_t i = 0; i < json_array_size(values); i++)
        cf_range_include(&shown.range, cf_view_item(values, i));
    shown.logarithmic = shown.range.low > 0 && shown.range.high > 10 * shown.range.low;
    double least = fmin(fabs(shown.range.low), fabs(shown.range.high));
    if (!shown.logarithmic && least > 0) {
        shown.power = (int) floor(log10(least));
        if (shown.power > -3 && shown.power < 4)
            shown.power = 0;
    }
    shown.scale = pow(10, -shown.power);
    shown.range.low *= shown.scale;
    shown.range.high *= shown.scale;
    return shown;
}

static struct cf_chart_series *
add_profile(const json_t *parameter, const struct shown_profile *shown, struct cf_panel *panel)
{
    const json_t *values = cf_view(parameter, "profile.value");
    const json_t *deltas = cf_view(parameter, "profile.delta");
    struct cf_chart_series *series = cf_panel_add_series(
        panel, CF_SERIES_LINE, (struct cf_style){.colour = CF_BLUE, .width = 2.4});

    for (size_t i = 0; i < json_array_size(values); i++)
        cf_series_add(series, (struct cf_datum){.x = shown->scale * cf_view_item(values, i),
                                                .y = cf_view_item(deltas, i)});
    return series;
}

/* What the Wald interval takes the profile for: a parabola, in the logarithm where the fit walks
 * that, that meets the threshold at the interval's ends. NULL where there is no such interval. */
static struct cf_chart_series *add_wald(const json_t *parameter, const struct shown_profile *shown,
                                        double threshold, struct cf_panel *panel)
{
    bool logs = strcmp(cf_view_text(parameter, "scale"), "log") == 0;
    const json_t *wald = json_object_get(parameter, "wald");
    double low = cf_view_number(wald, "low"), high = cf_view_number(wald, "high");
    double middle = cf_view_number(parameter, "value");
    struct cf_range range = shown->range;

    if (!(high > low) || (logs && !(low > 0)) || !(range.high > range.low))
        return NULL;
    struct cf_chart_series *series = cf_panel_add_series(
        panel, CF_SERIES_LINE, (struct cf_style){.colour = CF_INK, .width = 1.4, .dash = "3,3"});
    double half = logs ? log(high / low) / 2 : (high - low) / 2;
    for (int i = 0; i < WALD_POINTS; i++) {
        double share = (double) i / (WALD_POINTS - 1);
        double x = shown->logarithmic ? range.low * pow(range.high / range.low, share)
                                      : range.low + share * (range.high - range.low);
        double value = x / shown->scale;
        double step = (logs ? log(value / middle) : value - middle) / half;
        cf_series_add(series, (struct cf_datum){.x = x, .y = threshold * step * step});
    }
    return series;
}

/* The threshold across the panel, and down from it where the interval ends. */
static void add_rules(const json_t *parameter, const struct shown_profile *shown, double threshold,
                      struct cf_style style, struct cf_panel *panel)
{
    static const char *const end[] = {"low", "high"};

    cf_panel_add_rule(panel, (struct cf_rule){-HUGE_VAL, threshold, HUGE_VAL, threshold, style});
    style.width = 1.2;
    style.dash = NULL;
    for (int i = 0; i < 2; i++) {
        double x = shown->scale * cf_view_number(json_object_get(parameter, "interval"), end[i]);
        if (isfinite(x))
            cf_panel_add_rule(panel, (struct cf_rule){x, threshold, x, -HUGE_VAL, style});
    }
}

/* A parameter whose name is none is called by its number. */
static void add_labels(const char *name, const char *unit, const struct shown_profile *shown,
                       size_t number, struct cf_panel *panel)
{
    struct cf_text *label = &panel->x.label;

    cf_text_add(&panel->y.label, "rise of −2 ln ");
    cf_text_symbol(&panel->y.label, "L");
    if (!cf_text_parameter(label, name))
        cf_text_add(label, "parameter %zu", number);
    bool pure = strcmp(unit, "1") == 0, bracket = !pure || shown->power;
    cf_text_add(label, "%s", bracket ? " / (" : "");
    if (shown->power)
        cf_text_power(label, shown->power);
    if (!pure) {
        cf_text_add(label, "%s", shown->power ? " " : "");
        cf_text_unit(label, unit);
    }
    cf_text_add(label, "%s", bracket ? ")" : "");
}

static void add_panel(const char *name, const json_t *parameter, const struct cf_stack *stack,
                      struct cf_chart *chart)
{
    const struct cf_style broken = {.colour = CF_VERMILION, .width = 1.4, .dash = "8,4"};
    struct cf_panel *panel = cf_stack_add_panel(stack, chart);
    struct shown_profile shown = find_shown(parameter);
    double threshold = cf_view_number(json_object_get(parameter, "profile"), "threshold");

    if (shown.logarithmic)
        cf_axis_decades(&panel->x, shown.range);
    else if (shown.range.high > shown.range.low)
        cf_axis_linear(&panel->x, shown.range);
    cf_axis_linear(&panel->y, (struct cf_range){0, 2 * threshold});
    add_labels(name, cf_view_text(parameter, "unit"), &shown, chart->npanel, panel);
    add_rules(parameter, &shown, threshold, broken, panel);
    cf_series_title(add_profile(parameter, &shown, panel), CF_KEY_HEADING, 0, "profile");
    struct cf_chart_series *wald = add_wald(parameter, &shown, threshold, panel);
    if (wald)
        cf_series_title(wald, CF_KEY_HEADING, 1, "Wald");
    cf_series_title(cf_panel_add_series(panel, CF_SERIES_LINE, broken), CF_KEY_HEADING, 2,
                    "threshold");
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    const struct cf_stack stack = {.height = 2.8, .count = panels(fit), .above = 0.35};
    const char *name;
    json_t *parameter;

    (void) err;
    cf_stack_chart(&stack, chart);
    json_object_foreach((json_t *) json_object_get(fit, "parameters"), name, parameter)
    {
        if (has_profile(parameter))
            add_panel(name, parameter, &stack, chart);
    }
    return CF_OK;
}

static void caption(const json_t *fit, FILE *html)
{
    (void) fit;
    fputs(
        "Profile likelihood, a panel a parameter: the rise of &minus;2&thinsp;ln&thinsp;<i>L</i> "
        "over its minimum when the parameter is held and all others are fitted anew. The interval "
        "ends where the solid curve meets the broken threshold line; where it never does, the "
        "data do not bound the parameter on that side. The dotted parabola is the curve that "
        "the Wald interval assumes.",
        html);
}

const struct cf_figure cf_figure_profiles = {
    .name = "profiles",
    .title = "Profile likelihoods",
    .what = "rise of -2 ln L against each parameter, with the interval's threshold",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
