/* A figure as data: panels with axes, series of points, and texts. The figures make charts, and
 * what draws them is a row of render.c. Private to src/report.
 *
 * Places are inches from the lower left corner of the chart; coordinates are those of the axes.
 * Texts come from the tables of the program. Where a figure shows words of a file, these have been
 * checked when it was read, and what draws the chart still takes no text for more than letters.
 */

#ifndef CF_REPORT_CHART_H
#define CF_REPORT_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"
#include "report/chart_text.h"
#include "report/range.h"

struct cf_place {
    double x, y;
};

enum cf_marker {
    CF_MARKER_SQUARE,
    CF_MARKER_CIRCLE,
    CF_MARKER_TRIANGLE,
    CF_MARKER_TRIANGLE_DOWN,
    CF_MARKER_DIAMOND,
    CF_MARKER_PENTAGON,
    CF_MARKER_PLUS, /* this and those below have no inside: an open one stands in a ring */
    CF_MARKER_STAR,
    CF_MARKER_CROSS, /* but for this, which is never filled and never in a ring */
    CF_NMARKER
};

/* How a series looks. What is left out is thin, solid and open. */
struct cf_style {
    const char *colour; /* "#0072B2" */
    double width;       /* of lines and of the outline of markers; 0: thin, as 1 is */
    const char *dash;   /* lengths of strokes and gaps, "12,5"; NULL: solid */
    enum cf_marker marker;
    bool filled;    /* the marker */
    double size;    /* of the marker; 0: the usual, as 1 is */
    double opacity; /* of a band; 0: as 1 is */
};

/* Does a ring show that a marker without an inside is open? */
static inline bool cf_marker_ringed(const struct cf_style *style)
{
    return !style->filled && (style->marker == CF_MARKER_PLUS || style->marker == CF_MARKER_STAR);
}

/* The sizes of such a ring and of the marker in it, over that of a marker alone. */
#define CF_RING_SIZE 1.3
#define CF_RINGED_SIZE 0.7

enum cf_series_kind {
    CF_SERIES_LINE,   /* x, y; parted where one of them is no number */
    CF_SERIES_POINTS, /* x, y */
    CF_SERIES_BARS,   /* points with a bar from low to high */
    CF_SERIES_BAND,   /* the area between low and high */
};

struct cf_datum {
    double x, y, z, low, high; /* z: in space; low, high: of bars and bands */
    size_t data, line;         /* of a row: its data set, its line of the table; 0: it is none */
};

/* Where the entry of a series stands in the key. */
enum cf_key {
    CF_KEY_PLACED,  /* at its place, as the chart's maker says; {0}: where the panel places it */
    CF_KEY_PANEL,   /* in columns below the panel's axis */
    CF_KEY_CHART,   /* in columns below all panels */
    CF_KEY_HEADING, /* over the frame, to the right of the heading; in columns below the axis where
                     * it has no room there */
};

/* A series without a title has no entry in the key, and one without points is an entry and no
 * more. */
struct cf_chart_series {
    enum cf_series_kind kind;
    struct cf_style style;
    struct cf_text title;
    enum cf_key key;
    size_t rank;           /* entries of a key stand in its order, equal ones in that of drawing */
    struct cf_place place; /* of its entry in the key: where its letters begin */
    size_t n, room;
    struct cf_datum *datum;
    bool failed; /* memory ran out */
};

/* A tic with a label; a short one without, "". */
struct cf_tic {
    double value;
    bool power; /* the label is an exponent of ten */
    char label[64];
};

enum cf_tics {
    CF_TICS_STEP, /* at the multiples of step, with so many decimals */
    CF_TICS_LIST, /* those that are listed; none, where there are none */
};

struct cf_chart_axis {
    struct cf_range range; /* that of the data unless low < high */
    bool logarithmic;
    enum cf_tics tics;
    double step;  /* of CF_TICS_STEP */
    int decimals; /* of its labels */
    size_t ntic, room;
    struct cf_tic *tic; /* of CF_TICS_LIST */
    struct cf_text label;
    double label_at;  /* where the middle of its letters is: y for the axis x, x for the axis y */
    const char *zero; /* colour of a line where the coordinate is 0; NULL for none */
    double (*stated)(double at); /* what words say of a coordinate; NULL: itself */
    bool failed;                 /* memory ran out */
};

/* A straight reference line behind the series. An end at an infinite coordinate lies on the
 * frame. */
struct cf_rule {
    double x1, y1, x2, y2;
    struct cf_style style;
};

/* A shaded strip behind the series, from the left side of the frame to the right. */
struct cf_strip {
    double low, high;   /* of y */
    const char *colour; /* NULL: there is none */
    double opacity;
};

enum { CF_PANEL_RULES = 4 };

/* A name beside a point. */
struct cf_note {
    double x, y; /* of the point */
    struct cf_text text;
    bool placed;           /* there is room for it */
    struct cf_place place; /* where its letters begin, in the middle of their height */
    bool leads; /* a line leads from one place to the other: it is not next to its point */
    struct cf_place from, to;
};

struct cf_panel {
    double left, right, bottom, top; /* of the frame; not used in space */
    bool space;                      /* three axes, seen from above and from the side */
    struct cf_chart_axis x, y, z;
    size_t cell;            /* of a chart that has cells */
    double from, to;        /* the part of the chart's width that is the panel's; 0, 0: all */
    struct cf_text heading; /* over the frame, to the left */
    double heading_at;      /* where it begins; 0: where the frame does */
    double middle;          /* of the label of x; 0: that of the frame */
    double heading_lift;    /* over the frame, in heights of a line */
    struct cf_strip strip;
    size_t nrule;
    struct cf_rule rule[CF_PANEL_RULES];
    size_t nnote, note_room;
    struct cf_note *note;
    size_t nseries, room;
    struct cf_chart_series **series; /* drawn in this order */
    struct cf_chart_series spare;    /* what becomes of series when memory has run out */
    bool failed;
};

struct cf_chart {
    double width, height; /* inches */
    double key_sample;    /* length of the samples in the key, in letters */
    bool rich_key;        /* titles of series have italics and indices */
    bool key_down;        /* entries below all panels run down the columns, not along the lines */
    size_t cells;         /* of equal height below each other; 0: it has none */
    double cell_height;   /* of each */
    bool abreast;         /* many of them may stand side by side */
    bool one_panel;       /* charts of this kind have a single panel, whatever their data */
    bool settled;         /* its texts have found their room */
    size_t npanel, room;
    struct cf_panel **panel;
    struct cf_panel spare;
    bool failed;
};

/* Lengths of the samples of lines and of markers alone. */
#define CF_SAMPLE_LINE 2.9
#define CF_SAMPLE_MARKER 0.8

/* Colours after Okabe & Ito, which the colour-blind can distinguish; orange, sky and purple are
 * darker than theirs. All but ink have a contrast of 3 to 1 and more with white and with a page as
 * dark as #222222; on a dark page ink, that of frames, texts and points, is to be turned light. */
#define CF_BLUE "#0072B2"
#define CF_SKY "#2E8FD0"
#define CF_GREEN "#009E73"
#define CF_ORANGE "#A67700"
#define CF_VERMILION "#D55E00"
#define CF_PURPLE "#C0609A"
#define CF_VIOLET "#7B61C9"
#define CF_GREY "#777777"
#define CF_INK "#222222"

/* An empty chart [inches], its samples those of lines. */
void cf_chart_init(struct cf_chart *chart, double width, double height);
void cf_chart_free(struct cf_chart *chart);

/* Where memory runs out a spare panel or series is given, or a number is dropped, and
 * cf_chart_status() is CF_ENOMEM: who makes a chart need not look before its end. */
int cf_chart_status(const struct cf_chart *chart, struct cf_error *err);

/* A new panel, empty, which is the chart's. */
struct cf_panel *cf_chart_add_panel(struct cf_chart *chart);

/* A new series without points and title, over those that are there. */
struct cf_chart_series *cf_panel_add_series(struct cf_panel *panel, enum cf_series_kind kind,
                                            struct cf_style style);

/* A line behind the series; more than CF_PANEL_RULES are left out. */
void cf_panel_add_rule(struct cf_panel *panel, struct cf_rule rule);

/* A name for the point at (x, y), which finds its place when the chart is drawn, or none. */
void cf_panel_add_note(struct cf_panel *panel, double x, double y, const char *words, ...)
    __attribute__((__format__(printf, 4, 5)));

/* A point at the end of a series. */
void cf_series_add(struct cf_chart_series *series, struct cf_datum datum);

/* A tic at the end of the list, with its label. */
void cf_axis_add_tic(struct cf_chart_axis *axis, double value, const char *label, ...)
    __attribute__((__format__(printf, 3, 4)));

/* The label of a tic as it is drawn: with a minus sign, or as a power of ten. */
struct cf_text cf_tic_text(const struct cf_tic *tic);

#endif
