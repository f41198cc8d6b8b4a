/* What the rules found in a fit: numbers, and the words that are made of them once. */

#ifndef CF_JUDGE_FINDINGS_H
#define CF_JUDGE_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"
#include "judge/rules.h"

/* A number that does not apply is NAN, a text NULL; texts but the last are of the study. */
struct cf_finding {
    enum cf_verdict_rule rule;
    enum cf_accused accuses; /* as the rule says, but for tests, each of which says it */
    double p, level;         /* adjusted, and what it was held against */
    double size;             /* of what was found, */
    const char *unit;        /* in this unit; "1": a pure number */
    const char *test;        /* which one, of several that a rule has */
    const char *data, *quantity, *parameter; /* where: a data set, a column, an unknown, */
    double at;                               /* and on the axis, SI */
    char *text;
};

struct cf_findings {
    size_t n;
    struct cf_finding *item;
    struct cf_finding lost; /* what is written where memory ran out */
    bool failed;            /* it did, and nothing was added since */
};

/* One more, whose numbers are left to fill; never NULL. */
struct cf_finding *cf_add_finding(struct cf_findings *findings, enum cf_verdict_rule rule,
                                  const char *format, ...)
    __attribute__((__format__(printf, 3, 4)));

/* Put them in the order of the rules, as they were found where they share one. CF_ENOMEM where one
 * could not be added. */
int cf_findings_order(struct cf_findings *findings, struct cf_error *err);

/* The worst word among them; does one have this word, or this rule? */
enum cf_verdict_status cf_findings_word(const struct cf_findings *findings);
bool cf_found_word(const struct cf_findings *findings, enum cf_verdict_status word);
bool cf_found(const struct cf_findings *findings, enum cf_verdict_rule rule);

void cf_findings_clear(struct cf_findings *findings);

#endif
