/* Fitted parameters together, as the covariance in a fit/3 file has them; private to src/report. */

#ifndef CF_REPORT_JOINT_H
#define CF_REPORT_JOINT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Starts of single segments are left out. */
size_t cf_joint_count(const json_t *fit);

/* The parameter that stands at i; *logs: the covariance is that of its logarithm, "ln k". */
const char *cf_joint_name(const json_t *fit, size_t i, bool *logs);

double cf_joint_correlation(const json_t *fit, size_t a, size_t b);
double cf_joint_covariance(const json_t *fit, size_t a, size_t b);

/* What the figure of them says. */
void cf_joint_caption(const json_t *fit, FILE *html);

#endif
