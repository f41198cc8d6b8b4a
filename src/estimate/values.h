/* How theta becomes the values of a data set; private to src/estimate. */

#ifndef CF_ESTIMATE_VALUES_H
#define CF_ESTIMATE_VALUES_H

#include "estimate/problem.h"

enum cf_assignment_kind { CF_ASSIGN_GIVEN, CF_ASSIGN_FREE, CF_ASSIGN_TIE };

/* Sets one parameter of the law. Names are resolved once, here. */
struct cf_assignment {
    enum cf_assignment_kind kind;
    size_t target;                   /* the law's parameter */
    const struct cf_alias *alias;    /* NULL: the parameter itself */
    double value;                    /* given; or a tie's factor */
    bool hertz;                      /* given: k from the pair */
    size_t entry;                    /* free: number of the study's or the rival's parameter */
    size_t to;                       /* tie: the parameter that is followed, */
    const struct cf_alias *to_alias; /* under this name */
};

/* Fill problem->assignment, and in each set what it depends on. `nfree` free parameters of the law
 * have been chosen. */
int cf_problem_assign(struct cf_problem *problem, size_t nfree, struct cf_error *err);

/* The parameter that a name stands for, or nparam. */
size_t cf_law_target(const struct cf_law *law, const char *name);

/* Does a name of the study mean the same number in this law? */
bool cf_same_meaning(const struct cf_problem *problem, const char *name);

/* A name that the problem keeps; NULL when out of memory. */
const char *cf_problem_name(struct cf_problem *problem, const char *format, ...)
    __attribute__((__format__(printf, 2, 3)));

#endif
