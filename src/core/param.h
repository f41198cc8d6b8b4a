/* Parameter tables: the one place that has a parameter's name, unit and range. */

#ifndef CF_CORE_PARAM_H
#define CF_CORE_PARAM_H

#include <stddef.h>

#include "core/status.h"

enum { CF_MAX_PARAM = 12 }; /* more than any law has; sizes the arrays of derivatives */

enum cf_scale { CF_SCALE_LINEAR, CF_SCALE_LOG }; /* the scale on which an estimator moves */

struct cf_param {
    const char *name;            /* key in files and on the command line */
    const char *unit;            /* SI, as printed: "N/m^1.5"; "1" for a pure number */
    double lower, upper;         /* accepted range, ends included */
    double fit_lower, fit_upper; /* where a fit looks unless the study says otherwise */
    double typical;              /* an example for documentation, never a silent default */
    enum cf_scale scale;
    const char *what; /* one line for help and reports */
};

/* Check p[n] against its table; the message names the parameter, value, unit and range. */
int cf_param_check(const struct cf_param *table, size_t n, const double p[], struct cf_error *err);

/* Index of `name` in table[n], or n when there is none. */
size_t cf_param_find(const struct cf_param *table, size_t n, const char *name);

#endif
