#include "identify/power.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>

/* Two sizes this far apart, in their logarithm, hold the one that is sought between them: the share
 * that is seen rises by some third there, many times its binomial error. */
static const double STEP = 0.25;

/* The level of the interval of a size; and the largest correlation that is tried. */
static const double size_level = 0.95, largest_correlation = 0.99;

/* Where the search begins: with the tests of a fit, of which there are about so many, and with a
 * correlation that is often found. */
static const double about_tests = 8, first_correlation = 0.7;

/* A departure of a size, as a disturbance of the noise. */
struct disturbing {
    const struct cf_departure *departure;
    double size;
};

/* Errors of the same sigma that follow each other. The first numbers are the same for every size.
 */
static void correlate(const struct disturbing *d, const struct cf_problem *truth, gsl_rng *rng,
                      double sigma[], double extra[])
{
    const struct cf_departure *s = d->departure;
    double before = 0;

    for (size_t i = 0; i < s->n; i++) {
        size_t row = s->row[i];
        bool first =
            i == 0 || truth->observation[row].data != truth->observation[s->row[i - 1]].data;
        double fresh = gsl_ran_gaussian(rng, 1);
        before = first ? fresh : d->size * before + sqrt(1 - d->size * d->size) * fresh;
        extra[row] += sigma[row] * before;
        sigma[row] = 0;
    }
}

static void disturb(const void *owner, const struct cf_problem *truth, gsl_rng *rng, double sigma[],
                    double extra[])
{
    const struct disturbing *d = owner;

    if (d->departure->kind == CF_DEPARTURE_NEIGHBOURS)
        correlate(d, truth, rng, sigma, extra);
    for (size_t i = 0; i < d->departure->n && d->departure->by; i++)
        extra[d->departure->row[i]] += d->size * d->departure->by[i];
}

/* Does a rule see a departure of this kind? */
static bool sees(enum cf_verdict_rule rule, enum cf_departure_kind kind)
{
    const struct cf_rule_row *row = &cf_rules[rule];
    bool of_noise = row->accuses == CF_ACCUSES_INDEPENDENCE || row->accuses == CF_ACCUSES_ORDER ||
                    row->accuses == CF_ACCUSES_SYMMETRY || row->accuses == CF_ACCUSES_SIZE ||
                    row->accuses == CF_ACCUSES_PAIRS;

    return row->word == CF_VERDICT_MISFIT ||
           (kind == CF_DEPARTURE_NEIGHBOURS && row->word == CF_VERDICT_WEAK && of_noise);
}

int cf_power_share(const struct cf_selftest_plan *plan, const struct cf_departure *departure,
                   double size, const struct cf_workers *workers, double *share,
                   struct cf_error *err)
{
    const struct disturbing of = {departure, size};
    const struct cf_disturbance disturbance = {disturb, &of};
    struct cf_selftest_plan with = *plan;
    struct cf_replicates seen = {0};
    size_t count = 0;

    with.nrival = 0;
    with.disturbance = &disturbance;
    int status = cf_selftest_run(&with, workers, &seen, err);
    for (size_t i = 0; i < seen.n && !status; i++) {
        bool found = false;
        for (int r = 0; r < CF_NRULE; r++)
            found = found ||
                    (seen.replicate[i].found[r] && sees((enum cf_verdict_rule) r, departure->kind));
        count += found;
    }
    *share = (double) count / (double) plan->replicates;
    cf_replicates_clear(&seen);
    return status;
}

/* ---- the search, in the logarithm of the size, of a correlation of its hyperbolic arc tangent */

static double place_of(const struct cf_departure *s, double size)
{
    return log(s->kind == CF_DEPARTURE_NEIGHBOURS ? atanh(size) : size);
}

static double size_at(const struct cf_departure *s, double place)
{
    return s->kind == CF_DEPARTURE_NEIGHBOURS ? tanh(exp(place)) : exp(place);
}

/* A place, and the share that is seen there; NAN: the readings have no room for it. */
struct tried {
    double at, share;
};

struct search {
    const struct cf_selftest_plan *plan;
    const struct cf_departure *departure;
    const struct cf_workers *workers;
    double share, most;     /* wanted; the last place */
    struct tried low, high; /* below and not below it; at: infinite where there is none */
};

static int probe(struct search *s, double at, struct cf_error *err)
{
    struct tried here = {.at = at};
    int status = cf_power_share(s->plan, s->departure, size_at(s->departure, at), s->workers,
                                &here.share, err);

    if (status == CF_ERANGE)
        here.share = (double) NAN;
    else if (status)
        return status;
    *(here.share < s->share ? &s->low : &s->high) = here;
    return CF_OK;
}

/* By steps that double until the share lies between two, which are then halved. */
static int narrow(struct search *s, double at, struct cf_error *err)
{
    double step = STEP;
    int status = probe(s, at, err);

    while (!status && s->low.at < s->most && s->high.at - s->low.at > STEP * (1 + 1e-9)) {
        if (isfinite(s->low.at) && isfinite(s->high.at))
            at = (s->low.at + s->high.at) / 2;
        else if (isfinite(s->low.at))
            at = fmin(s->low.at + step, s->most);
        else
            at = s->high.at - step;
        step *= 2;
        status = probe(s, at, err);
    }
    return status;
}

/* Of a share that is counted in n experiments, so that none is 0 or 1. */
static double deviate(double share, double n)
{
    return gsl_cdf_ugaussian_Pinv((share * n + 0.5) / (n + 1));
}

static void interpolate(const struct search *s, struct cf_power *power)
{
    double n = (double) s->plan->replicates, low, high;
    double below = deviate(s->low.share, n), above = deviate(s->high.share, n);
    double slope = (above - below) / (s->high.at - s->low.at);
    double wanted = gsl_cdf_ugaussian_Pinv(s->share);
    double at = s->low.at + fmin(fmax((wanted - below) / slope, 0), s->high.at - s->low.at);

    cf_binomial_interval((size_t) lround(s->share * n), s->plan->replicates, size_level, &low,
                         &high);
    power->reached = true;
    power->size = size_at(s->departure, at);
    power->low = size_at(s->departure, at - (gsl_cdf_ugaussian_Pinv(high) - wanted) / slope);
    power->high = size_at(s->departure, at + (wanted - gsl_cdf_ugaussian_Pinv(low)) / slope);
}

int cf_power_find(const struct cf_selftest_plan *plan, const struct cf_departure *departure,
                  double share, const struct cf_workers *workers, struct cf_power *power,
                  struct cf_error *err)
{
    bool neighbours = departure->kind == CF_DEPARTURE_NEIGHBOURS;
    double most = neighbours ? largest_correlation : departure->typical;
    double level = plan->fitted->options.p_reject / about_tests;
    double begin = neighbours ? first_correlation : cf_departure_seen(departure, level, share);
    struct search s = {.plan = plan,
                       .departure = departure,
                       .workers = workers,
                       .share = share,
                       .most = place_of(departure, most),
                       .low = {.at = -(double) INFINITY},
                       .high = {.at = (double) INFINITY}};

    *power = (struct cf_power){.size = (double) NAN, .low = (double) NAN, .high = (double) NAN};
    if (isinf(begin) || !(most > 0)) /* the parameters follow it */
        return CF_OK;
    if (!(begin > 0)) /* no such test: another one may see it */
        begin = most / 2;
    int status = narrow(&s, place_of(departure, fmin(begin, most)), err);
    if (status)
        return status;
    power->largest = isfinite(s.low.at) ? size_at(departure, s.low.at) : 0;
    if (isfinite(s.high.at) && !isnan(s.high.share) && isfinite(s.low.at))
        interpolate(&s, power);
    return CF_OK;
}
