/* What a command may write over, as cf_output_open() asks it; private to src/core. */

#ifndef CF_CORE_OUTPUTS_H
#define CF_CORE_OUTPUTS_H

#include <stddef.h>
#include <stdint.h>

#include "core/file_system.h"
#include "core/output.h"

#define CF_NO_PLACE SIZE_MAX

/* May `path`, which leads to `target` in a folder of this state, be written? Then it takes a place
 * among the outputs, until cf_outputs_leave(). */
int cf_outputs_enter(struct cf_outputs *outputs, const char *path, const char *target,
                     const struct cf_file_state *folder, size_t *place, struct cf_error *err);
/* The stream that stands for this path; NULL where it is a file. */
FILE *cf_outputs_stream(const struct cf_outputs *outputs, const char *path);
void cf_outputs_leave(struct cf_outputs *outputs, size_t place);

#endif
