/* The tournament's arithmetic: sign flips, and equal curves. */

#include "judge/tournament.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

#include "identify/fit.h"
#include "judge/permutation.h"
#include "lab.h"
#include "tap.h"

/* For equal differences only all signs alike do as well: 2 of 2^n. One of either sign: always. */
static void test_sign_flips(void)
{
    double d[20] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, p;

    for (size_t n = 1; n <= 13; n += 4)
        ok(!cf_sign_flip_p(d, n, 1, &p, NULL) && p == ldexp(2, -(int) n), "%zu alike: p = 2/2^%zu",
           n, n);
    ok(!cf_sign_flip_p(d, 20, 1, &p, NULL) && p >= 1e-4 && p < 4e-4,
       "20 alike: sampled, itself counted");
    d[1] = -1;
    ok(!cf_sign_flip_p(d, 2, 1, &p, NULL) && p == 1, "1 and -1: p = 1");
    /* of 3, 1, 1 the sums +-5, +-3, +-3, +-1: 3 + 1 - 1 = 3 is reached by 6 of 8 */
    ok(!cf_sign_flip_p((double[]){3, 1, -1}, 3, 1, &p, NULL) && p == 0.75, "3, 1, -1: p = 6/8");
    ok(!cf_sign_flip_p(d, 0, 1, &p, NULL) && isnan(p), "none: no p");
}

/* e = 0.8 at 12 speeds with a known scatter, against laws that can draw a constant. */
static void test_groups(void)
{
    static const char *const free_names[] = {"k", "lambda", NULL};
    static const double scatter[] = {1, -1, 0.5, -0.3, 0.8, -1.1, 0.2, 0.6, -0.9, 0.4, -0.7, 0.5};
    const struct cf_law *rival[] = {cf_law_find("e-constant"), cf_law_find("gonthier"),
                                    cf_law_find("e-log")};
    struct cf_dataset data;
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_tournament *t = NULL;
    struct cf_fit *fit = NULL;
    double speed[12], e[12];
    struct cf_spec spec;
    double weight = 0;

    for (size_t i = 0; i < 12; i++) {
        speed[i] = 0.5 + 0.4 * (double) i;
        e[i] = 0.8 + 0.003 * scatter[i];
    }
    lab_dataset(&data, "restitution", 12, speed, e, 0.003, lab_pair(0.1, 0.02));
    spec = lab_spec("linear", free_names, &data, 1);
    ok(!cf_fit_run(&spec, rival, 3, curves, NULL, &fit, NULL), "fitted");
    ok(fit && !cf_tournament_run(fit, NULL, &t, NULL), "played");
    if (t) {
        ok(t->n == 4 && t->ncurve == 2, "four laws, two curves");
        ok(t->contender[0].rival->law == spec.law && t->contender[0].same_as == 0,
           "the study's own law stands for its curve");
        ok(t->contender[1].rival->law == rival[0] && t->contender[1].same_as == 0,
           "then the law with the fewest parameters");
        ok(t->contender[2].rival->law == rival[1] && t->contender[2].same_as == 0,
           "then the other");
        ok(t->contender[3].rival->law == rival[2] && t->contender[3].same_as == 3,
           "the straight line is a curve of its own");
        for (size_t i = 0; i < 4; i++)
            weight += t->contender[i].same_as == i ? t->contender[i].rival->weight : 0;
        ok(fabs(weight - 1) < 1e-14, "weights of the curves add up to 1");
        ok(t->contender[1].rival->weight == t->contender[2].rival->weight,
           "laws of one curve share its weight");
        ok(t->best == 0 && t->ndescribe == 2, "both curves describe the data");
        ok(t->next == t->n && t->nheld == 0, "nothing is held out");
    }
    cf_tournament_free(t);
    cf_fit_free(fit);
    cf_curves_free(curves);
    cf_dataset_clear(&data);
}

/* Nine rows on a line in ln v, of which a constant departs. */
static void test_departure(void)
{
    static const char *const free_names[] = {"e", NULL};
    static const double scatter[] = {1, -1, 0.5, -0.7, 0.9, -0.7, 0.4, -0.2, 0.3};
    const struct cf_law *rival[] = {cf_law_find("e-log")};
    struct cf_dataset data;
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_tournament *t = NULL;
    struct cf_fit *fit = NULL;
    double speed[9], e[9];
    struct cf_spec spec;

    for (size_t i = 0; i < 9; i++) {
        speed[i] = exp(0.3 * (double) i);
        e[i] = 0.8 - 0.01 * (double) i + 1e-4 * scatter[i];
    }
    lab_dataset(&data, "restitution", 9, speed, e, 0, lab_pair(0.1, 0.02));
    spec = lab_spec("e-constant", free_names, &data, 1);
    if (!cf_fit_run(&spec, rival, 1, curves, NULL, &fit, NULL))
        cf_tournament_run(fit, NULL, &t, NULL);
    if (ok(t && t->n == 2, "played")) {
        const struct cf_contender *line = &t->contender[0];
        const struct cf_contender *flat = &t->contender[1];
        bool tested = false;
        for (size_t i = 0; i < flat->tests.n; i++)
            tested |= flat->tests.item[i].rejects;
        ok(line->describes && flat->rival->law == spec.law && tested, "a test rejects a constant");
        ok(!flat->describes && flat->rejected && t->nbehind == 0, "and none is left behind");
    }
    cf_tournament_free(t);
    cf_fit_free(fit);
    cf_curves_free(curves);
    cf_dataset_clear(&data);
}

TEST(tournament)
{
    gsl_set_error_handler_off();
    plan(8 + 8 + 6);
    test_sign_flips();
    test_departure();
    test_groups();
    return done();
}
