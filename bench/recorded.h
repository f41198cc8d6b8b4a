/* Synthetic studies of records: the design is a study file, whose imposed rows stay and whose
 * measurements are drawn anew. */

#ifndef RECORDED_H
#define RECORDED_H

#include "designs.h"

/* Fill the case from design->study, a path beside that of the table. What the study frees has the
 * values of `truth` and `rig`; what its segments begin with, those that describe its own rows best
 * at these. As design_prepare(). */
int recorded_prepare(const struct design *design, struct cf_curves *curves, struct design_case *c,
                     struct cf_error *err);

#endif
