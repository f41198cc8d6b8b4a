/* What a validation says in words and numbers. Private to src/report. */

#ifndef CF_REPORT_VALIDATE_WORDS_H
#define CF_REPORT_VALIDATE_WORDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/status.h"

/* Beside the figure: how many values the intervals hold, the cautions in short, and the one command
 * to run next. */
int cf_validation_numbers(const json_t *validation, FILE *out, struct cf_error *err);

/* Reasons, cautions and what was counted, whole; is there any? */
int cf_validation_words(const json_t *validation, FILE *out, struct cf_error *err);
bool cf_validation_has_words(const json_t *validation);

/* The statements of a list that another one (NULL: none) does not have, for the caller to
 * json_decref(); NULL where there is no memory. */
json_t *cf_validation_new(const json_t *list, const json_t *said);

#endif
