/* The estimated variances of a fit as numbers that are sampled along with its parameters: in which
 * coordinates, with which priors.
 *
 * What the readings of a channel vary by in all, T: the sum of its own estimated variances, of
 * that of the records it is made of, each as it adds to the channel's readings on average, and of
 * what is stated of them. ln T is uniform, and what is estimated of it is divided among the n
 * estimated variances in any shares alike, so that their joint density is 1/T^n. For one sigma and
 * nothing beside it that is Jeffreys' prior, uniform in ln sigma; beside what is stated it has an
 * end at 0.
 *
 * The covariance of two columns of a row: their correlation is uniform in (-1, 1).
 *
 * tau^2 of an effect, at least 0: the root of Fisher's information on it, which is Jeffreys' prior
 * where all other variances are known (estimate/effects.h). For groups of one size that is
 * 1/(tau^2 + v), v being the variance of a group's mean without tau: flat below what the data can
 * see, and in the logarithm above it. With it the posterior of the mean of n such groups is
 * Student's t with n - 1 degrees of freedom where tau^2 is above 0 for sure: G. C. Tiao and W. Y.
 * Tan, Biometrika 52 (1965) 37.
 *
 * Models of errors that follow each other: each partial autocorrelation is uniform where it may be,
 * in (-1, 1), or of an autoregression beside white noise in (0, 1), as is its share.
 *
 * Held: effects and records of which the data say nothing, at 0; the power of the axis that a sigma
 * goes with; and which model errors follow, with the numbers of one that has more than are refined
 * (estimate/serial_search.h).
 */

#ifndef CF_RESAMPLE_NOISE_SPACE_H
#define CF_RESAMPLE_NOISE_SPACE_H

#include <gsl/gsl_rng.h>

#include "estimate/problem.h"
#include "estimate/reml.h"
#include "resample/ensemble.h"

enum cf_noise_coordinate {
    CF_NOISE_TOTAL,       /* ln sqrt(T) */
    CF_NOISE_SHARE,       /* of what the variances before it leave of the estimated part of T */
    CF_NOISE_CORRELATION, /* of a channel with its partner */
    CF_NOISE_EFFECT,      /* ln sqrt(tau^2 + beside) */
    CF_NOISE_PARTIAL,     /* atanh of a partial autocorrelation */
    CF_NOISE_SLOW,        /* logit of the share of an autoregression beside white noise */
};

struct cf_noise_number {
    enum cf_noise_coordinate coordinate;
    struct cf_variance_part part; /* what it is, in the problem's terms; */
    size_t at;      /* its place among all of the problem's variances; of PARTIAL, SLOW: among the
                     * numbers of its model */
    size_t serial;  /* of PARTIAL, SLOW: the model of the problem, */
    size_t channel; /* whose errors it is of; of TOTAL, SHARE: the one whose readings it adds to */
    size_t of;      /* of TOTAL: how many shares stand behind it */
    double weight;  /* of TOTAL, SHARE: what a reading's variance grows by for each unit of it */
    double beside;  /* of TOTAL: what is stated; of EFFECT: of a group's mean without it [SI^2] */
    double low, high, start, spread; /* of the coordinate; spread as of a standard error */
};

struct cf_noise_space {
    size_t nvariance; /* all of the problem's */
    struct cf_variance_part *part;
    double *value; /* at the optimum, 0 where it is held there */
    size_t wanted; /* how many there are to sample; n is less where that is more than there is room
                    * for */
    size_t n;
    struct cf_noise_number number[CF_MAX_DIM];
};

/* Those of a problem at its optimum. To be cleared, also after a failure. */
int cf_noise_space_make(struct cf_noise_space *space, const struct cf_problem *problem,
                        struct cf_error *err);
void cf_noise_space_clear(struct cf_noise_space *space);

/* Is it one of how errors follow each other? */
bool cf_noise_is_serial(const struct cf_noise_number *number);

/* Is it within its ends? x[n] are coordinates. */
bool cf_noise_inside(const struct cf_noise_space *space, const double x[]);

/* Put the variances at x[n] into a copy of the problem; *ln_prior is the density there in these
 * coordinates, up to a constant. room[nvariance]. */
int cf_noise_put(const struct cf_noise_space *space, const double x[], struct cf_problem *copy,
                 double room[], double *ln_prior, struct cf_error *err);

/* The number k at x[n] as it is told: a standard deviation [SI], a correlation or a share; for what
 * grows along the axis that at 1 of it. */
double cf_noise_value(const struct cf_noise_space *space, size_t k, const double x[]);

/* A coordinate as far from `centre` as `spread` of its standard errors are, within its ends. */
double cf_noise_scatter(const struct cf_noise_number *number, double centre, double spread,
                        gsl_rng *rng);

#endif
