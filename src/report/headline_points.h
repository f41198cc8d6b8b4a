/* What a fit file holds of measurements of the main channel, by data set and use. Private to
 * src/report. */

#ifndef CF_REPORT_HEADLINE_POINTS_H
#define CF_REPORT_HEADLINE_POINTS_H

#include "report/channel.h"
#include "report/chart.h"
#include "report/fit_curve.h"
#include "report/set_style.h"

/* What a data set gives. */
struct cf_headline_set {
    const char *from; /* the channel that the headline is computed from; NULL: the set has none, or
                       * another headline */
    size_t n[CF_NPOINT_USE];
};

struct cf_headline_points {
    struct cf_shown_channel shown;
    size_t ndata, nset;          /* data sets; those that tell the headline */
    bool named;                  /* few enough to be named in the key */
    struct cf_headline_set *set; /* ndata, to be freed */
    size_t n[CF_NPOINT_USE];     /* of all sets */
    struct cf_range x, y;        /* in the file's units, of those that are not excluded */
};

/* Has it a value and a place on the axis? */
bool cf_headline_shown(const struct cf_headline_points *points, const json_t *point);

/* Those of the i-th of the main channels; CF_EINPUT: there are not so many. points->set is to be
 * freed. */
int cf_headline_find(const json_t *fit, size_t i, struct cf_headline_points *points,
                     struct cf_error *err);

/* Does the data set tell the headline? context: the points, as for cf_fit_curves_choose(). */
bool cf_headline_has(const void *context, size_t data);

/* How many of the data sets tell it by this channel of its protocol. */
size_t cf_headline_from(const json_t *fit, const struct cf_headline_points *points,
                        const struct cf_shown_channel *channel);

/* Sentences (HTML) on the channels that tell it and whose readings were freed of a gain or bias. */
void cf_headline_readings_caption(const json_t *fit, const struct cf_headline_points *points,
                                  FILE *html);

#endif
