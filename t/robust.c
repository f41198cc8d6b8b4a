/* Robust losses as densities, against SciPy's estimates (t/reference/make_robust.py), and the
 * coverage of their intervals where a tenth of the rows is wrong. */

#include "identify/fit.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "lab.h"
#include "tap.h"

enum { N = 14 };

static const double speed[N] = {0.11, 0.17, 0.26, 0.39, 0.55, 0.83, 1.2,
                                1.7,  2.4,  3.1,  4.3,  5.9,  7.7,  9.4};
static const double scatter[N] = {-1.7, -3.6, -0.6, -3.5, 0.3, 4.4, -2.6,
                                  1.2,  0.3,  -1.5, 0.5,  3.4, 4.3, 2.1};
static const char *const free_names[] = {"e_at_1", "b", NULL};

/* A number of the reference table; NAN where it has none. */
static double reference(const char *loss, const char *what)
{
    const char *srcdir = getenv("srcdir");
    char path[512], line[200], name[80];
    double value = NAN;
    FILE *in;

    snprintf(path, sizeof path, "%s/t/reference/robust.csv", srcdir ? srcdir : ".");
    snprintf(name, sizeof name, "%s_%s,", loss, what);
    in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in))
        if (strncmp(line, name, strlen(name)) == 0)
            value = strtod(line + strlen(name), NULL);
    if (in)
        fclose(in);
    return value;
}

static void constants(void)
{
    struct cf_loss huber = cf_loss_make(CF_LOSS_HUBER, NAN);
    struct cf_loss student = cf_loss_make(CF_LOSS_STUDENT, NAN);
    const double r[5] = {1, -1, 1, -1, 1}, count[5] = {1, 1, 1, 1, 1};
    struct cf_error err = {""};
    enum cf_loss_kind kind;

    is_near(huber.c, reference("huber", "c"), 1e-12, "Huber's constant");
    is_near(student.c, reference("student", "c"), 1e-12, "the scale of Student's t");
    is_near(cf_loss_weight(&huber, 2.69) * huber.c, 0.5, 1e-14, "twice k counts half");
    /* t -> normal: rho = z^2 */
    struct cf_loss wide = cf_loss_make(CF_LOSS_STUDENT, 1000);
    is_near(cf_loss_rho(&wide, 2), 4, 0.02, "many degrees of freedom are squares");
    is_near(cf_loss_sigma(&(struct cf_loss){.kind = CF_LOSS_SQUARES, .c = 1}, r, count, 5, 1e-9), 1,
            1e-12, "the sigma of squares is the root mean square");
    ok(cf_loss_find("students-t", &kind, &err) != CF_OK, "an unknown loss is refused");
    is_str(err.text, "unknown loss students-t: did you mean student-t?", "with the nearest");
}

/* exp(-(rho(z) + constant)/2) at z = tan(u), by u: the tails are within pi/2. */
static double density(double u, void *loss)
{
    const struct cf_loss *l = loss;
    return exp(-(cf_loss_rho(l, tan(u)) + l->constant) / 2) / gsl_pow_2(cos(u));
}

/* Each loss is a normalised density: costs of fits with different losses can be compared. */
static void densities(void)
{
    static const struct {
        enum cf_loss_kind kind;
        double scale;
    } row[] = {{CF_LOSS_SQUARES, NAN}, {CF_LOSS_HUBER, NAN}, {CF_LOSS_HUBER, 0.5},
               {CF_LOSS_HUBER, 3},     {CF_LOSS_HUBER, 30},  {CF_LOSS_STUDENT, NAN},
               {CF_LOSS_STUDENT, 0.5}, {CF_LOSS_STUDENT, 3}, {CF_LOSS_STUDENT, 30}};
    gsl_integration_workspace *work = gsl_integration_workspace_alloc(1000);

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct cf_loss loss = cf_loss_make(row[i].kind, row[i].scale);
        gsl_function f = {density, &loss};
        double whole = NAN, off;
        gsl_integration_qag(&f, 0, M_PI_2, 0, 1e-10, 1000, GSL_INTEG_GAUSS31, work, &whole, &off);
        is_near(2 * whole, 1, 1e-8, "%s, scale %g: the density has the integral 1",
                cf_loss_name[row[i].kind], row[i].scale);
    }
    gsl_integration_workspace_free(work);
}

/* The synthetic line of the reference with its two wrong rows. */
static void against_scipy(struct cf_curves *curves, enum cf_loss_kind kind, double sigma)
{
    const char *loss = kind == CF_LOSS_HUBER ? "huber" : "student";
    const char *which = sigma > 0 ? "given" : "estimated";
    char key[60];
    double e[N];
    struct cf_dataset d;

    for (size_t i = 0; i < N; i++)
        e[i] = 0.82 - 0.03 * log(speed[i]) + 0.001 * scatter[i];
    e[4] += 0.02;
    e[11] -= 0.03;
    lab_dataset(&d, "restitution", N, speed, e, sigma, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-log", free_names, &d, 1);
    spec.options.loss = kind;
    struct cf_fit *fit = lab_fit(&spec, curves);
    if (fit) {
        snprintf(key, sizeof key, "%s_a", which);
        is_near(fit->optimum.value[0], reference(loss, key), 1e-8, "%s, %s: intercept", loss,
                which);
        snprintf(key, sizeof key, "%s_b", which);
        is_near(-fit->optimum.value[1], reference(loss, key), 1e-8, "%s, %s: slope", loss, which);
        snprintf(key, sizeof key, "%s_cost", which);
        is_near(fit->optimum.cost, reference(loss, key), 1e-6, "%s, %s: -2 ln L", loss, which);
        snprintf(key, sizeof key, "%s_sigma", which);
        is_within(fit->optimum.problem.channel[0].sigma, sigma > 0 ? sigma : reference(loss, key),
                  1e-8, "%s, %s: sigma", loss, which);
        ok(fit->optimum.confirmed >= 2 && fit->optimum.gradient < 1e-6,
           "%s, %s: confirmed, at rest (%g)", loss, which, fit->optimum.gradient);
        ok(cf_found(&fit->findings, CF_RULE_LOSS) &&
               strstr(fit->findings.item[fit->findings.n - 1].text, ", not squares: "),
           "the verdict says the loss");
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

/* Synthetic studies with normal scatter, ten times as wide in a tenth of the rows. */
enum { STUDIES = 40, ROWS = 14 };
static void coverage(struct cf_curves *curves, enum cf_loss_kind kind, double wrong, double width[])
{
    size_t covered = 0, n = 0;
    double v[ROWS], e[ROWS];

    *width = 0;
    for (size_t s = 0; s < STUDIES; s++) {
        gsl_rng *rng = cf_random_stream(20, s);
        struct cf_dataset d;
        for (size_t i = 0; i < ROWS; i++) {
            v[i] = 0.2 * pow(40, (double) i / (ROWS - 1));
            e[i] = 0.8 - 0.04 * log(v[i]);
            double size = gsl_rng_uniform(rng) < wrong ? 0.04 : 0.004;
            e[i] += gsl_ran_gaussian(rng, size);
        }
        gsl_rng_free(rng);
        lab_dataset(&d, "restitution", ROWS, v, e, 0, lab_pair(0.1, 0.02));
        struct cf_spec spec = lab_spec("e-log", free_names, &d, 1);
        spec.options.loss = kind;
        spec.options.screen = spec.options.starts = 2;
        struct cf_fit *fit = lab_fit(&spec, curves);
        if (fit) {
            const struct cf_interval *b = &fit->estimate[1].likelihood;
            covered += b->low <= 0.04 && 0.04 <= b->high;
            *width += (b->high - b->low) / STUDIES;
            n++;
        }
        cf_fit_free(fit);
        cf_dataset_clear(&d);
    }
    /* exact binomial 99.9 % band of 95 % in 40, from below */
    ok(n == STUDIES && covered >= 32,
       "%s, %g %% wrong rows: %zu of %d intervals of 95 %% cover; mean width %.5f",
       cf_loss_name[kind], 100 * wrong, covered, STUDIES, *width);
}

TEST(robust)
{
    struct cf_curves *curves = cf_curves_alloc();
    double squares, huber, student, clean;

    gsl_set_error_handler_off();
    plan(7 + 9 + 4 * 6 + 5 + 3);
    constants();
    densities();
    against_scipy(curves, CF_LOSS_HUBER, 0.002);
    against_scipy(curves, CF_LOSS_HUBER, 0);
    against_scipy(curves, CF_LOSS_STUDENT, 0.002);
    against_scipy(curves, CF_LOSS_STUDENT, 0);
    coverage(curves, CF_LOSS_SQUARES, 0.1, &squares);
    coverage(curves, CF_LOSS_HUBER, 0.1, &huber);
    coverage(curves, CF_LOSS_STUDENT, 0.1, &student);
    ok(huber < 0.7 * squares, "Huber's intervals are shorter than those of squares");
    ok(student < 0.7 * squares, "and Student's");
    coverage(curves, CF_LOSS_SQUARES, 0, &clean);
    coverage(curves, CF_LOSS_HUBER, 0, &huber);
    ok(huber < 1.08 * clean, "without wrong rows Huber's cost a few per cent");
    cf_curves_free(curves);
    return done();
}
