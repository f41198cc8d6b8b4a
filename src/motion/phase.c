/* The stepper's part of a run, and which contact is integrated in y. */

#include "motion/phase.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bracket.h"
#include "geometry/vector.h"
#include "motion/patch.h"
#include "motion/sensitivity.h"

/* A time later than any. */
static const double NEVER = 1e30;

/* A contact that is predicted caps a step at a little more than the time to it. */
static const double BEYOND = 1.5;

int cf_phase_make(struct cf_phase *phase, struct cf_system *system, struct cf_observer *observer,
                  struct cf_error *err)
{
    const struct cf_scene *scene = system->scene;
    size_t events = CF_EVENTS_PER_CONTACT * scene->npair + 3 * scene->nbody + system->near.ngroup +
                    CF_EVENTS_OF_ALL;
    size_t n = system->n;

    *phase = (struct cf_phase){.system = system, .observer = observer};
    phase->ode = cf_ode_alloc(n, observer->options->nwrt);
    phase->nstate = n;
    phase->state = calloc(7 * n, sizeof *phase->state);
    phase->event = calloc(events, sizeof *phase->event);
    phase->about = calloc(events, sizeof *phase->about);
    if (!phase->ode || !phase->state || !phase->event || !phase->about)
        return cf_fail(err, CF_ENOMEM, "out of memory for a scene of %zu states", n);
    phase->spare = phase->state + n;
    phase->scale = phase->spare + n;
    phase->rate = phase->scale + n;
    phase->later = phase->rate + n;
    phase->still = phase->later + n;
    phase->most = phase->still + n;
    /* a body at rest has no derivatives that one could stop at */
    phase->can_rest = observer->options->nwrt == 0 && cf_scene_can_rest(scene);
    phase->gravity_m_s2 = cf_vec_norm(scene->gravity_m_s2);
    phase->steps_left = observer->options->max_steps;
    return CF_OK;
}

void cf_phase_free(struct cf_phase *phase)
{
    cf_ode_free(phase->ode);
    free(phase->state);
    free(phase->event);
    free(phase->about);
}

/* The contact that touched last is the one integrated in y. */
static void choose_fresh(struct cf_phase *phase, double time_s)
{
    struct cf_system *system = phase->system;
    size_t before = system->fresh, fresh = CF_NONE;

    for (size_t k = 0; k < system->near.n; k++) {
        size_t m = system->near.pair[k];
        const struct cf_contact_state *contact = &system->contact[m];
        if (contact->mode == CF_MODE_TOUCHING && contact->pair->law && !contact->patch &&
            (fresh == CF_NONE || contact->touched_s > system->contact[fresh].touched_s))
            fresh = m;
    }
    phase->state[system->time] = time_s;
    if (fresh != CF_NONE && fresh != before) {
        struct cf_contact_kinematics kin;
        system->fresh = CF_NONE;
        cf_system_poses(system, time_s, phase->state);
        cf_contact_geometry(system, &system->contact[fresh], &kin);
        /* one that touches now has its depth from the touch: 0, but for rounding */
        bool now = system->contact[fresh].touched_s == time_s && system->contact[fresh].opened;
        phase->state[system->y] = now ? cf_contact_first_root(&system->contact[fresh])
                                      : cf_contact_root(&system->contact[fresh], kin.depth);
        if (phase->sensitivity)
            cf_sensitivity_begin(phase->sensitivity, fresh, time_s, phase->state, now);
    }
    system->fresh = fresh;
}

/* The time to a touch that the present speeds and the weight predict. */
static double cap(const void *context, double s, const double y[])
{
    const struct cf_system *system = context;
    double g = cf_vec_norm(system->scene->gravity_m_s2), least = INFINITY, per_s = 1;

    cf_system_poses(system, cf_system_time(system, s, y), y);
    for (size_t g = 0; g < system->near.ngroup; g++)
        least = fmin(least,
                     fmax(BEYOND * cf_near_time(system, &system->near.group[g]), system->floor_s));
    if (system->near.balls.n > 0)
        least = fmin(least, fmax(BEYOND * cf_near_balls_time(system), system->floor_s));
    for (size_t k = 0; k < system->near.n; k++) {
        const struct cf_contact_state *contact = &system->contact[system->near.pair[k]];
        struct cf_contact_kinematics kin;
        double square, h;
        if (contact->mode != CF_MODE_OPEN)
            continue;
        cf_contact_geometry(system, contact, &kin);
        if (kin.depth >= -contact->begins_m) /* they still just touch */
            continue;
        square = kin.rate * kin.rate - 2 * g * kin.depth;
        h = square > 0      ? -2 * kin.depth / (sqrt(square) + kin.rate)
            : kin.depth < 0 ? (double) INFINITY /* at rest apart, without weight */
                            : 0;
        least = fmin(least, fmax(BEYOND * h, system->floor_s));
    }
    if (system->fresh == CF_NONE)
        return least;
    for (int i = 1; i < system->contact[system->fresh].q; i++)
        per_s *= y[system->y];
    return per_s > 0 ? least / per_s : (double) INFINITY;
}

/* The stepper's own time, unlike that of a contact in y, has no column: its derivative at an event.
 */
static void set_time(struct cf_sensitivity *sensitivity)
{
    const struct cf_system *system = sensitivity->system;

    for (size_t c = 0; c < sensitivity->ncolumn; c++)
        if (system->fresh == CF_NONE || isnan(sensitivity->ended[c]))
            sensitivity->s[c * system->nread + system->time] = sensitivity->ended[c];
}

/* The columns as they are at an event, whose time moves, for its observer. Where g touches 0
 * without going through, there is no derivative. */
static void take_columns(struct cf_sensitivity *sensitivity, const double column[],
                         const double dtau[])
{
    const struct cf_system *system = sensitivity->system;
    size_t size = sensitivity->ncolumn * system->nread;

    memcpy(sensitivity->kept, sensitivity->s, size * sizeof *column);
    if (column)
        memcpy(sensitivity->s, column, size * sizeof *column);
    for (size_t c = 0; c < sensitivity->ncolumn; c++)
        sensitivity->ended[c] = column ? dtau[c] : (double) NAN;
    set_time(sensitivity);
}

static void give_columns_back(struct cf_sensitivity *sensitivity)
{
    memcpy(sensitivity->s, sensitivity->kept,
           sensitivity->ncolumn * sensitivity->system->nread * sizeof *sensitivity->s);
}

static void seen(void *observer, size_t event, double s, const double y[], const double column[],
                 const double dtau[])
{
    struct cf_phase *phase = observer;
    const struct cf_phase_event *about = &phase->about[event];

    if (about->turn == CF_TURN_CORNER)
        return;
    if (phase->sensitivity)
        take_columns(phase->sensitivity, column, dtau);
    if (about->turn != CF_TURN_SLIDE)
        return;
    cf_observer_event(phase->observer,
                      cf_phase_begins(phase, about, s, y) ? CF_EVENT_SLIP : CF_EVENT_STICK,
                      about->contact, cf_system_time(phase->system, s, y), y);
    if (phase->sensitivity)
        give_columns_back(phase->sensitivity);
}

/* s of a time within a step of the contact in y, whose time grows with s. */
static double when(const struct cf_phase *phase, const struct cf_ode_dense *dense, double time_s)
{
    enum { ROUNDS = 200 };
    const size_t *time = &phase->system->time;
    struct cf_bracket s;
    double rate, *by = phase->sensitivity ? phase->sensitivity->time : NULL;

    cf_ode_dense_span(dense, &s.a, &s.b);
    cf_ode_dense_states_at(dense, s.a, 1, time, &s.fa, &rate, by);
    cf_ode_dense_states_at(dense, s.b, 1, time, &s.fb, &rate, by);
    s.fa -= time_s;
    s.fb -= time_s;
    for (int i = 0; i < ROUNDS && s.fa != 0 && s.fb != 0; i++) {
        double next = cf_bracket_next(&s), value;
        if (!(next > fmin(s.a, s.b) && next < fmax(s.a, s.b)))
            break;
        cf_ode_dense_states_at(dense, next, 1, time, &value, &rate, by);
        cf_bracket_take(&s, next, value - time_s);
    }
    return fabs(s.fa) < fabs(s.fb) ? s.a : s.b;
}

static void sample_at(struct cf_phase *phase, const struct cf_ode_dense *dense, double time_s)
{
    const struct cf_system *system = phase->system;
    double s = system->fresh == CF_NONE ? time_s : when(phase, dense, time_s);

    if (cf_observer_takes_states(phase->observer)) {
        cf_observer_states(phase->observer, time_s, dense, s);
        return;
    }
    cf_ode_dense_at(dense, s, phase->spare);
    if (phase->sensitivity) {
        cf_ode_dense_columns_at(dense, s, phase->sensitivity->s);
        if (system->fresh != CF_NONE)
            cf_sensitivity_fix(phase->sensitivity, time_s, phase->spare);
    }
    cf_observer_sample(phase->observer, time_s, phase->spare);
}

/* Samples that fall into an accepted step. One where a command changes shows what it changes to: it
 * is the next phase's. */
static void sample(void *observer, const struct cf_ode_dense *dense)
{
    struct cf_phase *phase = observer;
    const struct cf_system *system = phase->system;
    double from, to, end_s;

    cf_ode_dense_span(dense, &from, &to);
    end_s = to;
    if (system->fresh != CF_NONE) {
        cf_ode_dense_at(dense, to, phase->spare);
        end_s = phase->spare[system->time];
    }
    if (phase->stop_s < system->scene->duration_s)
        end_s = fmin(end_s, cf_observer_before(phase->stop_s));
    for (double due; (due = cf_observer_due(phase->observer)) <= end_s &&
                     !cf_observer_stop(phase->observer, due, NULL);)
        sample_at(phase, dense, due);
}

static bool samples(const struct cf_phase *phase)
{
    return phase->observer->options->sample || phase->observer->options->on_values;
}

/* A step was accepted. */
static void step(void *observer, const struct cf_ode_dense *dense)
{
    struct cf_phase *phase = observer;
    double from, to;

    if (samples(phase))
        sample(observer, dense);
    if (!phase->keeps)
        return;
    cf_ode_dense_span(dense, &from, &to);
    cf_ode_dense_at(dense, to, phase->spare);
    cf_patches_keep(phase->system, cf_system_time(phase->system, to, phase->spare), phase->spare);
}

void cf_straying_look(const struct cf_system *system, struct cf_straying *straying, double time_s,
                      const double state[])
{
    const struct cf_scene *scene = system->scene;
    double after_s = time_s - straying->from_s, step_s = time_s - straying->seen_s;

    for (size_t b = 0; b < scene->nbody; b++) {
        const struct cf_state_layout *layout = &system->layout[b];
        double aside[3], faster[3], speed;
        if (layout->place == CF_NONE)
            continue;
        for (int k = 0; k < 3; k++) {
            double g = scene->gravity_m_s2[k], v = straying->v_m_s[b][k];
            aside[k] = system->reference[b][k] + state[layout->place + k] - straying->at_m[b][k] -
                       (v + 0.5 * g * after_s) * after_s;
            faster[k] = state[layout->velocity + k] - v - g * after_s;
        }
        speed = cf_vec_norm(faster);
        /* on the way from the last look it was no further from here than at the faster speed */
        straying->aside_m[b] =
            fmax(straying->aside_m[b],
                 cf_vec_norm(aside) + step_s * fmax(speed, straying->aside_m_s[b]));
        straying->aside_m_s[b] = speed;
    }
    straying->seen_s = time_s;
}

static bool stop(void *observer, double s, const double y[])
{
    const struct cf_phase *phase = observer;

    if (phase->straying)
        cf_straying_look(phase->system, phase->straying, cf_system_time(phase->system, s, y), y);
    return cf_observer_stop(phase->observer, cf_system_time(phase->system, s, y), NULL) != CF_OK;
}

/* Is there a volume whose normal follows from it? */
static bool keeps_normals(const struct cf_system *system)
{
    for (size_t k = 0; k < system->near.n; k++) {
        const struct cf_contact_state *contact = &system->contact[system->near.pair[k]];
        if (contact->patch && contact->mode == CF_MODE_TOUCHING &&
            !cf_patch_normal_is_given(contact))
            return true;
    }
    return false;
}

static void prepare(struct cf_phase *phase, double time_s)
{
    struct cf_system *system = phase->system;

    system->began_s = time_s;
    cf_system_rebase(system, phase->state);
    choose_fresh(phase, time_s);
    cf_system_scales(system, phase->observer->options->tolerance, phase->state, phase->rate,
                     phase->scale);
    cf_system_most(system, phase->most);
    phase->weight_m = cf_phase_weight(system);
    phase->keeps = keeps_normals(system);
    cf_phase_list_events(phase);
    if (phase->sensitivity && system->fresh == CF_NONE)
        cf_sensitivity_fix(phase->sensitivity, time_s, phase->state);
    if (phase->sensitivity)
        cf_sensitivity_scale(phase->sensitivity, phase->scale);
}

static bool any_open(const struct cf_system *system)
{
    for (size_t k = 0; k < system->near.n; k++)
        if (system->contact[system->near.pair[k]].mode == CF_MODE_OPEN)
            return true;
    return system->near.ngroup > 0 || system->near.balls.n > 0;
}

/* Below this part of the speed of its bodies, slip is hard to tell from rounding. */
static const double FAINT = 1e-9;

/* The law's parameter that is the least speed. */
static size_t slowest(const struct cf_contact_pair *pair)
{
    const struct cf_friction_law *law = pair->friction;
    size_t least = law->nparam;

    for (size_t i = 0; i < law->nparam; i++)
        if (strcmp(law->param[i].unit, "m/s") == 0 && pair->friction_p[i] > 0 &&
            (least == law->nparam || pair->friction_p[i] < pair->friction_p[least]))
            least = i;
    return least;
}

/* Why friction may have taken all the steps. */
static void blame_friction(const struct cf_system *system, const struct cf_contact_state *contact,
                           char *words, size_t room)
{
    const struct cf_contact_pair *pair = contact->pair;
    double least = cf_friction_least_speed(pair->friction, pair->friction_p), speed = 0;
    size_t i = slowest(pair);

    for (int side = 0; side < 2; side++) {
        const struct cf_pose *pose = &system->pose[pair->body[side]];
        speed = fmax(speed, cf_vec_norm(pose->v) + contact->lever_m * cf_vec_norm(pose->w));
    }
    if (i < pair->friction->nparam && least < FAINT * speed)
        snprintf(words, room,
                 "; its friction turns round within %.2g m/s of slip, hard to tell from rounding "
                 "where bodies move at %.2g m/s: let its %s be at least %.1e m/s",
                 least, speed, pair->friction->param[i].name,
                 pair->friction_p[i] * FAINT * speed / least);
    else
        snprintf(words, room, "; is its friction stiffer than the surfaces are?");
}

int cf_phase_stopped(const struct cf_phase *phase, double time_s,
                     const struct cf_ode_result *result, struct cf_error *err)
{
    const struct cf_system *system = phase->system;
    size_t m = system->fresh;
    enum { ROOM = 160, WORDS = 280 }; /* longer names are cut */
    char where[ROOM] = "", blamed[WORDS] = "", why[ROOM + WORDS];

    for (size_t i = 0; i < system->scene->npair && m == CF_NONE; i++)
        if (system->contact[i].mode == CF_MODE_TOUCHING)
            m = i;
    if (m != CF_NONE)
        snprintf(where, sizeof where, ", contact %s", system->contact[m].pair->name);
    if (m != CF_NONE && system->contact[m].pair->friction)
        blame_friction(system, &system->contact[m], blamed, sizeof blamed);
    if (result->reason == CF_ODE_STEPS)
        snprintf(why, sizeof why, "the limit of %zu steps (max-steps) ran out%s",
                 phase->observer->options->max_steps, blamed);
    else
        snprintf(why, sizeof why, "%s", cf_ode_reason_text(result->reason));
    if (result->reason == CF_ODE_NOT_FINITE && system->why->text[0])
        return cf_fail(err, CF_ESOLVE, "the run stopped at t = %.9g s, %.800s", time_s,
                       system->why->text);
    return cf_fail(err, CF_ESOLVE, "the run stopped at t = %.9g s%s: %s", time_s, where, why);
}

/* The stepper's room for the states that there are now. */
static int fit_stepper(struct cf_phase *phase, struct cf_error *err)
{
    size_t n = phase->system->n;

    if (phase->nstate != n) {
        cf_ode_free(phase->ode);
        phase->nstate = n;
        phase->ode = cf_ode_alloc(n, phase->observer->options->nwrt);
    }
    return phase->ode ? CF_OK
                      : cf_fail(err, CF_ENOMEM, "out of memory for a scene of %zu states", n);
}

int cf_phase_run(struct cf_phase *phase, double *time_s, double stop_s, enum cf_turn *turn,
                 size_t *contact, struct cf_error *err)
{
    struct cf_system *system = phase->system;
    struct cf_motion_result *total = phase->observer->result;
    struct cf_ode_result result = {0};

    phase->stop_s = stop_s;
    if (fit_stepper(phase, err))
        return CF_ENOMEM;
    prepare(phase, *time_s);
    /* without a contact in y no rate reads y and the time, which come last; columns have them */
    bool all = phase->sensitivity || system->fresh != CF_NONE || system->y == 0;
    const struct cf_ode_system rates = {.n = system->n,
                                        .nread = all ? system->nread : system->y,
                                        .ncolumn = phase->observer->options->nwrt,
                                        .rates = cf_system_rates,
                                        .variation = cf_sensitivity_variation,
                                        .nevent = phase->nevent,
                                        .event = phase->event};
    const struct cf_ode_options options = {
        .method = CF_ODE_AUTO,
        .tolerance = phase->observer->options->tolerance,
        .scale = phase->scale,
        .s_size = phase->sensitivity ? phase->sensitivity->size : NULL,
        .s_per = phase->sensitivity ? phase->sensitivity->per : NULL,
        .most = phase->most,
        .max_steps = phase->steps_left,
        .cap = any_open(system) ? cap : NULL,
        .seen = seen,
        .step = phase->keeps || samples(phase) ? step : NULL,
        .stop = phase->observer->options->stop || phase->straying ? stop : NULL,
        .observer = phase};
    double s = system->fresh == CF_NONE ? *time_s : 0;
    int status = cf_ode_run(phase->ode, &rates, system, &options, &s, phase->state,
                            phase->sensitivity ? phase->sensitivity->s : NULL,
                            system->fresh == CF_NONE ? stop_s : NEVER, &result, err);

    total->steps += result.steps;
    total->stiff_steps += result.stiff_steps;
    total->rejected += result.rejected;
    total->evaluations += result.evaluations;
    phase->steps_left -= result.steps + result.rejected;
    *time_s = cf_system_time(system, s, phase->state);
    *turn = CF_TURN_STOP;
    if (status == CF_OK && result.reason == CF_ODE_EVENT) {
        *turn = phase->about[result.event].turn;
        if (phase->sensitivity)
            set_time(phase->sensitivity);
        *contact = phase->about[result.event].contact;
    }
    if (*turn == CF_TURN_STOP && status == CF_OK)
        *time_s = stop_s;
    /* the stepper gives its own t, which is s for a contact in y */
    return status == CF_ESOLVE ? cf_phase_stopped(phase, *time_s, &result, err) : status;
}
