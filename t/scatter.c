/* The effect of stated errors on a fit: those of the imposed quantity carried over, those that make
 * an interval wide, and tied residuals. Laws are chosen for which the answer is elementary. */

#include <math.h>
#include <string.h>

#include "estimate/shared_error.h"
#include "identify/fit.h"
#include "lab.h"
#include "tap.h"

static const struct cf_protocol *impact;
static size_t speed, drop;

/* A row that falls from a height instead of moving at a speed. */
static void let_fall(struct cf_dataset *d, size_t row, double drop_m, double sigma_m)
{
    lab_put(d, row, drop, drop_m, sigma_m);
    lab_put(d, row, speed, NAN, 0);
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
           !cf_problem_predict(&q, theta, y, by_imposed, NULL),
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
        lab_put(&d, i, speed, cf_dataset_value(&d, i, speed), 0.03);
    struct cf_spec spec = lab_spec("e-linear", free_names, &d, 1);
    ok(!cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL),
       "e against speed with errors in both");
    theta[0] = cf_unknown_theta(&q.unknown[0], 0.1);
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
 * The fit is weak in both: at one speed no law of the speed is tested. */
static void test_weak(struct cf_curves *curves)
{
    const double v[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    double e[16];
    static const struct {
        double sigma;
        enum cf_worth worth;
        enum cf_verdict_status status;
    } row[] = {{0.04, CF_WORTH_FINE, CF_VERDICT_WEAK}, {0.12, CF_WORTH_WEAK, CF_VERDICT_WEAK}};

    for (int turn = 0; turn < 2; turn++) {
        struct cf_dataset d;
        struct cf_spec spec;
        for (int i = 0; i < 16; i++) /* as many above as below, in no order */
            e[i] = 0.9 + row[turn].sigma * ((i * 7 + i / 4) % 2 ? 0.9 : -0.9);
        struct cf_fit *fit =
            fit_one("e-linear", "slope", &d, 16, v, e, row[turn].sigma, &spec, curves);
        const struct cf_estimate *slope = &fit->estimate[0];
        is_near(fit->optimum.value[0], 0.1, 1e-6, "slope is the mean of 1 - e");
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

/* Three of a row whose shares are a: the covariance is that of a a^T beside 1 - a^2, of which
 * Sherman and Morrison give the inverse, and the determinant is the product of 1 - a^2 times
 * 1 + sum a^2/(1 - a^2). A fourth, of another row, is independent. */
static void test_shared(void)
{
    static const double a[4] = {0.9, -0.4, 0.7, 0.8}, before[4] = {1.3, -0.2, 0.5, 2};
    struct cf_observation o[4];
    struct cf_problem q = {.nobservation = 4, .observation = o};
    double x[4], chi2 = 0, inner = 0, weighted = 0, plain = 0, log_det = 0;

    for (size_t i = 0; i < 4; i++) {
        o[i] = (struct cf_observation){.row = (unsigned) (i / 3), .shared = a[i], .weight = 1};
        x[i] = before[i];
        if (i == 3)
            break;
        double own = 1 - a[i] * a[i];
        plain += before[i] * before[i] / own;
        inner += a[i] * a[i] / own;
        weighted += a[i] * before[i] / own;
        log_det += log(own);
    }
    cf_shared_whiten(o, 4, x);
    for (size_t i = 0; i < 3; i++)
        chi2 += x[i] * x[i];
    is_near(chi2, plain - weighted * weighted / (1 + inner), 1e-12,
            "what shares an error counts by the inverse covariance");
    is_near(x[0], before[0], 1e-15, "the first of a row as it stands");
    is_near(x[3], before[3], 1e-15, "and what is alone in its row");
    is_near(cf_shared_log_det(&q), log_det + log(1 + inner), 1e-12, "the determinant");
    o[1].weight = 0;
    x[1] = 0;
    x[2] = before[2];
    cf_shared_whiten(o, 4, x);
    double both = a[0] * a[2];
    is_near(x[0] * x[0] + x[2] * x[2],
            (before[0] * before[0] - 2 * both * before[0] * before[2] + before[2] * before[2]) /
                (1 - both * both),
            1e-12, "what is left out gives no information");
}

/* Rebound speed and contact time of rows with one reading of the speed: their current shares. */
static void test_shares(struct cf_curves *curves)
{
    static const char *const free_names[] = {"e", NULL};
    const double v[] = {1, 2}, u[] = {0.8, 1.6};
    double change, theta[CF_MAX_PARAM] = {0.8};
    struct cf_dataset d;
    struct cf_problem q;

    lab_dataset(&d, "rebound_speed", 2, v, u, 0.03, lab_pair(0.05, 0.02));
    for (size_t i = 0; i < 2; i++)
        lab_put(&d, i, speed, cf_dataset_value(&d, i, speed), 0.05);
    struct cf_spec spec = lab_spec("e-constant", free_names, &d, 1);
    cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    cf_sigma_update(&q, theta, &change, NULL);
    is_near(q.observation[1].sigma, 0.05, 1e-14, "0.03 and 0.8 times 0.05 make 0.05");
    is_near(q.observation[1].shared, 0.8, 1e-13, "of which 0.8 is the speed's");
    cf_sigma_reset(&q);
    ok(q.observation[1].shared == 0, "before a fit nothing is shared");
    cf_problem_free(&q);
    cf_dataset_clear(&d);
}

TEST(scatter)
{
    struct cf_curves *curves = cf_curves_alloc();

    impact = cf_protocol_find("impact");
    speed = cf_protocol_channel(impact, "speed");
    drop = cf_protocol_channel(impact, "drop_height");
    plan(27);
    test_imposed_height(curves);
    test_imposed_speed(curves);
    test_weak(curves);
    test_shared();
    test_shares(curves);
    cf_curves_free(curves);
    return done();
}
