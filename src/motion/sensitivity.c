#include "motion/sensitivity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"

/* Part of a flight's time by which it is shifted. */
static const double NUDGE = 6e-6;

static int make_side(struct cf_sensitivity *sensitivity, int side, struct cf_error *err)
{
    const struct cf_scene *scene = sensitivity->system->scene;
    struct cf_scene *copy = &sensitivity->scene[side];
    int status;

    *copy = *scene;
    copy->pair = calloc(scene->npair + 1, sizeof *copy->pair);
    copy->body = calloc(scene->nbody + 1, sizeof *copy->body);
    sensitivity->state[side] = calloc(sensitivity->system->n, sizeof *sensitivity->state[side]);
    if (!copy->pair || !copy->body || !sensitivity->state[side])
        return cf_fail(err, CF_ENOMEM, "out of memory for sensitivities");
    memcpy(copy->pair, scene->pair, scene->npair * sizeof *copy->pair);
    memcpy(copy->body, scene->body, scene->nbody * sizeof *copy->body);
    status = cf_system_make(&sensitivity->side[side], copy, err);
    return status;
}

int cf_sensitivity_make(struct cf_sensitivity *sensitivity, struct cf_system *system,
                        size_t ncolumn, const struct cf_wrt wrt[], const double scale[],
                        struct cf_error *err)
{
    size_t npair = system->scene->npair;
    int status = CF_OK;

    *sensitivity = (struct cf_sensitivity){
        .system = system, .ncolumn = ncolumn, .wrt = wrt, .scale = scale, .step = 1};
    if (ncolumn == 0)
        return CF_OK;
    sensitivity->by = calloc(ncolumn * npair + 1, sizeof *sensitivity->by);
    sensitivity->s = calloc(2 * ncolumn * system->n, sizeof *sensitivity->s);
    sensitivity->spare = calloc(3 * system->n, sizeof *sensitivity->spare);
    if (!sensitivity->by || !sensitivity->s || !sensitivity->spare)
        return cf_fail(err, CF_ENOMEM, "out of memory for %zu sensitivities", ncolumn);
    sensitivity->kept = sensitivity->s + ncolumn * system->n;
    for (int side = 0; side < 2 && status == CF_OK; side++)
        status = make_side(sensitivity, side, err);
    system->sensitivity = sensitivity;
    return status;
}

void cf_sensitivity_free(struct cf_sensitivity *sensitivity)
{
    for (int side = 0; side < 2; side++) {
        cf_system_free(&sensitivity->side[side]);
        free(sensitivity->scene[side].pair);
        free(sensitivity->scene[side].body);
        free(sensitivity->state[side]);
    }
    free(sensitivity->by);
    free(sensitivity->s);
    free(sensitivity->spare);
}

/* Index of the state that a column of an initial value shifts, or CF_NONE. */
static size_t start_layout(const struct cf_sensitivity *sensitivity, const struct cf_wrt *wrt)
{
    const struct cf_state_layout *layout = &sensitivity->system->layout[wrt->index];

    switch (wrt->kind) {
    case CF_WRT_POSITION:
        return layout->place == CF_NONE ? CF_NONE : layout->place + wrt->part;
    case CF_WRT_VELOCITY:
        return layout->velocity == CF_NONE ? CF_NONE : layout->velocity + wrt->part;
    case CF_WRT_SPIN:
    case CF_WRT_LAW:
    case CF_WRT_FRICTION:
    case CF_WRT_MASS:
    case CF_WRT_GRAVITY:
        break;
    }
    return CF_NONE;
}

void cf_sensitivity_start(struct cf_sensitivity *sensitivity)
{
    struct cf_system *system = sensitivity->system;

    for (size_t c = 0; c < sensitivity->ncolumn; c++) {
        const struct cf_wrt *wrt = &sensitivity->wrt[c];
        double *s = sensitivity->s + c * system->n;
        size_t layout = start_layout(sensitivity, wrt);
        if (layout != CF_NONE)
            s[layout] = 1;
        if (wrt->kind == CF_WRT_LAW)
            sensitivity->by[c * system->scene->npair + wrt->index].p[wrt->part] = 1;
        if (wrt->kind != CF_WRT_SPIN || system->layout[wrt->index].spin == CF_NONE)
            continue;
        const struct cf_rigid *body = &system->scene->body[wrt->index];
        double r[3][3];
        cf_attitude_matrix(body->attitude, r);
        for (int k = 0; k < 3; k++)
            s[system->layout[wrt->index].spin + k] =
                cf_rigid_round(body) ? (size_t) k == wrt->part : r[wrt->part][k];
    }
}

void cf_sensitivity_variation(const void *context, double t, const double state[], const double s[],
                              size_t column, double dsdt[])
{
    const struct cf_system *system = context;
    struct cf_sensitivity *sensitivity = system->sensitivity;
    double *other = sensitivity->spare + system->n;

    cf_sensitivity_shift(sensitivity, column, state, s);
    cf_system_rates(&sensitivity->side[0], t, sensitivity->state[0], dsdt);
    cf_system_rates(&sensitivity->side[1], t, sensitivity->state[1], other);
    for (size_t i = 0; i < system->n; i++)
        dsdt[i] = (dsdt[i] - other[i]) / (2 * sensitivity->step);
}

void cf_sensitivity_begin(struct cf_sensitivity *sensitivity, size_t contact, double time_s,
                          const double state[], bool touched_now)
{
    struct cf_system *system = sensitivity->system;

    for (size_t c = 0; c < sensitivity->ncolumn; c++) {
        double *s = sensitivity->s + c * system->n, y[2];
        s[system->y] = 0;
        if (touched_now)
            continue;
        cf_sensitivity_shift(sensitivity, c, state, s);
        for (int side = 0; side < 2; side++) {
            struct cf_system *copy = &sensitivity->side[side];
            double at_s = time_s + (side ? -1 : 1) * sensitivity->step * s[system->time];
            struct cf_contact_kinematics kin;
            cf_system_poses(copy, at_s, sensitivity->state[side]);
            cf_contact_geometry(copy, &copy->contact[contact], &kin);
            y[side] = cf_contact_root(&copy->contact[contact], kin.depth);
        }
        s[system->y] = (y[0] - y[1]) / (2 * sensitivity->step);
    }
}

/* d(quantity of the sign) along a column over a flight, for both sides as they are. */
static double along(struct cf_sensitivity *sensitivity, const struct cf_flight_end *end,
                    double time_s, double started, double after_s)
{
    double *spare = sensitivity->spare + sensitivity->system->n;
    double q[2];

    for (int side = 0; side < 2; side++)
        q[side] = cf_flight_look(&sensitivity->side[side], end->contact, end->sign,
                                 time_s + (side ? -1 : 1) * sensitivity->step * started,
                                 sensitivity->state[side], after_s, spare);
    return (q[0] - q[1]) / (2 * sensitivity->step);
}

void cf_sensitivity_fly(struct cf_sensitivity *sensitivity, double time_s, const double state[],
                        const struct cf_flight_end *end, double after_s)
{
    struct cf_system *system = sensitivity->system;
    size_t n = system->n;
    double nudge = NUDGE * fmax(after_s, 1e-6);

    for (size_t c = 0; c < sensitivity->ncolumn; c++) {
        double *one = sensitivity->spare + n, *two = one + n, *s = sensitivity->s + c * n;
        double moves = -s[system->time], started = s[system->time];
        cf_sensitivity_shift(sensitivity, c, state, s);
        if (end) {
            double later = cf_flight_look(system, end->contact, end->sign, time_s, state,
                                          after_s + nudge, one);
            double sooner = cf_flight_look(system, end->contact, end->sign, time_s, state,
                                           after_s - nudge, one);
            moves =
                -along(sensitivity, end, time_s, started, after_s) * 2 * nudge / (later - sooner);
        }
        cf_flight_move(&sensitivity->side[0], sensitivity->state[0], after_s, one);
        cf_flight_move(&sensitivity->side[1], sensitivity->state[1], after_s, two);
        for (size_t i = 0; i < n; i++)
            s[i] = (one[i] - two[i]) / (2 * sensitivity->step);
        cf_flight_move(system, state, after_s + nudge, one);
        cf_flight_move(system, state, after_s - nudge, two);
        for (size_t i = 0; i < n; i++)
            s[i] += (one[i] - two[i]) / (2 * nudge) * moves;
        s[system->time] = started + moves;
    }
}

void cf_sensitivity_change(struct cf_sensitivity *sensitivity, size_t contact, double time_s,
                           const double state[], cf_contact_change *change)
{
    struct cf_system *system = sensitivity->system;
    size_t n = system->n, npair = system->scene->npair;

    for (size_t c = 0; c < sensitivity->ncolumn; c++) {
        double *s = sensitivity->s + c * n, moves = s[system->time];
        struct cf_contact_state_by *by = &sensitivity->by[c * npair + contact];
        const struct cf_contact_state *a = &sensitivity->side[0].contact[contact],
                                      *b = &sensitivity->side[1].contact[contact];
        double per = 0;

        cf_sensitivity_shift(sensitivity, c, state, s);
        per = 1 / (2 * sensitivity->step);
        for (int side = 0; side < 2; side++) {
            struct cf_system *copy = &sensitivity->side[side];
            double at_s = time_s + (side ? -1 : 1) * sensitivity->step * moves;
            struct cf_contact_kinematics kin;
            cf_system_poses(copy, at_s, sensitivity->state[side]);
            cf_contact_geometry(copy, &copy->contact[contact], &kin);
            if (copy->contact[contact].mode == CF_MODE_TOUCHING)
                cf_contact_forces(copy, &copy->contact[contact], sensitivity->state[side], &kin);
            change(copy, &copy->contact[contact], at_s, sensitivity->state[side], &kin);
        }
        for (size_t i = 0; i < n; i++)
            s[i] = (sensitivity->state[0][i] - sensitivity->state[1][i]) * per;
        for (int i = 0; i < CF_MAX_PARAM; i++)
            by->p[i] = (a->p[i] - b->p[i]) * per;
        by->approach_m_s = (a->approach_m_s - b->approach_m_s) * per;
        by->mass_kg = isfinite(a->mass_kg) ? (a->mass_kg - b->mass_kg) * per : 0;
        by->left_m = (a->left_m - b->left_m) * per;
        by->left_s = (a->left_s - b->left_s) * per;
        by->k = (a->k - b->k) * per;
        by->ratio = (a->ratio - b->ratio) * per;
        s[system->time] = moves;
    }
}

void cf_sensitivity_fix(struct cf_sensitivity *sensitivity, const double rate[])
{
    struct cf_system *system = sensitivity->system;

    for (size_t c = 0; c < sensitivity->ncolumn; c++) {
        double *s = sensitivity->s + c * system->n, moves = s[system->time];
        for (size_t i = 0; i < system->n; i++)
            s[i] -= rate[i] * moves;
        s[system->time] = 0;
    }
}
