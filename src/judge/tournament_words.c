/* What a tournament shows, and what it cannot, in sentences. */

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "judge/tournament.h"
#include "judge/verdict.h"

/* Within this of the lowest AICc a law has substantial support: Burnham & Anderson, Model
 * Selection and Multimodel Inference, 2nd ed. 2002, sec. 2.6. */
static const double close_aicc = 2;

static const char *name_of(const struct cf_tournament *t, size_t i)
{
    return t->contender[i].rival->law->name;
}

enum { MOST = 64 }; /* names in a sentence; more laws than the registry has */

static void say_close(struct cf_tournament *t)
{
    const char *name[MOST] = {NULL};
    char list[300];
    size_t n = 0;

    for (size_t i = 1; i < t->n && n < MOST; i++)
        if (t->contender[i].same_as == i && !t->contender[i].rival->failed &&
            t->contender[i].rival->delta_aicc <= close_aicc)
            name[n++] = name_of(t, i);
    cf_join(list, sizeof list, name, n, " and ");
    if (n)
        cf_say(t->statement, &t->nstatement,
               "Within %g of the lowest AICc, that of %s: %s. These data do not separate them.",
               close_aicc, name_of(t, 0), list);
    else if (t->ncurve > 1)
        cf_say(t->statement, &t->nstatement, "No other curve comes within %g of the AICc of %s.",
               close_aicc, name_of(t, 0));
}

/* One sentence for each curve that several laws draw. */
static void say_same(const struct cf_fit *fit, struct cf_tournament *t)
{
    const struct cf_protocol *protocol = fit->optimum.problem.spec->data[0].protocol;
    const char *headline = protocol->channel[protocol->headline].name;
    for (size_t i = 0; i < t->n; i++) {
        const char *name[MOST] = {NULL};
        char list[300];
        size_t n = 0;

        for (size_t j = i; j < t->n && n < MOST; j++)
            if (t->contender[j].same_as == i && !t->contender[j].rival->failed)
                name[n++] = name_of(t, j);
        cf_join(list, sizeof list, name, n, " and ");
        if (n > 1)
            cf_say(t->statement, &t->nstatement,
                   "One curve under %zu names: %s. %c%s cannot separate these laws.", n, list,
                   toupper((unsigned char) headline[0]), headline + 1);
    }
}

static void say_held_out(struct cf_tournament *t)
{
    char chance[160];

    if (t->next == t->n)
        return;
    if (!(t->predictor_p < 0.05))
        snprintf(chance, sizeof chance,
                 "that difference means nothing: changing signs at random does as well with "
                 "p = %.2g",
                 t->predictor_p);
    else
        snprintf(chance, sizeof chance,
                 "changing signs at random does as well with p = %.2g, before counting that the "
                 "best of %zu curves was picked",
                 t->predictor_p, t->ncurve);
    cf_say(t->statement, &t->nstatement,
           "%s predicts the held-out rows best: rms %.3g sigma, against %.3g of %s, the next. "
           "With n = %zu %s.",
           name_of(t, t->best_predictor), t->contender[t->best_predictor].rival->held_out_rms_sigma,
           t->contender[t->next].rival->held_out_rms_sigma, name_of(t, t->next), t->nheld, chance);
}

/* A formula for e cannot drive a simulation: which law with a force comes first? */
static void say_force(struct cf_tournament *t)
{
    if (t->contender[0].rival->law->family != CF_FAMILY_RESTITUTION)
        return;
    for (size_t i = 1; i < t->n; i++) {
        const struct cf_contender *c = &t->contender[i];
        if (c->rival->failed || c->rival->law->family == CF_FAMILY_RESTITUTION)
            continue;
        cf_say(t->statement, &t->nstatement,
               "%s is a formula for the restitution and predicts no force. Of the laws with a "
               "force %s "
               "comes first, %.1f in AICc behind; it %s.",
               name_of(t, 0), name_of(t, i), c->rival->delta_aicc,
               c->describes ? "describes the data" : "does not describe the data");
        return;
    }
}

static void say_failed(struct cf_tournament *t)
{
    const char *name[MOST] = {NULL};
    char list[300];
    size_t n = 0;

    for (size_t i = 0; i < t->n && n < MOST; i++)
        if (t->contender[i].rival->failed)
            name[n++] = name_of(t, i);
    cf_join(list, sizeof list, name, n, " and ");
    if (n)
        cf_say(t->statement, &t->nstatement,
               "Not in the tournament, for they could not be fitted: %s.", list);
}

static void summarise(struct cf_tournament *t)
{
    const char *best = t->n && !t->contender[0].rival->failed ? name_of(t, 0) : NULL;
    bool judged = false;

    for (size_t i = 0; i < t->n; i++)
        judged = judged || t->contender[i].ntest;
    if (!best)
        snprintf(t->summary, sizeof t->summary, "No law could be fitted to the common rows.");
    else if (!judged)
        snprintf(t->summary, sizeof t->summary,
                 "%s has the lowest AICc of %zu different curves; the rows are too few to test "
                 "whether any of them describes the data.",
                 best, t->ncurve);
    else if (t->best == t->n)
        snprintf(t->summary, sizeof t->summary,
                 "None of the %zu different curves describes these data: what each leaves over is "
                 "not scatter. %s comes nearest, and is not right either.",
                 t->ncurve, best);
    else if (t->best)
        snprintf(
            t->summary, sizeof t->summary,
            "%s has the lowest AICc but fails its tests: it is not right. Of the %zu different "
            "curves %zu describe%s the data; %s is the first of these.",
            best, t->ncurve, t->ndescribe, t->ndescribe == 1 ? "s" : "", name_of(t, t->best));
    else if (t->ndescribe > 1)
        snprintf(t->summary, sizeof t->summary,
                 "%s is the best of %zu different curves by AICc and describes the data, as %zu of "
                 "the others do%s.",
                 best, t->ncurve, t->ndescribe - 1, t->ndescribe == 2 ? "es" : "");
    else
        snprintf(t->summary, sizeof t->summary,
                 "%s is the best of %zu different curves by AICc, and the only one that describes "
                 "the data.",
                 best, t->ncurve);
}

static void say_rule(struct cf_tournament *t, double p_reject, size_t rows)
{
    char proof[160] = "";

    if (t->ndescribe)
        snprintf(
            proof, sizeof proof,
            " With %zu rows that is no proof of the law: a fault smaller than the scatter goes "
            "unseen.",
            rows);
    if (rows)
        cf_say(t->statement, &t->nstatement,
               "A law describes the data when no test of its residuals rejects it (p below %g, "
               "adjusted for the number of tests).%s",
               p_reject, proof);
    if (t->nbehind)
        cf_say(
            t->statement, &t->nstatement,
            "Where the scatter is estimated from what a law leaves over, few rows do not show a "
            "smooth fault: a law more than %g in AICc behind one that describes the data does not.",
            cf_rival_gap);
}

void cf_tournament_words(const struct cf_fit *fit, struct cf_tournament *t)
{
    size_t rows = 0;

    t->nstatement = 0;
    summarise(t);
    for (size_t i = 0; i < t->n && !rows; i++)
        rows = t->contender[i].problem.nobservation;
    say_rule(t, fit->optimum.problem.spec->options.p_reject, rows);
    say_close(t);
    say_same(fit, t);
    say_force(t);
    say_held_out(t);
    say_failed(t);
}
