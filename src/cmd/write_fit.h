/* What the commands that fit have in common: remarks of a study, and the files of a result. */

#ifndef CF_CMD_WRITE_FIT_H
#define CF_CMD_WRITE_FIT_H

#include <jansson.h>
#include <stdio.h>

#include "cmd/command.h"
#include "study/study.h"

/* Print the study's notes on stderr. */
void cf_print_notes(const struct cf_study *study, bool quiet);

/* Write a page, with its figures where they can be drawn. Where they cannot, stderr says why: a
 * result is not lost for want of gnuplot. */
int cf_write_page(const struct cf_arguments *args, const char *path, const json_t *document,
                  int (*what)(const json_t *, bool draw, FILE *, struct cf_error *),
                  struct cf_error *err);

/* Can the files be written whose names are the study's with these ends, NULL behind the last? Asked
 * before the work: CF_EIO with the file and the reason. */
int cf_write_try(const struct cf_arguments *args, const struct cf_study *study,
                 const char *const end[], struct cf_error *err);

/* The last lines of a fit's summary: its verdict and the next step. CF_ENOMEM. */
int cf_write_closing(const struct cf_arguments *args, const struct cf_study *study,
                     const char *suffix, const json_t *document, struct cf_error *err);

/* The fit file and the page, NAME and `suffix` and .json or .html, in the folder --output or beside
 * the study; where they are is said on stderr. */
int cf_write_fit(const struct cf_arguments *args, const struct cf_study *study, const char *suffix,
                 const json_t *document, struct cf_error *err);

#endif
