/* What fits were made from, which a command that reads them never writes over. */

#ifndef CF_CMD_FIT_SOURCES_H
#define CF_CMD_FIT_SOURCES_H

#include <jansson.h>

#include "core/output.h"

/* Protect a fit file, the study beside it that it names, the files that this study and its scene
 * name, and whatever has the content of one of these at the time of the fit, wherever that is.
 * What is not there is nothing to protect. `fit` is as cf_fit_file_read() checked it. */
int cf_protect_fit_sources(struct cf_outputs *outputs, const char *path, const json_t *fit,
                           struct cf_error *err);

#endif
