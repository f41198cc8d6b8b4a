/* The posterior where rows share errors: of a mean of balanced groups against quadrature over its
 * sufficient statistics; its density against dense matrices; cases at the ends, and how often its
 * intervals hold the truth. */

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "estimate/effects.h"
#include "lab.h"
#include "resample/posterior.h"
#include "resample/posterior_density.h"
#include "tap.h"

static const char *const constant[] = {"e", NULL}, *const line[] = {"e_at_1", "b", NULL};

/* Put row i into a group of a level, by number, within those of the levels before it. */
static void put_group(struct cf_spec *spec, struct cf_dataset *d, size_t row, size_t nlevel,
                      const size_t number[])
{
    static const char *const name[] = {"day", "session"};
    uint32_t outer = CF_NO_GROUP;
    size_t within = SIZE_MAX;

    spec->grouping.origin = CF_GROUPS_STATED;
    for (size_t i = 0; i < nlevel; i++) {
        char text[20];
        size_t level;
        snprintf(text, sizeof text, "%zu", number[i]);
        cf_grouping_level(&spec->grouping, name[i], within, &level, NULL);
        cf_dataset_group_room(d, level + 1, NULL);
        cf_grouping_number(&spec->grouping, level, outer, text, &outer, NULL);
        d->group[level * d->nrow + row] = outer;
        within = level;
    }
}

/* Rows e[n], row i in group of[i]; NULL: in none. */
struct lot {
    struct cf_dataset data;
    struct cf_spec spec;
    struct cf_fit *fit;
    struct cf_posterior posterior;
};

static void make(struct lot *lot, const char *law, const char *const free[], size_t n,
                 const double v[], const double e[], const size_t of[], double sigma,
                 struct cf_curves *curves, size_t steps)
{
    struct cf_error err = {""};

    *lot = (struct lot){.fit = NULL};
    lab_dataset(&lot->data, "restitution", n, v, e, sigma, lab_pair(0.1, 0.02));
    lot->data.series[cf_protocol_channel(lot->data.protocol, "restitution")].model =
        CF_SIGMA_CONSTANT;
    lot->spec = lab_spec(law, free, &lot->data, 1);
    for (size_t i = 0; i < n && of; i++)
        put_group(&lot->spec, &lot->data, i, 1, &of[i]);
    lot->fit = lab_fit(&lot->spec, curves);
    if (!lot->fit)
        abort();
    if (steps && cf_posterior(&lot->fit->optimum, true, steps, NULL, &lot->posterior, &err))
        ok(false, "a posterior: %s", err.text);
}

static void clear(struct lot *lot)
{
    cf_posterior_clear(&lot->posterior);
    cf_fit_free(lot->fit);
    cf_grouping_clear(&lot->spec.grouping);
    cf_dataset_clear(&lot->data);
}

/* ---- balanced groups */

enum { MOST_GROUP = 8, EACH = 4 };

/* Sums of squares within groups and of their means, and the mean of all. */
struct sums {
    size_t m, k;
    double mean, within, between;
};

/* P(mu < x) and P(tau < x), with the prior 1/sigma 1/(tau^2 + sigma^2/k) in sigma and tau^2: on a
 * grid of ln sigma and of the logarithm of the variance of a group's mean, which is no less than
 * sigma^2/k. */
static void below(const struct sums *s, double x, double *mu, double *tau)
{
    enum { STEPS = 600 };
    const double k = (double) s->k, m = (double) s->m, s0 = s->within / (m * (k - 1)),
                 l0 = fmax(s->between / (m - 1), s0 / k);
    double all = 0, peak = 0;

    *mu = *tau = 0;
    for (int i = 0; i < STEPS; i++) {
        double variance = s0 * exp((i - STEPS / 2) * 0.02), least = variance / k;
        for (int j = 0; j < STEPS; j++) {
            double lambda = least + l0 * exp((j - STEPS / 2) * 0.06), weight;
            /* d sigma^2/sigma^2 d tau^2/lambda; tau^2 = lambda - least goes as exp(0.06 j) */
            weight = -m * (k - 1) / 2 * log(variance) - s->within / (2 * variance) -
                     (m - 1) / 2 * log(lambda) - s->between / (2 * lambda) +
                     log((lambda - least) / lambda);
            if (i == 0 && j == 0)
                peak = -m * (k - 1) / 2 * (log(s0) + 1) - (m - 1) / 2 * (log(l0) + 1);
            weight = exp(weight - peak);
            all += weight;
            *mu += weight * gsl_cdf_ugaussian_P((x - s->mean) / sqrt(lambda / m));
            *tau += weight * (lambda - least < x * x);
        }
    }
    *mu /= all;
    *tau /= all;
}

/* A quantile's draws lie where they should, to four of its Monte Carlo errors, sqrt(p (1 - p)/ess),
 * of which the tails' is doubled: they have an effective size of their own. */
static void at_share(double got, double share, double ess, const char *what)
{
    double error = sqrt(share * (1 - share) / ess) * 4 + 2e-3;
    ok(fabs(got - share) < error, "%s: %.4f of the posterior lie below, %.4f should", what, got,
       share);
}

/* Half as many steps but for CHECK_FULL: what is asked of the draws goes by how many they are. */
static void balanced(struct cf_curves *curves, size_t m, double tau, const char *what)
{
    static const double between[MOST_GROUP] = {1.1, -0.8, 0.2, -1.4, 0.6, 0.9, -0.3, -0.3};
    static const double within[EACH] = {0.7, -1.2, 1.0, -0.5};
    double v[MOST_GROUP * EACH], e[MOST_GROUP * EACH], share;
    size_t of[MOST_GROUP * EACH], n = m * EACH;
    struct sums s = {.m = m, .k = EACH};
    struct lot lot;

    for (size_t i = 0; i < n; i++) {
        of[i] = i % m;
        v[i] = 1 + 0.05 * (double) i;
        e[i] = 0.8 + tau * between[of[i]] +
               0.004 * within[(i / m + of[i]) % EACH] * (1 + 0.3 * (double) (of[i] % 3));
        s.mean += e[i] / (double) n;
    }
    for (size_t g = 0; g < m; g++) {
        double mean = 0;
        for (size_t i = g; i < n; i += m)
            mean += e[i] / EACH;
        for (size_t i = g; i < n; i += m)
            s.within += pow(e[i] - mean, 2);
        s.between += pow(mean - s.mean, 2);
    }
    make(&lot, "e-constant", constant, n, v, e, of, 0, curves, is_full_check() ? 3000 : 1500);
    const struct cf_posterior *p = &lot.posterior;
    const struct cf_posterior_number *mu = &p->parameter[0];
    ok(p->converged && p->noise.n == 2, "%s: converged, with sigma and tau: %s", what, p->why);
    for (int k = 0; k < 3 && p->converged; k++) {
        static const double want[] = {0.5, 0.025, 0.975};
        double at[] = {mu->median, mu->low, mu->high}, none;
        double t[] = {p->variance[1].median, p->variance[1].low, p->variance[1].high};
        below(&s, at[k], &share, &none);
        at_share(share, want[k], mu->ess, "mean");
        below(&s, t[k], &none, &share);
        at_share(share, want[k], p->variance[1].ess, "tau");
    }
    if (tau > 0.01) { /* where tau is above 0 for sure: Student's t, as REML has it */
        double half =
            gsl_cdf_tdist_Pinv(0.975, (double) m - 1) * sqrt(s.between / (double) ((m - 1) * m));
        ok(fabs((mu->high - mu->low) / (2 * half) - 1) < 0.1,
           "%s: as wide as Student's t of %zu means: %g, %g", what, m, mu->high - mu->low,
           2 * half);
    }
    if (tau == 0)
        ok(lot.fit->optimum.problem.effect[0].variance <= 0, "%s: its estimate is 0", what);
    clear(&lot);
}

/* ---- against dense matrices */

enum { N = 14 };
static const size_t nested[N][2] = {{1, 1}, {1, 1}, {1, 2}, {2, 1}, {2, 1}, {2, 1}, {1, 1},
                                    {3, 4}, {3, 4}, {3, 5}, {2, 2}, {1, 2}, {3, 4}, {2, 2}};

/* Half the trace of (V^-1 B)^2. */
static double information(const gsl_matrix *V, const gsl_matrix *B)
{
    gsl_matrix *inverse = gsl_matrix_alloc(N, N), *P = gsl_matrix_calloc(N, N);
    double sum = 0;

    gsl_matrix_memcpy(inverse, V);
    gsl_linalg_cholesky_decomp1(inverse);
    gsl_linalg_cholesky_invert(inverse);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            for (size_t k = 0; k < N; k++)
                *gsl_matrix_ptr(P, i, j) += gsl_matrix_get(inverse, i, k) * gsl_matrix_get(B, k, j);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            sum += gsl_matrix_get(P, i, j) * gsl_matrix_get(P, j, i) / 2;
    gsl_matrix_free(inverse);
    gsl_matrix_free(P);
    return sum;
}

/* ln of likelihood and priors at a, b, ln sigma, tau of days and of sessions. */
static double dense(const double v[], const double e[], const double x[2], double sigma, double day,
                    double session)
{
    gsl_matrix *V = gsl_matrix_calloc(N, N), *inner = gsl_matrix_calloc(N, N),
               *B[2] = {gsl_matrix_calloc(N, N), gsl_matrix_calloc(N, N)};
    gsl_vector *r = gsl_vector_alloc(N);
    double ln = 0;

    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            bool same = nested[i][0] == nested[j][0];
            gsl_matrix_set(B[0], i, j, same);
            gsl_matrix_set(B[1], i, j, same && nested[i][1] == nested[j][1]);
            gsl_matrix_set(inner, i, j,
                           (i == j) * sigma * sigma + session * gsl_matrix_get(B[1], i, j));
            gsl_matrix_set(V, i, j, gsl_matrix_get(inner, i, j) + day * gsl_matrix_get(B[0], i, j));
        }
        gsl_vector_set(r, i, e[i] - x[0] + x[1] * log(v[i]));
    }
    ln = log(information(V, B[0])) / 2 + log(information(inner, B[1])) / 2;
    gsl_linalg_cholesky_decomp1(V);
    for (size_t i = 0; i < N; i++)
        ln -= log(gsl_matrix_get(V, i, i));
    gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, V, r);
    for (size_t i = 0; i < N; i++)
        ln -= pow(gsl_vector_get(r, i), 2) / 2;
    gsl_matrix_free(V);
    gsl_matrix_free(inner);
    gsl_matrix_free(B[0]);
    gsl_matrix_free(B[1]);
    gsl_vector_free(r);
    return ln;
}

/* Differences of the density from place to place; days within which sessions lie. */
static void densities(struct cf_curves *curves)
{
    double v[N], e[N], shift = 0;
    struct lot lot = {.fit = NULL};
    struct cf_density d;
    struct cf_error err = {""};

    for (size_t i = 0; i < N; i++) {
        v[i] = 0.4 * pow(1.2, (double) ((i * 5) % N));
        e[i] = 0.8 - 0.03 * log(v[i]) + 0.004 * sin(7.0 * (double) i) +
               0.01 * cos(3.0 * (double) nested[i][0]) + 0.006 * sin(4.0 * (double) nested[i][1]);
    }
    lab_dataset(&lot.data, "restitution", N, v, e, 0, lab_pair(0.1, 0.02));
    lot.spec = lab_spec("e-log", line, &lot.data, 1);
    for (size_t i = 0; i < N; i++)
        put_group(&lot.spec, &lot.data, i, 2, nested[i]);
    lot.fit = lab_fit(&lot.spec, curves);
    if (!lot.fit || cf_density_init(&d, &lot.fit->optimum, 1, &err))
        abort();
    const struct cf_problem *q = &lot.fit->optimum.problem;
    bool day_first = q->spec->grouping.level[q->effect[0].level].within == SIZE_MAX;
    ok(d.noise.n == 3 && d.dim == 5, "sigma and two tau");
    for (int k = 0; k < 6; k++) {
        double x[5] = {0.79 + 0.002 * k, 0.028 + 0.001 * (k % 3), log(0.003 + 0.001 * (k % 4))};
        double tau[2] = {pow(0.002 * k, 2), pow(0.004 + 0.003 * (k % 2), 2)}, got, want;
        for (int level = 0; level < 2; level++) { /* numbers stand in the order of the effects */
            const struct cf_noise_number *number = &d.noise.number[1 + level];
            x[3 + level] = log(tau[day_first ? level : 1 - level] + number->beside) / 2;
        }
        got = cf_density_at(&d, x, 0);
        want = dense(v, e, x, exp(x[2]), tau[0], tau[1]);
        for (int level = 0; level < 2; level++) /* d tau^2 by the coordinate, over 2 */
            want += log(tau[day_first ? level : 1 - level] + d.noise.number[1 + level].beside);
        shift = k ? shift : got - want;
        is_within(got - want - shift, 0, 1e-8, "the density at place %d", k);
    }
    cf_density_clear(&d);
    clear(&lot);
}

/* ---- at the ends */

static void ends(struct cf_curves *curves)
{
    enum { ROWS = 12 };
    double v[ROWS], e[ROWS];
    size_t one[ROWS] = {0}, each[ROWS], pairs[ROWS];
    struct lot alone, lot; /* pairs: a group of two, the others alone */

    for (size_t i = 0; i < ROWS; i++) {
        v[i] = 0.5 * pow(1.25, (double) i);
        e[i] = 0.8 - 0.03 * log(v[i]) + 0.004 * sin(5.0 * (double) i);
        each[i] = i;
        pairs[i] = i < 2 ? 0 : i;
    }
    make(&alone, "e-log", line, ROWS, v, e, NULL, 0, curves, 500);
    ok(alone.posterior.converged, "rows alone: %s", alone.posterior.why);
    make(&lot, "e-log", line, ROWS, v, e, each, 0, curves, 500);
    ok(lot.posterior.noise.n == 1 && memcmp(lot.posterior.parameter, alone.posterior.parameter,
                                            2 * sizeof *alone.posterior.parameter) == 0,
       "one row a group: the same as without groups");
    clear(&lot);
    make(&lot, "e-log", line, ROWS, v, e, one, 0, curves, 500);
    ok(lot.posterior.converged && lot.posterior.noise.n == 1,
       "one group, whose error no data identify: it is left at 0");
    ok(fabs(lot.posterior.parameter[1].high - alone.posterior.parameter[1].high) < 2e-3,
       "and the slope is as without it");
    clear(&lot);
    /* two rows share an error, the others are alone: the slope can follow their difference */
    make(&lot, "e-log", line, ROWS, v, e, pairs, 0, curves, 500);
    is_str(lot.posterior.why,
           "the parameters, with the errors that groups share, can follow all 12 values of "
           "restitution in data set restitution, so that its estimated sigma has no posterior: "
           "state that sigma",
           "one pair: a sigma that can vanish");
    clear(&lot);
    pairs[3] = 2; /* but not two */
    make(&lot, "e-log", line, ROWS, v, e, pairs, 0, curves, 500);
    ok(!strstr(lot.posterior.why, "vanish") && !strstr(lot.posterior.why, "follow"),
       "two pairs: one that cannot: %s", lot.posterior.why);
    clear(&lot);
    clear(&alone);
}

/* ---- coverage */

/* How often the intervals of both parameters hold the truth, in per cent of those that converge;
 * with tau near nothing they are wider than they need be, as tau is never below 0. */
static void coverage(struct cf_curves *curves, size_t repeats, double tau, double most)
{
    enum { ROWS = 5, GROUPS = 5 };
    static const double truth[] = {0.8, 0.03};
    double v[GROUPS * ROWS], e[GROUPS * ROWS];
    size_t of[GROUPS * ROWS], held[2] = {0}, by_t[2] = {0}, converged = 0;

    for (size_t r = 0; r < repeats; r++) {
        gsl_rng *rng = cf_random_stream(2026, r);
        struct lot lot;
        double shift[GROUPS];
        for (size_t g = 0; g < GROUPS; g++)
            shift[g] = gsl_ran_gaussian(rng, tau);
        for (size_t i = 0; i < GROUPS * ROWS; i++) {
            of[i] = i % GROUPS; /* each at two speeds of its own */
            v[i] = 0.5 * pow(1.5, (double) of[i]) * (i / GROUPS % 2 ? 1.1 : 1);
            e[i] = truth[0] - truth[1] * log(v[i]) + shift[of[i]] + gsl_ran_gaussian(rng, 0.004);
        }
        gsl_rng_free(rng);
        make(&lot, "e-log", line, GROUPS * ROWS, v, e, of, 0, curves, 400);
        converged += lot.posterior.converged;
        for (int j = 0; j < 2 && lot.posterior.converged; j++) {
            const struct cf_posterior_number *p = &lot.posterior.parameter[j];
            const struct cf_interval *t = &lot.fit->estimate[j].likelihood;
            held[j] += p->low < truth[j] && truth[j] < p->high;
            by_t[j] += t->low < truth[j] && truth[j] < t->high;
        }
        clear(&lot);
    }
    ok(converged >= repeats - repeats / 20, "tau %g: %zu of %zu converge", tau, converged, repeats);
    for (int j = 0; j < 2; j++) {
        double share = 100 * (double) held[j] / (double) converged;
        /* not below the exact 99.9 % band of so many */
        double tail = gsl_cdf_binomial_P((unsigned) held[j], 0.95, (unsigned) converged);
        ok(tail > 5e-4 && share <= most,
           "%s, tau %g: 95 %% intervals hold it in %zu of %zu (by the likelihood %zu)", line[j],
           tau, held[j], converged, by_t[j]);
    }
}

TEST(posterior_groups)
{
    struct cf_curves *curves = cf_curves_alloc();
    bool full = is_full_check();

    gsl_set_error_handler_off();
    plan(50);
    balanced(curves, 8, 0.02, "eight groups");
    balanced(curves, 3, 0.02, "three groups");
    balanced(curves, 6, 0.003, "six alike");
    balanced(curves, 5, 0, "no difference");
    densities(curves);
    ends(curves);
    coverage(curves, full ? 250 : 20, 0.01, 99);
    coverage(curves, full ? 250 : 10, 0.002, 100);
    cf_curves_free(curves);
    return done();
}
