/* One physical line of a CSV file cut into cells; private to src/file. */

#ifndef CF_FILE_CSV_LINE_H
#define CF_FILE_CSV_LINE_H

#include <csv.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

/* The cells of the line that was cut last; zeroed before the first. */
struct cf_csv_line {
    size_t n, room;
    char **cell; /* trimmed; they lie where the caller wanted them */
    size_t *at;  /* character of the line at which each begins, from 1 */
    char *end;   /* where the next cell is going to lie: behind the last */
    size_t begin;
    bool ended, no_memory;
};

/* The longest line, in bytes: thousands of cells. */
enum { CF_CSV_LONGEST_LINE = 1 << 16 };

/* Refuse a line that, but for remarks, holds control characters. text[0..n) is without its
 * newline. */
int cf_csv_line_check(const char *path, size_t number, const char *text, size_t n, bool remark,
                      struct cf_error *err);

/* Cut it into cells, which go to `to`, each with a NUL. text[n] is the line's newline. `to` may be
 * text itself or lie before it: no cell with its NUL is longer than what was read for it, with the
 * delimiter. A line of blanks has no cells. */
int cf_csv_line_split(struct csv_parser *parser, const char *path, size_t number, const char *text,
                      size_t n, char *to, struct cf_csv_line *line, struct cf_error *err);

/* Nothing but empty cells: a blank line, or what a spreadsheet leaves of one. */
bool cf_csv_line_blank(const struct cf_csv_line *line);

void cf_csv_line_free(struct cf_csv_line *line);

/* A copy of text[0..n) without blanks around it; NULL when out of memory. */
char *cf_csv_trimmed(const char *text, size_t n);

#endif
