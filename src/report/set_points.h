/* The observations of a channel as points, a series a data set and use. Private to src/report. */

#ifndef CF_REPORT_SET_POINTS_H
#define CF_REPORT_SET_POINTS_H

#include "report/channel.h"
#include "report/chart.h"
#include "report/fit_curve.h"
#include "report/set_style.h"

struct cf_set_points {
    const json_t *fit;
    const struct cf_shown_channel *channel;
    enum cf_series_kind kind;
    double size; /* of the markers */
    struct cf_scaling by;
    /* Where an observation lies; false: it is not drawn. */
    bool (*datum)(const json_t *row, struct cf_scaling by, struct cf_datum *out);
    enum cf_key key;
    bool uses;     /* the key tells uses where there are several, and not only data sets */
    bool all_sets; /* the key names a data set that is alone here, if the fit has others */
};

/* The size of points where a fit has so many rows in all: the more, the smaller. From
 * CF_POINTS_WITHOUT_BARS rows on bars would hide them. */
enum { CF_POINTS_WITHOUT_BARS = 80 };
double cf_set_points_size(size_t rows);

/* Add them to a panel, with entries in its key as far as there is something to tell apart. */
void cf_set_points_add(const struct cf_set_points *points, struct cf_panel *panel);

#endif
