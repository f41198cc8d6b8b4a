/* Which experiment a table is of, by the names and units of its columns. */

#ifndef CF_CMD_RECOGNISE_H
#define CF_CMD_RECOGNISE_H

#include "experiment/registry.h"
#include "study/survey.h"

/* The protocol that most columns belong to. Fails where two share the first place, and of a table
 * that is none: a trace is called one. */
int cf_recognise(const struct cf_registry *registry, const struct cf_survey *survey,
                 const struct cf_protocol **protocol, struct cf_error *err);

#endif
