/* Contacts over a volume of interference; private to src/motion. Poses must be those of the state.
 */

#ifndef CF_MOTION_PATCH_H
#define CF_MOTION_PATCH_H

#include "motion/system.h"

/* patch_volume.c */

/* Of a cell, in place of the geometry of a ball: the deepest point, the normal there, speeds. The
 * depth is NAN where an octree fails, and system->why says why. */
void cf_patch_meet(const struct cf_system *system, const struct cf_contact_state *contact,
                   struct cf_contact_kinematics *kin);

/* Keep what a volume could not be found for, to be reported if the run ends by it. */
void cf_patch_failed(const struct cf_system *system, const struct cf_contact_state *contact,
                     const struct cf_error *why);

/* The volume with body 0 moved by deeper_m against the normal of the touch; octree: of contacts
 * that are measured so. */
int cf_patch_volume(const struct cf_contact_state *contact, const struct cf_contact_kinematics *kin,
                    double deeper_m, const struct cf_octree_options *octree, struct cf_volume *out,
                    struct cf_error *err);

/* The energy that presses it to a depth [J], to a factor of 2; INFINITY where one body would be
 * inside the other. */
double cf_patch_energy_to(const struct cf_contact_state *contact,
                          const struct cf_contact_kinematics *kin, double depth_m);

/* Has the normal spring a potential? Only against a half-space. */
bool cf_patch_has_potential(const struct cf_contact_pair *pair, const struct cf_scene *scene);

/* Is the normal that of the touch, and not an axis of the volume's inertia? */
bool cf_patch_normal_is_given(const struct cf_contact_state *contact);

/* The frame of body i in that of body j. */
void cf_patch_placing(const struct cf_pose *i, const struct cf_pose *j, struct cf_placing *out);

/* Of body i against body j, about the origin of body j and along its axes. */
void cf_patch_twist(const struct cf_pose *i, const struct cf_pose *j, double twist[CF_TWIST]);

/* patch.c */

/* In place of the normal force of a depth: n, the point, slip and rate become those of the volume;
 * without friction, which follows. */
void cf_patch_press(const struct cf_system *system, const struct cf_contact_state *contact,
                    const double state[], struct cf_contact_kinematics *kin);

/* The share of the resistance to rolling that there is at 1 + a v_app; *change, how that grows,
 * becomes how the share does. */
double cf_patch_fade(double grown, double *change);

/* As friction sees it, from kin->slide. */
struct cf_patch cf_patch_seen(const struct cf_contact_state *contact,
                              const struct cf_contact_kinematics *kin);

/* The torques of rolling and of the friction that is in kin. */
void cf_patch_turn(const struct cf_system *system, const struct cf_contact_state *contact,
                   struct cf_contact_kinematics *kin);

/* patch_keep.c: a step was accepted: the normals of all volumes are kept, as a start for those of
 * the next. */
void cf_patches_keep(struct cf_system *system, double time_s, const double state[]);

#endif
