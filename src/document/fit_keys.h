/* The shape of fit/1 files as tables; private to src/document. */

#ifndef CF_DOCUMENT_FIT_KEYS_H
#define CF_DOCUMENT_FIT_KEYS_H

enum cf_key_kind {
    CF_KEY_TEXT,
    CF_KEY_NUMBER,
    CF_KEY_COUNT,  /* a whole number, 0 or more */
    CF_KEY_TRUTH,  /* true or false */
    CF_KEY_WORD,   /* one of `words` */
    CF_KEY_OBJECT, /* the keys of `inside` and no others */
    CF_KEY_MAP,    /* any keys, each value of the shape `inside` */
    CF_KEY_LIST,   /* each item of the shape `inside` */
    CF_KEY_ANY,    /* kept, not read */
};

enum {
    CF_KEY_OPTIONAL = 1, /* the key may be missing or its value null */
    CF_KEY_NULLABLE = 2, /* the key must be there, its value may be null */
};

struct cf_key {
    const char *key; /* NULL in an element of a list or map, and at the end of a table */
    enum cf_key_kind kind;
    unsigned flags;
    const struct cf_key *inside;
    const char *const *words; /* NULL-terminated */
};

/* The whole file: an object. */
extern const struct cf_key cf_fit_keys;

#endif
