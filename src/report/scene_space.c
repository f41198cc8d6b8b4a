#include "report/scene_space.h"

#include <math.h>
#include <stdlib.h>

#include "report/axis.h"
#include "report/layout.h"
#include "report/line_style.h"
#include "report/scene_solids.h"
#include "report/thin.h"

static const double unseen = 2e-4; /* as in scene_drawing.c */

static void make_axes(const struct cf_range range[3], struct cf_panel *panel)
{
    struct cf_chart_axis *const axis[] = {&panel->x, &panel->y, &panel->z};
    static const char *const name[] = {"x", "y", "z"};

    for (int i = 0; i < 3; i++) {
        if (i == 1) /* seen from its end, it has little room */
            cf_axis_small(axis[i], range[i], false);
        else
            cf_axis_linear(axis[i], range[i]);
        cf_text_symbol(&axis[i]->label, name[i]);
        cf_text_add(&axis[i]->label, " / m");
    }
}

/* The path and its shadow at the height of the ground, of the points that are kept. */
static const struct cf_chart_series *add_path(const struct cf_scene_figure *figure,
                                              const bool keep[], double ground,
                                              struct cf_panel *panel)
{
    const struct cf_scene_curve *curve = figure->panel->curve;
    struct cf_chart_series *shadow = cf_panel_add_series(
        panel, CF_SERIES_LINE, (struct cf_style){.colour = CF_GREY, .width = 1.2});
    struct cf_chart_series *path = cf_panel_add_series(
        panel, CF_SERIES_LINE, (struct cf_style){.colour = CF_BLUE, .width = 1.6});

    cf_text_add(&shadow->title, "on the ground");
    cf_text_add(&path->title, "in space");
    for (size_t i = 0; i < figure->n; i++) {
        struct cf_datum at = {.x = curve[0].y[i], .y = curve[1].y[i], .z = curve[2].y[i]};
        if (!keep[i])
            continue;
        cf_series_add(path, at);
        at.z = ground;
        cf_series_add(shadow, at);
    }
    return path;
}

int cf_scene_space_chart(const struct cf_scene *scene, const struct cf_scene_figure *figure,
                         struct cf_chart *chart, struct cf_error *err)
{
    const struct cf_scene_curve *curve = figure->panel->curve;
    const double *x[3] = {curve[0].y, curve[1].y, curve[2].y};
    struct cf_range range[3] = {CF_RANGE_EMPTY, CF_RANGE_EMPTY, CF_RANGE_EMPTY};
    double scale[3];

    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < figure->n; i++)
            cf_range_include(&range[axis], x[axis][i]);
        if (!(range[axis].high - range[axis].low > 1e-6)) /* m: a plane is enough */
            range[axis] = (struct cf_range){range[axis].low - 0.1, range[axis].high + 0.1};
        else
            cf_range_pad(&range[axis], 0.03);
        scale[axis] = range[axis].high - range[axis].low;
    }
    bool *keep = calloc(figure->n + 1, sizeof *keep);
    if (!keep)
        return cf_fail(err, CF_ENOMEM, "no memory for the points of a line");
    int status = cf_thin(3, x, scale, figure->n, unseen, keep, err);
    if (status == CF_OK) {
        cf_chart_init(chart, CF_FIGURE_WIDTH, 4.2);
        chart->one_panel = true;
        struct cf_panel *panel = cf_chart_add_panel(chart);
        panel->space = true;
        status = cf_scene_solids_add(scene, figure, range, panel, err);
        make_axes(range, panel);
        const struct cf_chart_series *path = add_path(figure, keep, range[2].low, panel);
        if (figure->start)
            cf_line_mark_start(panel, path);
    }
    free(keep);
    return status;
}
