/* What a fit file holds of measurements of the main channel, by data set and use. Private to
 * src/report. */

#ifndef CF_REPORT_HEADLINE_POINTS_H
#define CF_REPORT_HEADLINE_POINTS_H

#include "report/channel.h"
#include "report/chart.h"
#include "report/fit_curve.h"

enum cf_headline_use {
    CF_HEADLINE_FIT,
    CF_HEADLINE_HELD_OUT,
    CF_HEADLINE_EXCLUDED,
    CF_NHEADLINE_USE
};

/* What a data set gives. */
struct cf_headline_set {
    const char *from; /* the channel that the headline is computed from; NULL: the set has none, or
                       * is of another protocol */
    size_t n[CF_NHEADLINE_USE];
};

/* Few data sets have markers of their own, more share one: `apart`. */
struct cf_headline_points {
    struct cf_shown_channel shown;
    size_t ndata, nset; /* data sets; those that tell the headline */
    bool apart;
    struct cf_headline_set *set; /* ndata, to be freed */
    size_t n[CF_NHEADLINE_USE];  /* of all sets */
    struct cf_range x, y;        /* in the file's units, of those that are not excluded */
};

enum cf_headline_use cf_headline_use(const json_t *point);

/* Has it a value and a place on the axis? */
bool cf_headline_shown(const struct cf_headline_points *points, const json_t *point);

int cf_headline_find(const json_t *fit, struct cf_headline_points *points, struct cf_error *err);

/* Does the data set tell the headline? context: the points, as for cf_fit_curves_choose(). */
bool cf_headline_has(const void *context, size_t data);

/* How many of the data sets tell it by this channel. */
size_t cf_headline_from(const struct cf_headline_points *points,
                        const struct cf_shown_channel *channel);

/* Sentences (HTML) on the channels that tell it and whose readings were freed of a gain or bias. */
void cf_headline_readings_caption(const json_t *fit, const struct cf_headline_points *points,
                                  FILE *html);

#endif
