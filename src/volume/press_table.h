/* Making tables of a press; private to src/volume. */

#ifndef CF_VOLUME_PRESS_TABLE_H
#define CF_VOLUME_PRESS_TABLE_H

#include "volume/press.h"

/* CF_ERANGE: no unit vector. */
int cf_press_check_direction(const double n[3], struct cf_error *err);

/* A table without a piece; one more piece. */
int cf_press_empty(struct cf_press **out, struct cf_error *err);
int cf_press_add(struct cf_press *press, const struct cf_press_piece *piece, struct cf_error *err);

#endif
