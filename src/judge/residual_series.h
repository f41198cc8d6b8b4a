/* The residuals of one quantity in the orders in which they are looked at. */

#ifndef CF_JUDGE_RESIDUAL_SERIES_H
#define CF_JUDGE_RESIDUAL_SERIES_H

#include "judge/residual_tests.h"

struct cf_residual_series {
    size_t n;
    double *abscissa, *r; /* along the axis; r in sigmas; n each, allocated as one, as are: */
    double *by_row;       /* r in the order of the rows, data set by data set */
    double *by_set;       /* r along the axis, up in one data set and down in the next */
    double *work, *rank;  /* room */
    size_t *order;        /* room */
    double dof;
    bool has_rows; /* whose order is another than that along the axis */
};

/* Where each observation stands on the axis, place[nobservation]. Where its own error is stated, a
 * row read too far along leaves a residual that is too low on a rising law: rows of one place would
 * be sorted by their residuals. What these tell of the error, its mean given them, is taken off; so
 * a place has no correlation with its row's residuals. For orders only: a curve that was fitted
 * where rows were read is judged there. */
void cf_find_places(const struct cf_fitted *of, double place[]);

/* Of observations of one quantity, at[n] into of->place, sorted along the axis and by row where
 * they share a place. To be cleared, also after a failure. */
int cf_residual_series_make(struct cf_residual_series *series, const struct cf_fitted *of,
                            const double *const at[], size_t n, struct cf_error *err);
void cf_residual_series_clear(struct cf_residual_series *series);

/* A row with its place in the order of measuring. */
struct cf_measured {
    size_t data, order, at; /* at: its index among the observations, or those of the series */
};

/* Sort rows as they were measured, data set by data set. */
void cf_measured_sort(struct cf_measured row[], size_t n);

/* The observations that are tested with a channel, as they were measured: into row[], which has
 * room for all. Their number. */
size_t cf_measured_with(const struct cf_problem *problem, size_t channel, struct cf_measured row[]);

/* Do the residuals of a channel and those tested with it lie below what the digits of the readings
 * carry, or the accuracy of predictions? Then they show what is rounded, and are not tested. */
bool cf_residuals_are_exact(const struct cf_fitted *of, size_t channel);

#endif
