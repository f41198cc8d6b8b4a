/* Guesses about a table that no study describes yet, for `contactfit init`. */

#ifndef CF_STUDY_GUESS_H
#define CF_STUDY_GUESS_H

#include "experiment/protocol.h"
#include "study/csv.h"

/* How the cells are cut and numbers are written, from the header and the first row. */
int cf_guess_marks(const char *path, char *delimiter, char *decimal, struct cf_error *err);

struct cf_guess {
    size_t column[CF_MAX_COLUMN]; /* column of each quantity; csv->ncolumn where none matches */
    size_t sigma[CF_MAX_COLUMN];  /* the column of its sigmas, the same way */
    char unit[CF_MAX_COLUMN][32]; /* to be stated in the study; "" where the header says it */
    bool assumed[CF_MAX_COLUMN];  /* that unit is given nowhere: it is assumed SI */
};

/* Which column holds which quantity, by its name; units must fit. */
void cf_guess_columns(const struct cf_csv *csv, const struct cf_protocol *protocol,
                      struct cf_guess *guess);

#endif
