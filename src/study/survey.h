/* What the columns of a table hold, seen while its rows go by: none of them is kept. Private to
 * the program: `contactfit init` guesses a study from it. */

#ifndef CF_STUDY_SURVEY_H
#define CF_STUDY_SURVEY_H

#include "experiment/protocol.h"
#include "file/csv.h"

/* A column with more different texts than this sorts the rows into no kinds. */
enum { CF_MOST_KINDS = 8 };

struct cf_seen_column {
    size_t nnumber;
    double low, high;    /* of the numbers, in the file's own unit */
    bool sorts;          /* it holds texts alone, and few: each is a kind of rows */
    double last;         /* of the numbers */
    double step, before; /* up from one number to the next: the first and the last so far */
    size_t nstep, neven; /* steps up; of them, even ones */
    size_t nsample;
    double *sample; /* the numbers of rows that are looked at, in their order; NULL: none */
    size_t nkind;
    char *kind[CF_MOST_KINDS]; /* in the order in which they come */
};

/* Rows whose numbers are kept: pieces of the table, spread over it; and of so many columns. */
enum { CF_SAMPLED_ROWS = 10000, CF_SAMPLED_PIECE = 500, CF_SAMPLED_COLUMNS = 64 };

struct cf_survey {
    size_t nrow;         /* that the table has, as far as is known before */
    struct cf_csv *head; /* names, units and the number of rows */
    size_t ncolumn;
    struct cf_seen_column *column;
};

/* To be cleared, also after a failure. The table has about so many rows. */
int cf_survey_read(struct cf_survey *survey, const char *path, const struct cf_csv_form *form,
                   size_t nrow, struct cf_error *err);
void cf_survey_clear(struct cf_survey *survey);

/* Does the column go up in even steps, as a clock does that samples are taken by? It may begin
 * anew. */
bool cf_survey_ticks(const struct cf_seen_column *seen);

/* Do the numbers of a column go so? Its clock may be NULL. */
bool cf_survey_goes(const struct cf_seen_column *seen, enum cf_gait gait);

#endif
