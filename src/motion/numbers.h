/* The numbers of a scene, one behind the other, and copies of scenes whose numbers may be changed.
 */

#ifndef CF_MOTION_NUMBERS_H
#define CF_MOTION_NUMBERS_H

#include "motion/motion.h"

/* What a number is, beyond its value. */
enum cf_number_kind {
    CF_NUMBER_BY_WRT,  /* derivatives are taken by it: `wrt` */
    CF_NUMBER_SOLID,   /* place of a solid along axis `wrt.part` of body `wrt.index` */
    CF_NUMBER_HEIGHT,  /* of a plane, along its normal */
    CF_NUMBER_INERTIA, /* of body `wrt.index`: grows with its mass */
    CF_NUMBER_FOLLOWS, /* from others: the largest of a load over time */
    CF_NUMBER_CLOSED,  /* derivatives are not taken by it: `what` */
};

struct cf_scene_number {
    double *at;
    enum cf_number_kind kind;
    struct cf_wrt wrt;
    size_t solid;     /* of that body */
    const char *what; /* "a radius" */
};

/* All numbers but attitudes and recorded motions, in an order that depends on the scene's shape
 * alone: scenes that differ by numbers have lists of equal length. */
struct cf_scene_numbers {
    size_t n;
    struct cf_scene_number *number;
};

int cf_scene_numbers_make(struct cf_scene_numbers *numbers, struct cf_scene *scene,
                          struct cf_error *err);
void cf_scene_numbers_free(struct cf_scene_numbers *numbers);

/* A copy that may be changed; names and recorded motions stay those of `from`, which outlives it.
 * *to is to be freed, also after a failure. */
int cf_scene_copy(struct cf_scene *to, const struct cf_scene *from, struct cf_error *err);
void cf_scene_copy_free(struct cf_scene *copy);

#endif
