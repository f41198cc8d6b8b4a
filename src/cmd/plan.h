/* What `design` has worked out, and how it is written; private to src/cmd. */

#ifndef CF_CMD_PLAN_H
#define CF_CMD_PLAN_H

#include "cmd/point.h"
#include "identify/design.h"
#include "identify/power.h"
#include "study/study.h"

/* The best place at which to measure a quantity for a parameter, with `added` measurements. */
struct cf_offer {
    size_t candidate;
    struct cf_expected then;
};

/* From where to where a rig of the study has been set, for records to come. */
struct cf_record_range {
    size_t data; /* the first of the rig */
    const struct cf_setting *setting;
    double low, high;
    bool done; /* else no record had it, and the range is a place to begin */
};

struct cf_plan {
    const struct cf_study *study;
    const char *path; /* of the study, as the user has it */
    struct cf_point point;
    struct cf_design design;
    double low, high; /* of the study, on the axis of its first data set */
    size_t nrange;
    struct cf_record_range *range;
    struct cf_expected now;
    size_t added, *sequence;
    size_t *noffer;                  /* by parameter */
    struct cf_offer **offer;         /* the same, the narrowest interval first */
    struct cf_expected after;        /* the sequence */
    struct cf_departures departures; /* that the study's own rows may show */
};

int cf_plan_print_text(FILE *out, const struct cf_plan *plan, struct cf_error *err);
int cf_plan_print_json(const struct cf_plan *plan, struct cf_error *err);

#endif
