/* e(v) of a fit as a table that code can carry: rows over the logarithm of the speed, between which
 * cubics with the slopes of the rows are drawn (Hermite). */

#ifndef CF_EXPORT_E_TABLE_H
#define CF_EXPORT_E_TABLE_H

#include "export/e_rows.h"
#include "export/target.h"

/* The rows of m->twin where it has some. Else its law, from a thousandth of the lowest to a hundred
 * times the highest of the fitted speeds, the design speed and those over which e is to be held;
 * less where the law has no answer there. Rows are added until the error is below 3e-8; at a jump
 * of e it cannot be. Fails where the law has no e at these speeds, CF_ENOMEM. The caller clears
 * *out, also after a failure. */
int cf_e_table_make(const struct cf_mapping *m, struct cf_e_table *out, struct cf_error *err);
void cf_e_table_clear(struct cf_e_table *table);

#endif
