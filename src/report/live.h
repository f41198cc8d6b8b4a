/* Live figures: what a script of the page needs in order to show rows under the pointer and under
 * the keys, switch series off and zoom. Without scripts a page is whole. Private to src/report.
 *
 * A figure's block has the numbers of its chart, and each point there says of which row of which
 * table it is; the block of the fit has the rows. Blocks are data (application/json), in which no
 * text of a file can end the element or be run.
 */

#ifndef CF_REPORT_LIVE_H
#define CF_REPORT_LIVE_H

#include <jansson.h>
#include <stdio.h>

#include "core/status.h"
#include "report/chart.h"

/* Rows of a fit beyond which its figures are pictures alone: they would make the page heavy, and
 * lie on each other. The page then says so. */
enum { CF_LIVE_ROWS = 5000 };

/* Units of figures on a page, dots of gnuplot's SVG, an inch of their charts. */
#define CF_LIVE_PER_INCH 90.0

/* The policy of a page, a <meta>, by which one script of ours alone may run: as it is written,
 * piece by piece, NULL-terminated; NULL: none may. */
void cf_live_policy(const char *const script[], FILE *out);

/* The script, for the end of the body. */
void cf_live_script(const char *const script[], FILE *out);

/* That of pages with fits. */
extern const char *const cf_live_pieces[];

/* A document, which is taken over, as the text and the end of an element that was begun; with so
 * many digits, 0 for as many as read back as the same. */
int cf_live_block(json_t *document, size_t digits, FILE *out, struct cf_error *err);

/* How many rows a fit or a validation has. */
size_t cf_live_count(const json_t *fit);

/* The rows of a fit, or of a validation: one block for all of its figures, whose anchors begin with
 * this prefix. */
int cf_live_rows(const json_t *fit, const char *prefix, FILE *out, struct cf_error *err);

/* A chart of it, settled as it was drawn; nothing where none of its points is a row, or where it is
 * in space or has an axis without a range. */
int cf_live_figure(const json_t *fit, const struct cf_chart *chart, const char *prefix, FILE *out,
                   struct cf_error *err);

#endif
