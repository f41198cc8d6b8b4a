#include "motion/scene_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/recorded.h"
#include "motion/sensitivity.h"

/* What reading a number with its unit leaves of its digits, and more. */
static const double ROUNDING = 1e-9;

/* Scenes in comparison. */
struct comparison {
    struct cf_scene_path *path;
    struct cf_scene *const *scene;
    const double *x;
    struct cf_scene_numbers numbers[CF_PATH_SCENES];
};

static bool differ(double a, double b)
{
    return a != b && !(isnan(a) && isnan(b)) && !(fabs(a - b) <= ROUNDING * fmax(fabs(a), fabs(b)));
}

static int add_reach(struct cf_scene_path *path, struct cf_wrt wrt, double slope,
                     struct cf_error *err)
{
    struct cf_scene_reach *longer;

    if (slope == 0)
        return CF_OK;
    longer = realloc(path->reach, (path->nreach + 1) * sizeof *longer);
    if (!longer)
        return cf_fail(err, CF_ENOMEM, "no memory for what a number moves");
    path->reach = longer;
    longer[path->nreach++] = (struct cf_scene_reach){wrt, slope};
    return CF_OK;
}

static int add_move(struct cf_scene_path *path, size_t number, double slope, struct cf_error *err)
{
    struct cf_scene_move *longer = realloc(path->move, (path->nmove + 1) * sizeof *longer);

    if (!longer)
        return cf_fail(err, CF_ENOMEM, "no memory for what a number moves");
    path->move = longer;
    longer[path->nmove++] = (struct cf_scene_move){number, slope};
    return CF_OK;
}

/* The place of a solid, for all contacts that touch it. */
static int reach_solid(struct comparison *c, const struct cf_scene_number *number, double slope,
                       struct cf_error *err)
{
    const struct cf_scene *scene = c->scene[0];
    const double *n = scene->body[number->wrt.index].solid[number->solid].direction[0];
    int status = CF_OK;

    for (size_t m = 0; m < scene->npair && !status; m++) {
        const struct cf_contact_pair *pair = &scene->pair[m];
        struct cf_wrt wrt = {CF_WRT_SOLID_PLACE, m, number->wrt.part};
        if (!pair->law || pair->body[1] != number->wrt.index || pair->solid != number->solid)
            continue;
        if (number->kind == CF_NUMBER_SOLID)
            status = add_reach(c->path, wrt, slope, err);
        for (wrt.part = 0; number->kind == CF_NUMBER_HEIGHT && wrt.part < 3 && !status; wrt.part++)
            status = add_reach(c->path, wrt, slope * n[wrt.part], err);
    }
    return status;
}

/* Inertia goes with the mass, in proportion. */
static int check_inertia(const struct comparison *c, const struct cf_scene_number *number,
                         struct cf_error *err)
{
    const struct cf_rigid *before = &c->scene[0]->body[number->wrt.index];
    const struct cf_rigid *after = &c->scene[1]->body[number->wrt.index];
    const double *now = number->at;
    double was = *c->numbers[0].number[number - c->numbers[1].number].at;

    if (differ(*now, was * after->mass_kg / before->mass_kg))
        return cf_fail(err, CF_EINPUT,
                       "it moves a moment of inertia by itself: derivatives are taken by a mass "
                       "with which inertia grows (leave inertia to the body's shape)");
    return CF_OK;
}

static int compare(struct comparison *c, size_t i, struct cf_error *err)
{
    const struct cf_scene_number *at = &c->numbers[0].number[i];
    double v0 = *at->at, v1 = *c->numbers[1].number[i].at, v2 = *c->numbers[2].number[i].at;
    double slope = (v1 - v0) / (c->x[1] - c->x[0]);
    int status;

    if (!differ(v0, v1) && !differ(v0, v2))
        return CF_OK;
    if (differ(v0 + slope * (c->x[2] - c->x[0]), v2))
        return cf_fail(err, CF_EINPUT,
                       "the scene does not follow it along a straight line: free what it stands "
                       "for, such as k of a contact");
    status = add_move(c->path, i, slope, err);
    if (status || at->kind == CF_NUMBER_FOLLOWS)
        return status;
    if (at->kind == CF_NUMBER_INERTIA)
        return check_inertia(c, &c->numbers[1].number[i], err);
    return at->kind == CF_NUMBER_BY_WRT ? add_reach(c->path, at->wrt, slope, err)
                                        : reach_solid(c, at, slope, err);
}

/* A mass whose inertia stays. */
static int check_masses(const struct comparison *c, struct cf_error *err)
{
    for (size_t b = 0; b < c->scene[0]->nbody; b++) {
        const struct cf_rigid *before = &c->scene[0]->body[b], *after = &c->scene[1]->body[b];
        double share = after->mass_kg / before->mass_kg;
        if (!differ(before->mass_kg, after->mass_kg))
            continue;
        for (int k = 0; k < 3; k++)
            if (differ(before->inertia_kg_m2[k] * share, after->inertia_kg_m2[k]))
                return cf_fail(err, CF_EINPUT,
                               "it moves the mass of %s, whose inertia is stated by itself: "
                               "derivatives are taken by a mass with which inertia grows",
                               before->name);
    }
    return CF_OK;
}

/* The turn from one attitude to another, as a vector of the world [rad]. */
static void turn_between(const double from[4], const double to[4], double turn[3])
{
    /* to from^-1 = (w, v) */
    double w = to[0] * from[0] + cf_vec_dot(to + 1, from + 1), v[3], n;

    cf_vec_cross(from + 1, to + 1, v);
    cf_vec_add_scaled(v, from[0], to + 1, v);
    cf_vec_add_scaled(v, -to[0], from + 1, v);
    n = cf_vec_norm(v);
    cf_vec_scale(n > 0 ? 2 * atan2(w < 0 ? -n : n, fabs(w)) / n : 0, v, turn);
}

static int compare_attitude(struct comparison *c, size_t b, struct cf_error *err)
{
    double turn[2][3], off[3];
    struct cf_scene_turn *longer;
    struct cf_scene_path *path = c->path;
    int status = CF_OK;

    for (int i = 0; i < 2; i++) {
        turn_between(c->scene[0]->body[b].attitude, c->scene[i + 1]->body[b].attitude, turn[i]);
        cf_vec_scale(1 / (c->x[i + 1] - c->x[0]), turn[i], turn[i]);
    }
    cf_vec_sub(turn[0], turn[1], off);
    if (cf_vec_norm(turn[0]) == 0 && cf_vec_norm(turn[1]) == 0)
        return CF_OK;
    /* an angle of a small part of a radian has lost digits */
    if (!(cf_vec_norm(off) <= 1e3 * ROUNDING * cf_vec_norm(turn[0])))
        return cf_fail(err, CF_EINPUT,
                       "the attitude of %s does not follow it along a straight line: free the "
                       "angle about an axis",
                       c->scene[0]->body[b].name);
    longer = realloc(path->turn, (path->nturn + 1) * sizeof *longer);
    if (!longer)
        return cf_fail(err, CF_ENOMEM, "no memory for what a number moves");
    path->turn = longer;
    memcpy(longer[path->nturn].axis, turn[0], sizeof turn[0]);
    longer[path->nturn++].body = b;
    for (size_t k = 0; k < 3 && !status; k++)
        status = add_reach(path, (struct cf_wrt){CF_WRT_TILT, b, k}, turn[0][k], err);
    return status;
}

/* Only numbers may differ. */
static int check_alike(const struct comparison *c, struct cf_error *err)
{
    for (int i = 1; i < CF_PATH_SCENES; i++) {
        const struct cf_scene *a = c->scene[0], *b = c->scene[i];
        bool alike = c->numbers[i].n == c->numbers[0].n && a->nbody == b->nbody;
        for (size_t k = 0; alike && k < a->nbody; k++)
            alike = a->body[k].drive == b->body[k].drive;
        if (!alike)
            return cf_fail(err, CF_EINPUT, "it changes what the scene is made of");
        if (a->duration_s != b->duration_s)
            return cf_fail(err, CF_EINPUT, "it moves how long the scene lasts, and no motion");
    }
    return CF_OK;
}

static bool traces_differ(const struct comparison *c, size_t b)
{
    const struct cf_rigid *one = &c->scene[0]->body[b], *other = &c->scene[1]->body[b];
    double from = 0, to = 0, from1 = 0, to1 = 0, x[3], x1[3], v[3];
    enum { TIMES = 7 };

    if (!one->trace)
        return false;
    cf_trace_span(one->trace, &from, &to);
    cf_trace_span(other->trace, &from1, &to1);
    for (int i = 0; i < TIMES; i++) {
        double t = from + (to - from) * i / (TIMES - 1);
        cf_trace_at(one->trace, t, x, v);
        cf_trace_at(other->trace, t, x1, v);
        if (differ(x[0], x1[0]) || differ(x[1], x1[1]) || differ(x[2], x1[2]))
            return true;
    }
    return from != from1 || to != to1;
}

/* What derivatives are not taken by, first: it says more than what follows from it. */
static int check_closed(const struct comparison *c, struct cf_error *err)
{
    for (size_t i = 0; i < c->numbers[0].n; i++) {
        const struct cf_scene_number *at = &c->numbers[0].number[i];
        if (at->kind == CF_NUMBER_CLOSED && differ(*at->at, *c->numbers[1].number[i].at))
            return cf_fail(err, CF_EINPUT, "it moves %s, by which derivatives are not taken",
                           at->what);
    }
    return CF_OK;
}

static int compare_all(struct comparison *c, struct cf_error *err)
{
    int status = check_alike(c, err);

    if (!status)
        status = check_closed(c, err);

    if (!status)
        status = check_masses(c, err);
    for (size_t i = 0; i < c->numbers[0].n && !status; i++)
        status = compare(c, i, err);
    for (size_t b = 0; b < c->scene[0]->nbody && !status; b++) {
        status = compare_attitude(c, b, err);
        if (!status && traces_differ(c, b))
            status = cf_fail(err, CF_EINPUT,
                             "it moves the recorded motion of %s, by whose places derivatives are "
                             "not taken",
                             c->scene[0]->body[b].name);
    }
    if (!status && !c->path->nmove && !c->path->nturn)
        status = cf_fail(err, CF_EINPUT, "it moves nothing in the scene: it is dead");
    return status;
}

int cf_scene_path_make(struct cf_scene_path *path, struct cf_scene *const scene[CF_PATH_SCENES],
                       const double x[CF_PATH_SCENES], struct cf_error *err)
{
    struct comparison c = {.path = path, .scene = scene, .x = x};
    int status = CF_OK;

    *path = (struct cf_scene_path){.value = x[0]};
    for (int i = 0; i < CF_PATH_SCENES && !status; i++)
        status = cf_scene_numbers_make(&c.numbers[i], scene[i], err);
    if (!status)
        status = compare_all(&c, err);
    for (int i = 0; i < CF_PATH_SCENES; i++)
        cf_scene_numbers_free(&c.numbers[i]);
    return status;
}

void cf_scene_path_clear(struct cf_scene_path *path)
{
    free(path->move);
    free(path->turn);
    free(path->reach);
    *path = (struct cf_scene_path){.value = 0};
}

void cf_scene_path_put(const struct cf_scene_path *path, const struct cf_scene_numbers *numbers,
                       struct cf_scene *scene, double value)
{
    double by = value - path->value;

    for (size_t i = 0; i < path->nmove; i++)
        *numbers->number[path->move[i].number].at += path->move[i].slope * by;
    for (size_t i = 0; i < path->nturn; i++) {
        double *attitude = scene->body[path->turn[i].body].attitude, q[4];
        cf_attitude_spun(attitude, path->turn[i].axis, by, q);
        memcpy(attitude, q, sizeof q);
    }
}

double cf_scene_path_size(const struct cf_scene_path *path, const struct cf_scene *scene)
{
    double size = fabs(path->value);

    for (size_t k = 0; k < path->nreach; k++)
        size = fmax(size, cf_wrt_size(scene, &path->reach[k].wrt) / fabs(path->reach[k].slope));
    return size;
}

const struct cf_scene_number *cf_scene_path_alone(const struct cf_scene_path *path,
                                                  const struct cf_scene_numbers *numbers)
{
    const struct cf_scene_number *number = NULL;

    for (size_t i = 0; i < path->nmove; i++) {
        const struct cf_scene_number *at = &numbers->number[path->move[i].number];
        if (at->kind == CF_NUMBER_FOLLOWS || at->kind == CF_NUMBER_INERTIA)
            continue;
        if (number && (at->kind != number->kind || at->wrt.kind != number->wrt.kind ||
                       at->wrt.part != number->wrt.part))
            return NULL;
        if (path->move[i].slope != 1)
            return NULL;
        number = at;
    }
    return path->nturn ? NULL : number;
}
