/* One data set in memory: the rows of one protocol on one pair of bodies, in SI. */

#ifndef CF_EXPERIMENT_DATASET_H
#define CF_EXPERIMENT_DATASET_H

#include <stdbool.h>
#include <stddef.h>

#include "law/pair.h"

enum { CF_MAX_COLUMN = 12 }; /* more than any protocol has */

enum cf_sigma_kind {
    CF_SIGMA_NONE,     /* imposed without sigma: exact; or the column is absent */
    CF_SIGMA_GIVEN,    /* stated by the study or by a column, in sigma[] */
    CF_SIGMA_ESTIMATE, /* one per column, estimated from the residuals */
};

enum cf_row_use { CF_ROW_FIT, CF_ROW_HELD_OUT, CF_ROW_EXCLUDED };

struct cf_protocol;

struct cf_dataset {
    char *name;
    const struct cf_protocol *protocol;
    char *file;      /* path as written in the study; NULL for rows inside the study */
    char sha256[65]; /* of the file's bytes; of the study's for rows inside it */
    struct cf_pair pair;
    size_t nrow;
    double *value;        /* nrow * protocol->ncolumn, row-major, SI */
    double *sigma;        /* the same shape; 0 where none is stated */
    unsigned *measured;   /* nrow bit masks over columns: the cell was filled */
    size_t *line;         /* nrow: line in the file that the row came from */
    enum cf_row_use *use; /* nrow */
    char **because;       /* nrow: why a row is excluded; NULL where it is not */
    enum cf_sigma_kind kind[CF_MAX_COLUMN];
    char **provenance; /* the `#` lines at the head of the file, without the mark */
    size_t nprovenance;
};

/* Allocate the arrays of nrow rows, zeroed; CF_ENOMEM when there is no room. */
int cf_dataset_alloc(struct cf_dataset *d, const struct cf_protocol *protocol, size_t nrow,
                     struct cf_error *err);

/* Free what is in it, not itself; accepts a half-built one. */
void cf_dataset_clear(struct cf_dataset *d);

double cf_dataset_value(const struct cf_dataset *d, size_t row, size_t column);
double cf_dataset_sigma(const struct cf_dataset *d, size_t row, size_t column);
bool cf_dataset_has(const struct cf_dataset *d, size_t row, size_t column);

#endif
