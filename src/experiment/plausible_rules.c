#include "experiment/plausible_rules.h"

#include "experiment/protocol.h"

static size_t count(const struct cf_plausible_rule rule[])
{
    size_t n = 0;

    while (rule && rule[n].name)
        n++;
    return n;
}

/* Has an earlier protocol the same table? */
static bool is_again(size_t protocol)
{
    for (size_t i = 0; i < protocol; i++)
        if (cf_protocols[i]->rules == cf_protocols[protocol]->rules)
            return true;
    return false;
}

const struct cf_plausible_rule *cf_plausible_rule(size_t i)
{
    size_t n = count(cf_plausible_common);

    if (i < n)
        return &cf_plausible_common[i];
    if (i == n)
        return &cf_plausible_sigma;
    i -= n + 1;
    for (size_t p = 0; cf_protocols[p]; p++) {
        if (is_again(p))
            continue;
        n = count(cf_protocols[p]->rules);
        if (i < n)
            return &cf_protocols[p]->rules[i];
        i -= n;
    }
    return NULL;
}

const char *cf_plausible_rule_name(size_t i)
{
    const struct cf_plausible_rule *rule = cf_plausible_rule(i);

    return rule ? rule->name : NULL;
}
