/* Whatever else was measured (contact duration, compression, force), a panel a quantity, against
 * the approach speed, with the fitted law and its band. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/plot.h"

#define HEIGHT 3.2

static bool is_of(const json_t *item, const struct cf_quantity *quantity)
{
    return strcmp(cf_view_text(item, "quantity"), quantity->name) == 0;
}

/* Restitution has figures of its own. */
static bool has_panel(const json_t *fit, const struct cf_quantity *quantity)
{
    size_t i;
    json_t *row;

    if (strcmp(quantity->name, "restitution") == 0)
        return false;
    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        if (is_of(row, quantity) && strcmp(cf_view_text(row, "use"), "excluded") != 0)
            return true;
    }
    return false;
}

static size_t panels(const json_t *fit)
{
    size_t n = 0;
    for (const struct cf_quantity *q = cf_quantities; q->name; q++)
        n += has_panel(fit, q);
    return n;
}

static bool applies(const json_t *fit)
{
    return panels(fit) > 0;
}

static size_t put_points(const json_t *fit, const struct cf_quantity *quantity, const char *use,
                         double factor, FILE *script)
{
    size_t i, n = 0;
    json_t *row;

    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        double sigma = cf_view_number(row, "sigma");
        if (!is_of(row, quantity) || strcmp(cf_view_text(row, "use"), use) != 0)
            continue;
        if (n++ == 0)
            cf_plot_begin(script, "%s", strcmp(use, "fit") == 0 ? "fitted" : "held");
        fprintf(script, "%.17g %.17g %.17g\n", cf_view_number(row, "speed_m_s"),
                factor * cf_view_number(row, "measured"), isfinite(sigma) ? factor * sigma : 0);
    }
    if (n)
        cf_plot_end(script);
    return n;
}

static void put_curve(const json_t *curve, size_t index, double factor, FILE *script)
{
    const json_t *speeds = json_object_get(curve, "speed_m_s");
    static const char *const column[] = {"value", "low", "high"};

    cf_plot_begin(script, "curve%zu", index);
    for (size_t i = 0; i < json_array_size(speeds); i++) {
        fprintf(script, "%.17g", cf_view_item(speeds, i));
        for (size_t j = 0; j < 3; j++)
            cf_plot_number(script, factor * cf_view_item(json_object_get(curve, column[j]), i));
        fputc('\n', script);
    }
    cf_plot_end(script);
}

/* Ranges from the measurements and from the law between them. */
static void find_ranges(const json_t *fit, const struct cf_quantity *quantity,
                        struct cf_range *speed, struct cf_range *y)
{
    size_t i;
    json_t *item;

    json_array_foreach(json_object_get(fit, "observations"), i, item)
    {
        double value = cf_view_number(item, "measured"), sigma = cf_view_number(item, "sigma");
        double predicted = cf_view_number(item, "predicted");
        if (!is_of(item, quantity) || strcmp(cf_view_text(item, "use"), "excluded") == 0)
            continue;
        cf_range_include(speed, cf_view_number(item, "speed_m_s"));
        cf_range_include(y, value - (isfinite(sigma) ? sigma : 0));
        cf_range_include(y, value + (isfinite(sigma) ? sigma : 0));
        cf_range_include(y, predicted);
    }
}

static void draw_panel(const json_t *fit, const struct cf_quantity *quantity,
                       const struct cf_panel *panel, FILE *script)
{
    struct cf_range speed = CF_RANGE_EMPTY, y = CF_RANGE_EMPTY;
    size_t i;
    json_t *curve;
    bool begun = false;

    find_ranges(fit, quantity, &speed, &y);
    cf_plot_panel(script, panel);
    struct cf_axis_prefix prefix = cf_plot_prefix(quantity->unit, fmax(fabs(y.low), fabs(y.high)));
    size_t nfit = put_points(fit, quantity, "fit", prefix.factor, script);
    size_t nheld = put_points(fit, quantity, "held-out", prefix.factor, script);
    json_array_foreach(json_object_get(fit, "curves"), i, curve)
    {
        if (is_of(curve, quantity))
            put_curve(curve, i, prefix.factor, script);
    }

    y.low *= prefix.factor;
    y.high *= prefix.factor;
    cf_range_pad(&y, 0.15);
    cf_plot_range(script, 'y', y);
    cf_plot_speed_axis(script, panel, speed, speed.high > 1.5 * speed.low);
    cf_plot_label_begin(script, 'y');
    bool composed = strchr(quantity->unit, '/') != NULL;
    fprintf(script, "%s / %s%s%s%s", quantity->label, composed ? "(" : "", prefix.symbol,
            quantity->unit, composed ? ")" : "");
    cf_plot_label_end(script, panel, 'y');
    json_array_foreach(json_object_get(fit, "curves"), i, curve)
    {
        if (!is_of(curve, quantity))
            continue;
        if (json_is_array(json_object_get(curve, "low"))) {
            cf_plot_clause(script, &begun);
            fprintf(script,
                    "$curve%zu using 1:3:4 with filledcurves fillcolor rgb '" CF_BLUE "' notitle",
                    i);
        }
        cf_plot_clause(script, &begun);
        fprintf(script,
                "$curve%zu using 1:2 with lines linewidth 2.4 linecolor rgb '" CF_BLUE "' notitle",
                i);
    }
    if (nfit) {
        cf_plot_clause(script, &begun);
        fputs("$fitted using 1:2:3 with yerrorbars pointtype 7 pointsize 0.75 linewidth 1.2 "
              "linecolor rgb '" CF_INK "' notitle",
              script);
    }
    if (nheld) {
        cf_plot_clause(script, &begun);
        fputs("$held using 1:2:3 with yerrorbars pointtype 6 pointsize 0.95 linewidth 1.2 "
              "linecolor rgb '" CF_VERMILION "' notitle",
              script);
    }
    fputc('\n', script);
}

static int draw(const json_t *fit, FILE *script, struct cf_error *err)
{
    struct cf_panel panel = {CF_FIGURE_WIDTH, HEIGHT, 0, panels(fit), 0.15, 0, 0};

    (void) err;
    cf_plot_frame(script);
    fputs("set multiplot\n", script);
    for (const struct cf_quantity *q = cf_quantities; q->name; q++) {
        if (!has_panel(fit, q))
            continue;
        draw_panel(fit, q, &panel, script);
        panel.index++;
    }
    fputs("unset multiplot\n", script);
    return CF_OK;
}

static void caption(const json_t *fit, FILE *html)
{
    bool begun = false;

    for (const struct cf_quantity *q = cf_quantities; q->name; q++) {
        if (!has_panel(fit, q))
            continue;
        fprintf(html, "%s%s", begun ? ", " : "Measured ", q->label);
        begun = true;
    }
    fputs(" against approach speed, with one &sigma; each way; open points were held out. The line "
          "is ",
          html);
    cf_html_text(html, cf_view_text(fit, "law"));
    fputs(" as fitted, with the confidence band of the curve.", html);
}

const struct cf_figure cf_figure_measurements = {
    .name = "measurements",
    .title = "Other measured quantities",
    .what = "contact duration, compression, force, rebound against speed, a panel each",
    .width = CF_FIGURE_WIDTH,
    .height = HEIGHT,
    .applies = applies,
    .panels = panels,
    .draw = draw,
    .caption = caption,
};
