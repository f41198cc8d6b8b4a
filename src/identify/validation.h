/* New data against a fit: every row with its predictive interval, and tests whether the rows agree
 * with the fit.
 *
 * The errors of the fitted parameters are common to all rows, so that the residuals r, in their
 * own sigmas, have the covariance V = 1 + H C H^T, H the gradients. The tests allow for it:
 *
 * bias mean of r: its variance includes the parameters' errors, common to all rows
 * trend     the sum of r (x - mean x), x the place on the axis or its logarithm, in the same way
 * scatter   r^T V^-1 r against chi-square, or F where sigma is the fit's estimate
 *
 * Where rows come in clusters (estimate/clusters.h), three at least, bias and trend go by how the
 * clusters' own scatter, and the scatter of rows is not tested.
 *
 * Where errors of a record follow each other in the fit they do in new rows, by the same model: r,
 * H and the weights of a sum are made independent alike.
 */

#ifndef CF_IDENTIFY_VALIDATION_H
#define CF_IDENTIFY_VALIDATION_H

#include "identify/model.h"
#include "judge/fit_result.h"

/* A data set of the new study. */
struct cf_validated_set {
    size_t data;   /* of the fit, whose pair it is compared with */
    size_t fitted; /* judged values that are among the fitted ones, and so are not new */
    bool settled;  /* numbers of its own were fitted to it, which predictions of its rows have */
};

struct cf_validation {
    const struct cf_model *model;
    struct cf_spec spec; /* the new data under the model's law; its apparatus is owned, no more */
    struct cf_problem problem;               /* the rows that are judged, current sigmas */
    struct cf_validated_set *set;            /* spec.ndata */
    struct cf_predicted *predicted;          /* problem.nobservation, predictive intervals */
    double *gradient;                        /* nfree each: of the predictions by theta */
    const struct cf_model_channel **channel; /* whose estimated sigma a row has; NULL: stated */
    double *white;   /* (1 + nfree) columns of problem.nobservation: residuals and gradients, in
                      * sigmas,   made independent where errors of a record follow each other */
    size_t unjudged; /* values that the fit does not identify */
    size_t inside;
    double parameter_share; /* of the intervals' variance, mean over rows */
    double rms_sigma;       /* of residuals, in sigmas of the measurement */
    double rms_predictive;  /* in standard deviations of the prediction */
    struct cf_tests tests;
    bool agrees;
    size_t noutside, nworst, worst[5]; /* observations outside their intervals: how many; the
                                        * furthest of them, the furthest first */
    char summary[600];
    struct cf_statements reasons, cautions;
    struct cf_statements accounts; /* what a protocol counts over whole data sets */
};

/* Compare the data sets of `data` with the fit. Fails where nothing can be compared. Both must
 * outlive the result; curves are for predictions. */
int cf_validate(const struct cf_model *model, const struct cf_spec *data, struct cf_curves *curves,
                struct cf_validation **validation, struct cf_error *err);
void cf_validation_free(struct cf_validation *validation);

/* Fit the starts of segments and what `data` names as nuisances, to each segment by itself, and
 * predict from them. */
int cf_validate_starts(struct cf_validation *v, struct cf_curves *curves,
                       const struct cf_spec *data, struct cf_error *err);

/* Fill white. */
int cf_validate_whiten(struct cf_validation *v, struct cf_error *err);

/* Fill the tests; then verdict, reasons and cautions in words: parts of cf_validate(), too. */
int cf_validate_tests(struct cf_validation *v, struct cf_error *err);
int cf_validate_words(struct cf_validation *v, struct cf_error *err);

/* Fill the accounts. */
int cf_validate_accounts(struct cf_validation *v, struct cf_error *err);

#endif
