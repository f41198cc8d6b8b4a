/* Axes of charts: their ranges and tics, and prefixes of units. Private to src/report. */

#ifndef CF_REPORT_AXIS_H
#define CF_REPORT_AXIS_H

#include "report/channel.h"
#include "report/chart.h"

/* A linear axis with round tics, all labels with the same number of decimals. */
void cf_axis_linear(struct cf_chart_axis *axis, struct cf_range range);

/* The next larger step of a linear axis. */
void cf_axis_sparser(struct cf_chart_axis *axis);

/* A logarithmic axis: labelled at 1, 2, 5, and where the range spans a factor of decade_from or
 * more at whole decades only. */
void cf_axis_log(struct cf_chart_axis *axis, struct cf_range range, double decade_from);

/* A logarithmic axis labelled at powers of ten, as such; the range has one. */
void cf_axis_decades(struct cf_chart_axis *axis, struct cf_range range);

/* Either kind in a small panel: two or three labelled tics. */
void cf_axis_small(struct cf_chart_axis *axis, struct cf_range range, bool logarithmic);

/* An SI prefix that brings `largest` into 0.5..500; factor multiplies the SI value. Pure numbers
 * and composed units stay as they are. */
struct cf_prefix {
    double factor;
    const char *symbol, *unit; /* of the prefix; what it stands before */
};
struct cf_prefix cf_prefix_for(const char *unit, double largest);

/* The unit in which figures of fits show a quantity: another than that of the file where readers
 * think in it, as angles in degrees; else the file's, with its prefix. */
struct cf_prefix cf_unit_for(const char *unit, double largest);

/* The unit of an axis over a range. */
struct cf_prefix cf_axis_prefix(const struct cf_shown_axis *shown, struct cf_range range);

/* "approach speed v / (m/s)": words, then symbol and unit unless "" and "1". */
void cf_axis_label(struct cf_text *label, const char *words, const char *symbol, const char *prefix,
                   const char *unit);

/* What measurements run along, with its label; the range is that of the data in the file's unit. */
void cf_axis_abscissa(struct cf_chart_axis *axis, const struct cf_shown_axis *shown,
                      struct cf_range range, bool logarithmic);

#endif
