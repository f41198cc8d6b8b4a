/* Tables and lists of a page that may be long. The first entries stand open; the next are folded
 * away behind a line that says how many they are; of what is beyond that the number is told: the
 * JSON that the page is made from has all. Terminals show the first. Private to src/report. */

#ifndef CF_REPORT_LISTING_H
#define CF_REPORT_LISTING_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct cf_listing {
    FILE *out;
    const char *what;         /* the entries, many of them: "tests" */
    size_t n;                 /* of all entries */
    size_t open;              /* of those that stand open; a few more do where they are the last */
    const char *const *heads; /* of a table; NULL: a list */
    size_t nhead;
    bool bare; /* neither: entries that are elements of their own */
    size_t done;
};

void cf_listing_begin(struct cf_listing *listing);

/* Before each entry, and once for each: is it to be written? */
bool cf_listing_next(struct cf_listing *listing);

void cf_listing_end(struct cf_listing *listing);

/* Would so many entries be folded? */
bool cf_listing_is_long(size_t n, size_t open);

/* The test that is shown behind another (SIZE_MAX: the first): as they stand, or if they are to be
 * folded the smallest p first. SIZE_MAX: none is. Each looks at all tests, so that no memory is
 * needed that may be missing in the middle of a page; no more are shown than a listing has. */
size_t cf_listing_next_test(const json_t *tests, size_t before);

/* What stands open: statements, as many as a terminal shows; tests and rows; data sets. */
enum { CF_OPEN_STATEMENTS = 16, CF_OPEN_ROWS = 40, CF_OPEN_SETS = 10 };

#endif
