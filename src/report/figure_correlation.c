/* Where two parameters lie together: a panel a pair, as a triangle.
 *
 * Ellipses are those of the covariance in the coordinates that the fit walks, which are logarithms
 * for most parameters: on logarithmic axes they are ellipses. Where sigmas were estimated their
 * size follows Fisher's F, not chi^2. A posterior sample that has converged is shown as points.
 */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document/view.h"
#include "law/law.h"
#include "report/figures.h"
#include "report/joint.h"
#include "report/plot.h"
#include "report/plot_grid.h"

#define HEIGHT 3.9

/* A parameter told to no more than a factor of 100 either way has no ellipse: what its covariance
 * says holds only where the cost is a parabola. */
static const double WIDEST = 4.6; /* ln 100 */

enum { MAX_SHOWN = 6, ELLIPSE_POINTS = 145, MAX_DRAWS = 2000 };

/* A parameter of the covariance. */
struct member {
    const char *name;
    const json_t *draws; /* NULL without a converged posterior */
    double centre;       /* theta */
    bool logs;
    /* its axis */
    int power;
    double scale;          /* shown = natural value * scale */
    struct cf_range range; /* theta, as shown */
};

struct sketch {
    const json_t *fit;
    FILE *script;
    size_t n;
    struct member member[MAX_SHOWN];
    struct cf_grid grid;
};

static double covariance(const json_t *fit, size_t a, size_t b)
{
    return cf_view_item(json_array_get(cf_view(fit, "covariance.matrix"), a), b);
}

/* Squared radius of the ellipse that holds a share of the probability, in standard deviations. */
static double radius2(const json_t *fit, double share)
{
    const json_t *statistics = cf_view(fit, "statistics");
    double dof = cf_view_number(statistics, "dof");
    bool known = isfinite(cf_view_number(statistics, "chi2_p"));

    if (known || !(dof > 0))
        return -2 * log(1 - share);
    return dof * (pow(1 - share, -2 / dof) - 1);
}

/* Does the covariance tell a spread of parameter i that an ellipse can show? */
static bool has_spread(const json_t *fit, size_t i, bool logs)
{
    double half = sqrt(radius2(fit, 0.95) * covariance(fit, i, i));
    return half > 0 && (logs ? half < WIDEST : isfinite(half));
}

/* Is the covariance one of fitted parameters, each with a value and a spread? */
static bool applies(const json_t *fit)
{
    size_t n = cf_joint_count(fit);
    bool logs;

    for (size_t i = 0; i < n; i++) {
        const json_t *parameter =
            json_object_get(cf_view(fit, "parameters"), cf_joint_name(fit, i, &logs));
        double value = cf_view_number(parameter, "value");
        if (!has_spread(fit, i, logs) || !isfinite(value) || (logs && !(value > 0)) ||
            !cf_view_determined(parameter))
            return false;
    }
    return n >= 2 && n <= MAX_SHOWN;
}

/* The point of an ellipse of members a and b, in theta. */
static void ellipse_point(const struct sketch *s, size_t a, size_t b, double radius, double angle,
                          double *x, double *y)
{
    double caa = covariance(s->fit, a, a), cab = covariance(s->fit, a, b);
    double rest = covariance(s->fit, b, b) - cab * cab / caa;

    *x = s->member[a].centre + radius * sqrt(caa) * cos(angle);
    *y = s->member[b].centre +
         radius * (cab / sqrt(caa) * cos(angle) + sqrt(fmax(rest, 0)) * sin(angle));
}

static double shown(const struct member *m, double theta)
{
    return (m->logs ? exp(theta) : theta) * m->scale;
}

static void make_member(struct sketch *s, size_t i)
{
    struct member *m = &s->member[i];
    const json_t *parameter, *posterior = cf_view(s->fit, "posterior");

    m->name = cf_joint_name(s->fit, i, &m->logs);
    parameter = json_object_get(cf_view(s->fit, "parameters"), m->name);
    double value = cf_view_number(parameter, "value");
    double half = sqrt(radius2(s->fit, 0.95) * covariance(s->fit, i, i));
    m->centre = m->logs ? log(value) : value;
    m->range = (struct cf_range){m->centre - half, m->centre + half};
    if (cf_view_true(posterior, "converged"))
        m->draws = json_object_get(json_object_get(posterior, "draws"), m->name);
    for (size_t k = 0; k < json_array_size(m->draws); k++) {
        double draw = cf_view_item(m->draws, k);
        cf_range_include(&m->range, m->logs ? log(draw) : draw);
    }
    cf_range_pad(&m->range, 0.08);
    m->scale = 1;
    double low = fabs(shown(m, m->range.low)), high = fabs(shown(m, m->range.high));
    double size = fmax(low, high);
    bool wide = m->logs && high > 10 * low;
    if (!wide && size > 0) {
        m->power = (int) floor(log10(size));
        if (m->power > -3 && m->power < 3)
            m->power = 0;
    }
    m->scale = pow(10, -m->power);
}

/* Name and unit from the tables of the law that the file names. */
static void put_name(const struct sketch *s, size_t i, bool with_unit)
{
    const struct member *m = &s->member[i];
    const struct cf_law *law = cf_law_find(cf_view_text(s->fit, "law"));
    size_t j = law ? cf_param_find(law->param, law->nparam, m->name) : 0;
    const struct cf_alias *alias = law ? cf_law_alias(law, m->name) : NULL;
    const char *unit = alias ? alias->unit : law && j < law->nparam ? law->param[j].unit : NULL;

    if (!unit) {
        fprintf(s->script, "parameter %zu", i + 1);
        return;
    }
    bool pure = strcmp(unit, "1") == 0 || !with_unit, over = !pure || m->power;
    cf_plot_symbol(s->script, m->name);
    fputs(!pure ? " / (" : over ? " / " : "", s->script);
    if (m->power)
        fprintf(s->script, "10^{%d}%s", m->power, pure ? "" : " ");
    if (!pure)
        cf_plot_unit(s->script, unit);
    fputs(!pure ? ")" : "", s->script);
}

static void put_axis(const struct sketch *s, char axis, size_t i)
{
    const struct member *m = &s->member[i];
    struct cf_range range = {shown(m, m->range.low), shown(m, m->range.high)};
    enum { NARROW = 20 }; /* factor spanned up to which 2 and 5 are labelled, too */

    if (s->n > 2) {
        cf_plot_small_range(s->script, axis, range, m->logs);
        return;
    }
    if (m->logs) {
        cf_plot_log_range(s->script, axis, range, NARROW);
        return;
    }
    fprintf(s->script, "unset logscale %c\n", axis);
    cf_plot_range(s->script, axis, range);
}

static void put_label(const struct sketch *s, char axis, size_t member, size_t column, size_t row)
{
    if (axis == 'x' ? row + 1 < s->grid.rows : column > 0) {
        fprintf(s->script, "unset label %d\n", axis == 'x' ? 2 : 3);
        return;
    }
    cf_grid_label_begin(s->script, axis);
    /* beside a small panel there is no room for the unit; it stands below, and in the table */
    put_name(s, member, axis == 'x' || s->n == 2);
    cf_grid_label_end(s->script, &s->grid, axis, column, row);
}

static void put_ellipse(const struct sketch *s, size_t a, size_t b, double share, const char *name)
{
    const double turn = 2 * acos(-1.0);
    double radius = sqrt(radius2(s->fit, share));

    cf_plot_begin(s->script, "%s%zu_%zu", name, a, b);
    for (int i = 0; i < ELLIPSE_POINTS; i++) {
        double x, y;
        ellipse_point(s, a, b, radius, turn * i / (ELLIPSE_POINTS - 1), &x, &y);
        fprintf(s->script, "%.17g %.17g\n", shown(&s->member[a], x), shown(&s->member[b], y));
    }
    cf_plot_end(s->script);
}

static size_t put_draws(const struct sketch *s, size_t a, size_t b)
{
    const struct member *x = &s->member[a], *y = &s->member[b];
    size_t all = json_array_size(x->draws), step = all / MAX_DRAWS + 1;

    if (!all || json_array_size(y->draws) != all)
        return 0;
    cf_plot_begin(s->script, "draws%zu_%zu", a, b);
    for (size_t i = 0; i < all; i += step)
        fprintf(s->script, "%.17g %.17g\n", cf_view_item(x->draws, i) * x->scale,
                cf_view_item(y->draws, i) * y->scale);
    cf_plot_end(s->script);
    return all;
}

static void put_title(const struct sketch *s, size_t i, const char *title, bool first)
{
    const double left = 0.6, step = 1.45;

    if (first)
        fprintf(s->script, "title '%s' at screen %.6f, screen %.6f", title,
                (left + step * (double) i) / cf_grid_width(&s->grid),
                0.12 / cf_grid_height(&s->grid));
    else
        fputs("notitle", s->script);
}

/* Member a against member b > a. */
static void draw_pair(const struct sketch *s, size_t a, size_t b)
{
    size_t column = a, row = b - 1;
    bool first = a == 0 && b == 1, begun = false;
    size_t draws = put_draws(s, a, b);

    put_ellipse(s, a, b, 0.68, "inner");
    put_ellipse(s, a, b, 0.95, "outer");
    cf_grid_place(s->script, &s->grid, column, row);
    put_axis(s, 'x', a);
    put_axis(s, 'y', b);
    put_label(s, 'x', a, column, row);
    put_label(s, 'y', b, column, row);
    if (draws) {
        cf_plot_clause(s->script, &begun);
        fprintf(s->script,
                "$draws%zu_%zu using 1:2 with points pointtype 7 pointsize 0.15 "
                "linecolor rgb '" CF_SKY "' ",
                a, b);
        put_title(s, 3, "posterior", first);
    }
    cf_plot_clause(s->script, &begun);
    fprintf(
        s->script,
        "$outer%zu_%zu using 1:2 with lines linewidth 1.8 dashtype (12,5) linecolor rgb '" CF_BLUE
        "' ",
        a, b);
    put_title(s, 2, "95 %", first);
    cf_plot_clause(s->script, &begun);
    fprintf(s->script,
            "$inner%zu_%zu using 1:2 with lines linewidth 2.2 linecolor rgb '" CF_BLUE "' ", a, b);
    put_title(s, 1, "68 %", first);
    cf_plot_clause(s->script, &begun);
    fprintf(s->script,
            "'+' using (%.17g):(%.17g) every ::0::0 with points pointtype 7 pointsize 0.8 "
            "linecolor rgb '" CF_INK "' ",
            shown(&s->member[a], s->member[a].centre), shown(&s->member[b], s->member[b].centre));
    put_title(s, 0, "best fit", first);
    fputc('\n', s->script);
}

static int draw(const json_t *fit, FILE *script, struct cf_error *err)
{
    struct sketch s = {.fit = fit, .script = script, .n = cf_joint_count(fit)};
    struct cf_grid *g = &s.grid;

    (void) err;
    for (size_t i = 0; i < s.n; i++)
        make_member(&s, i);
    g->columns = g->rows = s.n - 1;
    g->margin_left = 0.3;
    g->margin_bottom = 0.5;
    g->width = (CF_FIGURE_WIDTH - g->margin_left) / (double) g->columns;
    g->height = (HEIGHT - g->margin_bottom) / (double) g->rows;
    g->left = 0.66;
    g->right = 0.14;
    g->bottom = 0.46;
    g->above = 0.12;
    cf_plot_frame(script);
    fputs("set multiplot\n", script);
    for (size_t b = 1; b < s.n; b++)
        for (size_t a = 0; a < b; a++)
            draw_pair(&s, a, b);
    fputs("unset multiplot\n", script);
    return CF_OK;
}

const struct cf_figure cf_figure_correlation = {
    .name = "correlation",
    .title = "Parameters together",
    .what = "where the parameters of each pair lie together",
    .width = CF_FIGURE_WIDTH,
    .height = HEIGHT,
    .applies = applies,
    .draw = draw,
    .caption = cf_joint_caption,
};
