/* A panel without its series, in gnuplot's language. All that a panel before it may have set is set
 * or unset here. */

#include <math.h>

#include "report/gnuplot_parts.h"

/* Tags of labels: a label of an axis is this and its number. */
enum { HEADING = 1, AXIS_LABEL = 2, NOTE = 8 };

/* An axis without tics has no line. */
static bool is_bare(const struct cf_chart_axis *axis)
{
    return axis->tics == CF_TICS_LIST && axis->ntic == 0;
}

static void put_tics(struct cf_gnuplot *to, char name, const struct cf_chart_axis *axis)
{
    const char *between = "";

    switch (axis->tics) {
    case CF_TICS_STEP:
        if (axis->step > 0)
            fprintf(to->script, "set %ctics %.17g\nset format %c '%%.%df'\n", name, axis->step,
                    name, axis->decimals);
        break;
    case CF_TICS_LIST:
        if (is_bare(axis)) {
            fprintf(to->script, "unset %ctics\n", name);
            break;
        }
        fprintf(to->script, "set format %c '%%g'\nset %ctics (", name, name);
        for (size_t i = 0; i < axis->ntic; i++) {
            struct cf_text label = cf_tic_text(&axis->tic[i]);
            fputs(between, to->script);
            cf_gnuplot_text(to, &label, true);
            fprintf(to->script, " %.17g %d", axis->tic[i].value, label.nrun == 0);
            between = ", ";
        }
        fputs(")\n", to->script);
    }
}

static void put_axis(struct cf_gnuplot *to, char name, const struct cf_chart_axis *axis)
{
    fprintf(to->script, "%sset logscale %c\n", axis->logarithmic ? "" : "un", name);
    if (axis->range.low < axis->range.high)
        fprintf(to->script, "set %crange [%.17g:%.17g]\n", name, axis->range.low, axis->range.high);
    else
        fprintf(to->script, "set %crange [*:*]\n", name);
    put_tics(to, name, axis);
}

static void put_label(struct cf_gnuplot *to, int tag, const struct cf_text *text)
{
    fprintf(to->script, "set label %d ", tag);
    cf_gnuplot_text(to, text, true);
}

/* The line where y is 0 runs along x, by whose name gnuplot calls it. */
static void put_zero(struct cf_gnuplot *to, char along, const struct cf_chart_axis *axis)
{
    if (!axis->zero) {
        fprintf(to->script, "unset %czeroaxis\n", along);
        return;
    }
    fprintf(to->script, "set %czeroaxis linetype 1 linewidth 1", along);
    cf_gnuplot_colour(to, "linecolor", axis->zero);
    fputc('\n', to->script);
}

/* Labels of axes stand at fixed places, for terminals differ widely in where they put an xlabel. */
static void put_plane(struct cf_gnuplot *to, const struct cf_chart *chart,
                      const struct cf_panel *panel)
{
    double width = chart->width, height = chart->height;

    fprintf(to->script,
            "set lmargin at screen %.6f\nset rmargin at screen %.6f\n"
            "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
            panel->left / width, panel->right / width, panel->top / height, panel->bottom / height);
    fprintf(to->script, "set border %d\n", !is_bare(&panel->x) + 2 * !is_bare(&panel->y));
    put_zero(to, 'x', &panel->y);
    put_zero(to, 'y', &panel->x);
    if (panel->heading.nrun) {
        put_label(to, HEADING, &panel->heading);
        if (panel->heading_at > 0)
            fprintf(to->script, " at screen %.6f, graph 1 left offset 0,%g\n",
                    panel->heading_at / width, panel->heading_lift);
        else
            fprintf(to->script, " at graph 0, graph 1 left offset 0,%g\n", panel->heading_lift);
    }
    if (panel->x.label.nrun) {
        put_label(to, AXIS_LABEL, &panel->x.label);
        if (panel->middle > 0)
            fprintf(to->script, " at screen %.6f", panel->middle / width);
        else
            fputs(" at graph 0.5", to->script);
        fprintf(to->script, ", screen %.6f center\n", panel->x.label_at / height);
    }
    if (panel->y.label.nrun) {
        put_label(to, AXIS_LABEL + 1, &panel->y.label);
        fprintf(to->script, " at screen %.6f, graph 0.5 center rotate\n",
                panel->y.label_at / width);
    }
}

/* Names of points, over all that is drawn. */
static void put_notes(struct cf_gnuplot *to, const struct cf_chart *chart,
                      const struct cf_panel *panel)
{
    for (size_t i = 0; i < panel->nnote; i++) {
        const struct cf_note *note = &panel->note[i];
        if (!note->placed)
            continue;
        put_label(to, NOTE + (int) i, &note->text);
        fprintf(to->script, " at screen %.6f, screen %.6f left font '%s' front\n",
                note->place.x / chart->width, note->place.y / chart->height, to->key_font);
        if (note->leads)
            fprintf(
                to->script,
                "set arrow %zu from screen %.6f, screen %.6f to screen %.6f, screen %.6f nohead "
                "front linewidth 0.6 linecolor rgb '" CF_INK "'\n",
                CF_PANEL_RULES + 1 + i, note->from.x / chart->width, note->from.y / chart->height,
                note->to.x / chart->width, note->to.y / chart->height);
    }
}

/* The view is always the same, and so are the places of labels. */
static void put_space(struct cf_gnuplot *to, const struct cf_panel *panel)
{
    static const double at[3][2] = {{0.24, 0.08}, {0.88, 0.13}, {0.025, 0.5}};
    const struct cf_chart_axis *const axis[] = {&panel->x, &panel->y, &panel->z};

    put_axis(to, 'z', &panel->z);
    for (int i = 0; i < 3; i++) {
        if (!axis[i]->label.nrun)
            continue;
        put_label(to, AXIS_LABEL + i, &axis[i]->label);
        fprintf(to->script, " at screen %g, screen %g center%s\n", at[i][0], at[i][1],
                i == 2 ? " rotate" : "");
    }
    fprintf(to->script,
            "set xtics offset 0,-0.3\nset ytics offset 0.4,-0.2\n"
            "set lmargin 5\nset rmargin 5\nset bmargin 0\nset tmargin 0\n"
            "set border 31 linecolor rgb '#999999'\nset view 62, 32, 1.05, 1.25\n"
            "set xyplane at %.17g\nset grid x y z vertical\n"
            "set key at screen 0.97, screen 0.96\n",
            panel->z.range.low);
}

static void put_end(struct cf_gnuplot *to, char name, double coordinate)
{
    if (isfinite(coordinate))
        fprintf(to->script, "first %.17g", coordinate);
    else
        fprintf(to->script, "graph %d", coordinate > 0);
    fputs(name == 'x' ? ", " : "", to->script);
}

static void put_behind(struct cf_gnuplot *to, const struct cf_panel *panel)
{
    if (panel->strip.colour) {
        fprintf(to->script,
                "set object 1 rectangle from graph 0, first %.17g to graph 1, first %.17g behind",
                panel->strip.low, panel->strip.high);
        cf_gnuplot_fill(to, panel->strip.colour, panel->strip.opacity);
        fputc('\n', to->script);
    }
    for (size_t i = 0; i < panel->nrule; i++) {
        const struct cf_rule *rule = &panel->rule[i];
        fprintf(to->script, "set arrow %zu from ", i + 1);
        put_end(to, 'x', rule->x1);
        put_end(to, 'y', rule->y1);
        fputs(" to ", to->script);
        put_end(to, 'x', rule->x2);
        put_end(to, 'y', rule->y2);
        fputs(" nohead back", to->script);
        cf_gnuplot_line(to, &rule->style);
        fputc('\n', to->script);
    }
}

void cf_gnuplot_frame(struct cf_gnuplot *to, const struct cf_chart *chart,
                      const struct cf_panel *panel)
{
    fputs("unset label\nunset arrow\nunset object\n", to->script);
    put_axis(to, 'x', &panel->x);
    put_axis(to, 'y', &panel->y);
    if (panel->space)
        put_space(to, panel);
    else
        put_plane(to, chart, panel);
    put_behind(to, panel);
    put_notes(to, chart, panel);
}
