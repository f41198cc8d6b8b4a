/* The tree, from libyaml's events.
 *
 * Out of them, not out of libyaml's documents, which accept second documents, tags, merge keys and
 * aliases; the events show each of them. Lines and columns of marks count from 0.
 */

#define _POSIX_C_SOURCE 200809L

#include "file/yaml.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "core/list.h"
#include "core/text.h"

enum {
    MAX_DEPTH = 16,  /* a study is 6 deep */
    MAX_KEYS = 4096, /* in one mapping; each is compared with all before it */
};

struct reader {
    const char *file, *text;
    yaml_parser_t parser;
    size_t line, column; /* of the last event, from 1 */
    struct cf_error *err;
};

static int build(struct reader *r, yaml_event_t *event, int depth, struct cf_yaml *node);

static int refuse(const struct reader *r, const char *what)
{
    return cf_fail(r->err, CF_EINPUT, "%s:%zu:%zu: %s", r->file, r->line, r->column, what);
}

static int no_memory(const struct reader *r)
{
    return cf_fail(r->err, CF_ENOMEM, "%s: no memory for its contents", r->file);
}

/* Is there a tab in the indentation of this line, counted from 0? YAML allows none, and its users
 * cannot see it. */
static bool has_tab(const char *text, size_t line)
{
    for (; line && text; line--) {
        const char *end = strchr(text, '\n');
        text = end ? end + 1 : NULL;
    }
    return text && text[strspn(text, " ")] == '\t';
}

/* A character that YAML does not have; its offset in bytes is known. */
static int bad_character(const struct reader *r, size_t offset)
{
    size_t line = 1, column = 1;

    for (size_t i = 0; i < offset; i++) {
        column += ((unsigned char) r->text[i] & 0xc0) != 0x80;
        if (r->text[i] == '\n')
            line++, column = 1;
    }
    return cf_fail(r->err, CF_EINPUT, "%s:%zu:%zu: a control character: text is wanted", r->file,
                   line, column);
}

#define NO_ALIAS                                                                                   \
    "an alias (*): write the value out, no aliases are read; a text that begins with * is wanted " \
    "in quotes"

/* libyaml's own complaint, at its place. */
static int syntax(const struct reader *r)
{
    const yaml_parser_t *p = &r->parser;
    const yaml_mark_t *mark = &p->problem_mark;
    char shown[CF_SHOWN];

    if (p->error == YAML_MEMORY_ERROR)
        return no_memory(r);
    if (p->error == YAML_READER_ERROR)
        return bad_character(r, p->problem_offset);
    if (has_tab(r->text, mark->line))
        return cf_fail(r->err, CF_EINPUT, "%s:%zu:1: a tab in the indentation: blanks are wanted",
                       r->file, mark->line + 1);
    if (p->context && strcmp(p->context, "while scanning an alias") == 0)
        return cf_fail(r->err, CF_EINPUT, "%s:%zu:%zu: " NO_ALIAS, r->file,
                       p->context_mark.line + 1, p->context_mark.column + 1);
    cf_show(p->problem ? p->problem : "it cannot be read", shown);
    if (p->context && p->context_mark.line != mark->line)
        return cf_fail(r->err, CF_EINPUT, "%s:%zu:%zu: YAML: %s %s that begins in line %zu",
                       r->file, mark->line + 1, mark->column + 1, shown, p->context,
                       p->context_mark.line + 1);
    return cf_fail(r->err, CF_EINPUT, "%s:%zu:%zu: YAML: %s", r->file, mark->line + 1,
                   mark->column + 1, shown);
}

/* The text of a quoted scalar begins behind its mark. */
static bool is_quoted(const yaml_event_t *event)
{
    return event->type == YAML_SCALAR_EVENT &&
           (event->data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
            event->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE);
}

/* The next event, the caller's to delete; failing means that there is nothing to delete. */
static int next(struct reader *r, yaml_event_t *event)
{
    if (!yaml_parser_parse(&r->parser, event))
        return syntax(r);
    r->line = event->start_mark.line + 1;
    r->column = event->start_mark.column + 1 + is_quoted(event);
    return CF_OK;
}

/* Tags, anchors and aliases would let a file mean something else than it seems to. */
static int check_plain(const struct reader *r, const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;

    if (event->type == YAML_ALIAS_EVENT)
        return refuse(r, NO_ALIAS);
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    }
    if (tag)
        return refuse(r, "a tag (!): plain values are wanted, no tags are read");
    if (anchor)
        return refuse(r,
                      "an anchor (&): write values out where they are used, no anchors are read");
    return CF_OK;
}

/* The text of a scalar; escapes in quotes can bring control characters in. */
static int take_text(const struct reader *r, const yaml_event_t *event, char **text)
{
    size_t n = event->data.scalar.length;
    const char *s = (const char *) event->data.scalar.value;

    for (const char *bad = s; (bad = cf_text_unsafe(bad, n - (size_t) (bad - s))); bad++)
        if (*bad != '\n')
            return refuse(r, (unsigned char) *bad < 0x80 || (unsigned char) *bad == 0xc2
                                 ? "a control character: text is wanted"
                                 : "a character that turns the writing direction or ends a line: "
                                   "text is wanted");
    *text = strndup(s, n);
    return *text ? CF_OK : no_memory(r);
}

static int take_scalar(const struct reader *r, const yaml_event_t *event, struct cf_yaml *node)
{
    node->read_as = calloc(1, sizeof *node->read_as);
    return node->read_as ? take_text(r, event, &node->text) : no_memory(r);
}

/* One more entry at the end of a list or mapping, zeroed. */
static struct cf_yaml *append(struct cf_yaml *to)
{
    struct cf_yaml *item = cf_list_grow(to->item, to->n, sizeof *item);

    if (!item)
        return NULL;
    to->item = item;
    item[to->n] = (struct cf_yaml){0};
    return &item[to->n++];
}

/* The event is a key: check it and read its value. */
static int build_entry(struct reader *r, const yaml_event_t *event, int depth, struct cf_yaml *map)
{
    struct cf_yaml *entry;
    yaml_event_t value;
    char *key = NULL, shown[CF_SHOWN];
    size_t line = r->line, column = r->column;
    int status = check_plain(r, event);

    if (status)
        return status;
    if (event->type != YAML_SCALAR_EVENT)
        return refuse(r, "a key that is no word");
    if (map->n == MAX_KEYS)
        return refuse(r, "more keys than any mapping has");
    status = take_text(r, event, &key);
    if (status)
        return status;
    if (strcmp(key, "<<") == 0)
        status = refuse(r, "a merge key (<<): write the keys out, no merge keys are read");
    else if (!*key)
        status = refuse(r, "an empty key");
    else if (strchr(key, '\n'))
        status =
            refuse(r, "a key with a line break: keys, names of bodies among them, are one line");
    const struct cf_yaml *twin = status ? NULL : cf_yaml_get(map, key);
    if (twin)
        status = cf_fail(r->err, CF_EINPUT,
                         "%s:%zu:%zu: duplicate key %s: it stands in line %zu already", r->file,
                         line, column, cf_show(key, shown), twin->key_line);
    if (status) {
        free(key);
        return status;
    }
    entry = append(map);
    if (!entry) {
        free(key);
        return no_memory(r);
    }
    entry->key = key;
    entry->key_line = line;
    entry->key_column = column;
    status = next(r, &value);
    return status ? status : build(r, &value, depth + 1, entry);
}

static int build_all(struct reader *r, int depth, struct cf_yaml *node)
{
    bool map = node->kind == CF_YAML_MAP;

    for (;;) {
        yaml_event_t event;
        int status = next(r, &event);

        if (status)
            return status;
        if (event.type == (map ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT)) {
            yaml_event_delete(&event);
            return CF_OK;
        }
        if (map) {
            status = build_entry(r, &event, depth, node);
            yaml_event_delete(&event);
        } else {
            status = build(r, &event, depth + 1, append(node));
        }
        if (status)
            return status;
    }
}

/* Make a node of the event and what belongs to it; deletes the event. */
static int build(struct reader *r, yaml_event_t *event, int depth, struct cf_yaml *node)
{
    int status = node ? check_plain(r, event) : no_memory(r);

    if (status == CF_OK) {
        node->file = r->file;
        node->line = r->line;
        node->column = r->column;
        if (depth > MAX_DEPTH)
            status = refuse(r, "nested too deeply");
        else if (event->type == YAML_SCALAR_EVENT)
            status = take_scalar(r, event, node);
        else
            node->kind = event->type == YAML_MAPPING_START_EVENT ? CF_YAML_MAP : CF_YAML_LIST;
    }
    yaml_event_delete(event);
    return status || node->kind == CF_YAML_TEXT ? status : build_all(r, depth, node);
}

/* One document, and nothing after it. */
static int build_document(struct reader *r, struct cf_yaml *root)
{
    yaml_event_type_t type = YAML_NO_EVENT;
    size_t documents = 0;

    while (type != YAML_STREAM_END_EVENT) {
        yaml_event_t event;
        int status = next(r, &event);

        if (status)
            return status;
        type = event.type;
        if (type == YAML_DOCUMENT_START_EVENT && ++documents > 1)
            status = refuse(r, "a second document (---): a file holds one");
        if (type == YAML_SCALAR_EVENT || type == YAML_SEQUENCE_START_EVENT ||
            type == YAML_MAPPING_START_EVENT || type == YAML_ALIAS_EVENT)
            status = build(r, &event, 0, root);
        else
            yaml_event_delete(&event);
        if (status)
            return status;
    }
    if (!root->file || root->kind != CF_YAML_MAP)
        return cf_fail(r->err, CF_EINPUT,
                       "%s:1:1: keys with values are wanted, the first of them contactfit",
                       r->file);
    return CF_OK;
}

static void clear(struct cf_yaml *node)
{
    for (size_t i = 0; i < node->n; i++)
        clear(&node->item[i]);
    free(node->item);
    free(node->text);
    free(node->read_as);
    free(node->key);
}

void cf_yaml_free(struct cf_yaml *root)
{
    if (root)
        clear(root);
    free(root);
}

struct cf_yaml *cf_yaml_parse(const char *file, const char *text, size_t len, struct cf_error *err)
{
    struct reader r = {.file = file, .text = text, .err = err, .line = 1, .column = 1};
    struct cf_yaml *root = calloc(1, sizeof *root);
    int status;

    if (!root || !yaml_parser_initialize(&r.parser)) {
        status = no_memory(&r);
    } else {
        yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
        yaml_parser_set_input_string(&r.parser, (const unsigned char *) text, len);
        status = build_document(&r, root);
    }
    yaml_parser_delete(&r.parser);
    if (status) {
        cf_yaml_free(root);
        return NULL;
    }
    return root;
}
