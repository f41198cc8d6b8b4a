/* What a rig can be set to for one more record: the speed of a plate, the time of a hold. `design`
 * compares records at several values.
 *
 * A protocol whose rows make up a record has a table of these; each makes the record that the rig
 * would give, without noise, sampled as its records are. Values are above 0 and log-spaced.
 */

#ifndef CF_EXPERIMENT_SETTING_H
#define CF_EXPERIMENT_SETTING_H

#include "experiment/protocol.h"

/* A record has so many rows at most: more than this is a slip of the value or of the length. */
enum { CF_SETTING_MOST_ROWS = 1000000 };

struct cf_setting {
    const char *name, *unit; /* "plate_speed", SI */
    const char *one, *many;  /* "a plate speed", "plate speeds": in messages */
    const char *what;        /* one line */
    double lower, upper;     /* accepted, ends included */

    /* May this number of the apparatus differ among the records of one rig? */
    bool (*varies)(size_t parameter);

    /* What it was in a record; *done: it was, else a value to begin with, where no record of the
     * rig has had it. NAN: no further record can be made like this one. */
    double (*read)(const struct cf_dataset *d, bool *done);

    /* The record of the rig of `like`, whose apparatus is apparatus[] here, under a law with
     * value[] as in a request (parameters, that apparatus, 0 for starts). Measured channels that
     * `like` has are filled, without noise; complete() of the protocol is not called. length_s: of
     * the record; NAN: as long as `like`. *out is to be cleared, also after a failure. CF_ERANGE
     * where there is no such record, CF_ESOLVE where the law cannot be integrated. */
    int (*record)(const struct cf_dataset *like, const struct cf_law *law, const double value[],
                  double setting, double length_s, struct cf_dataset *out, struct cf_error *err);
};

/* The median time between the rows of a record that count; NAN: there are not two. */
double cf_setting_step(const struct cf_dataset *d, size_t time_channel);

/* A data set like `like` with rows at from_s + i step_s up to until_s, its apparatus from
 * apparatus[]. CF_ERANGE where these are too many, or none. */
int cf_setting_rows(const struct cf_dataset *like, const double apparatus[], size_t time_channel,
                    double from_s, double until_s, double step_s, struct cf_dataset *out,
                    struct cf_error *err);

#endif
