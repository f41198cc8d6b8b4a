/* Statements in words: reasons, advice, cautions. A list holds as many as there are. */

#ifndef CF_JUDGE_STATEMENTS_H
#define CF_JUDGE_STATEMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

struct cf_statements {
    size_t n;
    char **text;
    bool failed; /* memory ran out, and nothing was added since */
};

/* Append a statement; who fills a list looks at cf_statements_status() at the end. */
void cf_say(struct cf_statements *list, const char *format, ...)
    __attribute__((__format__(printf, 2, 3)));

/* CF_ENOMEM where a statement could not be added. */
int cf_statements_status(const struct cf_statements *list, struct cf_error *err);

void cf_statements_clear(struct cf_statements *list);

#endif
