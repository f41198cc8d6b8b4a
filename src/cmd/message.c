#include "cmd/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/terminal.h"
#include "core/text.h"

void cf_message(const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = cf_format_list(format, args);
    va_end(args);
    if (text)
        cf_text_make_safe(text);
    cf_terminal_write(text ? text : "contactfit: no memory for a message", stderr);
    fputc('\n', stderr);
    free(text);
}

int cf_untrusted(struct cf_error *err)
{
    return cf_fail(err, CF_EUNTRUSTED, "%s", "");
}
