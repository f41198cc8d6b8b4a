#include "document/json_place.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Text that is quoted from the file may hold any character: keep the message on one line. */
static int one_line(struct cf_error *err, int status)
{
    for (char *c = err ? err->text : NULL; c && *c; c++)
        if (iscntrl((unsigned char) *c))
            *c = ' ';
    return status;
}

int cf_json_refuse(const struct cf_json_place *place, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return one_line(place->err, cf_fail(place->err, CF_EINPUT, "%s: %s%s%s", place->file,
                                        place->path, place->path[0] ? ": " : "", text));
}

/* Step into a key or an item; the returned length is what step_out() goes back to. */
size_t cf_json_step_in(struct cf_json_place *place, const char *format, ...)
{
    size_t before = strlen(place->path);
    va_list args;
    va_start(args, format);
    vsnprintf(place->path + before, sizeof place->path - before, format, args);
    va_end(args);
    return before;
}

size_t cf_json_step_key(struct cf_json_place *place, const char *key)
{
    return cf_json_step_in(place, "%s%s", place->path[0] ? "." : "", key);
}
