/* The least-squares problem of a law on some data sets.
 *
 * The transformed parameter: theta = ln x for a parameter on a log scale, theta = x for one on a
 * linear scale. All derivatives, covariances and steps of the fit are in theta.
 *
 * Residuals are sqrt(weight robust) (measured - predicted)/sigma, one for each observation,
 * followed by one for each prior. Those of one row that share the error of an imposed quantity are
 * made independent (estimate/shared_error.h).
 */

#ifndef CF_ESTIMATE_PROBLEM_H
#define CF_ESTIMATE_PROBLEM_H

#include "estimate/spec.h"

/* One measured number. */
struct cf_observation {
    size_t data, row, column;
    size_t channel;  /* index of its column of its data set */
    double abscissa; /* on the axis of its protocol */
    double value;    /* measured [SI] */
    double sigma0;   /* stated, for the measurement alone; 0 where it is estimated */
    double sigma;    /* current: with the imposed quantity's sigma carried over, or estimated */
    double shared;   /* share of sigma that comes from the imposed quantity, with its sign */
    double weight;   /* of its cost in every sum: 1; count of a resampled row; 0: left out */
    double robust;   /* w(z) of the loss, kept by cf_sigma_update(); 1 with squares */
};

/* A measured column of a data set: what shares a sigma and is tested together. */
struct cf_channel {
    size_t data, column;
    bool estimated; /* sigma comes from the residuals */
    double sigma;   /* estimated value, or the root mean square of the stated ones */
    size_t n;       /* observations */
    double dof;     /* n less this channel's share of the parameters */
    double floor;   /* least sigma that the accuracy of the predictions can carry */
};

/* A free parameter. */
struct cf_unknown {
    const char *name; /* as in the study */
    const char *unit, *what;
    enum cf_scale scale;
    double lower, upper; /* theta */
    double start;        /* theta; NAN when none is stated */
    bool has_prior;
    double prior, prior_sigma;    /* theta */
    size_t target;                /* the law's parameter */
    const struct cf_alias *alias; /* NULL for the parameter itself */
};

struct cf_problem {
    const struct cf_law *law;
    const struct cf_spec *spec;
    struct cf_curves *curves; /* not owned */
    struct cf_loss loss;
    size_t nfree;
    struct cf_unknown unknown[CF_MAX_PARAM];
    size_t nobservation;
    struct cf_observation *observation; /* ordered by data set and row */
    size_t nchannel;
    struct cf_channel *channel;
    double pivot_m; /* depth at which a power law with free exponents states force and damping */
    size_t nprior;
    size_t nresidual; /* nobservation + nprior */
};

enum cf_scope {
    CF_SCOPE_ALL,    /* every measured column */
    CF_SCOPE_COMMON, /* only what an e-law predicts, too: for comparing rivals */
};

/* Build the problem of spec with `law`: spec->law with the study's free and given parameters, or a
 * rival, whose parameters are all free except those that the study gives. Rows are those of `use`.
 * *problem is the caller's to cf_problem_free(), also after a failure. */
int cf_problem_init(struct cf_problem *problem, const struct cf_spec *spec,
                    const struct cf_law *law, struct cf_curves *curves, enum cf_row_use use,
                    enum cf_scope scope, struct cf_error *err);
void cf_problem_free(struct cf_problem *problem);

/* The depth that the study states, or one from its data: the median of the measured depths, or of
 * those estimated from durations; 1 mm without either. */
int cf_pivot_choose(const struct cf_spec *spec, double *pivot_m, struct cf_error *err);

/* Fill problem->unknown: the study's free parameters for its own law; for a rival all that the
 * study does not give. Called by cf_problem_init(). */
int cf_problem_choose(struct cf_problem *problem, struct cf_error *err);

/* The law's parameters p[law->nparam] for a data set, and (NULL to skip) dp/dtheta as
 * slope[law->nparam * nfree]. A parameter that is neither free nor given is NAN. */
int cf_problem_params(const struct cf_problem *problem, size_t data, const double theta[],
                      double p[], double slope[], struct cf_error *err);

/* Residuals r[nresidual] and (NULL to skip) their Jacobian J[nresidual * nfree], row-major. */
int cf_problem_residuals(const struct cf_problem *problem, const double theta[], double r[],
                         double J[], struct cf_error *err);

/* Predictions y[nobservation] [SI] and (NULL to skip) dy/dtheta as slope[nobservation * nfree].
 * by_imposed, when not NULL, receives dy/d(imposed quantity). */
int cf_problem_predict(const struct cf_problem *problem, const double theta[], double y[],
                       double slope[], double by_imposed[], struct cf_error *err);

/* Natural value of a theta, and back. */
double cf_unknown_value(const struct cf_unknown *unknown, double theta);
double cf_unknown_theta(const struct cf_unknown *unknown, double value);

/* -1 or +1 when theta is at the lower or upper bound of its unknown, else 0. */
int cf_unknown_at_bound(const struct cf_unknown *unknown, double theta);

#endif
