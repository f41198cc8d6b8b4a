/* Short words for the rows of tables of keys: for files keys.c only. Private to src. */

#ifndef CF_FILE_SCHEMA_ROWS_H
#define CF_FILE_SCHEMA_ROWS_H

#include "file/schema.h"

#define MAP(rows) .kind = CF_SCHEMA_MAP, CF_SCHEMA_KEYS(rows)
#define WORD(rows) .kind = CF_SCHEMA_WORD, CF_SCHEMA_WORDS(rows)
#define LIST_OF(what) .kind = CF_SCHEMA_LIST, .of = &(what)
#define EITHER(...)                                                                                \
    .kind = CF_SCHEMA_EITHER, .either = (const struct cf_schema *const[])                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

/* Numbers of a unit, and a range of theirs. */
#define IN(what)                                                                                   \
    &(const struct cf_schema)                                                                      \
    {                                                                                              \
        .kind = CF_SCHEMA_QUANTITY, .unit = (what)                                                 \
    }
#define POSITIVE_IN(what)                                                                          \
    &(const struct cf_schema)                                                                      \
    {                                                                                              \
        .kind = CF_SCHEMA_POSITIVE, .unit = (what)                                                 \
    }
#define VECTOR_IN(what)                                                                            \
    &(const struct cf_schema)                                                                      \
    {                                                                                              \
        .kind = CF_SCHEMA_LIST, .of = IN(what), .least = 3, .most = 3                              \
    }
#define FROM_TO(what, low, high)                                                                   \
    &(const struct cf_schema)                                                                      \
    {                                                                                              \
        .kind = CF_SCHEMA_QUANTITY, .unit = (what), .lower = (low), .upper = (high)                \
    }
#define BETWEEN(low, high)                                                                         \
    &(const struct cf_schema)                                                                      \
    {                                                                                              \
        .kind = CF_SCHEMA_QUANTITY, .unit = "1", .lower = (low), .upper = (high), .inside = true   \
    }
#define WHOLE_FROM(low, high)                                                                      \
    &(const struct cf_schema)                                                                      \
    {                                                                                              \
        .kind = CF_SCHEMA_WHOLE, .lower = (low), .upper = (high)                                   \
    }

#define TEXT &cf_schema_text
#define QUANTITY &cf_schema_quantity
#define POSITIVE &cf_schema_positive
#define WHOLE &cf_schema_whole
#define BOOL &cf_schema_bool
#define SPAN &cf_schema_pair
#define VECTOR &cf_schema_vector

/* How the table of a mapping is written: cf_table_key. */
#define CF_TABLE_KEYS                                                                              \
    {"delimiter", TEXT}, {"decimal", TEXT}, {"thousands", TEXT}, {"encoding", TEXT},               \
        {"block", WHOLE}, {"header_line", WHOLE}, {"names", TEXT},                                 \
    {                                                                                              \
        "unit_row", BOOL                                                                           \
    }

#endif
