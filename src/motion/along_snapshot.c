/* What an observer sees, along a column. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/along.h"
#include "motion/values.h"

void cf_body_state_along(const struct cf_along *along, size_t body,
                         const struct cf_body_state *state, struct cf_body_state *out)
{
    const struct cf_state_layout *layout = &along->system->layout[body];
    const struct cf_pose_by *by = &along->pose[body];
    double w[3];

    memcpy(out->position_m, by->x, sizeof out->position_m);
    memcpy(out->velocity_m_s, by->v, sizeof out->velocity_m_s);
    memcpy(out->spin_rad_s, by->w, sizeof out->spin_rad_s);
    if (layout->attitude != CF_NONE) {
        memcpy(out->attitude, along->s + layout->attitude, sizeof out->attitude);
        return;
    }
    cf_pose_spun(&along->system->pose[body], by, w);
    cf_attitude_rate(state->attitude, w, true, out->attitude);
}

void cf_contact_snapshot_along(const struct cf_along *along, const struct cf_contact_state *contact,
                               const struct cf_contact_kinematics *kin,
                               const struct cf_contact_by *by, struct cf_contact_snapshot *out)
{
    const struct cf_contact_pair *pair = contact->pair;

    *out = (struct cf_contact_snapshot){
        .touching = contact->mode == CF_MODE_TOUCHING, .surface_m = NAN, .dwell = NAN};
    memcpy(out->normal, by->n, sizeof out->normal);
    memcpy(out->slip_m_s, by->slip, sizeof out->slip_m_s);
    out->depth_m = by->depth;
    out->rate_m_s = by->rate;
    if (out->touching) {
        out->depth_m = pair->law ? by->pressed : 0;
        out->normal_N = kin->normal_N > 0 ? by->normal_N : 0;
        memcpy(out->friction_N, by->friction, sizeof out->friction_N);
    }
    if (contact->patch && out->touching) {
        out->volume_m3 = by->patch.volume_m3;
        out->spin_rad_s = by->patch.spin_rad_s;
        memcpy(out->moment_N_m, by->patch.moment, sizeof out->moment_N_m);
    }
    if (contact->patch && out->touching && pair->friction && pair->friction->patch->torsion)
        out->torsion_rad =
            along->s[contact->bristle +
                     cf_bristle_number(pair->friction, pair->friction->patch->torsion)];
    if (pair->law && pair->law->recovery) {
        out->surface_m = out->touching ? out->depth_m : 0;
        if (contact->mode == CF_MODE_CLAMPED)
            out->surface_m = cf_surface_along(along, contact).depth_m;
    }
    if (contact->bristle == CF_NONE)
        return;
    cf_bristle_snapshot(pair->friction, along->s + contact->bristle, out);
}
