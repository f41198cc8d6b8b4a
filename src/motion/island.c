/* An island of a scene that runs apart from the rest: made, run over a window, and handed back. */

#include "motion/phase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cf_island_event *cf_island_add_event(struct cf_island_events *events)
{
    if (events->n == events->room) {
        size_t room = 2 * events->room + 16;
        struct cf_island_event *larger = realloc(events->event, room * sizeof *larger);
        if (!larger)
            return NULL;
        events->event = larger;
        events->room = room;
    }
    return &events->event[events->n++];
}

static void note_event(void *observer, enum cf_motion_event what, size_t index,
                       const struct cf_snapshot *at)
{
    struct cf_island *island = observer;
    bool of_body = what == CF_EVENT_APEX;
    struct cf_island_event *event;

    if (what == CF_EVENT_REST) {
        island->rests = true;
        return;
    }
    event = cf_island_add_event(&island->events);
    if (!event) {
        island->apart->status = CF_ENOMEM;
        return;
    }
    *event = (struct cf_island_event){.what = what,
                                      .index = of_body ? island->body[index] : island->pair[index],
                                      .time_s = at->time_s};
    if (of_body) {
        event->body[0] = at->body[index];
        return;
    }
    event->contact = at->contact[index];
    for (int side = 0; side < 2; side++)
        event->body[side] = at->body[island->scene.pair[index].body[side]];
}

static bool stop_island(void *observer, double time_s)
{
    const struct cf_island *island = observer;
    const struct cf_motion_options *options = island->apart->whole->observer.options;

    return island->apart->status != CF_OK ||
           (options->stop && options->stop(options->observer, time_s));
}

void cf_island_free(struct cf_island *island)
{
    if (!island)
        return;
    cf_sensitivity_free(&island->run.sensitivity);
    cf_phase_free(&island->run.phase);
    cf_observer_free(&island->run.observer);
    cf_system_free(&island->run.system);
    free(island->scene.body);
    free(island->scene.pair);
    free(island->body);
    free(island->pair);
    free(island->watched);
    free(island->straying.at_m);
    free(island->straying.v_m_s);
    free(island->straying.aside_m);
    free(island->straying.aside_m_s);
    free(island->events.event);
    free(island);
}

size_t cf_island_of(const struct cf_apart *apart, size_t pair)
{
    const struct cf_scene *scene = apart->whole->system.scene;
    const size_t *body = scene->pair[pair].body;

    for (int side = 0; side < 2; side++)
        if (cf_is_free(scene, body[side]))
            return apart->first[body[side]];
    return SIZE_MAX;
}

/* The number of a body in an island, which takes it in. */
static size_t take_body(struct cf_island *island, size_t b)
{
    struct cf_apart *apart = island->apart;
    struct cf_scene *scene = &island->scene;

    if (apart->number[b] == SIZE_MAX) {
        apart->number[b] = scene->nbody;
        island->body[scene->nbody] = b;
        scene->body[scene->nbody++] = apart->whole->system.scene->body[b];
    }
    return apart->number[b];
}

/* The scene of an island: its bodies in the order of the whole scene's, and the candidates. */
static void take_scene(struct cf_island *island, size_t first, double to_s)
{
    struct cf_apart *apart = island->apart;
    const struct cf_scene *whole = apart->whole->system.scene;
    struct cf_scene *scene = &island->scene;

    scene->duration_s = to_s;
    memcpy(scene->gravity_m_s2, whole->gravity_m_s2, sizeof scene->gravity_m_s2);
    scene->octree = whole->octree;
    for (size_t b = 0; b < whole->nbody; b++)
        if (cf_is_free(whole, b) && apart->first[b] == first)
            take_body(island, b);
    for (size_t k = 0; k < apart->ncandidate; k++) {
        size_t m = apart->candidate[k];
        const struct cf_contact_pair *pair = &whole->pair[m];
        struct cf_contact_pair *own = &scene->pair[scene->npair];
        if (cf_island_of(apart, m) != first)
            continue;
        *own = *pair;
        for (int side = 0; side < 2; side++)
            own->body[side] = take_body(island, pair->body[side]);
        island->pair[scene->npair++] = m;
    }
    for (size_t b = 0; b < scene->nbody; b++)
        apart->number[island->body[b]] = SIZE_MAX;
}

struct cf_island *cf_island_make(struct cf_apart *apart, size_t first, double to_s)
{
    struct cf_island *island = calloc(1, sizeof *island);
    size_t nbody = apart->count[first] + apart->nfixed, npair = 0;

    if (!island)
        return NULL;
    for (size_t k = 0; k < apart->ncandidate; k++)
        npair += cf_island_of(apart, apart->candidate[k]) == first;
    island->apart = apart;
    island->scene.body = malloc((nbody + 1) * sizeof *island->scene.body);
    island->scene.pair = malloc((npair + 1) * sizeof *island->scene.pair);
    island->body = malloc((nbody + 1) * sizeof *island->body);
    island->pair = malloc((npair + 1) * sizeof *island->pair);
    island->watched = calloc(npair + 1, sizeof *island->watched);
    island->straying.at_m = malloc((nbody + 1) * sizeof *island->straying.at_m);
    island->straying.v_m_s = malloc((nbody + 1) * sizeof *island->straying.v_m_s);
    island->straying.aside_m = calloc(nbody + 1, sizeof *island->straying.aside_m);
    island->straying.aside_m_s = calloc(nbody + 1, sizeof *island->straying.aside_m_s);
    if (!island->scene.body || !island->scene.pair || !island->body || !island->pair ||
        !island->watched || !island->straying.at_m || !island->straying.v_m_s ||
        !island->straying.aside_m || !island->straying.aside_m_s) {
        cf_island_free(island);
        return NULL;
    }
    take_scene(island, first, to_s);
    return island;
}

/* What a contact keeps from step to step, but for where its states are. */
static void copy_contact(const struct cf_contact_state *from, struct cf_contact_state *to)
{
    const struct cf_contact_state own = *to;

    *to = *from;
    to->pair = own.pair;
    to->keeper = own.keeper;
    to->octree = own.octree;
    to->state = own.state;
    to->bristle = own.bristle;
    to->stored = own.stored;
    to->relaxed = own.relaxed;
    to->pressed = own.pressed;
    to->comes = own.comes;
    to->laid = own.laid;
}

static void copy(const double from[], size_t at, double to[], size_t there, size_t n)
{
    if (at != CF_NONE && there != CF_NONE)
        memcpy(to + there, from + at, n * sizeof *to);
}

static void copy_contact_states(const struct cf_contact_state *contact, const double state[],
                                const struct cf_contact_state *to, double out[])
{
    const struct cf_contact_pair *pair = contact->pair;

    copy(state, contact->state, out, to->state, pair->law->nstate);
    copy(state, contact->bristle, out, to->bristle,
         pair->friction ? cf_bristle_count(pair->friction) : 0);
    copy(state, contact->stored, out, to->stored, 1);
}

void cf_copy_body(const struct cf_system *system, size_t b, const double state[],
                  struct cf_system *to, size_t there, double out[])
{
    const struct cf_state_layout *from = &system->layout[b], *own = &to->layout[there];

    memcpy(to->reference[there], system->reference[b], sizeof to->reference[there]);
    copy(state, from->place, out, own->place, 3);
    copy(state, from->velocity, out, own->velocity, 3);
    copy(state, from->attitude, out, own->attitude, 4);
    copy(state, from->spin, out, own->spin, 3);
}

/* The island's states at the start of the window. */
static void load(struct cf_island *island)
{
    const struct cf_scene_run *whole = island->apart->whole;
    struct cf_system *system = &island->run.system;
    double *state = island->run.phase.state;

    memset(state, 0, system->n * sizeof *state);
    for (size_t b = 0; b < island->scene.nbody; b++) {
        cf_copy_body(&whole->system, island->body[b], whole->phase.state, system, b, state);
        memcpy(island->straying.at_m[b], island->apart->at_m[island->body[b]],
               sizeof *island->straying.at_m);
        memcpy(island->straying.v_m_s[b], island->apart->v_m_s[island->body[b]],
               sizeof *island->straying.v_m_s);
    }
    for (size_t m = 0; m < island->scene.npair; m++) {
        const struct cf_contact_state *contact = &whole->system.contact[island->pair[m]];
        copy_contact(contact, &system->contact[m]);
        copy_contact_states(contact, whole->phase.state, &system->contact[m], state);
    }
}

int cf_island_run(struct cf_island *island, struct cf_error *err)
{
    const struct cf_scene_run *whole = island->apart->whole;
    struct cf_scene_run *run = &island->run;
    int status;

    island->options = *whole->observer.options;
    island->options.sample = NULL;
    island->options.every_s = 0;
    island->options.ntime = 0;
    island->options.watched = island->watched;
    island->options.on_event = note_event;
    island->options.stop = stop_island;
    island->options.observer = island;
    island->result = (struct cf_motion_result){.rest_s = (double) NAN};
    *run = (struct cf_scene_run){.time_s = whole->time_s, .changed_s = -1};
    status = cf_system_make(&run->system, &island->scene, &island->options, err);
    if (status == CF_OK)
        status = cf_near_make(&run->system.near, &island->scene, true, err);
    if (status == CF_OK)
        status = cf_sensitivity_make(&run->sensitivity, &run->system, 0, NULL, err);
    if (status == CF_OK)
        status =
            cf_observer_make(&run->observer, &run->system, &island->options, &island->result, err);
    if (status == CF_OK)
        status = cf_phase_make(&run->phase, &run->system, &run->observer, err);
    if (status != CF_OK)
        return status;
    run->system.floor_s = whole->system.floor_s;
    run->phase.steps_left = whole->phase.steps_left;
    run->phase.straying = &island->straying;
    island->straying.from_s = island->straying.seen_s = whole->time_s;
    load(island);
    cf_system_poses(&run->system, run->time_s, run->phase.state);
    cf_system_scales(&run->system, island->options.tolerance, run->phase.state, run->phase.rate,
                     run->phase.scale);
    cf_observer_start(&run->observer, run->phase.state, run->phase.scale);
    status = cf_run_go(run, err);
    cf_straying_look(&run->system, &island->straying, island->scene.duration_s, run->phase.state);
    cf_observer_balance(&run->observer, run->time_s, run->phase.state);
    cf_observer_judge(&run->observer);
    return status;
}

/* What was lost on a body's account in an island: of one body that keeps any, all that was lost. */
static double lost_J(const struct cf_island *island, size_t b)
{
    const struct cf_system *system = &island->run.system;
    const double *state = island->run.phase.state;
    double sum = 0;

    if (!system->layout[b].keeps)
        return 0;
    if (system->layout[b].lost != CF_NONE)
        return state[system->layout[b].lost];
    for (int e = CF_ENERGY_NORMAL_DAMPER; e < CF_ENERGY_WORK; e++)
        sum += system->account[e] == CF_NONE ? 0 : state[system->account[e]];
    return sum;
}

void cf_island_store_bodies(const struct cf_island *island, double window_s)
{
    struct cf_apart *apart = island->apart;
    struct cf_system *system = &apart->whole->system;
    double *state = apart->whole->phase.state;
    const double *own = island->run.phase.state;

    for (size_t b = 0; b < island->scene.nbody; b++) {
        size_t there = island->body[b];
        const struct cf_state_layout *layout = &system->layout[there];
        if (!cf_is_free(&island->scene, b))
            continue;
        if (layout->attitude != CF_NONE && island->run.system.layout[b].attitude == CF_NONE)
            cf_attitude_spun(state + layout->attitude, state + layout->spin, window_s,
                             state + layout->attitude);
        cf_copy_body(&island->run.system, b, own, system, there, state);
        if (layout->lost != CF_NONE)
            state[layout->lost] += lost_J(island, b);
        apart->rests[there] = island->rests;
    }
    for (int e = 0; e < CF_NENERGY; e++)
        if (system->account[e] != CF_NONE && island->run.system.account[e] != CF_NONE)
            state[system->account[e]] += own[island->run.system.account[e]];
    for (size_t m = 0; m < island->scene.npair; m++)
        copy_contact(&island->run.system.contact[m], &system->contact[island->pair[m]]);
}

void cf_island_store_contacts(const struct cf_island *island)
{
    struct cf_scene_run *whole = island->apart->whole;

    for (size_t m = 0; m < island->scene.npair; m++) {
        struct cf_contact_state *contact = &whole->system.contact[island->pair[m]];
        if (contact->mode == CF_MODE_OPEN)
            continue;
        cf_system_lay(&whole->system, contact, whole->phase.state, whole->phase.spare);
        copy_contact_states(&island->run.system.contact[m], island->run.phase.state, contact,
                            whole->phase.state);
    }
}
