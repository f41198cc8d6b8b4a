#include "motion/sensitivity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"

/* Errors of a column are held against what is by this part smaller than a state over a parameter,
 * until the column is larger: one by which the states hardly change is to be known, too. */
static const double LEAST_PART = 1e-3;

int cf_sensitivity_make(struct cf_sensitivity *sensitivity, struct cf_system *system,
                        size_t ncolumn, const struct cf_wrt wrt[], struct cf_error *err)
{
    const struct cf_scene *scene = system->scene;
    size_t size = ncolumn * system->nread;

    *sensitivity = (struct cf_sensitivity){.system = system, .ncolumn = ncolumn, .wrt = wrt};
    if (ncolumn == 0)
        return CF_OK;
    sensitivity->by = calloc(ncolumn * scene->npair + 1, sizeof *sensitivity->by);
    sensitivity->pose = calloc(ncolumn * scene->nbody + 1, sizeof *sensitivity->pose);
    sensitivity->contact = calloc(ncolumn * scene->npair + 1, sizeof *sensitivity->contact);
    sensitivity->along = calloc(ncolumn, sizeof *sensitivity->along);
    sensitivity->s =
        calloc(3 * size + 3 * system->n + (3 + CF_ALONG_WORK) * ncolumn, sizeof *sensitivity->s);
    if (!sensitivity->by || !sensitivity->s || !sensitivity->pose || !sensitivity->contact ||
        !sensitivity->along)
        return cf_fail(err, CF_ENOMEM, "out of memory for %zu sensitivities", ncolumn);
    sensitivity->kept = sensitivity->s + size;
    sensitivity->size = sensitivity->kept + size;
    sensitivity->rate = sensitivity->size + size;
    sensitivity->at = sensitivity->rate + system->n;
    sensitivity->spare = sensitivity->at + system->n;
    sensitivity->time = sensitivity->spare + system->n;
    sensitivity->ended = sensitivity->time + ncolumn;
    sensitivity->per = sensitivity->ended + ncolumn;
    sensitivity->work = sensitivity->per + ncolumn;
    for (size_t c = 0; c < ncolumn; c++)
        sensitivity->per[c] = 1 / cf_wrt_size(scene, &wrt[c]);
    system->sensitivity = sensitivity;
    system->keeps = true;
    return CF_OK;
}

void cf_sensitivity_free(struct cf_sensitivity *sensitivity)
{
    free(sensitivity->by);
    free(sensitivity->pose);
    free(sensitivity->contact);
    free(sensitivity->along);
    free(sensitivity->s);
}

struct cf_along cf_sensitivity_along(const struct cf_sensitivity *sensitivity, size_t column,
                                     double time_s, double time, const double state[],
                                     const double s[])
{
    return (struct cf_along){.system = sensitivity->system,
                             .wrt = &sensitivity->wrt[column],
                             .by = sensitivity->by + column * sensitivity->system->scene->npair,
                             .time_s = time_s,
                             .time = time,
                             .state = state,
                             .s = s,
                             .pose =
                                 sensitivity->pose + column * sensitivity->system->scene->nbody};
}

/* The attitude of a body and, where it is one of the body, its spin, as it is turned about an axis
 * of the world. */
static void start_tilt(const struct cf_system *system, const struct cf_wrt *wrt, double s[])
{
    const struct cf_rigid *body = &system->scene->body[wrt->index];
    const struct cf_state_layout *layout = &system->layout[wrt->index];
    double axis[3] = {0}, turned[3], r[3][3];

    axis[wrt->part] = 1;
    cf_attitude_rate(body->attitude, axis, true, s + layout->attitude);
    if (cf_rigid_round(body))
        return;
    cf_attitude_matrix(body->attitude, r);
    cf_vec_cross(axis, body->spin_rad_s, turned);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            s[layout->spin + i] -= r[k][i] * turned[k];
}

static void start_spin(const struct cf_system *system, const struct cf_wrt *wrt, double s[])
{
    const struct cf_rigid *body = &system->scene->body[wrt->index];
    double r[3][3];

    cf_attitude_matrix(body->attitude, r);
    for (size_t i = 0; i < 3; i++)
        s[system->layout[wrt->index].spin + i] =
            cf_rigid_round(body) ? i == wrt->part : r[wrt->part][i];
}

/* Angles of the states count from `down`: those behind a joint go along. */
static void start_link(const struct cf_system *system, const struct cf_wrt *wrt, double s[])
{
    size_t first = wrt->kind == CF_WRT_ANGLE ? system->angle : system->rate;

    for (size_t i = wrt->index; i < system->scene->chain.nlink; i++)
        s[first + i] = 1;
}

static void start_law(struct cf_sensitivity *sensitivity, size_t column)
{
    const struct cf_wrt *wrt = &sensitivity->wrt[column];
    size_t npair = sensitivity->system->scene->npair;
    struct cf_contact_state_by *by = &sensitivity->by[column * npair];

    for (size_t m = 0; m < npair; m++)
        if (wrt->index == m || wrt->index == CF_WRT_EVERY)
            by[m].p[wrt->part] = 1;
}

void cf_sensitivity_start(struct cf_sensitivity *sensitivity)
{
    const struct cf_system *system = sensitivity->system;

    for (size_t c = 0; c < sensitivity->ncolumn; c++) {
        const struct cf_wrt *wrt = &sensitivity->wrt[c];
        const struct cf_state_layout *layout =
            wrt->index < system->scene->nbody ? &system->layout[wrt->index] : NULL;
        double *s = sensitivity->s + c * system->nread;

        if (wrt->kind == CF_WRT_LAW)
            start_law(sensitivity, c);
        else if (wrt->kind == CF_WRT_POSITION && layout->place != CF_NONE)
            s[layout->place + wrt->part] = 1;
        else if (wrt->kind == CF_WRT_VELOCITY && layout->velocity != CF_NONE)
            s[layout->velocity + wrt->part] = 1;
        else if (wrt->kind == CF_WRT_SPIN && layout->spin != CF_NONE)
            start_spin(system, wrt, s);
        else if (wrt->kind == CF_WRT_TILT && layout->attitude != CF_NONE)
            start_tilt(system, wrt, s);
        else if (wrt->kind == CF_WRT_ANGLE || wrt->kind == CF_WRT_RATE)
            start_link(system, wrt, s);
    }
}

void cf_sensitivity_scale(struct cf_sensitivity *sensitivity, const double scale[])
{
    const struct cf_system *system = sensitivity->system;

    for (size_t c = 0; c < sensitivity->ncolumn; c++) {
        double by = LEAST_PART * sensitivity->per[c];
        for (size_t i = 0; i < system->nread; i++) {
            double *size = &sensitivity->size[c * system->nread + i];
            *size = fmax(*size, by * scale[i]);
        }
    }
}

void cf_sensitivity_contacts(struct cf_sensitivity *sensitivity, double time_s, bool moving,
                             const double state[], const double s[], bool only_touching)
{
    const struct cf_system *system = sensitivity->system;
    size_t npair = system->scene->npair;

    for (size_t c = 0; c < sensitivity->ncolumn; c++) {
        const double *column = s + c * system->nread;
        sensitivity->along[c] = cf_sensitivity_along(
            sensitivity, c, time_s, moving ? column[system->time] : 0, state, column);
        cf_poses_along(&sensitivity->along[c]);
    }
    for (size_t m = 0; m < npair; m++) {
        const struct cf_contact_state *contact = &system->contact[m];
        bool touching = contact->mode == CF_MODE_TOUCHING;
        for (size_t c = 0; c < sensitivity->ncolumn && (touching || !only_touching); c++) {
            struct cf_contact_by *by = &sensitivity->contact[c * npair + m];
            cf_geometry_along(&sensitivity->along[c], contact, &system->kin[m], by);
            if (touching)
                cf_press_along(&sensitivity->along[c], contact, &system->kin[m], by);
        }
        if (touching && contact->pair->friction)
            cf_rub_along(sensitivity->ncolumn, sensitivity->along, contact, &system->kin[m],
                         &sensitivity->contact[m], npair, sensitivity->work);
    }
}

void cf_sensitivity_variation(const void *context, double t, const double state[], const double s[],
                              double dsdt[])
{
    const struct cf_system *system = context;
    struct cf_sensitivity *sensitivity = system->sensitivity;
    double time_s = cf_system_time(system, t, state);

    cf_system_time_rates(system, time_s, state, sensitivity->rate);
    /* without a contact in y the time is the stepper's own */
    cf_sensitivity_contacts(sensitivity, time_s, system->fresh != CF_NONE, state, s, true);
    for (size_t c = 0; c < sensitivity->ncolumn; c++)
        cf_rates_along(&sensitivity->along[c], sensitivity->contact + c * system->scene->npair,
                       sensitivity->rate, dsdt + c * system->nread);
}

void cf_sensitivity_begin(struct cf_sensitivity *sensitivity, size_t contact, double time_s,
                          const double state[], bool touched_now)
{
    const struct cf_system *system = sensitivity->system;
    const struct cf_contact_state *touching = &system->contact[contact];
    struct cf_contact_kinematics kin;

    cf_system_poses(system, time_s, state);
    cf_contact_geometry(system, touching, &kin);
    for (size_t c = 0; c < sensitivity->ncolumn; c++) {
        double *s = sensitivity->s + c * system->nread;
        struct cf_along along =
            cf_sensitivity_along(sensitivity, c, time_s, s[system->time], state, s);
        struct cf_contact_by by;

        s[system->y] = 0;
        if (touched_now || !(kin.depth > 0))
            continue;
        cf_poses_along(&along);
        cf_geometry_along(&along, touching, &kin, &by);
        s[system->y] = by.depth * cf_contact_root(touching, kin.depth) / (touching->q * kin.depth);
    }
}

void cf_sensitivity_touch(struct cf_sensitivity *sensitivity, size_t contact, double time_s,
                          const double state[], const struct cf_contact_kinematics *kin)
{
    const struct cf_system *system = sensitivity->system;

    for (size_t c = 0; c < sensitivity->ncolumn; c++) {
        double *s = sensitivity->s + c * system->nread;
        struct cf_along along =
            cf_sensitivity_along(sensitivity, c, time_s, s[system->time], state, s);
        cf_poses_along(&along);
        cf_touch_along(&along, &system->contact[contact], kin,
                       &sensitivity->by[c * system->scene->npair + contact], s);
    }
}

void cf_sensitivity_leave(struct cf_sensitivity *sensitivity, size_t contact, double time_s,
                          const double state[], const struct cf_contact_kinematics *kin)
{
    const struct cf_system *system = sensitivity->system;

    for (size_t c = 0; c < sensitivity->ncolumn; c++) {
        const double *s = sensitivity->s + c * system->nread;
        struct cf_along along =
            cf_sensitivity_along(sensitivity, c, time_s, s[system->time], state, s);
        cf_poses_along(&along);
        cf_leave_along(&along, &system->contact[contact], kin,
                       &sensitivity->by[c * system->scene->npair + contact]);
    }
}

void cf_sensitivity_fix(struct cf_sensitivity *sensitivity, double time_s, const double state[])
{
    const struct cf_system *system = sensitivity->system;

    cf_system_time_rates(system, time_s, state, sensitivity->rate);
    cf_system_fill_rates(system, state, sensitivity->rate);
    for (size_t c = 0; c < sensitivity->ncolumn; c++) {
        double *s = sensitivity->s + c * system->nread, moves = s[system->time];
        if (moves == 0) /* where it touches, a law's y is infinitely fast */
            continue;
        for (size_t i = 0; i < system->nread; i++)
            s[i] -= sensitivity->rate[i] * moves;
        s[system->time] = 0;
    }
}

void cf_sensitivity_command(struct cf_sensitivity *sensitivity, double time_s)
{
    const struct cf_system *system = sensitivity->system;

    for (size_t c = 0; c < sensitivity->ncolumn; c++) {
        const struct cf_wrt *wrt = &sensitivity->wrt[c];
        if (wrt->kind != CF_WRT_COMMAND_TIME)
            continue;
        const struct cf_accommodation *a = &system->scene->body[wrt->index].accommodation;
        double *v = sensitivity->s + c * system->nread + system->layout[wrt->index].velocity;
        if (a->leg[wrt->part].from_s != time_s)
            continue;
        for (int k = 0; k < 3; k++) {
            double before = wrt->part > 0 ? a->leg[wrt->part - 1].velocity_m_s[k] : 0;
            v[k] += (before - a->leg[wrt->part].velocity_m_s[k]) / a->lag_s;
        }
    }
}
