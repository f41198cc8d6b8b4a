/* Gaps between cells of one body: faces that look at each other, almost at one place. */

#ifndef CF_VOLUME_GAP_H
#define CF_VOLUME_GAP_H

#include <stdbool.h>

#include "volume/cell.h"

struct cf_cell_gap {
    double width_m;
    double middle_m[3]; /* in the gap, in the frame of the body */
};

/* Have two cells faces that are parallel, to a milliradian, lie at most most_m apart, and cover
 * each other by more than an edge? What is below a billionth of the smaller cell's size is
 * rounding, and no gap. Cells without faces have none. */
bool cf_cells_gap(const struct cf_cell *i, const struct cf_cell *j, double most_m,
                  struct cf_cell_gap *out);

/* Is a point in a cell that has faces, or on its surface? */
bool cf_cell_holds(const struct cf_cell *cell, const double point_m[3]);

#endif
