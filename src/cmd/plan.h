/* What `design` has worked out, and how it is written; private to src/cmd. */

#ifndef CF_CMD_PLAN_H
#define CF_CMD_PLAN_H

#include "cmd/point.h"
#include "identify/design.h"
#include "study/study.h"

/* The best place at which to measure a quantity for a parameter, with `added` measurements. */
struct cf_offer {
    size_t candidate;
    struct cf_expected then;
};

struct cf_plan {
    const struct cf_study *study;
    struct cf_point point;
    struct cf_design design;
    double low, high; /* of the study, on the axis of its first data set */
    struct cf_expected now;
    size_t added, *sequence;
    size_t *noffer;           /* by parameter */
    struct cf_offer **offer;  /* the same, the narrowest interval first */
    struct cf_expected after; /* the sequence */
};

void cf_plan_print_text(const struct cf_plan *plan);
int cf_plan_print_json(const struct cf_plan *plan, struct cf_error *err);

#endif
