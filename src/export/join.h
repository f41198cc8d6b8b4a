/* How targets that set values by body join those of two, and the values by body that give each of
 * several pairs its own; private to src/export. */

#ifndef CF_EXPORT_JOIN_H
#define CF_EXPORT_JOIN_H

#include "export/target.h"

enum cf_joined {
    CF_JOINED_SUM,
    CF_JOINED_MEAN,
    CF_JOINED_SERIES,   /* v^-p = v1^-p + v2^-p, p = `power` */
    CF_JOINED_HARMONIC, /* 2 v1 v2/(v1 + v2) */
    CF_JOINED_PRODUCT,
    CF_JOINED_SMALLER,
    CF_JOINED_WEIGHTED /* each by the other's `by`^p, over the sum of both */
};

struct cf_join {
    const char *name; /* of the value */
    enum cf_joined how;
    double power;      /* of series and weights; 0: 1 */
    double neutral;    /* that leaves the pair the other's value; NAN: none can be written */
    bool above_1;      /* a factor above 1 can be written */
    const char *by;    /* of CF_JOINED_WEIGHTED: the value, of `power`, joined in series itself */
    const char *above; /* a value joined alike, before, that this one must not be below in any body;
                          of harmonic means: that must not be below this one. NULL: none */
};

/* Where fits that share bodies want different values of one, find values by body that the target
 * joins to each pair's: what all pairs already agree on stays. Of many solutions, a body that most
 * fits share gets the neutral value, or else all are in the middle of what is possible. Fails with
 * the pairs and their values where there is none. */
int cf_join_bodies(struct cf_mapping m[], size_t n, struct cf_error *err);

#endif
