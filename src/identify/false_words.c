#include "identify/false_words.h"

#define CF_FALSE_NAME(id, name, text) name,
#define CF_FALSE_TEXT(id, name, text) text,
const char *const cf_false_name[CF_NFALSE] = {CF_FALSE_LIST(CF_FALSE_NAME)};
const char *const cf_false_text[CF_NFALSE] = {CF_FALSE_LIST(CF_FALSE_TEXT)};

/* Tests of the residuals reject at p_reject together, and so do those of priors and of data sets
 * that disagree, of which few fits have both. */
static const double families_of_tests = 2;

/* A search may end elsewhere now and then. */
static const double most_failed = 0.01;

/* A region of 99.99 % is left by 0.01 % where it is exact. Of few rows its F distribution is not:
 * designs of a true law have shown up to so many. */
static const double most_false_good = 0.001;

/* The rule of this word that was found most often where that was the verdict. */
static void find_teller(const struct cf_selftest *t, enum cf_verdict_status status,
                        struct cf_false_word *word)
{
    for (int r = 0; r < CF_NRULE; r++)
        if (cf_rules[r].word == status && t->told[r] > word->told) {
            word->rule = (enum cf_verdict_rule) r;
            word->told = t->told[r];
        }
}

void cf_false_words(const struct cf_selftest *t, double p_reject,
                    struct cf_false_word word[CF_NFALSE])
{
    const struct cf_false_word found[CF_NFALSE] = {
        [CF_FALSE_MISFIT] = {.count = t->verdict[CF_VERDICT_MISFIT],
                             .share = families_of_tests * p_reject},
        [CF_FALSE_FAILED] = {.count = t->verdict[CF_VERDICT_FAILED], .share = most_failed},
        [CF_FALSE_ERROR] = {.count = t->broken, .share = 0},
        [CF_FALSE_GOOD] = {.count = t->false_success, .share = most_false_good},
    };

    for (int i = 0; i < CF_NFALSE; i++) {
        size_t low;
        word[i] = found[i];
        word[i].rule = CF_NRULE;
        cf_binomial_band(t->replicates, word[i].share, cf_coverage_band, &low, &word[i].most);
        word[i].holds = !t->same_law || word[i].count <= word[i].most;
    }
    find_teller(t, CF_VERDICT_MISFIT, &word[CF_FALSE_MISFIT]);
    find_teller(t, CF_VERDICT_FAILED, &word[CF_FALSE_FAILED]);
}
