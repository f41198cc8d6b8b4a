/* The shape of fit/1 files as tables; private to src/study. */

#ifndef CF_DOCUMENT_FIT_KEYS_H
#define CF_DOCUMENT_FIT_KEYS_H

enum cf_shape_kind {
    CF_SHAPE_TEXT,
    CF_SHAPE_NUMBER,
    CF_SHAPE_COUNT,  /* a whole number, 0 or more */
    CF_SHAPE_TRUTH,  /* true or false */
    CF_SHAPE_WORD,   /* one of `words` */
    CF_SHAPE_OBJECT, /* the keys of `inside` and no others */
    CF_SHAPE_MAP,    /* any keys, each value of the shape `inside` */
    CF_SHAPE_LIST,   /* each item of the shape `inside` */
    CF_SHAPE_ANY,    /* kept, not read */
};

enum {
    CF_SHAPE_OPTIONAL = 1, /* the key may be missing or its value null */
    CF_SHAPE_NULLABLE = 2, /* the key must be there, its value may be null */
};

struct cf_shape {
    const char *key; /* NULL in an element of a list or map, and at the end of a table */
    enum cf_shape_kind kind;
    unsigned flags;
    const struct cf_shape *inside;
    const char *const *words; /* NULL-terminated */
};

/* The whole file: an object. */
extern const struct cf_shape cf_fit_shape;

#endif
