/* Times of the library's calls, beside which table.pl puts SciPy's.
 *
 * Prints lines KEY<tab>SECONDS<tab>VALUE<tab>REMARK, and first `args` with the input of
 * bench/scipy_impact.py: a scaled damping, the true lambda, speeds, restitutions, sigma. A time is
 * the best of several, so that a busy machine spoils it least.
 */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bounce.h"
#include "descents.h"
#include "plate.h"
#include "core/gsl_guard.h"
#include "identify/fit.h"
#include "study/study.h"
#include "timing.h"

/* Magnitudes of the croquet ball. */
static const double mass_kg = 0.4536, k = 1.2e7, beta = 0.3;

enum { NPOINT = 40 };

struct bench {
    const struct cf_law *law;
    struct cf_curves *curves;
    struct cf_error err;
};

/* lambda that gives `beta` at 1 m/s */
static double true_lambda(void)
{
    return beta * pow(k, 0.6) * pow(mass_kg, 0.4);
}

/* e at 1 m/s, with all other results of cf_impact(): duration, depth, force and every
 * derivative. */
static int time_impact(struct bench *b)
{
    enum { TURNS = 5, CALLS = 400000 };
    struct cf_impact impact;
    double p[CF_MAX_PARAM], best = INFINITY, sum = 0;
    const struct cf_named given[] = {{"k", k}, {"lambda", true_lambda()}};

    int status = cf_law_params(b->law, given, 2, NAN, 0, p, &b->err);
    for (int turn = 0; !status && turn < TURNS; turn++) {
        double begin = bench_now_s();
        for (int i = 0; !status && i < CALLS; i++) {
            /* a new speed each time: nothing can be kept from the last call */
            status = cf_impact(b->curves, b->law, p, mass_kg, 0.5 + 1e-6 * i, &impact, &b->err);
            sum += impact.value[CF_IMPACT_RESTITUTION];
        }
        best = fmin(best, (bench_now_s() - begin) / CALLS);
    }
    if (!status)
        status = cf_impact(b->curves, b->law, p, mass_kg, 1, &impact, &b->err);
    if (!status)
        bench_print("impact", best, impact.value[CF_IMPACT_RESTITUTION],
                    sum > 0 ? "e, duration, depth, force and all derivatives" : "");
    return status;
}

/* The same impact integrated from the equations of motion. */
static int time_integration(struct bench *b, const char *row, double tolerance)
{
    enum { TURNS = 5, CALLS = 200 };
    double p[CF_MAX_PARAM], value[CF_NIMPACT], best = INFINITY;
    const struct cf_named given[] = {{"k", k}, {"lambda", true_lambda()}};
    char remark[80];

    int status = cf_law_params(b->law, given, 2, NAN, 0, p, &b->err);
    for (int turn = 0; !status && turn < TURNS; turn++) {
        double begin = bench_now_s();
        for (int i = 0; !status && i < CALLS; i++)
            status = cf_impact_integrate(b->law, p, mass_kg, 1, tolerance, value, &b->err);
        best = fmin(best, (bench_now_s() - begin) / CALLS);
    }
    if (status)
        return status;
    struct cf_impact impact;
    status = cf_impact(b->curves, b->law, p, mass_kg, 1, &impact, &b->err);
    snprintf(remark, sizeof remark, "at rtol %.0e; e differs from the curve's by %.0e", tolerance,
             fabs(value[CF_IMPACT_RESTITUTION] - impact.value[CF_IMPACT_RESTITUTION]));
    bench_print(row, best, value[CF_IMPACT_RESTITUTION], remark);
    return status;
}

static int time_curve(struct bench *b)
{
    double best = INFINITY;
    int status = CF_OK;

    for (int turn = 0; !status && turn < 3; turn++) {
        struct cf_curves *curves = cf_curves_alloc();
        if (!curves)
            return cf_fail(&b->err, CF_ENOMEM, "no memory for curves");
        double begin = bench_now_s();
        status = cf_curves_prepare(curves, b->law, &b->err);
        best = fmin(best, bench_now_s() - begin);
        cf_curves_free(curves);
    }
    if (!status)
        bench_print("curve", best, NAN, "once for each (n, p) in use");
    return status;
}

/* e(v) at NPOINT speeds from 0.1 to 5 m/s with a fixed scatter of about sigma. */
static int make_points(struct bench *b, struct cf_dataset *d, double sigma)
{
    const struct cf_protocol *impact = cf_protocol_find("impact");
    size_t speed = cf_protocol_channel(impact, "speed");
    size_t restitution = cf_protocol_channel(impact, "restitution");
    const struct cf_named given[] = {{"k", k}, {"lambda", true_lambda()}};
    double p[CF_MAX_PARAM];

    int status = cf_dataset_alloc(d, impact, NPOINT, &b->err);
    if (!status)
        status = cf_law_params(b->law, given, 2, NAN, 0, p, &b->err);
    if (status)
        return status;
    d->pair = (struct cf_pair){.mass_kg = mass_kg, .radius_m = 0.046, .gravity_m_s2 = 9.80665};
    d->series[restitution].kind = CF_SIGMA_GIVEN;
    for (size_t i = 0; !status && i < NPOINT; i++) {
        double v = 0.1 * pow(50, (double) i / (NPOINT - 1));
        struct cf_impact out;
        status = cf_impact(b->curves, b->law, p, mass_kg, v, &out, &b->err);
        if (!status)
            status = cf_dataset_put(d, i, speed, v, 0, &b->err);
        if (!status)
            status = cf_dataset_put(d, i, restitution,
                                    out.value[CF_IMPACT_RESTITUTION] +
                                        1.414 * sigma * sin(37.0 * (double) (i * i)),
                                    sigma, &b->err);
        d->line[i] = i + 1;
    }
    return status;
}

static void print_arguments(const struct cf_dataset *d, double sigma)
{
    size_t speed = cf_protocol_channel(d->protocol, "speed");
    size_t restitution = cf_protocol_channel(d->protocol, "restitution");

    printf("args\t%.17g\t%.17g\t", beta, true_lambda());
    for (size_t i = 0; i < d->nrow; i++)
        printf("%s%.17g", i ? "," : "", cf_dataset_value(d, i, speed));
    putchar('\t');
    for (size_t i = 0; i < d->nrow; i++)
        printf("%s%.17g", i ? "," : "", cf_dataset_value(d, i, restitution));
    printf("\t%g\n", sigma);
}

/* One polish from three times the truth, as least_squares does it: problem, optimum, no more. */
static int polish_once(struct bench *b, const struct cf_spec *spec, double *lambda)
{
    struct cf_problem problem;
    double theta[1] = {log(3 * true_lambda())};
    struct cf_solution solution = {.theta = theta, .cost = NAN};
    struct cf_solver *solver = NULL;

    int status =
        cf_problem_init(&problem, spec, spec->law, b->curves, CF_ROW_FIT, CF_SCOPE_ALL, &b->err);
    if (!status && !(solver = cf_solver_alloc(&problem)))
        status = cf_fail(&b->err, CF_ENOMEM, "no memory for the solver");
    if (!status)
        status = cf_polish(solver, &problem, NULL, false, &solution, &b->err);
    if (!status && solution.end != CF_END_CONVERGED)
        status = cf_fail(&b->err, CF_EFIT, "the fit of lambda did not converge");
    if (!status)
        *lambda = cf_unknown_value(&problem.unknown[0], solution.theta[0]);
    cf_solver_free(solver);
    cf_problem_free(&problem);
    return status;
}

static int time_fit(struct bench *b)
{
    enum { TURNS = 5, CALLS = 100 };
    const double sigma = 0.002;
    struct cf_dataset d = {.name = NULL};
    double best = INFINITY, lambda = NAN;

    int status = make_points(b, &d, sigma);
    if (!status)
        print_arguments(&d, sigma);
    struct cf_spec spec = {
        .law = b->law,
        .nfree = 1,
        .free = {{"lambda", NAN, NAN, NAN, NAN, NAN, false, CF_SHARED_BY_ALL}},
        .ngiven = 1,
        .given = {{"k", k, false}},
        .ndata = 1,
        .data = &d,
        .options = cf_fit_defaults,
    };
    for (int turn = 0; !status && turn < TURNS; turn++) {
        double begin = bench_now_s();
        for (int i = 0; !status && i < CALLS; i++)
            status = polish_once(b, &spec, &lambda);
        best = fmin(best, (bench_now_s() - begin) / CALLS);
    }
    if (!status)
        bench_print("fit", best, lambda, "Levenberg-Marquardt from the same start");
    cf_dataset_clear(&d);
    return status;
}

/* The least of three times of a fit with these rivals, and what it was of. */
static int time_rivals(struct bench *b, const struct cf_study *study, const struct cf_law **rival,
                       size_t nrival, const char *key, const char *what)
{
    double best = INFINITY;
    char remark[160] = "";
    int status = CF_OK;

    for (int turn = 0; !status && turn < 3; turn++) {
        struct cf_fit *fit = NULL;
        struct cf_curves *curves = cf_curves_alloc();
        double start = bench_now_s();
        status = curves ? cf_fit_run(&study->spec, rival, nrival, curves, NULL, &fit, &b->err)
                        : cf_fail(&b->err, CF_ENOMEM, "no memory for curves");
        best = fmin(best, bench_now_s() - start);
        if (!status)
            snprintf(remark, sizeof remark, "%zu starts, profiles, %zu laws%s, curves; verdict %s",
                     fit->optimum.nstart, fit->nrival, what, cf_verdict_text(fit->status));
        cf_fit_free(fit);
        cf_curves_free(curves);
    }
    if (!status)
        bench_print(key, best, NAN, remark);
    return status;
}

/* "croquet" of "fits/croquet_ball_on_wood.yaml". */
static void short_name(const char *path, char name[], size_t size)
{
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

    snprintf(name, size, "%.*s", (int) strcspn(base, "_."), base);
}

/* A study that ships, as it is and without those rivals that are integrated, for they take nearly
 * all of the time; curves are made on the way. */
static int time_study(struct bench *b, const char *path)
{
    double begin = bench_now_s();
    struct cf_study *study = cf_study_read(path, NULL, &b->err);
    const struct cf_law **curve = study ? calloc(study->nrival + 1, sizeof *curve) : NULL;
    char name[40], key[60];
    size_t n = 0;
    int status = CF_OK;

    if (!study || !curve) {
        cf_study_free(study);
        return study ? cf_fail(&b->err, CF_ENOMEM, "no memory for rivals") : CF_EINPUT;
    }
    short_name(path, name, sizeof name);
    snprintf(key, sizeof key, "%s-read", name);
    bench_print(key, bench_now_s() - begin, NAN, "study and its data");
    for (size_t i = 0; i < study->nrival; i++)
        if (!study->rival[i]->regular)
            curve[n++] = study->rival[i];
    snprintf(key, sizeof key, "%s-curves", name);
    status = time_rivals(b, study, curve, n, key, " with a curve");
    if (!status)
        status = time_rivals(b, study, study->rival, study->nrival, name, "");
    free(curve);
    cf_study_free(study);
    return status;
}

/* One row at 22 deg, with slopes by the law's parameters (nby) or without. */
static int time_contact(struct bench *b, const struct cf_law *law, const struct cf_dataset *d,
                        size_t nby, const char *key, const char *remark)
{
    enum { TURNS = 50, BATCH = 20 };

    const size_t row = 0, all[] = {0, 1, 2, 3, 4, 5};
    const size_t channel = cf_protocol_channel(d->protocol, "tangential_restitution");
    double value[CF_MAX_PARAM + CF_MAX_COLUMN] = {4e9, 3e3, 0.1, 4e9, 1.5e3, 0.02}, y;
    double by[6], best = INFINITY;
    const struct cf_request request = {.data = d,
                                       .law = law,
                                       .value = value,
                                       .nrow = 1,
                                       .row = &row,
                                       .nchannel = 1,
                                       .channel = &channel,
                                       .nby = nby,
                                       .by = all};
    struct cf_response response = {&y, nby ? by : NULL, NULL};
    void *work = d->protocol->open(b->curves);
    int status = work ? CF_OK : cf_fail(&b->err, CF_ENOMEM, "no memory for a contact");

    for (size_t i = 0; i < d->protocol->napparatus; i++)
        value[law->nparam + i] = d->apparatus[i];
    for (int turn = 0; turn < TURNS && !status; turn++) {
        double begin = bench_now_s();
        for (int i = 0; i < BATCH && !status; i++)
            status = d->protocol->predict(work, &request, &response, &b->err);
        best = fmin(best, (bench_now_s() - begin) / BATCH);
    }
    if (work)
        d->protocol->close(work);
    if (!status)
        bench_print(key, best, y, remark);
    return status;
}

static int time_oblique(struct bench *b)
{
    const struct cf_protocol *protocol = cf_protocol_find("oblique");
    const double degree = 3.14159265358979323846 / 180;
    struct cf_contact_laws made = {0};
    const struct cf_law *law = NULL;
    struct cf_dataset d = {0};
    int status =
        cf_registry_contact_law(NULL, &made, NULL, "azad-featherstone + clutch", &law, &b->err);

    if (!status)
        status = cf_dataset_alloc(&d, protocol, 1, &b->err);
    d.pair = (struct cf_pair){.mass_kg = 2.5e-4, .radius_m = 2.5e-3};
    if (!status)
        status = cf_dataset_put(&d, 0, cf_protocol_channel(protocol, "speed"), 3.9, 0, &b->err);
    if (!status)
        status = cf_dataset_put(&d, 0, protocol->axis_channel, 22 * degree, 0, &b->err);
    if (!status)
        status = time_contact(b, law, &d, 0, "oblique", "at 1e-10, in its plane");
    if (!status)
        status = time_contact(b, law, &d, 6, "oblique-slopes", "by all parameters");
    cf_dataset_clear(&d);
    cf_contact_laws_clear(&made);
    return status;
}

int main(int argc, char *argv[])
{
    struct bench b = {.curves = cf_curves_alloc()};

    cf_gsl_enter();
    if (argc < 2) {
        fprintf(stderr, "usage: bench FOLDER STUDY.yaml...\n");
        return 2;
    }
    int status = b.curves ? cf_law_get("azad-featherstone", &b.law, &b.err)
                          : cf_fail(&b.err, CF_ENOMEM, "no memory for curves");
    if (!status)
        status = time_curve(&b);
    if (!status)
        status = cf_curves_prepare(b.curves, b.law, &b.err);
    if (!status)
        status = time_impact(&b);
    if (!status)
        status = time_integration(&b, "integrate-10", 1e-10);
    if (!status)
        status = time_integration(&b, "integrate-13", 1e-13);
    if (!status)
        status = time_oblique(&b);
    if (!status)
        status = bench_bounce(b.curves, b.law, &b.err);
    if (!status)
        status = time_fit(&b);
    if (!status)
        status = bench_descents(argv[1], b.curves, &b.err);
    if (!status)
        status = bench_plate(&b.err);
    for (int i = 2; i < argc && !status; i++)
        status = time_study(&b, argv[i]);
    cf_curves_free(b.curves);
    if (status)
        fprintf(stderr, "bench: %s: %s\n", cf_status_text(status), b.err.text);
    return status ? 1 : 0;
}
