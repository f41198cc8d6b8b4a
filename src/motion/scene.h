/* A scene: bodies, what they touch, and what drives them. It is data; motion.h runs it.
 *
 * Signs and symbols are those of law.h and friction.h: body 0 of a contact is i, which carries the
 * sphere, body 1 is j, which carries the solid; the normal points from j to i. Vectors are of the
 * world unless a comment says "of the body". Attitudes are unit quaternions (w, x, y, z) that turn
 * a vector of the body into one of the world.
 */

#ifndef CF_MOTION_SCENE_H
#define CF_MOTION_SCENE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"
#include "geometry/shape.h"
#include "law/friction.h"
#include "law/law.h"
#include "volume/cell.h"

struct cf_trace; /* a recorded motion, recorded.h */

enum cf_drive {
    CF_DRIVE_FREE,      /* moves by forces */
    CF_DRIVE_FIXED,     /* does not move */
    CF_DRIVE_STEADY,    /* moves with its velocity and spin, whatever the forces */
    CF_DRIVE_RECORDED,  /* moves as its trace says */
    CF_DRIVE_COMMANDED, /* moves by velocity commands under force accommodation */
    CF_DRIVE_LINK,      /* a link of the chain */
    CF_NDRIVE
};

/* A sphere that a body carries; radius 0 is a point. */
struct cf_ball {
    double centre_m[3]; /* of the body */
    double radius_m;
};

/* The commanded velocity from that time on. */
struct cf_command_leg {
    double from_s;
    double velocity_m_s[3];
};

/* Force accommodation ([G07] 5.1.4): v' lag = v_command + yield (force beyond the dead band) - v,
 * along each axis of the world. */
struct cf_accommodation {
    double yield_m_s_N;
    double dead_band_N;
    double lag_s; /* > 0: of the drive */
    size_t nleg;
    struct cf_command_leg *leg; /* by time; before the first one the command is 0 */
};

struct cf_rigid {
    char *name;
    enum cf_drive drive;
    double mass_kg;          /* CF_DRIVE_FREE: > 0 */
    double inertia_kg_m2[3]; /* about the mass centre, along the axes of the body; INFINITY on all
                                three: it never turns (a block in a guide) */
    double position_m[3];    /* of the mass centre, at the start; so are the following */
    double attitude[4];
    double velocity_m_s[3];
    double spin_rad_s[3];
    size_t nball;
    struct cf_ball *ball;
    size_t nsolid;
    struct cf_solid *solid;
    size_t ncell;
    struct cf_cell *cell;                  /* parts, for contacts over volumes; made */
    double clearance_m;                    /* the narrowest gap between them that is meant; 0: a
                                            * thousandth of the smaller one's size */
    struct cf_trace *trace;                /* CF_DRIVE_RECORDED, */
    double delay_s;                        /* and by how much later it moves so */
    struct cf_accommodation accommodation; /* CF_DRIVE_COMMANDED */
};

/* A planar chain of links from a fixed joint, in the plane of `down` and `side`: the angle of a
 * link is 0 where it hangs along `down` and grows towards `side`, measured from the link before. */
struct cf_link {
    size_t body; /* CF_DRIVE_LINK; its axes: x along the link, z = down x side; its mass centre */
    double length_m;              /* to the next joint */
    double centre_m;              /* from its joint to its mass centre */
    double inertia_kg_m2;         /* about the mass centre, across the plane; 0: a point mass */
    double angle_rad, rate_rad_s; /* at the start */
};

enum { CF_MAX_LINK = 6 };

struct cf_chain {
    double joint_m[3], down[3], side[3]; /* unit vectors, one across the other */
    size_t nlink;
    struct cf_link link[CF_MAX_LINK];
};

/* A number over time: straight between points, constant before the first and behind the last. */
struct cf_course {
    size_t n; /* points */
    double *time_s, *value;
};

struct cf_contact_pair {
    char *name; /* "ball-ground" */
    size_t body[2];
    size_t ball, solid; /* of body[0], of body[1] */
    size_t cell[2];     /* in place of these, over a volume: numbers from 1; 0: none */

    /* Normal force by a law, of the foundation family over the volume of interference, or (law
     * NULL) a load that is always there: a block pressed on a plate along `normal`, without
     * geometry. */
    const struct cf_law *law;
    double p[CF_MAX_PARAM];

    /* The force of a depth between two curved bodies acts in their overlap, which each of them has
     * a share of; else, and with on_first, on the undeformed surface of body 0 ([G07] 3.1), so that
     * the order of the bodies matters: 9 % of a spin at a depth of a tenth of the radius. */
    bool on_first;
    double uneven; /* the share of body 0 less 1/2, where the law does not say it; 0: not known */

    double load_N;
    struct cf_course load; /* n > 0: the load over time, of which load_N is the largest */
    double normal[3];

    /* NULL, or the target e of a law with a parameter e, by the speed of each touch. */
    const struct cf_law *restitution;
    double e_param[CF_MAX_PARAM];

    const struct cf_friction_law *friction; /* NULL: none; over a volume its row `over_area` */
    double friction_p[CF_MAX_PARAM];
    double pressure_power, spin_factor; /* over a volume: see struct cf_patch */
    bool stuck;                         /* starts long at rest: see `rested` of the friction law */

    /* Fixed steps only ([G07] 3.44): z_r = z - z_o relaxes in tau_r, over a volume V_r = V - V_o;
     * 0: no relaxation. */
    double relaxation_s;
};

/* Is it a contact over a volume of interference? */
static inline bool cf_pair_is_patch(const struct cf_contact_pair *pair)
{
    return pair->law && pair->law->family == CF_FAMILY_FOUNDATION;
}

/* Between a point of a body and one of the world: stiffness times their distance, no free length.
 */
struct cf_tether {
    char *name;
    size_t body;
    double at_m[3]; /* of the body */
    double anchor_m[3];
    double stiffness_N_m;
    double damping_N_s_m;
};

/* A force on the mass centre of a free body, in a fixed direction. */
struct cf_applied_force {
    size_t body;
    double direction[3];    /* of the world, a unit vector */
    struct cf_course force; /* [N], at least one point */
};

struct cf_scene {
    double gravity_m_s2[3];
    double duration_s;
    size_t nbody;
    struct cf_rigid *body;
    size_t npair;
    struct cf_contact_pair *pair;
    size_t ntether;
    struct cf_tether *tether;
    size_t nforce;
    struct cf_applied_force *force;
    struct cf_chain chain; /* nlink 0: none */
    /* how volumes are computed for which there is no exact function; all 0: cf_octree_defaults() */
    struct cf_octree_options octree;
};

/* Refuses what cannot be run: a mass that is not positive, inertias that no body has (one larger
 * than the sum of the others), a ball centred on a bore's axis while it touches, deep overlap at
 * the start (more than CF_DEEP of the smaller radius), laws with parameters out of range. The
 * message names the body or the contact. *body and *pair (may be NULL) receive an index, or
 * SIZE_MAX.
 *
 * Deeper than CF_DEEP no law holds, whose contacts are small against the radius: bodies that begin
 * so were put into each other by mistake, and would fly apart. */
#define CF_DEEP 0.1
int cf_scene_check(const struct cf_scene *scene, size_t *body, size_t *pair, struct cf_error *err);

/* The matrix of a unit quaternion, whose columns are the axes of the body. */
void cf_attitude_matrix(const double q[4], double r[3][3]);

/* Is the volume of a contact, which has cells, measured by an octree? */
bool cf_pair_by_octree(const struct cf_scene *scene, const struct cf_contact_pair *pair);

/* The scene's, or the defaults. */
struct cf_octree_options cf_scene_octree(const struct cf_scene *scene);

/* Radius of the pair, 1/R = 1/R1 + 1/R2, from the ball and the solid; INFINITY for a point. */
double cf_contact_pair_radius(const struct cf_scene *scene, const struct cf_contact_pair *pair);

/* Does its force act in the overlap, unless the pair has it otherwise? A cone and an edge go on
 * smoothly into planes, and have their rule; a point gives way as a whole. */
bool cf_contact_pair_is_curved(const struct cf_scene *scene, const struct cf_contact_pair *pair);

/* 1/m = 1/m1 + 1/m2 of the bodies, driven ones as infinite. */
double cf_contact_pair_mass(const struct cf_scene *scene, const struct cf_contact_pair *pair);

#endif
