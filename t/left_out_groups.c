/* Leave-one-group-out: balanced groups of a constant, where the others' mean is the answer, by
 * refits and by influence; and a group that alone identifies a parameter. */

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/random.h"
#include "estimate/leave_one_out.h"
#include "lab.h"
#include "tap.h"

/* Groups of so many rows each about 0.6, off by 0.01 (own) and 0.02 (shared). */
static struct cf_spec grouped(struct cf_dataset *d, size_t ngroup, size_t nrow, const char *law,
                              const char *const names[])
{
    size_t n = ngroup * nrow, level;
    double *v = malloc(2 * n * sizeof *v), *e = v + n;
    struct cf_spec spec;

    for (size_t i = 0; i < n; i++) {
        v[i] = 1 + (double) (i % nrow) / (double) nrow;
        e[i] = 0.6 + 0.01 * sin(1.3 * (double) i * (double) i) +
               0.02 * cos(7.1 * (double) (i / nrow) * (double) (i / nrow));
    }
    lab_dataset(d, "restitution", n, v, e, 0, lab_pair(0.1, 0.02));
    spec = lab_spec(law, names, d, 1);
    spec.grouping.origin = CF_GROUPS_STATED;
    cf_grouping_level(&spec.grouping, "day", SIZE_MAX, &level, NULL);
    cf_dataset_group_room(d, 1, NULL);
    for (size_t i = 0; i < n; i++) {
        char name[24];
        uint32_t group = CF_NO_GROUP;
        snprintf(name, sizeof name, "%zu", i / nrow);
        cf_grouping_number(&spec.grouping, level, CF_NO_GROUP, name, &group, NULL);
        d->group[i] = group;
    }
    free(v);
    return spec;
}

/* How far the predictions without a group are from the mean of the others. */
static double worst_of(const struct cf_dataset *d, size_t ngroup, size_t nrow,
                       const double predicted[])
{
    size_t n = ngroup * nrow, column = cf_protocol_channel(d->protocol, "restitution");
    double all = 0, worst = 0;

    for (size_t i = 0; i < n; i++)
        all += cf_dataset_value(d, i, column);
    for (size_t g = 0; g < ngroup; g++) {
        double own = 0;
        for (size_t i = g * nrow; i < (g + 1) * nrow; i++)
            own += cf_dataset_value(d, i, column);
        for (size_t i = g * nrow; i < (g + 1) * nrow; i++)
            worst = fmax(worst, fabs(predicted[i] - (all - own) / (double) (n - nrow)));
    }
    return worst;
}

/* The variance of a row of a new group, by an analysis of variance of balanced groups. */
static double spread_of(const struct cf_dataset *d, size_t ngroup, size_t nrow)
{
    size_t column = cf_protocol_channel(d->protocol, "restitution");
    double all = 0, between = 0, within = 0, n = (double) (ngroup * nrow);

    for (size_t i = 0; i < ngroup * nrow; i++)
        all += cf_dataset_value(d, i, column) / n;
    for (size_t g = 0; g < ngroup; g++) {
        double mean = 0;
        for (size_t i = g * nrow; i < (g + 1) * nrow; i++)
            mean += cf_dataset_value(d, i, column) / (double) nrow;
        for (size_t i = g * nrow; i < (g + 1) * nrow; i++)
            within += pow(cf_dataset_value(d, i, column) - mean, 2) / (n - (double) ngroup);
        between += (double) nrow * pow(mean - all, 2) / (double) (ngroup - 1);
    }
    return within + (between - within) / (double) nrow;
}

static void test_mean(struct cf_curves *curves, size_t ngroup, size_t nrow, size_t most,
                      size_t want_refitted)
{
    static const char *const names[] = {"e", NULL};
    size_t n = ngroup * nrow, refitted = 0, by_influence = 0;
    double *predicted = malloc(n * sizeof *predicted);
    unsigned char *how = malloc(n);
    struct cf_dataset d;
    struct cf_spec spec = grouped(&d, ngroup, nrow, "e-constant", names);
    struct cf_fit *fit = lab_fit(&spec, curves);

    ok(!cf_leave_one_out(&fit->optimum.problem, fit->optimum.theta, most, predicted, how, NULL),
       "%zu groups of %zu rows, up to %zu refitted", ngroup, nrow, most);
    for (size_t i = 0; i < n; i++) {
        refitted += how[i] == CF_LEFT_OUT_REFIT;
        by_influence += how[i] == CF_LEFT_OUT_INFLUENCE;
    }
    ok(refitted == want_refitted * nrow && refitted + by_influence == n, "%zu rows by refits",
       refitted);
    ok(cf_left_out_all(how, n), "none is left");
    ok(worst_of(&d, ngroup, nrow, predicted) < 1e-7, "as the mean of the others: %.1g",
       worst_of(&d, ngroup, nrow, predicted));
    /* by an analysis of variance: what a row is off by, of itself and with its group */
    double square = 0, spread = 0;
    for (size_t i = 0; i < n; i++) {
        double e = cf_dataset_value(&d, i, cf_protocol_channel(d.protocol, "restitution"));
        square += pow(e - fit->left_out[i], 2) / (double) n;
    }
    spread = spread_of(&d, ngroup, nrow);
    is_near(fit->loo_rms_sigma, sqrt(square / spread), 1e-5,
            "errors over all that rows are off by");
    cf_fit_free(fit);
    cf_dataset_clear(&d);
    cf_grouping_clear(&spec.grouping);
    free(predicted);
    free(how);
}

/* A line of which one group alone has more than one speed: without it the rest has no slope, and no
 * formula a say. */
static void test_only_one(struct cf_curves *curves)
{
    enum { NGROUP = 30, NROW = 4 };
    static const char *const names[] = {"e_at_1", "b", NULL};
    double predicted[NGROUP * NROW];
    unsigned char how[NGROUP * NROW];
    struct cf_dataset d;
    struct cf_spec spec = grouped(&d, NGROUP, NROW, "e-log", names);
    size_t speed = cf_protocol_channel(d.protocol, "speed"), influence = 0;
    struct cf_fit *fit;

    for (size_t i = 0; i < NGROUP * NROW; i++)
        lab_put(&d, i, speed, i < NROW ? 1 + (double) i : 1, 0);
    fit = lab_fit(&spec, curves);
    ok(!cf_leave_one_out(&fit->optimum.problem, fit->optimum.theta, 1, predicted, how, NULL),
       "one group has all that is known of the slope");
    for (size_t i = 0; i < NROW; i++)
        influence += how[i] == CF_LEFT_OUT_INFLUENCE;
    ok(influence == 0, "it is not left out by a formula");
    cf_fit_free(fit);
    cf_dataset_clear(&d);
    cf_grouping_clear(&spec.grouping);
}

TEST(left_out_groups)
{
    struct cf_curves *curves = cf_curves_alloc();

    gsl_set_error_handler_off();
    plan(4 * 5 + 2);
    test_mean(curves, 12, 5, 400, 12);
    test_mean(curves, 12, 5, 3, 10); /* the ten that move it most are checked */
    test_mean(curves, 60, 40, 400, 10);
    test_mean(curves, 5, 4, 0, 5); /* fewer than are checked */
    test_only_one(curves);
    cf_curves_free(curves);
    return done();
}
