/* A fit as a law that can be used again: parameters, what is known of them, and the pairs
 * that they were fitted on.
 *
 * At another radius law/radius.h says what becomes of them.
 */

#ifndef CF_IDENTIFY_MODEL_H
#define CF_IDENTIFY_MODEL_H

#include "estimate/problem.h"
#include "estimate/serial_model.h"
#include "experiment/rig.h"
#include "identify/reference.h"
#include "law/contact_law.h"

/* A measured column of the fit and the part of the covariance that its scatter made. */
struct cf_model_channel {
    size_t data, column; /* data: the first */
    bool *of;            /* the data sets that it is of */
    bool estimated;
    double sigma, dof;
    double base, slope,
        exponent;   /* sigma^2 = base^2 + slope^2 |x|^(2 exponent) beside what is known
                     * of each row, and `sigma` the root mean square of all of it */
    double imposed; /* that of what is imposed alone; 0: sigma holds it, or no error of
                     * it was stated */
    double shared;  /* what rows of a group share; 0: nothing */
    double gain;    /* the same, as a share of the reading */
    double *share;  /* nfree * nfree */
    struct cf_serial_model serial; /* how errors of its rows follow each other; its partial[] is its
                                    * own */
    double serial_rows, serial_step_s; /* of how many rows that is known, and how far apart they
                                        * were; NAN: no clock */
};

/* The standard deviation of a new row that is predicted to be y, in a group of its own but for what
 * groups differ in as a parameter: of one whose sigma is stated; and of one at a place of the axis
 * by the fit's, beside a floor, and what is imposed where the fit knows that apart: that of the
 * row, or where it states none (0) that of the fitted rows. */
double cf_model_sigma(const struct cf_model_channel *channel, double sigma, double y);
double cf_model_own_sigma(const struct cf_model_channel *channel, double abscissa, double floor,
                          double imposed, double y);

/* A measured number that the law was fitted to. */
struct cf_fitted_value {
    size_t data, line, column;
};

struct cf_model {
    char *path;    /* of the fit file */
    char *title;   /* of its study; NULL: none */
    char *status;  /* "misfit" */
    char *verdict; /* "misfit: REASON; REASON" */
    char *reasons; /* the same reasons, a line each */
    const struct cf_law *law;
    struct cf_contact_laws made; /* the law, where it has two parts */
    size_t nrig;
    struct cf_rig **rig; /* protocols of data sets that are made of scenes, which the fit does not
                            hold */
    struct cf_spec spec; /* pairs of the data sets and their files' hashes, without rows;
                          * options of the study */
    struct cf_problem problem; /* unknowns and scales; no observations */
    double *theta;             /* nfree */
    double *covariance;        /* nfree * nfree: of theta, in the row space */
    size_t nnull;
    double *null;                /* nnull * nfree: directions that the data do not identify */
    bool *dead;                  /* nfree */
    double *differ, *differ_dof; /* nfree: the variance of theta from group to group, and its
                                  * degrees of freedom; 0: groups do not differ in it */
    bool of_new_group; /* what is said is of a group that was not fitted: its theta differs, too */
    size_t nchannel;
    struct cf_model_channel *channel;
    size_t nfitted;
    struct cf_fitted_value *fitted;
    size_t nreference;
    struct cf_reference *reference; /* of its curves */
    bool thinned;                   /* fitted holds only some of them */
    double axis_low, axis_high;     /* of the fitted rows of the first protocol */
    double gravity_m_s2;
    bool trusted;
    bool failed; /* no optimum was found, */
    bool partly; /* what the data identify can be used, though not all parameters can: nothing is
                  * wrong but that some of them are known only together */
};

void cf_model_free(struct cf_model *model);

/* The data set of that name; the first for NULL. */
int cf_model_data(const struct cf_model *model, const char *name, size_t *data,
                  struct cf_error *err);

/* The law's parameters p[law->nparam] on a pair of radius radius_m that is otherwise like that of
 * a data set of the fit, and (NULL to skip) their slopes by theta, [law->nparam * nfree]. A
 * parameter that the fit did not need is NAN. CF_ERANGE when the law has no rule for another
 * radius. */
int cf_model_params(const struct cf_model *model, size_t data, double radius_m, double p[],
                    double slope[], struct cf_error *err);

/* The fitted law's predictions of n cells, each a channel of a row, in one request. */
struct cf_model_prediction {
    bool known;      /* the law and its parameters determine it */
    bool identified; /* and the data identify all that it depends on */
    double value, by_imposed;
    double *gradient; /* nfree, by theta: the caller's room */
};
int cf_model_predict(const struct cf_model *model, struct cf_curves *curves, size_t data,
                     const struct cf_dataset *d, size_t n, const size_t row[],
                     const size_t channel[], struct cf_model_prediction out[],
                     struct cf_error *err);

/* Variance of gradient . theta: of the mean of all groups, or of a new one. */
double cf_model_variance(const struct cf_model *model, const double gradient[]);

/* Degrees of freedom of gradient . theta with a variance of its own on top (0: the curve itself).
 * `channel` is the one whose estimated sigma that variance is, NULL where it was stated. INFINITY
 * when nothing in it was estimated. */
double cf_model_dof(const struct cf_model *model, const double gradient[], double variance,
                    const struct cf_model_channel *channel);

/* Half width of its interval at the study's level, by Student's t. */
double cf_model_half_width(const struct cf_model *model, const double gradient[], double variance,
                           const struct cf_model_channel *channel);

/* The channel of a column: of that data set, else of any; NULL for none. */
const struct cf_model_channel *cf_model_channel_of(const struct cf_model *model, size_t data,
                                                   size_t column);

#endif
