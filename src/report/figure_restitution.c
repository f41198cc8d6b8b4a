/* Restitution against speed: what was measured, the fitted law with its band, and the rivals.
 * Points that were measured as a rebound speed or height come converted, and the caption says so.
 */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "law/law.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/plot.h"

#define HEIGHT 4.3

enum { MAX_BARS = 30 };
enum use { FIT, HELD_OUT, EXCLUDED, NUSE };

/* What every step here needs: the fit, and what is found out once. */
struct sketch {
    const json_t *fit;
    FILE *script;
    size_t nset; /* data sets that tell a restitution */
    struct cf_range speed, e;
    struct cf_panel panel;
    size_t nkey, nrival; /* entries of the key written so far; rivals, at its end */
};

static enum use use_of(const json_t *point)
{
    const char *use = cf_view_text(point, "use");
    return strcmp(use, "fit") == 0 ? FIT : strcmp(use, "held-out") == 0 ? HELD_OUT : EXCLUDED;
}

/* What a point was computed from; NULL when the data set has none. */
static const char *source(const json_t *fit, size_t set)
{
    size_t i;
    json_t *point;

    json_array_foreach(json_object_get(fit, "restitution_points"), i, point)
    {
        if (cf_view_count(point, "data") == set)
            return cf_view_text(point, "from");
    }
    return NULL;
}

static bool applies(const json_t *fit)
{
    size_t i;
    json_t *point;

    json_array_foreach(json_object_get(fit, "restitution_points"), i, point)
    {
        if (use_of(point) != EXCLUDED && cf_view_number(point, "speed_m_s") > 0)
            return true;
    }
    return false;
}

/* The points of one data set and use, as $use0_0; how many there are. */
static size_t put_points(struct sketch *sketch, size_t set, enum use use)
{
    size_t i, n = 0;
    json_t *point;

    json_array_foreach(json_object_get(sketch->fit, "restitution_points"), i, point)
    {
        double speed = cf_view_number(point, "speed_m_s"), e = cf_view_number(point, "e");
        double sigma = cf_view_number(point, "sigma"), half = isfinite(sigma) ? sigma : 0;
        if (cf_view_count(point, "data") != set || use_of(point) != use || !isfinite(e) ||
            !(speed > 0))
            continue;
        if (n++ == 0)
            cf_plot_begin(sketch->script, "use%d_%zu", (int) use, set);
        fprintf(sketch->script, "%.17g %.17g %.17g\n", speed, e, half);
        if (use == EXCLUDED)
            continue;
        cf_range_include(&sketch->speed, speed);
        cf_range_include(&sketch->e, e - half);
        cf_range_include(&sketch->e, e + half);
    }
    if (n)
        cf_plot_end(sketch->script);
    return n;
}

/* A curve: speed, e, low, high. The range grows with the fitted law only. */
static void put_curve(struct sketch *sketch, const json_t *curve, const char *name, size_t index,
                      bool own)
{
    const json_t *speeds = json_object_get(curve, "speed_m_s");
    const json_t *e = json_object_get(curve, "value");

    cf_plot_begin(sketch->script, "%s%zu", name, index);
    for (size_t i = 0; i < json_array_size(speeds); i++) {
        double speed = cf_view_item(speeds, i);
        fprintf(sketch->script, "%.17g", speed);
        cf_plot_number(sketch->script, cf_view_item(e, i));
        cf_plot_number(sketch->script, cf_view_item(json_object_get(curve, "low"), i));
        cf_plot_number(sketch->script, cf_view_item(json_object_get(curve, "high"), i));
        fputc('\n', sketch->script);
        if (own && speed >= sketch->speed.low && speed <= sketch->speed.high)
            cf_range_include(&sketch->e, cf_view_item(e, i));
    }
    cf_plot_end(sketch->script);
}

static bool tells_e(const json_t *curve)
{
    return strcmp(cf_view_text(curve, "quantity"), "restitution") == 0 &&
           json_array_size(json_object_get(curve, "speed_m_s")) > 1;
}

/* The fitted law's curve for a data set, NULL for none. */
static const json_t *own_curve(const json_t *fit, size_t set)
{
    size_t i;
    json_t *curve;

    json_array_foreach(json_object_get(fit, "curves"), i, curve)
    {
        if (tells_e(curve) && cf_view_count(curve, "data") == set)
            return curve;
    }
    return NULL;
}

/* A rival that can be drawn: one with a curve, and with a name that is a law's. A tournament has a
 * figure of its own. */
static const struct cf_law *drawable(const json_t *fit, const json_t *rival)
{
    if (json_object_get(fit, "tournament") || cf_view_true(rival, "own") ||
        !tells_e(json_object_get(rival, "curve")))
        return NULL;
    return cf_law_find(cf_view_text(rival, "law"));
}

static void plot_rivals(struct sketch *sketch, bool *begun)
{
    static const struct {
        const char *colour, *dash;
    } style[] = {
        {CF_VERMILION, "(12,5)"}, {CF_GREEN, "(3,3)"},        {CF_ORANGE, "(12,4,3,4)"},
        {CF_PURPLE, "(6,3)"},     {CF_SKY, "(12,4,3,4,3,4)"}, {CF_GREY, "(2,5)"},
    };
    enum { NSTYLE = sizeof style / sizeof style[0] };
    size_t i, n = 0;
    json_t *rival;

    json_array_foreach(json_object_get(sketch->fit, "rivals"), i, rival)
    {
        const struct cf_law *law = drawable(sketch->fit, rival);
        if (!law)
            continue;
        cf_plot_clause(sketch->script, begun);
        fprintf(sketch->script,
                "$rival%zu using 1:2 with lines linewidth 1.6 dashtype %s linecolor rgb '%s' ", i,
                style[n % NSTYLE].dash, style[n % NSTYLE].colour);
        cf_plot_title(sketch->script, &sketch->panel, sketch->panel.nkey - sketch->nrival + n,
                      law->name);
        n++;
    }
}

static void plot_own(struct sketch *sketch, size_t set, bool first, bool *begun)
{
    static const char *const dash[] = {"solid", "(14,4)", "(8,4)", "(4,4)"};
    const struct cf_law *law = cf_law_find(cf_view_text(sketch->fit, "law"));
    const json_t *curve = own_curve(sketch->fit, set);

    if (!curve)
        return;
    if (json_is_array(json_object_get(curve, "low"))) {
        cf_plot_clause(sketch->script, begun);
        fprintf(sketch->script,
                "$own%zu using 1:3:4 with filledcurves fillcolor rgb '" CF_BLUE "' notitle", set);
    }
    cf_plot_clause(sketch->script, begun);
    fprintf(sketch->script,
            "$own%zu using 1:2 with lines linewidth 2.4 dashtype %s linecolor rgb '" CF_BLUE "' ",
            set, dash[set % 4]);
    if (first)
        cf_plot_title(sketch->script, &sketch->panel, sketch->nkey++,
                      law ? law->name : "fitted law");
    else
        fputs("notitle", sketch->script);
}

static void plot_points(struct sketch *sketch, size_t set, const size_t n[NUSE], bool *begun)
{
    static const int filled[] = {7, 5, 9, 11, 13};
    static const char *const colour[NUSE] = {CF_INK, CF_VERMILION, CF_GREY};
    static const char *const title[NUSE] = {"measured", "held out", "excluded"};
    size_t all = n[FIT] + n[HELD_OUT];
    double size = all < 80 ? 0.75 : all < 800 ? 0.45 : 0.25;
    /* many bars on top of each other hide the points that they belong to */
    const char *how = all <= MAX_BARS ? "1:2:3 with yerrorbars" : "1:2 with points";

    for (int use = 0; use < NUSE; use++) {
        int shape = use == FIT ? filled[set % 5] : use == HELD_OUT ? filled[set % 5] - 1 : 2;
        if (!n[use])
            continue;
        cf_plot_clause(sketch->script, begun);
        fprintf(sketch->script,
                "$use%d_%zu using %s pointtype %d pointsize %g linewidth 1.2 linecolor rgb '%s' ",
                use, set, how, shape, use == HELD_OUT ? size * 1.25 : size, colour[use]);
        char words[64];
        snprintf(words, sizeof words, "%s", title[use]);
        if (sketch->nset > 1)
            snprintf(words, sizeof words, "%s, set %zu", title[use], set + 1);
        cf_plot_title(sketch->script, &sketch->panel, sketch->nkey++, words);
    }
}

enum { MAX_SETS = 64 };

static int draw(const json_t *fit, FILE *script, bool logarithmic, struct cf_error *err)
{
    struct sketch sketch = {
        .fit = fit,
        .script = script,
        .speed = CF_RANGE_EMPTY,
        .e = CF_RANGE_EMPTY,
        .panel = {CF_FIGURE_WIDTH, HEIGHT, 0, 1, 0.12, 0, 0},
    };
    size_t ndata = json_array_size(json_object_get(fit, "data"));
    size_t n[MAX_SETS][NUSE] = {{0}}, i, keys = 1;
    bool begun = false, first = true;
    json_t *rival;

    if (ndata > MAX_SETS)
        return cf_fail(err, CF_ERANGE, "%zu data sets in a figure: at most %d", ndata, MAX_SETS);
    for (size_t set = 0; set < ndata; set++) {
        sketch.nset += source(fit, set) != NULL;
        for (int use = 0; use < NUSE && source(fit, set); use++) {
            n[set][use] = put_points(&sketch, set, (enum use) use);
            keys += n[set][use] > 0;
        }
    }
    if (!(sketch.speed.high > 0) || !isfinite(sketch.e.low))
        return cf_fail(err, CF_EINPUT, "no measured restitution to draw");
    for (size_t set = 0; set < ndata; set++)
        if (source(fit, set) && own_curve(fit, set))
            put_curve(&sketch, own_curve(fit, set), "own", set, true);
    json_array_foreach(json_object_get(fit, "rivals"), i, rival)
    {
        if (drawable(fit, rival)) {
            put_curve(&sketch, json_object_get(rival, "curve"), "rival", i, false);
            cf_plot_key_word(&sketch.panel, cf_view_text(rival, "law"));
            sketch.nrival++;
        }
    }

    cf_plot_key_word(&sketch.panel, cf_view_text(fit, "law"));
    cf_plot_frame(script);
    sketch.panel.nkey = keys + sketch.nrival;
    cf_plot_panel(script, &sketch.panel);
    cf_plot_speed_axis(script, &sketch.panel, sketch.speed, logarithmic);
    cf_range_pad(&sketch.e, 0.08);
    cf_plot_range(script, 'y', sketch.e);
    cf_plot_label_begin(script, 'y');
    fputs("coefficient of restitution {/:Italic e}", script);
    cf_plot_label_end(script, &sketch.panel, 'y');
    plot_rivals(&sketch, &begun);
    for (size_t set = 0; set < ndata; set++) {
        if (!source(fit, set))
            continue;
        plot_own(&sketch, set, first, &begun);
        first = false;
    }
    for (size_t set = 0; set < ndata; set++)
        if (source(fit, set))
            plot_points(&sketch, set, n[set], &begun);
    fputc('\n', script);
    return CF_OK;
}

static int draw_log(const json_t *fit, FILE *script, struct cf_error *err)
{
    return draw(fit, script, true, err);
}

static int draw_linear(const json_t *fit, FILE *script, struct cf_error *err)
{
    return draw(fit, script, false, err);
}

/* Which data set is which, and where e was computed from something else. */
static void caption_sets(const json_t *fit, FILE *html)
{
    const json_t *data = json_object_get(fit, "data");
    size_t nset = 0;

    for (size_t i = 0; i < json_array_size(data); i++)
        nset += source(fit, i) != NULL;
    for (size_t i = 0; i < json_array_size(data); i++) {
        const char *quantity = source(fit, i);
        if (!quantity)
            continue;
        if (nset > 1) {
            fprintf(html, " Set %zu: ", i + 1);
            cf_html_text(html, cf_view_text(json_array_get(data, i), "name"));
            fputs(".", html);
        }
        if (strcmp(quantity, "restitution") != 0)
            fprintf(html, " <i>e</i> is computed from the measured %s.",
                    cf_quantity_label(quantity));
    }
}

static void caption_log(const json_t *fit, FILE *html)
{
    fputs("Coefficient of restitution against approach speed, the speed on a logarithmic axis. "
          "Points are measurements, where they are few with one &sigma; each way; open points "
          "were held out of the fit. The thick solid line is ",
          html);
    cf_html_text(html, cf_view_text(fit, "law"));
    fputs(" as fitted, with the confidence band of the curve", html);
    fputs(json_object_get(fit, "tournament")
              ? "."
              : "; broken lines are its rivals, each fitted to the same rows.",
          html);
    caption_sets(fit, html);
}

static void caption_linear(const json_t *fit, FILE *html)
{
    fputs("The same points and curves against the speed itself, on a linear axis.", html);
    caption_sets(fit, html);
}

const struct cf_figure cf_figure_restitution_log = {
    .name = "restitution-log",
    .title = "Restitution against the logarithm of speed",
    .what = "e against log v: data, fitted law with band, rivals",
    .width = CF_FIGURE_WIDTH,
    .height = HEIGHT,
    .applies = applies,
    .draw = draw_log,
    .caption = caption_log,
};

const struct cf_figure cf_figure_restitution = {
    .name = "restitution",
    .title = "Restitution against speed",
    .what = "e against v: the same on a linear axis",
    .width = CF_FIGURE_WIDTH,
    .height = HEIGHT,
    .applies = applies,
    .draw = draw_linear,
    .caption = caption_linear,
};
