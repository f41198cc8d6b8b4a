/* Words that a self-test counted and that are false, since the law that was fitted made the data.
 */

#ifndef CF_IDENTIFY_FALSE_WORDS_H
#define CF_IDENTIFY_FALSE_WORDS_H

#include "identify/selftest.h"

/* What may be false, its name, and what happened to the study. `weak` and `undetermined` are not
 * among them: a design may leave a parameter open. */
#define CF_FALSE_LIST(X)                                                                           \
    X(CF_FALSE_MISFIT, "misfit", "called misfit")                                                  \
    X(CF_FALSE_FAILED, "failed", "called failed")                                                  \
    X(CF_FALSE_ERROR, "error", "ended by an error")                                                \
    X(CF_FALSE_GOOD, "good", "called good with the truth outside of a 99.99 % region")

#define CF_FALSE_ENUM(id, name, text) id,
enum cf_false_kind { CF_FALSE_LIST(CF_FALSE_ENUM) CF_NFALSE };

extern const char *const cf_false_name[CF_NFALSE], *const cf_false_text[CF_NFALSE];

struct cf_false_word {
    size_t count;              /* replicates that were told so; */
    double share;              /* this share at most is wanted, */
    size_t most;               /* of which the 99.9 % band ends here */
    enum cf_verdict_rule rule; /* that told it most often; CF_NRULE: none did */
    size_t told;               /* so often */
    bool holds;                /* count <= most */
};

/* p_reject is the level of the tests in the fits. Of data that another law made nothing is false.
 */
void cf_false_words(const struct cf_selftest *selftest, double p_reject,
                    struct cf_false_word word[CF_NFALSE]);

#endif
