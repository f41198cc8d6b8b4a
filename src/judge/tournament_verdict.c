/* Does a law describe the data? Its own residuals are tested first, then compared with the best of
 * the others. */

#include <math.h>
#include <stdlib.h>

#include "core/text.h"
#include "judge/comparison.h"
#include "judge/tournament.h"

/* Smaller probabilities say nothing more. */
static const double least_p = 1e-15;

/* Tests named one by one, the surest; of more, how many there are. */
enum { NAMED = 6 };

/* One more test behind the words that are there, which are freed; NULL without memory. */
static char *append(char *words, const struct cf_test *t)
{
    char *longer = cf_format("%s%s%s, p %s %.2g", words ? words : "", words ? "; " : "", t->text,
                             t->p_adjusted < least_p ? "<" : "=", fmax(t->p_adjusted, least_p));
    free(words);
    return longer;
}

/* "residuals fall with speed (rank correlation -0.98), p = 0.003", for the tests that reject. A
 * probability that doubles round to 0 is none. */
static int say_rejected(struct cf_contender *c, struct cf_error *err)
{
    size_t more = 0;
    bool made = true;

    for (size_t i = 0; i < c->tests.n && made; i++) {
        const struct cf_test *t = &c->tests.item[i];
        if (t->rejects && t->place < NAMED) {
            c->verdict = append(c->verdict, t);
            made = c->verdict != NULL;
        } else {
            more += t->rejects;
        }
    }
    if (made && more) {
        char *whole = cf_format("%s; and %zu more tests reject it", c->verdict, more);
        free(c->verdict);
        c->verdict = whole;
    }
    return c->verdict ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a verdict");
}

int cf_contender_judge(struct cf_contender *c, struct cf_error *err)
{
    const struct cf_rival *v = c->rival;
    bool confirmed = v->converged && v->confirmed >= 2;

    for (size_t i = 0; i < c->tests.n; i++)
        c->rejected = c->rejected || c->tests.item[i].rejects;
    c->describes = !v->failed && !c->rejected && c->tests.n && confirmed;
    if (c->rejected)
        return say_rejected(c, err);
    if (v->failed)
        c->verdict = cf_format("not compared: %s", v->why.text);
    else if (!confirmed)
        c->verdict = cf_format("its optimum is not confirmed: %zu of %zu starts ended there",
                               v->confirmed, v->nstart);
    else
        c->verdict = cf_format("%s", c->tests.n ? "describes the data"
                                                : "cannot be judged: too few rows for any test");
    return c->verdict ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a verdict");
}

static bool estimates(const struct cf_problem *q)
{
    for (size_t i = 0; i < q->nchannel; i++)
        if (q->channel[i].estimated)
            return true;
    return false;
}

/* An estimated sigma includes the law's own misfit: a smooth misfit on few rows makes it larger,
 * and no test of the residuals sees it. The law ahead of it does. */
int cf_tournament_left_behind(struct cf_tournament *t, struct cf_error *err)
{
    const struct cf_contender *first = NULL;

    for (size_t i = 0; i < t->n; i++) {
        struct cf_contender *c = &t->contender[i];
        double behind;
        if (!c->describes)
            continue;
        if (!first)
            first = c;
        behind = c->rival->aicc - first->rival->aicc;
        if (!(behind > cf_rival_gap) || !estimates(&c->problem))
            continue;
        c->describes = false;
        c->rejected = true;
        free(c->verdict);
        c->verdict = cf_format("no test rejects it, but its scatter is estimated from its own "
                               "residuals, and those of %s are far smaller: AICc lower by %.1f",
                               first->rival->law->name, behind);
        if (!c->verdict)
            return cf_fail(err, CF_ENOMEM, "no memory for a verdict");
        t->nbehind += c->same_as == i;
    }
    return CF_OK;
}
