/* What a touch fixes, and its end, along a column. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/along.h"

/* d(1/m) of a body at a point, and 1/m itself: see mobility() of touch.c. */
static double mobility_along(const struct cf_along *along, size_t body,
                             const struct cf_contact_kinematics *kin,
                             const struct cf_contact_by *by)
{
    const struct cf_rigid *rigid = &along->system->scene->body[body];
    const struct cf_pose *pose = &along->system->pose[body];
    const struct cf_pose_by *pose_by = &along->pose[body];
    double lever[3], dlever[3], moment[3], more[3], part[3], sum = 0, more_sum = 0;

    if (rigid->drive == CF_DRIVE_LINK)
        return cf_chain_mobility_along(along, body, kin->point, by->point, kin->n, by->n);
    if (rigid->drive != CF_DRIVE_FREE)
        return 0;
    cf_vec_sub(kin->point, pose->x, lever);
    cf_vec_sub(by->point, pose_by->x, dlever);
    cf_vec_cross(lever, kin->n, moment);
    cf_vec_cross(dlever, kin->n, more);
    cf_vec_cross(lever, by->n, part);
    cf_vec_add_scaled(more, 1, part, more);
    for (int k = 0; k < 3 && cf_rigid_turns(rigid); k++) {
        double m = moment[k], dm = more[k];
        if (pose->turned) {
            m = dm = 0;
            for (int i = 0; i < 3; i++) {
                m += pose->r[i][k] * moment[i];
                dm +=
                    pose->r[i][k] * more[i] + (pose_by->turned ? pose_by->r[i][k] * moment[i] : 0);
            }
        }
        sum += m * m / rigid->inertia_kg_m2[k];
        more_sum += 2 * m * dm / rigid->inertia_kg_m2[k];
    }
    if (cf_along_is(along, CF_WRT_MASS, body)) /* moments grow with it */
        more_sum -= (1 / rigid->mass_kg + sum) / rigid->mass_kg;
    return more_sum;
}

/* The target of a law that is driven by a wanted e. */
static void aim_along(const struct cf_along *along, const struct cf_contact_state *contact,
                      struct cf_contact_state_by *out)
{
    const struct cf_contact_pair *pair = contact->pair;
    struct cf_restitution target;
    size_t e;

    if (!pair->restitution)
        return;
    e = cf_param_find(pair->law->param, pair->law->nparam, "e");
    pair->restitution->restitution(pair->e_param, contact->approach_m_s, &target);
    out->p[e] = 0;
    if (!(target.e > 0 && target.e < 1))
        return;
    out->p[e] = target.by_speed * out->approach_m_s;
    if (cf_along_is(along, CF_WRT_TARGET, (size_t) (contact - along->system->contact)))
        out->p[e] += target.by_param[along->wrt->part];
}

void cf_touch_along(const struct cf_along *along, const struct cf_contact_state *contact,
                    const struct cf_contact_kinematics *kin, struct cf_contact_state_by *out,
                    double s[])
{
    const struct cf_contact_pair *pair = contact->pair;
    const struct cf_law *law = pair->law;
    struct cf_contact_by by;
    struct cf_damping damping;

    cf_geometry_along(along, contact, kin, &by);
    out->approach_m_s = kin->rate > 0 ? by.rate : 0;
    out->mass_kg = 0;
    if (isfinite(contact->mass_kg))
        out->mass_kg = -contact->mass_kg * contact->mass_kg *
                       (mobility_along(along, pair->body[0], kin, &by) +
                        mobility_along(along, pair->body[1], kin, &by));
    aim_along(along, contact, out);
    if (law && (contact->whole || contact->patch)) {
        out->k = out->p[contact->patch ? 0 : cf_law_k(law)];
        law->damping(contact->p, contact->mass_kg, contact->approach_m_s, &damping);
        out->ratio = damping.by_approach * out->approach_m_s;
        if (out->mass_kg != 0)
            out->ratio += damping.by_mass * out->mass_kg;
        for (size_t i = 0; i < law->nparam; i++)
            if (out->p[i] != 0)
                out->ratio += damping.by_param[i] * out->p[i];
    }
    if (contact->state != CF_NONE) {
        struct cf_surface met = {0};
        if (!contact->opened && law->recovery)
            met = cf_surface_along(along, contact);
        memcpy(s + contact->state, met.state, law->nstate * sizeof *s);
    }
    if (contact->bristle != CF_NONE)
        memset(s + contact->bristle, 0, cf_bristle_count(pair->friction) * sizeof *s);
}

void cf_leave_along(const struct cf_along *along, const struct cf_contact_state *contact,
                    const struct cf_contact_kinematics *kin, struct cf_contact_state_by *out)
{
    struct cf_contact_by by;

    cf_geometry_along(along, contact, kin, &by);
    out->left_m = by.depth;
    if (cf_contact_in_y(along->system, contact))
        out->left_m = cf_depth_in_y_along(along, contact);
    if (!(kin->depth > 0))
        out->left_m = 0;
    out->left_s = along->time;
    if (contact->state != CF_NONE)
        memcpy(out->left, along->s + contact->state,
               contact->pair->law->nstate * sizeof *out->left);
}
