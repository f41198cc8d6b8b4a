/* Rows of a table that are unlike all beside them, as a slip of typing makes them: a restitution of
 * 1.72 among 0.7, a speed of 200 m/s among 2. They are found from the table alone, before any law.
 *
 * A reading is odd where it leaves the range of its neighbours along the axis by a factor of 2, and
 * is ten times as far from the line between them as is usual for the other rows. At the end of the
 * axis another behaviour may begin: there it must be one that its protocol remarks on as well, as a
 * rebound above its impact. A place is odd where it alone lies a factor of 8 beyond all others,
 * and the file is in order without it; or a factor of 50, in any order.
 *
 * Rows are compared with those of the same conditions. Records are not judged, where a reading may
 * jump; nor where many rows are odd.
 */

#ifndef CF_JUDGE_ODD_ROWS_H
#define CF_JUDGE_ODD_ROWS_H

#include "estimate/spec.h"

struct cf_odd_row {
    size_t data, row;
    size_t channel;        /* the reading; or CF_NO_CHANNEL: its place on the axis */
    double value, nearest; /* SI: what stands there, and the nearest that its neighbours have */
    char *text; /* "drops.csv:8: restitution 1.72 at speed 1.53 m/s, where rows beside it have
                 * 0.698 to 0.713" */
};

struct cf_odd_rows {
    size_t n;
    struct cf_odd_row *item;
};

/* To be cleared, also after a failure. */
int cf_odd_rows(const struct cf_spec *spec, struct cf_odd_rows *out, struct cf_error *err);
void cf_odd_rows_clear(struct cf_odd_rows *rows);

#endif
