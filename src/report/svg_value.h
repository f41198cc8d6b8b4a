/* Values of attributes in an SVG. Private to src/report. */

#ifndef CF_REPORT_SVG_VALUE_H
#define CF_REPORT_SVG_VALUE_H

#include "report/svg_tag.h"

enum { CF_SVG_VALUE = 32 }; /* size of a colour or a name */

/* Numbers, words and what parts them, without the name of another place. */
bool cf_svg_harmless(struct cf_svg_piece value);

/* Is this an attribute with a number, a word or a few of them, which is written as it is? */
bool cf_svg_is_plain(struct cf_svg_piece name);

/* A colour as "#0072b2" or a word; black, white and greys as the page's own, "var(--ink)". The
 * value is harmless and shorter than CF_SVG_VALUE. */
void cf_svg_colour(struct cf_svg_piece value, char out[CF_SVG_VALUE]);

/* A number without zeros at its end, "2.60" as "2.6"; a word as it is. The value is shorter than
 * CF_SVG_VALUE. */
void cf_svg_number(struct cf_svg_piece value, char out[CF_SVG_VALUE]);

/* Does something that is drawn refer to the definition with this id, itself or by others? */
bool cf_svg_used(const char *svg, const char *end, struct cf_svg_piece id);

/* What the figure says that it shows: the text of its first <desc>, with markup as entities; of
 * length 0 for none. */
struct cf_svg_piece cf_svg_description(const char *svg, const char *end);

#endif
