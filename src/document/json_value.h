/* JSON values in the making: by jansson, whose results are all looked at here.
 *
 * A document that lacks a part for want of memory is none. So what a value cannot be put into
 * becomes NULL, and so does what that NULL is put into, up to the whole document: who makes one
 * builds it to its end and then looks once. */

#ifndef CF_DOCUMENT_JSON_VALUE_H
#define CF_DOCUMENT_JSON_VALUE_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "core/status.h"

/* Put a value into an object, behind what it holds; add one to a list. The value is taken over.
 * *object or *list becomes NULL where it is NULL, the value is, or memory runs out. */
void cf_json_put(json_t **object, const char *key, json_t *value);
void cf_json_add(json_t **list, json_t *value);

/* Put a value into an object that is itself somewhere in `whole`, which becomes NULL. */
void cf_json_put_within(json_t **whole, json_t *object, const char *key, json_t *value);

/* A number; null where it is not finite, which JSON cannot hold. NULL when out of memory, as all
 * below. */
json_t *cf_json_number(double value);

json_t *cf_json_numbers(const double x[], size_t n);
json_t *cf_json_count(size_t n);

/* Write a document, each number with the digits that it needs, keys in the order of their making, a
 * newline at the end. */
int cf_json_write(const json_t *document, FILE *out, struct cf_error *err);

/* The same as a text, which is the caller's to free(). NULL when out of memory. */
char *cf_json_text_of(const json_t *document);

/* A text; null where there is none. */
json_t *cf_json_text(const char *text);

/* A text from outside, such as the name of a file, made safe to be shown; null where there is
 * none. */
json_t *cf_json_shown(const char *text);

#endif
