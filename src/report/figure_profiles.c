/* Profile likelihoods: how much worse the best fit gets when one parameter is held elsewhere. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "law/law.h"
#include "report/figures.h"
#include "report/plot.h"

#define HEIGHT 2.8

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

/* The axis: logarithmic where the profile spans a decade, else linear in a power of ten. */
struct axis {
    bool logarithmic;
    int power;
    double scale; /* of the file's values */
    struct cf_range range;
};

static struct axis find_axis(const json_t *parameter)
{
    struct axis axis = {false, 0, 1, CF_RANGE_EMPTY};
    const json_t *values = cf_view(parameter, "profile.value");

    for (size_t i = 0; i < json_array_size(values); i++)
        cf_range_include(&axis.range, cf_view_item(values, i));
    axis.logarithmic = axis.range.low > 0 && axis.range.high > 10 * axis.range.low;
    double least = fmin(fabs(axis.range.low), fabs(axis.range.high));
    if (!axis.logarithmic && least > 0) {
        axis.power = (int) floor(log10(least));
        if (axis.power > -3 && axis.power < 4)
            axis.power = 0;
    }
    axis.scale = pow(10, -axis.power);
    axis.range.low *= axis.scale;
    axis.range.high *= axis.scale;
    return axis;
}

static void put_profile(const json_t *parameter, const struct axis *axis, FILE *script)
{
    const json_t *values = cf_view(parameter, "profile.value");
    const json_t *deltas = cf_view(parameter, "profile.delta");

    cf_plot_begin(script, "profile");
    for (size_t i = 0; i < json_array_size(values); i++)
        fprintf(script, "%.17g %.17g\n", axis->scale * cf_view_item(values, i),
                cf_view_item(deltas, i));
    cf_plot_end(script);
}

/* What the Wald interval takes the profile for: a parabola, in the logarithm where the fit walks
 * that, that meets the threshold at the interval's ends. */
static bool put_wald(const json_t *parameter, const struct axis *axis, double threshold,
                     FILE *script)
{
    bool logs = strcmp(cf_view_text(parameter, "scale"), "log") == 0;
    const json_t *wald = json_object_get(parameter, "wald");
    double low = cf_view_number(wald, "low"), high = cf_view_number(wald, "high");
    double middle = cf_view_number(parameter, "value");

    if (!(high > low) || (logs && !(low > 0)) || !(axis->range.high > axis->range.low))
        return false;
    double half = logs ? log(high / low) / 2 : (high - low) / 2;
    cf_plot_begin(script, "wald");
    for (int i = 0; i < WALD_POINTS; i++) {
        double share = (double) i / (WALD_POINTS - 1);
        double x = axis->logarithmic
                       ? axis->range.low * pow(axis->range.high / axis->range.low, share)
                       : axis->range.low + share * (axis->range.high - axis->range.low);
        double value = x / axis->scale;
        double step = (logs ? log(value / middle) : value - middle) / half;
        fprintf(script, "%.17g %.17g\n", x, threshold * step * step);
    }
    cf_plot_end(script);
    return true;
}

/* Name and unit come from the table of the law that the file names; a parameter that no table
 * knows is called by its number, which the caption explains. */
static void put_labels(const json_t *fit, const char *name, const struct axis *axis,
                       const struct cf_panel *panel, FILE *script)
{
    const struct cf_law *law = cf_law_find(cf_view_text(fit, "law"));
    size_t i = law ? cf_param_find(law->param, law->nparam, name) : 0;

    cf_plot_label_begin(script, 'y');
    fputs("rise of −2 ln {/:Italic L}", script);
    cf_plot_label_end(script, panel, 'y');
    cf_plot_label_begin(script, 'x');
    if (!law || i == law->nparam) {
        fprintf(script, "parameter %zu", panel->index + 1);
    } else {
        bool unit = strcmp(law->param[i].unit, "1") != 0, bracket = unit || axis->power;
        cf_plot_symbol(script, law->param[i].name);
        fputs(bracket ? " / (" : "", script);
        if (axis->power)
            fprintf(script, "10^{%d}%s", axis->power, unit ? " " : "");
        if (unit)
            cf_plot_unit(script, law->param[i].unit);
        fputs(bracket ? ")" : "", script);
    }
    cf_plot_label_end(script, panel, 'x');
}

static void draw_panel(const json_t *fit, const char *name, const json_t *parameter,
                       const struct cf_panel *panel, FILE *script)
{
    struct axis axis = find_axis(parameter);
    double threshold = cf_view_number(json_object_get(parameter, "profile"), "threshold");
    const json_t *interval = json_object_get(parameter, "interval");
    double ends[2] = {cf_view_number(interval, "low"), cf_view_number(interval, "high")};

    put_profile(parameter, &axis, script);
    bool wald = put_wald(parameter, &axis, threshold, script);
    cf_plot_panel(script, panel);
    put_labels(fit, name, &axis, panel, script);
    if (axis.logarithmic)
        fprintf(script,
                "set logscale x\nset format x '10^{%%T}'\nset xtics autofreq\n"
                "set xrange [%.17g:%.17g]\n",
                axis.range.low, axis.range.high);
    else
        fputs("unset logscale x\n", script);
    if (!axis.logarithmic && axis.range.high > axis.range.low)
        cf_plot_range(script, 'x', axis.range);
    cf_plot_range(script, 'y', (struct cf_range){0, 2 * threshold});
    fprintf(script,
            "unset arrow\nset arrow from graph 0, first %.17g to graph 1, first %.17g "
            "nohead back linewidth 1.4 dashtype (8,4) linecolor rgb '" CF_VERMILION "'\n",
            threshold, threshold);
    for (int i = 0; i < 2; i++)
        if (isfinite(ends[i]))
            fprintf(script,
                    "set arrow from first %.17g, first %.17g to first %.17g, graph 0 nohead "
                    "back linewidth 1.2 linecolor rgb '" CF_VERMILION "'\n",
                    axis.scale * ends[i], threshold, axis.scale * ends[i]);
    fputs("plot $profile with lines linewidth 2.4 linecolor rgb '" CF_BLUE "' ", script);
    cf_plot_title(script, panel, 2, "profile");
    if (wald) {
        fputs(", $wald with lines linewidth 1.4 dashtype (3,3) linecolor rgb '" CF_INK "' ",
              script);
        cf_plot_title(script, panel, 1, "Wald");
    }
    fputs(", NaN with lines linewidth 1.4 dashtype (8,4) linecolor rgb '" CF_VERMILION "' ",
          script);
    cf_plot_title(script, panel, 0, "threshold");
    fputc('\n', script);
}

static int draw(const json_t *fit, FILE *script, struct cf_error *err)
{
    struct cf_panel panel = {CF_FIGURE_WIDTH, HEIGHT, 0, panels(fit), 0.35, 0, 0};
    const char *name;
    json_t *parameter;

    (void) err;
    cf_plot_frame(script);
    fputs("set multiplot\n", script);
    json_object_foreach((json_t *) json_object_get(fit, "parameters"), name, parameter)
    {
        if (!has_profile(parameter))
            continue;
        draw_panel(fit, name, parameter, &panel, script);
        panel.index++;
    }
    fputs("unset multiplot\n", script);
    return CF_OK;
}

static void caption(const json_t *fit, FILE *html)
{
    (void) fit;
    fputs(
        "Profile likelihood, a panel a parameter: the rise of &minus;2&thinsp;ln&thinsp;<i>L</i> "
        "over its minimum when the parameter is held and all others are fitted anew. The interval "
        "ends where the solid curve meets the broken threshold line; where it never does, the "
        "data do not bound the parameter on that side. The dotted parabola is what the Wald "
        "interval takes the curve for.",
        html);
}

const struct cf_figure cf_figure_profiles = {
    .name = "profiles",
    .title = "Profile likelihoods",
    .what = "rise of -2 ln L against each parameter, with the interval's threshold",
    .width = CF_FIGURE_WIDTH,
    .height = HEIGHT,
    .applies = applies,
    .panels = panels,
    .draw = draw,
    .caption = caption,
};
