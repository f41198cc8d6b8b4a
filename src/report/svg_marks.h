/* Marks of one kind that stand one behind the other in an SVG: a point is a few bytes then, and not
 * an element. Private to src/report. */

#ifndef CF_REPORT_SVG_MARKS_H
#define CF_REPORT_SVG_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CF_SVG_MARKS_ALONE = 3, CF_SVG_MARK = 256 };

/* Begin with out and id, all else 0. */
struct cf_svg_marks {
    FILE *out;
    const char *id; /* what identifiers begin with */
    size_t paths;   /* so far */
    size_t n;       /* marks of the run */
    size_t corners; /* of its path */
    char kind[CF_SVG_MARK];
    char held[CF_SVG_MARKS_ALONE][CF_SVG_MARK]; /* the first, which may remain the only ones */
    long x, y;                                  /* of the last one, in tenths of a unit */
};

/* A tag as far as its end, "<use ... transform="translate(1.2,3.4) scale(2)" ...". More than a few
 * of them that differ in their place alone become the corners of one path, where the same mark is
 * drawn, to a tenth of a unit and once in one place. false: it is no mark, and nothing of it is
 * written. */
bool cf_svg_mark(struct cf_svg_marks *marks, const char *tag);

/* Before anything else is written to out. */
void cf_svg_marks_end(struct cf_svg_marks *marks);

#endif
