/* Which experiment a table is of, by the names, units and numbers of its columns. */

#ifndef CF_CMD_RECOGNISE_H
#define CF_CMD_RECOGNISE_H

#include "experiment/registry.h"
#include "study/survey.h"

/* The protocol that most columns belong to and that their numbers behave like. Fails where none is
 * clearly ahead, with the likeliest ones and the commands that take them for `table`, the file as
 * the user named it. */
int cf_recognise(const struct cf_registry *registry, const struct cf_survey *survey,
                 const char *table, const struct cf_protocol **protocol, struct cf_error *err);

#endif
