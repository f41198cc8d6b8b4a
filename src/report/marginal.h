/* The draws of one parameter from the posterior, as figures show them. Private to src/report. */

#ifndef CF_REPORT_MARGINAL_H
#define CF_REPORT_MARGINAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "report/chart_text.h"
#include "report/layout.h"

enum { CF_MARGINAL_PANELS = 8 }; /* that a figure has at most */

struct cf_marginal {
    const json_t *parameter, *draws;
    const json_t *numbers; /* of the posterior */
    const char *name;
    bool ratio; /* to the best fit: it is fitted in the logarithm */
    double by;  /* what numbers of the file are multiplied by */
};

/* The i-th parameter with draws; false behind the last, or without a posterior. */
bool cf_marginal_of(const json_t *fit, size_t i, struct cf_marginal *out);

size_t cf_marginals_count(const json_t *fit);

/* A figure of them, a panel a parameter. */
struct cf_stack cf_marginals_stack(const json_t *fit);

/* A draw as it is shown. */
double cf_marginal_draw(const struct cf_marginal *m, size_t i);

/* The label of an axis along which it lies. */
void cf_marginal_label(const struct cf_marginal *m, struct cf_text *label);

#endif
