#include "report/scene_space.h"

#include <math.h>
#include <stdlib.h>

#include "report/image.h"
#include "report/plot.h"
#include "report/thin.h"

static const double unseen = 2e-4; /* as in scene_drawing.c */

struct space {
    const struct cf_scene_figure *figure;
    struct cf_range range[3];
    bool *keep;
};

static void put_path(const struct space *s, FILE *script)
{
    const struct cf_scene_curve *curve = s->figure->panel->curve;

    cf_plot_begin(script, "path");
    for (size_t i = 0; i < s->figure->n; i++) {
        if (!s->keep[i])
            continue;
        for (int axis = 0; axis < 3; axis++)
            cf_plot_number(script, curve[axis].y[i]);
        fputc('\n', script);
    }
    cf_plot_end(script);
}

static int draw(const void *what, FILE *script, struct cf_error *err)
{
    const struct space *s = what;
    /* terminals differ widely in where they put an xlabel; the view is always the same */
    static const double at[3][2] = {{0.24, 0.08}, {0.88, 0.13}, {0.025, 0.5}};
    const char *name = "xyz";

    (void) err;
    cf_plot_frame(script);
    put_path(s, script);
    for (int axis = 0; axis < 3; axis++) {
        if (axis == 1) /* seen from its end, it has little room */
            cf_plot_small_range(script, 'y', s->range[axis], false);
        else
            cf_plot_range(script, name[axis], s->range[axis]);
        fprintf(script, "set label %d '{/:Italic %c} / m' at screen %g, screen %g center%s\n",
                axis + 1, name[axis], at[axis][0], at[axis][1], axis == 2 ? " rotate" : "");
    }
    fprintf(script,
            "set xtics offset 0,-0.3\nset ytics offset 0.4,-0.2\n"
            "set lmargin 5\nset rmargin 5\nset bmargin 0\nset tmargin 0\n"
            "set border 31 linecolor rgb '#999999'\nset view 62, 32, 1.05, 1.25\n"
            "set xyplane at %.17g\nset grid x y z vertical\nset key noenhanced at screen 0.97, "
            "screen 0.96\n",
            s->range[2].low);
    fprintf(script,
            "splot $path using 1:2:(%.17g) with lines linewidth 1.2 linecolor rgb '" CF_GREY
            "' title 'on the ground', \\\n    $path using 1:2:3 with lines linewidth 1.6 linecolor "
            "rgb '" CF_BLUE "' title 'in space'",
            s->range[2].low);
    if (s->figure->start)
        fputs(", \\\n    $path every ::0::0 using 1:2:3 with points pointtype 6 pointsize 1.1 "
              "linewidth 1.6 linecolor rgb '" CF_INK "' notitle",
              script);
    fputc('\n', script);
    return CF_OK;
}

int cf_scene_space_render(const struct cf_scene_figure *figure, const char *format, char **bytes,
                          size_t *len, struct cf_error *err)
{
    const struct cf_scene_curve *curve = figure->panel->curve;
    const double *x[3] = {curve[0].y, curve[1].y, curve[2].y};
    struct space s = {figure, {CF_RANGE_EMPTY, CF_RANGE_EMPTY, CF_RANGE_EMPTY}, NULL};
    double scale[3];
    int status;

    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < figure->n; i++)
            cf_range_include(&s.range[axis], x[axis][i]);
        if (!(s.range[axis].high - s.range[axis].low > 1e-6)) /* m: a plane is enough */
            s.range[axis] = (struct cf_range){s.range[axis].low - 0.1, s.range[axis].high + 0.1};
        else
            cf_range_pad(&s.range[axis], 0.03);
        scale[axis] = s.range[axis].high - s.range[axis].low;
    }
    s.keep = calloc(figure->n + 1, sizeof *s.keep);
    if (!s.keep)
        return cf_fail(err, CF_ENOMEM, "no memory for the points of a line");
    status = cf_thin(3, x, scale, figure->n, unseen, s.keep, err);
    if (status == CF_OK) {
        const struct cf_image image = {CF_FIGURE_WIDTH, 4.2, draw, &s};
        status = cf_image_render(&image, format, bytes, len, err);
    }
    free(s.keep);
    return status;
}
