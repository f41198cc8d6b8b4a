/* Lines along which a field is 0. Private to src/report. */

#ifndef CF_REPORT_CONTOUR_H
#define CF_REPORT_CONTOUR_H

#include <stddef.h>

#include "core/status.h"
#include "report/range.h"

/* A field over a plane; finite everywhere. */
struct cf_field {
    double (*value)(const void *of, double x, double y);
    const void *of;
    struct cf_range x, y;
    size_t nx, ny; /* cells of the grid it is looked at on: smaller features may be missed */
};

/* Places along the lines, n of them, each line with one of NAN behind it; what closes ends where it
 * began. */
struct cf_contour {
    size_t n, room;
    struct cf_contour_place {
        double x, y;
    } * place;
};

/* The lines, by linear interpolation within the grid. *out is the caller's to
 * cf_contour_free(), whatever comes out. CF_ENOMEM. */
int cf_contour_find(const struct cf_field *field, struct cf_contour *out, struct cf_error *err);
void cf_contour_free(struct cf_contour *contour);

#endif
