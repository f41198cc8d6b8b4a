/* What the figures share: colours, axes, quantities. Private to src/report.
 *
 * Nothing that a file says is given to gnuplot but numbers: names come from the tables of laws and
 * quantities, titles stand in the HTML.
 */

#ifndef CF_REPORT_PLOT_H
#define CF_REPORT_PLOT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Colours of Okabe & Ito, told apart by the colour-blind. */
#define CF_BLUE "#0072B2"
#define CF_SKY "#56B4E9"
#define CF_GREEN "#009E73"
#define CF_ORANGE "#E69F00"
#define CF_VERMILION "#D55E00"
#define CF_PURPLE "#CC79A7"
#define CF_GREY "#666666"
#define CF_INK "#222222"

/* Every figure is as wide as a column of text [inches]. */
#define CF_FIGURE_WIDTH 5.8

/* What a channel measures, for the axis of a figure. */
struct cf_quantity {
    const char *name;  /* "peak_force" */
    const char *label; /* "peak force" */
    const char *unit;  /* SI; "1" for a pure number */
};

extern const struct cf_quantity cf_quantities[]; /* NULL-terminated by name */
const struct cf_quantity *cf_quantity_find(const char *name);

/* A quantity's words for HTML; the name itself when it is not known. */
const char *cf_quantity_label(const char *name);

/* A range that grows; starts as CF_RANGE_EMPTY. NaN is ignored. */
struct cf_range {
    double low, high;
};
#define CF_RANGE_EMPTY                                                                             \
    {                                                                                              \
        HUGE_VAL, -HUGE_VAL                                                                        \
    }
void cf_range_include(struct cf_range *range, double x);
void cf_range_pad(struct cf_range *range, double share);

/* Colours, borders, grid and tics of every figure. */
void cf_plot_frame(FILE *script);

/* Where a panel lies: inches, so that every terminal gives the same picture and panels line up. */
struct cf_panel {
    double width, height; /* of one panel with its labels */
    size_t index, count;  /* from the top */
    double above;         /* room over the frame, for a heading or a key */
    size_t nkey;          /* entries of the key below the axis */
    size_t longest;       /* characters of the longest of them: long ones stand in fewer columns */
};
void cf_plot_panel(FILE *script, const struct cf_panel *panel);

/* Make room for a title in the key; before the panel is placed. */
void cf_plot_key_word(struct cf_panel *panel, const char *title);

/* Range and tics of the axis of speed. Logarithmic tics are labelled at 1, 2, 5. */
void cf_plot_speed_axis(FILE *script, const struct cf_panel *panel, struct cf_range speed,
                        bool logarithmic);

/* Range and tics of a logarithmic axis: labelled at 1, 2, 5, and where the range spans a factor of
 * decade_from or more at whole decades only. */
void cf_plot_log_range(FILE *script, char axis, struct cf_range range, double decade_from);

/* Range and round tics of a linear axis, all labels with the same number of decimals. */
void cf_plot_range(FILE *script, char axis, struct cf_range range);

/* The range of either kind in a small panel: two or three labelled tics. */
void cf_plot_small_range(FILE *script, char axis, struct cf_range range, bool logarithmic);

/* The title of a clause, as entry i of the panel's key, in rows of three or two below the axis; or
 * above the frame when the panel has no key below. */
void cf_plot_title(FILE *script, const struct cf_panel *panel, size_t i, const char *title);

/* The name of an axis, 'x' or 'y': what is written between the two is enhanced text. It lies at
 * fixed places, for terminals differ widely in where they put an xlabel. */
void cf_plot_label_begin(FILE *script, char axis);
void cf_plot_label_end(FILE *script, const struct cf_panel *panel, char axis);

/* A heading over the frame, to the left. */
void cf_plot_heading(FILE *script, const char *text);

/* Write "$name << EOD" ... "EOD" around data. */
void cf_plot_begin(FILE *script, const char *format, ...) __attribute__((__format__(printf, 2, 3)));
void cf_plot_end(FILE *script);

/* A blank and a number with 17 digits, or NaN as gnuplot knows it. */
void cf_plot_number(FILE *script, double value);

/* "plot " before the first, ", " between clauses: start at false. */
void cf_plot_clause(FILE *script, bool *begun);

/* An SI prefix that brings `largest` into 0.5..500; factor multiplies the SI value. Pure numbers
 * and composed units stay as they are. */
struct cf_axis_prefix {
    double factor;
    const char *symbol;
};
struct cf_axis_prefix cf_plot_prefix(const char *unit, double largest);

/* A parameter's symbol and its unit in gnuplot's enhanced text; both must be from a law's table. */
void cf_plot_symbol(FILE *script, const char *name);
void cf_plot_unit(FILE *script, const char *unit);

#endif
