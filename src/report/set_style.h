/* How the points of a data set look, in all figures of a fit alike. Private to src/report. */

#ifndef CF_REPORT_SET_STYLE_H
#define CF_REPORT_SET_STYLE_H

#include <jansson.h>

#include "report/chart.h"

enum cf_point_use { CF_POINT_FIT, CF_POINT_HELD_OUT, CF_POINT_EXCLUDED, CF_NPOINT_USE };

/* Of an observation or of a point of the main channel. */
enum cf_point_use cf_point_use(const json_t *point);

/* The marker of the points of a data set, by its place in the file:
 *
 *   sets 1 to 8     circle, square, triangle, triangle down, diamond, pentagon, plus, star: black
 *   sets 9 to 16    the same: green;  then plum, blue, brown, dark green, violet, red
 *   from set 65 on  all of these again, smaller each time
 *
 * Points that were fitted are filled, or a bare plus or star; those that were held out are open, a
 * plus and a star in a ring, and larger, in a colour that goes with the set's own (vermilion with
 * black); those that are excluded are grey crosses.
 * Of rows of two kinds, strokes of a loop, those of the second are open. */
struct cf_style cf_set_style(size_t set, enum cf_point_use use, bool second);

/* Data sets up to which the key names each. */
enum { CF_SETS_NAMED = 24 };

/* Can a name of the file stand in a figure as it is? One that is long, or no plain text, goes by
 * its number there. */
bool cf_readable(const char *name);

/* The entry of a data set's points: of one that is alone "measured", "held out", "excluded"; of
 * several its name, or its number where that is long or no plain text. Excluded points have one
 * entry for all sets, which the caller sees to. */
void cf_set_title(const json_t *fit, struct cf_chart_series *series, enum cf_key key, size_t set,
                  enum cf_point_use use, bool alone);

#endif
