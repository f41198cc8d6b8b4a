/* Times in tables: seconds, dates with times, or the count of a sample. */

#ifndef CF_FILE_TIME_H
#define CF_FILE_TIME_H

#include "file/csv.h"
#include "file/yaml.h"

/* Where the times of a table are. */
struct cf_time_source {
    size_t column;  /* of the table */
    double factor;  /* SI value of its unit; of counts it is 1 */
    double rate_Hz; /* of the samples that the column counts; 0: it has times */
    bool counted;   /* no column: the rows are the samples, the first of them at start_s */
    double start_s; /* of what is counted */
    bool begun;     /* what dates count from is known, else it is the first row's: */
    bool dated, zoned;
    long long zero_ns;
};

/* `rate` of a mapping; a mapping without `from` counts its rows. */
int cf_time_rate(const struct cf_yaml *node, struct cf_time_source *time, struct cf_error *err);

/* `start` of a mapping with a rate: when sample 0 was taken, a time or a date. */
int cf_time_start(const struct cf_yaml *node, struct cf_time_source *time, struct cf_error *err);

/* The time of a row in s: of dates since that of the first row, to the nanosecond, so that a day in
 * 2026 loses no digits. A column has either numbers or dates, and zones in all rows or in none. */
int cf_time_read(const struct cf_csv *csv, const struct cf_time_source *time, size_t row,
                 double *time_s, struct cf_error *err);

/* "2026-11-22T18:30:05.25", "2026-11-22 18:30:05Z", "2026-11-22 18:30:05+01:00": nanoseconds since
 * 1970 in *ns, of the zone if *zoned, else of the clock that wrote it. Leap seconds do not count.
 * False where it is none. */
bool cf_time_parse(const char *text, long long *ns, bool *zoned);

#endif
