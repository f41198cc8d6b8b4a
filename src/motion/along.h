/* The equations of motion linearised at one state: derivatives along a column, which is a direction
 * in states, in time and in a number of the scene. By the laws' own slopes; what is known of the
 * state itself, poses and contacts, has been made there before (cf_system_poses(),
 * cf_system_time_rates()). Private to src/motion.
 */

#ifndef CF_MOTION_ALONG_H
#define CF_MOTION_ALONG_H

#include "motion/system.h"

/* Of a contact's constants, which were fixed at a touch or at its end. */
struct cf_contact_state_by {
    double p[CF_MAX_PARAM], approach_m_s, mass_kg, left_m, left_s, left[CF_MAX_STATE], k, ratio;
};

struct cf_pose_by {
    double x[3], v[3], w[3];
    double r[3][3]; /* filled where `turned` */
    bool turned;
    double force[3], torque[3];
};

/* Of cf_patch_kinematics; in the frame of body 1 but for the moment. */
struct cf_patch_by {
    double volume_m3, centroid_m[3], inertia_m5[3][3];
    double spin_rad_s, gyration_m;
    double roll_inside[3], roll[3]; /* w_t itself, and along */
    double moment[3];
};

/* Of cf_contact_kinematics and what follows from it; all vectors are of the world but `inside`. */
struct cf_contact_by {
    double n[3], n_rate[3], point[3], slip[3], depth, rate;
    double inside[3]; /* where the ball's centre goes in the solid's frame */
    double pressed;   /* of the depth that the law sees: of y^q for the contact in y */
    double normal_N, friction[3], bristle_rate[3 * CF_FRICTION_VECTORS]; /* as states are */
    struct cf_patch_by patch; /* where the contact is one */
};

struct cf_along {
    const struct cf_system *system;
    const struct cf_wrt *wrt;             /* the number of the scene, which grows by 1; or NULL */
    const struct cf_contact_state_by *by; /* npair; NULL: all 0 */
    double time_s, time;                  /* the time, and how it moves */
    const double *state, *s;              /* n, nread */
    struct cf_pose_by *pose;              /* nbody: made by cf_poses_along() */
};

/* Is it a number of this kind, of that body, contact, spring? */
static inline bool cf_along_is(const struct cf_along *along, enum cf_wrt_kind kind, size_t index)
{
    return along->wrt && along->wrt->kind == kind &&
           (along->wrt->index == index || along->wrt->index == CF_WRT_EVERY);
}

/* What the touch has fixed; NULL: nothing of it moves. */
static inline const struct cf_contact_state_by *
cf_along_fixed(const struct cf_along *along, const struct cf_contact_state *contact)
{
    return along->by ? &along->by[contact - along->system->contact] : NULL;
}

/* along_pose.c */
void cf_poses_along(const struct cf_along *along);

/* The derivatives of vectors between the frames of the world and of a body (motion/frame.h): of one
 * into the body, of one out of it, and of one out of it that stays as it is in the body. */
void cf_into_body_along(const struct cf_pose *pose, const struct cf_pose_by *by, const double a[3],
                        const double da[3], double out[3]);
void cf_out_of_body_along(const struct cf_pose *pose, const struct cf_pose_by *by,
                          const double a[3], const double da[3], double out[3]);
void cf_turned_along(const struct cf_pose_by *by, const double a[3], double out[3]);

/* w with dR = w x R */
void cf_pose_spun(const struct cf_pose *pose, const struct cf_pose_by *by, double w[3]);

/* along_contact.c: kin as cf_contact_geometry(), or behind it cf_contact_forces(), made it. */
void cf_geometry_along(const struct cf_along *along, const struct cf_contact_state *contact,
                       const struct cf_contact_kinematics *kin, struct cf_contact_by *out);

/* Is the number of the scene one of the solid that the pair touches? Pairs name it. */
static inline bool cf_along_of_solid(const struct cf_along *along, enum cf_wrt_kind kind,
                                     const struct cf_contact_pair *pair)
{
    const struct cf_contact_pair *named;

    if (!along->wrt || along->wrt->kind != kind)
        return false;
    named = &along->system->scene->pair[along->wrt->index];
    return named->body[1] == pair->body[1] && named->solid == pair->solid;
}

/* along_patch.c: of a contact over a volume the geometry of its cell; what its volume presses with;
 * and friction, of which `slide` are the columns that a point has: df[2] and drate, and the torque
 * in out->patch.moment. */
void cf_patch_meet_along(const struct cf_along *along, const struct cf_contact_state *contact,
                         const struct cf_contact_kinematics *kin, struct cf_contact_by *out);
void cf_patch_press_along(const struct cf_along *along, const struct cf_contact_state *contact,
                          const struct cf_contact_kinematics *kin, struct cf_contact_by *out);
void cf_patch_rub_along(const struct cf_contact_state *contact,
                        const struct cf_contact_kinematics *kin, const double slide[],
                        struct cf_contact_by *out, double df[2], double drate[]);

/* z = |y|^q of the contact in y */
double cf_depth_in_y_along(const struct cf_along *along, const struct cf_contact_state *contact);

/* Friction's states, as its law has them: d[nstate]. */
void cf_bristle_along(const struct cf_along *along, const struct cf_contact_state *contact,
                      const struct cf_contact_kinematics *kin, const struct cf_contact_by *by,
                      double d[]);

/* The normal force, and friction along n columns at once: what they share of a law is evaluated
 * once. out[i * stride] is that of along[i]; work[n * CF_ALONG_WORK]. */
enum { CF_ALONG_WORK = CF_FRICTION_COLUMNS + 2 + CF_FRICTION_STATES };
void cf_press_along(const struct cf_along *along, const struct cf_contact_state *contact,
                    const struct cf_contact_kinematics *kin, struct cf_contact_by *out);
void cf_rub_along(size_t n, const struct cf_along along[], const struct cf_contact_state *contact,
                  const struct cf_contact_kinematics *kin, struct cf_contact_by out[],
                  size_t stride, double work[]);

/* Both, along one. */
void cf_forces_along(const struct cf_along *along, const struct cf_contact_state *contact,
                     const struct cf_contact_kinematics *kin, struct cf_contact_by *out);

/* along_rates.c: of cf_system_rates(), from poses and contacts along the column; rate[n] are those
 * of cf_system_time_rates(). */
void cf_rates_along(const struct cf_along *along, const struct cf_contact_by contact[],
                    const double rate[], double out[]);

/* along_chain.c */
void cf_chain_poses_along(const struct cf_along *along);
void cf_chain_rates_along(const struct cf_along *along, const double rate[], double out[]);
double cf_chain_mobility_along(const struct cf_along *along, size_t body, const double point[3],
                               const double dpoint[3], const double n[3], const double dn[3]);

/* along_sign.c: of the functions that go through 0 at events. */
double cf_end_along(const struct cf_along *along, const struct cf_contact_state *contact,
                    const struct cf_contact_kinematics *kin, const struct cf_contact_by *by);
struct cf_surface cf_surface_along(const struct cf_along *along,
                                   const struct cf_contact_state *contact); /* but its rate */
double cf_slide_along(const struct cf_along *along, const struct cf_contact_state *contact,
                      const struct cf_contact_kinematics *kin, const struct cf_contact_by *by,
                      double (*of)(const double p[], const struct cf_slide *c));

/* along_touch.c: what a touch that has just begun, or ended, has fixed; kin and poses are those of
 * before, s[nread] are total derivatives. */
void cf_touch_along(const struct cf_along *along, const struct cf_contact_state *contact,
                    const struct cf_contact_kinematics *kin, struct cf_contact_state_by *out,
                    double s[]);
void cf_leave_along(const struct cf_along *along, const struct cf_contact_state *contact,
                    const struct cf_contact_kinematics *kin, struct cf_contact_state_by *out);

/* along_snapshot.c */
void cf_body_state_along(const struct cf_along *along, size_t body,
                         const struct cf_body_state *state, struct cf_body_state *out);
void cf_contact_snapshot_along(const struct cf_along *along, const struct cf_contact_state *contact,
                               const struct cf_contact_kinematics *kin,
                               const struct cf_contact_by *by, struct cf_contact_snapshot *out);

#endif
