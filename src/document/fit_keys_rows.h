/* How the tables of fit/1 files are written, and those that more than one file needs; private to
 * src/document. */

#ifndef CF_DOCUMENT_FIT_KEYS_ROWS_H
#define CF_DOCUMENT_FIT_KEYS_ROWS_H

#include <stddef.h>

#include "document/fit_keys.h"

#define TEXT(name, flags)                                                                          \
    {                                                                                              \
        name, CF_KEY_TEXT, flags, NULL, NULL                                                       \
    }
#define NUMBER(name, flags)                                                                        \
    {                                                                                              \
        name, CF_KEY_NUMBER, flags, NULL, NULL                                                     \
    }
#define COUNT(name, flags)                                                                         \
    {                                                                                              \
        name, CF_KEY_COUNT, flags, NULL, NULL                                                      \
    }
#define TRUTH(name, flags)                                                                         \
    {                                                                                              \
        name, CF_KEY_TRUTH, flags, NULL, NULL                                                      \
    }
#define ANY(name, flags)                                                                           \
    {                                                                                              \
        name, CF_KEY_ANY, flags, NULL, NULL                                                        \
    }
#define WORD(name, flags, list)                                                                    \
    {                                                                                              \
        name, CF_KEY_WORD, flags, NULL, list                                                       \
    }
#define OBJECT(name, flags, table)                                                                 \
    {                                                                                              \
        name, CF_KEY_OBJECT, flags, table, NULL                                                    \
    }
#define MAP(name, flags, element)                                                                  \
    {                                                                                              \
        name, CF_KEY_MAP, flags, &(element), NULL                                                  \
    }
#define LIST(name, flags, element)                                                                 \
    {                                                                                              \
        name, CF_KEY_LIST, flags, &(element), NULL                                                 \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, CF_KEY_ANY, 0, NULL, NULL                                                            \
    }

enum { OPT = CF_KEY_OPTIONAL, NIL = CF_KEY_NULLABLE };

/* An element of a list. */
extern const struct cf_key cf_test_keys, cf_start_keys, cf_bootstrap_keys;

/* The keys of an object. */
extern const struct cf_key cf_posterior_keys[], cf_tournament_keys[], cf_simulators_keys[];

#endif
