/* Where the tables of a file are, and how they are written. */

#ifndef CF_FILE_LAYOUT_H
#define CF_FILE_LAYOUT_H

#include "file/csv.h"

/* More tables of a file, and more lines of its head with numbers, are not told. */
enum { CF_MOST_BLOCKS = 999, CF_MOST_REMARKS = 40, CF_MOST_MARKS = 8 };

/* One of them. */
struct cf_block {
    size_t header_line; /* of its names; of its first row where it has none */
    size_t names;       /* as in cf_csv_form */
    bool unit_row;
    size_t last_line, nrow, ncolumn;
};

struct cf_layout {
    struct cf_csv_form form; /* of the block that was taken */
    size_t nblock, taken;    /* from 0 */
    struct cf_block block[CF_MOST_BLOCKS];
    bool alone; /* nothing but it stands below its names: no study needs to say which it is */
    size_t nremark;
    char *remark[CF_MOST_REMARKS]; /* lines above the block with numbers in them */
    size_t nmark;
    char *mark[CF_MOST_MARKS]; /* texts in columns of numbers that say that there is none */
};

/* How a file is written and which table is meant: of those that are long the first, or the one of
 * that number, from 1. What is stated is not guessed: marks, encoding, and where names are; 0 where
 * it is not. To be cleared, also after a failure. */
int cf_layout_guess(const char *path, const struct cf_csv_form *stated, size_t number,
                    struct cf_layout *layout, struct cf_error *err);

/* The same where the form says how cells are cut; its lines become those of the block. */
int cf_layout_find(const char *path, size_t number, struct cf_csv_form *form, struct cf_error *err);

void cf_layout_clear(struct cf_layout *layout);

#endif
