/* Words that a self-test counts as false: how many may be, which rule told them, and that nothing
 * is false of data that another law made. */

#include "identify/false_words.h"
#include "tap.h"

/* The largest counts whose upper tail is above 0.0005, by a sum over the binomial distribution. */
static const struct {
    size_t n, misfit, failed, good;
} band[] = {{12, 3, 2, 1}, {50, 5, 4, 2}, {200, 12, 8, 3}, {1000, 36, 22, 6}};
enum { NBAND = sizeof band / sizeof *band };

static void check_bands(void)
{
    for (size_t i = 0; i < NBAND; i++) {
        struct cf_selftest t = {.replicates = band[i].n, .same_law = true};
        struct cf_false_word w[CF_NFALSE];
        t.verdict[CF_VERDICT_MISFIT] = band[i].misfit;
        t.verdict[CF_VERDICT_FAILED] = band[i].failed + 1;
        t.false_success = band[i].good + 1;
        cf_false_words(&t, 0.01, w);
        ok(w[CF_FALSE_MISFIT].most == band[i].misfit && w[CF_FALSE_FAILED].most == band[i].failed &&
               w[CF_FALSE_GOOD].most == band[i].good && w[CF_FALSE_ERROR].most == 0,
           "of %zu studies", band[i].n);
        ok(w[CF_FALSE_MISFIT].holds && !w[CF_FALSE_FAILED].holds && !w[CF_FALSE_GOOD].holds &&
               w[CF_FALSE_ERROR].holds,
           "and one more is too many");
    }
}

TEST(false_words)
{
    struct cf_selftest t = {.replicates = 200, .same_law = true, .broken = 1};
    struct cf_false_word w[CF_NFALSE];

    plan(2 * NBAND + 6);
    check_bands();
    t.verdict[CF_VERDICT_MISFIT] = 30;
    t.told[CF_RULE_PRIOR] = 9;
    t.told[CF_RULE_TEST] = 25;
    t.told[CF_RULE_RIVAL] = 28;
    cf_false_words(&t, 0.01, w);
    ok(!w[CF_FALSE_ERROR].holds, "one error is one too many");
    ok(w[CF_FALSE_MISFIT].rule == CF_RULE_TEST && w[CF_FALSE_MISFIT].told == 25,
       "the rule that told it most often; a note tells nothing");
    ok(w[CF_FALSE_FAILED].rule == CF_NRULE && w[CF_FALSE_FAILED].told == 0, "none told the other");
    ok(!w[CF_FALSE_MISFIT].holds, "30 of 200 are too many");
    cf_false_words(&t, 0.05, w);
    ok(w[CF_FALSE_MISFIT].holds && w[CF_FALSE_MISFIT].most == 35,
       "but not where tests reject 5 %%");
    t.same_law = false;
    cf_false_words(&t, 0.01, w);
    ok(w[CF_FALSE_MISFIT].holds && w[CF_FALSE_ERROR].holds, "another law may be told anything");
    return done();
}
