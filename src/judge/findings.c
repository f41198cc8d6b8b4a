#include "judge/findings.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/text.h"

struct cf_finding *cf_add_finding(struct cf_findings *findings, enum cf_verdict_rule rule,
                                  const char *format, ...)
{
    struct cf_finding *longer =
        findings->failed ? NULL : cf_list_grow(findings->item, findings->n, sizeof *findings->item);
    struct cf_finding *f = longer ? &longer[findings->n] : &findings->lost;
    va_list args;

    *f = (struct cf_finding){.rule = rule,
                             .accuses = cf_rules[rule].accuses,
                             .p = (double) NAN,
                             .level = (double) NAN,
                             .size = (double) NAN,
                             .at = (double) NAN};
    findings->failed = !longer;
    if (!longer)
        return f;
    findings->item = longer;
    va_start(args, format);
    f->text = cf_format_list(format, args);
    va_end(args);
    findings->failed = !f->text;
    findings->n += !findings->failed;
    return f;
}

int cf_findings_order(struct cf_findings *findings, struct cf_error *err)
{
    struct cf_finding *item = findings->item;

    for (size_t i = 1; i < findings->n; i++) { /* few, and nearly in order */
        struct cf_finding here = item[i];
        size_t k = i;
        for (; k > 0 && item[k - 1].rule > here.rule; k--)
            item[k] = item[k - 1];
        item[k] = here;
    }
    return findings->failed ? cf_fail(err, CF_ENOMEM, "no memory for the words of a verdict")
                            : CF_OK;
}

enum cf_verdict_status cf_findings_word(const struct cf_findings *findings)
{
    enum cf_verdict_status worst = CF_VERDICT_GOOD;

    for (size_t i = 0; i < findings->n; i++) {
        enum cf_verdict_status word = cf_rules[findings->item[i].rule].word;
        worst = word > worst ? word : worst;
    }
    return worst;
}

bool cf_found_word(const struct cf_findings *findings, enum cf_verdict_status word)
{
    for (size_t i = 0; i < findings->n; i++)
        if (cf_rules[findings->item[i].rule].word == word)
            return true;
    return false;
}

bool cf_found(const struct cf_findings *findings, enum cf_verdict_rule rule)
{
    for (size_t i = 0; i < findings->n; i++)
        if (findings->item[i].rule == rule)
            return true;
    return false;
}

void cf_findings_clear(struct cf_findings *findings)
{
    for (size_t i = 0; i < findings->n; i++)
        free(findings->item[i].text);
    free(findings->item);
    *findings = (struct cf_findings){0};
}
