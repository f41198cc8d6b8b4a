/* The measurements of a main channel as points of a chart. Private to src/report. */

#ifndef CF_REPORT_HEADLINE_SERIES_H
#define CF_REPORT_HEADLINE_SERIES_H

#include "report/headline_points.h"

struct cf_headline_series {
    const json_t *fit;
    const struct cf_headline_points *points;
    size_t nbranch; /* 0, 1: points of all branches look alike */
    const char *const *branch;
    bool excluded; /* these are drawn, too */
    bool several;  /* there are panels of other main channels: a data set is named even where it is
                    * alone in its own */
    struct cf_scaling by;
    size_t rank; /* of the first entry in the key */
};

/* A series a data set, use and branch, with its entry in the key below the panel. */
void cf_headline_add_points(const struct cf_headline_series *series, struct cf_panel *panel);

#endif
