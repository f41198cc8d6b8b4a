/* Which pairs of a scene's contacts are near: private to src/motion.
 *
 * Where all cells of one body may touch all of another, or a plane, trees of spheres find the pairs
 * that are no further apart than a margin. Until the bodies have moved against each other by that
 * margin no other pair can touch, so that nothing else has to look at one: no rate, no event, no
 * prediction of a touch. Balls that may touch each other or planes have one list for all of them
 * (near_balls.c). All other pairs are always listed, those that touch among them.
 */

#ifndef CF_MOTION_NEAR_H
#define CF_MOTION_NEAR_H

#include "motion/scene.h"
#include "volume/cell_tree.h"

struct cf_system;
struct cf_contact_state;

/* All pairs of the cells of two bodies: number first + a * count[1] + b of the scene's; or those of
 * the cells of one with a plane. */
struct cf_near_group {
    size_t body[2], first, count[2];
    double margin_m, reach_m;     /* no place of body 0 is further from its mass centre */
    struct cf_placing at;         /* of body 0 against body 1 when it was listed */
    const struct cf_solid *plane; /* NULL: of two bodies of cells */
    bool listed;
};

/* Balls, each about its mass centre, with each other and with planes that stand. */
struct cf_near_balls {
    size_t n; /* 0: they are so few that all their pairs are listed */
    size_t *body;
    double *radius_m, (*at_m)[3]; /* n, and where they were when they were listed */
    struct cf_near_begin *begin;  /* n; room of the sweep */
    size_t npair;
    struct cf_near_pair *pair; /* of two balls, in their order */
    size_t nplane, *plane;     /* pairs of a ball and a plane */
    double margin_m;
    bool listed;
};

struct cf_near {
    size_t n, *pair; /* those listed, in the scene's order */
    size_t *found;   /* room to find them */
    size_t ngroup;
    struct cf_near_group *group;
    struct cf_cell_tree *tree; /* nbody; of bodies in a group */
    size_t nbody;
    struct cf_near_balls balls;
};

/* With all of them listed if `all`. CF_ENOMEM; what was made has to be freed, also then. */
int cf_near_make(struct cf_near *near, const struct cf_scene *scene, bool all,
                 struct cf_error *err);
void cf_near_free(struct cf_near *near);

/* Between the spheres around the two cells of a contact, at the poses of the system; < 0: their
 * overlap. */
double cf_near_gap(const struct cf_system *system, const struct cf_contact_state *contact);

/* At the poses of the system: lists anew where bodies have moved by half of their margin. */
void cf_near_renew(struct cf_system *system);

/* How much of a group's margin is left at the poses of the system [m]; < 0: its list is too old. */
double cf_near_left(const struct cf_system *system, const struct cf_near_group *group);

/* How long it lasts at the present speeds [s]. */
double cf_near_time(const struct cf_system *system, const struct cf_near_group *group);

/* near_balls.c. Of the pairs that are not in a group; CF_ENOMEM. */
int cf_near_balls_make(struct cf_near_balls *balls, const struct cf_scene *scene,
                       const bool grouped[], struct cf_error *err);
void cf_near_balls_free(struct cf_near_balls *balls);

/* Is the pair, which is in no group, one of theirs? */
bool cf_near_balls_have(const struct cf_near_balls *balls, const struct cf_scene *scene, size_t m);

/* At the poses of the system: how far a ball may still move before the list is too old [m], < 0: it
 * is; and how long that lasts at the present speeds [s]. */
double cf_near_balls_left(const struct cf_system *system);
double cf_near_balls_time(const struct cf_system *system);

/* List anew: the pairs, in no order; returns how many. */
size_t cf_near_balls_list(struct cf_system *system, size_t found[]);

#endif
