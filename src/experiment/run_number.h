/* Numbers of the runs of a record: what a use asks of a whole impact, loop or cycle, where its
 * readings one by one are asked by nobody.
 *
 * A trace may miss every reading by a small shift in time and be as good as any for its use; a
 * number of each run, along what differs from run to run, says what matters: the peak force of
 * impacts over their speed, the work lost in loops over their amplitude.
 */

#ifndef CF_EXPERIMENT_RUN_NUMBER_H
#define CF_EXPERIMENT_RUN_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"
#include "experiment/protocol.h"

/* A run: rows [first, first + count) of a data set. */
struct cf_run {
    size_t first, count;
    size_t split; /* rows before this one are before what the run is about, as a step; first: all
                   * are behind it */
    double place; /* along the number's axis; of one without, 0 */
};

/* Readings of a run, in their order. */
struct cf_run_readings {
    size_t n, split;  /* those from `split` on are behind what the run is about */
    const double *at; /* n: what they go over, SI */
    const double *y;  /* n, SI */
};

/* A row of a protocol's table. */
struct cf_run_number {
    const char *name; /* "peak_force": in a study's `needed` */
    const char *label, *unit;
    size_t channel;             /* the measured one that it is made of */
    size_t over;                /* and the imposed one over which that is taken */
    const struct cf_axis *axis; /* along which runs differ; NULL: they are repeats */
    size_t but; /* the number of the apparatus that is this axis, by which data sets differ;
                 * CF_NO_CHANNEL: none is */

    /* The runs of a data set with their places, into run[room]; how many there are. A place that is
     * NAN is not known, and the run is left out. */
    size_t (*cut)(const struct cf_dataset *d, struct cf_run run[], size_t room);

    /* The number, and its derivatives by[n] by the readings. false: these readings have none. */
    bool (*find)(const struct cf_run_readings *r, double *value, double by[]);
};

/* The number of that name, of one of its measured channels; NULL: the protocol has none. */
const struct cf_run_number *cf_run_number_find(const struct cf_protocol *protocol,
                                               const char *name);

/* The runs of a data set: *run, n of them, to be freed. */
int cf_runs_cut(const struct cf_dataset *d, const struct cf_run_number *number, struct cf_run **run,
                size_t *n, struct cf_error *err);

/* ---- rows of `cut`: each segment of a data set is a run, at the mean of a channel, or all at 0.
 */
size_t cf_runs_by_mean(const struct cf_dataset *d, size_t channel, struct cf_run run[],
                       size_t room);
size_t cf_runs_repeated(const struct cf_dataset *d, struct cf_run run[], size_t room);

/* Runs are loops of a channel, from one turning point to the second behind it, at their amplitude:
 * half of the way between the turning points. A turn is a way back of at least this part of the
 * segment's range. */
size_t cf_runs_by_loop(const struct cf_dataset *d, size_t channel, double turn, struct cf_run run[],
                       size_t room);

/* ---- rows of `find` */

/* The largest reading: the top of a parabola through those from four fifths of it on. */
bool cf_find_peak(const struct cf_run_readings *r, double *value, double by[]);

/* The largest less the smallest reading, each by a parabola. */
bool cf_find_span(const struct cf_run_readings *r, double *value, double by[]);

/* The integral of y over at by the trapezoidal rule; closed by a line from the last to the first
 * reading, the area that a loop encloses, and the same of the readings as abscissae. */
bool cf_find_integral(const struct cf_run_readings *r, double *value, double by[]);
bool cf_find_area(const struct cf_run_readings *r, double *value, double by[]);
bool cf_find_area_across(const struct cf_run_readings *r, double *value, double by[]);

/* How long y is above half of its peak; and when it falls, behind its peak, through the middle
 * between its largest and its smallest reading. */
bool cf_find_width(const struct cf_run_readings *r, double *value, double by[]);
bool cf_find_fall(const struct cf_run_readings *r, double *value, double by[]);

/* The last reading. */
bool cf_find_last(const struct cf_run_readings *r, double *value, double by[]);

/* The extreme behind the split, and the level at the end, each less the level before the split. A
 * level is the mean of the last fifth. The extreme lies on the side of the larger of both ways from
 * that level. */
bool cf_find_jump(const struct cf_run_readings *r, double *value, double by[]);
bool cf_find_change(const struct cf_run_readings *r, double *value, double by[]);

#endif
