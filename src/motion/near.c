#include "motion/near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/frame.h"
#include "motion/patch.h"

/* Of so many pairs each may as well be looked at. */
static const size_t FEW = 64;

/* The margin, of a cell's mean size: larger ones list more pairs, smaller ones more often. */
static const double MARGIN = 0.5;

/* A list is made anew, where there is an occasion, from this part of its margin on. */
static const double OLD = 0.5;

/* The mean radius of the cells that have an end; 0: none has. */
static double mean_radius(const struct cf_rigid *body)
{
    double sum = 0;
    size_t n = 0;

    for (size_t c = 0; c < body->ncell; c++)
        if (isfinite(body->cell[c].radius_m)) {
            sum += body->cell[c].radius_m;
            n++;
        }
    return n > 0 ? sum / (double) n : 0;
}

static double reach_of(const struct cf_rigid *body)
{
    double most = 0;

    for (size_t c = 0; c < body->ncell; c++)
        most = fmax(most, cf_vec_norm(body->cell[c].middle_m) + body->cell[c].radius_m);
    return most;
}

/* Do the pairs from m on run through all cells of body 0, and with each through all of body 1 or
 * one plane? */
static bool all_cells(const struct cf_scene *scene, size_t m, struct cf_near_group *group)
{
    const struct cf_contact_pair *pair = &scene->pair[m];
    const struct cf_rigid *i = &scene->body[pair->body[0]], *j = &scene->body[pair->body[1]];
    bool cells = pair->cell[1] > 0;
    size_t count[2] = {i->ncell, cells ? j->ncell : 1};

    if (!pair->law || pair->cell[0] != 1 || pair->cell[1] > 1 ||
        m + count[0] * count[1] > scene->npair)
        return false;
    for (size_t k = 0; k < count[0] * count[1]; k++)
        if (pair[k].body[0] != pair->body[0] || pair[k].body[1] != pair->body[1] ||
            pair[k].solid != pair->solid || pair[k].cell[0] != 1 + k / count[1] ||
            pair[k].cell[1] != (cells ? 1 + k % count[1] : 0))
            return false;
    *group = (struct cf_near_group){.body = {pair->body[0], pair->body[1]},
                                    .first = m,
                                    .count = {count[0], count[1]},
                                    .margin_m = MARGIN * mean_radius(i),
                                    .reach_m = reach_of(i)};
    if (cells)
        group->margin_m = fmin(group->margin_m, MARGIN * mean_radius(j));
    else
        group->plane = &j->solid[pair->solid];
    return count[0] * count[1] > FEW && group->margin_m > 0 && isfinite(group->reach_m) &&
           (cells || group->plane->shape == cf_shape_find("plane"));
}

static int find_groups(struct cf_near *near, const struct cf_scene *scene, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t m = 0; m < scene->npair && status == CF_OK; m++) {
        struct cf_near_group *group = &near->group[near->ngroup];
        if (!all_cells(scene, m, group))
            continue;
        near->ngroup++;
        m += group->count[0] * group->count[1] - 1;
        for (int side = 0; side < (group->plane ? 1 : 2) && status == CF_OK; side++) {
            const struct cf_rigid *body = &scene->body[group->body[side]];
            if (near->tree[group->body[side]].n == 0)
                status =
                    cf_cell_tree_make(&near->tree[group->body[side]], body->cell, body->ncell, err);
        }
    }
    return status;
}

int cf_near_make(struct cf_near *near, const struct cf_scene *scene, bool all, struct cf_error *err)
{
    *near = (struct cf_near){.nbody = scene->nbody};
    near->pair = calloc(scene->npair + 1, sizeof *near->pair);
    near->found = calloc(2 * scene->npair + 1, sizeof *near->found);
    near->group = calloc(scene->npair / FEW + 1, sizeof *near->group);
    near->tree = calloc(scene->nbody + 1, sizeof *near->tree);
    if (!near->pair || !near->found || !near->group || !near->tree)
        return cf_fail(err, CF_ENOMEM, "out of memory for a scene of %zu contacts", scene->npair);
    for (size_t m = 0; m < scene->npair; m++)
        near->pair[near->n++] = m;
    if (all)
        return CF_OK;
    int status = find_groups(near, scene, err);
    bool *grouped = calloc(scene->npair + 1, sizeof *grouped);
    if (!grouped)
        return cf_fail(err, CF_ENOMEM, "out of memory for a scene of %zu contacts", scene->npair);
    for (size_t g = 0; g < near->ngroup; g++)
        memset(grouped + near->group[g].first, true,
               near->group[g].count[0] * near->group[g].count[1] * sizeof *grouped);
    if (status == CF_OK)
        status = cf_near_balls_make(&near->balls, scene, grouped, err);
    free(grouped);
    return status;
}

void cf_near_free(struct cf_near *near)
{
    for (size_t b = 0; b < near->nbody && near->tree; b++)
        cf_cell_tree_free(&near->tree[b]);
    free(near->pair);
    free(near->found);
    free(near->group);
    free(near->tree);
    cf_near_balls_free(&near->balls);
    *near = (struct cf_near){0};
}

static struct cf_placing placing_now(const struct cf_system *system,
                                     const struct cf_near_group *group)
{
    struct cf_placing now;

    cf_patch_placing(&system->pose[group->body[0]], &system->pose[group->body[1]], &now);
    return now;
}

double cf_near_left(const struct cf_system *system, const struct cf_near_group *group)
{
    struct cf_placing now = placing_now(system, group);
    double moved[3], turned = 0;

    cf_vec_sub(now.origin_m, group->at.origin_m, moved);
    for (int k = 0; k < 9; k++)
        turned += pow(now.turn[k / 3][k % 3] - group->at.turn[k / 3][k % 3], 2);
    return group->margin_m - cf_vec_norm(moved) - group->reach_m * sqrt(turned);
}

double cf_near_time(const struct cf_system *system, const struct cf_near_group *group)
{
    static const double FROBENIUS = 1.4142135623730951; /* of a turn, of its angle */
    double twist[CF_TWIST], lever[3], speed;

    cf_patch_twist(&system->pose[group->body[0]], &system->pose[group->body[1]], twist);
    cf_vec_cross(twist + 3, placing_now(system, group).origin_m, lever);
    cf_vec_add_scaled(lever, 1, twist, lever); /* of body 0's mass centre */
    speed = cf_vec_norm(lever) + FROBENIUS * group->reach_m * cf_vec_norm(twist + 3);
    return fmax(cf_near_left(system, group), 0) / speed;
}

static void middle(const struct cf_pose *pose, const struct cf_cell *cell, double out[3])
{
    cf_out_of_body(pose, cell->middle_m, out);
    cf_vec_add_scaled(out, 1, pose->x, out);
}

double cf_near_gap(const struct cf_system *system, const struct cf_contact_state *contact)
{
    double at[2][3], apart[3];

    for (int side = 0; side < 2; side++)
        middle(&system->pose[contact->pair->body[side]], contact->cell[side], at[side]);
    cf_vec_sub(at[0], at[1], apart);
    return cf_vec_norm(apart) - contact->cell[0]->radius_m - contact->cell[1]->radius_m;
}

struct finding {
    const struct cf_near_group *group;
    size_t n, *found;
};

static void take(void *context, size_t i, size_t j)
{
    struct finding *f = context;

    f->found[f->n++] = f->group->first + i * f->group->count[1] + j;
}

static int compare(const void *a, const void *b)
{
    size_t x = *(const size_t *) a, y = *(const size_t *) b;

    return (x > y) - (x < y);
}

/* Those that were listed and are not open stay. */
static void take_met(const struct cf_system *system, struct finding *f)
{
    const struct cf_near *near = &system->near;
    size_t end = f->group->first + f->group->count[0] * f->group->count[1];

    for (size_t k = 0; f->group->listed && k < near->n; k++) {
        size_t m = near->pair[k];
        if (m >= f->group->first && m < end && system->contact[m].mode != CF_MODE_OPEN)
            f->found[f->n++] = m;
    }
}

static void list_group(const struct cf_system *system, struct cf_near_group *group,
                       struct finding *f)
{
    const struct cf_near *near = &system->near;
    size_t begin = f->n, kept = f->n;

    f->group = group;
    if (group->listed && cf_near_left(system, group) > OLD * group->margin_m) {
        for (size_t k = 0; k < near->n; k++)
            if (near->pair[k] >= group->first &&
                near->pair[k] < group->first + group->count[0] * group->count[1])
                f->found[f->n++] = near->pair[k];
        return;
    }
    group->at = placing_now(system, group);
    if (group->plane)
        cf_cell_tree_over(&near->tree[group->body[0]], &group->at, group->plane->direction[0],
                          group->plane->size[0], group->margin_m, take, f);
    else
        cf_cell_trees_near(&near->tree[group->body[0]], &group->at, &near->tree[group->body[1]],
                           group->margin_m, take, f);
    take_met(system, f);
    qsort(f->found + begin, f->n - begin, sizeof *f->found, compare);
    for (size_t k = begin; k < f->n; k++)
        if (k == begin || f->found[k] != f->found[k - 1])
            f->found[kept++] = f->found[k];
    f->n = kept;
    group->listed = true;
}

static bool any_old(const struct cf_system *system)
{
    const struct cf_near *near = &system->near;

    for (size_t g = 0; g < near->ngroup; g++)
        if (!near->group[g].listed ||
            cf_near_left(system, &near->group[g]) <= OLD * near->group[g].margin_m)
            return true;
    return near->balls.n > 0 &&
           (!near->balls.listed || cf_near_balls_left(system) <= OLD * 0.5 * near->balls.margin_m);
}

void cf_near_renew(struct cf_system *system)
{
    struct cf_near *near = &system->near;
    struct finding f = {.found = near->found};
    size_t m = 0;

    if (!any_old(system))
        return;
    for (size_t g = 0; g <= near->ngroup; g++) {
        struct cf_near_group *group = &near->group[g];
        size_t to = g < near->ngroup ? group->first : system->scene->npair;
        for (; m < to; m++)
            if (!cf_near_balls_have(&near->balls, system->scene, m))
                f.found[f.n++] = m;
        if (g == near->ngroup)
            break;
        list_group(system, group, &f);
        m = group->first + group->count[0] * group->count[1];
    }
    if (near->balls.n > 0) {
        f.n += cf_near_balls_list(system, f.found + f.n);
        qsort(f.found, f.n, sizeof *f.found, compare);
    }
    memcpy(near->pair, near->found, f.n * sizeof *near->pair);
    near->n = f.n;
}
