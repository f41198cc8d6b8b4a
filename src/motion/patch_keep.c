/* What contacts over volumes keep from step to step: their normals, and the most that they held. */

#include <math.h>
#include <string.h>

#include "motion/patch.h"

void cf_patches_keep(struct cf_system *system, double time_s, const double state[])
{
    bool posed = false;
    double held = 0;

    for (size_t k = 0; k < system->near.n; k++) {
        struct cf_contact_state *contact = &system->contact[system->near.pair[k]];
        struct cf_contact_kinematics kin;
        if (contact->pressed != CF_NONE)
            held += state[contact->pressed];
        if (!contact->patch || contact->mode != CF_MODE_TOUCHING ||
            cf_patch_normal_is_given(contact))
            continue;
        if (!posed)
            cf_system_poses(system, time_s, state);
        posed = true;
        cf_contact_geometry(system, contact, &kin);
        cf_patch_press(system, contact, state, &kin);
        contact->knows_normal = kin.normal_N > 0;
        memcpy(contact->normal, kin.patch.normal, sizeof contact->normal);
    }
    system->pressed_J = fmax(system->pressed_J, held);
}
