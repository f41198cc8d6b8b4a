/* The clock of a record: stamps that step back or begin anew, gaps, samples that are missing, steps
 * that differ, a unit that cannot be. Private to src/study. */

#ifndef CF_STUDY_RECORD_TIMES_H
#define CF_STUDY_RECORD_TIMES_H

#include "study/parts.h"

/* `rules` of a record over time. */
enum cf_record_rule {
    CF_RECORD_GAP,     /* a step of more than so many medians is a gap */
    CF_RECORD_JITTER,  /* sd of steps over their median above which it is reported */
    CF_RECORD_CLIPPED, /* rows at an extreme from which a sensor is taken as clipped */
    CF_RECORD_WRAP,    /* bits of the counter of the clock; 0: it does not begin anew */
    CF_RECORD_NRULE
};
int cf_record_rules(const struct cf_yaml *set, double rule[CF_RECORD_NRULE], struct cf_error *err);

/* A clock while rows are read, zeroed but for rule. */
struct cf_record_clock {
    const double *rule;
    bool begun, lost;       /* it stepped back once: that is reported, and no other step */
    double last_s, added_s; /* the time before; what the turns of its counter add up to */
    size_t last_line, nturn, turn_line;
};

/* The time of the next row that is not excluded: where a counter began anew it goes on, as the
 * rules say; one that steps back otherwise is an error, which has neither place nor name. */
int cf_record_stamp(struct cf_record_clock *clock, const struct cf_column_source *column,
                    size_t line, double *time_s, struct cf_error *err);

/* The median of its steps from row to row, of many rows by a sample of them; 0: no two rows.
 * `chosen`: rows were left out between, and only lines that follow each other are a step. */
double cf_record_median_step(const struct cf_dataset *d, bool chosen);

/* Report on the times of a record that was read from this source. */
int cf_record_tell_times(struct cf_study *study, const struct cf_source *source,
                         const struct cf_dataset *d, const struct cf_record_clock *clock,
                         struct cf_error *err);

#endif
