/* contactfit schema: the JSON Schema of files that people write, from the tables by which they are
 * read, so that editors check them while they are typed. Draft 2020-12; no keyword in it is newer
 * than draft 7. */

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "core/nearest.h"
#include "core/text.h"
#include "document/json_value.h"
#include "figure/keys.h"
#include "scene/keys.h"
#include "study/keys.h"

static const struct kind {
    const char *name, *title;
    const struct cf_schema *schema;
} kinds[] = {{"study", "contactfit study", &cf_study_schema},
             {"scene", "contactfit scene", &cf_scene_schema},
             {"figure", "contactfit figure file", &cf_drawing_schema}};
enum { NKIND = sizeof kinds / sizeof *kinds };

/* A number and what may follow it, a unit or an uncertainty; the second is above 0. Numbers in YAML
 * alone are numbers in JSON, too. */
static const char quantity[] =
    "^[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?( +1/.*| *\\+/?-.*| *[^-+.,:;0-9 ].*)?$";
static const char positive[] = "^[+]?(?=[0-9.]*[1-9])([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?"
                               "( +1/.*| *\\+/?-.*| *[^-+.,:;0-9 ].*)?$";

static json_t *make(const struct cf_schema *schema);

/* "Hertz stiffness [N/m^1.5]; 1 to 1e+15" for who types it, and the range of bare numbers. */
static void put_note(json_t **out, const struct cf_schema_note *note)
{
    bool ranged = isfinite(note->lower) && note->lower < note->upper,
         pure = strcmp(note->unit, "1") == 0;
    char text[512], range[80] = "";

    if (ranged && isfinite(note->upper))
        snprintf(range, sizeof range, "; %g to %g", note->lower, note->upper);
    else if (ranged)
        snprintf(range, sizeof range, "; at least %g", note->lower);
    if (note->unit[0]) {
        bool what = note->what && *note->what;
        snprintf(text, sizeof text,
                 pure   ? "%s%sa pure number%s%s"
                 : what ? "%s%s%s]%s"
                        : "%s%s%s%s",
                 what ? note->what : "",
                 !what  ? ""
                 : pure ? "; "
                        : " [",
                 pure ? "" : note->unit, range);
        cf_json_put(out, "description", json_string(text));
    }
    if (ranged)
        cf_json_put(out, "minimum", json_real(note->lower));
    if (ranged && isfinite(note->upper))
        cf_json_put(out, "maximum", json_real(note->upper));
}

/* The same of a number that a table of keys has itself. */
static json_t *with_own(json_t *out, const struct cf_schema *schema)
{
    const char *unit = !schema->unit                    ? NULL
                       : strcmp(schema->unit, "1") == 0 ? "a pure number"
                                                        : schema->unit;
    bool ranged = schema->lower < schema->upper;
    char text[256];

    if (ranged) {
        cf_json_put(&out, schema->inside ? "exclusiveMinimum" : "minimum",
                    json_real(schema->lower));
        cf_json_put(&out, schema->inside ? "exclusiveMaximum" : "maximum",
                    json_real(schema->upper));
        snprintf(text, sizeof text, "%s%s%s%g %s %g", unit ? unit : "", unit ? "; " : "",
                 schema->inside ? "between " : "", schema->lower, schema->inside ? "and" : "to",
                 schema->upper);
    } else {
        snprintf(text, sizeof text, "%s%s", unit ? unit : "",
                 schema->kind == CF_SCHEMA_POSITIVE ? "; more than 0" : "");
    }
    if (unit || ranged)
        cf_json_put(&out, "description", json_string(text));
    return out;
}

/* Words divided by blanks, as a list. */
static json_t *list_of(const char *words)
{
    json_t *list = json_array();

    while (*words) {
        size_t n = strcspn(words, " ");
        cf_json_add(&list, json_stringn(words, n));
        words += n + strspn(words + n, " ");
    }
    return list;
}

static json_t *make_words(const struct cf_schema *schema)
{
    json_t *list = json_array();
    const char *word;

    for (size_t i = 0; i < schema->nword; i++)
        cf_json_add(&list, json_string(schema->word[i]));
    for (size_t i = 0; schema->name && (word = schema->name(i)); i++)
        cf_json_add(&list, json_string(word));
    return json_pack("{s:o}", "enum", list);
}

/* Bounds of a count, where there are any. */
static void put_bounds(json_t **out, const struct cf_schema *schema, const char *least,
                       const char *most)
{
    if (schema->least)
        cf_json_put(out, least, cf_json_count(schema->least));
    if (schema->most)
        cf_json_put(out, most, cf_json_count(schema->most));
}

static json_t *make_list(const struct cf_schema *schema)
{
    json_t *out = json_pack("{s:s, s:o}", "type", "array", "items", make(schema->of));

    put_bounds(&out, schema, "minItems", "maxItems");
    if (schema->of->unit && schema->most == schema->least && schema->most > 1)
        cf_json_put(&out, "description",
                    json_sprintf("%zu numbers [%s]", schema->most, schema->of->unit));
    return out;
}

/* Just one of these keys. */
static json_t *make_one_of(const char *words)
{
    json_t *out = json_array();

    while (*words) {
        size_t n = strcspn(words, " ");
        cf_json_add(&out, json_pack("{s:[o]}", "required", json_stringn(words, n)));
        words += n + strspn(words + n, " ");
    }
    return out;
}

/* The keys that go with one word: by a list of them they are refused, and as properties offered. */
static json_t *make_case(const struct cf_schema_case *c, size_t i)
{
    json_t *list = json_array(), *offered = json_object(), *then;
    const char *name;

    for (size_t j = 0; (name = c->name(i, j)); j++) {
        json_t *key = json_object();
        struct cf_schema_note note = {.what = ""};
        if (c->note)
            c->note(i, j, &note);
        put_note(&key, &note);
        cf_json_add(&list, json_string(name));
        cf_json_put(&offered, name, key);
    }
    then = json_pack("{s:{s:o}, s:o}", "propertyNames", "enum", list, "properties", offered);
    if (c->of)
        then = json_pack("{s:{s:o}}", "properties", c->of, then);
    return json_pack("{s:{s:{s:{s:s}}, s:[s]}, s:o}", "if", "properties", c->by, "const",
                     c->word(i), "required", c->by, "then", then);
}

static json_t *make_cases(const struct cf_schema *schema)
{
    json_t *all = json_array();

    for (size_t k = 0; k < schema->nwhen; k++)
        for (size_t i = 0; schema->when[k].word(i); i++)
            cf_json_add(&all, make_case(&schema->when[k], i));
    return all;
}

/* Nothing at all counts as an empty mapping, where one may be. */
static json_t *make_map(const struct cf_schema *schema)
{
    bool some = schema->needed || schema->least || schema->one_of;
    bool others = schema->of && (!schema->name || schema->open);
    json_t *keys = json_object(), *type = some ? json_string("object") : list_of("object null");
    const char *name;

    for (size_t i = 0; i < schema->nkey; i++)
        cf_json_put(&keys, schema->key[i].name, make(schema->key[i].value));
    for (size_t i = 0; schema->name && (name = schema->name(i)); i++) {
        if (json_object_get(keys, name))
            continue;
        json_t *value = make(schema->of);
        struct cf_schema_note note = {.what = ""};
        if (schema->note)
            schema->note(i, &note);
        put_note(&value, &note);
        cf_json_put(&keys, name, value);
    }
    json_t *out = json_pack("{s:o, s:o, s:o}", "type", type, "properties", keys,
                            "additionalProperties", others ? make(schema->of) : json_false());
    if (schema->needed)
        cf_json_put(&out, "required", list_of(schema->needed));
    if (schema->one_of)
        cf_json_put(&out, "oneOf", make_one_of(schema->one_of));
    if (schema->nwhen)
        cf_json_put(&out, "allOf", make_cases(schema));
    put_bounds(&out, schema, "minProperties", "maxProperties");
    return out;
}

/* Editors see numbers and truth values where YAML has them, and texts like these in quotes. */
static json_t *make_text(const struct cf_schema *schema)
{
    json_t *out = json_pack("{s:[s,s,s], s:{s:[s,s]}}", "type", "string", "number", "boolean",
                            "not", "enum", "", CF_YAML_FILL_IN);

    if (schema->pattern)
        cf_json_put(&out, "pattern", json_string(schema->pattern));
    return out;
}

static json_t *make_either(const struct cf_schema *schema)
{
    json_t *list = json_array();

    for (const struct cf_schema *const *s = schema->either; *s; s++)
        cf_json_add(&list, make(*s));
    return json_pack("{s:o}", "anyOf", list);
}

static json_t *make(const struct cf_schema *schema)
{
    switch (schema->kind) {
    case CF_SCHEMA_TEXT:
        return make_text(schema);
    case CF_SCHEMA_QUANTITY:
        return with_own(
            json_pack("{s:[s,s], s:s}", "type", "number", "string", "pattern", quantity), schema);
    case CF_SCHEMA_POSITIVE:
        return with_own(json_pack("{s:[s,s], s:i, s:s}", "type", "number", "string",
                                  "exclusiveMinimum", 0, "pattern", positive),
                        schema);
    case CF_SCHEMA_WHOLE:
        return with_own(json_pack("{s:[s,s], s:i, s:s}", "type", "integer", "string", "minimum", 0,
                                  "pattern", "^[0-9]+$"),
                        schema);
    case CF_SCHEMA_BOOL:
        return json_pack("{s:[b,b,s,s]}", "enum", 1, 0, "true", "false");
    case CF_SCHEMA_WORD:
        return make_words(schema);
    case CF_SCHEMA_LIST:
        return make_list(schema);
    case CF_SCHEMA_MAP:
        return make_map(schema);
    case CF_SCHEMA_EITHER:
        return make_either(schema);
    case CF_SCHEMA_ANY:
        break;
    }
    return json_object();
}

static int print(const struct kind *kind, struct cf_error *err)
{
    json_t *out = json_pack("{s:s, s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema",
                            "title", kind->title);
    json_t *body = make(kind->schema);

    if (kind->schema == &cf_scene_schema) /* figures of scenes are read elsewhere */
        cf_json_put_within(&body, json_object_get(body, "properties"), "figures",
                           make(&cf_scene_figures_schema));
    const char *key;
    json_t *value;
    json_object_foreach(body, key, value) cf_json_put(&out, key, json_incref(value));
    char *text = body ? json_dumps(out, JSON_INDENT(2) | JSON_PRESERVE_ORDER) : NULL;
    json_decref(body);
    json_decref(out);
    if (!text)
        return cf_fail(err, CF_ENOMEM, "no memory for the schema");
    puts(text);
    free(text);
    return CF_OK;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    const char *known[NKIND], *near;
    char shown[CF_SHOWN];

    for (size_t i = 0; i < NKIND; i++) {
        known[i] = kinds[i].name;
        if (strcmp(args->operand[0], known[i]) == 0)
            return print(&kinds[i], err);
    }
    near = cf_nearest(args->operand[0], known, NKIND);
    return cf_fail(err, CF_EUSAGE, "\"%s\": %s%s%s", cf_show(args->operand[0], shown),
                   near ? "did you mean " : "study, scene and figure have a schema",
                   near ? near : "", near ? "?" : "");
}

const struct cf_command cf_command_schema = {
    .name = "schema",
    .synopsis = "study|scene|figure",
    .what = "print the JSON Schema by which editors check studies, scenes and figures",
    .help =
        "Editors with a YAML language server then complete keys and mark mistakes while a file\n"
        "is typed. Its first line says which schema it has:\n"
        "\n"
        "  contactfit schema study > study.schema.json\n"
        "\n"
        "  # yaml-language-server: $schema=study.schema.json\n"
        "\n"
        "The schema knows keys, kinds of values, names of laws and the ranges of bare numbers;\n"
        "its descriptions, which editors show, state the unit. The units that are typed, files\n"
        "and what one key means for another are checked by contactfit check alone.\n",
    .min_operand = 1,
    .max_operand = 1,
    .run = run,
};
