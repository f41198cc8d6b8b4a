/* States of contacts that come and go: a pair of cells out of many has states while it touches, and
 * none before and after, so that a run has as many as its contacts need. */

#include <string.h>

#include "law/patch.h"
#include "motion/system.h"

static void drop(struct cf_contact_state *contact)
{
    contact->state = contact->bristle = contact->stored = contact->relaxed = CF_NONE;
    contact->pressed = CF_NONE;
    contact->laid = false;
}

/* From one layout to the next. */
struct moving {
    const double *from;
    double *to; /* NULL: layouts alone */
    size_t n;
};

static void move(struct moving *m, size_t *at, size_t count)
{
    if (*at == CF_NONE)
        return;
    if (m->to)
        memcpy(m->to + m->n, m->from + *at, count * sizeof *m->to);
    *at = m->n;
    m->n += count;
}

static void move_body(struct moving *m, struct cf_state_layout *layout)
{
    move(m, &layout->place, 3);
    move(m, &layout->velocity, 3);
    move(m, &layout->attitude, 4);
    move(m, &layout->spin, 3);
}

static void move_contact(struct moving *m, struct cf_contact_state *contact)
{
    const struct cf_contact_pair *pair = contact->pair;

    move(m, &contact->state, pair->law ? pair->law->nstate : 0);
    move(m, &contact->relaxed, 1);
    move(m, &contact->bristle, pair->friction ? cf_bristle_count(pair->friction) : 0);
}

/* Into the order of layout.c, without gaps. */
static void close_up(struct cf_system *system, double state[], double spare[])
{
    struct moving m = {.from = state, .to = state ? spare : NULL};
    struct cf_near *near = &system->near;

    for (size_t b = 0; b < system->scene->nbody; b++)
        move_body(&m, &system->layout[b]);
    move(&m, &system->angle, system->scene->chain.nlink);
    move(&m, &system->rate, system->scene->chain.nlink);
    for (size_t k = 0; k < near->n; k++)
        move_contact(&m, &system->contact[near->pair[k]]);
    move(&m, &system->y, 1);
    move(&m, &system->time, 1);
    system->nread = m.n;
    for (size_t k = 0; k < near->n; k++) {
        move(&m, &system->contact[near->pair[k]].stored, 1);
        move(&m, &system->contact[near->pair[k]].pressed, 1);
    }
    for (int e = 0; e < CF_NENERGY; e++)
        move(&m, &system->account[e], 1);
    for (size_t b = 0; b < system->scene->nbody; b++) {
        move(&m, &system->layout[b].lost, 1);
        move(&m, &system->layout[b].work, 1);
    }
    system->n = m.n;
    if (state)
        memcpy(state, spare, m.n * sizeof *state);
}

void cf_system_pack(struct cf_system *system)
{
    const struct cf_near *near = &system->near;

    for (size_t g = 0; g < near->ngroup; g++) {
        const struct cf_near_group *group = &near->group[g];
        for (size_t k = 0; k < group->count[0] * group->count[1]; k++) {
            struct cf_contact_state *contact = &system->contact[group->first + k];
            contact->comes = true;
            drop(contact);
        }
    }
    for (size_t m = 0; m < system->scene->npair; m++)
        if (cf_near_balls_have(&near->balls, system->scene, m)) {
            system->contact[m].comes = true;
            drop(&system->contact[m]);
        }
    close_up(system, NULL, NULL);
}

void cf_system_lay(struct cf_system *system, struct cf_contact_state *contact, double state[],
                   double spare[])
{
    size_t before = system->n;

    if (!contact->comes || contact->laid)
        return;
    cf_contact_lay(system, contact);
    cf_contact_lay_accounts(system, contact);
    contact->laid = true;
    memset(state + before, 0, (system->n - before) * sizeof *state);
    close_up(system, state, spare);
}

void cf_system_drop_open(struct cf_system *system, double state[], double spare[])
{
    bool any = false;

    for (size_t k = 0; k < system->near.n; k++) {
        struct cf_contact_state *contact = &system->contact[system->near.pair[k]];
        if (contact->laid && contact->mode == CF_MODE_OPEN) {
            drop(contact);
            any = true;
        }
    }
    if (any)
        close_up(system, state, spare);
}
