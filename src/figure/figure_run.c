/* Filling the figures of a scene: a run for each span of time that they show. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "figure/figure_parts.h"

/* Of a span; the drawing omits what cannot be seen. */
enum { SAMPLES = 8000, FIRST_ROOM = 4096, MOST_TOUCHES = 100000 };

struct filling {
    struct cf_scene_figures *figures;
    const struct cf_scene_figure *span; /* whose times the run is for; NULL: the whole scene's */
    size_t only;
    bool whole; /* touches are listed */
    bool started;
    bool event; /* the row is of one, not of a sample */
    double start_J;
    double *row;
    size_t nused, *used; /* of the row: columns that some figure shows, in their order */
    bool *watched;       /* contacts that these columns are of */
    int status;
};

/* ---- what figures show: a scene of many bodies has columns and contacts that none does */

static void use_curve(struct filling *f, bool used[], const struct cf_scene_curve *curve)
{
    const struct cf_scene_table *table = f->figures->table;

    for (size_t i = 0; i < curve->nterm; i++) {
        const struct cf_scene_term *term = &curve->term[i];
        const struct cf_scene_column *column = &table->column[term->column];
        bool vector = cf_scene_quantity_of(column)->vector;
        size_t first = vector ? term->column - (size_t) column->axis : term->column;
        size_t n = term->part == CF_PART_TILT ? 4 : vector ? 3 : 1, pair;
        for (size_t k = first; k < first + n; k++)
            used[k] = true;
        pair = cf_scene_column_pair(column);
        if (pair != SIZE_MAX)
            f->watched[pair] = true;
    }
}

static int find_used(struct filling *f, struct cf_error *err)
{
    const struct cf_scene_figures *figures = f->figures;
    size_t n = figures->table->n;
    bool *used = calloc(n, sizeof *used);

    f->row = calloc(n, sizeof *f->row);
    f->used = calloc(n, sizeof *f->used);
    f->watched = calloc(figures->file->scene.npair + 1, sizeof *f->watched);
    if (!used || !f->row || !f->used || !f->watched) {
        free(used);
        return cf_fail(err, CF_ENOMEM, "no memory for the columns of a scene");
    }
    for (size_t i = 0; i < figures->n; i++) {
        const struct cf_scene_figure *figure = &figures->figure[i];
        use_curve(f, used, &figure->x);
        for (size_t j = 0; j < figure->npanel; j++)
            for (size_t k = 0; k < figure->panel[j].ncurve; k++)
                use_curve(f, used, &figure->panel[j].curve[k]);
    }
    for (size_t i = 0; i < n; i++)
        if (used[i])
            f->used[f->nused++] = i;
    free(used);
    return CF_OK;
}

static void free_used(struct filling *f)
{
    free(f->row);
    free(f->used);
    free(f->watched);
}

/* ---- rows */

static bool same_span(const struct cf_scene_figure *a, const struct cf_scene_figure *b)
{
    return a->from_s == b->from_s && a->to_s == b->to_s;
}

/* It has runs of its own, of other scenes than this one as it is. */
static bool runs_itself(const struct cf_scene_figure *figure)
{
    return figure->kind == CF_SCENE_SWEEP || figure->kind == CF_SCENE_VARIANTS;
}

static bool is_filled(const struct filling *f, const struct cf_scene_figure *figure)
{
    const struct cf_scene_figures *figures = f->figures;

    if (f->only < figures->n && figure != &figures->figure[f->only])
        return false;
    return !runs_itself(figure) && f->span && same_span(figure, f->span);
}

/* A number of a vector along the axes of the figure. */
static double component(const struct cf_scene_figure *figure, const struct cf_scene_column *column,
                        const double *at)
{
    if (!cf_scene_quantity_of(column)->vector)
        return *at;
    const double *v = at - column->axis, *axis = figure->frame[column->axis];
    return axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
}

static double value(const struct filling *f, const struct cf_scene_figure *figure,
                    const struct cf_scene_curve *curve)
{
    double sum = -curve->less, number;

    for (size_t i = 0; i < curve->nterm; i++) {
        const struct cf_scene_term *term = &curve->term[i];
        const double *at = &f->row[term->column];
        if (term->part == CF_PART_TILT)
            number = cf_scene_tilt_rad(at);
        else if (term->part == CF_PART_LENGTH)
            number = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        else
            number = component(figure, &f->figures->table->column[term->column], at);
        sum += term->weight * number;
    }
    return sum;
}

static int grow(void **list, size_t room, size_t size)
{
    void *more = realloc(*list, room * size);

    if (!more)
        return CF_ENOMEM;
    *list = more;
    return CF_OK;
}

static int grow_curve(struct cf_scene_curve *curve, size_t room)
{
    void *y = curve->y;
    int status = grow(&y, room, sizeof *curve->y);

    curve->y = y;
    return status;
}

static int grow_figure(struct cf_scene_figure *figure, size_t nbody)
{
    size_t room = figure->room ? 2 * figure->room : FIRST_ROOM;
    void *pose = figure->pose;
    int status = grow_curve(&figure->x, room);

    for (size_t i = 0; i < figure->npanel; i++)
        for (size_t j = 0; j < figure->panel[i].ncurve && status == CF_OK; j++)
            status = grow_curve(&figure->panel[i].curve[j], room);
    if (figure->kind == CF_SCENE_BODIES && status == CF_OK)
        status = grow(&pose, room * nbody, sizeof *figure->pose);
    figure->pose = pose;
    if (status == CF_OK)
        figure->room = room;
    return status;
}

static void put_poses(const struct cf_snapshot *at, size_t nbody, struct cf_scene_pose pose[])
{
    for (size_t b = 0; b < nbody; b++) {
        memcpy(pose[b].position_m, at->body[b].position_m, sizeof pose[b].position_m);
        memcpy(pose[b].attitude, at->body[b].attitude, sizeof pose[b].attitude);
    }
}

static int add_row(const struct filling *f, const struct cf_snapshot *at,
                   struct cf_scene_figure *figure)
{
    size_t nbody = f->figures->file->scene.nbody;
    int status = figure->n == figure->room ? grow_figure(figure, nbody) : CF_OK;

    if (status)
        return status;
    figure->x.y[figure->n] = value(f, figure, &figure->x);
    for (size_t i = 0; i < figure->npanel; i++)
        for (size_t j = 0; j < figure->panel[i].ncurve; j++)
            figure->panel[i].curve[j].y[figure->n] = value(f, figure, &figure->panel[i].curve[j]);
    if (figure->kind == CF_SCENE_BODIES)
        put_poses(at, nbody, figure->pose + figure->n * nbody);
    figure->n++;
    return CF_OK;
}

static void sampled(void *observer, const struct cf_snapshot *at)
{
    struct filling *f = observer;
    struct cf_scene_figures *figures = f->figures;

    if (!f->started) {
        f->start_J = cf_scene_energy(at->energy_J);
        if (f->whole)
            memcpy(figures->start_J, at->energy_J, sizeof figures->start_J);
    }
    f->started = true;
    if (!f->span || at->time_s < f->span->from_s || at->time_s > f->span->to_s)
        return;
    for (size_t i = 0; i < f->nused; i++)
        f->row[f->used[i]] = cf_scene_table_number(figures->table, f->used[i], at, f->start_J);
    for (size_t i = 0; i < figures->n && f->status == CF_OK; i++)
        /* poses are many numbers, and no picture has corners as sharp as events make them */
        if (is_filled(f, &figures->figure[i]) &&
            !(f->event && figures->figure[i].kind == CF_SCENE_BODIES))
            f->status = add_row(f, at, &figures->figure[i]);
}

static int list_touch(struct cf_scene_figures *figures, enum cf_motion_event what, size_t pair,
                      const struct cf_snapshot *at)
{
    size_t i = figures->ntouch;

    if (what == CF_EVENT_BREAK) {
        while (i > 0 && figures->touch[i - 1].pair != pair)
            i--;
        if (i > 0) {
            figures->touch[i - 1].lost_s = at->time_s;
            figures->touch[i - 1].lost_m_s = -at->contact[pair].rate_m_s;
        }
        return CF_OK;
    }
    if (i == MOST_TOUCHES)
        return CF_OK;
    if (i == figures->room) {
        size_t room = 2 * i + 64;
        struct cf_scene_touch *more = realloc(figures->touch, room * sizeof *more);
        if (!more)
            return CF_ENOMEM;
        figures->touch = more;
        figures->room = room;
    }
    figures->touch[figures->ntouch++] = (struct cf_scene_touch){
        pair, at->time_s, at->contact[pair].rate_m_s, (double) NAN, (double) NAN};
    return CF_OK;
}

static void on_event(void *observer, enum cf_motion_event what, size_t index,
                     const struct cf_snapshot *at)
{
    struct filling *f = observer;

    f->event = true;
    if (what != CF_EVENT_APEX) /* reported after the flight's samples */
        sampled(observer, at);
    f->event = false;
    if (f->whole && f->status == CF_OK && (what == CF_EVENT_MAKE || what == CF_EVENT_BREAK))
        f->status = list_touch(f->figures, what, index, at);
}

static int run_span(struct filling *f, struct cf_error *err)
{
    const struct cf_scene_file *file = f->figures->file;
    struct cf_scene scene = file->scene;
    struct cf_motion_options options = file->options;
    struct cf_motion_result result;
    struct cf_error why = {""};
    int status;

    options.every_s = 0;
    if (f->span) {
        scene.duration_s = f->span->to_s;
        options.from_s = f->span->from_s;
        options.every_s = (f->span->to_s - f->span->from_s) / SAMPLES;
    }
    options.sample = sampled;
    options.on_event = on_event;
    options.observer = f;
    options.watched = f->watched;
    f->started = false;
    status = cf_scene_steps_check(file, &options, err);
    if (status)
        return status;
    if (cf_motion_run(&scene, &options, &result, &why))
        status = cf_fail(err, CF_ESOLVE, "%s: %.900s", file->path, why.text);
    else if (f->status)
        status = cf_fail(err, f->status, "%s: no memory for its figures", file->path);
    if (f->whole)
        f->figures->result = result;
    return status;
}

/* The first figure that shows the whole scene, or NULL. */
static const struct cf_scene_figure *whole(const struct cf_scene_figures *figures, size_t only)
{
    for (size_t i = 0; i < figures->n; i++) {
        const struct cf_scene_figure *figure = &figures->figure[i];
        if (!runs_itself(figure) && figure->from_s == 0 &&
            figure->to_s == figures->file->scene.duration_s && (only >= figures->n || only == i))
            return figure;
    }
    return NULL;
}

/* The columns of one variant are found by their names: another law may have others before them. */
static int run_variant(const struct cf_scene_file *file, struct cf_scene_figure *figure, size_t v,
                       struct cf_error *err)
{
    struct cf_scene_variant *variant = &figure->variant[v];
    struct cf_scene_file *varied = cf_scene_read_varied(file, variant->set, err);
    struct cf_scene_figures *own = varied ? cf_scene_figures_read(varied, err) : NULL;
    int status = own ? CF_OK : CF_EINPUT;

    if (own) {
        size_t i = cf_scene_figures_find(own, figure->name);
        struct cf_scene_figure *one = &own->figure[i];
        one->kind = CF_SCENE_SERIES;
        for (size_t p = 0; p < one->npanel; p++)
            one->panel[p].ncurve = 1;
        status = cf_scene_figures_run(own, i, err);
        variant->n = one->n;
        variant->time_s = one->x.y;
        one->x.y = NULL;
        for (size_t p = 0; p < one->npanel; p++) {
            figure->panel[p].curve[v].y = one->panel[p].curve[0].y;
            one->panel[p].curve[0].y = NULL;
        }
    }
    cf_scene_figures_free(own);
    cf_scene_file_free(varied);
    return status;
}

static int run_variants(const struct cf_scene_file *file, struct cf_scene_figure *figure,
                        struct cf_error *err)
{
    struct cf_error why = {""};

    for (size_t v = 0; v < figure->nvariant; v++) {
        int status = run_variant(file, figure, v, &why);
        if (status)
            return cf_fail(err, status, "%.900s (variant %s)", why.text, figure->variant[v].as);
    }
    return CF_OK;
}

static int run_itself(const struct cf_scene_file *file, struct cf_scene_figure *figure,
                      struct cf_error *err)
{
    return figure->kind == CF_SCENE_SWEEP ? cf_scene_sweep_run(file, figure, err)
                                          : run_variants(file, figure, err);
}

int cf_scene_figures_run(struct cf_scene_figures *figures, size_t only, struct cf_error *err)
{
    struct filling f = {.figures = figures, .only = only};
    int status = find_used(&f, err);

    if (status) {
        free_used(&f);
        return status;
    }
    f.span = whole(figures, only);
    if (f.span || only >= figures->n) {
        f.whole = true;
        status = run_span(&f, err);
        f.whole = false;
    }
    for (size_t i = 0; i < figures->n && status == CF_OK; i++) {
        struct cf_scene_figure *figure = &figures->figure[i];
        if (figure->n > 0 || (only < figures->n && only != i))
            continue;
        f.span = figure;
        status = runs_itself(figure) ? run_itself(figures->file, figure, err) : run_span(&f, err);
    }
    free_used(&f);
    return status;
}
