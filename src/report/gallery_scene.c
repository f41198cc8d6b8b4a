#include "report/gallery_scene.h"

#include <math.h>
#include <stdlib.h>

#include "report/axis.h"
#include "report/html.h"
#include "report/html_svg.h"
#include "report/live.h"
#include "report/motion.h"
#include "report/render.h"
#include "report/scene_drawing.h"
#include "report/sections.h"
#include "scene/balance_words.h"

enum { MOST_TOUCHES = 30 }; /* in the list */

/* Behind a word. */
static void put_quantity(FILE *out, double value, int digits, const char *unit)
{
    fputc(' ', out);
    cf_html_number(out, value, digits);
    cf_html_unit(out, unit);
}

/* Does it run along time? */
static bool is_timed(const struct cf_scene_figure *figure)
{
    return figure->kind == CF_SCENE_SERIES || figure->kind == CF_SCENE_ENERGY ||
           figure->kind == CF_SCENE_VARIANTS;
}

/* Where the script marks the time of the picture: the sides of the frames, from the upper left
 * corner, and what the axis is from and to [s]. */
static void put_time(const struct cf_scene_figure *figure, const struct cf_chart *chart, FILE *out)
{
    const double per_inch = CF_LIVE_PER_INCH;
    const struct cf_panel *top = chart->panel[0], *low = chart->panel[chart->npanel - 1];
    double second = figure->x_axis.factor > 0 ? figure->x_axis.factor : 1;
    struct cf_prefix fits;

    if (!figure->x_axis.unit) {
        fits = cf_prefix_for("s", fmax(fabs(figure->x_axis.from), fabs(figure->x_axis.to)));
        second = fits.factor;
    }
    fprintf(out, " data-time=\"%.1f %.1f %.1f %.1f %.9g %.9g\"", per_inch * top->left,
            per_inch * (chart->height - top->top), per_inch * top->right,
            per_inch * (chart->height - low->bottom), top->x.range.low / second,
            top->x.range.high / second);
}

/* What the script needs of a picture, as it was drawn. */
static int put_motion(const struct cf_scene_figures *scene, const struct cf_scene_figure *figure,
                      const struct cf_chart *chart, FILE *out, struct cf_error *err)
{
    return figure->kind == CF_SCENE_BODIES
               ? cf_motion_block(&scene->file->scene, figure, chart, out, err)
               : CF_OK;
}

static void put_caption(const struct cf_scene_figure *figure, FILE *out)
{
    fputs("<figcaption>", out);
    if (figure->source) {
        fputs("<b>", out);
        cf_html_text(out, figure->source);
        fputs("</b>&ensp;", out);
    }
    cf_html_text(out, figure->what ? figure->what : figure->name);
    fputs("</figcaption>\n", out);
}

static int put_figure(const struct cf_scene_figures *scene, const struct cf_scene_figure *figure,
                      const char *id, bool moving, struct cf_plotter *plotter, FILE *out,
                      struct cf_error *err)
{
    const struct cf_html_svg image = {.id = id,
                                      .title = figure->what ? figure->what : figure->name};
    struct cf_chart chart;
    char *svg = NULL;
    size_t len = 0;
    int status = cf_scene_figure_chart(scene, figure, &chart, err);

    if (!status)
        status = cf_chart_render(&chart, "svg", plotter, &svg, &len, err);
    if (!status) {
        fputs("<figure", out);
        if (moving && is_timed(figure))
            put_time(figure, &chart, out);
        fputs(">\n", out);
        status = cf_html_svg(&image, svg, len, out, err);
    }
    free(svg);
    if (!status && moving)
        status = put_motion(scene, figure, &chart, out, err);
    cf_chart_free(&chart);
    if (status)
        return status;
    put_caption(figure, out);
    fputs("</figure>\n", out);
    return CF_OK;
}

static void put_list(const struct cf_scene_file *file, FILE *out)
{
    if (file->nnote)
        fputs("<ul>\n", out);
    for (size_t i = 0; i < file->nnote; i++) {
        fputs("<li>", out);
        cf_html_text(out, file->note[i]);
        fputs("</li>\n", out);
    }
    if (file->nnote)
        fputs("</ul>\n", out);
}

/* "once", "twice", "4 times". */
static void put_times(size_t n, FILE *out)
{
    if (n == 1 || n == 2)
        fputs(n == 1 ? "once" : "twice", out);
    else
        fprintf(out, "%zu times", n);
}

static void put_contacts(const struct cf_scene_figures *scene, FILE *out)
{
    const size_t *n = scene->result.events;

    fputs("<dt>Contacts</dt><dd>", out);
    if (scene->ntouch == 0)
        fputs("none begins", out);
    else {
        fprintf(out, n[CF_EVENT_MAKE] > 1 ? "%zu begin, the first at" : "%zu begins, at",
                n[CF_EVENT_MAKE]);
        put_quantity(out, scene->touch[0].made_s, 10, "s");
        if (scene->ntouch > 1) {
            fputs(", the last at", out);
            put_quantity(out, scene->touch[scene->ntouch - 1].made_s, 10, "s");
        }
        fprintf(out, "; %zu end%s", n[CF_EVENT_BREAK], n[CF_EVENT_BREAK] == 1 ? "s" : "");
    }
    if (n[CF_EVENT_SLIP] + n[CF_EVENT_STICK] > 0) {
        fputs("; friction begins to slip ", out);
        put_times(n[CF_EVENT_SLIP], out);
        fputs(", to stick ", out);
        put_times(n[CF_EVENT_STICK], out);
    }
    if (isfinite(scene->result.rest_s)) {
        fputs("; at rest from", out);
        put_quantity(out, scene->result.rest_s, 6, "s");
    }
    fputs("</dd>\n", out);
}

/* As cf_balance_words() has it, with numbers as a page shows them. */
static int put_balance(const struct cf_scene_figures *scene, FILE *out, struct cf_error *err)
{
    const struct cf_motion_result *r = &scene->result;
    const struct cf_motion_options *options = &scene->file->options;
    const struct cf_scene *of = &scene->file->scene;
    const struct cf_balance_check *once = &r->balance[CF_SPAN_EXCHANGE][CF_CONSERVED_ENERGY];
    const struct cf_balance_check *run = &r->balance[CF_SPAN_RUN][CF_CONSERVED_ENERGY];
    bool closes = cf_balance_verdict(options, r) == CF_BALANCE_CLOSES && once->body != SIZE_MAX &&
                  run->body != SIZE_MAX;
    char *text = closes ? cf_balance_account(of, once, CF_CONSERVED_ENERGY)
                        : cf_balance_words(of, options, r);

    if (!text)
        return cf_fail(err, CF_ENOMEM, "out of memory for the energy balance of a page");
    fputs("<dt>Energy</dt><dd>", out);
    if (closes) {
        fputs("the energy balance closes to ", out);
        cf_html_number(out, cf_balance_part(once), 2);
        fputs(" of the", out);
        put_quantity(out, once->most, 4, "J");
        fputs(" that ", out);
        cf_html_text(out, text);
        fputs(" had at most, and over the run to ", out);
        cf_html_number(out, cf_balance_part(run), 2);
        fputs(" of what took part", out);
    } else {
        cf_html_text(out, text);
    }
    fputs("</dd>\n", out);
    free(text);
    return CF_OK;
}

static int put_summary(const struct cf_scene_figures *scene, FILE *out, struct cf_error *err)
{
    const struct cf_motion_result *r = &scene->result;
    const struct cf_motion_options *options = &scene->file->options;

    fputs("<dl>\n", out);
    put_contacts(scene, out);
    fputs("<dt>Run</dt><dd>over", out);
    put_quantity(out, r->time_s, 6, "s");
    if (options->scheme) {
        fprintf(out, " by %s, steps of", options->scheme->name);
        put_quantity(out, options->dt_s, 4, "s");
    } else {
        fputs(" at tolerance ", out);
        cf_html_number(out, options->tolerance, 3);
    }
    fprintf(out, ": %zu steps, %zu flights in closed form</dd>\n", r->steps, r->flights);
    int status = put_balance(scene, out, err);
    for (size_t i = 0; i < scene->file->nremark; i++) {
        fputs("<dt>Assumed</dt><dd>", out);
        cf_html_text(out, scene->file->remark[i]);
        fputs("</dd>\n", out);
    }
    fputs("</dl>\n", out);
    return status;
}

/* A number that a cell keeps together: one without a power of ten needs no element for it. */
static void put_cell(FILE *out, double value, int digits)
{
    fputs("<td class=\"r\">", out);
    if (value >= 1e-3 && value < 1e4)
        fprintf(out, "%.*g", digits, value);
    else
        cf_html_number(out, value, digits);
    fputs("</td>", out);
}

/* Of many touches, which are a list of impacts, the first ones. */
static void put_touches(const struct cf_scene_figures *scene, FILE *out)
{
    static const char *const heads[] = {">",         "Contact",          ">begins / s",
                                        ">ends / s", ">arrives / (m/s)", ">leaves / (m/s)",
                                        "><i>e</i>"};
    size_t n = scene->ntouch < MOST_TOUCHES ? scene->ntouch : MOST_TOUCHES;

    if (scene->ntouch < 2)
        return;
    if (n < scene->ntouch)
        fprintf(out, "<details><summary>The first %zu of %zu contacts</summary>\n", n,
                scene->ntouch);
    else
        fprintf(out, "<details><summary>The %zu contacts</summary>\n", n);
    cf_html_table_begin(out, heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < n; i++) {
        const struct cf_scene_touch *t = &scene->touch[i];
        fprintf(out, "<tr><td class=\"r\">%zu</td><td class=\"name\">", i + 1);
        cf_html_text(out, scene->file->scene.pair[t->pair].name);
        fputs("</td>", out);
        put_cell(out, t->made_s, 10);
        put_cell(out, t->lost_s, 10);
        put_cell(out, t->made_m_s, 6);
        put_cell(out, t->lost_m_s, 6);
        fputs("<td class=\"r\">", out);
        cf_html_fixed(out, t->lost_m_s / t->made_m_s, 4);
        fputs("</td></tr>\n", out);
    }
    cf_html_table_end(out);
    fputs("</details>\n", out);
}

int cf_section_scene(const struct cf_scene_figures *scene, size_t number, bool moving,
                     struct cf_plotter *plotter, FILE *out, struct cf_error *err)
{
    const struct cf_scene_file *file = scene->file;
    int status = CF_OK;

    fprintf(out, "<section id=\"s%zu\">\n<div class=\"keep\">\n<h2>", number);
    cf_html_text(out, file->title);
    fputs("</h2>\n", out);
    if (file->source) {
        fputs("<p class=\"sub\">", out);
        cf_html_text(out, file->source);
        fputs("</p>\n", out);
    }
    if (file->caption) {
        fputs("<p>", out);
        cf_html_text(out, file->caption);
        fputs("</p>\n", out);
    }
    for (size_t i = 0; i < scene->n && status == CF_OK; i++) {
        char id[60];
        snprintf(id, sizeof id, "s%zu-%zu", number, i + 1);
        status = put_figure(scene, &scene->figure[i], id, moving, plotter, out, err);
        fputs(i == 0 ? "</div>\n" : "", out);
    }
    if (scene->n == 0)
        fputs("</div>\n", out);
    put_list(file, out);
    if (status == CF_OK)
        status = put_summary(scene, out, err);
    put_touches(scene, out);
    fputs("</section>\n", out);
    return status;
}
