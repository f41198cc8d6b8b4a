/* Figure files: curves of laws as a paper draws them, with the user's own points if there are any.
 *
 * A picture's subject is a row of the table of kinds; reading a file computes its curves, so that
 * the drawing needs numbers only.
 */

#ifndef CF_FIGURE_LAW_FIGURE_H
#define CF_FIGURE_LAW_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/paths.h"
#include "impact/impact.h"
#include "law/pair.h"

struct cf_yaml;
struct cf_drawn;
struct cf_drawn_panel;
struct cf_drawing;

/* The quantity on an axis. */
struct cf_drawn_axis {
    const char *key;     /* "speed": of the range and of columns of points */
    const char *unit;    /* SI; "1" for a pure number */
    double lower, upper; /* allowed in the range and in points, ends included */
};

struct cf_drawing_kind {
    const char *name; /* "restitution": value of the key `kind` */
    const char *what; /* one line for help */
    struct cf_drawn_axis x, y;
    bool ranged;            /* the file states the range of x; else the curves make it */
    bool aimed;             /* a target e(v) is stated, for laws that are driven by a restitution */
    bool by_speed;          /* every curve has an approach speed */
    bool any_k;             /* curves do not depend on k where e does not */
    bool tunable;           /* a parameter can be fitted to points */
    const char *const *own; /* parameters that the kind sets itself; NULL-terminated */

    /* Why a law cannot be used here, or NULL. */
    const char *(*refuses)(const struct cf_law *law);

    /* Fill x[n], y[n] of a curve. */
    int (*trace)(struct cf_curves *curves, const struct cf_drawing *drawing, struct cf_drawn *curve,
                 struct cf_error *err);
};

extern const struct cf_drawing_kind *const cf_drawing_kinds[]; /* NULL-terminated */

enum { CF_DRAWN_POINTS = 241, CF_MAX_DRAWN = 24, CF_MAX_DRAWN_PANEL = 12 };

/* One curve. */
struct cf_drawn {
    const struct cf_law *law;
    double p[CF_MAX_PARAM]; /* SI; NAN where the kind needs none */
    double mass_kg;         /* NAN where none is needed */
    double speed_m_s;       /* NAN but for kinds by speed */
    bool hertz;             /* k comes from the bodies */
    bool pulls;             /* the law's clamp is taken away */
    bool tune;              /* parameter `tuned` is to be fitted */
    size_t tuned;
    bool is_tuned; /* and has been: there were points */
    double rms;    /* of the points from the tuned curve, in units of y */
    double x[CF_DRAWN_POINTS], y[CF_DRAWN_POINTS];
};

/* The user's own points. */
struct cf_drawn_points {
    const char *file; /* as written; NULL for none */
    size_t n;
    double *x, *y; /* SI */
};

struct cf_drawn_panel {
    const char *title; /* NULL when none is given */
    struct cf_pair pair;
    bool has_pair;
    double mass_kg; /* NAN when not given */
    size_t ncurve;
    struct cf_drawn *curve;
    struct cf_drawn_points points;
};

/* Texts belong to the file's tree, which lives as long as the drawing. */
struct cf_drawing {
    char *path, *name; /* as given; file name without folder and extension */
    char *text;
    struct cf_yaml *root;
    const char *title, *source, *caption; /* source and caption may be NULL */
    size_t nnote;
    const char **note; /* what the source says about its figure, and what this one shows */
    const struct cf_drawing_kind *kind;
    bool logarithmic;
    double from, to;             /* of x, where the kind is ranged */
    const struct cf_law *target; /* NULL but for kinds that are aimed */
    double target_p[CF_MAX_PARAM];
    size_t npanel;
    struct cf_drawn_panel *panel;
    struct cf_paths read; /* tables of points */
};

/* Read a figure file and compute its curves. Files of points are relative to its folder. The
 * message of a failure is "FILE:LINE:COLUMN: what was found: what is allowed". NULL on failure.
 * The caller must have switched off GSL's error handler. */
struct cf_drawing *cf_drawing_read(const char *path, struct cf_error *err);
void cf_drawing_free(struct cf_drawing *drawing);

#endif
