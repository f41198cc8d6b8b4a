/* Scales of the error test: from the touching contacts under their loads. */

#include <math.h>

#include "motion/system.h"

/* Without a contact that gives them. */
static const double LENGTH_M = 1e-3, SPEED_M_S = 1, FORCE_N = 1;

/* A bristle's scale is its deflection under a tenth of the normal force. */
static const double SHARE = 0.1;

static void contact_scales(const struct cf_contact_state *contact, double scale[])
{
    const struct cf_friction_law *friction = contact->pair->friction;
    struct cf_friction_parts parts;
    struct cf_slide slide = {.depth_m = contact->depth_scale_m, .normal_N = contact->force_scale_N};
    const double none[CF_FRICTION_STATES] = {0};
    double length;

    if (contact->state != CF_NONE)
        scale[contact->state] =
            contact->depth_scale_m > 0 ? pow(contact->depth_scale_m, 1.25) : LENGTH_M;
    if (contact->bristle == CF_NONE || contact->mode != CF_MODE_TOUCHING)
        return;
    slide.state = none;
    friction->parts(contact->pair->friction_p, &slide, &parts);
    length = SHARE * contact->force_scale_N / parts.stiffness_N_m;
    for (int k = 0; k < 3; k++)
        scale[contact->bristle + k] = length > 0 && isfinite(length) ? length : LENGTH_M;
}

static void account_scales(const struct cf_system *system, double energy_J, double scale[])
{
    for (int e = 0; e < CF_NENERGY; e++)
        if (system->account[e] != CF_NONE)
            scale[system->account[e]] = energy_J;
    for (size_t m = 0; m < system->scene->npair; m++)
        if (system->contact[m].stored != CF_NONE)
            scale[system->contact[m].stored] = energy_J;
}

void cf_system_scales(const struct cf_system *system, double scale[])
{
    double z = INFINITY, f = 0, v = 0;

    for (size_t m = 0; m < system->scene->npair; m++) {
        const struct cf_contact_state *contact = &system->contact[m];
        if (contact->mode != CF_MODE_TOUCHING)
            continue;
        f = fmax(f, contact->force_scale_N);
        v = fmax(v, contact->speed_scale_m_s);
        if (contact->pair->law)
            z = fmin(z, contact->depth_scale_m);
    }
    z = isfinite(z) ? z : LENGTH_M;
    v = v > 0 ? v : SPEED_M_S;
    f = f > 0 ? f : FORCE_N;
    for (size_t i = 0; i < system->n; i++)
        scale[i] = 1;
    for (size_t b = 0; b < system->scene->nbody; b++)
        for (int k = 0; k < 3 && system->layout[b].place != CF_NONE; k++) {
            scale[system->layout[b].place + k] = z;
            scale[system->layout[b].velocity + k] = v;
        }
    account_scales(system, f * z, scale);
    for (size_t m = 0; m < system->scene->npair; m++)
        contact_scales(&system->contact[m], scale);
    if (system->fresh != CF_NONE) {
        const struct cf_contact_state *contact = &system->contact[system->fresh];
        scale[system->y] = cf_contact_root(contact, contact->depth_scale_m);
        scale[system->time] = contact->depth_scale_m / contact->speed_scale_m_s;
    }
}
