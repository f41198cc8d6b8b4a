/* Fit files: parsed by jansson, then checked against the tables of fit_keys.c, so that later
 * readers of a fit may take every key, type and length for granted. */

#define _POSIX_C_SOURCE 200809L

#include "document/fit_file.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/nearest.h"
#include "core/text.h"
#include "document/fit_keys.h"
#include "document/fit_links.h"
#include "document/json_load.h"
#include "document/json_value.h"
#include "document/view.h"

enum {
    MAX_BYTES = 256 * 1024 * 1024, /* points are thinned: many data sets, long provenance */
    MAX_KEYS = 32,                 /* more than any table of fit_keys.c has */
};

static const char *type_name(const json_t *value)
{
    static const char *const name[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "a list",  [JSON_STRING] = "a string",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a number", [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",      [JSON_NULL] = "null",
    };
    return name[json_typeof(value)];
}

static int check(struct cf_json_place *place, const struct cf_json_key *shape, const json_t *value);

static const struct cf_json_key *find_key(const struct cf_json_key *table, const char *key)
{
    for (; table->key; table++)
        if (strcmp(table->key, key) == 0)
            return table;
    return NULL;
}

static int check_unknown(struct cf_json_place *place, const struct cf_json_key *table,
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
            return cf_json_refuse(place, "unknown key \"%s\": did you mean \"%s\"?", key, near);
        return cf_json_refuse(place, "unknown key \"%s\"", key);
    }
    return CF_OK;
}

static int check_object(struct cf_json_place *place, const struct cf_json_key *table,
                        const json_t *object)
{
    int status = check_unknown(place, table, object);

    for (; status == CF_OK && table->key; table++) {
        const json_t *value = json_object_get(object, table->key);
        if (!value && table->flags & CF_JSON_OPTIONAL)
            continue;
        if (!value)
            return cf_json_refuse(place, "the key \"%s\" is missing", table->key);
        size_t before = cf_json_step_key(place, table->key);
        status = check(place, table, value);
        place->path[before] = '\0';
    }
    return status;
}

static int check_map(struct cf_json_place *place, const struct cf_json_key *element,
                     const json_t *map)
{
    int status = CF_OK;
    const char *key;
    json_t *value;

    json_object_foreach((json_t *) map, key, value)
    {
        size_t before = cf_json_step_key(place, key);
        status =
            cf_text_unsafe(key, strlen(key))
                ? cf_json_refuse(place, "a name with a control character or a mark of direction")
                : check(place, element, value);
        place->path[before] = '\0';
        if (status)
            break;
    }
    return status;
}

static int check_list(struct cf_json_place *place, const struct cf_json_key *element,
                      const json_t *list)
{
    int status = CF_OK;
    for (size_t i = 0; i < json_array_size(list) && status == CF_OK; i++) {
        size_t before = cf_json_step_in(place, "[%zu]", i);
        status = check(place, element, json_array_get(list, i));
        place->path[before] = '\0';
    }
    return status;
}

static int check_word(struct cf_json_place *place, const char *const *words, const char *text)
{
    char list[256] = "";

    for (size_t i = 0; words[i]; i++) {
        size_t len = strlen(list);
        if (strcmp(words[i], text) == 0)
            return CF_OK;
        snprintf(list + len, sizeof list - len, "%s%s", i ? ", " : "", words[i]);
    }
    return cf_json_refuse(place, "\"%s\" is none of %s", text, list);
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

static int check(struct cf_json_place *place, const struct cf_json_key *shape, const json_t *value)
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
        return cf_json_refuse(place, "%s where %s is wanted", type_name(value),
                              kind[shape->kind].want);
    if (shape->kind == CF_JSON_COUNT && json_integer_value(value) < 0)
        return cf_json_refuse(place,
                              "%" JSON_INTEGER_FORMAT " where a whole number, 0 or more, is wanted",
                              json_integer_value(value));
    if (shape->kind == CF_JSON_NAME && !cf_view_plain(json_string_value(value)))
        return cf_json_refuse(place, "letters, digits, _ and - are wanted");
    if (shape->kind == CF_JSON_LABEL && !is_label(json_string_value(value)))
        return cf_json_refuse(place, "letters, digits, blanks and any of _-+*/^().,%% are wanted");
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

static int check_version(struct cf_json_place *place, const json_t *fit)
{
    const char *kind = json_string_value(json_object_get(fit, "contactfit"));

    if (!json_is_object(fit) || !kind)
        return cf_json_refuse(place, "no fit file: it has no \"contactfit\": \"fit/3\"");
    if (strcmp(kind, "fit/1") == 0)
        return cf_json_refuse(
            place, "contactfit: \"fit/1\": an older program wrote it: run contactfit fit "
                   "on its study again");
    if (strcmp(kind, "fit/2") != 0 && strcmp(kind, "fit/3") != 0)
        return cf_json_refuse(place, "contactfit: \"%s\" where \"fit/3\" is wanted", kind);
    return CF_OK;
}

/* The reasons of a fit/2 file are texts alone; those of fit/3 say by which rule. */
static int read_older(json_t **fit, struct cf_error *err)
{
    json_t *verdict = json_object_get(*fit, "verdict"), *all;
    const json_t *texts = json_object_get(verdict, "reasons");
    const json_t *text;
    size_t i;

    if (strcmp(json_string_value(json_object_get(*fit, "contactfit")), "fit/2") != 0 ||
        !json_is_array(texts))
        return CF_OK;
    all = json_array();
    json_array_foreach(texts, i, text)
    {
        json_t *j = json_object();
        cf_json_put(&j, "rule", json_string("of fit/2"));
        cf_json_put(&j, "word", json_string("unknown"));
        cf_json_put(&j, "accuses", json_string("unknown"));
        cf_json_put(&j, "text", json_is_string(text) ? json_copy((json_t *) text) : json_null());
        cf_json_add(&all, j);
    }
    cf_json_put_within(fit, verdict, "reasons", all);
    return *fit ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the reasons of an older file");
}

/* Texts that could do something to a terminal or a page are made safe where they come in. */
static int make_safe(json_t *value)
{
    const char *key, *text = json_string_value(value);
    json_t *item;
    size_t i;
    int failed = 0;

    if (text && cf_text_unsafe(text, json_string_length(value))) {
        char *safe = strdup(text);
        if (safe)
            cf_text_make_safe(safe);
        failed = !safe || json_string_set(value, safe);
        free(safe);
    }
    json_object_foreach(value, key, item)
    {
        failed |= make_safe(item);
    }
    json_array_foreach(value, i, item)
    {
        failed |= make_safe(item);
    }
    return failed;
}

/* A text of `len` bytes, which becomes free. */
static int take(const char *path, char *text, size_t len, json_t **fit, struct cf_error *err)
{
    struct cf_json_place place = {path, "", err};
    json_t *root = NULL;
    int status = cf_json_load(path, text, len, &root, err);

    free(text);
    if (status)
        return status;
    if (make_safe(root))
        status = cf_fail(err, CF_ENOMEM, "%s: no memory for its contents", path);
    if (status == CF_OK)
        status = check_version(&place, root);
    if (status == CF_OK)
        status = read_older(&root, err);
    if (status == CF_OK)
        status = check(&place, &cf_fit_keys, root);
    if (status == CF_OK)
        status = cf_fit_check_links(&place, root);
    if (status) {
        json_decref(root);
        return status;
    }
    *fit = root;
    return CF_OK;
}

/* Does a line of the text say that it is a study? */
static bool is_study(const char *text)
{
    static const char key[] = "contactfit: study/";

    for (const char *at = text; (at = strstr(at, key)); at++)
        if (at == text || at[-1] == '\n')
            return true;
    return false;
}

int cf_fit_file_read_hashed(const char *path, char sha256[65], json_t **fit, struct cf_error *err)
{
    const char *name = strcmp(path, "-") ? path : "standard input";
    char *text = NULL;
    size_t len = 0;
    int status = cf_file_read(path, MAX_BYTES, &text, &len, sha256, err);

    *fit = NULL;
    if (status)
        return status;
    if (is_study(text)) {
        free(text);
        return cf_fail(err, CF_EINPUT,
                       "%s: a study: contactfit fit makes of it the fit file, a .json, that is "
                       "wanted here",
                       name);
    }
    return take(name, text, len, fit, err);
}

int cf_fit_file_read(const char *path, json_t **fit, struct cf_error *err)
{
    return cf_fit_file_read_hashed(path, NULL, fit, err);
}

int cf_fit_file_parse(const char *name, const char *text, json_t **fit, struct cf_error *err)
{
    char *copy = NULL;
    size_t len = 0;
    int status = cf_file_take(name, text, strlen(text), &copy, &len, NULL, err);

    *fit = NULL;
    return status ? status : take(name, copy, len, fit, err);
}

int cf_fit_file_write(const json_t *fit, FILE *out, struct cf_error *err)
{
    struct cf_json_place place = {"the fit file", "", err};
    int status = check(&place, &cf_fit_keys, fit);

    return status ? status : cf_json_write(fit, out, err);
}
