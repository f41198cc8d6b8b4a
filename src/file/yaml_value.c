/* The meaning of a node: keys, texts, quantities; and the place of a failure. */

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/limits.h"
#include "core/nearest.h"
#include "core/text.h"
#include "core/units.h"
#include "file/yaml.h"

int cf_yaml_fail(const struct cf_yaml *at, struct cf_error *err, const char *format, ...)
{
    struct cf_error what;
    va_list args;

    va_start(args, format);
    vsnprintf(what.text, sizeof what.text, format, args);
    va_end(args);
    return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: %s", at->file, at->line, at->column, what.text);
}

int cf_yaml_fail_key(const struct cf_yaml *at, struct cf_error *err, const char *format, ...)
{
    struct cf_error what;
    va_list args;

    va_start(args, format);
    vsnprintf(what.text, sizeof what.text, format, args);
    va_end(args);
    return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: %s", at->file, at->key_line, at->key_column,
                   what.text);
}

int cf_yaml_blame(const struct cf_yaml *at, const char *name, int status, struct cf_error *err)
{
    struct cf_error what;

    if (err) {
        what = *err;
        cf_fail(err, status, "%s:%zu:%zu: %s: %s", at->file, at->line, at->column, name, what.text);
    }
    return status;
}

int cf_yaml_unknown(const struct cf_yaml *at, const char *what, const char *name,
                    const char *const known[], size_t n, struct cf_error *err)
{
    struct cf_yaml place = *at;
    const char *near = cf_nearest(name, known, n);
    char list[512], shown[CF_SHOWN];

    if (name == at->key) {
        place.line = at->key_line;
        place.column = at->key_column;
    }
    if (near)
        return cf_yaml_fail(&place, err, "unknown %s %s: did you mean %s?", what,
                            cf_show(name, shown), near);
    cf_join_some(list, sizeof list, known, n);
    return cf_yaml_fail(&place, err, "unknown %s %s: known here: %s", what, cf_show(name, shown),
                        n ? list : "none");
}

int cf_yaml_pick(const struct cf_yaml *at, const char *what,
                 const char *(*name)(const void *things, size_t i), const void *things, size_t n,
                 size_t *index, struct cf_error *err)
{
    const char **known, *wanted = NULL;
    int status = cf_yaml_text(at, &wanted, err);

    if (status)
        return status;
    for (*index = 0; *index < n; (*index)++)
        if (strcmp(name(things, *index), wanted) == 0)
            return CF_OK;
    known = calloc(n + 1, sizeof *known);
    if (!known)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu names", n);
    for (size_t i = 0; i < n; i++)
        known[i] = name(things, i);
    status = cf_yaml_unknown(at, what, wanted, known, n, err);
    free(known);
    return status;
}

const struct cf_yaml *cf_yaml_get(const struct cf_yaml *map, const char *key)
{
    for (size_t i = 0; i < map->n; i++)
        if (map->item[i].key && strcmp(map->item[i].key, key) == 0)
            return &map->item[i];
    return NULL;
}

int cf_yaml_need(const struct cf_yaml *map, const char *key, const struct cf_yaml **entry,
                 struct cf_error *err)
{
    *entry = cf_yaml_get(map, key);
    return *entry ? CF_OK : cf_yaml_fail(map, err, "no key %s here: it is needed", key);
}

/* The key that leads to a node, for messages. */
static const char *name_of(const struct cf_yaml *at, char shown[CF_SHOWN])
{
    return at->key ? cf_show(at->key, shown) : "this entry";
}

static const char *kind_of(const struct cf_yaml *at)
{
    return at->kind == CF_YAML_MAP    ? "a mapping {...}"
           : at->kind == CF_YAML_LIST ? "a list [...]"
           : *at->text                ? "a text"
                                      : "nothing";
}

int cf_yaml_map(const struct cf_yaml *map, struct cf_error *err)
{
    char shown[CF_SHOWN];

    if (map->kind == CF_YAML_MAP || (map->kind == CF_YAML_TEXT && !*map->text))
        return CF_OK;
    return cf_yaml_fail(map, err, "%s: %s where a mapping {...} is wanted", name_of(map, shown),
                        kind_of(map));
}

int cf_yaml_need_some(const struct cf_yaml *map, const char *key, const char *example,
                      const struct cf_yaml **entry, struct cf_error *err)
{
    int status = cf_yaml_need(map, key, entry, err);

    if (status == CF_OK)
        status = cf_yaml_map(*entry, err);
    if (status == CF_OK && (*entry)->n == 0)
        status = cf_yaml_fail(*entry, err, "%s: nothing: at least one is needed, such as %s", key,
                              example);
    return status;
}

int cf_yaml_list(const struct cf_yaml *list, struct cf_error *err)
{
    char shown[CF_SHOWN];

    if (list->kind == CF_YAML_LIST)
        return CF_OK;
    return cf_yaml_fail(list, err, "%s: %s where a list [...] is wanted", name_of(list, shown),
                        kind_of(list));
}

int cf_yaml_keys(const struct cf_yaml *map, const char *const known[], size_t n,
                 struct cf_error *err)
{
    struct cf_error one;
    int status = cf_yaml_map(map, err), all = status;

    for (size_t i = 0; i < map->n && !status; i++) {
        const struct cf_yaml *at = &map->item[i];
        size_t j = 0;
        while (j < n && strcmp(known[j], at->key) != 0)
            j++;
        if (j == n)
            all = cf_gather(err, all, cf_yaml_unknown(at, "key", at->key, known, n, &one), &one);
    }
    return all;
}

int cf_yaml_text(const struct cf_yaml *at, const char **text, struct cf_error *err)
{
    char shown[CF_SHOWN];

    if (at->kind != CF_YAML_TEXT || !*at->text)
        return cf_yaml_fail(at, err, "%s: %s where a text is wanted", name_of(at, shown),
                            kind_of(at));
    if (strchr(at->text, '\n'))
        return cf_yaml_fail(at, err, "%s: text of several lines where one is wanted",
                            name_of(at, shown));
    if (strcmp(at->text, CF_YAML_FILL_IN) == 0)
        return cf_yaml_fail(at, err, "%s: still to be filled in", name_of(at, shown));
    *text = at->text;
    return CF_OK;
}

/* A text that is to be a quantity. */
static int quantity_text(const struct cf_yaml *at, const char *unit, const char **text,
                         struct cf_error *err)
{
    char shown[CF_SHOWN];
    bool pure = strcmp(unit, "1") == 0;

    if (at->kind == CF_YAML_TEXT && *at->text && strcmp(at->text, CF_YAML_FILL_IN) != 0)
        return cf_yaml_text(at, text, err);
    return cf_yaml_fail(at, err, "%s: %s: a number%s%s%s is wanted", name_of(at, shown),
                        at->kind == CF_YAML_TEXT && *at->text ? "still to be filled in"
                                                              : kind_of(at),
                        pure ? "" : " with its unit [", pure ? "" : unit, pure ? "" : "]");
}

int cf_yaml_quantity(const struct cf_yaml *at, const char *unit, double *si, struct cf_error *err)
{
    char shown[CF_SHOWN];
    const char *text = NULL;
    int status = quantity_text(at, unit, &text, err);

    if (status)
        return status;
    *at->read_as = unit;
    status = cf_quantity_parse(text, unit, si, err);
    return status ? cf_yaml_blame(at, name_of(at, shown), status, err) : CF_OK;
}

int cf_yaml_positive(const struct cf_yaml *at, const char *unit, double *si, struct cf_error *err)
{
    char name[CF_SHOWN], shown[CF_SHOWN];
    struct cf_error why = {""};
    int status = cf_yaml_quantity(at, unit, si, err);

    if (status == CF_OK && !(*si > 0))
        return cf_yaml_fail(at, err, "%s: %s: must be above 0", name_of(at, name),
                            cf_show(at->text, shown));
    if (status == CF_OK && cf_limits_check(name_of(at, name), unit, *si, &why))
        return cf_yaml_fail(at, err, "%s", why.text);
    return status;
}

int cf_yaml_spread(const struct cf_yaml *at, const char *unit, double *value, bool *relative,
                   struct cf_error *err)
{
    size_t n = at->kind == CF_YAML_TEXT ? strlen(at->text) : 0;

    *relative = n && at->text[n - 1] == '%';
    return cf_yaml_positive(at, *relative ? "1" : unit, value, err);
}

int cf_yaml_whole(const struct cf_yaml *at, unsigned long long lower, unsigned long long upper,
                  unsigned long long *value, struct cf_error *err)
{
    char name[CF_SHOWN], shown[CF_SHOWN];
    const char *text = NULL;
    char *end = NULL;
    int status = cf_yaml_text(at, &text, err);

    if (status)
        return status;
    errno = 0;
    *value = strtoull(text, &end, 10);
    if (strspn(text, "0123456789") != strlen(text) || errno || *value < lower || *value > upper)
        return cf_yaml_fail(at, err, "%s: %s: a whole number from %llu to %llu is wanted",
                            name_of(at, name), cf_show(text, shown), lower, upper);
    return CF_OK;
}

int cf_yaml_bool(const struct cf_yaml *at, bool *value, struct cf_error *err)
{
    char name[CF_SHOWN], shown[CF_SHOWN];
    const char *text = NULL;
    int status = cf_yaml_text(at, &text, err);

    if (status)
        return status;
    *value = strcmp(text, "true") == 0;
    if (!*value && strcmp(text, "false") != 0)
        return cf_yaml_fail(at, err, "%s: %s: true or false is wanted", name_of(at, name),
                            cf_show(text, shown));
    return CF_OK;
}

void cf_yaml_put(FILE *out, const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char marks[] = "0123456789./-";
    static const char *const words[] = {"true", "false", "null", "yes", "no", "on", "off"};
    size_t n = strlen(text), i = 0;
    bool plain = n && (strchr(letters, *text) || *text == '/' || strncmp(text, "./", 2) == 0 ||
                       strncmp(text, "../", 3) == 0);

    while (i < n && (strchr(letters, text[i]) || strchr(marks, text[i])))
        i++;
    plain = plain && i == n;
    for (size_t j = 0; j < sizeof words / sizeof *words; j++)
        plain = plain && strcasecmp(text, words[j]) != 0;
    if (plain) {
        fputs(text, out);
        return;
    }
    putc('\'', out);
    for (i = 0; i < n; i++) {
        if (text[i] == '\'')
            putc('\'', out);
        putc(text[i], out);
    }
    putc('\'', out);
}
