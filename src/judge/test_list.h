/* Tests and the adjustment of their p for how many they are. */

#ifndef CF_JUDGE_TEST_LIST_H
#define CF_JUDGE_TEST_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"
#include "judge/findings.h"

/* A test of the residuals of one channel, or of several together; p_adjusted is Holm's over all
 * tests of the list. */
struct cf_test {
    char name[48];
    enum cf_accused accuses;
    size_t channel, channels; /* the first; how many together, 0 for one alone */
    size_t n;
    double statistic, p, p_adjusted;
    double size, at;  /* of what was found, and where on the axis; NAN: that is no one number */
    const char *unit; /* of the size */
    size_t place;     /* by p among all tests, the smallest first */
    bool rejects;
    char text[200];
};

struct cf_tests {
    size_t n;
    struct cf_test *item;
    bool failed; /* memory ran out, and nothing was added since */
};

/* One more test, whose text is left to fill, and channels where there are several. NULL where p is
 * no number, so that nothing was tested, and where memory has run out: cf_tests_adjust() then
 * fails. */
struct cf_test *cf_tests_add(struct cf_tests *tests, const char *name, enum cf_accused accuses,
                             size_t channel, size_t n, double statistic, double p);

/* What it found, into a finding. */
void cf_test_into(const struct cf_test *test, struct cf_finding *finding);

/* Holm's p: with m tests the smallest p counts m-fold, the next (m-1)-fold, never less than the one
 * before. From the smallest on, `left` of them to come with this one; `before` is 0 at first. */
double cf_holm(double before, size_t left, double p);

/* The same for all tests, with their places and with what is rejected at p_reject. */
int cf_tests_adjust(struct cf_tests *tests, double p_reject, struct cf_error *err);

void cf_tests_clear(struct cf_tests *tests);

#endif
