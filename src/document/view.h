/* Reading a fit that cf_fit_file_read() has checked: what is absent or null reads as NaN, "" or
 * false, so that pages and figures need no branch for it. */

#ifndef CF_DOCUMENT_VIEW_H
#define CF_DOCUMENT_VIEW_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "judge/rules.h"

/* Several keys deep: "verdict.status". NULL when a step is missing. */
const json_t *cf_view(const json_t *fit, const char *path);

double cf_view_number(const json_t *object, const char *key);
const char *cf_view_text(const json_t *object, const char *key);

/* A statement of a verdict: its text, alone or with its rule and numbers; "" for none. */
const char *cf_view_statement(const json_t *statement);
bool cf_view_true(const json_t *object, const char *key);
bool cf_view_is_false(const json_t *object, const char *key); /* there, and false */
size_t cf_view_count(const json_t *object, const char *key);

/* Item i of a list of numbers; NaN beyond its end, or when the list is null. */
double cf_view_item(const json_t *list, size_t i);

/* The channel of that name of a data set, or NULL. */
const json_t *cf_view_channel(const json_t *data, const char *name);

/* Is a text a name: letters, digits, '_' and '-', at least one? */
bool cf_view_plain(const char *text);

/* At a bound, where the data only limit a parameter on the other side: "below" or "above" and that
 * limit; NULL for all others. */
const char *cf_view_limit(const json_t *parameter, double *limit);

/* Were the laws of a comparison fitted without each row in turn, too? */
bool cf_view_has_leave_one_out(const json_t *rivals);

/* Is the fit undetermined for no other reason than that parameters are known only together? What
 * depends on nothing else can be used. A parameter that ended at its bound, or that nothing depends
 * on, says that the fit is not where it looks to be. */
bool cf_view_partly_known(const json_t *fit);

/* How its curves meet the study's needs: "its curve is adequate for what is needed"; "": none is
 * stated. */
const char *cf_view_need(const json_t *fit);

/* May its curve be used as the study needs it? Without a need: may the fit? What failed may not,
 * nor what rests on a number that is not possible. */
bool cf_view_usable(const json_t *fit);

/* Do the data identify this parameter (not flat, not dead)? */
bool cf_view_determined(const json_t *parameter);

/* Does the verdict of a fit name this rule among its reasons? */
bool cf_view_found(const json_t *fit, enum cf_verdict_rule rule);

/* Is it what a single segment starts with, rather than a parameter that a reader asked for? And how
 * many of a fit's are. */
bool cf_view_is_start(const json_t *parameter);
size_t cf_view_starts(const json_t *fit);

#endif
