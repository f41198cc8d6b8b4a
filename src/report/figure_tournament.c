/* The curves of a tournament over the data: the study's own law and the first few in colour, all
 * other curves grey. A curve that several laws draw is there once. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "law/law.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/plot.h"

#define HEIGHT 4.5

enum { NCOLOURED = 5 };
static const char *const colour[NCOLOURED] = {CF_VERMILION, CF_GREEN, CF_ORANGE, CF_PURPLE, CF_SKY};
static const char *const dash[NCOLOURED] = {"(12,5)", "(3,3)", "(12,4,3,4)", "(6,3)",
                                            "(12,4,3,4,3,4)"};

/* A row of the table that has a curve of its own; its law is one of ours. */
static const struct cf_law *drawable(const json_t *fit, size_t i)
{
    const json_t *rival = json_array_get(json_object_get(fit, "rivals"), i);
    const json_t *contender = json_array_get(cf_view(fit, "tournament.contenders"), i);

    if (cf_view_text(contender, "same_as")[0] ||
        json_array_size(cf_view(rival, "curve.speed_m_s")) < 2)
        return NULL;
    return cf_law_find(cf_view_text(rival, "law"));
}

static bool is_held_out(const json_t *point)
{
    return strcmp(cf_view_text(point, "use"), "held-out") == 0;
}

static bool applies(const json_t *fit)
{
    bool curves = false, points = false;

    for (size_t i = 0; i < json_array_size(json_object_get(fit, "rivals")); i++)
        curves = curves || drawable(fit, i);
    for (size_t i = 0; i < json_array_size(json_object_get(fit, "restitution_points")); i++)
        points =
            points || cf_view_number(json_array_get(json_object_get(fit, "restitution_points"), i),
                                     "speed_m_s") > 0;
    return json_is_object(json_object_get(fit, "tournament")) && curves && points;
}

struct span {
    struct cf_range speed, e;
};

/* The points that were fitted or held out, as $fit or $held; how many there are. */
static size_t put_points(FILE *script, const json_t *fit, bool held_out, struct span *span)
{
    size_t i, n = 0;
    json_t *point;

    json_array_foreach(json_object_get(fit, "restitution_points"), i, point)
    {
        double speed = cf_view_number(point, "speed_m_s"), e = cf_view_number(point, "e");
        if (is_held_out(point) != held_out || !isfinite(e) || !(speed > 0) ||
            strcmp(cf_view_text(point, "use"), "excluded") == 0)
            continue;
        if (n++ == 0)
            cf_plot_begin(script, held_out ? "held" : "fit");
        fprintf(script, "%.17g %.17g\n", speed, e);
        cf_range_include(&span->speed, speed);
        cf_range_include(&span->e, e);
    }
    if (n)
        cf_plot_end(script);
    return n;
}

static void put_curve(FILE *script, const json_t *fit, size_t i)
{
    const json_t *rival = json_array_get(json_object_get(fit, "rivals"), i);
    const json_t *speeds = cf_view(rival, "curve.speed_m_s"), *e = cf_view(rival, "curve.value");

    cf_plot_begin(script, "law%zu", i);
    for (size_t k = 0; k < json_array_size(speeds); k++) {
        fprintf(script, "%.17g", cf_view_item(speeds, k));
        cf_plot_number(script, cf_view_item(e, k));
        fputc('\n', script);
    }
    cf_plot_end(script);
}

/* Which colour a law gets: its place among the others, or NCOLOURED and more for grey. */
struct cast {
    size_t n, ngrey;
    struct {
        size_t index, place;
        bool own;
        const char *name;
    } part[64];
};

static struct cast assign(const json_t *fit)
{
    const json_t *rivals = json_object_get(fit, "rivals");
    struct cast cast = {.n = 0};
    size_t place = 0;

    for (size_t i = 0; i < json_array_size(rivals); i++) {
        const struct cf_law *law = drawable(fit, i);
        bool own = cf_view_true(json_array_get(rivals, i), "own");
        if (!law || cast.n == sizeof cast.part / sizeof cast.part[0])
            continue;
        cast.part[cast.n].index = i;
        cast.part[cast.n].own = own;
        cast.part[cast.n].name = law->name;
        cast.part[cast.n].place = own ? 0 : place++;
        cast.ngrey += !own && cast.part[cast.n].place >= NCOLOURED;
        cast.n++;
    }
    return cast;
}

/* Grey below, then the coloured from the last to the first, the own law over all. */
static void plot_laws(FILE *script, const struct cf_panel *panel, const struct cast *cast,
                      size_t *key, bool *begun)
{
    bool named = false;

    for (size_t k = cast->n; k-- > 0;) {
        bool own = cast->part[k].own, grey = !own && cast->part[k].place >= NCOLOURED;
        size_t place = cast->part[k].place;
        cf_plot_clause(script, begun);
        fprintf(script, "$law%zu using 1:2 with lines linewidth %g dashtype %s linecolor rgb '%s' ",
                cast->part[k].index,
                own    ? 2.4
                : grey ? 1
                       : 1.8,
                own || grey ? "solid" : dash[place],
                own    ? CF_BLUE
                : grey ? "#BBBBBB"
                       : colour[place]);
        if (grey && named)
            fputs("notitle", script);
        else if (grey)
            cf_plot_title(script, panel, cast->n - cast->ngrey, "other curves");
        else
            cf_plot_title(script, panel, k, cast->part[k].name);
        named = named || grey;
    }
    *key = cast->n - cast->ngrey + (cast->ngrey > 0);
}

static int draw(const json_t *fit, FILE *script, struct cf_error *err)
{
    struct span span = {CF_RANGE_EMPTY, CF_RANGE_EMPTY};
    struct cast cast = assign(fit);
    struct cf_panel panel = {CF_FIGURE_WIDTH, HEIGHT, 0, 1, 0.12, 0, 0};
    size_t nfit = put_points(script, fit, false, &span),
           nheld = put_points(script, fit, true, &span);
    size_t key, all = nfit + nheld;
    double size = all < 80 ? 0.75 : 0.45;
    bool begun = false;

    if (all == 0)
        return cf_fail(err, CF_EINPUT, "no measured restitution to draw");
    for (size_t k = 0; k < cast.n; k++) {
        bool grey = !cast.part[k].own && cast.part[k].place >= NCOLOURED;
        put_curve(script, fit, cast.part[k].index);
        if (!grey)
            cf_plot_key_word(&panel, cast.part[k].name);
    }
    panel.nkey = cast.n - cast.ngrey + (cast.ngrey > 0) + (nfit > 0) + (nheld > 0);
    cf_plot_frame(script);
    cf_plot_panel(script, &panel);
    cf_plot_speed_axis(script, &panel, span.speed, true);
    cf_range_pad(&span.e, 0.25);
    cf_plot_range(script, 'y', span.e);
    cf_plot_label_begin(script, 'y');
    fputs("coefficient of restitution {/:Italic e}", script);
    cf_plot_label_end(script, &panel, 'y');
    plot_laws(script, &panel, &cast, &key, &begun);
    for (int held = 0; held < 2; held++) {
        if (!(held ? nheld : nfit))
            continue;
        cf_plot_clause(script, &begun);
        fprintf(script, "$%s using 1:2 with points pointtype %d pointsize %g linecolor rgb '%s' ",
                held ? "held" : "fit", held ? 6 : 7, held ? size * 1.25 : size,
                held ? CF_VERMILION : CF_INK);
        cf_plot_title(script, &panel, key++, held ? "held out" : "measured");
    }
    fputc('\n', script);
    return CF_OK;
}

static void caption(const json_t *fit, FILE *html)
{
    struct cast cast = assign(fit);

    fprintf(html,
            "The %zu different curves of the tournament over the data, the speed on a logarithmic "
            "axis. In colour: the study&rsquo;s own law (solid) and the first of the others by "
            "AICc, in the order of the table%s.%s",
            cast.n, cast.ngrey ? "; grey: the rest, which may leave the frame" : "",
            json_is_object(cf_view(fit, "tournament.held_out"))
                ? " Open points were held out of the fits."
                : "");
}

const struct cf_figure cf_figure_tournament = {
    .name = "tournament",
    .title = "All curves over the data",
    .what = "e against log v: every different curve of a tournament",
    .width = CF_FIGURE_WIDTH,
    .height = HEIGHT,
    .applies = applies,
    .draw = draw,
    .caption = caption,
};
