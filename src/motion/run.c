/* The run of a scene: flights and phases of the stepper by turns. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/fixed.h"
#include "motion/phase.h"

/* More changes than this at one time are an error. */
enum { MAX_AT_ONCE = 1000 };

typedef void contact_change(struct cf_system *system, struct cf_contact_state *contact,
                            double time_s, double state[], const struct cf_contact_kinematics *kin);
typedef void column_change(struct cf_sensitivity *sensitivity, size_t contact, double time_s,
                           const double state[], const struct cf_contact_kinematics *kin);

/* A contact's change, and that of the columns. */
static void apply(struct cf_scene_run *run, size_t m, contact_change *how, column_change *columns)
{
    struct cf_system *system = &run->system;
    struct cf_contact_state *contact = &system->contact[m];
    double *state = run->phase.state;
    struct cf_contact_kinematics kin;

    cf_system_poses(system, run->time_s, state);
    cf_contact_geometry(system, contact, &kin);
    if (contact->mode == CF_MODE_TOUCHING)
        cf_contact_forces(system, contact, state, &kin);
    how(system, contact, run->time_s, state, &kin);
    columns(&run->sensitivity, m, run->time_s, state, &kin);
}

static void touch(struct cf_scene_run *run, size_t m)
{
    cf_system_lay(&run->system, &run->system.contact[m], run->phase.state, run->phase.spare);
    apply(run, m, cf_contact_touch, cf_sensitivity_touch);
}

/* A body that just touches at the start: do the forces on it press it in? */
static bool sinks(struct cf_scene_run *run, size_t m)
{
    static const double SOON_S = 1e-6;
    struct cf_system *system = &run->system;
    double *state = run->phase.state, *later = run->phase.later;
    struct cf_contact_kinematics now, then;

    cf_contact_geometry(system, &system->contact[m], &now);
    if (!(fabs(now.depth) <= cf_contact_rounding(system, &system->contact[m])) || now.rate != 0)
        return false;
    cf_system_rates(system, 0, state, run->phase.rate);
    for (size_t i = 0; i < system->n; i++)
        later[i] = state[i] + SOON_S * run->phase.rate[i];
    cf_system_poses(system, SOON_S, later);
    cf_contact_geometry(system, &system->contact[m], &then);
    cf_system_poses(system, 0, state);
    return then.rate > 0;
}

/* Of a contact that has long been at rest: no deformation is left. */
static void set_rested(const struct cf_friction_law *law, double state[])
{
    for (size_t i = 2 * law->nvector; i < law->nstate && law->rested; i++)
        state[cf_bristle_number(law, i)] = law->rested[i];
}

void cf_run_start(struct cf_scene_run *run)
{
    struct cf_system *system = &run->system;
    double *state = run->phase.state;

    for (size_t m = 0; m < system->scene->npair; m++)
        run->loads_change = run->loads_change || system->scene->pair[m].load.n > 0;
    cf_system_start(system, state);
    cf_system_scales(system, run->observer.options->tolerance, state, run->phase.rate,
                     run->phase.scale);
    cf_sensitivity_start(&run->sensitivity);
    cf_system_poses(system, 0, state);
    cf_near_renew(system);
    for (size_t m = 0; m < system->scene->npair; m++) {
        struct cf_contact_state *contact = &system->contact[m];
        const struct cf_contact_pair *pair = contact->pair;
        struct cf_contact_kinematics kin;

        cf_contact_geometry(system, contact, &kin);
        contact->left_s = -1; /* before the start */
        if (pair->law && !(kin.depth > cf_contact_rounding(system, contact)) && !sinks(run, m))
            continue;
        contact->mode = CF_MODE_CLAMPED;
        touch(run, m);
        if (pair->stuck && contact->bristle != CF_NONE)
            set_rested(pair->friction, state + contact->bristle);
    }
    if (system->account[CF_ENERGY_NORMAL_DAMPER] != CF_NONE) /* nothing was lost before the start */
        state[system->account[CF_ENERGY_NORMAL_DAMPER]] = 0;
}

/* Touches that coincide, to rounding, with another event. */
static void touch_too(struct cf_scene_run *run)
{
    struct cf_system *system = &run->system;

    cf_system_poses(system, run->time_s, run->phase.state);
    for (size_t k = 0; k < system->near.n; k++) {
        size_t m = system->near.pair[k];
        struct cf_contact_state *contact = &system->contact[m];
        struct cf_contact_kinematics kin;
        if (contact->mode != CF_MODE_OPEN || contact->left_s == run->time_s)
            continue;
        cf_contact_geometry(system, contact, &kin);
        if (!(kin.depth >= 0 && kin.rate > 0))
            continue;
        touch(run, m);
        cf_observer_event(&run->observer, CF_EVENT_MAKE, m, run->time_s, run->phase.state);
    }
}

static void leave(struct cf_scene_run *run, size_t m)
{
    struct cf_system *system = &run->system;

    cf_observer_event(&run->observer, CF_EVENT_BREAK, m, run->time_s, run->phase.state);
    apply(run, m, cf_contact_leave, cf_sensitivity_leave);
    if (system->fresh == m)
        system->fresh = CF_NONE;
    cf_observer_balance(&run->observer, run->time_s, run->phase.state);
}

/* Forces that have ended, to rounding, at the same time as another: their ends are past, where no
 * event is. */
static void leave_too(struct cf_scene_run *run)
{
    struct cf_system *system = &run->system;

    cf_system_poses(system, run->time_s, run->phase.state);
    for (size_t k = 0; k < system->near.n; k++) {
        size_t m = system->near.pair[k];
        struct cf_contact_state *contact = &system->contact[m];
        struct cf_contact_kinematics kin;
        if (contact->mode != CF_MODE_TOUCHING || !contact->pair->law ||
            contact->touched_s == run->time_s)
            continue;
        cf_contact_geometry(system, contact, &kin);
        if (kin.rate < 0 && cf_contact_end(system, contact, run->phase.state, &kin) <= 0)
            leave(run, m);
    }
}

static void change(struct cf_scene_run *run, enum cf_turn turn, size_t m)
{
    switch (turn) {
    case CF_TURN_LEAVE:
        leave(run, m);
        break;
    case CF_TURN_TOUCH:
        touch(run, m);
        cf_observer_event(&run->observer, CF_EVENT_MAKE, m, run->time_s, run->phase.state);
        break;
    case CF_TURN_LIFT:
        run->system.contact[m].mode = CF_MODE_OPEN;
        break;
    case CF_TURN_REST:
        run->observer.result->rest_s = run->time_s;
        cf_observer_event(&run->observer, CF_EVENT_REST, SIZE_MAX, run->time_s, run->phase.state);
        break;
    case CF_TURN_STOP:
    case CF_TURN_FAR:
    case CF_TURN_SLIDE:
    case CF_TURN_CORNER:
        break;
    }
}

/* Within a flight: the columns go there, and come back. */
static void look_ahead(struct cf_scene_run *run, const struct cf_flight_end *end, double after_s)
{
    struct cf_sensitivity *sensitivity = &run->sensitivity;

    if (sensitivity->ncolumn == 0)
        return;
    memcpy(sensitivity->kept, sensitivity->s,
           sensitivity->ncolumn * run->system.nread * sizeof *sensitivity->s);
    cf_sensitivity_fly(sensitivity, run->time_s, run->phase.state, end, after_s);
}

static void look_back(struct cf_scene_run *run)
{
    struct cf_sensitivity *sensitivity = &run->sensitivity;

    if (sensitivity->ncolumn > 0)
        memcpy(sensitivity->s, sensitivity->kept,
               sensitivity->ncolumn * run->system.nread * sizeof *sensitivity->s);
}

/* An apex of a flight. */
static void top(struct cf_scene_run *run, size_t body, double after_s)
{
    const struct cf_flight_end end = {after_s, CF_SIGN_APEX, body, CF_MODE_OPEN};
    double *out = run->phase.spare;

    look_ahead(run, &end, after_s);
    cf_flight_move(&run->system, run->phase.state, after_s, out);
    cf_observer_event(&run->observer, CF_EVENT_APEX, body, run->time_s + after_s, out);
    look_back(run);
}

/* Tops of flights, and samples in them: at the end of one that a command ends, those of the next.
 */
static void fly_past(struct cf_scene_run *run, double to_s, double stop_s)
{
    const struct cf_scene *scene = run->system.scene;
    double *out = run->phase.spare, square = cf_vec_dot(scene->gravity_m_s2, scene->gravity_m_s2);
    bool ends = to_s < stop_s || stop_s >= scene->duration_s;
    double last_s = ends ? to_s : cf_observer_before(to_s);

    for (double due; (due = cf_observer_due(&run->observer)) <= last_s &&
                     !cf_observer_stop(&run->observer, due, NULL);) {
        look_ahead(run, NULL, due - run->time_s);
        cf_flight_move(&run->system, run->phase.state, due - run->time_s, out);
        cf_observer_sample(&run->observer, due, out);
        look_back(run);
    }
    for (size_t b = 0; b < scene->nbody; b++) {
        double after_s;
        if (scene->body[b].drive != CF_DRIVE_FREE)
            continue;
        after_s =
            -cf_vec_dot(scene->gravity_m_s2, run->phase.state + run->system.layout[b].velocity) /
            square;
        if (after_s > 0 && run->time_s + after_s < to_s)
            top(run, b, after_s);
    }
}

static void fly(struct cf_scene_run *run, double stop_s, enum cf_turn *turn, size_t *m)
{
    struct cf_system *system = &run->system;
    struct cf_flight_end end;

    system->fresh = CF_NONE;
    cf_system_rebase(system, run->phase.state);
    end = cf_flight_next(system, run->time_s, run->phase.state, stop_s - run->time_s,
                         run->phase.spare);
    run->observer.result->flights++;
    fly_past(run, run->time_s + end.after_s, stop_s);
    cf_sensitivity_fly(&run->sensitivity, run->time_s, run->phase.state,
                       end.contact == CF_NONE ? NULL : &end, end.after_s);
    cf_flight_move(system, run->phase.state, end.after_s, run->phase.spare);
    memcpy(run->phase.state, run->phase.spare, system->n * sizeof *run->phase.state);
    run->time_s = end.contact == CF_NONE ? stop_s : run->time_s + end.after_s;
    cf_system_poses(system, run->time_s, run->phase.state); /* what touches now is to be listed */
    cf_near_renew(system);
    *m = end.contact;
    *turn = end.contact == CF_NONE         ? CF_TURN_STOP
            : end.mode == CF_MODE_TOUCHING ? CF_TURN_TOUCH
                                           : CF_TURN_LIFT;
}

/* The next time at which a command changes. */
static double next_stop(const struct cf_scene_run *run)
{
    const struct cf_scene *scene = run->system.scene;
    double time_s = run->time_s, stop = scene->duration_s;

    for (size_t i = 0; i < scene->nforce; i++)
        stop = fmin(stop, cf_course_corner(&scene->force[i].force, time_s));
    for (size_t m = 0; m < scene->npair && run->loads_change; m++)
        stop = fmin(stop, cf_course_corner(&scene->pair[m].load, time_s));
    for (size_t b = 0; b < scene->nbody; b++) {
        const struct cf_accommodation *a = &scene->body[b].accommodation;
        for (size_t i = 0; i < a->nleg && scene->body[b].drive == CF_DRIVE_COMMANDED; i++)
            if (a->leg[i].from_s > time_s)
                stop = fmin(stop, a->leg[i].from_s);
    }
    return stop;
}

/* Events without progress of time: ever faster bounces, or a contact that two laws open and close
 * in turn. */
static int stuck(struct cf_scene_run *run, size_t m, struct cf_error *err)
{
    const struct cf_scene *scene = run->system.scene;

    if (run->time_s > run->changed_s)
        run->at_once = 0;
    run->changed_s = run->time_s;
    if (++run->at_once < MAX_AT_ONCE)
        return CF_OK;
    return cf_fail(err, CF_ESOLVE,
                   "the run stopped at t = %.9g s, contact %s: %d contacts begin and end and time "
                   "does not go on",
                   run->time_s, m < scene->npair ? scene->pair[m].name : "none", (int) MAX_AT_ONCE);
}

int cf_run_go(struct cf_scene_run *run, struct cf_error *err)
{
    const struct cf_scene *scene = run->system.scene;
    enum cf_turn turn = CF_TURN_STOP;
    size_t m = CF_NONE;
    int status = CF_OK;

    while (run->time_s < scene->duration_s && turn != CF_TURN_REST && status == CF_OK) {
        double stop_s = next_stop(run);
        cf_system_poses(&run->system, run->time_s, run->phase.state);
        cf_near_renew(&run->system);
        leave_too(run);
        cf_system_drop_open(&run->system, run->phase.state, run->phase.spare);
        touch_too(run);
        cf_system_poses(&run->system, run->time_s, run->phase.state);
        if (cf_flight_possible(&run->system))
            fly(run, stop_s, &turn, &m);
        else
            status = cf_phase_run(&run->phase, &run->time_s, stop_s, &turn, &m, err);
        if (run->phase.straying)
            cf_straying_look(&run->system, run->phase.straying, run->time_s, run->phase.state);
        if (status == CF_OK)
            status = cf_observer_stop(&run->observer, run->time_s, err);
        if (status == CF_OK)
            change(run, turn, m);
        if (status == CF_OK && run->time_s >= stop_s)
            cf_sensitivity_command(&run->sensitivity, stop_s);
        if (status == CF_OK && turn != CF_TURN_STOP)
            status = stuck(run, m, err);
    }
    return status;
}
