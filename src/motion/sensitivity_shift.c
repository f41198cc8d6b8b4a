/* The two shifted copies of a system, for central differences along a column. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/sensitivity.h"

/* Shift of the state that moves most, in parts of its size: the error of a central difference goes
 * with its square, that of rounding with its inverse. */
static const double SHIFT = 6e-6;

/* A body may be shifted by SHIFT of this without effect on the geometry. */
static const double LENGTH_M = 1e-2;

/* The size of the column's own parameter, for the shift; of one that is 0 its typical value. */
static double parameter_size(const struct cf_sensitivity *sensitivity, const struct cf_wrt *wrt)
{
    const struct cf_scene *scene = sensitivity->system->scene;
    const struct cf_contact_pair *pair =
        wrt->kind <= CF_WRT_FRICTION ? &scene->pair[wrt->index] : NULL;
    const struct cf_param *row;
    double value;

    switch (wrt->kind) {
    case CF_WRT_LAW:
        row = &pair->law->param[wrt->part];
        value = fabs(pair->p[wrt->part]);
        return value > 0 ? value : row->typical > 0 ? row->typical : 1;
    case CF_WRT_FRICTION:
        row = &pair->friction->param[wrt->part];
        value = fabs(pair->friction_p[wrt->part]);
        return value > 0 ? value : row->typical > 0 ? row->typical : 1;
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
    for (size_t m = 0; m < system->scene->npair; m++)
        if (system->contact[m].mode == CF_MODE_TOUCHING && m != system->fresh &&
            system->contact[m].pair->law)
            return true;
    return false;
}

static double choose_step(const struct cf_sensitivity *sensitivity, size_t column,
                          const double state[], const double s[])
{
    const struct cf_system *system = sensitivity->system;
    double most = 1 / parameter_size(sensitivity, &sensitivity->wrt[column]);
    double least_place = in_depth(system) ? 0 : LENGTH_M;

    for (size_t i = 0; i < system->n; i++)
        if ((i != system->time && i != system->y) || system->fresh != CF_NONE)
            sensitivity->spare[i] = fmax(fabs(state[i]), sensitivity->scale[i]);
    for (size_t b = 0; b < system->scene->nbody; b++)
        for (int k = 0; k < 3 && system->layout[b].place != CF_NONE; k++) {
            double *size = &sensitivity->spare[system->layout[b].place + k];
            *size = fmax(*size, least_place);
        }
    for (size_t i = 0; i < system->n; i++)
        if ((i != system->time && i != system->y) || system->fresh != CF_NONE)
            most = fmax(most, fabs(s[i]) / sensitivity->spare[i]);
    return most > 0 ? SHIFT / most : 1;
}

static void shift_scene(struct cf_scene *copy, const struct cf_scene *scene,
                        const struct cf_wrt *wrt, double step)
{
    memcpy(copy->gravity_m_s2, scene->gravity_m_s2, sizeof copy->gravity_m_s2);
    if (wrt->kind == CF_WRT_GRAVITY)
        copy->gravity_m_s2[wrt->part] += step;
    for (size_t m = 0; m < scene->npair; m++) {
        memcpy(copy->pair[m].p, scene->pair[m].p, sizeof copy->pair[m].p);
        memcpy(copy->pair[m].friction_p, scene->pair[m].friction_p,
               sizeof copy->pair[m].friction_p);
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
    if (wrt->kind == CF_WRT_SPIN) /* of a body whose spin is not a state but constant */
        copy->body[wrt->index].spin_rad_s[wrt->part] += step;
    if (wrt->kind == CF_WRT_LAW)
        copy->pair[wrt->index].p[wrt->part] += step;
    if (wrt->kind == CF_WRT_FRICTION)
        copy->pair[wrt->index].friction_p[wrt->part] += step;
}

static void shift_contact(struct cf_contact_state *copy, const struct cf_contact_state *contact,
                          const struct cf_contact_pair *pair, const struct cf_contact_state_by *by,
                          double step)
{
    *copy = *contact;
    copy->pair = pair;
    for (int i = 0; i < CF_MAX_PARAM; i++)
        copy->p[i] += step * by->p[i];
    copy->approach_m_s += step * by->approach_m_s;
    copy->mass_kg += step * by->mass_kg;
    copy->left_m += step * by->left_m;
    copy->left_s += step * by->left_s;
    copy->k += step * by->k;
    copy->ratio += step * by->ratio;
}

void cf_sensitivity_shift(struct cf_sensitivity *sensitivity, size_t column, const double state[],
                          const double s[])
{
    const struct cf_system *system = sensitivity->system;
    const struct cf_scene *scene = system->scene;

    sensitivity->step = choose_step(sensitivity, column, state, s);
    for (int side = 0; side < 2; side++) {
        double step = side ? -sensitivity->step : sensitivity->step;
        struct cf_system *copy = &sensitivity->side[side];
        shift_scene(&sensitivity->scene[side], scene, &sensitivity->wrt[column], step);
        copy->fresh = system->fresh;
        copy->began_s = system->began_s;
        for (size_t b = 0; b < scene->nbody; b++)
            copy->pose[b].settled = false;
        memcpy(copy->reference, system->reference, scene->nbody * sizeof *copy->reference);
        for (size_t m = 0; m < scene->npair; m++)
            shift_contact(&copy->contact[m], &system->contact[m], &sensitivity->scene[side].pair[m],
                          &sensitivity->by[column * scene->npair + m], step);
        for (size_t i = 0; i < system->n; i++)
            sensitivity->state[side][i] = state[i] + step * s[i];
    }
}
