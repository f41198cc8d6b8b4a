/* The page of figure files and scenes. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "report/drawing.h"
#include "report/gallery.h"
#include "report/gallery_scene.h"
#include "report/html.h"
#include "report/html_svg.h"
#include "report/live.h"
#include "report/motion.h"
#include "report/sections.h"

/* The bodies of scenes move on pages that do not become heavy by it. */
static bool is_moving(const struct cf_gallery *gallery)
{
    return gallery->nscene > 0 && gallery->nscene <= CF_MOTION_SCENES;
}

static void put_head(const struct cf_gallery *gallery, FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
    cf_live_policy(is_moving(gallery) ? cf_motion_pieces : NULL, out);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"generator\" content=\"contactfit " PACKAGE_VERSION "\">\n"
          "<title>Figures</title>\n",
          out);
    cf_section_style(out);
    fprintf(out,
            "</head>\n<body>\n<main class=\"gallery\">\n"
            "<header>\n<p class=\"kind\">%s</p>\n<h1>Figures</h1>\n</header>\n",
            !gallery->nscene     ? "Curves of contact laws"
            : !gallery->ndrawing ? "Bodies in contact"
                                 : "Curves of contact laws, bodies in contact");
    if (gallery->nscene > CF_MOTION_SCENES)
        fprintf(out,
                "<p class=\"note\">Bodies move on pages of no more than %d scenes: "
                "<code>contactfit report SCENE.yaml</code>.</p>\n",
                CF_MOTION_SCENES);
}

static void put_quantity(FILE *out, const char *name, double value, const char *unit)
{
    cf_html_formula(out, name);
    fputs(" = ", out);
    cf_html_number(out, value, 4);
    cf_html_unit(out, unit);
}

static void put_curve(const struct cf_drawn *curve, FILE *out)
{
    const char *between = "";

    for (size_t i = 0; i < curve->law->nparam; i++) {
        if (isnan(curve->p[i]))
            continue;
        fputs(between, out);
        between = ", ";
        put_quantity(out, curve->law->param[i].name, curve->p[i], curve->law->param[i].unit);
        if (curve->hertz && strcmp(curve->law->param[i].name, "k") == 0)
            fputs(" (Hertz)", out);
        if (curve->is_tuned && i == curve->tuned)
            fputs(" (fitted)", out);
    }
    if (!isnan(curve->speed_m_s)) {
        fputs(between, out);
        put_quantity(out, "v", curve->speed_m_s, "m/s");
    }
    if (curve->pulls)
        fputs(", without the clamp", out);
    if (curve->is_tuned) {
        fputs(", root mean square of the misses ", out);
        cf_html_number(out, curve->rms, 2);
    }
}

static void put_bodies(const struct cf_drawn_panel *panel, FILE *out)
{
    if (isnan(panel->mass_kg)) {
        cf_html_none(out);
        return;
    }
    put_quantity(out, "m", panel->mass_kg, "kg");
    if (panel->has_pair && isfinite(panel->pair.radius_m)) {
        fputs("<br>", out);
        put_quantity(out, "R", panel->pair.radius_m, "m");
    }
    if (panel->has_pair && panel->pair.modulus_Pa > 0) {
        fputs("<br><i>E</i>* = ", out);
        cf_html_number(out, panel->pair.modulus_Pa, 4);
        cf_html_unit(out, "Pa");
    }
}

static void put_table(const struct cf_drawing *drawing, FILE *out)
{
    static const char *const heads[] = {"", "Law", "Parameters", "Bodies"};

    cf_html_table_begin(out, heads, 4);
    for (size_t i = 0; i < drawing->npanel; i++) {
        const struct cf_drawn_panel *panel = &drawing->panel[i];
        for (size_t j = 0; j < panel->ncurve; j++) {
            fputs("<tr><td>", out);
            if (drawing->npanel > 1 && j == 0)
                fprintf(out, "%c", (char) ('A' + (int) i));
            fputs("</td><td class=\"name\">", out);
            cf_html_text(out, panel->curve[j].law->name);
            fputs("</td><td>", out);
            put_curve(&panel->curve[j], out);
            fputs("</td><td>", out);
            if (j == 0)
                put_bodies(panel, out);
            fputs("</td></tr>\n", out);
        }
    }
    cf_html_table_end(out);
}

static void put_caption(const struct cf_drawing *drawing, FILE *out)
{
    fputs("<figcaption>", out);
    if (drawing->caption)
        cf_html_text(out, drawing->caption);
    for (size_t i = 0; i < drawing->npanel; i++) {
        const struct cf_drawn_panel *panel = &drawing->panel[i];
        if (panel->title) {
            fprintf(out, " <b>%c</b>&nbsp;", (char) ('A' + (int) i));
            cf_html_text(out, panel->title);
            fputs(".", out);
        }
        if (panel->points.file) {
            fprintf(out, " %zu points from ", panel->points.n);
            cf_html_text(out, panel->points.file);
            fputs(".", out);
        }
    }
    if (drawing->source) {
        fputs(" Source: ", out);
        cf_html_text(out, drawing->source);
        fputs(".", out);
    }
    fputs("</figcaption>\n", out);
}

static void put_target(const struct cf_drawing *drawing, FILE *out)
{
    if (!drawing->target)
        return;
    fputs("<p>Wanted restitution: ", out);
    cf_html_text(out, drawing->target->name);
    for (size_t i = 0; i < drawing->target->nparam; i++) {
        fputs(i ? ", " : " with ", out);
        put_quantity(out, drawing->target->param[i].name, drawing->target_p[i],
                     drawing->target->param[i].unit);
    }
    fputs(".</p>\n", out);
}

static int put_drawing(const struct cf_drawing *drawing, size_t number, struct cf_plotter *plotter,
                       FILE *out, struct cf_error *err)
{
    struct cf_chart chart;
    char *svg = NULL, id[40];
    size_t len = 0;
    int status = cf_drawing_chart(drawing, &chart, err);

    if (!status)
        status = cf_chart_render(&chart, "svg", plotter, &svg, &len, err);
    cf_chart_free(&chart);
    if (status)
        return status;
    fprintf(out, "<section id=\"f%zu\">\n<div class=\"keep\">\n<h2>", number);
    cf_html_text(out, drawing->title);
    fputs("</h2>\n<figure>\n", out);
    snprintf(id, sizeof id, "d%zu", number);
    const struct cf_html_svg image = {.id = id, .title = drawing->title};
    status = cf_html_svg(&image, svg, len, out, err);
    free(svg);
    if (status)
        return status;
    put_caption(drawing, out);
    fputs("</figure>\n</div>\n", out);
    if (drawing->nnote)
        fputs("<ul>\n", out);
    for (size_t i = 0; i < drawing->nnote; i++) {
        fputs("<li>", out);
        cf_html_text(out, drawing->note[i]);
        fputs("</li>\n", out);
    }
    if (drawing->nnote)
        fputs("</ul>\n", out);
    put_target(drawing, out);
    put_table(drawing, out);
    fputs("</section>\n", out);
    return CF_OK;
}

static void put_link(FILE *out, char kind, size_t number, const char *title)
{
    fprintf(out, "<li><a href=\"#%c%zu\">", kind, number);
    cf_html_text(out, title);
    fputs("</a></li>\n", out);
}

/* Where there is more than one figure or scene. */
static void put_contents(const struct cf_gallery *gallery, FILE *out)
{
    if (gallery->ndrawing + gallery->nscene < 2)
        return;
    fputs("<nav aria-label=\"Contents\">\n<ul>\n", out);
    for (size_t i = 0; i < gallery->ndrawing; i++)
        put_link(out, 'f', i + 1, gallery->drawing[i]->title);
    for (size_t i = 0; i < gallery->nscene; i++)
        put_link(out, 's', i + 1, gallery->scene[i]->file->title);
    fputs("</ul>\n</nav>\n", out);
}

int cf_gallery_write(const struct cf_gallery *gallery, FILE *out, struct cf_error *err)
{
    struct cf_plotter plotter = CF_PLOTTER;
    int status = CF_OK;

    put_head(gallery, out);
    put_contents(gallery, out);
    for (size_t i = 0; i < gallery->ndrawing && status == CF_OK; i++)
        status = put_drawing(gallery->drawing[i], i + 1, &plotter, out, err);
    for (size_t i = 0; i < gallery->nscene && status == CF_OK; i++)
        status = cf_section_scene(gallery->scene[i], i + 1, is_moving(gallery), &plotter, out, err);
    cf_plotter_end(&plotter);
    if (is_moving(gallery))
        cf_live_script(cf_motion_pieces, out);
    if (status)
        return status;
    return cf_page_end(out, err);
}
