/* The key of a figure file's picture: what tells its curves apart. Private to src/report. */

#ifndef CF_REPORT_DRAWING_KEY_H
#define CF_REPORT_DRAWING_KEY_H

#include "scene/law_figure.h"

enum { CF_MAX_KEY = 24, CF_LEGEND = 320 };

struct cf_key_entry {
    char
        text[CF_LEGEND]; /* enhanced: names of laws and parameters from their tables, and numbers */
    size_t width;        /* letters, about */
    const struct cf_law *law;
};

/* One key for all panels: curves with the same text look the same. */
struct cf_key {
    const struct cf_drawing *drawing;
    bool laws_differ; /* there is more than one law */
    bool by_law;      /* a colour a law, for laws with several curves */
    bool points;      /* some panel has points: an entry behind the others */
    size_t n, columns;
    struct cf_key_entry entry[CF_MAX_KEY];
};

int cf_key_make(struct cf_key *key, const struct cf_drawing *drawing, struct cf_error *err);

/* The entry of a curve of a panel. */
int cf_key_find(const struct cf_key *key, const struct cf_drawn_panel *panel,
                const struct cf_drawn *curve, size_t *entry, struct cf_error *err);

/* The key runs down its columns, so that the curves of a law stand below each other: how many lines
 * it has, and where an entry lies [inches from the left edge]. */
size_t cf_key_lines(const struct cf_key *key);
double cf_key_left(const struct cf_key *key, size_t entry);

const char *cf_key_colour(const struct cf_key *key, size_t entry);

#endif
