#include "resample/convergence.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The tails whose effective sample size is computed. */
static const double tail = 0.05;

/* x[ensembles][steps][walkers] */
struct shape {
    size_t ensembles, steps, walkers;
};

struct room {
    double *z, *mean, *folded;
    size_t *order;
};

/* Ranks of x[n], ties at their mean, turned into normal scores (Blom). */
static void normal_scores(const double x[], size_t n, size_t order[], double z[])
{
    gsl_sort_index(order, x, 1, n);
    for (size_t from = 0, to; from < n; from = to) {
        double rank;
        for (to = from + 1; to < n && x[order[to]] == x[order[from]];)
            to++;
        rank = (double) (from + to + 1) / 2;
        for (size_t i = from; i < to; i++)
            z[order[i]] = gsl_cdf_ugaussian_Pinv((rank - 0.375) / ((double) n + 0.25));
    }
}

static double mean_of(const double x[], size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double) n;
}

static double variance_of(const double x[], size_t n)
{
    double mean = mean_of(x, n), sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += gsl_pow_2(x[i] - mean);
    return sum / (double) (n - 1);
}

/* Of both halves of each ensemble: sqrt(Var+/W). An odd step in the middle is left out. */
static double split_rhat(const double z[], struct shape s)
{
    size_t n = s.steps / 2 * s.walkers, m = 2 * s.ensembles;
    double within = 0, sum = 0, square = 0, between;

    for (size_t i = 0; i < m; i++) {
        size_t step = i % 2 ? s.steps - s.steps / 2 : 0;
        const double *half = &z[(i / 2 * s.steps + step) * s.walkers];
        double mean = mean_of(half, n);
        within += variance_of(half, n) / (double) m;
        sum += mean;
        square += mean * mean;
    }
    between = (square - sum * sum / (double) m) / (double) (m - 1);
    return sqrt(((double) (n - 1) / (double) n * within + between) / within);
}

/* Autocovariance of c[n] at a lag, about its mean. */
static double autocovariance(const double c[], size_t n, size_t lag)
{
    double mean = mean_of(c, n), sum = 0;
    for (size_t i = 0; i + lag < n; i++)
        sum += (c[i] - mean) * (c[i + lag] - mean);
    return sum / (double) n;
}

/* Correlation of m chains c[m][n] at a lag, by the variance over all of them. */
static double correlation_at(const double c[], size_t m, size_t n, size_t lag, double within,
                             double total)
{
    double mean = 0;
    for (size_t i = 0; i < m; i++)
        mean += autocovariance(&c[i * n], n, lag) / (double) m;
    return 1 - (within - mean * (double) n / (double) (n - 1)) / total;
}

/* Effective number of steps of m chains c[m][n], by Geyer's initial monotone sequence of pairs of
 * lags; *total receives their variance. */
static double independent_steps(const double c[], size_t m, size_t n, double *total)
{
    double within = 0, sum = 0, square = 0, tau = -1, last = INFINITY;

    for (size_t i = 0; i < m; i++) {
        double mean = mean_of(&c[i * n], n);
        within += variance_of(&c[i * n], n) / (double) m;
        sum += mean;
        square += mean * mean;
    }
    *total = (double) (n - 1) / (double) n * within +
             (square - sum * sum / (double) m) / (double) (m - 1);
    for (size_t lag = 0; lag + 1 < n; lag += 2) {
        double pair = correlation_at(c, m, n, lag, within, *total) +
                      correlation_at(c, m, n, lag + 1, within, *total);
        if (!(pair > 0))
            break;
        last = fmin(last, pair);
        tau += 2 * last;
    }
    /* the effective size of chains whose values alternate is limited (Stan's rule) */
    tau = fmax(tau, 1 / log10((double) (m * n)));
    return (double) (m * n) / tau;
}

/* Each ensemble is cut in halves, whose means over the walkers are the chains. */
static double effective(const double z[], struct shape s, double mean[])
{
    size_t half = s.steps / 2, m = 2 * s.ensembles;
    double total, steps;

    for (size_t i = 0; i < m; i++)
        for (size_t t = 0; t < half; t++) {
            size_t step = (i % 2 ? s.steps - half : 0) + t;
            mean[i * half + t] = mean_of(&z[(i / 2 * s.steps + step) * s.walkers], s.walkers);
        }
    steps = independent_steps(mean, m, half, &total);
    return steps * variance_of(z, s.ensembles * s.steps * s.walkers) / total;
}

/* Of the share below (above) a quantile of all values. */
static double tail_effective(const double x[], struct shape s, double threshold, bool above,
                             const struct room *room)
{
    size_t n = s.ensembles * s.steps * s.walkers;
    for (size_t i = 0; i < n; i++)
        room->z[i] = above ? x[i] >= threshold : x[i] <= threshold;
    return effective(room->z, s, room->mean);
}

static void judge(const double x[], struct shape s, const struct room *room,
                  struct cf_convergence *out)
{
    size_t n = s.ensembles * s.steps * s.walkers;
    double median, low, high, *folded = room->folded;

    normal_scores(x, n, room->order, room->z);
    out->rhat = split_rhat(room->z, s);
    out->ess_bulk = effective(room->z, s, room->mean);
    median = x[room->order[n / 2]];
    low = x[room->order[(size_t) (tail * (double) n)]];
    high = x[room->order[n - 1 - (size_t) (tail * (double) n)]];
    for (size_t i = 0; i < n; i++)
        folded[i] = fabs(x[i] - median);
    normal_scores(folded, n, room->order, room->z);
    out->rhat = fmax(out->rhat, split_rhat(room->z, s));
    out->ess_tail =
        fmin(tail_effective(x, s, low, false, room), tail_effective(x, s, high, true, room));
}

static bool constant(const double x[], size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (x[i] != x[0])
            return false;
    return true;
}

int cf_convergence(const double x[], size_t ensembles, size_t steps, size_t walkers,
                   struct cf_convergence *out, struct cf_error *err)
{
    struct shape s = {.ensembles = ensembles, .steps = steps, .walkers = walkers};
    size_t n = ensembles * steps * walkers;
    struct room room = {.z = calloc(n, sizeof *room.z),
                        .mean = calloc(ensembles * steps, sizeof *room.mean),
                        .folded = calloc(n, sizeof *room.folded),
                        .order = calloc(n, sizeof *room.order)};
    int status = room.z && room.mean && room.folded && room.order
                     ? CF_OK
                     : cf_fail(err, CF_ENOMEM, "no memory for %zu draws", n);

    *out = (struct cf_convergence){(double) NAN, (double) NAN, (double) NAN};
    if (!status && !constant(x, n))
        judge(x, s, &room, out);
    free(room.z);
    free(room.mean);
    free(room.folded);
    free(room.order);
    return status;
}
