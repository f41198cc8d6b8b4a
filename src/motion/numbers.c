#include "motion/numbers.h"

#include <stdlib.h>
#include <string.h>

/* ---- copies */

/* n things of this size, or NULL for none; *lacking where there is no memory. */
static void *copy_of(const void *from, size_t n, size_t size, bool *lacking)
{
    void *to = n ? malloc(n * size) : NULL;

    if (to)
        memcpy(to, from, n * size);
    *lacking = *lacking || (n && !to);
    return to;
}

static void copy_course(struct cf_course *to, const struct cf_course *from, bool *lacking)
{
    to->time_s = copy_of(from->time_s, from->n, sizeof *to->time_s, lacking);
    to->value = copy_of(from->value, from->n, sizeof *to->value, lacking);
}

static void copy_parts(struct cf_scene *to, const struct cf_scene *from, bool *lacking)
{
    for (size_t i = 0; to->body && i < from->nbody; i++) {
        const struct cf_rigid *body = &from->body[i];
        to->body[i].ball = copy_of(body->ball, body->nball, sizeof *body->ball, lacking);
        to->body[i].solid = copy_of(body->solid, body->nsolid, sizeof *body->solid, lacking);
        to->body[i].accommodation.leg = copy_of(body->accommodation.leg, body->accommodation.nleg,
                                                sizeof *body->accommodation.leg, lacking);
    }
    for (size_t i = 0; to->pair && i < from->npair; i++)
        copy_course(&to->pair[i].load, &from->pair[i].load, lacking);
    for (size_t i = 0; to->force && i < from->nforce; i++)
        copy_course(&to->force[i].force, &from->force[i].force, lacking);
}

int cf_scene_copy(struct cf_scene *to, const struct cf_scene *from, struct cf_error *err)
{
    bool lacking = false;

    *to = *from;
    to->body = copy_of(from->body, from->nbody, sizeof *from->body, &lacking);
    to->pair = copy_of(from->pair, from->npair, sizeof *from->pair, &lacking);
    to->tether = copy_of(from->tether, from->ntether, sizeof *from->tether, &lacking);
    to->force = copy_of(from->force, from->nforce, sizeof *from->force, &lacking);
    copy_parts(to, from, &lacking);
    return lacking ? cf_fail(err, CF_ENOMEM, "no memory for the copy of a scene") : CF_OK;
}

void cf_scene_copy_free(struct cf_scene *copy)
{
    for (size_t i = 0; copy->body && i < copy->nbody; i++) {
        free(copy->body[i].ball);
        free(copy->body[i].solid);
        free(copy->body[i].accommodation.leg);
    }
    for (size_t i = 0; copy->pair && i < copy->npair; i++) {
        free(copy->pair[i].load.time_s);
        free(copy->pair[i].load.value);
    }
    for (size_t i = 0; copy->force && i < copy->nforce; i++) {
        free(copy->force[i].force.time_s);
        free(copy->force[i].force.value);
    }
    free(copy->body);
    free(copy->pair);
    free(copy->tether);
    free(copy->force);
    *copy = (struct cf_scene){.nbody = 0};
}

/* ---- the list */

/* Counts where there is no list yet. */
struct lister {
    struct cf_scene_number *number;
    size_t n;
};

static void add(struct lister *l, double *at, const struct cf_scene_number *as)
{
    if (l->number) {
        l->number[l->n] = *as;
        l->number[l->n].at = at;
    }
    l->n++;
}

static void add_wrt(struct lister *l, double *at, enum cf_wrt_kind kind, size_t index, size_t part)
{
    add(l, at, &(struct cf_scene_number){.kind = CF_NUMBER_BY_WRT, .wrt = {kind, index, part}});
}

static void add_three(struct lister *l, double at[3], enum cf_wrt_kind kind, size_t index)
{
    for (size_t i = 0; i < 3; i++)
        add_wrt(l, &at[i], kind, index, i);
}

static void add_closed(struct lister *l, double *at, const char *what)
{
    add(l, at, &(struct cf_scene_number){.kind = CF_NUMBER_CLOSED, .what = what});
}

static void list_shape(struct lister *l, const struct cf_rigid *body, size_t b)
{
    for (size_t i = 0; i < body->nball; i++) {
        for (int k = 0; k < 3; k++)
            add_closed(l, &body->ball[i].centre_m[k], "the place of a sphere or point in its body");
        add_closed(l, &body->ball[i].radius_m, "a radius");
    }
    for (size_t i = 0; i < body->nsolid; i++) {
        struct cf_solid *solid = &body->solid[i];
        bool plane = !solid->shape->point;
        for (size_t k = 0; k < 3; k++)
            add(l, &solid->point_m[k],
                &(struct cf_scene_number){
                    .kind = CF_NUMBER_SOLID, .wrt = {CF_WRT_SOLID_PLACE, b, k}, .solid = i});
        for (int d = 0; d < CF_SHAPE_DIRECTIONS; d++)
            for (int k = 0; k < 3; k++)
                add_closed(l, &solid->direction[d][k],
                           "the direction of a solid (its body's attitude serves: attitude: "
                           "{axis: [0, 1, 0], angle: 0 deg})");
        for (int k = 0; k < CF_SHAPE_SIZES; k++) {
            if (plane)
                add(l, &solid->size[k],
                    &(struct cf_scene_number){
                        .kind = CF_NUMBER_HEIGHT, .wrt = {CF_WRT_SOLID_PLACE, b, 0}, .solid = i});
            else
                add_closed(l, &solid->size[k], "the size of a solid");
        }
    }
}

static void list_body(struct lister *l, struct cf_rigid *body, size_t b)
{
    struct cf_accommodation *a = &body->accommodation;

    add_wrt(l, &body->mass_kg, CF_WRT_MASS, b, 0);
    for (int k = 0; k < 3; k++)
        add(l, &body->inertia_kg_m2[k],
            &(struct cf_scene_number){.kind = CF_NUMBER_INERTIA, .wrt = {CF_WRT_MASS, b, 0}});
    add_three(l, body->position_m, CF_WRT_POSITION, b);
    add_three(l, body->velocity_m_s, CF_WRT_VELOCITY, b);
    add_three(l, body->spin_rad_s, CF_WRT_SPIN, b);
    add_wrt(l, &body->delay_s, CF_WRT_DELAY, b, 0);
    add_wrt(l, &a->yield_m_s_N, CF_WRT_ACCOMMODATION, b, 0);
    add_wrt(l, &a->dead_band_N, CF_WRT_ACCOMMODATION, b, 1);
    add_wrt(l, &a->lag_s, CF_WRT_ACCOMMODATION, b, 2);
    for (size_t i = 0; i < a->nleg; i++) {
        add_wrt(l, &a->leg[i].from_s, CF_WRT_COMMAND_TIME, b, i);
        for (size_t k = 0; k < 3; k++)
            add_wrt(l, &a->leg[i].velocity_m_s[k], CF_WRT_COMMAND, b, 3 * i + k);
    }
    list_shape(l, body, b);
}

static void list_pair(struct lister *l, struct cf_contact_pair *pair, size_t m)
{
    for (size_t i = 0; pair->law && i < pair->law->nparam; i++)
        add_wrt(l, &pair->p[i], CF_WRT_LAW, m, i);
    for (size_t i = 0; pair->friction && i < pair->friction->nparam; i++)
        add_wrt(l, &pair->friction_p[i], CF_WRT_FRICTION, m, i);
    for (size_t i = 0; pair->restitution && i < pair->restitution->nparam; i++)
        add_wrt(l, &pair->e_param[i], CF_WRT_TARGET, m, i);
    if (pair->load.n)
        add(l, &pair->load_N, &(struct cf_scene_number){.kind = CF_NUMBER_FOLLOWS});
    else
        add_wrt(l, &pair->load_N, CF_WRT_LOAD, m, 0);
    for (size_t i = 0; i < pair->load.n; i++) {
        add_wrt(l, &pair->load.value[i], CF_WRT_LOAD, m, i);
        add_wrt(l, &pair->load.time_s[i], CF_WRT_LOAD_TIME, m, i);
    }
    for (int k = 0; k < 3; k++)
        add_closed(l, &pair->normal[k], "the direction of a load");
    add_closed(l, &pair->relaxation_s, "a relaxation, which only fixed steps have");
    add_closed(l, &pair->uneven, "how two bodies share their depth");
}

static void list_rest(struct lister *l, struct cf_scene *scene)
{
    struct cf_chain *chain = &scene->chain;

    for (size_t i = 0; i < scene->ntether; i++) {
        struct cf_tether *t = &scene->tether[i];
        add_wrt(l, &t->stiffness_N_m, CF_WRT_SPRING, i, 0);
        add_wrt(l, &t->damping_N_s_m, CF_WRT_SPRING, i, 1);
        for (size_t k = 0; k < 3; k++)
            add_wrt(l, &t->anchor_m[k], CF_WRT_SPRING, i, 2 + k);
        for (int k = 0; k < 3; k++)
            add_closed(l, &t->at_m[k], "where a spring holds its body");
    }
    for (size_t i = 0; i < scene->nforce; i++)
        for (size_t k = 0; k < scene->force[i].force.n; k++) {
            add_wrt(l, &scene->force[i].force.value[k], CF_WRT_FORCE, i, k);
            add_wrt(l, &scene->force[i].force.time_s[k], CF_WRT_FORCE_TIME, i, k);
        }
    for (size_t i = 0; i < chain->nlink; i++) {
        add_wrt(l, &chain->link[i].angle_rad, CF_WRT_ANGLE, i, 0);
        add_wrt(l, &chain->link[i].rate_rad_s, CF_WRT_RATE, i, 0);
        add(l, &chain->link[i].inertia_kg_m2,
            &(struct cf_scene_number){.kind = CF_NUMBER_INERTIA,
                                      .wrt = {CF_WRT_MASS, chain->link[i].body, 0}});
        add_closed(l, &chain->link[i].length_m, "the length of a link");
        add_closed(l, &chain->link[i].centre_m, "the mass centre of a link");
    }
    for (int k = 0; k < 3; k++)
        add_closed(l, &chain->joint_m[k], "the joint of a chain");
}

static void list(struct lister *l, struct cf_scene *scene)
{
    for (size_t k = 0; k < 3; k++)
        add_wrt(l, &scene->gravity_m_s2[k], CF_WRT_GRAVITY, 0, k);
    for (size_t b = 0; b < scene->nbody; b++)
        list_body(l, &scene->body[b], b);
    for (size_t m = 0; m < scene->npair; m++)
        list_pair(l, &scene->pair[m], m);
    list_rest(l, scene);
}

int cf_scene_numbers_make(struct cf_scene_numbers *numbers, struct cf_scene *scene,
                          struct cf_error *err)
{
    struct lister l = {.number = NULL};

    list(&l, scene);
    numbers->n = l.n;
    numbers->number = calloc(l.n + 1, sizeof *numbers->number);
    if (!numbers->number)
        return cf_fail(err, CF_ENOMEM, "no memory for the numbers of a scene");
    l = (struct lister){.number = numbers->number};
    list(&l, scene);
    return CF_OK;
}

void cf_scene_numbers_free(struct cf_scene_numbers *numbers)
{
    free(numbers->number);
    *numbers = (struct cf_scene_numbers){.n = 0};
}
