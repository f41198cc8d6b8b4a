/* e against speed in simulators: the law, the best that each kind of them can do at fine steps, and
 * what a usual step shows at the design speed. Rows of the table are told by their numbers: no name
 * from a file goes to gnuplot. */

#include <math.h>

#include "document/view.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/plot.h"

#define HEIGHT 4.5

enum { LONGEST = 18 };                     /* characters of "no. 10, fine steps" */
enum { USUAL = 1, NSTYLE = 6, MOST = 16 }; /* which of the steps; styles; rows of the table */
static const char *const colour[NSTYLE] = {CF_VERMILION, CF_GREEN, CF_ORANGE,
                                           CF_PURPLE,    CF_SKY,   CF_GREY};
static const char *const dash[NSTYLE] = {"(12,5)", "(3,3)",          "(12,4,3,4)",
                                         "(6,3)",  "(12,4,3,4,3,4)", "(2,5)"};

/* Curves nearer than a line is wide are drawn once. */
static const double apart = 1e-4;

struct sketch {
    const json_t *part, *rows, *speeds;
    size_t nrow, drawn[MOST], ndrawn; /* rows with a curve of their own */
    struct cf_range e;
};

static double difference(const json_t *a, const json_t *b)
{
    double largest = 0;
    for (size_t i = 0; i < json_array_size(a); i++)
        largest = fmax(largest, fabs(cf_view_item(a, i) - cf_view_item(b, i)));
    return largest;
}

static const json_t *row_of(const struct sketch *s, size_t i)
{
    return json_array_get(s->rows, i);
}

static const json_t *curve_of(const struct sketch *s, size_t i)
{
    return json_object_get(row_of(s, i), "curve");
}

/* Is this row's curve that of the law, of an earlier row, or none? */
static bool known(const struct sketch *s, size_t i)
{
    bool is = json_array_size(curve_of(s, i)) < 2 ||
              difference(curve_of(s, i), json_object_get(s->part, "fit")) < apart;
    for (size_t k = 0; k < s->ndrawn; k++)
        is = is || difference(curve_of(s, i), curve_of(s, s->drawn[k])) < apart;
    return is;
}

static struct sketch begin(const json_t *fit)
{
    struct sketch s = {.part = json_object_get(fit, "simulators"), .e = CF_RANGE_EMPTY};

    s.rows = json_object_get(s.part, "rows");
    s.speeds = json_object_get(s.part, "speeds_m_s");
    s.nrow = json_array_size(s.rows) < MOST ? json_array_size(s.rows) : MOST;
    for (size_t i = 0; i < s.nrow; i++)
        if (!known(&s, i))
            s.drawn[s.ndrawn++] = i;
    return s;
}

static bool applies(const json_t *fit)
{
    struct sketch s = begin(fit);
    return s.nrow > 0 && json_array_size(s.speeds) > 1;
}

static void put_curve(FILE *script, struct sketch *s, const char *name, const json_t *e)
{
    cf_plot_begin(script, "%s", name);
    for (size_t i = 0; i < json_array_size(s->speeds); i++) {
        fprintf(script, "%.17g", cf_view_item(s->speeds, i));
        cf_plot_number(script, cf_view_item(e, i));
        fputc('\n', script);
        /* a bounce that is no more would make the rest flat */
        if (cf_view_item(e, i) > 0)
            cf_range_include(&s->e, cf_view_item(e, i));
    }
    cf_plot_end(script);
}

/* The usual step's e of a row at the design speed, a little beside those of the rows before. */
static size_t put_step(FILE *script, struct sketch *s, size_t i, size_t place)
{
    const double beside = 0.08;
    const json_t *step = json_array_get(json_object_get(row_of(s, i), "steps"), USUAL);
    double e = cf_view_number(step, "e"), v = cf_view_number(s->part, "speed_m_s");

    if (!isfinite(e))
        return 0;
    cf_plot_begin(script, "step%zu", i);
    fprintf(script, "%.17g %.17g %.17g %.17g\n", v * exp(beside * (double) place), e,
            cf_view_number(step, "low"), cf_view_number(step, "high"));
    cf_plot_end(script);
    cf_range_include(&s->e, cf_view_number(step, "low"));
    cf_range_include(&s->e, cf_view_number(step, "high"));
    return 1;
}

static void plot_all(FILE *script, const struct sketch *s, const struct cf_panel *panel,
                     const bool stepped[])
{
    double usual_ms = 1e3 * cf_view_item(json_object_get(s->part, "dt_s"), USUAL);
    char title[64];
    size_t key = 0;
    bool begun = false;

    cf_plot_clause(script, &begun);
    fprintf(script, "$law using 1:2 with lines linewidth 2.4 linecolor rgb '%s' ", CF_BLUE);
    cf_plot_title(script, panel, key++, "the fit");
    for (size_t k = 0; k < s->ndrawn; k++) {
        cf_plot_clause(script, &begun);
        fprintf(script,
                "$row%zu using 1:2 with lines linewidth 1.8 dashtype %s linecolor rgb '%s' ",
                s->drawn[k], dash[k % NSTYLE], colour[k % NSTYLE]);
        snprintf(title, sizeof title, "no. %zu, fine steps", s->drawn[k] + 1);
        cf_plot_title(script, panel, key++, title);
    }
    for (size_t i = 0, place = 0; i < s->nrow; i++) {
        if (!stepped[i])
            continue;
        cf_plot_clause(script, &begun);
        fprintf(script,
                "$step%zu using 1:2:3:4 with yerrorbars pointtype %zu pointsize 0.8 linewidth 1.6 "
                "linecolor rgb '%s' ",
                i, 4 + 2 * (place % 5), colour[(place + 3) % NSTYLE]);
        snprintf(title, sizeof title, "no. %zu at %.3g ms", i + 1, usual_ms);
        cf_plot_title(script, panel, key++, title);
        place++;
    }
    fputc('\n', script);
}

static int draw(const json_t *fit, FILE *script, struct cf_error *err)
{
    struct sketch s = begin(fit);
    struct cf_panel panel = {CF_FIGURE_WIDTH, HEIGHT, 0, 1, 0.12, 0, LONGEST};
    struct cf_range speed = {cf_view_item(s.speeds, 0),
                             cf_view_item(s.speeds, json_array_size(s.speeds) - 1)};
    bool stepped[MOST] = {false};
    size_t nstep = 0;
    char name[32];

    (void) err;
    put_curve(script, &s, "law", json_object_get(s.part, "fit"));
    for (size_t k = 0; k < s.ndrawn; k++) {
        snprintf(name, sizeof name, "row%zu", s.drawn[k]);
        put_curve(script, &s, name, curve_of(&s, s.drawn[k]));
    }
    for (size_t i = 0; i < s.nrow; i++) {
        stepped[i] = put_step(script, &s, i, nstep) > 0;
        nstep += stepped[i];
    }
    panel.nkey = 1 + s.ndrawn + nstep;
    cf_plot_frame(script);
    cf_plot_panel(script, &panel);
    cf_plot_speed_axis(script, &panel, speed, true);
    cf_range_pad(&s.e, 0.1);
    cf_plot_range(script, 'y', s.e);
    cf_plot_label_begin(script, 'y');
    fputs("coefficient of restitution {/:Italic e}", script);
    cf_plot_label_end(script, &panel, 'y');
    plot_all(script, &s, &panel, stepped);
    return CF_OK;
}

static void caption(const json_t *fit, FILE *html)
{
    const json_t *part = json_object_get(fit, "simulators");

    fputs("The fitted law, and what simulators make of it, by the numbers of the table; those that "
          "are not drawn lie on a curve that is. Marks: e at the middle speed with steps of ",
          html);
    cf_html_number(html, 1e3 * cf_view_item(json_object_get(part, "dt_s"), USUAL), 2);
    fputs("&#8239;ms, side by side; their bars, all places within a step where the touch may fall. "
          "Springs "
          "and dampers have that e at every speed.",
          html);
}

const struct cf_figure cf_figure_simulators = {
    .name = "simulators",
    .title = "e in simulators",
    .what = "e against log v: the law, and what simulators make of it",
    .width = CF_FIGURE_WIDTH,
    .height = HEIGHT,
    .applies = applies,
    .draw = draw,
    .caption = caption,
};
