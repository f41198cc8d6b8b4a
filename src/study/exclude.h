/* `exclude` of a data set: rows by their lines, and windows of time of a record. Private to
 * src/study.
 */

#ifndef CF_STUDY_EXCLUDE_H
#define CF_STUDY_EXCLUDE_H

#include "experiment/protocol.h"
#include "file/yaml.h"

/* One entry: lines from..to, or times from..to, ends included. */
struct cf_exclude {
    const struct cf_yaml *at; /* where it says which */
    const char *because;
    bool window;
    size_t first, last;  /* lines */
    double from_s, to_s; /* of a window, on the clock */
};

struct cf_excludes {
    size_t n;
    struct cf_exclude *item;
    bool window; /* one of them is */
};

/* Read the list. `several`: channels have files of their own, and no line is that of a row. */
int cf_excludes_read(const struct cf_yaml *set, const struct cf_protocol *protocol, bool several,
                     struct cf_excludes *out, struct cf_error *err);
void cf_excludes_clear(struct cf_excludes *excludes);

/* Is a row of this line and this time (NAN: not known) left out? */
bool cf_excludes_has(const struct cf_excludes *excludes, size_t line, double time_s);

/* Exclude them in a data set that has its lines, or, of windows, its times. An entry that finds no
 * row is an error, and so is a row that is named twice by its line. */
int cf_excludes_put(const struct cf_excludes *excludes, bool windows, struct cf_dataset *d,
                    struct cf_error *err);

#endif
