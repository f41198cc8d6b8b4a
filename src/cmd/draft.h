/* A first study of a table.
 *
 * It is written to be edited: what only the user knows is marked FILL-IN, which every reader of
 * studies points at, and comments say what else could stand there. Text from the table is quoted.
 */

#ifndef CF_CMD_DRAFT_H
#define CF_CMD_DRAFT_H

#include <stdbool.h>
#include <stdio.h>

#include "core/text.h"
#include "experiment/registry.h"
#include "file/layout.h"
#include "study/guess.h"
#include "study/survey.h"

struct cf_draft {
    FILE *out;
    const char *file; /* the table's path, as the study names it; FILL-IN where it has none */
    const struct cf_protocol *protocol;
    struct cf_survey survey;  /* of the table */
    const struct cf_csv *csv; /* its head */
    struct cf_layout layout; /* how it is written, and where in the file it is */
    char name[CF_SHOWN]; /* of the data set and, with blanks, the title: stem of the file */

    /* what is found by cf_draft_put(): */
    struct cf_guess guess;
    const struct cf_law *law; /* to begin with; NULL: the user says */
    bool imposed, measured;   /* is there a column of that role? */
    bool asked;               /* does the draft ask which of several a column is? */
    bool beyond_common;       /* does one hold what not all laws predict? */
    const char *kinds;        /* a column that sorts the rows into kinds; NULL: none does */
};

/* Guess which column is which by their names, and write the study. Fails without memory, before
 * anything is written. */
int cf_draft_put(struct cf_draft *draft, const struct cf_registry *registry, struct cf_error *err);

#endif
