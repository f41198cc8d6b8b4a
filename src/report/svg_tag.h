/* The tags of an SVG, one after the other. Private to src/report. */

#ifndef CF_REPORT_SVG_TAG_H
#define CF_REPORT_SVG_TAG_H

#include <stdbool.h>
#include <stddef.h>

enum { CF_SVG_ATTRIBUTES = 24 };

struct cf_svg_piece {
    const char *at;
    size_t len;
};

struct cf_svg_tag {
    struct cf_svg_piece name;
    bool closes, empty; /* </g>, <path/> */
    size_t n;
    struct {
        struct cf_svg_piece name, value;
    } attribute[CF_SVG_ATTRIBUTES];
};

/* Read the tag that begins at **at, and move *at behind it. Comments, declarations and instructions
 * have an empty name. false: it is none, or does not end. Attributes beyond the last are an end, so
 * that none passes unseen. */
bool cf_svg_tag(const char **at, const char *end, struct cf_svg_tag *tag);

bool cf_svg_is(struct cf_svg_piece piece, const char *text);

/* The value of an attribute; NULL for none. */
const struct cf_svg_piece *cf_svg_value(const struct cf_svg_tag *tag, const char *name);

/* Is it the paper, which a figure on a page has from the page? No other rectangle of gnuplot begins
 * in the corner. */
bool cf_svg_is_paper(const struct cf_svg_tag *tag);

#endif
