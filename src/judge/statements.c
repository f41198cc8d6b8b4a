#include "judge/statements.h"

#include <stdarg.h>
#include <stdlib.h>

#include "core/list.h"
#include "core/text.h"

void cf_say(struct cf_statements *list, const char *format, ...)
{
    char **longer = list->failed ? NULL : cf_list_grow(list->text, list->n, sizeof *list->text);
    va_list args;

    list->failed = !longer;
    if (!longer)
        return;
    list->text = longer;
    va_start(args, format);
    list->text[list->n] = cf_format_list(format, args);
    va_end(args);
    list->failed = !list->text[list->n];
    list->n += !list->failed;
}

int cf_statements_status(const struct cf_statements *list, struct cf_error *err)
{
    return list->failed ? cf_fail(err, CF_ENOMEM, "no memory for the words of a verdict") : CF_OK;
}

void cf_statements_clear(struct cf_statements *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->text[i]);
    free(list->text);
    *list = (struct cf_statements){0};
}
