/* Standardised residuals against speed, a panel a channel: where a law fails it shows here. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/figures.h"
#include "report/plot.h"

#define HEIGHT 2.7

static const struct {
    const char *name, *title, *colour;
    int shape;
} uses[] = {
    {"fit", "fitted", CF_INK, 7},
    {"held-out", "held out", CF_VERMILION, 6},
    {"excluded", "excluded", CF_GREY, 2},
};
enum { NUSE = sizeof uses / sizeof uses[0] };

static bool is_shown(const json_t *row, const struct cf_quantity *quantity)
{
    return strcmp(cf_view_text(row, "quantity"), quantity->name) == 0 &&
           isfinite(cf_view_number(row, "residual"));
}

static size_t rows_of(const json_t *fit, const struct cf_quantity *quantity)
{
    size_t i, n = 0;
    json_t *row;
    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        n += is_shown(row, quantity);
    }
    return n;
}

static size_t panels(const json_t *fit)
{
    size_t n = 0;
    for (const struct cf_quantity *q = cf_quantities; q->name; q++)
        n += rows_of(fit, q) > 0;
    return n;
}

static bool applies(const json_t *fit)
{
    return panels(fit) > 0;
}

static size_t put_points(const json_t *fit, const struct cf_quantity *quantity, size_t use,
                         FILE *script)
{
    size_t i, n = 0;
    json_t *row;

    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        if (!is_shown(row, quantity) || strcmp(cf_view_text(row, "use"), uses[use].name) != 0)
            continue;
        if (n++ == 0)
            cf_plot_begin(script, "use%zu", use);
        fprintf(script, "%.17g %.17g\n", cf_view_number(row, "speed_m_s"),
                cf_view_number(row, "residual"));
    }
    if (n)
        cf_plot_end(script);
    return n;
}

static void draw_panel(const json_t *fit, const struct cf_quantity *quantity, struct cf_range speed,
                       const struct cf_panel *panel, FILE *script)
{
    struct cf_range y = {-3, 3};
    size_t i, n[NUSE], kinds = 0, key = 0;
    json_t *row;
    bool begun = false;

    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        if (!is_shown(row, quantity) || strcmp(cf_view_text(row, "use"), "excluded") == 0)
            continue;
        double r = fabs(cf_view_number(row, "residual")) * 1.15;
        cf_range_include(&y, r);
        cf_range_include(&y, -r);
    }
    for (size_t use = 0; use < NUSE; use++) {
        n[use] = put_points(fit, quantity, use, script);
        kinds += n[use] > 0;
    }
    cf_plot_panel(script, panel);
    cf_plot_heading(script, quantity->label);
    cf_plot_range(script, 'y', y);
    cf_plot_speed_axis(script, panel, speed, speed.high > 1.5 * speed.low);
    cf_plot_label_begin(script, 'y');
    fputs("residual / σ", script);
    cf_plot_label_end(script, panel, 'y');
    for (size_t use = 0; use < NUSE; use++) {
        if (!n[use])
            continue;
        cf_plot_clause(script, &begun);
        fprintf(script,
                "$use%zu using 1:2 with points pointtype %d pointsize %g linewidth 1.4 "
                "linecolor rgb '%s' ",
                use, uses[use].shape, n[use] < 80 ? 0.8 : 0.4, uses[use].colour);
        if (kinds > 1)
            cf_plot_title(script, panel, key++, uses[use].title);
        else
            fputs("notitle", script);
    }
    fputc('\n', script);
}

static int draw(const json_t *fit, FILE *script, struct cf_error *err)
{
    struct cf_panel panel = {CF_FIGURE_WIDTH, HEIGHT, 0, panels(fit), 0.35, 0, 0};
    struct cf_range speed = CF_RANGE_EMPTY;
    size_t i;
    json_t *row;

    (void) err;
    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        cf_range_include(&speed, cf_view_number(row, "speed_m_s"));
    }
    cf_plot_frame(script);
    fputs("set key samplen 0.8\n"
          "set object 1 rectangle from graph 0, first -2 to graph 1, first 2 behind "
          "fillcolor rgb '" CF_SKY "' fillstyle transparent solid 0.18 noborder\n"
          "set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead back "
          "linewidth 1.2 linecolor rgb '" CF_BLUE "'\n"
          "set multiplot\n",
          script);
    for (const struct cf_quantity *q = cf_quantities; q->name; q++) {
        if (!rows_of(fit, q))
            continue;
        draw_panel(fit, q, speed, &panel, script);
        panel.index++;
    }
    fputs("unset multiplot\n", script);
    return CF_OK;
}

static void caption(const json_t *fit, FILE *html)
{
    (void) fit;
    fputs("Measured minus predicted, divided by &sigma;. Of the points of a law that holds, 95 in "
          "100 lie in the shaded strip of &plusmn;2, without order in speed; a slope or a bow is "
          "the law&rsquo;s failure and not the measurement&rsquo;s.",
          html);
}

const struct cf_figure cf_figure_residuals = {
    .name = "residuals",
    .title = "Residuals",
    .what = "(measured - predicted) / sigma against speed, a panel a channel",
    .width = CF_FIGURE_WIDTH,
    .height = HEIGHT,
    .applies = applies,
    .panels = panels,
    .draw = draw,
    .caption = caption,
};
