/* Noise as laboratories have it, for synthetic studies: neither independent nor normal. */

#ifndef DISTURB_H
#define DISTURB_H

#include <gsl/gsl_rng.h>

#include "estimate/problem.h"

struct disturb_kind;

/* One disturbance with its numbers. */
struct disturb {
    const struct disturb_kind *kind;
    double a, b;
};

/* By its name, with two numbers; false: there is none of this name. */
bool disturb_find(const char *name, double a, double b, struct disturb *out);

/* All of a design, in the order in which they are listed: as cf_disturbance wants it. */
struct disturb_list {
    size_t n;
    const struct disturb *item;
};
void disturb_all(const void *list, const struct cf_problem *truth, gsl_rng *rng, double sigma[],
                 double extra[]);

#endif
