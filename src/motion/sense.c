#include "motion/sense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"

/* Part of a flight's time by which it is shifted. */
static const double NUDGE = 6e-6;

static int make_side(struct cf_sense *sense, int side, struct cf_error *err)
{
    const struct cf_scene *scene = sense->system->scene;
    struct cf_scene *copy = &sense->scene[side];
    int status;

    *copy = *scene;
    copy->meeting = calloc(scene->nmeeting + 1, sizeof *copy->meeting);
    copy->body = calloc(scene->nbody + 1, sizeof *copy->body);
    sense->state[side] = calloc(sense->system->n, sizeof *sense->state[side]);
    if (!copy->meeting || !copy->body || !sense->state[side])
        return cf_fail(err, CF_ENOMEM, "out of memory for sensitivities");
    memcpy(copy->meeting, scene->meeting, scene->nmeeting * sizeof *copy->meeting);
    memcpy(copy->body, scene->body, scene->nbody * sizeof *copy->body);
    status = cf_system_make(&sense->side[side], copy, err);
    return status;
}

int cf_sense_make(struct cf_sense *sense, struct cf_system *system, size_t ncolumn,
                  const struct cf_wrt wrt[], const double scale[], struct cf_error *err)
{
    size_t nmeeting = system->scene->nmeeting;
    int status = CF_OK;

    *sense = (struct cf_sense){
        .system = system, .ncolumn = ncolumn, .wrt = wrt, .scale = scale, .step = 1};
    if (ncolumn == 0)
        return CF_OK;
    sense->by = calloc(ncolumn * nmeeting + 1, sizeof *sense->by);
    sense->s = calloc(2 * ncolumn * system->n, sizeof *sense->s);
    sense->spare = calloc(3 * system->n, sizeof *sense->spare);
    if (!sense->by || !sense->s || !sense->spare)
        return cf_fail(err, CF_ENOMEM, "out of memory for %zu sensitivities", ncolumn);
    sense->kept = sense->s + ncolumn * system->n;
    for (int side = 0; side < 2 && status == CF_OK; side++)
        status = make_side(sense, side, err);
    system->sense = sense;
    return status;
}

void cf_sense_free(struct cf_sense *sense)
{
    for (int side = 0; side < 2; side++) {
        cf_system_free(&sense->side[side]);
        free(sense->scene[side].meeting);
        free(sense->scene[side].body);
        free(sense->state[side]);
    }
    free(sense->by);
    free(sense->s);
    free(sense->spare);
}

/* Seat of what a column of a start shifts, or CF_NONE. */
static size_t start_seat(const struct cf_sense *sense, const struct cf_wrt *wrt)
{
    const struct cf_seat *seat = &sense->system->seat[wrt->index];

    switch (wrt->kind) {
    case CF_WRT_POSITION:
        return seat->place == CF_NONE ? CF_NONE : seat->place + wrt->part;
    case CF_WRT_VELOCITY:
        return seat->velocity == CF_NONE ? CF_NONE : seat->velocity + wrt->part;
    case CF_WRT_SPIN:
    case CF_WRT_LAW:
    case CF_WRT_FRICTION:
    case CF_WRT_MASS:
    case CF_WRT_GRAVITY:
        break;
    }
    return CF_NONE;
}

void cf_sense_start(struct cf_sense *sense)
{
    struct cf_system *system = sense->system;

    for (size_t c = 0; c < sense->ncolumn; c++) {
        const struct cf_wrt *wrt = &sense->wrt[c];
        double *s = sense->s + c * system->n;
        size_t seat = start_seat(sense, wrt);
        if (seat != CF_NONE)
            s[seat] = 1;
        if (wrt->kind == CF_WRT_LAW)
            sense->by[c * system->scene->nmeeting + wrt->index].p[wrt->part] = 1;
        if (wrt->kind != CF_WRT_SPIN || system->seat[wrt->index].spin == CF_NONE)
            continue;
        const struct cf_rigid *body = &system->scene->body[wrt->index];
        double r[3][3];
        cf_attitude_matrix(body->attitude, r);
        for (int k = 0; k < 3; k++)
            s[system->seat[wrt->index].spin + k] =
                cf_rigid_round(body) ? (size_t) k == wrt->part : r[wrt->part][k];
    }
}

void cf_sense_variation(const void *context, double t, const double state[], const double s[],
                        size_t column, double dsdt[])
{
    const struct cf_system *system = context;
    struct cf_sense *sense = system->sense;
    double *other = sense->spare + system->n;

    cf_sense_shift(sense, column, state, s);
    cf_system_rates(&sense->side[0], t, sense->state[0], dsdt);
    cf_system_rates(&sense->side[1], t, sense->state[1], other);
    for (size_t i = 0; i < system->n; i++)
        dsdt[i] = (dsdt[i] - other[i]) / (2 * sense->step);
}

void cf_sense_begin(struct cf_sense *sense, size_t bond, double time_s, const double state[],
                    bool touched_now)
{
    struct cf_system *system = sense->system;

    for (size_t c = 0; c < sense->ncolumn; c++) {
        double *s = sense->s + c * system->n, y[2];
        s[system->y] = 0;
        if (touched_now)
            continue;
        cf_sense_shift(sense, c, state, s);
        for (int side = 0; side < 2; side++) {
            struct cf_system *copy = &sense->side[side];
            double at_s = time_s + (side ? -1 : 1) * sense->step * s[system->time];
            struct cf_grip grip;
            cf_system_poses(copy, at_s, sense->state[side]);
            cf_bond_meet(copy, &copy->bond[bond], &grip);
            y[side] = cf_bond_root(&copy->bond[bond], grip.depth);
        }
        s[system->y] = (y[0] - y[1]) / (2 * sense->step);
    }
}

/* d(quantity of the sign) along a column over a flight, for both sides as they are. */
static double along(struct cf_sense *sense, const struct cf_flight_end *end, double time_s,
                    double started, double after_s)
{
    double *spare = sense->spare + sense->system->n;
    double q[2];

    for (int side = 0; side < 2; side++)
        q[side] = cf_flight_look(&sense->side[side], end->bond, end->sign,
                                 time_s + (side ? -1 : 1) * sense->step * started,
                                 sense->state[side], after_s, spare);
    return (q[0] - q[1]) / (2 * sense->step);
}

void cf_sense_fly(struct cf_sense *sense, double time_s, const double state[],
                  const struct cf_flight_end *end, double after_s)
{
    struct cf_system *system = sense->system;
    size_t n = system->n;
    double nudge = NUDGE * fmax(after_s, 1e-6);

    for (size_t c = 0; c < sense->ncolumn; c++) {
        double *one = sense->spare + n, *two = one + n, *s = sense->s + c * n;
        double moves = -s[system->time], started = s[system->time];
        cf_sense_shift(sense, c, state, s);
        if (end) {
            double later =
                cf_flight_look(system, end->bond, end->sign, time_s, state, after_s + nudge, one);
            double sooner =
                cf_flight_look(system, end->bond, end->sign, time_s, state, after_s - nudge, one);
            moves = -along(sense, end, time_s, started, after_s) * 2 * nudge / (later - sooner);
        }
        cf_flight_move(&sense->side[0], sense->state[0], after_s, one);
        cf_flight_move(&sense->side[1], sense->state[1], after_s, two);
        for (size_t i = 0; i < n; i++)
            s[i] = (one[i] - two[i]) / (2 * sense->step);
        cf_flight_move(system, state, after_s + nudge, one);
        cf_flight_move(system, state, after_s - nudge, two);
        for (size_t i = 0; i < n; i++)
            s[i] += (one[i] - two[i]) / (2 * nudge) * moves;
        s[system->time] = started + moves;
    }
}

void cf_sense_change(struct cf_sense *sense, size_t bond, double time_s, const double state[],
                     cf_bond_change *change)
{
    struct cf_system *system = sense->system;
    size_t n = system->n, nmeeting = system->scene->nmeeting;

    for (size_t c = 0; c < sense->ncolumn; c++) {
        double *s = sense->s + c * n, moves = s[system->time];
        struct cf_bond_by *by = &sense->by[c * nmeeting + bond];
        const struct cf_bond *a = &sense->side[0].bond[bond], *b = &sense->side[1].bond[bond];
        double per = 0;

        cf_sense_shift(sense, c, state, s);
        per = 1 / (2 * sense->step);
        for (int side = 0; side < 2; side++) {
            struct cf_system *copy = &sense->side[side];
            double at_s = time_s + (side ? -1 : 1) * sense->step * moves;
            struct cf_grip grip;
            cf_system_poses(copy, at_s, sense->state[side]);
            cf_bond_meet(copy, &copy->bond[bond], &grip);
            if (copy->bond[bond].mode == CF_TOUCHING)
                cf_bond_press(copy, &copy->bond[bond], sense->state[side], &grip);
            change(copy, &copy->bond[bond], at_s, sense->state[side], &grip);
        }
        for (size_t i = 0; i < n; i++)
            s[i] = (sense->state[0][i] - sense->state[1][i]) * per;
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

void cf_sense_fix(struct cf_sense *sense, const double rate[])
{
    struct cf_system *system = sense->system;

    for (size_t c = 0; c < sense->ncolumn; c++) {
        double *s = sense->s + c * system->n, moves = s[system->time];
        for (size_t i = 0; i < system->n; i++)
            s[i] -= rate[i] * moves;
        s[system->time] = 0;
    }
}
