/* How throws end, and the bounds on v_small from that: the approach speed below which a ball no
 * longer bounces.
 *
 * An impact that another one followed had a rebound, so v_small lies below its speed. Where the
 * record goes on, and a rebound like those before would have been seen, the last impact had none:
 * v_small lies above its speed. Where the record ends before, or the next rebound would have been
 * too short or too low to be seen, the end gives no bound. */

#ifndef CF_EXPERIMENT_BOUNCE_END_H
#define CF_EXPERIMENT_BOUNCE_END_H

#include "experiment/protocol.h"

enum cf_bounce_end_kind {
    CF_BOUNCE_END_UNKNOWN,    /* a table of stamps says nothing of what came later */
    CF_BOUNCE_END_RECORD,     /* the record ends before the next impact: a throw without end */
    CF_BOUNCE_END_UNRESOLVED, /* the next rebound would not have been seen */
    CF_BOUNCE_END_SILENT,     /* it would have been recorded: at rest, caught or too quiet */
    CF_BOUNCE_END_REST,       /* the ball is seen at rest */
    CF_BOUNCE_NEND
};

/* One throw: its slowest impact that another one followed, and where it stands; its last one. */
struct cf_bounce_end {
    enum cf_bounce_end_kind kind;
    double seen_m_s, last_m_s;
    size_t line;
};

/* A remark on the ends of n throws, which also joins what is known of the data set's origin.
 * `limit`: what hides short or low rebounds, with its rule. None where there is no throw. */
int cf_bounce_tell_ends(struct cf_dataset *d, size_t n, const struct cf_bounce_end end[],
                        const char *limit, const struct cf_remarks *remarks, struct cf_error *err);

#endif
