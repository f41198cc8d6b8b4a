/* The posterior under a robust loss, which is a density of its own, against quadrature. */

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "resample/posterior.h"
#include "tap.h"

enum { N = 15 };

static const char *const constant[] = {"e", NULL};
static const double scatter[N] = {-1.7, 0.4, -0.6, 12,  0.3, 1.4,  -2.6, 1.2,
                                  0.3,  -9,  0.5,  2.4, 1.3, -1.1, 0.2};

/* -2 ln of the density of z, but for its constant. */
static double rho(enum cf_loss_kind kind, const struct cf_loss *loss, double z)
{
    double k = loss->scale;

    if (kind == CF_LOSS_SQUARES)
        return z * z;
    if (kind == CF_LOSS_STUDENT)
        return (k + 1) * log(1 + z * z / (loss->c * loss->c * k));
    return (fabs(z) < k ? z * z : 2 * k * fabs(z) - k * k) / loss->c;
}

/* Shares of the posterior of a mean with ln sigma uniform that lie below x[3]. */
static void below(enum cf_loss_kind kind, const double e[], const double x[3], double share[3])
{
    const struct cf_loss loss = cf_loss_make(kind, NAN);
    double total = 0;

    memset(share, 0, 3 * sizeof *share);
    for (int i = 0; i < 200; i++)
        for (double mean = 0.79; mean < 0.81; mean += 2e-5) {
            double ln_sigma = log(0.002) - 2.5 + 0.025 * i, ln = -N * ln_sigma, weight;
            for (size_t k = 0; k < N; k++)
                ln -= rho(kind, &loss, (e[k] - mean) / exp(ln_sigma)) / 2;
            weight = exp(ln - 80);
            total += weight;
            for (int k = 0; k < 3; k++)
                share[k] += mean < x[k] ? weight : 0;
        }
    for (int k = 0; k < 3; k++)
        share[k] /= total;
}

static void loss(enum cf_loss_kind kind, struct cf_curves *curves)
{
    double v[N], e[N], share[3];
    struct cf_dataset d;
    struct cf_posterior p = {.converged = false};
    struct cf_error err = {""};
    struct cf_fit *fit;

    for (size_t i = 0; i < N; i++) {
        v[i] = 0.5 + 0.1 * (double) i;
        e[i] = 0.8 + 0.001 * scatter[i];
    }
    lab_dataset(&d, "restitution", N, v, e, 0, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-constant", constant, &d, 1);
    spec.options.loss = kind;
    fit = lab_fit(&spec, curves);
    if (fit && cf_posterior(&fit->optimum, true, 2000, NULL, &p, &err))
        ok(false, "a posterior: %s", err.text);
    ok(p.converged, "%s: converged: %s", cf_loss_name[kind], p.why);
    if (p.converged) {
        static const double want[] = {0.025, 0.5, 0.975};
        double at[] = {p.parameter[0].low, p.parameter[0].median, p.parameter[0].high};
        below(kind, e, at, share);
        for (int k = 0; k < 3; k++)
            ok(fabs(share[k] - want[k]) <
                   4 * sqrt(want[k] * (1 - want[k]) / p.parameter[0].ess) + 1e-3,
               "%s: %.4f of the posterior lie below, %.3f should", cf_loss_name[kind], share[k],
               want[k]);
    }
    cf_posterior_clear(&p);
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

TEST(posterior_robust)
{
    struct cf_curves *curves = cf_curves_alloc();

    gsl_set_error_handler_off();
    plan(3 * 4);
    loss(CF_LOSS_SQUARES, curves);
    loss(CF_LOSS_HUBER, curves);
    loss(CF_LOSS_STUDENT, curves);
    cf_curves_free(curves);
    return done();
}
