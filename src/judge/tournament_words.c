/* What a tournament shows, and what it cannot, in sentences. */

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/text.h"
#include "judge/comparison.h"
#include "judge/held_out.h"
#include "judge/tournament.h"

/* Within this of the lowest AICc a law has substantial support: Burnham & Anderson, Model
 * Selection and Multimodel Inference, 2nd ed. 2002, sec. 2.6. */
static const double close_aicc = 2;

static const char *name_of(const struct cf_tournament *t, size_t i)
{
    return t->contender[i].rival->law->name;
}

/* Does contender i belong to the list of `of`? */
typedef bool member(const struct cf_tournament *t, size_t i, size_t of);

/* "a, b and c" of the contenders that belong to a list, and how many they are. Without memory the
 * list is NULL, and the statements have failed. */
static char *names_of(struct cf_tournament *t, member *belongs, size_t of, size_t *n)
{
    const char **name = calloc(t->n + 1, sizeof *name);
    char *list;

    *n = 0;
    for (size_t i = 0; i < t->n && name; i++)
        if (belongs(t, i, of))
            name[(*n)++] = name_of(t, i);
    list = name ? cf_joined(name, *n, " and ") : NULL;
    t->statements.failed = t->statements.failed || !list;
    free(name);
    return list;
}

static bool is_close(const struct cf_tournament *t, size_t i, size_t of)
{
    return i != of && t->contender[i].same_as == i && !t->contender[i].rival->failed &&
           t->contender[i].rival->delta_aicc <= close_aicc;
}

static void say_close(struct cf_tournament *t)
{
    size_t n;
    char *list = names_of(t, is_close, 0, &n);

    if (n)
        cf_say(&t->statements,
               "Within %g of the lowest AICc, that of %s: %s. These data do not separate them.",
               close_aicc, name_of(t, 0), list ? list : "");
    else if (t->ncurve > 1)
        cf_say(&t->statements, "No other curve comes within %g of the AICc of %s.", close_aicc,
               name_of(t, 0));
    free(list);
}

static bool is_same(const struct cf_tournament *t, size_t i, size_t of)
{
    return t->contender[i].same_as == of && !t->contender[i].rival->failed;
}

/* One sentence for each curve that several laws draw. */
static void say_same(const struct cf_fit *fit, struct cf_tournament *t)
{
    const struct cf_protocol *protocol = fit->optimum.problem.spec->data[0].protocol;
    const char *headline = protocol->channel[protocol->headline].name;
    for (size_t i = 0; i < t->n; i++) {
        size_t n;
        char *list = names_of(t, is_same, i, &n);
        if (n > 1)
            cf_say(&t->statements,
                   "One curve under %zu names: %s. %c%s cannot separate these laws.", n,
                   list ? list : "", toupper((unsigned char) headline[0]), headline + 1);
        free(list);
    }
}

static void say_held_out(const struct cf_fit *fit, struct cf_tournament *t)
{
    double p = t->predictor.p;
    char *chance, *picked;

    if (t->next == t->n)
        return;
    picked = p < cf_held_out_least_p
                 ? cf_format(", before counting that the best of %zu curves was picked", t->ncurve)
                 : cf_format("%s", "");
    chance = picked ? cf_held_out_chance(&fit->held_units, &t->predictor, p, 1, picked) : NULL;
    if (chance)
        cf_say(&t->statements,
               "%s predicts the held-out %s best: %.3g sigma rms, against %.3g of %s, the next. %s",
               name_of(t, t->best_predictor), fit->held_units.many,
               t->contender[t->best_predictor].rival->held_out_rms_sigma,
               t->contender[t->next].rival->held_out_rms_sigma, name_of(t, t->next), chance);
    t->statements.failed = t->statements.failed || !chance;
    free(chance);
    free(picked);
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
        cf_say(&t->statements,
               "%s is a formula for the restitution and predicts no force. Of the laws with a "
               "force %s "
               "comes first, %.1f in AICc behind; it %s.",
               name_of(t, 0), name_of(t, i), c->rival->delta_aicc,
               c->describes ? "describes the data" : "does not describe the data");
        return;
    }
}

static bool has_failed(const struct cf_tournament *t, size_t i, size_t of)
{
    (void) of;
    return t->contender[i].rival->failed;
}

static void say_failed(struct cf_tournament *t)
{
    size_t n;
    char *list = names_of(t, has_failed, 0, &n);

    if (n)
        cf_say(&t->statements, "Not in the tournament, for they could not be compared: %s.",
               list ? list : "");
    free(list);
}

static void summarise(struct cf_tournament *t)
{
    const char *best = t->n && !t->contender[0].rival->failed ? name_of(t, 0) : NULL;
    bool judged = false;

    for (size_t i = 0; i < t->n; i++)
        judged = judged || t->contender[i].tests.n;
    if (!best)
        snprintf(t->summary, sizeof t->summary, "No law could be compared on the common rows.");
    else if (!judged)
        snprintf(t->summary, sizeof t->summary,
                 "%s has the lowest AICc of %zu different curves; the rows are too few to test "
                 "whether any of them describes the data.",
                 best, t->ncurve);
    else if (t->best == t->n)
        snprintf(t->summary, sizeof t->summary,
                 "None of the %zu different curves describes these data: the residuals of each are "
                 "not mere scatter. %s comes closest, but is rejected as well.",
                 t->ncurve, best);
    else if (t->best)
        snprintf(t->summary, sizeof t->summary,
                 "%s has the lowest AICc but fails its tests: it is not the right one. Of the %zu "
                 "different "
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
        snprintf(proof, sizeof proof,
                 " With %zu rows that is no proof of the law: an error smaller than the scatter "
                 "goes unnoticed.",
                 rows);
    if (rows)
        cf_say(&t->statements,
               "A law describes the data when no test of its residuals rejects it (p below %g, "
               "adjusted for the number of tests).%s",
               p_reject, proof);
    if (t->nbehind)
        cf_say(&t->statements,
               "Where the scatter is estimated from the residuals of a law, a smooth error does "
               "not show in few rows: a law whose AICc is more than %g above that of a law that "
               "describes the data is taken not to describe them.",
               cf_rival_gap);
}

int cf_tournament_words(const struct cf_fit *fit, struct cf_tournament *t, struct cf_error *err)
{
    size_t rows = 0;

    cf_statements_clear(&t->statements);
    summarise(t);
    for (size_t i = 0; i < t->n && !rows; i++)
        rows = t->contender[i].problem.nobservation;
    say_rule(t, fit->optimum.problem.spec->options.p_reject, rows);
    say_close(t);
    say_same(fit, t);
    say_force(t);
    say_held_out(fit, t);
    say_failed(t);
    return cf_statements_status(&t->statements, err);
}
