/* What a descent works with; private to its files. */

#ifndef CF_ESTIMATE_DESCENT_ROOM_H
#define CF_ESTIMATE_DESCENT_ROOM_H

#include "estimate/descent.h"

struct cf_descent {
    size_t n; /* unknowns */
    struct cf_fold now, trial, probe;
    size_t nmoving, *moving;
    double *u, *next, *slope, *theta, *change; /* n each; slope is dtheta/du */
    double *scale, *v, *a;                     /* n each, by place in moving[] */
    double *B, *C; /* (n + 1)^2: factor of the moving columns; the damped one */
    double *room;
};

#endif
