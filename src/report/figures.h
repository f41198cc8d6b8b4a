/* The rows of the figures; private to src/report. */

#ifndef CF_REPORT_FIGURES_H
#define CF_REPORT_FIGURES_H

#include "report/figure.h"

extern const struct cf_figure cf_figure_headline_log;
extern const struct cf_figure cf_figure_headline;
extern const struct cf_figure cf_figure_difference;
extern const struct cf_figure cf_figure_tournament;
extern const struct cf_figure cf_figure_loops;
extern const struct cf_figure cf_figure_prediction;
extern const struct cf_figure cf_figure_segments;
extern const struct cf_figure cf_figure_stribeck;
extern const struct cf_figure cf_figure_measurements;
extern const struct cf_figure cf_figure_residuals;
extern const struct cf_figure cf_figure_quantiles;
extern const struct cf_figure cf_figure_autocorrelation;
extern const struct cf_figure cf_figure_marginals;
extern const struct cf_figure cf_figure_chains;
extern const struct cf_figure cf_figure_predictive;
extern const struct cf_figure cf_figure_evidence;
extern const struct cf_figure cf_figure_agreement;
extern const struct cf_figure cf_figure_profiles;
extern const struct cf_figure cf_figure_correlation;
extern const struct cf_figure cf_figure_starts;
extern const struct cf_figure cf_figure_simulators;

#endif
