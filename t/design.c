/* The expected effect of further measurements, against closed forms of laws with one parameter, and
 * against the actual effect: rows simulated, added and fitted. */

#include "identify/design.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

#include "estimate/solve.h"
#include "identify/synthetic.h"
#include "lab.h"
#include "tap.h"

static size_t column(const char *name)
{
    return cf_protocol_channel(cf_protocol_find("impact"), name);
}

static void unstated(double sigma[CF_MAX_COLUMN])
{
    for (size_t i = 0; i < CF_MAX_COLUMN; i++)
        sigma[i] = NAN;
}

/* The candidate of a column at a speed. */
static size_t find(const struct cf_design *d, const char *name, double speed_m_s)
{
    size_t i = 0;
    while (i < d->ncandidate && !(d->candidate[i].column == column(name) &&
                                  fabs(d->candidate[i].abscissa - speed_m_s) < 1e-9))
        i++;
    return i;
}

/* e = 1 - slope v: the information on ln slope is the sum of (slope v/sigma)^2. An error of the
 * speed adds slope times itself. */
static void one_slope(struct cf_curves *curves)
{
    static const char *const free_names[] = {"slope", NULL};
    const double v[] = {1, 2, 3}, e[] = {0.9, 0.8, 0.7}, ask[] = {0.5, 5}, slope = 0.1;
    double sigma[CF_MAX_COLUMN], theta, change, s = 0.004;
    struct cf_dataset d;
    struct cf_design design;
    struct cf_expected x = {.rank = 0};
    struct cf_problem q;
    const struct cf_protocol *impact = cf_protocol_find("impact");
    size_t pick[3], best, needing = 0;

    unstated(sigma);
    lab_dataset(&d, "restitution", 3, v, e, s, lab_pair(0.05, 0.02));
    for (size_t i = 0; i < 3; i++)
        lab_put(&d, i, column("speed"), v[i], 0.03);
    struct cf_spec spec = lab_spec("e-linear", free_names, &d, 1);
    spec.free[0].prior_value = 0.12;
    spec.free[0].prior_sigma = 0.06; /* half, on the log scale */
    cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    theta = cf_unknown_theta(&q.unknown[0], slope);
    cf_sigma_update(&q, &theta, &change, NULL);
    ok(!cf_design_init(&design, &q, &theta, ask, 2, sigma, NULL), "a slope's next measurement");
    ok(design.ncandidate == 2 && find(&design, "restitution", 5) == 1,
       "two speeds of the only quantity with a sigma");
    for (size_t j = 0; j < impact->nchannel; j++)
        needing += design.sigmaless[j];
    ok(needing == 2 && design.sigmaless[column("rebound_speed")] &&
           design.sigmaless[column("rebound_height")],
       "two others would need one");
    s = 0.005; /* hypot(0.004, 0.1 * 0.03) */
    double now = 14 * slope * slope / (s * s) + 4, then = now + 2 * 25 * slope * slope / (s * s);
    cf_expected_alloc(&x, q.nfree, NULL);
    cf_design_expect(&design, NULL, 0, &x, NULL);
    is_near(x.standard_error[0] * sqrt(now), 1, 1e-9, "as it is, prior included");
    pick[0] = pick[1] = 1;
    cf_design_expect(&design, pick, 2, &x, NULL);
    is_near(x.standard_error[0] * sqrt(then), 1, 1e-9, "with two at 5 m/s");
    is_near(x.half[0] / x.standard_error[0], 1.959963984540054, 1e-9, "at 95 %% of a normal");
    is_near(x.log_det, log(then), 1e-9, "and the determinant");
    cf_design_sequence(&design, 3, pick, NULL);
    ok(pick[0] == 1 && pick[1] == 1 && pick[2] == 1, "the fastest is the best, each time");
    cf_design_best(&design, column("restitution"), 0, 2, &best, &x, NULL);
    ok(best == 1, "and the best of all");
    is_near(x.standard_error[0] * sqrt(then), 1, 1e-9, "with what two of it give");
    cf_expected_clear(&x);
    cf_design_clear(&design);
    cf_problem_free(&q);
    cf_dataset_clear(&d);
}

/* The same with drops: a height's error moves the speed by g/v times itself. */
static void from_a_height(struct cf_curves *curves)
{
    static const char *const free_names[] = {"slope", NULL};
    const double none[] = {1}, e[] = {0.8}, ask[] = {2}, h = 0.25, g = 9.81;
    double sigma[CF_MAX_COLUMN], theta;
    struct cf_dataset d;
    struct cf_design design;
    struct cf_problem q;

    unstated(sigma);
    lab_dataset(&d, "restitution", 1, none, e, 0.004, lab_pair(0.05, 0.02));
    lab_put(&d, 0, column("drop_height"), h, 1e-6);
    lab_put(&d, 0, column("speed"), NAN, 0);
    struct cf_spec spec = lab_spec("e-linear", free_names, &d, 1);
    cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    theta = cf_unknown_theta(&q.unknown[0], 0.1);
    cf_sigma_reset(&q);
    sigma[column("restitution")] = 1e-9; /* so that only the height's error shows */
    cf_design_init(&design, &q, &theta, ask, 1, sigma, NULL);
    is_near(design.candidate[0].sigma / (0.1 * 1e-6 * g / sqrt(2 * g * h)), 1, 1e-4,
            "the sigma of a height as one of speed");
    cf_design_clear(&design);
    cf_problem_free(&q);
    cf_dataset_clear(&d);
}

/* Where every row's speed has an error of its own, a measurement to come has that of the nearest
 * row, with distance as the ratio of speeds: each row in turn, from below the slowest to above the
 * fastest, whichever row comes first. */
static void nearest_speed(struct cf_curves *curves, size_t first)
{
    enum { M = 4 };
    static const char *const free_names[] = {"slope", NULL};
    /* beside a row, and on either side of the geometric mean of two */
    static const struct {
        double ask;
        size_t row;
    } sorted[] = {{0.1, 0}, {1, 0},  {1.99, 0}, {2.01, 1}, {4, 1},  {7.9, 1},
                  {8.1, 2}, {16, 2}, {31, 2},   {33, 3},   {500, 3}};
    enum { ASKED = sizeof sorted / sizeof *sorted };
    double v[M], e[M], own[M], ask[ASKED], sigma[CF_MAX_COLUMN], theta, worst = 0;
    struct cf_dataset d;
    struct cf_design design;
    struct cf_problem q;

    unstated(sigma);
    sigma[column("restitution")] = 1e-9; /* so that only the speed's error shows */
    for (size_t i = 0; i < M; i++) {
        size_t at = (i + first) % M;
        v[at] = pow(4, (double) i);
        own[at] = 1e-3 * (double) (i + 1);
        e[at] = 0.8;
    }
    lab_dataset(&d, "restitution", M, v, e, 0.004, lab_pair(0.05, 0.02));
    for (size_t i = 0; i < M; i++)
        lab_put(&d, i, column("speed"), v[i], own[i]);
    for (size_t i = 0; i < ASKED; i++)
        ask[i] = sorted[i].ask;
    struct cf_spec spec = lab_spec("e-linear", free_names, &d, 1);
    cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    theta = cf_unknown_theta(&q.unknown[0], 1e-4);
    cf_sigma_reset(&q);
    cf_design_init(&design, &q, &theta, ask, ASKED, sigma, NULL);
    for (size_t i = 0; i < ASKED; i++) {
        size_t c = find(&design, "restitution", ask[i]);
        double want = 1e-4 * 1e-3 * (double) (sorted[i].row + 1);
        double got = c < design.ncandidate ? design.candidate[c].sigma : (double) NAN;
        worst = isnan(got) ? (double) INFINITY : fmax(worst, fabs(got / want - 1));
    }
    ok(worst < 1e-3, "the slowest in row %zu: each speed by the nearest row's sigma (%.1e)",
       first + 1, worst);
    cf_design_clear(&design);
    cf_problem_free(&q);
    cf_dataset_clear(&d);
}

/* A constant e with a sigma from the scatter: n rows leave n - 1 degrees of freedom, and each
 * addition brings one more. */
static void by_scatter(struct cf_curves *curves)
{
    static const char *const free_names[] = {"e", NULL};
    const double v[] = {1, 2, 3, 4}, e[] = {0.79, 0.82, 0.81, 0.78}, ask[] = {2};
    double sigma[CF_MAX_COLUMN], theta = 0.8, change, s = sqrt(0.001 / 3);
    struct cf_dataset d;
    struct cf_design design;
    struct cf_expected x = {.rank = 0};
    struct cf_problem q;
    size_t pick[3] = {0};

    unstated(sigma);
    lab_dataset(&d, "restitution", 4, v, e, 0, lab_pair(0.05, 0.02));
    struct cf_spec spec = lab_spec("e-constant", free_names, &d, 1);
    cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    cf_sigma_reset(&q);
    cf_sigma_update(&q, &theta, &change, NULL);
    cf_design_init(&design, &q, &theta, ask, 1, sigma, NULL);
    cf_expected_alloc(&x, q.nfree, NULL);
    cf_design_expect(&design, NULL, 0, &x, NULL);
    is_near(x.half[0], gsl_cdf_tdist_Pinv(0.975, 3) * s / 2, 1e-9, "four rows: t with 3");
    cf_design_expect(&design, pick, 3, &x, NULL);
    is_near(x.half[0], gsl_cdf_tdist_Pinv(0.975, 6) * s / sqrt(7), 1e-9, "seven rows: t with 6");
    cf_expected_clear(&x);
    cf_design_clear(&design);
    cf_problem_free(&q);
    cf_dataset_clear(&d);
}

enum { REPLICATES = 1500, ROWS = 8, ADDED = 3 };
static const double true_k = 3.1e7, true_lambda = 4.7e3;

/* Scatter of theta over refits of a problem's synthetic data. */
static void scatter(const struct cf_problem *q, const double theta[], uint64_t seed, double sd[])
{
    double sum[2] = {0}, squares[2] = {0};

    for (size_t i = 0; i < REPLICATES; i++) {
        struct cf_dataset made[2];
        struct cf_spec spec = *q->spec;
        struct cf_problem again;
        double moved[2] = {theta[0], theta[1]};
        struct cf_solution found = {.theta = moved};
        spec.data = made;
        cf_simulate(q, theta, NULL, NULL, seed, i, made, NULL);
        cf_problem_init(&again, &spec, spec.law, q->curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
        struct cf_solver *solver = cf_solver_alloc(&again);
        cf_polish(solver, &again, NULL, 0, &found, NULL);
        for (size_t j = 0; j < 2; j++) {
            sum[j] += found.theta[j] - theta[j];
            squares[j] += (found.theta[j] - theta[j]) * (found.theta[j] - theta[j]);
        }
        cf_solver_free(solver);
        cf_problem_free(&again);
        cf_dataset_clear(&made[0]);
        cf_dataset_clear(&made[1]);
    }
    for (size_t j = 0; j < 2; j++)
        sd[j] = sqrt(squares[j] / REPLICATES - sum[j] * sum[j] / REPLICATES / REPLICATES);
}

/* Restitution at eight speeds and contact times at two; three more contact times at 4 m/s. The
 * expected result is the actual one. */
static void by_trial(struct cf_curves *curves)
{
    static const char *const free_names[] = {"k", "lambda", NULL};
    double v[ROWS], none[ROWS], times[2 + ADDED] = {1, 5, 4, 4, 4}, sigma[2 * CF_MAX_COLUMN];
    double theta[CF_MAX_PARAM] = {log(true_k), log(true_lambda)}, seen[2], seen_then[2];
    const double ask[] = {4}, sigma_e = 0.004, sigma_t = 4e-5;
    struct cf_dataset few[2], more[2];
    struct cf_design design;
    struct cf_expected now = {.rank = 0}, then = {.rank = 0};
    struct cf_problem q, longer;
    size_t pick[ADDED];

    unstated(sigma);
    unstated(sigma + CF_MAX_COLUMN);
    for (size_t i = 0; i < ROWS; i++) {
        v[i] = 0.5 + 0.5 * (double) i;
        none[i] = 1e-3; /* the measured values do not matter */
    }
    lab_dataset(&few[0], "restitution", ROWS, v, none, sigma_e, lab_pair(0.31, 0.05));
    lab_dataset(&more[0], "restitution", ROWS, v, none, sigma_e, lab_pair(0.31, 0.05));
    lab_dataset(&few[1], "duration", 2, times, none, sigma_t, lab_pair(0.31, 0.05));
    lab_dataset(&more[1], "duration", 2 + ADDED, times, none, sigma_t, lab_pair(0.31, 0.05));
    struct cf_spec spec = lab_spec("azad-featherstone", free_names, few, 2), long_spec = spec;
    long_spec.data = more;
    cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    cf_problem_init(&longer, &long_spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    cf_sigma_reset(&q);
    cf_design_init(&design, &q, theta, ask, 1, sigma, NULL);
    ok(design.ncandidate == 2, "a pair in two data sets is asked about once");
    for (size_t i = 0; i < ADDED; i++)
        pick[i] = find(&design, "duration", 4);
    cf_expected_alloc(&now, q.nfree, NULL);
    cf_expected_alloc(&then, q.nfree, NULL);
    cf_design_expect(&design, NULL, 0, &now, NULL);
    cf_design_expect(&design, pick, ADDED, &then, NULL);
    scatter(&q, theta, 5, seen);
    scatter(&longer, theta, 6, seen_then);
    /* a standard deviation of 1500 is known to 1.8 %: four of them, and of a ratio */
    for (size_t j = 0; j < 2; j++) {
        is_near(seen[j] / now.standard_error[j], 1, 0.075, "%s scatters as expected",
                free_names[j]);
        is_near(seen[j] / seen_then[j] / (now.half[j] / then.half[j]), 1, 0.105,
                "three contact times more make %s %.2f times narrower", free_names[j],
                now.half[j] / then.half[j]);
    }
    ok(now.half[0] / then.half[0] > 1.4, "which is no small thing for k");
    cf_expected_clear(&now);
    cf_expected_clear(&then);
    cf_design_clear(&design);
    cf_problem_free(&q);
    cf_problem_free(&longer);
    for (size_t i = 0; i < 2; i++) {
        cf_dataset_clear(&few[i]);
        cf_dataset_clear(&more[i]);
    }
}

/* Restitution alone: a contact time identifies k and lambda, another restitution does not. */
static void becomes_identified(struct cf_curves *curves)
{
    static const char *const free_names[] = {"k", "lambda", NULL};
    const double v[] = {1, 2, 4}, e[] = {0.77, 0.74, 0.71}, ask[] = {2};
    double theta[CF_MAX_PARAM] = {log(true_k), log(true_lambda)}, sigma[CF_MAX_COLUMN];
    struct cf_dataset d;
    struct cf_design design;
    struct cf_expected x = {.rank = 0};
    struct cf_problem q;
    size_t pick[2];

    unstated(sigma);
    sigma[column("duration")] = 1e-5;
    lab_dataset(&d, "restitution", 3, v, e, 0.004, lab_pair(0.31, 0.05));
    struct cf_spec spec = lab_spec("azad-featherstone", free_names, &d, 1);
    cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    cf_design_init(&design, &q, theta, ask, 1, sigma, NULL);
    cf_expected_alloc(&x, q.nfree, NULL);
    cf_design_expect(&design, NULL, 0, &x, NULL);
    ok(x.rank == 1 && !x.identified[0] && !x.identified[1] && isinf(x.half[0]),
       "restitution identifies neither");
    pick[0] = find(&design, "restitution", 2);
    cf_design_expect(&design, pick, 1, &x, NULL);
    ok(x.rank == 1 && !x.identified[0], "nor does one more");
    pick[0] = find(&design, "duration", 2);
    cf_design_expect(&design, pick, 1, &x, NULL);
    ok(x.rank == 2 && x.identified[0] && x.identified[1] && isfinite(x.half[0]),
       "a contact time identifies both");
    cf_design_sequence(&design, 2, pick, NULL);
    ok(pick[0] == find(&design, "duration", 2), "and is what is to be done first");
    cf_expected_clear(&x);
    cf_design_clear(&design);
    cf_problem_free(&q);
    cf_dataset_clear(&d);
}

/* An indentation, and impacts whose rows have more columns: one is planned along depths, at which
 * nothing collides. */
static void of_two_experiments(struct cf_curves *curves)
{
    static const char *const free_names[] = {"k", NULL};
    const struct cf_protocol *indent = cf_protocol_find("indent");
    const double v[] = {1, 2}, e[] = {0.77, 0.74}, ask[] = {1e-4, 2e-4};
    double theta[CF_MAX_PARAM] = {log(true_k)}, sigma[2 * CF_MAX_COLUMN];
    struct cf_dataset d[2];
    struct cf_design design;
    struct cf_problem q;
    size_t elsewhere = 0, needing = 0;

    unstated(sigma);
    unstated(sigma + CF_MAX_COLUMN);
    d[0] = (struct cf_dataset){.pair = lab_pair(0.31, 0.05)};
    cf_dataset_alloc(&d[0], indent, 3, NULL);
    for (size_t i = 0; i < 3; i++) {
        lab_put(&d[0], i, cf_protocol_channel(indent, "depth"), 1e-4 * (double) (i + 1), 0);
        lab_put(&d[0], i, cf_protocol_channel(indent, "force"), 30 * (double) (i + 1), 0.1);
    }
    lab_dataset(&d[1], "restitution", 2, v, e, 0.004, lab_pair(0.31, 0.05));
    struct cf_spec spec = lab_spec("azad-featherstone", free_names, d, 2);
    spec.ngiven = 1;
    spec.given[0] = (struct cf_given){.name = "lambda", .value = true_lambda};
    cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    cf_sigma_reset(&q);
    ok(!cf_design_init(&design, &q, theta, ask, 2, sigma, NULL), "two experiments");
    for (size_t i = 0; i < design.ncandidate; i++)
        elsewhere += design.candidate[i].data != 0;
    ok(design.ncandidate == 2 && elsewhere == 0, "the first is planned for (%zu, %zu)",
       design.ncandidate, elsewhere);
    for (size_t i = 0; i < 2 * CF_MAX_COLUMN; i++)
        needing += design.sigmaless[i];
    ok(needing == 0, "and nothing of the other");
    cf_design_clear(&design);
    cf_problem_free(&q);
    cf_dataset_clear(&d[0]);
    cf_dataset_clear(&d[1]);
}

TEST(design)
{
    struct cf_curves *curves = cf_curves_alloc();

    gsl_set_error_handler_off();
    plan(10 + 1 + 4 + 2 + 6 + 4 + 3);
    one_slope(curves);
    from_a_height(curves);
    for (size_t first = 0; first < 4; first++)
        nearest_speed(curves, first);
    by_scatter(curves);
    by_trial(curves);
    becomes_identified(curves);
    of_two_experiments(curves);
    cf_curves_free(curves);
    return done();
}
