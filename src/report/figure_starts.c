/* The waterfall: where every start of the optimiser ended, best first. A long flat step at the
 * left is what a found optimum looks like. */

#include <math.h>

#include "document/view.h"
#include "report/figures.h"
#include "report/plot.h"

#define HEIGHT 3.0

static bool has_cost(const json_t *start)
{
    return isfinite(cf_view_number(start, "cost"));
}

static size_t count(const json_t *fit, bool at_optimum)
{
    size_t i, n = 0;
    json_t *start;
    json_array_foreach(json_object_get(fit, "starts"), i, start)
    {
        n += has_cost(start) && cf_view_true(start, "at_optimum") == at_optimum;
    }
    return n;
}

static bool applies(const json_t *fit)
{
    return count(fit, true) + count(fit, false) > 1;
}

/* Costs are shown as their rise over the best, and where that spans decades as 1 + rise on a
 * logarithmic axis, so that the best is still there. */
struct rise {
    double best, most;
    bool logarithmic;
};

static struct rise find_rise(const json_t *fit)
{
    struct cf_range cost = CF_RANGE_EMPTY;
    size_t i;
    json_t *start;

    json_array_foreach(json_object_get(fit, "starts"), i, start)
    {
        cf_range_include(&cost, cf_view_number(start, "cost"));
    }
    return (struct rise){cost.low, cost.high - cost.low, cost.high - cost.low > 50};
}

static void put_starts(const json_t *fit, bool at_optimum, const struct rise *rise, FILE *script)
{
    size_t i, rank = 0;
    json_t *start;

    if (!count(fit, at_optimum))
        return;
    cf_plot_begin(script, "%s", at_optimum ? "best" : "other");
    json_array_foreach(json_object_get(fit, "starts"), i, start)
    {
        double cost = cf_view_number(start, "cost");
        rank += has_cost(start);
        if (has_cost(start) && cf_view_true(start, "at_optimum") == at_optimum)
            fprintf(script, "%zu %.17g\n", rank, cost - rise->best + (rise->logarithmic ? 1 : 0));
    }
    cf_plot_end(script);
}

static void put_axes(const json_t *fit, const struct cf_panel *panel, const struct rise *rise,
                     FILE *script)
{
    size_t n = count(fit, true) + count(fit, false);

    /* equal ends must not be blown up to a scale where rounding looks like structure */
    if (rise->logarithmic)
        fprintf(script, "set logscale y\nset format y '10^{%%T}'\nset yrange [0.5:%.17g]\n",
                2 * (1 + rise->most));
    else
        cf_plot_range(script, 'y', (struct cf_range){-0.1, fmax(1, 1.1 * rise->most)});
    cf_plot_range(script, 'x', (struct cf_range){0, (double) n + 1});
    cf_plot_label_begin(script, 'x');
    fputs("start, the best end first", script);
    cf_plot_label_end(script, panel, 'x');
    cf_plot_label_begin(script, 'y');
    fprintf(script, "%srise of −2 ln {/:Italic L}", rise->logarithmic ? "1 + " : "");
    cf_plot_label_end(script, panel, 'y');
}

static int draw(const json_t *fit, FILE *script, struct cf_error *err)
{
    struct cf_panel panel = {CF_FIGURE_WIDTH, HEIGHT, 0, 1, 0.35, 0, 0};
    struct rise rise = find_rise(fit);
    bool begun = false;

    (void) err;
    put_starts(fit, true, &rise, script);
    put_starts(fit, false, &rise, script);
    cf_plot_frame(script);
    fputs("set key samplen 0.8\n", script);
    put_axes(fit, &panel, &rise, script);
    cf_plot_panel(script, &panel);
    if (count(fit, true)) {
        cf_plot_clause(script, &begun);
        fputs("$best with points pointtype 7 pointsize 0.7 linecolor rgb '" CF_BLUE "' ", script);
        cf_plot_title(script, &panel, 1, "optimum");
    }
    if (count(fit, false)) {
        cf_plot_clause(script, &begun);
        fputs("$other with points pointtype 4 pointsize 0.8 linewidth 1.4 linecolor rgb "
              "'" CF_VERMILION "' ",
              script);
        cf_plot_title(script, &panel, 0, "elsewhere");
    }
    fputc('\n', script);
    return CF_OK;
}

static void caption(const json_t *fit, FILE *html)
{
    size_t best = count(fit, true), all = json_array_size(json_object_get(fit, "starts"));
    size_t none = all - best - count(fit, false);

    fprintf(html,
            "Where the optimiser ended from %zu starting points, best first, as the rise of "
            "&minus;2&#8239;ln&#8239;<i>L</i> over the best: %zu at the reported optimum",
            all, best);
    if (none)
        fprintf(html, ", %zu failed and not shown", none);
    fputs(". A long flat step at the left means that the optimum does not hang on one lucky start.",
          html);
}

const struct cf_figure cf_figure_starts = {
    .name = "starts",
    .title = "Where the starts ended",
    .what = "the sorted ends of all starts of the optimiser",
    .width = CF_FIGURE_WIDTH,
    .height = HEIGHT,
    .applies = applies,
    .draw = draw,
    .caption = caption,
};
