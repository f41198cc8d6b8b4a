/* What a design sees of departures from its law, and the size that is sought: against the size of
 * its own least squares, and the shares that are counted at the sizes that the search gives. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "identify/power.h"
#include "lab.h"
#include "tap.h"

enum { N = 30, REPLICATES = 100 };
static const double sigma = 0.01;

/* What is left of by[] beside columns 1 and x, by their normal equations. */
static void leave(const double x[], double by[])
{
    double s = 0, sx = 0, sxx = 0, sy = 0, sxy = 0;

    for (size_t i = 0; i < N; i++) {
        s++;
        sx += x[i];
        sxx += x[i] * x[i];
        sy += by[i];
        sxy += x[i] * by[i];
    }
    double slope = (s * sxy - sx * sy) / (s * sxx - sx * sx), level = (sy - slope * sx) / s;
    for (size_t i = 0; i < N; i++)
        by[i] -= level + slope * x[i];
}

static double length(const double w[])
{
    double sum = 0;

    for (size_t i = 0; i < N; i++)
        sum += gsl_pow_2(w[i]);
    return sqrt(sum);
}

static const struct cf_departure *of_kind(const struct cf_departures *d,
                                          enum cf_departure_kind kind)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->item[i].kind == kind)
            return &d->item[i];
    return NULL;
}

/* A line in ln v leaves of a parabola its residual, of size 1 at its largest; and of a drift what
 * lies at right angles to both. */
static void check_lengths(const struct cf_departures *all, const double v[])
{
    const struct cf_departure *smooth = of_kind(all, CF_DEPARTURE_SMOOTH);
    const struct cf_departure *drift = of_kind(all, CF_DEPARTURE_DRIFT);
    double x[N], parabola[N], row[N], largest = 0;

    if (!ok(all->n == 3 && smooth && drift && of_kind(all, CF_DEPARTURE_NEIGHBOURS),
            "of one set: three departures"))
        return;
    for (size_t i = 0; i < N; i++) {
        x[i] = log(v[i]);
        parabola[i] = x[i] * x[i];
        row[i] = (double) i / (N - 1);
    }
    leave(x, parabola);
    leave(x, row);
    for (size_t i = 0; i < N; i++)
        largest = fmax(largest, fabs(parabola[i]));
    ok(smooth->degree == 2 && smooth->n == N, "a parabola along the axis, of all rows");
    is_near(smooth->length, length(parabola) / largest / sigma, 1e-6, "of its length");
    is_near(drift->length, length(row) / sigma, 1e-6, "a drift's");
    is_near(drift->by[N - 1] - drift->by[0], 1, 1e-12, "which is 1 from the first row to the last");
    ok(smooth->columns == 2 && drift->columns == 3 && isinf(smooth->dof) && smooth->plain,
       "tests of two and three columns, by chi^2");
}

/* The search ends where a count with the same random numbers sees what was asked for; and its
 * interval where one sees the ends of the interval of a share. */
static void check_search(const struct cf_selftest_plan *plan, const struct cf_departure *d,
                         double wanted)
{
    struct cf_error err = {""};
    struct cf_power found;
    double share[3] = {0, 0, 0}, low, high;
    int status = cf_power_find(plan, d, wanted, NULL, &found, &err);
    const double at[] = {found.low, found.size, found.high};

    if (!ok(!status && found.reached, "%s in %g: found", cf_departure_name[d->kind], wanted))
        return;
    for (size_t i = 0; i < 3 && !status; i++)
        status = cf_power_share(plan, d, at[i], NULL, &share[i], &err);
    cf_binomial_interval((size_t) lround(wanted * REPLICATES), REPLICATES, 0.95, &low, &high);
    is_within(share[1], wanted, 0.06, "%.4f is seen in %.2f", at[1], share[1]);
    is_within(share[0], low, 0.08, "its lower end, %.4f, in %.2f", at[0], share[0]);
    is_within(share[2], high, 0.08, "its upper end, %.4f, in %.2f", at[2], share[2]);
}

static struct cf_selftest_plan plan_of(const struct cf_fit *fit, const struct cf_spec *spec)
{
    return (struct cf_selftest_plan){.truth = &fit->optimum.problem,
                                     .theta = fit->optimum.theta,
                                     .sigma = &sigma,
                                     .fitted = spec,
                                     .replicates = REPLICATES,
                                     .seed = 5};
}

/* A line in ln v with scatter, of n rows. */
static struct cf_fit *fit_line(size_t n, double v[], struct cf_dataset *d, struct cf_spec *spec,
                               struct cf_curves *curves)
{
    static const char *const names[] = {"e_at_1", "b", NULL};
    double e[N];

    for (size_t i = 0; i < n; i++) {
        v[i] = 0.5 * pow(1.07, (double) ((7 * i + 2) % N));
        e[i] = 0.8 - 0.05 * log(v[i]) + 0.8 * sigma * sin(13.0 * (double) i + 1);
    }
    lab_dataset(d, "restitution", n, v, e, sigma, lab_pair(0.1, 0.02));
    *spec = lab_spec("e-log", names, d, 1);
    spec->options.starts = 2;
    spec->options.screen = 16;
    spec->options.rough_tests = true;
    return lab_fit(spec, curves);
}

/* Errors that follow each other by 0.99 are of the same sigma, and so nearly one number for all of
 * six rows: a level takes them, and less scatter is left than of others. */
static void check_few(struct cf_curves *curves)
{
    enum { FEW = 6 };
    double v[N], share[2] = {1, 1};
    struct cf_dataset d;
    struct cf_spec spec;
    struct cf_departures all;
    struct cf_error err = {""};
    struct cf_fit *fit = fit_line(FEW, v, &d, &spec, curves);
    const struct cf_selftest_plan made = plan_of(fit, &spec);

    int status = cf_departures_make(made.truth, made.theta, &all, &err);
    const struct cf_departure *neighbours = of_kind(&all, CF_DEPARTURE_NEIGHBOURS);
    for (size_t i = 0; i < 2 && !status; i++)
        status = cf_power_share(&made, neighbours, i ? 0.99 : 0, NULL, &share[i], &err);
    ok(share[1] <= share[0] && share[0] < 0.1,
       "six rows do not show it: seen in %g, and in %g where nothing follows", share[1], share[0]);
    cf_departures_clear(&all);
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

TEST(seen_departures)
{
    static const double wanted[] = {0.45, 0.8};
    double v[N];
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_departures all;
    struct cf_error err = {""};
    struct cf_dataset d;
    struct cf_spec spec;

    plan(6 + 3 * 4 + 1);
    struct cf_fit *fit = fit_line(N, v, &d, &spec, curves);
    const struct cf_selftest_plan made = plan_of(fit, &spec);
    if (cf_departures_make(made.truth, made.theta, &all, &err))
        ok(false, "%s", err.text);
    check_lengths(&all, v);
    for (size_t i = 0; i < 2; i++)
        check_search(&made, of_kind(&all, CF_DEPARTURE_SMOOTH), wanted[i]);
    check_search(&made, of_kind(&all, CF_DEPARTURE_NEIGHBOURS), 0.6);
    cf_departures_clear(&all);
    cf_fit_free(fit);
    cf_dataset_clear(&d);
    check_few(curves);
    cf_curves_free(curves);
    return done();
}
