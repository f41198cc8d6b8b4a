/* What may stand at a place in a YAML file, as a table. Readers refuse other keys by it, and
 * `contactfit schema` prints it as the JSON Schema by which editors check what is typed. Private to
 * src. */

#ifndef CF_FILE_SCHEMA_H
#define CF_FILE_SCHEMA_H

#include "file/yaml.h"

enum cf_schema_kind {
    CF_SCHEMA_ANY,
    CF_SCHEMA_TEXT,     /* one line that is not empty */
    CF_SCHEMA_QUANTITY, /* a number, or one with its unit */
    CF_SCHEMA_POSITIVE, /* the same, above 0 */
    CF_SCHEMA_WHOLE,    /* a whole number, at least 0 */
    CF_SCHEMA_BOOL,
    CF_SCHEMA_WORD,
    CF_SCHEMA_LIST,
    CF_SCHEMA_MAP,
    CF_SCHEMA_EITHER,
};

/* What is known of a number. */
enum { CF_SCHEMA_UNITS = 160 };
struct cf_schema_note {
    char
        unit[CF_SCHEMA_UNITS]; /* SI, of several laws divided by " or "; "1": pure; "": not known */
    double lower, upper;       /* of a bare number, ends included; both 0: no range is known */
    const char *what;          /* one line; "": nothing */
};

struct cf_schema_key {
    const char *name;
    const struct cf_schema *value;
};

/* Where key `by` of a map has word(i) of this table, the keys of its entry `of`, NULL: its own
 * keys, are name(i, 0), name(i, 1), ... alone. Both end with NULL. note fills what is known of
 * name(i, j); NULL: nothing is. */
struct cf_schema_case {
    const char *by;
    const char *(*word)(size_t i);
    const char *of;
    const char *(*name)(size_t i, size_t j);
    void (*note)(size_t i, size_t j, struct cf_schema_note *out);
};

struct cf_schema {
    enum cf_schema_kind kind;
    const struct cf_schema_key *key; /* of a map; nkey */
    size_t nkey;
    const struct cf_schema *of; /* each item of a list; in a map, what any other key has; NULL:
                                   there are no other keys */
    size_t least, most;         /* items of a list, entries of a map; most 0: any number */
    const char *needed;         /* keys that must be there, divided by blanks; NULL: none */
    const struct cf_schema *const *either; /* NULL-terminated */
    const char *pattern;                   /* of a text: a regular expression; NULL: any */
    const char *const *word;               /* words; nword */
    size_t nword;
    const char *one_of; /* keys of which just one must be there, divided by blanks; NULL: none */
    const char *(*name)(size_t i); /* words, or the other keys of a map, out of a table of rows:
                                    * NULL behind the last */
    void (*note)(size_t i, struct cf_schema_note *out); /* of name(i); NULL: nothing is known */
    bool open;                         /* keys by `name` are examples: there may be others */
    const struct cf_schema_case *when; /* nwhen */
    size_t nwhen;
    const char *unit;    /* of a quantity, as in a note; NULL: not known */
    double lower, upper; /* of a number, as in a note */
    bool inside;         /* strictly between the two */
};

/* Keys, words or cases of a table. */
#define CF_SCHEMA_KEYS(rows) .key = (rows), .nkey = sizeof(rows) / sizeof *(rows)
#define CF_SCHEMA_CASES(rows) .when = (rows), .nwhen = sizeof(rows) / sizeof *(rows)
#define CF_SCHEMA_WORDS(rows) .word = (rows), .nword = sizeof(rows) / sizeof *(rows)

extern const struct cf_schema cf_schema_any, cf_schema_text, cf_schema_quantity, cf_schema_positive,
    cf_schema_whole, cf_schema_bool;
extern const struct cf_schema cf_schema_texts;                  /* a list */
extern const struct cf_schema cf_schema_pair, cf_schema_vector; /* two and three quantities */
extern const struct cf_schema cf_schema_map;                    /* with any keys */

/* cf_yaml_keys() with the keys of the table, or with the first n of them. */
int cf_schema_check(const struct cf_yaml *map, const struct cf_schema *schema,
                    struct cf_error *err);
int cf_schema_check_first(const struct cf_yaml *map, const struct cf_schema *schema, size_t n,
                          struct cf_error *err);

#endif
