/* Columns through a flight: all of it is known in closed form. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/sensitivity.h"

/* d(q) of a body that turns steadily for h, by its attitude and its spin at the start: with the
 * turn's quaternion u(w h), q = u q0. */
static void spin_on(const double q[4], const double spin[3], double h, const double dq[4],
                    const double dspin[3], double dh, double out[4])
{
    double turned[4], angle[3], more[3], w[3], part[4];

    cf_attitude_spun(dq, spin, h, out);
    cf_attitude_spun(q, spin, h, turned);
    for (int i = 0; i < 3; i++) {
        angle[i] = spin[i] * h;
        more[i] = dspin[i] * h + spin[i] * dh;
    }
    cf_attitude_grown(angle, more, w);
    cf_attitude_rate(turned, w, true, part);
    for (int k = 0; k < 4; k++)
        out[k] += part[k];
}

/* A column a time after_s later, which itself moves by `later`; s is that of the start. */
static void move(const struct cf_sensitivity *sensitivity, size_t column, const double state[],
                 const double s[], double after_s, double later, double out[])
{
    const struct cf_system *system = sensitivity->system;
    const struct cf_wrt *wrt = &sensitivity->wrt[column];
    const double *g = system->scene->gravity_m_s2;
    double dg[3] = {0};

    if (wrt->kind == CF_WRT_GRAVITY)
        dg[wrt->part] = 1;
    memcpy(out, s, system->nread * sizeof *out);
    for (size_t b = 0; b < system->scene->nbody; b++) {
        const struct cf_state_layout *layout = &system->layout[b];
        if (system->scene->body[b].drive != CF_DRIVE_FREE)
            continue;
        for (size_t k = 0; k < 3; k++) {
            double v = state[layout->velocity + k], dv = s[layout->velocity + k];
            out[layout->place + k] +=
                (dv + 0.5 * dg[k] * after_s) * after_s + (v + g[k] * after_s) * later;
            out[layout->velocity + k] = dv + dg[k] * after_s + g[k] * later;
        }
        if (layout->attitude != CF_NONE)
            spin_on(state + layout->attitude, state + layout->spin, after_s, s + layout->attitude,
                    s + layout->spin, later, out + layout->attitude);
    }
}

/* d(sign's quantity) along states at the flight's end. */
static double sign_along(const struct cf_along *along, const struct cf_flight_end *end)
{
    const struct cf_system *system = along->system;
    const struct cf_contact_state *contact;
    struct cf_contact_kinematics kin;
    struct cf_contact_by by;

    if (end->sign == CF_SIGN_APEX) {
        size_t v = system->layout[end->contact].velocity;
        double sum = cf_vec_dot(system->scene->gravity_m_s2, along->s + v);
        if (along->wrt && along->wrt->kind == CF_WRT_GRAVITY)
            sum += along->state[v + along->wrt->part];
        return sum;
    }
    contact = &system->contact[end->contact];
    cf_system_poses(system, along->time_s, along->state);
    cf_contact_geometry(system, contact, &kin);
    cf_poses_along(along);
    cf_geometry_along(along, contact, &kin, &by);
    switch (end->sign) {
    case CF_SIGN_FORCE:
        return cf_end_along(along, contact, &kin, &by);
    case CF_SIGN_SURFACE:
        return by.depth - cf_surface_along(along, contact).depth_m;
    case CF_SIGN_DEPTH:
    case CF_SIGN_APEX:
        break;
    }
    return by.depth;
}

/* As time alone goes on: the rates of a flight. */
static void pass(const struct cf_system *system, const double state[], double out[])
{
    memset(out, 0, system->nread * sizeof *out);
    for (size_t b = 0; b < system->scene->nbody; b++) {
        const struct cf_state_layout *layout = &system->layout[b];
        if (system->scene->body[b].drive != CF_DRIVE_FREE)
            continue;
        memcpy(out + layout->place, state + layout->velocity, 3 * sizeof *out);
        memcpy(out + layout->velocity, system->scene->gravity_m_s2, 3 * sizeof *out);
        if (layout->attitude != CF_NONE)
            cf_attitude_rate(state + layout->attitude, state + layout->spin, true,
                             out + layout->attitude);
    }
}

void cf_sensitivity_fly(struct cf_sensitivity *sensitivity, double time_s, const double state[],
                        const struct cf_flight_end *end, double after_s)
{
    const struct cf_system *system = sensitivity->system;
    size_t n = system->nread;
    double *then = sensitivity->at, *out = sensitivity->spare, *rate = sensitivity->rate, per_s = 0;

    if (sensitivity->ncolumn == 0)
        return;
    cf_flight_move(system, state, after_s, then);
    if (end) {
        struct cf_along along = {.system = system,
                                 .time_s = time_s + after_s,
                                 .time = 1,
                                 .state = then,
                                 .s = rate,
                                 .pose = sensitivity->pose};
        pass(system, then, rate);
        per_s = sign_along(&along, end);
    }
    for (size_t c = 0; c < sensitivity->ncolumn; c++) {
        double *s = sensitivity->s + c * n, began = s[system->time], later = -began;
        if (end) { /* at a fixed length of the flight, whose end moves as its start does */
            struct cf_along along =
                cf_sensitivity_along(sensitivity, c, time_s + after_s, began, then, out);
            move(sensitivity, c, state, s, after_s, 0, out);
            later = -sign_along(&along, end) / per_s;
        }
        move(sensitivity, c, state, s, after_s, later, out);
        memcpy(s, out, n * sizeof *s);
        s[system->time] = began + later;
    }
}
