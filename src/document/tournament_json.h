/* A tournament as the key "tournament" of a fit file. */

#ifndef CF_DOCUMENT_TOURNAMENT_JSON_H
#define CF_DOCUMENT_TOURNAMENT_JSON_H

#include <jansson.h>

#include "judge/tournament.h"

/* Contenders stand in the order of the rivals of the fit that they were judged of. */
json_t *cf_tournament_json(const struct cf_fit *fit, const struct cf_tournament *tournament);

#endif
