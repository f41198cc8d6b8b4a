#include "judge/agreement.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "core/decimal.h"
#include "core/text.h"
#include "estimate/effects.h"
#include "judge/interval.h"

/* A probability that doubles round to 0 is none. */
static const double least_p = 1e-300;

void cf_agreement_clear(struct cf_fit *fit)
{
    for (size_t i = 0; i < fit->nagreement; i++)
        free(fit->agreement[i].told);
    free(fit->agreement);
    fit->agreement = NULL;
    fit->nagreement = 0;
}

/* ---- one parameter */

/* Does a part with this half width of a parameter identify it? On a log scale to a decade:
 * the linear model reaches no further. On a linear one to ten times the value, which may be near 0,
 * or twenty times the standard error of the whole fit. */
static bool says(const struct cf_fit *fit, size_t unknown, double half)
{
    const struct cf_optimum *o = &fit->optimum;

    if (o->problem.unknown[unknown].scale == CF_SCALE_LOG)
        return half < M_LN10;
    return half <
           fmax(10 * fabs(o->theta[unknown]), 20 * sqrt(cf_rank_variance(&o->rank, unknown)));
}

static double probability(const struct cf_optimum *o, double fall, size_t more, double dof)
{
    double left = o->dof - (double) more, scale = (o->chi2 - fall) / left;

    if (o->sigma_known)
        return gsl_cdf_chisq_Q(fall, (double) more);
    dof = fmin(dof, o->dof) - (double) more;
    if (!(left > 0) || !(scale > 0) || !(dof > 0))
        return (double) NAN;
    return gsl_cdf_fdist_Q(fall / (double) more / scale, (double) more, dof);
}

/* What a part says, into the list. False: nothing. */
static bool take(const struct cf_fit *fit, size_t unknown, const struct cf_split_part *part,
                 struct cf_told *told)
{
    const struct cf_unknown *w = &fit->optimum.problem.unknown[unknown];
    double half = cf_half_width_of(&fit->optimum, part->dof, part->variance);

    told->says = says(fit, unknown, half);
    told->value = told->says ? cf_unknown_value(w, part->theta) : (double) NAN;
    told->low = told->says ? cf_unknown_value(w, part->theta - half) : (double) NAN;
    told->high = told->says ? cf_unknown_value(w, part->theta + half) : (double) NAN;
    return told->says;
}

/* Ask those parts that still say something. *gone of them do not, and the others are to be asked
 * again: what is left over is theirs then. */
static int ask(const struct cf_fit *fit, struct cf_linear *l, struct cf_agreement *a,
               struct cf_split_part part[], size_t *gone, struct cf_error *err)
{
    size_t n = 0;
    double fall, dof = (double) INFINITY;
    bool solved;
    int status;

    *gone = 0;
    a->statistic = a->p = (double) NAN;
    for (size_t k = 0; k < a->n; k++)
        if (a->told[k].says)
            part[n++].source = a->told[k].source;
    if (n == 0)
        return CF_OK;
    status = cf_split(l, a->unknown, a->by, n, part, &fall, &solved, err);
    for (size_t k = 0, i = 0; k < a->n && !status; k++) {
        if (!a->told[k].says)
            continue;
        if (solved) {
            dof = fmin(dof, part[i].dof);
            *gone += !take(fit, a->unknown, &part[i], &a->told[k]);
        } else {
            a->told[k].says = false;
        }
        i++;
    }
    if (status || !solved || n < 2)
        return status;
    a->statistic = fall;
    a->p = probability(&fit->optimum, fall, n - 1, dof);
    return CF_OK;
}

/* What parts of the data say of one parameter. */
static int test(const struct cf_fit *fit, struct cf_linear *l, struct cf_agreement *a,
                struct cf_error *err)
{
    size_t most = l->problem.spec->ndata > CF_MAX_COLUMN ? l->problem.spec->ndata : CF_MAX_COLUMN;
    size_t *source = calloc(most + 1, sizeof *source), gone = 1;
    struct cf_split_part *part = calloc(most + 1, sizeof *part);
    int status = CF_OK;

    a->told = calloc(most + 1, sizeof *a->told);
    if (!source || !part || !a->told)
        status = cf_fail(err, CF_ENOMEM, "no memory for the estimates of %zu data sets", most);
    else
        a->n = cf_split_sources(l, a->unknown, a->by, source);
    for (size_t k = 0; k < a->n; k++)
        a->told[k] = (struct cf_told){.source = source[k], .says = true, .widens = (double) NAN};
    while (!status && gone)
        status = ask(fit, l, a, part, &gone, err);
    free(source);
    free(part);
    return status;
}

/* ---- all parameters */

static bool is_identified(const struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    return q->nlocal == 0 && q->loss.kind == CF_LOSS_SQUARES && fit->optimum.rank.rank == q->nfree;
}

/* Channels are readings of one event, and none of them shares errors with other events. */
static bool has_channels(const struct cf_problem *q)
{
    for (size_t d = 0; d < q->spec->ndata; d++)
        if (!q->spec->data[d].protocol->one_event)
            return false;
    return q->neffect == 0;
}

/* Has each data set one channel, which no other has? Then they are the same parts. */
static bool are_channels(const struct cf_problem *q)
{
    bool taken[CF_MAX_COLUMN] = {false};

    for (size_t d = 0; d < q->spec->ndata; d++) {
        const struct cf_set *set = &q->set[d];
        if (set->nchannel > 1 || (set->nchannel && taken[set->channel[0]]))
            return false;
        if (set->nchannel)
            taken[set->channel[0]] = true;
    }
    return true;
}

/* Put what is known without a part, errors without[], where it is among the told. */
static bool put_widens(struct cf_fit *fit, enum cf_split_by by, size_t source, const double with[],
                       const double without[])
{
    bool any = false;

    for (size_t i = 0; i < fit->nagreement; i++) {
        const struct cf_agreement *a = &fit->agreement[i];
        for (size_t k = 0; k < a->n && a->by == by; k++)
            if (a->told[k].source == source) {
                a->told[k].widens = without[a->unknown] / with[a->unknown];
                any = true;
            }
    }
    return any;
}

/* By what an interval grows without each part. */
static int widen(struct cf_fit *fit, struct cf_linear *l, enum cf_split_by by, size_t nsource,
                 struct cf_error *err)
{
    size_t p = fit->optimum.problem.nfree;
    double *with = malloc((2 * p + 1) * sizeof *with), *without = with + p;
    int status = with ? cf_linear_errors(l, by, SIZE_MAX, with, err)
                      : cf_fail(err, CF_ENOMEM, "no memory for %zu errors", p);

    for (size_t s = 0; s < nsource && !status; s++) {
        if (!put_widens(fit, by, s, with, with))
            continue;
        status = cf_linear_errors(l, by, s, without, err);
        put_widens(fit, by, s, with, without);
    }
    free(with);
    return status;
}

static int add(struct cf_fit *fit, struct cf_linear *l, enum cf_split_by by, size_t nsource,
               struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    int status = CF_OK;

    for (size_t j = 0; j < q->nfree && !status; j++) {
        struct cf_agreement *a = &fit->agreement[fit->nagreement];
        if (q->unknown[j].kind != CF_UNKNOWN_LAW || l->held[j])
            continue;
        *a = (struct cf_agreement){.unknown = j, .by = by};
        fit->nagreement++;
        status = test(fit, l, a, err);
        if (!status && by == CF_SPLIT_BY_CHANNEL && isnan(a->p)) {
            free(a->told);
            fit->nagreement--;
        }
    }
    return status ? status : widen(fit, l, by, nsource, err);
}

/* Those that were tested by p, the surest first; the others behind them. */
static int by_p(const void *a, const void *b)
{
    const struct cf_agreement *s = a, *t = b;
    if (isnan(s->p) != isnan(t->p))
        return isnan(s->p) - isnan(t->p);
    if (!isnan(s->p) && s->p != t->p)
        return (s->p > t->p) - (s->p < t->p);
    return s->by != t->by ? (int) s->by - (int) t->by
                          : (s->unknown > t->unknown) - (s->unknown < t->unknown);
}

static void adjust(struct cf_fit *fit)
{
    double p = 0;
    size_t tested = 0;

    qsort(fit->agreement, fit->nagreement, sizeof *fit->agreement, by_p);
    while (tested < fit->nagreement && !isnan(fit->agreement[tested].p))
        tested++;
    for (size_t i = 0; i < fit->nagreement; i++) {
        struct cf_agreement *a = &fit->agreement[i];
        a->p_adjusted = p = i < tested ? cf_holm(p, tested - i, a->p) : (double) NAN;
        a->disagrees = p < fit->optimum.problem.spec->options.p_reject;
    }
}

int cf_agreement(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    bool channels = has_channels(q);
    bool data = q->spec->ndata > 1 && !(channels && are_channels(q));
    struct cf_linear l;
    int status;

    if (!is_identified(fit) || !(channels || data))
        return CF_OK;
    fit->agreement = calloc(2 * q->nfree + 1, sizeof *fit->agreement);
    status = fit->agreement ? cf_linear_make(&fit->optimum, &l, err)
                            : cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", q->nfree);
    if (!fit->agreement)
        return status;
    if (!status && channels)
        status = add(fit, &l, CF_SPLIT_BY_CHANNEL, CF_MAX_COLUMN, err);
    if (!status && data)
        status = add(fit, &l, CF_SPLIT_BY_DATA, q->spec->ndata, err);
    if (!status)
        adjust(fit);
    cf_linear_free(&l);
    return status;
}

/* ---- in words */

const char *cf_told_name(const struct cf_fit *fit, const struct cf_agreement *of, size_t k)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;
    size_t source = of->told[k].source;

    return of->by == CF_SPLIT_BY_DATA ? spec->data[source].name
                                      : spec->data[0].protocol->channel[source].name;
}

/* The k-th of those that say something. */
static size_t said(const struct cf_agreement *of, size_t k)
{
    for (size_t i = 0; i < of->n; i++)
        if (of->told[i].says && k-- == 0)
            return i;
    return of->n;
}

static char *range_text(const struct cf_fit *fit, const struct cf_agreement *of)
{
    size_t low = said(of, 0), high = low;

    for (size_t i = 0; i < of->n; i++) {
        if (!of->told[i].says)
            continue;
        low = of->told[i].value < of->told[low].value ? i : low;
        high = of->told[i].value > of->told[high].value ? i : high;
    }
    char text[2][CF_DECIMAL];
    return cf_format("from %s (%s) to %s (%s)", cf_decimal_short(of->told[low].value, 3, text[0]),
                     cf_told_name(fit, of, low), cf_decimal_short(of->told[high].value, 3, text[1]),
                     cf_told_name(fit, of, high));
}

char *cf_agreement_text(const struct cf_fit *fit, const struct cf_agreement *of)
{
    enum { MOST = 4 }; /* more are no sentence */
    char *all = NULL;
    size_t n = 0;

    while (said(of, n) < of->n)
        n++;
    if (n > MOST)
        return range_text(fit, of);
    all = cf_format("%s", n ? "" : "nothing");
    for (size_t k = 0; k < n && all; k++) {
        size_t i = said(of, k);
        char number[CF_DECIMAL];
        char *more = cf_format("%s%s%s %s", all, k ? ", " : "", cf_told_name(fit, of, i),
                               cf_decimal_short(of->told[i].value, 3, number));
        free(all);
        all = more;
    }
    return all;
}

/* Could a random effect be on it: is it one number of the law, and none is? */
static bool may_differ(const struct cf_problem *q, size_t unknown)
{
    const struct cf_unknown *u = &q->unknown[unknown];

    for (size_t e = 0; e < q->neffect; e++)
        if (q->effect[e].of == CF_GROUPS_PARAMETER && q->effect[e].unknown == unknown)
            return false;
    return u->kind == CF_UNKNOWN_LAW && u->per == CF_SHARED_BY_ALL;
}

void cf_judge_agreement(struct cf_fit *fit)
{
    static const char *const what[] = {"channels", "data sets"};
    static const char *const advice[] = {
        "find out which channel is off, as by its scale or zero (nuisance: {CHANNEL.gain: {}}), "
        "whether their sigmas are too small, or whether another law makes them agree",
        "find out in what the data sets differ: specimen, apparatus, scale or zero of a channel "
        "(nuisance: {CHANNEL.gain: {}}), place on the axis where the law fails; or fit a value for "
        "each (fit: {PARAMETER: {per: data}})"};
    bool any[] = {false, false};
    const char *differs = NULL; /* a parameter of the law in which data sets do */

    for (size_t i = 0; i < fit->nagreement; i++) {
        const struct cf_agreement *a = &fit->agreement[i];
        char *text;
        if (!a->disagrees)
            continue;
        any[a->by] = true;
        if (a->by == CF_SPLIT_BY_DATA && may_differ(&fit->optimum.problem, a->unknown))
            differs = differs ? differs : fit->optimum.problem.unknown[a->unknown].name;
        text = cf_agreement_text(fit, a);
        struct cf_finding *f = cf_add_finding(
            &fit->findings, CF_RULE_DISAGREE,
            "the %s disagree about %s beyond their errors: %s (p %s %.2g)", what[a->by],
            fit->optimum.problem.unknown[a->unknown].name, text ? text : "",
            a->p_adjusted < least_p ? "<" : "=", fmax(a->p_adjusted, least_p));
        f->parameter = fit->optimum.problem.unknown[a->unknown].name;
        f->p = a->p_adjusted;
        f->level = fit->optimum.problem.spec->options.p_reject;
        free(text);
    }
    for (size_t by = 0; by < 2; by++)
        if (any[by])
            cf_say(&fit->advice, "%s", advice[by]);
    if (differs)
        cf_say(&fit->advice,
               "where the data sets are specimens of one kind, each with a %s of its own, state "
               "that: group: {by: [specimen], of: [%s]}, and group: {specimen: NAME} in each data "
               "set",
               differs, differs);
}
