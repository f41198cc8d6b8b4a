/* jansson does not see it where the buffer of its lexer cannot grow: the token loses a character
 * and the reader a digit. So what was read is compared with the text, token by token: values stand
 * in the order of the text, and a token that lost something is shorter or another number.
 */

#include "document/json_load.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

/* The next token that is no punctuation. */
static const char *next_token(const char *at)
{
    return at + strspn(at, " \t\r\n{}[]:,");
}

/* Bytes in UTF-8 of \uXXXX; *size: those of the escape, which may be a pair of surrogates. */
static size_t escaped_length(const char *at, size_t *size)
{
    char digits[5] = {0};
    unsigned long code;

    memcpy(digits, at + 2, 4);
    code = strtoul(digits, NULL, 16);
    *size = 6;
    if (code >= 0xd800 && code < 0xdc00) {
        *size = 12;
        return 4;
    }
    return code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
}

/* The length of the text in quotes that begins at *at, which moves behind it. */
static size_t text_length(const char **at)
{
    const char *c = *at + 1;
    size_t length = 0, size;

    for (; *c != '"'; c += size) {
        if (c[0] == '\\' && c[1] == 'u') {
            length += escaped_length(c, &size);
        } else {
            size = c[0] == '\\' ? 2 : 1;
            length++;
        }
    }
    *at = c + 1;
    return length;
}

/* The same text, going by its length? */
static bool same_text(const char **at, size_t length)
{
    *at = next_token(*at);
    return **at == '"' && text_length(at) == length;
}

static bool same_number(const char **at, const json_t *value)
{
    char *end;
    bool same;

    *at = next_token(*at);
    if (json_is_integer(value))
        same = strtoll(*at, &end, 10) == json_integer_value(value);
    else
        same = strtod(*at, &end) == json_real_value(value);
    same = same && end > *at && !strchr("0123456789.eE+-", *end);
    *at = end;
    return same;
}

static bool same_word(const char **at, const char *word)
{
    size_t n = strlen(word);

    *at = next_token(*at);
    if (strncmp(*at, word, n) != 0)
        return false;
    *at += n;
    return true;
}

static bool same_value(const char **at, const json_t *value);

static bool same_object(const char **at, const json_t *object)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *) object, key, value)
    {
        if (!same_text(at, strlen(key)) || !same_value(at, value))
            return false;
    }
    return true;
}

/* Does the text go on with this value? Its depth is limited by jansson. */
static bool same_value(const char **at, const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return same_object(at, value);
    case JSON_ARRAY:
        for (size_t i = 0; i < json_array_size(value); i++)
            if (!same_value(at, json_array_get(value, i)))
                return false;
        return true;
    case JSON_STRING:
        return same_text(at, json_string_length(value));
    case JSON_INTEGER:
    case JSON_REAL:
        return same_number(at, value);
    case JSON_TRUE:
        return same_word(at, "true");
    case JSON_FALSE:
        return same_word(at, "false");
    case JSON_NULL:
        return same_word(at, "null");
    }
    return false;
}

int cf_json_load(const char *path, const char *text, size_t len, json_t **root,
                 struct cf_error *err)
{
    char shown[CF_SHOWN];
    json_error_t error;
    const char *at = text;

    *root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
    if (*root && same_value(&at, *root) && !*next_token(at))
        return CF_OK;
    if (*root || json_error_code(&error) == json_error_out_of_memory) {
        json_decref(*root);
        *root = NULL;
        return cf_fail(err, CF_ENOMEM, "%s: no memory for its contents", path);
    }
    return cf_fail(err, CF_EINPUT, "%s:%d:%d: %s", path, error.line, error.column,
                   cf_show(error.text, shown));
}
