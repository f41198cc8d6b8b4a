/* Other values in place of those of a file: from the command line, or from its own variants. */

#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/nearest.h"
#include "core/text.h"
#include "file/yaml.h"

/* The name of an entry of a list: its key `name`, if it has one. */
static const char *item_name(const struct cf_yaml *item)
{
    const struct cf_yaml *name = item->kind == CF_YAML_MAP ? cf_yaml_get(item, "name") : NULL;
    return name && name->kind == CF_YAML_TEXT ? name->text : NULL;
}

static struct cf_yaml *find_entry(const struct cf_yaml *at, const char *word)
{
    char *end;
    unsigned long index = strtoul(word, &end, 10);

    for (size_t i = 0; i < at->n; i++) {
        const char *name = at->kind == CF_YAML_MAP ? at->item[i].key : item_name(&at->item[i]);
        if (name && strcmp(name, word) == 0)
            return &at->item[i];
    }
    if (at->kind == CF_YAML_LIST && *word >= '0' && *word <= '9' && !*end && index > 0 &&
        index <= at->n)
        return &at->item[index - 1];
    return NULL;
}

/* What there is instead, with names to choose the nearest from. */
static int say_known(const struct cf_yaml *at, const char *label, const char *word,
                     const char *const known[], size_t n, struct cf_error *err)
{
    const char *near = cf_nearest(word, known, n);
    char shown[CF_SHOWN], list[512];

    if (near)
        return cf_fail(err, CF_EINPUT, "%s: no %s in %s: did you mean %s?", label,
                       cf_show(word, shown), at->file, near);
    if (at->kind == CF_YAML_LIST)
        return cf_fail(err, CF_EINPUT, "%s: no %s in %s: a number from 1 to %zu is wanted", label,
                       cf_show(word, shown), at->file, at->n);
    cf_join_some(list, sizeof list, known, n);
    return cf_fail(err, CF_EINPUT, "%s: no %s in %s: it has %s", label, cf_show(word, shown),
                   at->file, n ? list : "nothing");
}

static int no_entry(const struct cf_yaml *at, const char *label, const char *word,
                    struct cf_error *err)
{
    const char **known;
    char shown[CF_SHOWN];
    size_t n = 0;
    int status;

    if (at->kind == CF_YAML_TEXT)
        return cf_fail(err, CF_EINPUT, "%s: no %s here: what stands before it is a value", label,
                       cf_show(word, shown));
    known = calloc(at->n + 1, sizeof *known);
    if (!known)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu names", at->n);
    for (size_t i = 0; i < at->n; i++) {
        const char *name = at->kind == CF_YAML_MAP ? at->item[i].key : item_name(&at->item[i]);
        if (name)
            known[n++] = name;
    }
    status = say_known(at, label, word, known, n, err);
    free(known);
    return status;
}

int cf_yaml_find(struct cf_yaml *root, const char *path, const char *label, struct cf_yaml **found,
                 struct cf_error *err)
{
    char *copy = strdup(path), *rest = copy;
    struct cf_yaml *at = root;
    int status = CF_OK;

    if (!copy)
        return cf_fail(err, CF_ENOMEM, "no memory for a path");
    while (rest && status == CF_OK) {
        char *word = rest, *dot = strchr(rest, '.');
        rest = dot ? dot + 1 : NULL;
        if (dot)
            *dot = '\0';
        struct cf_yaml *next = find_entry(at, word);
        if (!next)
            status = no_entry(at, label, word, err);
        else
            at = next;
    }
    free(copy);
    *found = at;
    return status;
}

/* Columns are counted in the value alone. */
static void shift(struct cf_yaml *node, size_t by)
{
    if (node->line == 1 && node->column > by)
        node->column -= by;
    if (node->key_line == 1 && node->key_column > by)
        node->key_column -= by;
    for (size_t i = 0; i < node->n; i++)
        shift(&node->item[i], by);
}

int cf_yaml_set(struct cf_yaml *root, const char *path, const char *value, const char *label,
                struct cf_error *err)
{
    static const char start[] = "value: ";
    size_t size = sizeof start + strlen(value);
    struct cf_yaml *at = NULL, *tree = NULL, swap;
    char *text = malloc(size);
    int status = text ? cf_yaml_find(root, path, label, &at, err)
                      : cf_fail(err, CF_ENOMEM, "no memory for a value");

    if (status == CF_OK) {
        snprintf(text, size, "%s%s", start, value);
        tree = cf_yaml_parse(label, text, strlen(text), err);
        status = tree ? CF_OK : CF_EINPUT;
    }
    free(text);
    if (status == CF_OK && tree->n != 1)
        status = cf_fail(err, CF_EINPUT, "%s: several lines where one value is wanted", label);
    if (status == CF_OK) {
        swap = *at;
        *at = tree->item[0];
        shift(at, sizeof start - 1);
        tree->item[0] = swap;
        char *key = at->key;
        at->key = tree->item[0].key;
        at->key_line = at->line;
        at->key_column = at->column;
        tree->item[0].key = key;
    }
    cf_yaml_free(tree);
    return status;
}

static int copy_node(const struct cf_yaml *from, struct cf_yaml *to)
{
    int status = CF_OK;

    to->file = from->file;
    to->line = from->line;
    to->column = from->column;
    to->kind = from->kind;
    to->key_line = from->key_line;
    to->key_column = from->key_column;
    if (from->text) {
        to->text = strdup(from->text);
        to->read_as = calloc(1, sizeof *to->read_as);
    }
    if (from->key)
        to->key = strdup(from->key);
    if ((from->text && (!to->text || !to->read_as)) || (from->key && !to->key))
        return CF_ENOMEM;
    for (size_t i = 0; i < from->n && status == CF_OK; i++) {
        struct cf_yaml *item = cf_list_grow(to->item, to->n, sizeof *item);
        if (!item)
            return CF_ENOMEM;
        to->item = item;
        item[to->n] = (struct cf_yaml){0};
        status = copy_node(&from->item[i], &item[to->n++]);
    }
    return status;
}

/* One more entry of a mapping, with nothing in it yet; nothing at all counts as an empty mapping.
 * It stands where `value` does, which is what asks for it. */
static int add_entry(struct cf_yaml *map, const char *word, const struct cf_yaml *value)
{
    struct cf_yaml *item = cf_list_grow(map->item, map->n, sizeof *item);

    if (!item)
        return CF_ENOMEM;
    free(map->text);
    map->text = NULL;
    map->kind = CF_YAML_MAP;
    map->item = item;
    item += map->n++;
    *item = (struct cf_yaml){.file = value->file,
                             .line = value->line,
                             .column = value->column,
                             .key_line = value->key_line,
                             .key_column = value->key_column};
    item->text = strdup("");
    item->read_as = calloc(1, sizeof *item->read_as);
    item->key = strdup(word);
    return item->text && item->read_as && item->key ? CF_OK : CF_ENOMEM;
}

/* The entry of this name, which a mapping gets if it has none. */
static int reach(struct cf_yaml *at, const char *word, const char *path,
                 const struct cf_yaml *value, struct cf_yaml **entry, struct cf_error *err)
{
    char label[1024], shown[CF_SHOWN];

    *entry = find_entry(at, word);
    if (*entry)
        return CF_OK;
    if (at->kind == CF_YAML_LIST || (at->kind == CF_YAML_TEXT && *at->text)) {
        snprintf(label, sizeof label, "%s:%zu:%zu: %s", value->file, value->key_line,
                 value->key_column, cf_show(path, shown));
        return no_entry(at, label, word, err);
    }
    if (add_entry(at, word, value))
        return cf_fail(err, CF_ENOMEM, "no memory for a value");
    *entry = &at->item[at->n - 1];
    return CF_OK;
}

int cf_yaml_graft(struct cf_yaml *root, const char *path, const struct cf_yaml *value,
                  struct cf_error *err)
{
    struct cf_yaml *at = root, *old = calloc(1, sizeof *old);
    char *copy = strdup(path), *rest = copy;
    int status = copy && old ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a value");

    while (rest && status == CF_OK) {
        char *word = rest, *dot = strchr(rest, '.');
        rest = dot ? dot + 1 : NULL;
        if (dot)
            *dot = '\0';
        status = reach(at, word, path, value, &at, err);
    }
    free(copy);
    if (status == CF_OK) {
        char *key = at->key;
        at->key = NULL;
        *old = *at;
        *at = (struct cf_yaml){0};
        status = copy_node(value, at) ? cf_fail(err, CF_ENOMEM, "no memory for a value") : CF_OK;
        free(at->key);
        at->key = key;
    }
    cf_yaml_free(old);
    return status;
}
