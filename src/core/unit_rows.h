/* Tables of units; private to src/core. */

#ifndef CF_CORE_UNIT_ROWS_H
#define CF_CORE_UNIT_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/units.h"

struct cf_unit_symbol {
    const char *name;
    double factor; /* of the SI unit */
    signed char power[CF_NBASE];
    bool prefix; /* takes the SI prefixes */
    const char *what;
};

struct cf_unit_prefix {
    const char *name;
    double factor;
};

struct cf_unit_suffix {
    const char *name; /* "_m_s" */
    const char *unit; /* "m/s" */
};

/* Each ends in a row without name. */
extern const struct cf_unit_symbol cf_unit_symbols[];
extern const struct cf_unit_prefix cf_unit_prefixes[];
extern const struct cf_unit_suffix cf_unit_suffixes[];

/* Words that a message may offer instead of an unknown unit. */
extern const char *const cf_common_units[];
extern const size_t cf_ncommon_units;

/* The dimension as text in SI base units, "kg/(m s^2)". */
enum { CF_UNIT_TEXT = 128 };
const char *cf_unit_base_text(const struct cf_unit *unit, char out[CF_UNIT_TEXT]);

#endif
