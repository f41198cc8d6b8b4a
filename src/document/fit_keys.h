/* The shape of fit/3 files as tables; private to src/document. */

#ifndef CF_DOCUMENT_FIT_KEYS_H
#define CF_DOCUMENT_FIT_KEYS_H

enum cf_json_kind {
    CF_JSON_TEXT,
    CF_JSON_NAME,  /* letters, digits, '_' and '-': may become part of a file's name */
    CF_JSON_LABEL, /* words and units that figures show */
    CF_JSON_NUMBER,
    CF_JSON_COUNT,  /* a whole number, 0 or more */
    CF_JSON_TRUTH,  /* true or false */
    CF_JSON_WORD,   /* one of `words` */
    CF_JSON_OBJECT, /* the keys of `inside` and no others */
    CF_JSON_MAP,    /* any keys, each value of the shape `inside` */
    CF_JSON_LIST,   /* each item of the shape `inside` */
    CF_JSON_ANY,    /* kept, not read */
};

enum {
    CF_JSON_OPTIONAL = 1, /* the key may be missing or its value null */
    CF_JSON_NULLABLE = 2, /* the key must be there, its value may be null */
};

struct cf_json_key {
    const char *key; /* NULL in an element of a list or map, and at the end of a table */
    enum cf_json_kind kind;
    unsigned flags;
    const struct cf_json_key *inside;
    const char *const *words; /* NULL-terminated */
};

/* The whole file: an object. */
extern const struct cf_json_key cf_fit_keys;

#endif
