#define _POSIX_C_SOURCE 200809L

#include "document/json_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "document/json_dump.h"

/* As documents are written. */
static const size_t style = JSON_INDENT(1);

/* With jansson a NULL for a value is refused as a failed allocation is, and a value that cannot be
 * put is released. */
static void keep(json_t **whole, int failed)
{
    if (!failed)
        return;
    json_decref(*whole);
    *whole = NULL;
}

void cf_json_put(json_t **object, const char *key, json_t *value)
{
    keep(object, json_object_set_new(*object, key, value));
}

void cf_json_add(json_t **list, json_t *value)
{
    keep(list, json_array_append_new(*list, value));
}

void cf_json_put_within(json_t **whole, json_t *object, const char *key, json_t *value)
{
    keep(whole, json_object_set_new(object, key, value));
}

json_t *cf_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *cf_json_numbers(const double x[], size_t n)
{
    json_t *j = json_array();
    for (size_t i = 0; i < n; i++)
        cf_json_add(&j, cf_json_number(x[i]));
    return j;
}

json_t *cf_json_count(size_t n)
{
    return json_integer((json_int_t) n);
}

json_t *cf_json_text(const char *text)
{
    return text ? json_string(text) : json_null();
}

json_t *cf_json_shown(const char *text)
{
    char *safe = text ? strdup(text) : NULL;
    json_t *value = NULL;

    if (!text)
        return json_null();
    if (safe) {
        cf_text_make_safe(safe);
        value = json_string(safe);
    }
    free(safe);
    return value;
}

int cf_json_write(const json_t *document, FILE *out, struct cf_error *err)
{
    if (cf_json_dump(document, out, style) || fputc('\n', out) == EOF || ferror(out))
        return cf_fail(err, CF_EIO, "the document cannot be written");
    return CF_OK;
}

/* A text that grows. */
struct text {
    char *bytes;
    size_t size, room;
};

static int append(const char *bytes, size_t size, void *to)
{
    struct text *text = to;

    if (text->size + size + 2 > text->room) {
        size_t room = 2 * (text->size + size) + 2;
        char *more = realloc(text->bytes, room);
        if (!more)
            return -1;
        text->bytes = more;
        text->room = room;
    }
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    return 0;
}

char *cf_json_text_of(const json_t *document)
{
    struct text text = {0};

    if (cf_json_dump_to(document, append, &text, style) || append("\n", 2, &text)) {
        free(text.bytes);
        return NULL;
    }
    return text.bytes;
}
