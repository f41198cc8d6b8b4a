/* The bootstrap: the fit again on data that might have been measured instead.
 *
 * rows        each data set's rows drawn with replacement within the set; the columns of a row
 *             stay together; a prior is drawn anew about its value
 * parametric the law's predictions at the optimum with noise of the current sigmas (which carry
 *             the imposed quantity's); a prior is drawn anew about the optimum
 *
 * Intervals are BCa (Efron 1987) where they can be computed, else by percentile. The acceleration
 * of the rows is the jackknife's by sets (Davison & Hinkley 1997, eq. 5.26); the parametric one's
 * is 0, the skewness of the score of normal noise.
 */

#ifndef CF_RESAMPLE_BOOTSTRAP_H
#define CF_RESAMPLE_BOOTSTRAP_H

#include "core/parallel.h"
#include "estimate/optimum.h"

enum cf_bootstrap_kind { CF_BOOTSTRAP_ROWS, CF_BOOTSTRAP_PARAMETRIC, CF_NBOOTSTRAP };

/* Results of the replicates for one number; natural units. */
struct cf_resampled {
    bool known;
    double standard_error, bias; /* of the natural value */
    double low, high;
    bool bca; /* else by percentile */
};

struct cf_bootstrap {
    enum cf_bootstrap_kind kind;
    size_t replicates, failed;
    bool shown;
    char why[400];                    /* it is not */
    struct cf_resampled *parameter;   /* by unknown: those that the data identify */
    struct cf_resampled *combination; /* by optimum->combination; in one block with the other */
};

extern const char *const cf_bootstrap_name[CF_NBOOTSTRAP];

/* `usable`: the optimum is one to start from; otherwise nothing is drawn, and out->why says so.
 * Replicate i draws from the stream (seed, i), so the number of workers changes no bit. A replicate
 * that fails is no error: see out->failed; nothing is shown when there are too many of them. *out
 * is to be cleared, also after a failure. */
int cf_bootstrap(const struct cf_optimum *optimum, bool usable, enum cf_bootstrap_kind kind,
                 size_t replicates, const struct cf_workers *workers, struct cf_bootstrap *out,
                 struct cf_error *err);

void cf_bootstrap_clear(struct cf_bootstrap *bootstrap);

/* The BCa interval of n replicates, sorted, of an estimate: acceleration a. False where it cannot
 * be computed: the estimate outside of its replicates, or ends beyond the outermost of them. */
bool cf_bootstrap_bca(const double sorted[], size_t n, double estimate, double a, double level,
                      double *low, double *high);

#endif
