/* A fit as a JSON document, "contactfit": "fit/3": what fit files hold and pages are made from. */

#ifndef CF_DOCUMENT_FIT_JSON_H
#define CF_DOCUMENT_FIT_JSON_H

#include <jansson.h>

#include "document/json_value.h"
#include "document/points.h"
#include "estimate/reading.h"
#include "judge/fit_result.h"
#include "study/study.h"

/* `command` is the command line as the reader may repeat it. NULL when out of memory. */
json_t *cf_fit_json(const struct cf_study *study, const struct cf_fit *fit, const char *command);

/* What a protocol says of an axis and of a channel; the channel's is put into j. */
json_t *cf_json_axis(const struct cf_axis *axis);
void cf_json_channel_words(const struct cf_protocol *protocol, size_t channel, json_t **j);

/* Root mean squares by channel, over all data sets that measured it: mean_square[nchannel], NAN
 * for channels to leave out. */
json_t *cf_json_rms(const struct cf_problem *problem, const double mean_square[]);

/* Rows of a problem that a document lists. */
struct cf_told_rows {
    const struct cf_problem *problem;
    const struct cf_predicted *predicted; /* nobservation: of the readings */
    const struct cf_reading *reading;     /* nobservation; NULL: all are plain */
    const bool *hold;                     /* nobservation: those that are held */
    const char *use;                      /* "fit" or "held-out" */
};

/* Append the observations that are held, with their predictions, and what those that give the
 * headline say of it. Where a gain or bias was fitted along, the observation has the `true_value`
 * that the reading gives, too, and the headline follows from that. */
void cf_json_observations(const struct cf_told_rows *rows, json_t **all);
void cf_json_headline_points(const struct cf_told_rows *rows, json_t **all);

/* Tests of the residuals of a problem's channels. */
json_t *cf_json_tests(const struct cf_problem *problem, const struct cf_tests *tests);

/* Statements as a list of texts. */
json_t *cf_json_statements(const struct cf_statements *list);

/* The parts that have a file of their own. NULL when out of memory. */
json_t *cf_fit_json_parameters(const struct cf_fit *fit);
json_t *cf_fit_json_combinations(const struct cf_fit *fit);
json_t *cf_fit_json_nuisances(const struct cf_fit *fit);
json_t *cf_fit_json_covariance(const struct cf_fit *fit);
json_t *cf_fit_json_uncertainty(const struct cf_fit *fit);
/* Of a data set that was cut into several segments, or into one with rows left over. */
void cf_fit_json_put_record(const struct cf_dataset *d, json_t **to);
json_t *cf_fit_json_data(const struct cf_fit *fit);
int cf_fit_json_put_points(const struct cf_fit *fit, json_t **document, struct cf_error *err);
json_t *cf_fit_json_curves(const struct cf_fit *fit);

/* Of each data set that has a loop. reading[nobservation]. */
json_t *cf_fit_json_loops(const struct cf_fit *fit, const struct cf_reading reading[]);

json_t *cf_fit_json_rivals(const struct cf_fit *fit);
json_t *cf_fit_json_bootstrap(const struct cf_fit *fit);
/* Nothing where there is no posterior, or none that has converged. */
void cf_fit_json_put_predictive(const struct cf_fit *fit, json_t **document);
json_t *cf_fit_json_posterior(const struct cf_fit *fit); /* of a fit that has one, as is: */
json_t *cf_fit_json_noise(const struct cf_fit *fit);     /* what is sampled along with it */
json_t *cf_json_plausibility(const struct cf_plausibility *plausibility);
json_t *cf_fit_json_smoothness(const struct cf_fit *fit); /* of one that smooths something */
json_t *cf_fit_json_adequacy(const struct cf_fit *fit);
json_t *cf_fit_json_budget(const struct cf_fit *fit);     /* of a study that states uncertainties */
json_t *cf_fit_json_errors(const struct cf_fit *fit);
json_t *cf_fit_json_loss(const struct cf_fit *fit);
json_t *cf_fit_json_outliers(const struct cf_fit *fit);
json_t *cf_fit_json_leave_one_out(const struct cf_fit *fit);
json_t *cf_fit_json_ties(const struct cf_spec *spec);
json_t *cf_fit_json_study(const struct cf_study *study);

#endif
