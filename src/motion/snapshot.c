/* A body and a contact as an observer sees them. */

#include <math.h>
#include <string.h>

#include "motion/values.h"

void cf_body_state_at(const struct cf_system *system, size_t index, double time_s,
                      const double state[], struct cf_body_state *out)
{
    const struct cf_rigid *body = &system->scene->body[index];
    struct cf_pose *pose = &system->pose[index];
    size_t attitude = system->layout[index].attitude;

    memcpy(out->position_m, pose->x, sizeof out->position_m);
    memcpy(out->velocity_m_s, pose->v, sizeof out->velocity_m_s);
    memcpy(out->spin_rad_s, pose->w, sizeof out->spin_rad_s);
    if (body->drive == CF_DRIVE_LINK)
        cf_attitude_of_matrix(pose->r, out->attitude);
    else if (attitude != CF_NONE)
        memcpy(out->attitude, state + attitude, sizeof out->attitude);
    else
        cf_attitude_spun(body->attitude, body->spin_rad_s, time_s, out->attitude);
}

/* The surface moves with the body, and alone after the contact. */
static double surface(const struct cf_contact_state *contact, double depth, double time_s)
{
    if (!contact->pair->law || !contact->pair->law->recovery)
        return (double) NAN;
    if (contact->mode == CF_MODE_CLAMPED)
        return cf_contact_surface(contact, time_s).depth_m;
    return contact->mode == CF_MODE_TOUCHING ? depth : 0;
}

void cf_bristle_snapshot(const struct cf_friction_law *law, const double state[],
                         struct cf_contact_snapshot *out)
{
    if (law->nvector > 0)
        memcpy(out->bristle_m, state + 3 * law->shown, sizeof out->bristle_m);
    if (law->dwell)
        out->dwell = state[cf_bristle_number(law, law->dwell)];
}

void cf_contact_snapshot_at(const struct cf_system *system, const struct cf_contact_state *contact,
                            double time_s, const double state[], struct cf_contact_snapshot *out)
{
    const struct cf_contact_kinematics *kin = &system->kin[contact - system->contact];

    *out =
        (struct cf_contact_snapshot){.touching = contact->mode == CF_MODE_TOUCHING, .dwell = NAN};
    out->depth_m = kin->depth;
    out->surface_m = surface(contact, kin->depth, time_s);
    out->rate_m_s = kin->rate;
    out->normal_N = out->touching ? fmax(kin->normal_N, 0) : 0;
    memcpy(out->normal, kin->n, sizeof out->normal);
    memcpy(out->slip_m_s, kin->slip, sizeof out->slip_m_s);
    for (int k = 0; k < 3 && out->touching && contact->pair->friction; k++)
        out->friction_N[k] =
            kin->friction[0] * kin->tangent[0][k] + kin->friction[1] * kin->tangent[1][k];
    if (contact->patch && out->touching) {
        out->volume_m3 = kin->patch.volume.volume_m3;
        out->spin_rad_s = kin->patch.spin_rad_s;
        memcpy(out->moment_N_m, kin->patch.moment, sizeof out->moment_N_m);
    }
    if (contact->bristle == CF_NONE)
        return;
    if (contact->patch && contact->pair->friction->patch->torsion)
        out->torsion_rad =
            state[contact->bristle + cf_bristle_number(contact->pair->friction,
                                                       contact->pair->friction->patch->torsion)];
    cf_bristle_snapshot(contact->pair->friction, state + contact->bristle, out);
}
