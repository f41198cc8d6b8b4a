/* The tree, from libfyaml's events.
 *
 * libfyaml's document interface silently accepts second documents, tags, merge keys and aliases;
 * its events show each of them. Lines and columns of events count from 0, those of its messages
 * from 1.
 */

#define _POSIX_C_SOURCE 200809L

#include "study/yaml.h"

#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

enum {
    MAX_DEPTH = 16,  /* a study is 6 deep */
    MAX_KEYS = 4096, /* in one mapping; each is compared with all before it */
};

struct reader {
    const char *file;
    struct fy_parser *parser;
    struct fy_diag *diag;
    size_t line, column; /* of the last event that had a place, from 1 */
    struct cf_error *err;
};

static int build(struct reader *r, struct fy_event *event, int depth, struct cf_yaml *node);

static int refuse(const struct reader *r, const char *what)
{
    return cf_fail(r->err, CF_EINPUT, "%s:%zu:%zu: %s", r->file, r->line, r->column, what);
}

static int no_memory(const struct reader *r)
{
    return cf_fail(r->err, CF_ENOMEM, "%s: no memory for its contents", r->file);
}

/* libfyaml's own complaint, at its place. */
static int syntax(const struct reader *r)
{
    void *iterator = NULL;
    const struct fy_diag_error *e = fy_diag_errors_iterate(r->diag, &iterator);
    char shown[CF_SHOWN];

    if (!e)
        return refuse(r, "this cannot be read as YAML");
    return cf_fail(r->err, CF_EINPUT, "%s:%d:%d: YAML: %s", r->file, e->line, e->column,
                   cf_show(e->msg, shown));
}

static struct fy_event *next(struct reader *r)
{
    struct fy_event *event = fy_parser_parse(r->parser);
    const struct fy_mark *mark = event ? fy_event_start_mark(event) : NULL;

    if (mark) {
        r->line = (size_t) mark->line + 1;
        r->column = (size_t) mark->column + 1;
    }
    return event;
}

/* Tags, anchors and aliases would let a file mean something else than it seems to. */
static int check_plain(const struct reader *r, const struct fy_event *event)
{
    const struct fy_token *anchor = NULL, *tag = NULL;

    if (event->type == FYET_ALIAS)
        return refuse(r, "an alias (*): write the value out, no aliases are read");
    if (event->type == FYET_SCALAR) {
        anchor = event->scalar.anchor;
        tag = event->scalar.tag;
    } else if (event->type == FYET_MAPPING_START) {
        anchor = event->mapping_start.anchor;
        tag = event->mapping_start.tag;
    } else if (event->type == FYET_SEQUENCE_START) {
        anchor = event->sequence_start.anchor;
        tag = event->sequence_start.tag;
    }
    if (tag)
        return refuse(r, "a tag (!): plain values are wanted, no tags are read");
    if (anchor)
        return refuse(r,
                      "an anchor (&): write values out where they are used, no anchors are read");
    return CF_OK;
}

/* The text of a scalar; escapes in quotes can bring control characters in. */
static int take_text(const struct reader *r, const struct fy_event *event, char **text)
{
    size_t n = 0;
    const char *s = fy_token_get_text(event->scalar.value, &n);

    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char) s[i];
        if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f)
            return refuse(r, "a control character: text is wanted");
    }
    *text = strndup(s ? s : "", n);
    return *text ? CF_OK : no_memory(r);
}

/* One more entry at the end of a list or mapping, zeroed. */
static struct cf_yaml *append(struct cf_yaml *to)
{
    struct cf_yaml *item = to->item;

    if ((to->n & (to->n - 1)) == 0) /* full at each power of 2 */
        item = realloc(to->item, (to->n ? 2 * to->n : 1) * sizeof *item);
    if (!item)
        return NULL;
    to->item = item;
    item[to->n] = (struct cf_yaml){0};
    return &item[to->n++];
}

/* The event is a key: check it and read its value. */
static int build_entry(struct reader *r, const struct fy_event *event, int depth,
                       struct cf_yaml *map)
{
    struct cf_yaml *entry;
    struct fy_event *value;
    char *key = NULL, shown[CF_SHOWN];
    size_t line = r->line, column = r->column;
    int status = check_plain(r, event);

    if (status)
        return status;
    if (event->type != FYET_SCALAR)
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
    value = next(r);
    return build(r, value, depth + 1, entry);
}

static int build_all(struct reader *r, int depth, struct cf_yaml *node)
{
    bool map = node->kind == CF_YAML_MAP;

    for (;;) {
        struct fy_event *event = next(r);
        struct cf_yaml *item;
        int status;

        if (event && event->type == (map ? FYET_MAPPING_END : FYET_SEQUENCE_END)) {
            fy_parser_event_free(r->parser, event);
            return CF_OK;
        }
        if (!event)
            return syntax(r);
        if (map) {
            status = build_entry(r, event, depth, node);
            fy_parser_event_free(r->parser, event);
        } else {
            item = append(node);
            status = build(r, event, depth + 1, item);
        }
        if (status)
            return status;
    }
}

/* Make a node of the event and what belongs to it; frees the event. */
static int build(struct reader *r, struct fy_event *event, int depth, struct cf_yaml *node)
{
    int status;

    if (!event)
        return syntax(r);
    if (!node) {
        fy_parser_event_free(r->parser, event);
        return no_memory(r);
    }
    node->file = r->file;
    node->line = r->line;
    node->column = r->column;
    status = check_plain(r, event);
    if (status == CF_OK && depth > MAX_DEPTH)
        status = refuse(r, "nested too deeply");
    if (status == CF_OK && event->type == FYET_SCALAR)
        status = take_text(r, event, &node->text);
    else
        node->kind = event->type == FYET_MAPPING_START ? CF_YAML_MAP : CF_YAML_LIST;
    fy_parser_event_free(r->parser, event);
    if (status || node->kind == CF_YAML_TEXT)
        return status;
    return build_all(r, depth, node);
}

/* One document, and nothing after it. */
static int build_document(struct reader *r, struct cf_yaml *root)
{
    size_t documents = 0;

    for (;;) {
        struct fy_event *event = next(r);
        enum fy_event_type type = event ? event->type : FYET_NONE;
        int status = CF_OK;

        if (type == FYET_DOCUMENT_START && ++documents > 1)
            status = refuse(r, "a second document (---): a file holds one");
        if (type == FYET_SCALAR || type == FYET_SEQUENCE_START || type == FYET_MAPPING_START ||
            type == FYET_ALIAS) {
            status = build(r, event, 0, root);
        } else if (event) {
            fy_parser_event_free(r->parser, event);
        }
        if (status)
            return status;
        if (fy_parser_get_stream_error(r->parser))
            return syntax(r);
        if (type == FYET_STREAM_END || type == FYET_NONE)
            break;
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
    struct reader r = {.file = file, .err = err, .line = 1, .column = 1};
    struct cf_yaml *root = calloc(1, sizeof *root);
    struct fy_diag_cfg quiet;
    struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG};
    int status;

    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL;
    r.diag = fy_diag_create(&quiet);
    config.diag = r.diag;
    r.parser = r.diag ? fy_parser_create(&config) : NULL;
    if (!root || !r.parser || fy_parser_set_string(r.parser, text, len)) {
        status = no_memory(&r);
    } else {
        fy_diag_set_collect_errors(r.diag, true);
        status = build_document(&r, root);
    }
    if (r.parser)
        fy_parser_destroy(r.parser);
    if (r.diag)
        fy_diag_destroy(r.diag);
    if (status) {
        cf_yaml_free(root);
        return NULL;
    }
    return root;
}
