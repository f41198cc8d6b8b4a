/* Ranges of numbers, for axes. Private to src/report. */

#ifndef CF_REPORT_RANGE_H
#define CF_REPORT_RANGE_H

/* Starts as CF_RANGE_EMPTY and grows; NaN is ignored. */
struct cf_range {
    double low, high;
};
#define CF_RANGE_EMPTY                                                                             \
    {                                                                                              \
        HUGE_VAL, -HUGE_VAL                                                                        \
    }

/* Grow until x lies within. */
void cf_range_include(struct cf_range *range, double x);

/* Grow by a share of the width on either side; a range without width by a tenth of its value. */
void cf_range_pad(struct cf_range *range, double share);

#endif
