/* Where two bodies meet over a volume of interference: balls and cells against solids and cells, in
 * the frame of body 1. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/frame.h"
#include "motion/patch.h"
#include "volume/ball.h"
#include "volume/cell_pair.h"

bool cf_patch_has_potential(const struct cf_contact_pair *pair, const struct cf_scene *scene)
{
    const struct cf_rigid *j = &scene->body[pair->body[1]];

    return !pair->cell[1] && j->solid[pair->solid].shape == cf_shape_find("plane");
}

/* Against a half-space it is the plane's, with which the force has a potential; a ball has it by
 * symmetry where its volume is even. */
bool cf_patch_normal_is_given(const struct cf_contact_state *contact)
{
    if (contact->cell[0])
        return !contact->cell[1];
    return cf_ball_volume_is_even(contact->solid->shape);
}

void cf_patch_placing(const struct cf_pose *i, const struct cf_pose *j, struct cf_placing *out)
{
    double apart[3];

    cf_apart(i, j, apart);
    cf_into_body(j, apart, out->origin_m);
    for (int k = 0; k < 3; k++) {
        double axis[3] = {k == 0, k == 1, k == 2}, turned[3], inside[3];
        cf_out_of_body(i, axis, turned);
        cf_into_body(j, turned, inside);
        for (int a = 0; a < 3; a++)
            out->turn[a][k] = inside[a];
    }
}

void cf_patch_twist(const struct cf_pose *i, const struct cf_pose *j, double twist[CF_TWIST])
{
    double lever[3], v[3], w[3], turned[3];

    cf_apart(j, i, lever);
    cf_vec_cross(i->w, lever, turned);
    cf_vec_sub(i->v, j->v, v);
    cf_vec_add_scaled(v, 1, turned, v);
    cf_vec_sub(i->w, j->w, w);
    cf_into_body(j, v, twist);
    cf_into_body(j, w, twist + 3);
}

static struct cf_cell_pair pair_of(const struct cf_contact_state *contact,
                                   const struct cf_octree_options *octree)
{
    struct cf_cell_pair pair = {.i = contact->cell[0], .j = contact->cell[1], .octree = octree};

    if (!pair.j) {
        pair.n = contact->solid->direction[0];
        pair.height_m = contact->solid->size[0];
    }
    return pair;
}

void cf_patch_meet(const struct cf_system *system, const struct cf_contact_state *contact,
                   struct cf_contact_kinematics *kin)
{
    const struct cf_pose *i = &system->pose[contact->pair->body[0]];
    const struct cf_pose *j = &system->pose[contact->pair->body[1]];
    struct cf_patch_kinematics *patch = &kin->patch;
    const struct cf_cell_pair pair = pair_of(contact, &system->octree);
    struct cf_cell_meeting found;
    struct cf_error why = {""};
    double point[3], v[3], turned[3];

    cf_patch_placing(i, j, &patch->placing);
    kin->touch = (struct cf_touch){.depth_m = 0};
    if (cf_cell_pair_depth(&pair, &patch->placing, &found, &why))
        cf_patch_failed(system, contact, &why);
    kin->touch.depth_m = found.depth_m;
    memcpy(kin->touch.n, found.n, sizeof found.n);
    memcpy(point, found.point_m, sizeof point);
    kin->depth = kin->touch.depth_m;
    kin->hollow = found.in_hole ? (double) INFINITY : 0;
    cf_out_of_body(j, kin->touch.n, kin->n);
    cf_out_of_body(j, point, kin->point);
    cf_vec_add_scaled(kin->point, 1, j->x, kin->point);
    memcpy(kin->deepest, kin->point, sizeof kin->deepest);
    cf_patch_twist(i, j, patch->twist);
    cf_vec_cross(patch->twist + 3, point, turned);
    cf_vec_add_scaled(patch->twist, 1, turned, v);
    kin->rate = -cf_vec_dot(kin->touch.n, v);
    cf_vec_add_scaled(v, kin->rate, kin->touch.n, v);
    cf_out_of_body(j, v, kin->slip);
    cf_vec_cross(j->w, kin->n, kin->n_rate);
}

void cf_patch_failed(const struct cf_system *system, const struct cf_contact_state *contact,
                     const struct cf_error *why)
{
    if (system->why->text[0]) /* it goes on from what has no number: the first one is the reason */
        return;
    cf_fail(system->why, CF_ESOLVE, "contact %.200s: %.700s", contact->pair->name, why->text);
}

int cf_patch_volume(const struct cf_contact_state *contact, const struct cf_contact_kinematics *kin,
                    double deeper_m, const struct cf_octree_options *octree, struct cf_volume *out,
                    struct cf_error *err)
{
    struct cf_placing placing = kin->patch.placing;
    struct cf_touch touch = kin->touch;
    double inside[3];

    if (contact->cell[1] || contact->octree) {
        const struct cf_cell_pair pair = pair_of(contact, octree);
        cf_vec_add_scaled(placing.origin_m, -deeper_m, touch.n, placing.origin_m);
        return cf_cell_pair_volume(&pair, &placing, out, err);
    }
    if (contact->cell[0])
        return cf_cell_volume(contact->cell[0], &placing, touch.n, touch.depth_m + deeper_m, out,
                              err);
    touch.depth_m += deeper_m;
    cf_vec_add_scaled(kin->inside, -deeper_m, touch.n, inside);
    return cf_ball_volume(contact->solid, contact->ball->radius_m, inside, &touch, out, err);
}

/* Under a sphere V grows with the square of the depth and its energy is a third of kv V z; under a
 * flat face a half, under a corner a quarter. */
double cf_patch_energy_to(const struct cf_contact_state *contact,
                          const struct cf_contact_kinematics *kin, double depth_m)
{
    static const double ROUGH = 0.1;
    struct cf_octree_options octree = cf_octree_defaults();
    struct cf_volume v;

    octree.error_relative = ROUGH;
    if (!(depth_m < contact->lever_m) ||
        cf_patch_volume(contact, kin, depth_m - kin->touch.depth_m, &octree, &v, NULL))
        return (double) INFINITY;
    return contact->p[0] * v.volume_m3 * depth_m / 3;
}
