/* Lines of a table that are cut into cells, and its head: names of columns and their units. Private
 * to src/file. */

#ifndef CF_FILE_PARTS_H
#define CF_FILE_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"
#include "file/csv.h"

/* ---- lines */

/* The cells of the line that was cut last; zeroed before the first. */
struct cf_csv_line {
    size_t n, room;
    char **cell; /* trimmed; they lie where the caller wanted them */
    size_t *at;  /* character of the line at which each begins, from 1 */
    char *end;   /* where the next cell is going to lie: behind the last */
};

/* The longest line, in bytes: thousands of cells. */
enum { CF_CSV_LONGEST_LINE = 1 << 16 };

/* Refuse a line that, but for remarks, holds control characters. text[0..n) is without its
 * newline. */
int cf_csv_line_check(const char *path, size_t number, const char *text, size_t n, bool remark,
                      struct cf_error *err);

/* text[0..n) of that line, which ends at its newline text[n], is to be cut. */
struct cf_csv_cut {
    const char *path;
    size_t number;
    const char *text;
    size_t n;
    char delimiter;
};

/* Cut it into cells, which go to `to`, each with a NUL. `to` may be the text itself or lie before
 * it: no cell with its NUL is longer than what was read for it, with the delimiter. A line of
 * blanks has no cells. */
int cf_csv_line_split(const struct cf_csv_cut *cut, char *to, struct cf_csv_line *line,
                      struct cf_error *err);

/* Nothing but empty cells: a blank line, or what a spreadsheet leaves of one. */
bool cf_csv_line_blank(const struct cf_csv_line *line);

void cf_csv_line_free(struct cf_csv_line *line);

/* A copy of text[0..n) without blanks around it; NULL when out of memory. */
char *cf_csv_trimmed(const char *text, size_t n);

/* ---- the head */

/* Take the names of the columns from the line of that number; empty ones behind the last name are
 * no columns. A further line of names is joined to them, and at the end of names the units that
 * stand in them are found. */
int cf_csv_head_names(struct cf_csv *csv, const struct cf_csv_line *line, size_t number,
                      struct cf_error *err);
int cf_csv_head_join(struct cf_csv *csv, const struct cf_csv_line *line, struct cf_error *err);
int cf_csv_head_end(struct cf_csv *csv, struct cf_error *err);

/* Names for a table without them, whose first row this is: c1, c2. */
int cf_csv_head_number(struct cf_csv *csv, const struct cf_csv_line *line, size_t number,
                       struct cf_error *err);

/* Take the row of units: what is in a cell stands for brackets behind the name. */
int cf_csv_head_units(struct cf_csv *csv, const struct cf_csv_line *line, size_t number,
                      struct cf_error *err);

/* In how many cells are units, of so many with text, but for a dash and 1? */
size_t cf_csv_head_count_units(const struct cf_csv_line *line, size_t *words);

/* Is each cell a number? */
bool cf_csv_all_numbers(const struct cf_csv_line *line, char decimal);

/* Is none? */
bool cf_csv_no_number(const struct cf_csv_line *line, char decimal);

#endif
