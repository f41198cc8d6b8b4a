/* Where two parameters lie together: a panel a pair, as a triangle.
 *
 * Ellipses are those of the covariance in the coordinates that the fit walks, which are logarithms
 * for most parameters: on logarithmic axes they are ellipses. Where sigmas were estimated their
 * size follows Fisher's F, not chi^2. A posterior sample that has converged is shown as points.
 */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/joint.h"
#include "report/layout.h"
#include "report/text_width.h"

static const double HEIGHT = 3.7; /* inches */

/* A row of many holds a long name, upright. */
static const double ROW = 1.55;
enum { MANY_ROWS = 4 };

/* Above a panel, where its name is short [inches]. */
static const double LEAST_ABOVE = 0.12;

/* A parameter known to no more than a factor of 100 either way has no ellipse: what its covariance
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

struct joint_figure {
    const json_t *fit;
    size_t n;
    struct member member[MAX_SHOWN];
    struct cf_grid grid;
};

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

/* Does the covariance give a spread of parameter i that an ellipse can show? */
static bool has_spread(const json_t *fit, size_t i, bool logs)
{
    double half = sqrt(radius2(fit, 0.95) * cf_joint_covariance(fit, i, i));
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
static void ellipse_point(const struct joint_figure *s, size_t a, size_t b, double radius,
                          double angle, double *x, double *y)
{
    double caa = cf_joint_covariance(s->fit, a, a), cab = cf_joint_covariance(s->fit, a, b);
    double rest = cf_joint_covariance(s->fit, b, b) - cab * cab / caa;

    *x = s->member[a].centre + radius * sqrt(caa) * cos(angle);
    *y = s->member[b].centre +
         radius * (cab / sqrt(caa) * cos(angle) + sqrt(fmax(rest, 0)) * sin(angle));
}

static double shown(const struct member *m, double theta)
{
    return (m->logs ? exp(theta) : theta) * m->scale;
}

static void make_member(struct joint_figure *s, size_t i)
{
    struct member *m = &s->member[i];
    const json_t *parameter, *posterior = cf_view(s->fit, "posterior");

    m->name = cf_joint_name(s->fit, i, &m->logs);
    parameter = json_object_get(cf_view(s->fit, "parameters"), m->name);
    double value = cf_view_number(parameter, "value");
    double half = sqrt(radius2(s->fit, 0.95) * cf_joint_covariance(s->fit, i, i));
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

/* A parameter whose name is no plain one is called by its number, which of many has little room. */
static void add_name(const struct joint_figure *s, size_t i, bool with_unit, struct cf_text *label)
{
    const struct member *m = &s->member[i];
    const json_t *parameter = json_object_get(cf_view(s->fit, "parameters"), m->name);
    const char *unit = cf_view_text(parameter, "unit");

    if (!cf_view_plain(m->name)) {
        cf_text_add(label, s->grid.columns < MANY_ROWS ? "parameter %zu" : "no. %zu", i + 1);
        return;
    }
    bool pure = strcmp(unit, "1") == 0 || !with_unit, over = !pure || m->power;
    cf_text_symbol(label, m->name);
    cf_text_add(label, "%s", !pure ? " / (" : over ? " / " : "");
    if (m->power)
        cf_text_power(label, m->power);
    if (pure)
        return;
    cf_text_add(label, "%s", m->power ? " " : "");
    cf_text_unit(label, unit);
    cf_text_add(label, ")");
}

static void make_axis(const struct joint_figure *s, size_t i, struct cf_chart_axis *axis)
{
    const struct member *m = &s->member[i];
    struct cf_range range = {shown(m, m->range.low), shown(m, m->range.high)};
    enum { NARROW = 20 }; /* factor spanned up to which 2 and 5 are labelled, too */

    if (s->n > 2)
        cf_axis_small(axis, range, m->logs);
    else if (m->logs)
        cf_axis_log(axis, range, NARROW);
    else
        cf_axis_linear(axis, range);
}

static struct cf_chart_series *add_ellipse(const struct joint_figure *s, size_t a, size_t b,
                                           double share, struct cf_style style,
                                           struct cf_panel *panel)
{
    const double turn = 2 * acos(-1.0);
    double radius = sqrt(radius2(s->fit, share));
    struct cf_chart_series *series = cf_panel_add_series(panel, CF_SERIES_LINE, style);

    for (int i = 0; i < ELLIPSE_POINTS; i++) {
        double x, y;
        ellipse_point(s, a, b, radius, turn * i / (ELLIPSE_POINTS - 1), &x, &y);
        cf_series_add(
            series, (struct cf_datum){.x = shown(&s->member[a], x), .y = shown(&s->member[b], y)});
    }
    return series;
}

/* Draws from the posterior, not more than a reader can distinguish; NULL without them. */
static struct cf_chart_series *add_draws(const struct joint_figure *s, size_t a, size_t b,
                                         struct cf_panel *panel)
{
    const struct member *x = &s->member[a], *y = &s->member[b];
    size_t all = json_array_size(x->draws), step = all / MAX_DRAWS + 1;

    if (!all || json_array_size(y->draws) != all)
        return NULL;
    struct cf_chart_series *series = cf_panel_add_series(
        panel, CF_SERIES_POINTS,
        (struct cf_style){
            .colour = CF_SKY, .marker = CF_MARKER_CIRCLE, .filled = true, .size = 0.3});
    for (size_t i = 0; i < all; i += step)
        cf_series_add(series, (struct cf_datum){.x = cf_view_item(x->draws, i) * x->scale,
                                                .y = cf_view_item(y->draws, i) * y->scale});
    return series;
}

/* Member a against member b > a. */
static void add_pair(const struct joint_figure *s, size_t a, size_t b, struct cf_chart *chart)
{
    static const struct cf_style outer = {.colour = CF_BLUE, .width = 1.8, .dash = "12,5"},
                                 inner = {.colour = CF_BLUE, .width = 2.2},
                                 best = {.colour = CF_INK,
                                         .marker = CF_MARKER_CIRCLE,
                                         .filled = true,
                                         .size = 0.8};
    static const char *const title[] = {"best fit", "68 %", "95 %", "posterior"};
    struct cf_panel *panel = cf_grid_add_panel(&s->grid, chart, a, b - 1);

    make_axis(s, a, &panel->x);
    make_axis(s, b, &panel->y);
    /* beside a small panel there is no room for the unit; it stands below, unless there are many,
     * and in the table */
    if (b == s->n - 1)
        add_name(s, a, s->grid.columns < MANY_ROWS, &panel->x.label);
    if (a == 0)
        add_name(s, b, s->n == 2, &panel->y.label);
    struct cf_chart_series *drawn[] = {NULL, NULL, NULL, add_draws(s, a, b, panel)};
    drawn[2] = add_ellipse(s, a, b, 0.95, outer, panel);
    drawn[1] = add_ellipse(s, a, b, 0.68, inner, panel);
    drawn[0] = cf_panel_add_series(panel, CF_SERIES_POINTS, best);
    cf_series_add(drawn[0], (struct cf_datum){.x = shown(&s->member[a], s->member[a].centre),
                                              .y = shown(&s->member[b], s->member[b].centre)});
    for (size_t i = 0; i < 4; i++)
        if (drawn[i] && b == 1)
            cf_series_title(drawn[i], CF_KEY_CHART, i, "%s", title[i]);
}

/* What must stand above a panel so that the longest name beside one, which is centred on it, stays
 * in the frame. */
static double room_above(const struct joint_figure *s)
{
    double longest = 0;

    for (size_t b = 1; b < s->n; b++) {
        struct cf_text label = {.nrun = 0};
        add_name(s, b, s->n == 2, &label);
        longest = fmax(longest, cf_text_width(&label) * CF_TEXT_SIZE_IN);
    }
    return fmin(fmax(LEAST_ABOVE, longest + s->grid.bottom - s->grid.height), s->grid.height / 3);
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    struct joint_figure s = {.fit = fit, .n = cf_joint_count(fit)};
    struct cf_grid *g = &s.grid;

    (void) err;
    for (size_t i = 0; i < s.n; i++)
        make_member(&s, i);
    g->columns = g->rows = s.n - 1;
    g->margin_left = 0.3;
    g->margin_bottom = 0.3;
    g->width = (CF_FIGURE_WIDTH - g->margin_left) / (double) g->columns;
    g->height = (HEIGHT - g->margin_bottom) / (double) g->rows;
    if (g->rows >= MANY_ROWS)
        g->height = fmax(g->height, ROW);
    g->left = 0.66;
    g->right = 0.14;
    g->bottom = 0.46;
    g->above = room_above(&s);
    cf_grid_chart(g, chart);
    for (size_t b = 1; b < s.n; b++)
        for (size_t a = 0; a < b; a++)
            add_pair(&s, a, b, chart);
    return CF_OK;
}

const struct cf_figure cf_figure_correlation = {
    .name = "correlation",
    .title = "Parameters together",
    .what = "where the parameters of each pair lie together",
    .applies = applies,
    .chart = make_chart,
    .caption = cf_joint_caption,
};
