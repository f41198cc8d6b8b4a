/* Errors of records that neighbouring rows share: a stamp ends one interval and begins the next.
 *
 * A reading that is made of records t_k, and compared with a prediction by an imposed quantity that
 * is made of them, too, is off by sum of a_k dt_k, a_k = d reading/dt_k - (d prediction/d imposed)
 * (d imposed/dt_k). With independent errors of variance s_t^2 the readings of a data set have the
 * covariance
 *
 *     C = diag(sigma^2) + s_t^2 A A',
 *
 * which has five diagonals where each reading has three records, and two rows share some only if
 * they are no more than two readings apart. Its Cholesky factor makes the readings independent;
 * cost is linear in them. s_t is stated, or one of the estimated variances (estimate/reml.h).
 */

#ifndef CF_ESTIMATE_RECORDS_H
#define CF_ESTIMATE_RECORDS_H

#include "estimate/problem.h"

/* The records of one data set. */
struct cf_record {
    size_t data;
    bool estimated;  /* else the data set says each one's sigma */
    double variance; /* s_t^2 [SI^2] where it is estimated; 0 where nothing asks for it */
    bool identified; /* the data say something of it */
};

/* Two readings share records only if they are no further apart. */
enum { CF_RECORD_BAND = 2 };

/* What the errors of records do to one observation. */
struct cf_reading_link {
    size_t n, row[3]; /* its records */
    double by[3];     /* a_k [reading per record] */
    double known;     /* variance beside them: that of what is imposed (estimate/carried.h) */
    double band[CF_RECORD_BAND + 1]; /* sum of a_k a'_k over what it shares with the observation so
                                      * many before it, times s_t^2 where that is stated */
};

/* Find the records of a problem that has its observations, with variances of 0; links are those of
 * readings that are predicted to be what was measured. */
int cf_records_make(struct cf_problem *problem, struct cf_error *err);

/* Links of readings predicted[nobservation], which go with the imposed quantity by by_imposed[]. */
void cf_records_link(struct cf_problem *problem, const double predicted[],
                     const double by_imposed[]);

/* Of one observation, as far as cf_observation_sigma() depends on it. */
void cf_record_link(struct cf_problem *problem, size_t observation, double predicted,
                    double by_imposed);

/* Those of a copy that has the observations of `from`; to put them back into it; and to leave only
 * those of the observations, `nobservation` before, that a copy has kept. */
int cf_records_copy(struct cf_problem *copy, const struct cf_problem *from, struct cf_error *err);
void cf_records_restore(struct cf_problem *copy, const struct cf_problem *from);
void cf_records_close_up(struct cf_problem *problem, const bool keep[], size_t nobservation);

/* Do rows share errors with other rows: those of groups or of records? */
bool cf_shares_errors(const struct cf_problem *problem);

void cf_records_free(struct cf_problem *problem);

/* Does the observation share errors with those before it in its data set? */
bool cf_record_links(const struct cf_problem *problem, size_t observation);

/* Make the columns of A independent of the errors of records: column j at A[j * ld], in sigmas of
 * the observations' own. Adds what the records add to ln det C to *log_det (NULL to skip). */
void cf_records_whiten(const struct cf_problem *problem, double A[], size_t ncolumn, size_t ld,
                       double *log_det);

/* The standard deviation of an observation in all, its own and that of its records, without what
 * groups share. */
double cf_observation_sigma(const struct cf_problem *problem, size_t observation);

/* The variances of records of another problem on the same data sets. */
void cf_records_take(struct cf_problem *problem, const struct cf_problem *from);

/* Add drawn errors of records, and of what is imposed beside them, to the readings
 * value[nobservation]: normal(owner) is a standard normal number. */
int cf_records_draw(const struct cf_problem *problem, double (*normal)(void *owner), void *owner,
                    double value[], struct cf_error *err);

/* Sum over the observations of a data set's records of |a|^2/sigma^2, and how many they are. */
double cf_record_weight(const struct cf_problem *problem, size_t record, size_t *n);

/* What records add to the variance of a channel's readings, on average and over that of their own;
 * 0 where none of it are made of records. */
double cf_record_share(const struct cf_problem *problem, size_t channel);

#endif
