/* Scenes of many balls by islands: bodies that cannot meet within a window of time run apart, each
 * island by steps and events of its own, so that a touch costs what its bodies cost and not all.
 *
 * Without contacts two bodies fly straight against each other, as both fall alike. Pairs that come
 * near on these ways, by less than what contacts may turn their bodies aside, are candidates; they
 * and the pairs that touch make the islands. An island is a scene of its own, with its candidates
 * as pairs. How far its bodies went aside is known afterwards: where pairs that are no candidates
 * could have met, their islands are run again as one, from the start of the window. No touch is
 * missed, therefore, and the window's length decides about cost alone.
 */

#include "motion/phase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"

/* The first window, of the run; how islands may grow in it, by the sum of squares of their bodies,
 * against those that touch already; and how it is changed. */
static const double FIRST = 1e-3, GROWS = 1.5, LONGER = 1.25, SHORTER = 0.5;

/* So many times the margin of the list of near pairs: bodies may go half of it in a window. */
static const double MARGIN = 20;

/* Nor is a window shorter than this part of the last. */
static const double LEAST = 1e-3;

/* Below so many steps of an island its making takes longer than its run. */
static const double WORTH = 4;

/* A contact turns a body aside by less than so many times what its speed makes of the window. */
static const double ASIDE = 2;

/* Of the radius: what is nearer touches, to rounding. */
static const double ROUNDING = 1e-9;

bool cf_apart_possible(const struct cf_scene_run *run)
{
    const struct cf_system *system = &run->system;
    const struct cf_scene *scene = system->scene;

    if (system->near.balls.n == 0 || scene->chain.nlink > 0 || scene->ntether > 0 ||
        scene->nforce > 0 || system->sensitivity || run->observer.options->on_values)
        return false;
    for (size_t b = 0; b < scene->nbody; b++)
        if (scene->body[b].drive != CF_DRIVE_FREE && scene->body[b].drive != CF_DRIVE_FIXED)
            return false;
    for (size_t m = 0; m < scene->npair; m++)
        if (!cf_near_balls_have(&system->near.balls, scene, m))
            return false;
    for (size_t b = 0; b < scene->nbody; b++)
        if (scene->body[b].drive == CF_DRIVE_FREE && cf_rigid_turns(&scene->body[b]) &&
            !cf_rigid_round(&scene->body[b]))
            return false;
    return true;
}

static size_t first_of(size_t first[], size_t b)
{
    while (first[b] != b)
        b = first[b] = first[first[b]];
    return b;
}

/* Joins the bodies of all pairs that touch, or of all candidates; the sum of squares of how many
 * bodies are one. */
static double join(struct cf_apart *apart, bool candidates)
{
    const struct cf_system *system = &apart->whole->system;
    const struct cf_scene *scene = system->scene;
    double sum = 0;

    for (size_t b = 0; b < scene->nbody; b++) {
        apart->first[b] = b;
        apart->count[b] = 0;
    }
    for (size_t k = 0; k < system->near.n; k++) {
        size_t m = system->near.pair[k], a, b;
        const size_t *body = scene->pair[m].body;
        if (!(candidates ? apart->chosen[m] : system->contact[m].mode != CF_MODE_OPEN) ||
            !cf_is_free(scene, body[0]) || !cf_is_free(scene, body[1]))
            continue;
        a = first_of(apart->first, body[0]);
        b = first_of(apart->first, body[1]);
        apart->first[a > b ? a : b] = a > b ? b : a;
    }
    for (size_t b = 0; b < scene->nbody; b++)
        if (cf_is_free(scene, b))
            apart->count[apart->first[b] = first_of(apart->first, b)]++;
    for (size_t b = 0; b < scene->nbody; b++)
        sum += (double) (apart->count[b] * apart->count[b]);
    return sum;
}

/* The least gap of a pair in the window, if nothing turned its bodies aside. */
static double least_gap(const struct cf_apart *apart, size_t m, double window_s)
{
    const struct cf_system *system = &apart->whole->system;
    const struct cf_scene *scene = system->scene;
    const struct cf_contact_pair *pair = &scene->pair[m];
    size_t i = pair->body[0], j = pair->body[1];
    double apart_m[3], v[3], square, when,
        share = cf_is_free(scene, i) - (double) cf_is_free(scene, j);
    double fall_m = 0.5 * cf_vec_norm(scene->gravity_m_s2) * window_s * window_s;

    if (apart->plane[m]) { /* it stands */
        struct cf_contact_kinematics kin;
        cf_contact_geometry(system, &system->contact[m], &kin);
        return -kin.depth - fmax(kin.rate, 0) * window_s - fall_m;
    }
    cf_vec_sub(apart->at_m[i], apart->at_m[j], apart_m);
    cf_vec_sub(apart->v_m_s[i], apart->v_m_s[j], v);
    square = cf_vec_dot(v, v);
    when = square > 0 ? fmin(fmax(-cf_vec_dot(apart_m, v) / square, 0), window_s) : 0;
    cf_vec_add_scaled(apart_m, when, v, apart_m);
    return cf_vec_norm(apart_m) - scene->body[i].ball[pair->ball].radius_m -
           scene->body[j].solid[pair->solid].size[0] - fabs(share) * fall_m;
}

/* Can the bodies of a pair meet? */
static bool may_meet(const struct cf_apart *apart, size_t m, double window_s)
{
    const struct cf_contact_pair *pair = &apart->whole->system.scene->pair[m];
    size_t i = pair->body[0], j = pair->body[1];
    double rounding_m = ROUNDING * apart->whole->system.scene->body[i].ball[pair->ball].radius_m;

    return least_gap(apart, m, window_s) <= apart->aside_m[i] + apart->aside_m[j] + rounding_m;
}

/* How fast the bodies of the pairs that touch, or of all candidates, may leave them. */
static void find_speeds(struct cf_apart *apart, double window_s)
{
    const struct cf_system *system = &apart->whole->system;
    const struct cf_scene *scene = system->scene;
    double weight_m_s = cf_vec_norm(scene->gravity_m_s2) * window_s;

    for (size_t b = 0; b < scene->nbody; b++)
        apart->speed_m_s[b] = cf_vec_norm(apart->v_m_s[b]) + weight_m_s;
    for (size_t k = 0; k < system->near.n; k++) {
        size_t m = system->near.pair[k];
        const size_t *body = scene->pair[m].body;
        double speed;
        if (!apart->chosen[m])
            continue;
        speed = fmax(apart->speed_m_s[body[0]], apart->speed_m_s[body[1]]);
        if (system->contact[m].mode != CF_MODE_OPEN)
            speed = fmax(speed, system->contact[m].approach_m_s);
        for (int side = 0; side < 2; side++)
            if (cf_is_free(scene, body[side]))
                apart->aside_m[body[side]] =
                    fmax(apart->aside_m[body[side]], ASIDE * speed * window_s);
    }
}

/* Pairs whose bodies may meet: those that touch turn theirs aside, and those that come to touch do
 * so, too. */
static void choose(struct cf_apart *apart, double window_s)
{
    const struct cf_system *system = &apart->whole->system;
    const struct cf_near *near = &system->near;

    memset(apart->aside_m, 0, system->scene->nbody * sizeof *apart->aside_m);
    for (size_t k = 0; k < near->n; k++)
        apart->chosen[near->pair[k]] = system->contact[near->pair[k]].mode != CF_MODE_OPEN;
    for (int round = 0; round < 2; round++) {
        find_speeds(apart, window_s);
        for (size_t k = 0; k < near->n; k++)
            apart->chosen[near->pair[k]] =
                apart->chosen[near->pair[k]] || may_meet(apart, near->pair[k], window_s);
    }
}

/* Are all pairs listed that may meet? No body must go further than this list allows. */
static bool is_covered(const struct cf_apart *apart, double window_s)
{
    const struct cf_system *system = &apart->whole->system;
    double g = cf_vec_norm(system->scene->gravity_m_s2), left_m = cf_near_balls_left(system);

    for (size_t b = 0; b < system->scene->nbody; b++)
        if (!((cf_vec_norm(apart->v_m_s[b]) + 0.5 * g * window_s) * window_s + apart->aside_m[b] <=
              left_m))
            return false;
    return true;
}

/* The candidates and the islands of the next window, which is made as short as is worth it. Poses
 * are those of its start. */
static void divide(struct cf_apart *apart, double *to_s)
{
    struct cf_scene_run *run = apart->whole;
    struct cf_system *system = &run->system;
    double window_s = *to_s - run->time_s, longest_s = 0, now;
    double least_s = fmax(WORTH * apart->step_s, LEAST * window_s);

    cf_near_renew(system);
    for (size_t b = 0; b < system->scene->nbody; b++) {
        memcpy(apart->at_m[b], system->pose[b].x, sizeof apart->at_m[b]);
        memcpy(apart->v_m_s[b], system->pose[b].v, sizeof apart->v_m_s[b]);
    }
    now = join(apart, false);
    for (;; window_s *= SHORTER) {
        choose(apart, window_s);
        if (!is_covered(apart, window_s))
            continue;
        longest_s = longest_s > 0 ? longest_s : window_s;
        if (join(apart, true) <= GROWS * now)
            break;
        if (SHORTER * window_s < least_s) { /* none parts them: all hang together */
            window_s = longest_s;
            choose(apart, window_s);
            join(apart, true);
            break;
        }
    }
    if (window_s < *to_s - run->time_s)
        *to_s = run->time_s + window_s;
}

/* How far the bodies of an island went aside; one that came to rest stays. */
static void tell_aside(struct cf_apart *apart, const struct cf_island *island)
{
    for (size_t b = 0; b < island->scene.nbody; b++)
        apart->aside_m[island->body[b]] = island->straying.aside_m[b];
}

/* Of bodies that stay where they are. */
static double fall_m(const struct cf_apart *apart, size_t b, double window_s)
{
    double g = cf_vec_norm(apart->whole->system.scene->gravity_m_s2);

    return (cf_vec_norm(apart->v_m_s[b]) + 0.5 * g * window_s) * window_s;
}

static bool all_rest(const struct cf_apart *apart, size_t first)
{
    const struct cf_scene *scene = apart->whole->system.scene;

    for (size_t b = first; b < scene->nbody; b++)
        if (cf_is_free(scene, b) && apart->first[b] == first && !apart->rests[b])
            return false;
    return true;
}

/* Runs the islands that are not there yet. */
static int run_islands(struct cf_apart *apart, double to_s, struct cf_error *err)
{
    struct cf_scene_run *whole = apart->whole;
    const struct cf_scene *scene = whole->system.scene;
    size_t steps = 0, islands = 0;
    int status = CF_OK;

    apart->ncandidate = 0;
    for (size_t k = 0; k < whole->system.near.n; k++)
        if (apart->chosen[whole->system.near.pair[k]])
            apart->candidate[apart->ncandidate++] = whole->system.near.pair[k];
    memset(apart->dirty, 0, scene->nbody * sizeof *apart->dirty);
    for (size_t k = 0; k < apart->ncandidate; k++) /* bodies that have pairs */
        if (cf_island_of(apart, apart->candidate[k]) != SIZE_MAX)
            apart->dirty[cf_island_of(apart, apart->candidate[k])] = true;
    for (size_t b = 0; b < scene->nbody && status == CF_OK; b++) {
        struct cf_island *island;
        if (!cf_is_free(scene, b) || apart->first[b] != b || apart->island[b])
            continue;
        if (all_rest(apart, b)) {
            for (size_t i = b; i < scene->nbody; i++)
                if (apart->first[i] == b)
                    apart->aside_m[i] = fall_m(apart, i, to_s - whole->time_s);
            continue;
        }
        apart->aside_m[b] = 0;
        if (!apart->dirty[b])
            continue;
        island = apart->island[b] = cf_island_make(apart, b, to_s);
        status = island ? cf_island_run(island, err)
                        : cf_fail(err, CF_ENOMEM, "out of memory for a scene of %zu bodies",
                                  scene->nbody);
        if (status != CF_OK)
            break;
        tell_aside(apart, island);
        whole->phase.steps_left -= island->result.steps + island->result.rejected;
        steps += island->result.steps;
        islands++;
    }
    if (steps > 0)
        apart->step_s = (to_s - whole->time_s) * (double) islands / (double) steps;
    return status;
}

/* Pairs that could have met though they are no candidates: now they are, and their islands have to
 * run again, with all that they are joined to. */
static bool find_missed(struct cf_apart *apart, double to_s)
{
    const struct cf_scene *scene = apart->whole->system.scene;
    const struct cf_near *near = &apart->whole->system.near;
    double window_s = to_s - apart->whole->time_s;
    bool any = false;

    memset(apart->dirty, 0, scene->nbody * sizeof *apart->dirty);
    for (size_t k = 0; k < near->n; k++) {
        size_t m = near->pair[k];
        if (apart->chosen[m] || !may_meet(apart, m, window_s))
            continue;
        apart->chosen[m] = any = true;
        for (int side = 0; side < 2; side++) {
            size_t b = scene->pair[m].body[side];
            if (cf_is_free(scene, b))
                apart->dirty[apart->first[b]] = true;
        }
    }
    for (size_t b = 0; b < scene->nbody && any; b++)
        if (apart->dirty[b]) {
            cf_island_free(apart->island[b]);
            apart->island[b] = NULL;
        }
    if (any)
        join(apart, true);
    return any;
}

/* An event of the whole scene, from an island's or a flight's. */
static void pass_event(struct cf_apart *apart, const struct cf_island_event *event)
{
    struct cf_island_event *own = cf_island_add_event(&apart->events);

    if (!own) {
        apart->status = CF_ENOMEM;
        return;
    }
    *own = *event;
    own->order = apart->events.n;
}

/* The top of a body's flight in the window. */
static void pass_top(struct cf_apart *apart, size_t b, double window_s)
{
    struct cf_scene_run *run = apart->whole;
    struct cf_system *system = &run->system;
    const double *g = system->scene->gravity_m_s2;
    double after_s = -cf_vec_dot(g, apart->v_m_s[b]) / cf_vec_dot(g, g), *later = run->phase.spare;
    struct cf_island_event event = {
        .what = CF_EVENT_APEX, .index = b, .time_s = run->time_s + after_s};

    if (!(after_s > 0 && after_s < window_s))
        return;
    memcpy(later, run->phase.state, system->n * sizeof *later);
    cf_flight_move_body(system, b, run->phase.state, after_s, later);
    cf_system_poses(system, event.time_s, later);
    cf_body_state_at(system, b, event.time_s, later, &event.body[0]);
    pass_event(apart, &event);
}

/* Bodies that met nothing. */
static void fly_alone(struct cf_apart *apart, double to_s)
{
    struct cf_scene_run *run = apart->whole;
    struct cf_system *system = &run->system;
    double *later = run->phase.spare, window_s = to_s - run->time_s;

    for (size_t b = 0; b < system->scene->nbody; b++) {
        const struct cf_state_layout *layout = &system->layout[b];
        if (!cf_is_free(system->scene, b) || apart->island[apart->first[b]] || apart->rests[b])
            continue;
        pass_top(apart, b, window_s);
        for (int k = 0; k < 3 && layout->spin != CF_NONE; k++) /* it stays */
            later[layout->spin + k] = run->phase.state[layout->spin + k];
        cf_flight_move_body(system, b, run->phase.state, window_s, later);
        cf_copy_body(system, b, later, system, b, run->phase.state);
    }
}

/* The states of contacts: of those that have ended there are none any more, and others come. */
static void store_contacts(struct cf_apart *apart, double to_s)
{
    struct cf_scene_run *run = apart->whole;
    struct cf_system *system = &run->system;

    cf_system_drop_open(system, run->phase.state, run->phase.spare);
    cf_system_poses(system, to_s, run->phase.state);
    cf_near_renew(system);
    for (size_t b = 0; b < system->scene->nbody; b++)
        if (apart->island[b])
            cf_island_store_contacts(apart->island[b]);
}

static int by_time(const void *a, const void *b)
{
    const struct cf_island_event *x = a, *y = b;

    if (x->time_s != y->time_s)
        return x->time_s < y->time_s ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Tells the window's events, by their times. */
static void tell_events(struct cf_apart *apart)
{
    struct cf_observer *observer = &apart->whole->observer;
    const struct cf_scene *scene = observer->system->scene;
    const struct cf_motion_options *options = observer->options;

    if (apart->events.n > 1)
        qsort(apart->events.event, apart->events.n, sizeof *apart->events.event, by_time);
    for (size_t i = 0; i < apart->events.n; i++) {
        const struct cf_island_event *event = &apart->events.event[i];
        const struct cf_snapshot at = {.time_s = event->time_s,
                                       .body = observer->body,
                                       .contact = observer->contact,
                                       .energy_J = observer->result->energy_J,
                                       .angle_rad = observer->angle,
                                       .rate_rad_s = observer->rate};
        observer->result->events[event->what]++;
        if (event->what == CF_EVENT_MAKE)
            cf_ledger_meet(&observer->ledger, event->index);
        if (event->what == CF_EVENT_APEX) {
            observer->body[event->index] = event->body[0];
        } else if (event->what != CF_EVENT_REST) {
            observer->contact[event->index] = event->contact;
            for (int side = 0; side < 2; side++)
                observer->body[scene->pair[event->index].body[side]] = event->body[side];
        }
        if (options->on_event)
            options->on_event(options->observer, event->what, event->index, &at);
    }
    apart->events.n = 0;
}

static void drop_islands(struct cf_apart *apart)
{
    for (size_t b = 0; b < apart->whole->system.scene->nbody && apart->island; b++) {
        cf_island_free(apart->island[b]);
        apart->island[b] = NULL;
    }
}

static void count(struct cf_motion_result *result, const struct cf_island *island)
{
    result->steps += island->result.steps;
    result->rejected += island->result.rejected;
    result->evaluations += island->result.evaluations;
    result->stiff_steps += island->result.stiff_steps;
    result->flights += island->result.flights;
}

/* The last of the bodies came to rest in the window. */
static void pass_rest(struct cf_apart *apart)
{
    const struct cf_scene *scene = apart->whole->system.scene;
    struct cf_island_event event = {.what = CF_EVENT_REST, .index = SIZE_MAX, .time_s = 0};

    for (size_t b = 0; b < scene->nbody; b++) {
        if (cf_is_free(scene, b) && !apart->rests[b])
            return;
        if (apart->island[b])
            event.time_s = fmax(event.time_s, apart->island[b]->result.rest_s);
    }
    apart->whole->observer.result->rest_s = event.time_s;
    pass_event(apart, &event);
}

/* The window is good: its end becomes the state of the whole. */
static void commit(struct cf_apart *apart, double to_s)
{
    struct cf_scene_run *run = apart->whole;
    size_t nbody = run->system.scene->nbody;

    fly_alone(apart, to_s);
    for (size_t b = 0; b < nbody; b++) {
        const struct cf_island *island = apart->island[b];
        if (!island)
            continue;
        cf_island_store_bodies(island, to_s - run->time_s);
        count(run->observer.result, island);
        cf_ledger_take(&run->observer.ledger, &island->result, island->body);
        for (size_t i = 0; i < island->events.n; i++)
            pass_event(apart, &island->events.event[i]);
    }
    pass_rest(apart);
    store_contacts(apart, to_s);
    drop_islands(apart);
    run->time_s = to_s;
    tell_events(apart);
    cf_observer_balance(&run->observer, to_s, run->phase.state);
}

/* The window's islands: until no two that ran apart could have met. */
static int run_apart(struct cf_apart *apart, double *to_s, struct cf_error *err)
{
    double from_s = apart->whole->time_s;
    int status;

    for (;;) {
        divide(apart, to_s);
        do
            status = run_islands(apart, *to_s, err);
        while (status == CF_OK && find_missed(apart, *to_s));
        if (status != CF_OK || is_covered(apart, *to_s - from_s))
            return status;
        drop_islands(apart);
        *to_s = from_s + SHORTER * (*to_s - from_s);
    }
}

static int run_window(struct cf_apart *apart, struct cf_error *err)
{
    struct cf_scene_run *run = apart->whole;
    double end_s = fmin(run->system.scene->duration_s, cf_observer_due(&run->observer));
    double to_s = fmin(run->time_s + apart->window_s, end_s);
    int status = run_apart(apart, &to_s, err);

    if (status != CF_OK)
        return status;
    if (to_s < end_s) /* else it says nothing of how long one may be */
        apart->window_s = LONGER * (to_s - run->time_s);
    commit(apart, to_s);
    if (apart->status != CF_OK)
        return cf_fail(err, apart->status, "out of memory for the events of a scene");
    if (cf_observer_due(&run->observer) <= to_s)
        cf_observer_sample(&run->observer, to_s, run->phase.state);
    return cf_observer_stop(&run->observer, to_s, err);
}

static int make(struct cf_apart *apart, struct cf_scene_run *run, struct cf_error *err)
{
    const struct cf_scene *scene = run->system.scene;
    size_t n = scene->nbody + 1, npair = scene->npair + 1;

    *apart = (struct cf_apart){.whole = run, .window_s = FIRST * scene->duration_s};
    apart->at_m = calloc(n, sizeof *apart->at_m);
    apart->v_m_s = calloc(n, sizeof *apart->v_m_s);
    apart->aside_m = calloc(n, sizeof *apart->aside_m);
    apart->speed_m_s = calloc(n, sizeof *apart->speed_m_s);
    apart->rests = calloc(n, sizeof *apart->rests);
    apart->dirty = calloc(n, sizeof *apart->dirty);
    apart->first = calloc(n, sizeof *apart->first);
    apart->count = calloc(n, sizeof *apart->count);
    apart->number = calloc(n, sizeof *apart->number);
    apart->island = calloc(n, sizeof *apart->island);
    apart->plane = calloc(npair, sizeof *apart->plane);
    apart->chosen = calloc(npair, sizeof *apart->chosen);
    apart->candidate = calloc(npair, sizeof *apart->candidate);
    if (!apart->at_m || !apart->v_m_s || !apart->aside_m || !apart->speed_m_s || !apart->rests ||
        !apart->dirty || !apart->first || !apart->count || !apart->number || !apart->island ||
        !apart->plane || !apart->chosen || !apart->candidate)
        return cf_fail(err, CF_ENOMEM, "out of memory for a scene of %zu bodies", scene->nbody);
    run->system.near.balls.margin_m *= MARGIN;
    run->system.near.balls.listed = false;
    for (size_t b = 0; b < scene->nbody; b++) {
        apart->number[b] = SIZE_MAX;
        apart->nfixed += !cf_is_free(scene, b);
    }
    for (size_t m = 0; m < scene->npair; m++)
        apart->plane[m] = scene->body[scene->pair[m].body[1]].solid[scene->pair[m].solid].shape ==
                          cf_shape_find("plane");
    return CF_OK;
}

static void clear(struct cf_apart *apart)
{
    drop_islands(apart);
    free(apart->at_m);
    free(apart->v_m_s);
    free(apart->aside_m);
    free(apart->speed_m_s);
    free(apart->rests);
    free(apart->dirty);
    free(apart->first);
    free(apart->count);
    free(apart->number);
    free(apart->island);
    free(apart->plane);
    free(apart->chosen);
    free(apart->candidate);
    free(apart->events.event);
}

int cf_apart_go(struct cf_scene_run *run, struct cf_error *err)
{
    struct cf_observer *observer = &run->observer;
    struct cf_apart apart;
    int status = make(&apart, run, err);

    cf_ledger_set_apart(&observer->ledger);
    while (status == CF_OK && run->time_s < run->system.scene->duration_s &&
           isnan(observer->result->rest_s))
        status = run_window(&apart, err);
    clear(&apart);
    return status;
}
