#include "judge/rules.h"

#define CF_VERDICT_WORD(name, text) text,
static const char *const verdict_text[] = {CF_VERDICT_LIST(CF_VERDICT_WORD)};

const char *cf_verdict_text(enum cf_verdict_status status)
{
    return verdict_text[status];
}

const char *const cf_accused_name[CF_NACCUSED] = {
    [CF_ACCUSES_LAW] = "law",
    [CF_ACCUSES_INDEPENDENCE] = "independence",
    [CF_ACCUSES_ORDER] = "order of rows",
    [CF_ACCUSES_SIGMAS] = "sigmas",
    [CF_ACCUSES_SYMMETRY] = "symmetry of errors",
    [CF_ACCUSES_SIZE] = "size of errors",
    [CF_ACCUSES_PAIRS] = "errors of a row",
    [CF_ACCUSES_SEARCH] = "search",
    [CF_ACCUSES_PARAMETER] = "parameter",
    [CF_ACCUSES_PRIOR] = "prior",
    [CF_ACCUSES_SET] = "data set",
    [CF_ACCUSES_ROW] = "row",
    [CF_ACCUSES_NUMBER] = "number of the study",
    [CF_ACCUSES_NOTHING] = "nothing",
};

#define CF_RULE_ROW(id, word, accuses, name, when)                                                 \
    [id] = {CF_VERDICT_##word, CF_ACCUSES_##accuses, name, when},
const struct cf_rule_row cf_rules[CF_NRULE] = {CF_RULE_LIST(CF_RULE_ROW)};
