/* Curves of laws, as fit files hold them, in charts. Private to src/report. */

#ifndef CF_REPORT_FIT_CURVE_H
#define CF_REPORT_FIT_CURVE_H

#include <jansson.h>
#include <stdio.h>

#include "report/channel.h"
#include "report/chart.h"

/* What numbers of the file are multiplied by: a prefix of the unit on each axis. */
struct cf_scaling {
    double x, y;
};

/* A curve over its abscissa as a line or as its band. */
struct cf_chart_series *cf_fit_curve(struct cf_panel *panel, enum cf_series_kind kind,
                                     struct cf_style style, const json_t *curve,
                                     struct cf_scaling scaling);

/* The fitted law: a thick line in this colour and dash, of which the series is returned, over its
 * band if it has one. What lies over the abscissas `but` is left out; CF_RANGE_EMPTY: nothing is.
 */
struct cf_chart_series *cf_fit_curve_own(struct cf_panel *panel, struct cf_style style,
                                         const json_t *curve, struct cf_range but,
                                         struct cf_scaling scaling);

/* Are two curves one line, as far as both reach? */
bool cf_fit_curves_agree(const json_t *a, const json_t *b);

/* The abscissas that a curve has. */
struct cf_range cf_fit_curve_range(const json_t *curve);

/* The axis of the main channel: the range with this share of room on either side, and the label;
 * y in the file's unit. */
void cf_fit_headline_axis(struct cf_chart_axis *axis, const struct cf_shown_channel *shown,
                          struct cf_range y, double room);

/* The scaling of a figure of the main channel over these ranges. */
struct cf_scaling cf_fit_headline_scaling(const struct cf_shown_channel *shown, struct cf_range x,
                                          struct cf_range y);

/* Data sets up to which each has a curve of its own: more hide each other. */
enum { CF_SETS_APART = 5 };

/* Which of the fitted curves of a channel are drawn: up to CF_SETS_APART all; of more, those that
 * differ, and of these, by their value in the middle, CF_SETS_APART from the lowest to the highest.
 */
struct cf_curve_choice {
    size_t all, distinct, n;
    const json_t **curve; /* n of them */
};

/* Kinds of rows, strokes of a loop, up to which each has a colour of its own. */
enum { CF_BRANCHES_APART = 2 };

/* The branches that curves of a channel have, by name: branch[CF_BRANCHES_APART], as many as there
 * are room for. At least one, "" where they have none. */
size_t cf_fit_branches(const json_t *fit, const struct cf_shown_channel *channel,
                       const char *branch[]);

/* One a data set, of this branch (NULL: of its first) and of those sets that are `wanted` (NULL: of
 * all). The caller frees choice->curve. */
int cf_fit_curves_choose(const json_t *fit, const struct cf_shown_channel *channel,
                         const char *branch, bool (*wanted)(const void *context, size_t data),
                         const void *context, struct cf_curve_choice *choice, struct cf_error *err);

/* A sentence for the caption of the choice (HTML), nothing where all are drawn. */
void cf_fit_curves_caption(const struct cf_curve_choice *choice, FILE *html);

#endif
