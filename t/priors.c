/* Priors beside sigmas that are estimated: the optimum against ordinary regression with a prior,
 * iterated by hand; all starts end there; and a descent without derivatives finds nothing lower,
 * but does from beside it. */

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/simplex.h"
#include "lab.h"
#include "tap.h"

enum { N = 14 };
static const double speed[N] = {0.11, 0.17, 0.26, 0.39, 0.55, 0.83, 1.2,
                                1.7,  2.4,  3.1,  4.3,  5.9,  7.7,  9.4};
/* digits of e less their mean */
static const double scatter[N] = {-1.9, 2.1,  -3.9, 3.1,  -2.9, 3.1, -2.9,
                                  3.1,  -0.9, 0.1,  -0.9, -0.9, 4.1, -0.9};

/* What is sought: e = a - b ln v with a prior of b, and its sigma. */
struct line {
    double a, b, sigma, dof;
};

/* Sums of the data. */
struct sums {
    double x, y, xx, xy;
};

static double squares(const double e[], const struct line *l)
{
    double sum = 0;
    for (size_t i = 0; i < N; i++)
        sum += pow(e[i] - l->a + l->b * log(speed[i]), 2);
    return sum;
}

/* One round: the line at the sigma of the last, then the sigma of the freedom that it leaves. */
static void round_of(const double e[], const struct sums *s, double prior, double prior_sigma,
                     struct line *l)
{
    /* normal equations of (a, c = -b), times sigma^2; the prior's row joins the second */
    double w = pow(l->sigma / prior_sigma, 2), A = N, B = s->x, D = s->xx + w;
    double det = A * D - B * B, right = s->xy - w * prior;

    l->a = (D * s->y - B * right) / det;
    l->b = -(A * right - B * s->y) / det;
    /* trace of (X'X + W)^-1 X'X = 2 - w times the last diagonal element of the inverse */
    l->dof = N - (2 - w * A / det);
    l->sigma = sqrt(squares(e, l) / l->dof);
}

static struct line by_hand(const double e[], double prior, double prior_sigma)
{
    struct line l = {.sigma = 0.01};
    struct sums s = {0};

    for (size_t i = 0; i < N; i++) {
        double x = log(speed[i]);
        s.x += x, s.y += e[i], s.xx += x * x, s.xy += x * e[i];
    }
    for (int i = 0; i < 200; i++)
        round_of(e, &s, prior, prior_sigma, &l);
    return l;
}

static struct cf_spec with_prior(struct cf_dataset *d, size_t n, const char *law,
                                 const char *const free_names[], size_t which, double value,
                                 double sigma)
{
    struct cf_spec spec = lab_spec(law, free_names, d, n);

    spec.free[which].prior_value = value;
    spec.free[which].prior_sigma = sigma;
    return spec;
}

/* Starts whose cost is about the best. Others may have ended where the law is flat, far above. */
static size_t near_best(const struct cf_optimum *o)
{
    size_t n = 0;
    for (size_t i = 0; i < o->nstart; i++)
        n += o->start[i].cost < o->cost + 1;
    return n;
}

/* The prior lies `off` of its own sigmas from the truth; its sigma in those of the data's slope. */
static void one_channel(struct cf_curves *curves, double off, double width)
{
    static const char *const free_names[] = {"e_at_1", "b", NULL};
    double e[N], prior_sigma = 0.0005 * width, prior = 0.03 + off * prior_sigma;
    struct cf_dataset d;

    for (size_t i = 0; i < N; i++)
        e[i] = 0.82 - 0.03 * log(speed[i]) + 0.001 * scatter[i];
    lab_dataset(&d, "restitution", N, speed, e, 0, lab_pair(0.1, 0.02));
    struct cf_spec spec = with_prior(&d, 1, "e-log", free_names, 1, prior, prior_sigma);
    struct cf_fit *fit = lab_fit(&spec, curves);
    struct line want = by_hand(e, prior, prior_sigma);
    if (fit) {
        const struct cf_optimum *o = &fit->optimum;
        is_near(o->value[0] / want.a, 1, 1e-9, "prior %g sigma off, %g wide: a", off, width);
        is_near(o->value[1] / want.b, 1, 1e-7, "b");
        is_near(o->problem.channel[0].sigma / want.sigma, 1, 1e-7, "sigma");
        ok(o->confirmed >= 2 && o->confirmed == near_best(o), "%zu starts ended there",
           o->confirmed);
        ok(o->fall < 1e-6, "and nothing is lower, but for %g", o->fall);
        ok(fit->status != CF_VERDICT_FAILED, "no failure: %s", fit->summary);
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

/* Two channels whose sigmas are estimated, each of which the prior moves. */
static void two_channels(struct cf_curves *curves, double off)
{
    static const char *const free_names[] = {"k", "lambda", NULL};
    const double p[] = {2e7, 900};
    double e[N], time[N];
    struct cf_dataset d[2];

    lab_impacts("azad-featherstone", p, 0.1, N, speed, scatter, 0.0005, 0.004, e, time);
    lab_dataset(&d[0], "restitution", N, speed, e, 0, lab_pair(0.1, 0.02));
    lab_dataset(&d[1], "duration", N / 2, speed, time, 0, lab_pair(0.1, 0.02));
    struct cf_spec spec =
        with_prior(d, 2, "azad-featherstone", free_names, 0, 2e7 * (1 + 0.01 * off), 0.01);
    struct cf_fit *fit = lab_fit(&spec, curves);
    if (fit) {
        ok(fit->optimum.confirmed >= 2 && fit->optimum.confirmed == near_best(&fit->optimum),
           "e and duration, prior %g sigma off: %zu of %zu starts ended there", off,
           fit->optimum.confirmed, fit->optimum.nstart);
        ok(fit->optimum.fall < 1e-6, "and nothing is lower, but for %g", fit->optimum.fall);
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d[0]);
    cf_dataset_clear(&d[1]);
}

/* From beside the optimum of a straight line the fall is what chi^2 lies above its least there. */
static void falls(struct cf_curves *curves)
{
    static const char *const free_names[] = {"e_at_1", "b", NULL};
    static const double off[][2] = {{0, 0}, {1, 0}, {0, -0.5}, {0.3, 2}, {-3, 3}};
    double e[N];
    struct cf_dataset d;

    for (size_t i = 0; i < N; i++)
        e[i] = 0.82 - 0.03 * log(speed[i]) + 0.001 * scatter[i];
    lab_dataset(&d, "restitution", N, speed, e, 0.002, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-log", free_names, &d, 1);
    struct cf_fit *fit = lab_fit(&spec, curves);
    for (size_t k = 0; fit && k < sizeof off / sizeof off[0]; k++) {
        const struct cf_optimum *o = &fit->optimum;
        struct cf_error err = {""};
        double theta[2], fall = 0, rise = 0;
        for (size_t j = 0; j < 2; j++)
            theta[j] = o->theta[j] + off[k][j] * sqrt(cf_rank_variance(&o->rank, j));
        for (size_t i = 0; i < N; i++)
            rise += pow(e[i] - theta[0] + theta[1] * log(speed[i]), 2) / 4e-6 -
                    pow(e[i] - o->theta[0] + o->theta[1] * log(speed[i]), 2) / 4e-6;
        ok(!cf_simplex_fall(&o->problem, &o->rank, theta, &fall, &err), "a descent %s", err.text);
        is_near(fall, rise, 1e-3, "from %g and %g standard errors", off[k][0], off[k][1]);
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

int main(void)
{
    static const double width[] = {0.25, 1, 4}, off[] = {0, 2, 4};
    struct cf_curves *curves = cf_curves_alloc();

    gsl_set_error_handler_off();
    plan(3 * 3 * 6 + 3 * 2 + 5 * 2);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++)
            one_channel(curves, off[i], width[k]);
    for (size_t i = 0; i < 3; i++)
        two_channels(curves, off[i]);
    falls(curves);
    cf_curves_free(curves);
    return done();
}
