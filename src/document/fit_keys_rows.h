/* How the tables of fit/3 files are written, and those that more than one file needs; private to
 * src/document. */

#ifndef CF_DOCUMENT_FIT_KEYS_ROWS_H
#define CF_DOCUMENT_FIT_KEYS_ROWS_H

#include <stddef.h>

#include "document/fit_keys.h"

#define TEXT(name, flags)                                                                          \
    {                                                                                              \
        name, CF_JSON_TEXT, flags, NULL, NULL                                                      \
    }
#define NAME(name, flags)                                                                          \
    {                                                                                              \
        name, CF_JSON_NAME, flags, NULL, NULL                                                      \
    }
#define LABEL(name, flags)                                                                         \
    {                                                                                              \
        name, CF_JSON_LABEL, flags, NULL, NULL                                                     \
    }
#define NUMBER(name, flags)                                                                        \
    {                                                                                              \
        name, CF_JSON_NUMBER, flags, NULL, NULL                                                    \
    }
#define COUNT(name, flags)                                                                         \
    {                                                                                              \
        name, CF_JSON_COUNT, flags, NULL, NULL                                                     \
    }
#define TRUTH(name, flags)                                                                         \
    {                                                                                              \
        name, CF_JSON_TRUTH, flags, NULL, NULL                                                     \
    }
#define ANY(name, flags)                                                                           \
    {                                                                                              \
        name, CF_JSON_ANY, flags, NULL, NULL                                                       \
    }
#define WORD(name, flags, list)                                                                    \
    {                                                                                              \
        name, CF_JSON_WORD, flags, NULL, list                                                      \
    }
#define OBJECT(name, flags, table)                                                                 \
    {                                                                                              \
        name, CF_JSON_OBJECT, flags, table, NULL                                                   \
    }
#define MAP(name, flags, element)                                                                  \
    {                                                                                              \
        name, CF_JSON_MAP, flags, &(element), NULL                                                 \
    }
#define LIST(name, flags, element)                                                                 \
    {                                                                                              \
        name, CF_JSON_LIST, flags, &(element), NULL                                                \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, CF_JSON_ANY, 0, NULL, NULL                                                           \
    }

enum { OPT = CF_JSON_OPTIONAL, NIL = CF_JSON_NULLABLE };

/* An element of a list. */
extern const struct cf_json_key cf_record_keys[];
extern const struct cf_json_key cf_agreement_keys;
extern const struct cf_json_key cf_adequacy_keys;
extern const char *const cf_adequacy_answers[], *const cf_axis_scales[];
extern const struct cf_json_key cf_smoothness_keys[];
extern const struct cf_json_key cf_test_keys, cf_prior_test_keys, cf_start_keys, cf_bootstrap_keys,
    cf_rival_keys;

/* The keys of an object. */
extern const struct cf_json_key cf_posterior_keys[], cf_tournament_keys[], cf_simulators_keys[],
    cf_errors_keys[], cf_press_keys[], cf_held_out_keys[], cf_curve_keys[], cf_budget_keys[];

#endif
