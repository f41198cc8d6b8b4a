/* What stated errors do to a fit: those of the imposed quantity carried over, those that make an
 * interval wide, and residuals that tie. Laws are chosen for which the answer is elementary. */

#include <math.h>
#include <string.h>

#include "fit/fit.h"
#include "lab.h"
#include "tap.h"

static const struct cf_protocol *impact;
static size_t speed, drop;

/* A row that falls from a height instead of moving at a speed. */
static void let_fall(struct cf_dataset *d, size_t row, double drop_m, double sigma_m)
{
    d->value[row * impact->ncolumn + drop] = drop_m;
    d->sigma[row * impact->ncolumn + drop] = sigma_m;
    d->measured[row] = (d->measured[row] & ~(1u << speed)) | 1u << drop;
}

/* At constant e, h1 = e^2 h0: an error of h0 counts e^2 times. */
static void test_imposed_height(struct cf_curves *curves)
{
    static const char *const free_names[] = {"e", NULL};
    const double drop_m[] = {0.25, 0.5, 1}, none[] = {1, 1, 1}, e = 0.8;
    double rebound_m[3], change, theta[CF_MAX_PARAM] = {e}, y[3], by_imposed[3];
    struct cf_dataset d;
    struct cf_problem q;

    for (int i = 0; i < 3; i++)
        rebound_m[i] = e * e * drop_m[i];
    lab_dataset(&d, "rebound_height", 3, none, rebound_m, 0.003, lab_pair(0.05, 0.02));
    for (size_t i = 0; i < 3; i++)
        let_fall(&d, i, drop_m[i], 0.01);
    struct cf_spec spec = lab_spec("e-constant", free_names, &d, 1);
    ok(!cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL) &&
           !cf_problem_predict(&q, theta, y, NULL, by_imposed, NULL),
       "drops on a plate are predicted");
    is_near(y[1], 0.32, 1e-14, "a rebound is e^2 h0");
    is_near(by_imposed[1], 0.64, 1e-13, "it changes with h0 by e^2");
    ok(!cf_sigma_update(&q, theta, &change, NULL), "sigmas are brought in force");
    for (size_t i = 0; i < 3; i++)
        is_near(q.observation[i].sigma, sqrt(0.003 * 0.003 + 0.0064 * 0.0064), 1e-14,
                "drop %g m: the sigma of h0 adds e^2 times itself", drop_m[i]);
    cf_problem_free(&q);
    cf_dataset_clear(&d);
}

/* Speed, with e-linear: e = 1 - slope v falls by slope, and e alone has no error. */
static void test_imposed_speed(struct cf_curves *curves)
{
    const double v[] = {1, 2, 3}, value[] = {0.9, 0.8, 0.7};
    static const char *const free_names[] = {"slope", NULL};
    double change, theta[CF_MAX_PARAM];
    struct cf_dataset d;
    struct cf_problem q;

    lab_dataset(&d, "restitution", 3, v, value, 0.004, lab_pair(0.05, 0.02));
    for (size_t i = 0; i < 3; i++)
        d.sigma[i * impact->ncolumn + speed] = 0.03;
    struct cf_spec spec = lab_spec("e-linear", free_names, &d, 1);
    ok(!cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL),
       "e against speed with errors in both");
    theta[0] = cf_walk_theta(&q.walk[0], 0.1);
    ok(!cf_sigma_update(&q, theta, &change, NULL), "sigmas are brought in force");
    is_near(q.observation[2].sigma, 0.005, 1e-13, "0.004 and 0.1 times 0.03 make 0.005");
    is_near(change, 0.25, 1e-12, "which is a quarter more than before");
    cf_problem_free(&q);
    cf_dataset_clear(&d);
}

/* The fit of one law to e(v) with one sigma; the caller frees it. */
static struct cf_fit *fit_one(const char *law, const char *name, struct cf_dataset *d, size_t n,
                              const double v[], const double e[], double sigma,
                              struct cf_spec *spec, struct cf_curves *curves)
{
    const char *free_names[] = {name, NULL};
    struct cf_fit *fit = NULL;
    struct cf_error err = {""};

    lab_dataset(d, "restitution", n, v, e, sigma, lab_pair(0.05, 0.02));
    *spec = lab_spec(law, free_names, d, 1);
    ok(!cf_fit_run(spec, NULL, 0, curves, NULL, &fit, &err), "%s is fitted %s", law, err.text);
    return fit;
}

/* e = 1 - slope v at v = 1, sixteen times: the slope is known to sigma/4, so its interval reaches
 * 1.96 sigma/4 to each side. 0.1 -+ 0.02 is fine at the default factor of 2, 0.1 -+ 0.06 is weak.
 */
static void test_weak(struct cf_curves *curves)
{
    const double v[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    double e[16];
    static const struct {
        double sigma;
        enum cf_worth worth;
        enum cf_verdict_status status;
    } row[] = {{0.04, CF_FINE, CF_GOOD}, {0.12, CF_WEAK, CF_WEAK_FIT}};

    for (int turn = 0; turn < 2; turn++) {
        struct cf_dataset d;
        struct cf_spec spec;
        for (int i = 0; i < 16; i++) /* as many above as below, in no order */
            e[i] = 0.9 + row[turn].sigma * ((i * 7 + i / 4) % 2 ? 0.9 : -0.9);
        struct cf_fit *fit =
            fit_one("e-linear", "slope", &d, 16, v, e, row[turn].sigma, &spec, curves);
        const struct cf_estimate *slope = &fit->estimate[0];
        is_near(slope->value, 0.1, 1e-6, "slope is the mean of 1 - e");
        is_near((slope->likelihood.high - slope->likelihood.low) / row[turn].sigma,
                2 * 1.959963984540054 / 4, 2e-3, "sigma %g: width of its interval",
                row[turn].sigma);
        ok(slope->worth == row[turn].worth && fit->status == row[turn].status,
           "sigma %g: slope is %s, the fit %s", row[turn].sigma, cf_worth_text(slope->worth),
           cf_verdict_text(fit->status));
        cf_fit_free(fit);
        cf_dataset_clear(&d);
    }
}

/* scipy.stats.spearmanr of the same columns: ties share their ranks. */
static void test_ties(struct cf_curves *curves)
{
    const double v[] = {1, 1, 2, 2, 3, 3, 4, 4};
    const double e[] = {0.80, 0.81, 0.79, 0.80, 0.80, 0.77, 0.78, 0.78};
    const struct cf_test *trend = NULL;
    struct cf_dataset d;
    struct cf_spec spec;
    struct cf_fit *fit = fit_one("e-constant", "e", &d, 8, v, e, 0.02, &spec, curves);

    for (size_t i = 0; i < fit->ntest; i++)
        if (strcmp(fit->test[i].name, "trend with speed") == 0)
            trend = &fit->test[i];
    ok(trend != NULL, "repeats at four speeds are tested for a trend");
    is_near(trend ? trend->statistic : (double) NAN, -0.7547319081399415, 1e-12,
            "Spearman's correlation with ties");
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

int main(void)
{
    struct cf_curves *curves = cf_curves_alloc();

    impact = cf_protocol_find("impact");
    speed = cf_protocol_column(impact, "speed");
    drop = cf_protocol_column(impact, "drop_height");
    plan(22);
    test_imposed_height(curves);
    test_imposed_speed(curves);
    test_weak(curves);
    test_ties(curves);
    cf_curves_free(curves);
    return done();
}
