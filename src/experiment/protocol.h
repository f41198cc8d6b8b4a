/* Experiments: one row for each lab protocol. Apparatus and law give predicted observables. */

#ifndef CF_EXPERIMENT_PROTOCOL_H
#define CF_EXPERIMENT_PROTOCOL_H

#include "experiment/dataset.h"
#include "impact/impact.h"

enum cf_role {
    CF_ROLE_IMPOSED,  /* what was done: read, not predicted */
    CF_ROLE_MEASURED, /* what was seen: predicted, and compared */
};

struct cf_column {
    const char *name; /* "restitution": key in studies and reports */
    const char *unit; /* SI */
    const char *what; /* one line */
    enum cf_role role;
    double lower, upper;        /* accepted range, ends included */
    bool restitution_only;      /* an e-law can predict it */
    const char *const *guesses; /* other names of such a column, for `init`; NULL-terminated */
};

/* The prediction of one row. */
struct cf_prediction {
    unsigned known; /* bit mask over columns */
    double value[CF_MAX_COLUMN];
    double by_param[CF_MAX_COLUMN][CF_MAX_PARAM];
    double by_imposed[CF_MAX_COLUMN]; /* by the imposed quantity in use */
};

struct cf_protocol {
    const char *name; /* "impact" */
    const char *what;
    size_t ncolumn;
    const struct cf_column *column;

    /* What a whole row must obey once its cells are read (an imposed quantity is there; speed and
     * drop height agree; restitution below 1 + 3 sigma). The message says what is wrong with the
     * row, without file and line. Remarks that are no error go to note[size], "" when none. */
    int (*check_row)(const struct cf_dataset *d, size_t row, char note[], size_t size,
                     struct cf_error *err);

    /* The column of the imposed quantity that this row is driven by (speed or drop_height). */
    size_t (*imposed)(const struct cf_dataset *d, size_t row);

    /* The speed that plots and trend tests use [m/s]. */
    double (*abscissa)(const struct cf_dataset *d, size_t row);

    /* Predict a row of d. */
    int (*predict)(struct cf_curves *curves, const struct cf_law *law, const double p[],
                   const struct cf_dataset *d, size_t row, struct cf_prediction *out,
                   struct cf_error *err);

    /* The same values by direct integration at a relative tolerance, without derivatives: the
     * reference for the bias of the fast way. */
    int (*integrate)(const struct cf_law *law, const double p[], const struct cf_dataset *d,
                     size_t row, double tolerance, struct cf_prediction *out, struct cf_error *err);
};

extern const struct cf_protocol *const cf_protocols[]; /* NULL-terminated */
const struct cf_protocol *cf_protocol_find(const char *name);

/* Index of a column by name, or ncolumn. */
size_t cf_protocol_column(const struct cf_protocol *protocol, const char *name);

#endif
