/* Does a law describe the data? Its own residuals are tested first, then compared with the best of
 * the others. */

#include <math.h>
#include <stdio.h>

#include "judge/tournament.h"
#include "judge/verdict.h"

/* Smaller probabilities say nothing more. */
static const double least_p = 1e-15;

/* "residuals fall with speed (rank correlation -0.98), p = 0.003", for the tests that reject. A
 * probability that doubles round to 0 is none. */
void cf_contender_judge(struct cf_contender *c)
{
    const struct cf_rival *v = c->rival;
    size_t used = 0;

    if (v->failed) {
        snprintf(c->verdict, sizeof c->verdict, "cannot be fitted: %s", v->why);
        return;
    }
    for (size_t i = 0; i < c->ntest; i++) {
        const struct cf_test *t = &c->test[i];
        if (!t->rejects || used >= sizeof c->verdict)
            continue;
        c->rejected = true;
        used += (size_t) snprintf(c->verdict + used, sizeof c->verdict - used, "%s%s, p %s %.2g",
                                  used ? "; " : "", t->text, t->p_adjusted < least_p ? "<" : "=",
                                  fmax(t->p_adjusted, least_p));
    }
    c->describes = !c->rejected && c->ntest && v->converged && v->confirmed >= 2;
    if (c->rejected)
        return;
    if (!v->converged || v->confirmed < 2)
        snprintf(c->verdict, sizeof c->verdict,
                 "its optimum is not confirmed: %zu of %zu starts ended there", v->confirmed,
                 v->nstart);
    else
        snprintf(c->verdict, sizeof c->verdict, "%s",
                 c->ntest ? "describes the data" : "cannot be judged: too few rows for any test");
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
void cf_tournament_left_behind(struct cf_tournament *t)
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
        snprintf(c->verdict, sizeof c->verdict,
                 "no test rejects it, but its scatter is estimated from what it leaves over, and "
                 "%s leaves far less: AICc lower by %.1f",
                 first->rival->law->name, behind);
        t->nbehind += c->same_as == i;
    }
}
