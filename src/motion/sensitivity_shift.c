/* The two shifted copies of a system, for central differences along a column. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/sensitivity.h"

/* Shift of what moves most, in parts of its size: the error of a central difference is its square,
 * that of rounding its inverse. */
static const double SHIFT = 6e-6;

/* A body may be shifted by SHIFT of this without the geometry's noticing. */
static const double LENGTH_M = 1e-2;

/* The size of the column's own parameter, for the shift. */
static double parameter_size(const struct cf_sense *sense, const struct cf_wrt *wrt)
{
    const struct cf_scene *scene = sense->system->scene;
    const struct cf_meeting *meeting =
        wrt->kind <= CF_WRT_FRICTION ? &scene->meeting[wrt->index] : NULL;
    const struct cf_param *row;
    double value;

    switch (wrt->kind) {
    case CF_WRT_LAW:
        row = &meeting->law->param[wrt->part];
        value = fabs(meeting->p[wrt->part]);
        return value > 0 ? value : row->fit_lower > 0 ? row->fit_lower : 1;
    case CF_WRT_FRICTION:
        row = &meeting->friction->param[wrt->part];
        value = fabs(meeting->friction_p[wrt->part]);
        return value > 0 ? value : row->fit_lower > 0 ? row->fit_lower : 1;
    case CF_WRT_MASS:
        return scene->body[wrt->index].mass_kg;
    case CF_WRT_GRAVITY:
        return fmax(cf_vec_norm(scene->gravity_m_s2), 1);
    case CF_WRT_SPIN:
        return fmax(cf_vec_norm(scene->body[wrt->index].spin_rad_s), 1);
    case CF_WRT_POSITION:
    case CF_WRT_VELOCITY:
        break;
    }
    return INFINITY;
}

/* Contacts that are integrated in their depth bend within a part of it. */
static bool in_depth(const struct cf_system *system)
{
    for (size_t m = 0; m < system->scene->nmeeting; m++)
        if (system->bond[m].mode == CF_TOUCHING && m != system->fresh &&
            system->bond[m].meeting->law)
            return true;
    return false;
}

static double choose_step(const struct cf_sense *sense, size_t column, const double state[],
                          const double s[])
{
    const struct cf_system *system = sense->system;
    double most = 1 / parameter_size(sense, &sense->wrt[column]);
    double least_place = in_depth(system) ? 0 : LENGTH_M;

    for (size_t i = 0; i < system->n; i++)
        if ((i != system->time && i != system->y) || system->fresh != CF_NONE)
            sense->spare[i] = fmax(fabs(state[i]), sense->scale[i]);
    for (size_t b = 0; b < system->scene->nbody; b++)
        for (int k = 0; k < 3 && system->seat[b].place != CF_NONE; k++) {
            double *size = &sense->spare[system->seat[b].place + k];
            *size = fmax(*size, least_place);
        }
    for (size_t i = 0; i < system->n; i++)
        if ((i != system->time && i != system->y) || system->fresh != CF_NONE)
            most = fmax(most, fabs(s[i]) / sense->spare[i]);
    return most > 0 ? SHIFT / most : 1;
}

static void shift_scene(struct cf_scene *copy, const struct cf_scene *scene,
                        const struct cf_wrt *wrt, double step)
{
    memcpy(copy->gravity_m_s2, scene->gravity_m_s2, sizeof copy->gravity_m_s2);
    if (wrt->kind == CF_WRT_GRAVITY)
        copy->gravity_m_s2[wrt->part] += step;
    for (size_t m = 0; m < scene->nmeeting; m++) {
        memcpy(copy->meeting[m].p, scene->meeting[m].p, sizeof copy->meeting[m].p);
        memcpy(copy->meeting[m].friction_p, scene->meeting[m].friction_p,
               sizeof copy->meeting[m].friction_p);
    }
    for (size_t b = 0; b < scene->nbody; b++) {
        double share =
            wrt->kind == CF_WRT_MASS && wrt->index == b ? 1 + step / scene->body[b].mass_kg : 1;
        copy->body[b].mass_kg = share * scene->body[b].mass_kg;
        for (int k = 0; k < 3; k++)
            copy->body[b].inertia_kg_m2[k] = share * scene->body[b].inertia_kg_m2[k];
        memcpy(copy->body[b].spin_rad_s, scene->body[b].spin_rad_s,
               sizeof copy->body[b].spin_rad_s);
    }
    if (wrt->kind == CF_WRT_SPIN) /* of a body whose spin is no state, but stays */
        copy->body[wrt->index].spin_rad_s[wrt->part] += step;
    if (wrt->kind == CF_WRT_LAW)
        copy->meeting[wrt->index].p[wrt->part] += step;
    if (wrt->kind == CF_WRT_FRICTION)
        copy->meeting[wrt->index].friction_p[wrt->part] += step;
}

static void shift_bond(struct cf_bond *copy, const struct cf_bond *bond,
                       const struct cf_meeting *meeting, const struct cf_bond_by *by, double step)
{
    *copy = *bond;
    copy->meeting = meeting;
    for (int i = 0; i < CF_MAX_PARAM; i++)
        copy->p[i] += step * by->p[i];
    copy->approach_m_s += step * by->approach_m_s;
    copy->mass_kg += step * by->mass_kg;
    copy->left_m += step * by->left_m;
    copy->left_s += step * by->left_s;
    copy->k += step * by->k;
    copy->ratio += step * by->ratio;
}

void cf_sense_shift(struct cf_sense *sense, size_t column, const double state[], const double s[])
{
    const struct cf_system *system = sense->system;
    const struct cf_scene *scene = system->scene;

    sense->step = choose_step(sense, column, state, s);
    for (int side = 0; side < 2; side++) {
        double step = side ? -sense->step : sense->step;
        struct cf_system *copy = &sense->side[side];
        shift_scene(&sense->scene[side], scene, &sense->wrt[column], step);
        copy->fresh = system->fresh;
        copy->began_s = system->began_s;
        for (size_t b = 0; b < scene->nbody; b++)
            copy->pose[b].settled = false;
        memcpy(copy->reference, system->reference, scene->nbody * sizeof *copy->reference);
        for (size_t m = 0; m < scene->nmeeting; m++)
            shift_bond(&copy->bond[m], &system->bond[m], &sense->scene[side].meeting[m],
                       &sense->by[column * scene->nmeeting + m], step);
        for (size_t i = 0; i < system->n; i++)
            sense->state[side][i] = state[i] + step * s[i];
    }
}
