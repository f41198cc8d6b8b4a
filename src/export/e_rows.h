/* Rows of e over the logarithm of the speed, between which cubics with the slopes of the rows are
 * drawn (Hermite). */

#ifndef CF_EXPORT_E_ROWS_H
#define CF_EXPORT_E_ROWS_H

#include "identify/reference.h"

struct cf_e_row {
    double log_speed; /* ln(v/(m/s)) */
    double e;
    double slope; /* de/d ln v; limited so that a cubic is monotone where its ends' e differ */
};

struct cf_e_table {
    size_t n; /* at least 2 */
    struct cf_e_row *row;
    double error; /* largest difference from the law that was seen, at eight points between rows; 0
                   * of measurements */
};

/* Between two rows, at a share of the way in ln v. */
double cf_e_rows_between(const struct cf_e_row *a, const struct cf_e_row *b, double share);

/* A slope beside an interval over which e rises by `rise` a unit, so that the cubic is monotone
 * there: F. N. Fritsch and R. E. Carlson, SIAM J. Numer. Anal. 17 (1980) 238. */
double cf_e_rows_limit(double slope, double rise);

/* e at a speed; beyond the ends that of the last row. */
double cf_e_table_at(const struct cf_e_table *table, double speed_m_s);

/* The smoothed measurements (identify/reference.h), as they are or monotone, e in [0, 1]; and
 * limits at a level, low and high of each row. The caller clears *out, also after a failure. */
int cf_e_table_smooth(const struct cf_reference *curve, bool monotone, double level,
                      struct cf_e_table *out, double low[], double high[], struct cf_error *err);

void cf_e_table_clear(struct cf_e_table *table);

#endif
