/* Fit files: parsed by jansson, then checked against the tables of fit_keys.c, so that later
 * readers of a fit may take every key, type and length for granted. */

#include "document/fit_file.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/nearest.h"
#include "document/fit_keys.h"
#include "document/json_load.h"
#include "document/json_value.h"
#include "document/view.h"

enum {
    MAX_BYTES = 256 * 1024 * 1024, /* points are thinned: many data sets, long provenance */
    MAX_KEYS = 32,                 /* more than any table of fit_keys.c has */
    MAX_PATH = 256,
};

/* Where in the file: the file, and the path inside it ("parameters.k.value"). */
struct json_place {
    const char *file;
    char path[MAX_PATH];
    struct cf_error *err;
};

/* Text that is quoted from the file may hold any character: keep the message on one line. */
static int one_line(struct cf_error *err, int status)
{
    for (char *c = err ? err->text : NULL; c && *c; c++)
        if (iscntrl((unsigned char) *c))
            *c = ' ';
    return status;
}

static int refuse(const struct json_place *place, const char *format, ...)
    __attribute__((__format__(printf, 2, 3)));

static int refuse(const struct json_place *place, const char *format, ...)
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
static size_t step_in(struct json_place *place, const char *format, ...)
    __attribute__((__format__(printf, 2, 3)));

static size_t step_in(struct json_place *place, const char *format, ...)
{
    size_t before = strlen(place->path);
    va_list args;
    va_start(args, format);
    vsnprintf(place->path + before, sizeof place->path - before, format, args);
    va_end(args);
    return before;
}

static size_t step_key(struct json_place *place, const char *key)
{
    return step_in(place, "%s%s", place->path[0] ? "." : "", key);
}

static const char *type_name(const json_t *value)
{
    static const char *const name[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "a list",  [JSON_STRING] = "a string",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a number", [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",      [JSON_NULL] = "null",
    };
    return name[json_typeof(value)];
}

static int check(struct json_place *place, const struct cf_json_key *shape, const json_t *value);

static const struct cf_json_key *find_key(const struct cf_json_key *table, const char *key)
{
    for (; table->key; table++)
        if (strcmp(table->key, key) == 0)
            return table;
    return NULL;
}

static int check_unknown(struct json_place *place, const struct cf_json_key *table,
                         const json_t *object)
{
    const char *known[MAX_KEYS], *key;
    size_t n = 0;
    json_t *value;

    while (n < MAX_KEYS && table[n].key) {
        known[n] = table[n].key;
        n++;
    }
    json_object_foreach((json_t *) object, key, value)
    {
        if (find_key(table, key))
            continue;
        const char *near = cf_nearest(key, known, n);
        if (near)
            return refuse(place, "unknown key \"%s\": did you mean \"%s\"?", key, near);
        return refuse(place, "unknown key \"%s\"", key);
    }
    return CF_OK;
}

static int check_object(struct json_place *place, const struct cf_json_key *table,
                        const json_t *object)
{
    int status = check_unknown(place, table, object);

    for (; status == CF_OK && table->key; table++) {
        const json_t *value = json_object_get(object, table->key);
        if (!value && table->flags & CF_JSON_OPTIONAL)
            continue;
        if (!value)
            return refuse(place, "the key \"%s\" is missing", table->key);
        size_t before = step_key(place, table->key);
        status = check(place, table, value);
        place->path[before] = '\0';
    }
    return status;
}

static int check_map(struct json_place *place, const struct cf_json_key *element, const json_t *map)
{
    int status = CF_OK;
    const char *key;
    json_t *value;

    json_object_foreach((json_t *) map, key, value)
    {
        size_t before = step_key(place, key);
        status = check(place, element, value);
        place->path[before] = '\0';
        if (status)
            break;
    }
    return status;
}

static int check_list(struct json_place *place, const struct cf_json_key *element,
                      const json_t *list)
{
    int status = CF_OK;
    for (size_t i = 0; i < json_array_size(list) && status == CF_OK; i++) {
        size_t before = step_in(place, "[%zu]", i);
        status = check(place, element, json_array_get(list, i));
        place->path[before] = '\0';
    }
    return status;
}

static int check_word(struct json_place *place, const char *const *words, const char *text)
{
    char list[256] = "";

    for (size_t i = 0; words[i]; i++) {
        size_t len = strlen(list);
        if (strcmp(words[i], text) == 0)
            return CF_OK;
        snprintf(list + len, sizeof list - len, "%s%s", i ? ", " : "", words[i]);
    }
    return refuse(place, "\"%s\" is none of %s", text, list);
}

/* Figures show it: nothing that a program that draws or a page could take for more than text. */
static bool is_label(const char *text)
{
    static const char also[] = " _-+*/^().,%";

    for (; *text; text++)
        if (!isalnum((unsigned char) *text) && !strchr(also, *text))
            return false;
    return true;
}

static int check(struct json_place *place, const struct cf_json_key *shape, const json_t *value)
{
    static const struct {
        const char *want;
        bool type[JSON_NULL + 1];
    } kind[] = {
        [CF_JSON_TEXT] = {"a string", {[JSON_STRING] = true}},
        [CF_JSON_NAME] = {"a string", {[JSON_STRING] = true}},
        [CF_JSON_LABEL] = {"a string", {[JSON_STRING] = true}},
        [CF_JSON_NUMBER] = {"a number", {[JSON_INTEGER] = true, [JSON_REAL] = true}},
        [CF_JSON_COUNT] = {"a whole number, 0 or more,", {[JSON_INTEGER] = true}},
        [CF_JSON_TRUTH] = {"true or false", {[JSON_TRUE] = true, [JSON_FALSE] = true}},
        [CF_JSON_WORD] = {"a string", {[JSON_STRING] = true}},
        [CF_JSON_OBJECT] = {"an object", {[JSON_OBJECT] = true}},
        [CF_JSON_MAP] = {"an object", {[JSON_OBJECT] = true}},
        [CF_JSON_LIST] = {"a list", {[JSON_ARRAY] = true}},
    };

    if (shape->kind == CF_JSON_ANY)
        return CF_OK;
    if (json_is_null(value) && shape->flags & (CF_JSON_OPTIONAL | CF_JSON_NULLABLE))
        return CF_OK;
    if (!kind[shape->kind].type[json_typeof(value)])
        return refuse(place, "%s where %s is wanted", type_name(value), kind[shape->kind].want);
    if (shape->kind == CF_JSON_COUNT && json_integer_value(value) < 0)
        return refuse(place, "%" JSON_INTEGER_FORMAT " where a whole number, 0 or more, is wanted",
                      json_integer_value(value));
    if (shape->kind == CF_JSON_NAME && !cf_view_plain(json_string_value(value)))
        return refuse(place, "letters, digits, _ and - are wanted");
    if (shape->kind == CF_JSON_LABEL && !is_label(json_string_value(value)))
        return refuse(place, "letters, digits, blanks and any of _-+*/^().,%% are wanted");
    if (shape->kind == CF_JSON_WORD)
        return check_word(place, shape->words, json_string_value(value));
    if (shape->kind == CF_JSON_OBJECT)
        return check_object(place, shape->inside, value);
    if (shape->kind == CF_JSON_MAP)
        return check_map(place, shape->inside, value);
    if (shape->kind == CF_JSON_LIST)
        return check_list(place, shape->inside, value);
    return CF_OK;
}

/* Two lists of equal length. A missing or null `second` is right. */
static int same_length(struct json_place *place, const json_t *object, const char *first,
                       const char *second)
{
    const json_t *a = json_object_get(object, first), *b = json_object_get(object, second);

    if (!json_is_array(b) || json_array_size(a) == json_array_size(b))
        return CF_OK;
    return refuse(place, "%zu numbers in \"%s\" beside %zu in \"%s\"", json_array_size(b), second,
                  json_array_size(a), first);
}

/* A curve, an observation, a point: its data set is there and measures the channel. */
static int check_item(struct json_place *place, const json_t *item, const json_t *data)
{
    static const char *const beside[] = {"value", "low", "high"};
    const char *key = json_object_get(item, "from") ? "from" : "channel";
    const char *name = cf_view_text(item, key);
    size_t ndata = json_array_size(data);

    if (!json_is_object(item))
        return CF_OK;
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        int status = same_length(place, item, "abscissa", beside[i]);
        if (status)
            return status;
    }
    json_int_t set = json_integer_value(json_object_get(item, "data"));
    if (set >= (json_int_t) ndata)
        return refuse(place, "data %" JSON_INTEGER_FORMAT " of %zu: counted from 0", set, ndata);
    if (!cf_view_channel(json_array_get(data, (size_t) set), name))
        return refuse(place, "%s: data %" JSON_INTEGER_FORMAT " has no channel \"%s\"", key, set,
                      name);
    return CF_OK;
}

/* The channel of the main figure is one of its data set. */
static int check_headlines(struct json_place *place, const json_t *data)
{
    const json_t *set;
    size_t i;

    json_array_foreach(data, i, set)
    {
        if (!cf_view_channel(set, cf_view_text(set, "headline")))
            return refuse(place, "data[%zu].headline: it has no channel \"%s\"", i,
                          cf_view_text(set, "headline"));
    }
    return CF_OK;
}

static int check_matrix(struct json_place *place, const json_t *covariance, const char *key)
{
    size_t n = json_array_size(json_object_get(covariance, "names"));
    const json_t *matrix = json_object_get(covariance, key);
    bool square = json_array_size(matrix) == n;

    for (size_t i = 0; i < json_array_size(matrix); i++)
        square = square && json_array_size(json_array_get(matrix, i)) == n;
    if (json_is_object(covariance) && !square)
        return refuse(place, "covariance.%s is not of %zu rows and columns, one a name", key, n);
    return CF_OK;
}

/* What tables cannot say: lists that belong together, and indices. */
static int check_links(struct json_place *place, const json_t *fit)
{
    static const struct {
        const char *list, *inside; /* inside: the curve within the item, NULL for the item itself */
    } curved[] = {
        {"curves", NULL}, {"observations", NULL}, {"headline_points", NULL}, {"rivals", "curve"}};
    const json_t *data = json_object_get(fit, "data");
    const json_t *covariance = json_object_get(fit, "covariance");
    int status = check_headlines(place, data);
    const char *key;
    json_t *item;
    size_t i, before;

    if (status)
        return status;
    for (size_t j = 0; j < sizeof curved / sizeof curved[0]; j++) {
        json_array_foreach(json_object_get(fit, curved[j].list), i, item)
        {
            before = step_in(place, "%s[%zu]%s%s", curved[j].list, i, curved[j].inside ? "." : "",
                             curved[j].inside ? curved[j].inside : "");
            status = check_item(
                place, curved[j].inside ? json_object_get(item, curved[j].inside) : item, data);
            place->path[before] = '\0';
            if (status)
                return status;
        }
    }
    json_object_foreach(json_object_get(fit, "parameters"), key, item)
    {
        before = step_in(place, "parameters.%s.profile", key);
        status = same_length(place, json_object_get(item, "profile"), "value", "delta");
        place->path[before] = '\0';
        if (status)
            return status;
    }
    status = check_matrix(place, covariance, "matrix");
    return status ? status : check_matrix(place, covariance, "correlation");
}

static int check_version(struct json_place *place, const json_t *fit)
{
    const char *kind = json_string_value(json_object_get(fit, "contactfit"));

    if (!json_is_object(fit) || !kind)
        return refuse(place, "no fit file: it has no \"contactfit\": \"fit/2\"");
    if (strcmp(kind, "fit/1") == 0)
        return refuse(place, "contactfit: \"fit/1\": an older program wrote it: run contactfit fit "
                             "on its study again");
    if (strcmp(kind, "fit/2") != 0)
        return refuse(place, "contactfit: \"%s\" where \"fit/2\" is wanted", kind);
    return CF_OK;
}

int cf_fit_file_read(const char *path, json_t **fit, struct cf_error *err)
{
    struct json_place place = {path, "", err};
    char *text = NULL;
    size_t len = 0;
    json_t *root;

    *fit = NULL;
    int status = cf_file_read(path, MAX_BYTES, &text, &len, NULL, err);
    if (status)
        return status;
    status = cf_json_load(path, text, len, &root, err);
    free(text);
    if (status)
        return status;
    status = check_version(&place, root);
    if (status == CF_OK)
        status = check(&place, &cf_fit_keys, root);
    if (status == CF_OK)
        status = check_links(&place, root);
    if (status) {
        json_decref(root);
        return status;
    }
    *fit = root;
    return CF_OK;
}

int cf_fit_file_write(const json_t *fit, FILE *out, struct cf_error *err)
{
    struct json_place place = {"the fit file", "", err};
    int status = check(&place, &cf_fit_keys, fit);

    return status ? status : cf_json_write(fit, out, err);
}
