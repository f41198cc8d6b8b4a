/* Recovery: are known parameters found again from synthetic data on the same design?
 *
 * Data are made by a law at given parameters, fitted as the study's own would be, and counted: how
 * often a parameter is called fine and its interval covers the truth, each verdict, and how often a
 * fit that is called good is wrong.
 */

#ifndef CF_IDENTIFY_SELFTEST_H
#define CF_IDENTIFY_SELFTEST_H

#include "identify/synthetic.h"
#include "judge/fit_result.h"
#include "resample/bootstrap.h"

/* Data made otherwise than by the fit's own assumptions. */
struct cf_generator {
    const void *owner;
    /* The data sets of the spec, its number of them, and its groups; to be cleared, also after a
     * failure. */
    int (*make)(const void *owner, struct cf_curves *curves, uint64_t seed, uint64_t stream,
                struct cf_spec *spec, struct cf_error *err);
};

struct cf_selftest_plan {
    const struct cf_problem *truth;           /* the law that makes the data, on the design */
    const double *theta;                      /* of truth->unknown */
    const double *sigma;                      /* of truth->channel, where it is estimated */
    const struct cf_disturbance *disturbance; /* of the noise; NULL: none */
    const struct cf_generator *generator;     /* NULL: cf_simulate() makes the data */
    const struct cf_spec *fitted; /* the law, parameters and options of the fits; no data of it */
    const struct cf_law *const *rival; /* that each fit is judged beside; NULL: none */
    size_t nrival;
    size_t first, replicates; /* which: from this one on, so many */
    uint64_t seed;
    size_t bootstrapped; /* in the first so many replicates the bootstraps are made, too: */
    size_t bootstrap;    /* each with so many resamples */
};

/* What one replicate says of one parameter. */
struct cf_recovered {
    enum cf_worth worth;
    bool identified, covered, wald_covered, below;
    bool resampled[CF_NBOOTSTRAP], resampled_covered[CF_NBOOTSTRAP];
    double z, low, high; /* (estimate - truth)/standard error; ends of the profile interval */
};

/* One replicate. */
struct cf_replicate {
    size_t index;
    bool broken, false_success;
    char *why; /* it is broken */
    enum cf_verdict_status status;
    bool found[CF_NRULE];           /* the rules that were found in it */
    struct cf_recovered *parameter; /* nfree */
};

/* Some replicates, wherever they were made. */
struct cf_replicates {
    size_t n, nfree;
    struct cf_replicate *replicate;
    struct cf_recovered *room; /* n * nfree: of all parameters */
};

/* One fitted parameter. */
struct cf_recovery {
    char *name;
    const char *unit;
    bool known;                   /* the law that made the data has it: there is a truth to cover */
    double truth;                 /* natural units */
    size_t worth[CF_NWORTH];      /* how often it was called each */
    size_t covered, wald_covered; /* profile and Wald intervals of a `fine` one that cover it */
    size_t below, above;          /* the others: profile intervals wholly below, above the truth */
    size_t resampled[CF_NBOOTSTRAP], resampled_covered[CF_NBOOTSTRAP]; /* the same of bootstraps */
    size_t usable_covered;   /* the same of those called fine or weak */
    size_t identified;       /* fits that identify it, fine or not */
    double bias, bias_error; /* mean of (estimate - truth)/standard error over those; its error */
    double low, high;        /* medians of the ends of the profile intervals of those; NAN: none */
};

struct cf_selftest {
    size_t replicates;
    size_t broken; /* fits that ended with an error: among the failed; */
    char *why;     /* that of the first; NULL: none did */
    size_t verdict[CF_NVERDICT];
    size_t told[CF_NRULE]; /* how often a rule was found whose word was the verdict */
    size_t false_success;  /* good, and the truth outside of a 99.99 % region of the parameters */
    bool same_law;         /* the fitted law made the data */
    size_t nfree;
    struct cf_recovery *parameter; /* nfree */
};

/* Replicate i draws from streams of (seed, i) alone: neither the workers nor where the others are
 * made change a bit of it. A fit that fails is no error. *out is to be cleared, also after a
 * failure. */
int cf_selftest_run(const struct cf_selftest_plan *plan, const struct cf_workers *workers,
                    struct cf_replicates *out, struct cf_error *err);

/* Count replicates, which are in the order of their index: the same bits for the same replicates,
 * however they were divided. Only truth, theta and the fitted law of the plan are read. */
int cf_selftest_count(const struct cf_selftest_plan *plan, const struct cf_replicates *seen,
                      struct cf_selftest *out, struct cf_error *err);

/* Both in one. *out is to be cleared, also after a failure. */
int cf_selftest(const struct cf_selftest_plan *plan, const struct cf_workers *workers,
                struct cf_selftest *out, struct cf_error *err);

/* How many parameters each replicate fits. */
int cf_selftest_parameters(const struct cf_selftest_plan *plan, size_t *n, struct cf_error *err);

/* Room for n replicates of so many parameters. */
int cf_replicates_alloc(struct cf_replicates *replicates, size_t n, size_t nfree,
                        struct cf_error *err);
void cf_replicates_clear(struct cf_replicates *replicates);

void cf_selftest_clear(struct cf_selftest *selftest);

/* The counts of n that a true share leaves with probability `level` (equal tails). */
void cf_binomial_band(size_t n, double share, double level, size_t *low, size_t *high);

/* Clopper and Pearson's interval of the share of which `count` of n were seen. */
void cf_binomial_interval(size_t count, size_t n, double level, double *low, double *high);

/* Does the count of covering intervals lie in the 99.9 % band of the level? True without any.
 *
 * Counted are the intervals of parameters called fine, where that is what they are called nearly
 * always. Where it depends on the noise, those called fine are those whose scatter happens to be
 * small, and no interval from these can have its nominal coverage; then those called weak are
 * counted with them. n and covered receive (NULL to skip) what was counted. */
bool cf_recovery_holds(const struct cf_recovery *r, double level, size_t *n, size_t *covered);

/* The level of the bands that counts are held against. */
extern const double cf_coverage_band;

#endif
