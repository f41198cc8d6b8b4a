/* The LIST of an option: numbers with units. */

#ifndef CF_CMD_LIST_H
#define CF_CMD_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

struct cf_list {
    size_t n;
    double *value; /* SI */
};

/* What is listed. */
struct cf_list_kind {
    const char *option, *unit; /* "--speed", SI */
    const char *one, *many;    /* "a speed", "speeds" */
    bool linear;               /* of any sign, ranges evenly spaced; else above 0 and log-spaced */
};

/* "0.1,0.5 m/s,2" or "FROM:TO:COUNT" with exact ends; a list may hold ranges too. Each number may
 * carry a unit. cf_list_clear() frees what is in it. */
int cf_list_parse(const struct cf_list_kind *kind, const char *text, struct cf_list *list,
                  struct cf_error *err);
void cf_list_clear(struct cf_list *list);

#endif
