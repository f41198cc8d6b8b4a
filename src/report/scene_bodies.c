#define _XOPEN_SOURCE 700
#include "report/scene_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "report/axis.h"
#include "report/layout.h"
#include "report/scene_surface.h"
#include "report/thin.h"

/* The frame lies so far from the chart's sides [inches]. */
static const double left = 0.92, right = 0.2, bottom = 0.68, above = 0.14, bare = 0.2;

/* A path is off by less than this part of the window. */
static const double unseen = 1e-3;

/* How far a chord may be inside its circle [inches]: a sixth of a dot on a screen. */
static const double chord = 0.15 / 90;

/* Times are named where the body has moved by more than this part of the window. */
static const double apart = 0.06;

enum { LEAST_CORNERS = 12, MOST_CORNERS = 180, MOST_NOTES = 12 };

struct part {
    const struct cf_bodies_picture *picture;
    struct cf_panel *panel;
    double inches; /* of the chart, a metre */
};

static void add_at(const struct part *p, const double at[2], struct cf_chart_series *series)
{
    cf_series_add(series, (struct cf_datum){.x = at[0] * p->picture->factor,
                                            .y = at[1] * p->picture->factor});
}

static void add_end(struct cf_chart_series *series)
{
    cf_series_add(series, (struct cf_datum){.x = NAN, .y = NAN});
}

static void add_disc(const struct part *p, size_t body, const struct cf_scene_pose *pose,
                     const struct cf_outline_disc *disc, struct cf_chart_series *series)
{
    double centre[2], at[2], rim[3], radius = disc->radius_m * p->inches;
    double corners = ceil(M_PI * sqrt(radius / (2 * chord)));
    int n = (int) fmin(fmax(corners, LEAST_CORNERS), MOST_CORNERS);

    cf_bodies_picture_place(p->picture, pose, disc->centre_m, centre);
    for (int i = 0; i <= n; i++) {
        double angle = 2 * M_PI * (i % n) / n;
        at[0] = centre[0] + disc->radius_m * cos(angle);
        at[1] = centre[1] + disc->radius_m * sin(angle);
        add_at(p, at, series);
    }
    add_end(series);
    if (cf_bodies_picture_spoke(p->picture, body, disc, rim)) {
        cf_bodies_picture_place(p->picture, pose, rim, at);
        add_at(p, centre, series);
        add_at(p, at, series);
        add_end(series);
    }
}

/* Is a face seen from its outside? Its loop turns to the left then. */
static bool faces_eye(const struct part *p, const struct cf_scene_pose *pose,
                      const struct cf_outline_line *face)
{
    double twice = 0, last[2], at[2];

    cf_bodies_picture_place(p->picture, pose, face->at_m[face->n - 1], last);
    for (size_t i = 0; i < face->n; i++) {
        cf_bodies_picture_place(p->picture, pose, face->at_m[i], at);
        twice += last[0] * at[1] - last[1] * at[0];
        memcpy(last, at, sizeof last);
    }
    return twice > 0;
}

static void add_line(const struct part *p, const struct cf_scene_pose *pose,
                     const struct cf_outline_line *line, struct cf_chart_series *series)
{
    double at[2];

    if (line->face && !faces_eye(p, pose, line))
        return;
    for (size_t i = 0; i < line->n + line->face; i++) {
        cf_bodies_picture_place(p->picture, pose, line->at_m[i % line->n], at);
        add_at(p, at, series);
    }
    add_end(series);
}

/* A body in a pose. */
static int add_body(const struct part *p, size_t body, const struct cf_scene_pose *pose,
                    struct cf_chart_series *series, struct cf_error *err)
{
    const struct cf_body_outline *outline = &p->picture->outline[body];

    for (size_t i = 0; i < outline->ndisc; i++)
        add_disc(p, body, pose, &outline->disc[i], series);
    for (size_t i = 0; i < outline->nline; i++)
        add_line(p, pose, &outline->line[i], series);
    return cf_scene_surface_add(p->picture, body, pose, series, err);
}

static const struct cf_scene_pose *pose_at(const struct cf_bodies_picture *picture, size_t body,
                                           double time_s)
{
    size_t row = cf_bodies_picture_row(picture, time_s);
    return &picture->figure->pose[row * picture->scene->nbody + body];
}

/* Where the body's mass centre goes. */
static int add_path(const struct part *p, size_t body, struct cf_error *err)
{
    static const double centre[3] = {0, 0, 0};
    const struct cf_bodies_picture *picture = p->picture;
    size_t n = picture->figure->n, nbody = picture->scene->nbody;
    const double scale[2] = {picture->window[0].high - picture->window[0].low,
                             picture->window[1].high - picture->window[1].low};
    double *place = calloc(2 * n + 1, sizeof *place);
    bool *keep = calloc(n + 1, sizeof *keep);
    int status = place && keep ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a path");
    const double *const xy[2] = {place, place + n};

    for (size_t i = 0; i < n && !status; i++) {
        double at[2];
        cf_bodies_picture_place(picture, &picture->figure->pose[i * nbody + body], centre, at);
        place[i] = at[0];
        place[n + i] = at[1];
    }
    if (!status)
        status = cf_thin(2, xy, scale, n, unseen, keep, err);
    struct cf_chart_series *series =
        cf_panel_add_series(p->panel, CF_SERIES_LINE,
                            (struct cf_style){.colour = CF_GREY, .width = 0.8, .dash = "2,4"});
    for (size_t i = 0; i < n && !status; i++) {
        const double at[2] = {xy[0][i], xy[1][i]};
        if (keep[i])
            add_at(p, at, series);
    }
    free(keep);
    free(place);
    return status;
}

static void add_length(struct cf_text *title, double metres)
{
    struct cf_prefix fits = cf_prefix_for("m", metres);
    cf_text_add(title, "%.4g %sm", metres * fits.factor, fits.symbol);
}

/* What a body is, or many that look alike, with its sizes: the radii of its spheres, or how long it
 * is along its axes. */
static void put_title(const struct cf_bodies_picture *picture, size_t body, struct cf_text *title)
{
    const struct cf_body_outline *outline = &picture->outline[body];
    struct cf_range size[3] = {CF_RANGE_EMPTY, CF_RANGE_EMPTY, CF_RANGE_EMPTY};
    size_t nradius = 0, last = body;

    while (last + 1 < picture->scene->nbody && picture->first[last + 1] == body)
        last++;
    cf_text_add(title, "%s", picture->scene->body[body].name);
    if (last > body)
        cf_text_add(title, " to %s", picture->scene->body[last].name);
    for (size_t i = 0; i < outline->ndisc; i++)
        if (outline->disc[i].radius_m > 0 && nradius++ < 3) {
            cf_text_add(title, nradius == 1 ? ", radius " : ", ");
            add_length(title, outline->disc[i].radius_m);
        }
    for (size_t i = 0; i < outline->nline; i++)
        for (size_t j = 0; j < outline->line[i].n; j++)
            for (int k = 0; k < 3; k++)
                cf_range_include(&size[k], outline->line[i].at_m[j][k]);
    for (int k = 0, n = 0; k < 3; k++)
        if (size[k].high - size[k].low > 0) {
            cf_text_add(title, n++ ? " × " : ", ");
            add_length(title, size[k].high - size[k].low);
        }
}

static struct cf_chart_series *add_series(const struct part *p, size_t body, double width)
{
    const struct cf_style style = {.colour = cf_bodies_picture_colour(p->picture, body),
                                   .width = width};
    return cf_panel_add_series(p->panel, CF_SERIES_LINE, style);
}

/* A body that moves: thin at the times of the figure but the last, with its path. */
static int add_moving(const struct part *p, size_t body, struct cf_error *err)
{
    const struct cf_bodies_picture *picture = p->picture;
    struct cf_chart_series *before = add_series(p, body, 0.7);
    int status = add_path(p, body, err);

    for (size_t i = 0; i < picture->ntime && !status; i++) {
        bool last = i + 1 == picture->ntime;
        struct cf_chart_series *series = last ? add_series(p, body, 2) : before;
        status = add_body(p, body, pose_at(picture, body, picture->time_s[i]), series, err);
        if (last && picture->first[body] == body) {
            put_title(picture, body, &series->title);
            series->key = CF_KEY_CHART;
        }
    }
    return status;
}

static int add_bodies(const struct part *p, struct cf_error *err)
{
    const struct cf_scene *scene = p->picture->scene;
    int status = CF_OK;

    for (int moving = 0; moving < 2; moving++)
        for (size_t b = 0; b < scene->nbody && !status; b++) {
            if (p->picture->moves[b] != moving)
                continue;
            if (moving) {
                status = add_moving(p, b, err);
                continue;
            }
            struct cf_chart_series *series = add_series(p, b, p->picture->view.flat ? 1.6 : 0.7);
            status = add_body(p, b, pose_at(p->picture, b, 0), series, err);
            if (series->n > 0) {
                put_title(p->picture, b, &series->title);
                series->key = CF_KEY_CHART;
            }
        }
    return status;
}

/* The times, beside the first body that moves: those at which it is not where it was at another one
 * that is named. */
static void add_times(const struct part *p)
{
    static const double centre[3] = {0, 0, 0};
    const struct cf_bodies_picture *picture = p->picture;
    double least = apart * (picture->window[0].high - picture->window[0].low);
    struct cf_prefix fits = cf_prefix_for("s", picture->time_s[picture->ntime - 1]);
    size_t body = 0, named[MOST_NOTES], nnamed = 0;

    while (body < picture->scene->nbody && !picture->moves[body])
        body++;
    if (body == picture->scene->nbody || picture->ntime < 2)
        return;
    for (size_t k = 0; k < picture->ntime && nnamed < MOST_NOTES; k++) {
        /* the first and the last before the others */
        size_t i = k == 0 ? 0 : k == 1 ? picture->ntime - 1 : k - 1;
        size_t row = cf_bodies_picture_row(picture, picture->time_s[i]);
        double at[2];
        bool clear = true;
        for (size_t j = 0; j < nnamed; j++)
            clear = clear && cf_bodies_picture_way(picture, body, named[j], row) > least;
        if (!clear)
            continue;
        named[nnamed++] = row;
        cf_bodies_picture_place(picture, pose_at(picture, body, picture->time_s[i]), centre, at);
        cf_panel_add_note(p->panel, at[0] * picture->factor, at[1] * picture->factor, "%.3g %ss",
                          picture->time_s[i] * fits.factor, fits.symbol);
    }
}

/* A direction of the picture by the world's axis that it is; "" for none. */
static const char *axis_name(const double direction[3])
{
    static const char *const names[] = {"x", "y", "z"};

    for (int i = 0; i < 3; i++)
        if (direction[i] > 1 - 1e-9)
            return names[i];
    return "";
}

static void put_axis(const struct cf_bodies_picture *picture, const double direction[3],
                     const char *words, struct cf_text *label)
{
    const char *name = axis_name(direction);

    if (*name)
        cf_text_symbol(label, name);
    else
        cf_text_add(label, "%s", words);
    cf_text_add(label, " / %sm", picture->prefix);
}

/* A length of 1, 2 or 5 times a power of ten, about a fifth of the window. */
static void add_scale(const struct part *p)
{
    const struct cf_range *w = p->picture->window;
    double wanted = (w[0].high - w[0].low) / 5, power = pow(10, floor(log10(wanted)));
    double length = power * (wanted >= 5 * power ? 5 : wanted >= 2 * power ? 2 : 1);
    double margin = 0.03 * (w[0].high - w[0].low);
    const double from[2] = {w[0].low + margin, w[1].low + margin},
                 to[2] = {from[0] + length, from[1]};
    struct cf_prefix fits = cf_prefix_for("m", length);
    struct cf_chart_series *series = cf_panel_add_series(
        p->panel, CF_SERIES_LINE, (struct cf_style){.colour = CF_INK, .width = 2});

    add_at(p, from, series);
    add_at(p, to, series);
    cf_panel_add_note(p->panel, to[0] * p->picture->factor, to[1] * p->picture->factor, "%.3g %sm",
                      length * fits.factor, fits.symbol);
}

static void add_axes(const struct part *p)
{
    const struct cf_bodies_picture *picture = p->picture;
    struct cf_chart_axis *const axis[2] = {&p->panel->x, &p->panel->y};
    const double *const direction[2] = {picture->view.right, picture->view.up};

    for (int k = 0; k < 2; k++) {
        struct cf_range range = {picture->window[k].low * picture->factor,
                                 picture->window[k].high * picture->factor};
        cf_axis_linear(axis[k], range);
        if (picture->view.flat) {
            put_axis(picture, direction[k], k ? "up" : "along the motion", &axis[k]->label);
        } else {
            axis[k]->tics = CF_TICS_LIST;
            axis[k]->ntic = 0;
        }
    }
    if (!picture->view.flat)
        add_scale(p);
}

static int make_chart(const struct cf_bodies_picture *picture, struct cf_chart *chart,
                      struct cf_error *err)
{
    bool flat = picture->view.flat;
    double at[4] = {flat ? left : bare, right, flat ? bottom : bare, above}; /* room */
    double width = CF_FIGURE_WIDTH - at[0] - at[1];
    const struct cf_range *w = picture->window;
    double inches = width / (w[0].high - w[0].low), height = inches * (w[1].high - w[1].low);

    cf_chart_init(chart, CF_FIGURE_WIDTH, height + at[2] + at[3]);
    chart->one_panel = true;
    struct cf_panel *panel = cf_chart_add_panel(chart);
    panel->left = at[0];
    panel->right = at[0] + width;
    panel->bottom = at[2];
    panel->top = at[2] + height;
    panel->x.label_at = 0.2;
    panel->y.label_at = 0.25;
    const struct part part = {picture, panel, inches};
    add_axes(&part);
    int status = add_bodies(&part, err);
    add_times(&part);
    return status;
}

int cf_scene_bodies_chart(const struct cf_scene *scene, const struct cf_scene_figure *figure,
                          struct cf_chart *chart, struct cf_error *err)
{
    struct cf_bodies_picture picture;
    int status = cf_bodies_picture_make(scene, figure, &picture, err);

    if (!status)
        status = make_chart(&picture, chart, err);
    cf_bodies_picture_free(&picture);
    return status;
}
