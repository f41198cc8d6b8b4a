#include "judge/verdict.h"
#include "core/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "judge/agreement.h"
#include "judge/cluster_tests.h"
#include "judge/comparison.h"
#include "judge/drift.h"
#include "judge/groups.h"
#include "judge/interval.h"
#include "judge/noise_tests.h"
#include "judge/outlying_groups.h"
#include "judge/plausibility.h"
#include "judge/prior_tests.h"
#include "judge/serial_noise.h"
#include "judge/smoothness.h"
#include "judge/tested.h"
#include "judge/verdict_optimum.h"
#include "judge/verdict_rivals.h"
#include "judge/verdict_rows.h"
#include "judge/verdict_tests.h"

/* A row with a weight below this under a robust loss is reported as strongly downweighted. */
static const double little_weight = 0.5;

static const char *const worth_text[] = {CF_WORTH_LIST(CF_FIT_TEXT)};

const char *cf_worth_text(enum cf_worth worth)
{
    return worth_text[worth];
}

bool cf_fit_trusted(const struct cf_fit *fit)
{
    return fit->status == CF_VERDICT_GOOD || fit->status == CF_VERDICT_WEAK;
}

bool cf_fit_misfits(const struct cf_fit *fit)
{
    return cf_found_word(&fit->findings, CF_VERDICT_MISFIT);
}

/* A pure number goes without its unit. */
static const char *unit_of(const struct cf_unknown *w)
{
    return strcmp(w->unit, "1") == 0 ? "" : w->unit;
}

static const char *space_before(const struct cf_unknown *w)
{
    return *unit_of(w) ? " " : "";
}

/* Is it a part of the law that may be absent, as damping, and that may be 0 here? */
static bool may_be_absent(const struct cf_fit *fit, const struct cf_unknown *w)
{
    if (w->kind != CF_UNKNOWN_LAW)
        return false;
    const struct cf_param *row = &fit->optimum.problem.law->param[w->target];
    return row->lower == 0 && (w->alias || w->lower <= cf_unknown_theta(w, row->fit_lower));
}

/* The study's key for a parameter of the law, of which there may be several. */
static const char *key_of(const struct cf_fit *fit, const struct cf_unknown *w)
{
    return w->alias ? w->alias->name : fit->optimum.problem.law->param[w->target].name;
}

/* Does the law accept more than this bound of one of its parameters? */
static bool may_go_on(const struct cf_fit *fit, const struct cf_unknown *w, int bound)
{
    if (w->kind != CF_UNKNOWN_LAW)
        return false;
    const struct cf_param *row = &fit->optimum.problem.law->param[w->target];
    return w->alias || (bound < 0 ? cf_unknown_theta(w, row->lower) < w->lower
                                  : cf_unknown_theta(w, row->upper) > w->upper);
}

/* A parameter at its bound still has a limit on the other side. What may be absent, and is not
 * seen, is an answer. */
static void judge_bound(struct cf_fit *fit, size_t i, int bound)
{
    const struct cf_unknown *w = &fit->optimum.problem.unknown[i];
    const struct cf_interval *at = &fit->estimate[i].likelihood;
    double end = bound < 0 ? at->high : at->low;
    bool limited = at->known && !(bound < 0 ? at->open_high : at->open_low);
    char limit[120] = "";

    fit->estimate[i].worth = CF_WORTH_AT_BOUND;
    if (limited)
        snprintf(limit, sizeof limit, ": these data show only that it is %s %.3g%s%s",
                 bound < 0 ? "below" : "above", end, space_before(w), unit_of(w));
    if (limited && bound < 0 && may_be_absent(fit, w)) {
        struct cf_finding *f =
            cf_add_finding(&fit->findings, CF_RULE_UNSEEN, "%s is not seen%s", w->name, limit);
        f->parameter = w->name;
        f->size = end;
        f->unit = w->unit;
        cf_say(&fit->advice, "fit without it, fixed: {%s: 0}", key_of(fit, w));
        return;
    }
    cf_add_finding(&fit->findings, CF_RULE_BOUND, "%s ended at its %s bound %g%s%s%s", w->name,
                   bound < 0 ? "lower" : "upper",
                   cf_unknown_value(w, bound < 0 ? w->lower : w->upper), space_before(w),
                   unit_of(w), limit)
        ->parameter = w->name;
    if (may_go_on(fit, w, bound))
        cf_say(&fit->advice, "let %s go beyond, fit: {%s: {%s: ...}}", key_of(fit, w),
               key_of(fit, w), bound < 0 ? "min" : "max");
}

/* What the protocols say of a parameter that such data hardly identify, where these do not. */
static void say_flat(struct cf_fit *fit, size_t i)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_unknown *w = &q->unknown[i];
    const char *flat = NULL;

    if (fit->estimate[i].worth != CF_WORTH_FINE && w->kind == CF_UNKNOWN_LAW)
        flat = cf_law_flat(q->spec->data, q->spec->ndata, q->law->param[w->target].name);
    if (flat)
        cf_add_finding(&fit->findings, CF_RULE_HARDLY, "%s", flat)->parameter = w->name;
}

/* How wide an interval is: the ratio of its ends, or its width over the value. */
static double width_of(const struct cf_fit *fit, size_t i)
{
    const struct cf_interval *at = &fit->estimate[i].likelihood;

    return fit->optimum.problem.unknown[i].scale == CF_SCALE_LOG
               ? at->high / at->low
               : 1 + (at->high - at->low) / fabs(fit->optimum.value[i]);
}

static void judge_width(struct cf_fit *fit, size_t i)
{
    const struct cf_unknown *w = &fit->optimum.problem.unknown[i];
    const struct cf_estimate *e = &fit->estimate[i];
    double low = e->likelihood.low, high = e->likelihood.high;
    int digits = cf_decimal_digits(fmax(fabs(low), fabs(high)), (high - low) / 2, 3);
    char text[2][CF_DECIMAL];

    digits = digits < 3 ? 3 : digits; /* as elsewhere */
    struct cf_finding *f = cf_add_finding(
        &fit->findings, CF_RULE_WIDE, "%s is poorly determined: between %s and %s%s%s", w->name,
        cf_decimal_short(low, digits, text[0]), cf_decimal_short(high, digits, text[1]),
        space_before(w), unit_of(w));
    f->parameter = w->name;
    f->size = width_of(fit, i);
    f->unit = "1";
    f->level = fit->optimum.problem.spec->options.weak_factor;
    if (e->profile.cut)
        cf_add_finding(&fit->findings, CF_RULE_CUT,
                       "the profile of %s ends where the law could not be evaluated any more",
                       w->name)
            ->parameter = w->name;
}

static void judge_parameter(struct cf_fit *fit, size_t i)
{
    const struct cf_unknown *w = &fit->optimum.problem.unknown[i];
    struct cf_estimate *e = &fit->estimate[i];
    int bound = cf_unknown_at_bound(w, fit->optimum.theta[i]);

    e->worth = CF_WORTH_FINE;
    if (fit->optimum.rank.dead[i]) {
        e->worth = CF_WORTH_DEAD;
        cf_add_finding(&fit->findings, CF_RULE_DEAD,
                       "%s has no influence on anything that was measured", w->name)
            ->parameter = w->name;
        cf_say(&fit->advice, "hold %s at a known value, fixed: {%s: ...}", w->name, w->name);
    } else if (fit->optimum.rank.flat[i]) {
        e->worth = CF_WORTH_FLAT;
    } else if (bound) {
        judge_bound(fit, i, bound);
    } else if (cf_interval_is_wide(&fit->optimum.problem, w, fit->optimum.value[i],
                                   &e->likelihood)) {
        e->worth = CF_WORTH_WEAK;
        judge_width(fit, i);
    } else if (fit->optimum.by_prior[i]) {
        e->worth = CF_WORTH_WEAK;
        cf_add_finding(&fit->findings, CF_RULE_BY_PRIOR,
                       "%s is identified only with the help of a prior", w->name)
            ->parameter = w->name;
    }
}

/* "k and lambda" of the flat ones. */
static void flat_names(const struct cf_fit *fit, char text[], size_t size)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const char **name = calloc(q->nfree + 1, sizeof *name);
    size_t n = 0;

    for (size_t i = 0; i < q->nfree && name; i++)
        if (fit->optimum.rank.flat[i])
            name[n++] = q->unknown[i].name;
    cf_join(text, size, name, n, " and ");
    free(name);
}

/* Does a combination hold near the optimum alone: of a motion, or of mixed scales? */
static bool holds_near(const struct cf_fit *fit, size_t i)
{
    return i < fit->optimum.ncombination &&
           (cf_problem_is_slow(&fit->optimum.problem) || !fit->optimum.combination[i].product);
}

static void judge_rank(struct cf_fit *fit, const struct cf_identifiability *foresight)
{
    char names[200], help[800];

    flat_names(fit, names, sizeof names);
    for (size_t i = 0; fit->optimum.rank.nnull && i < fit->optimum.ncombination; i++)
        cf_add_finding(
            &fit->findings, CF_RULE_FLAT,
            holds_near(fit, i)
                ? "near the optimum these data identify %s only as %s: small changes that keep it "
                  "fit as well"
                : "these data identify %s only as %s: every pair that keeps it fits as well",
            names, fit->optimum.combination[i].name);
    if (fit->optimum.rank.nnull && !fit->optimum.ncombination)
        cf_add_finding(&fit->findings, CF_RULE_FLAT, "these data do not identify %s separately",
                       names);
    if (fit->optimum.rank.rank < fit->optimum.rank.n) {
        cf_identifiability_advice(&fit->optimum.problem, foresight, help, sizeof help);
        if (*help)
            cf_say(&fit->advice, "to identify %s, add %s",
                   fit->optimum.rank.nnull                            ? "them separately"
                   : fit->optimum.rank.n - fit->optimum.rank.rank > 1 ? "them"
                                                                      : "it",
                   help);
    }
}

/* After the law's name, where a line is to be corrected before anything can be said of the law;
 * else NULL. */
static const char *line_is_wrong(const struct cf_fit *fit)
{
    if (cf_found(&fit->findings, CF_RULE_IMPOSSIBLE))
        return "was fitted with a number that is not possible. Correct the line that the first "
               "reason names, and fit again: do not use these numbers.";
    if (cf_found(&fit->findings, CF_RULE_ODD_ROW))
        return "was fitted to a row that is unlike all beside it. Check the line that the first "
               "reason names, and fit again: do not use these numbers.";
    return NULL;
}

/* Rivals; and what to try where the law does not describe the data. Rows that stand off come
 * first. */
static int judge_rivals(struct cf_fit *fit, struct cf_error *err)
{
    cf_judge_rivals(fit);
    if (!cf_fit_misfits(fit) || cf_prior_contradicts(fit) || line_is_wrong(fit))
        return CF_OK;
    cf_advise_apparatus(fit);
    return cf_follow_rows(fit) || fit->outliers.noutlier ? CF_OK : cf_advise_rival(fit, err);
}

/* A number outside of its usual range. */
static void judge_unusual(struct cf_fit *fit, const struct cf_plausible *p)
{
    bool possible = p->possible || p->stated;
    enum cf_verdict_rule rule = !possible ? CF_RULE_IMPOSSIBLE : CF_RULE_PLAUSIBLE;
    char *text = possible ? cf_plausible_text(p) : cf_impossible_text(p);

    rule = p->stated ? CF_RULE_UNUSUAL : rule;
    struct cf_finding *f = cf_add_finding(&fit->findings, rule,
                                          p->stated  ? "unusual, as the study states: %s"
                                          : possible ? "implausible: %s"
                                                     : "impossible: %s",
                                          text ? text : p->of);
    f->size = p->number;
    f->unit = p->rule->unit;
    fit->findings.failed = fit->findings.failed || !text;
    if (!possible)
        cf_say(&fit->advice, "correct that line; if it is right, state unusual: [%s]",
               p->rule->name);
    free(text);
}

/* A wrong unit fits as well as the right one. */
static void judge_plausibility(struct cf_fit *fit)
{
    for (size_t i = 0; i < fit->plausibility.n; i++)
        if (!fit->plausibility.item[i].inside)
            judge_unusual(fit, &fit->plausibility.item[i]);
    if (cf_found(&fit->findings, CF_RULE_PLAUSIBLE))
        cf_say(&fit->advice, "check the units of bodies and columns: a wrong one fits as well");
}

static bool is_fitted(const struct cf_spec *spec, size_t data, size_t parameter)
{
    bool fitted = false;

    for (size_t i = 0; i < spec->nnuisance; i++)
        fitted = fitted || (spec->nuisance[i].kind == CF_NUISANCE_APPARATUS &&
                            spec->nuisance[i].data == data && spec->nuisance[i].index == parameter);
    return fitted;
}

/* What a record says against a number that the study states. One that is fitted along is where the
 * data have it, and a prior of it has a test of its own. */
static void judge_contradictions(struct cf_fit *fit)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;

    for (size_t i = 0; i < spec->ndata; i++)
        if (spec->data[i].contradiction && !is_fitted(spec, i, spec->data[i].contradicted))
            cf_add_finding(&fit->findings, CF_RULE_RECORD,
                           "the record %s contradicts the study: %s", spec->data[i].name,
                           spec->data[i].contradiction)
                ->data = spec->data[i].name;
}

/* A loss other than squares is always reported. */
static void judge_loss(struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    double full = cf_loss_weight(&q->loss, 0);
    size_t n = 0;

    if (q->loss.kind == CF_LOSS_SQUARES)
        return;
    for (size_t i = 0; i < q->nobservation; i++)
        n += q->observation[i].robust < little_weight * full;
    cf_add_finding(
        &fit->findings, CF_RULE_LOSS,
        "the loss is %s (%s = %g), not squares: %zu of %zu measurements count less than half; the "
        "residual tests count them all in full",
        cf_loss_name[q->loss.kind], q->loss.kind == CF_LOSS_HUBER ? "k" : "nu", q->loss.scale, n,
        q->nobservation);
}

static void summarise(struct cf_fit *fit)
{
    /* after the law's name */
    static const char *const words[CF_NVERDICT] = {
        [CF_VERDICT_GOOD] = "describes these data within their scatter, and they identify every "
                            "parameter that was asked for.",
        [CF_VERDICT_WEAK] = "describes these data within their scatter; use the numbers with the "
                            "caution stated below.",
        [CF_VERDICT_MISFIT] =
            "does not describe these data: the residuals are not mere scatter. Do "
            "not use these numbers as material constants.",
        [CF_VERDICT_UNDETERMINED] = "has parameters here that these data do not identify.",
        [CF_VERDICT_FAILED] = "was fitted without a result that could be confirmed. Do not use the "
                              "numbers.",
    };
    char names[200];
    bool unspread = cf_found(&fit->findings, CF_RULE_UNCLUSTERED);
    bool untested =
        cf_found(&fit->findings, CF_RULE_FREEDOM) || cf_found(&fit->findings, CF_RULE_PLACE);
    bool rejected = cf_found(&fit->findings, CF_RULE_TEST);
    bool behind = cf_found(&fit->findings, CF_RULE_RIVAL);
    bool is_near = holds_near(fit, 0);

    flat_names(fit, names, sizeof names);
    if (fit->status == CF_VERDICT_UNDETERMINED && fit->optimum.ncombination)
        snprintf(fit->summary, sizeof fit->summary,
                 "These data cannot identify %s separately, only %s%s%s%s.%s", names,
                 fit->optimum.combination[0].name, fit->optimum.ncombination > 1 ? " and " : "",
                 fit->optimum.ncombination > 1 ? fit->optimum.combination[1].name : "",
                 is_near ? ", near the optimum" : "",
                 cf_fit_misfits(fit)
                     ? " Nor does the law describe them: the residuals are not mere scatter."
                     : "");
    else if (fit->status == CF_VERDICT_UNDETERMINED && unspread)
        snprintf(fit->summary, sizeof fit->summary,
                 "%s has values here, but these data give no intervals for them.%s",
                 fit->optimum.problem.law->name,
                 cf_fit_misfits(fit)
                     ? " Nor does the law describe them: the residuals are not mere scatter."
                     : "");
    else if (fit->status == CF_VERDICT_MISFIT && cf_prior_contradicts(fit) && !rejected)
        snprintf(fit->summary, sizeof fit->summary,
                 "a prior contradicts the data, which %s describes without it. Do not use these "
                 "numbers: they are a compromise that neither supports.",
                 fit->optimum.problem.law->name);
    else if (fit->status == CF_VERDICT_MISFIT && cf_follow_rows(fit) && !behind)
        snprintf(fit->summary, sizeof fit->summary,
                 "the residuals of %s follow the order of the rows, on which no law of contact "
                 "depends: the rows carry less information than their number suggests, and the "
                 "intervals are too narrow.",
                 fit->optimum.problem.law->name);
    else if (fit->status == CF_VERDICT_WEAK && untested)
        snprintf(fit->summary, sizeof fit->summary,
                 "the law was not tested: %s fits these data, as would other laws that differ "
                 "elsewhere.",
                 fit->optimum.problem.law->name);
    else
        snprintf(fit->summary, sizeof fit->summary, "%s %s", fit->optimum.problem.law->name,
                 words[fit->status]);
}

/* All that the rules find. */
static int judge(struct cf_fit *fit, const struct cf_identifiability *foresight,
                 struct cf_error *err)
{
    int status;

    judge_plausibility(fit);
    status = cf_judge_odd_rows(fit, err);
    if (status)
        return status;
    cf_judge_optimum(fit);
    judge_rank(fit, foresight);
    for (size_t i = 0; i < fit->optimum.problem.nfree; i++) {
        judge_parameter(fit, i);
        say_flat(fit, i);
    }
    cf_judge_clusters(fit);
    cf_judge_reach(fit);
    cf_judge_priors(fit);
    cf_judge_agreement(fit);
    judge_contradictions(fit);
    cf_judge_assumption(fit);
    cf_judge_clipped(fit);
    status = cf_judge_twins(fit, err);
    if (status)
        return status;
    status = cf_judge_weight(fit, err);
    if (status)
        return status;
    cf_judge_groups(fit);
    cf_judge_serial(fit);
    cf_judge_smoothness(fit);
    cf_judge_unequal(fit);
    cf_judge_tests(fit);
    if (fit->optimum.problem.loss.kind == CF_LOSS_SQUARES)
        cf_judge_noise(fit);
    status = judge_rivals(fit, err);
    if (!status && !cf_fit_misfits(fit)) /* else the law fails there */
        status = cf_judge_outlying_groups(fit, err);
    if (status)
        return status;
    cf_judge_outliers(fit);
    judge_loss(fit);
    if (cf_findings_word(&fit->findings) <= CF_VERDICT_WEAK)
        status = cf_judge_drift(fit, err);
    return status;
}

int cf_verdict(struct cf_fit *fit, const struct cf_identifiability *foresight, struct cf_error *err)
{
    int status = CF_OK;

    cf_findings_clear(&fit->findings);
    cf_statements_clear(&fit->advice);
    if (fit->unfinished)
        cf_judge_unfinished(fit);
    else
        status = judge(fit, foresight, err);
    if (status)
        return status;
    status = cf_findings_order(&fit->findings, err);
    fit->status = cf_findings_word(&fit->findings);
    if (fit->status == CF_VERDICT_MISFIT && line_is_wrong(fit))
        snprintf(fit->summary, sizeof fit->summary, "%s %s", fit->optimum.problem.law->name,
                 line_is_wrong(fit));
    else
        summarise(fit);
    return status ? status : cf_statements_status(&fit->advice, err);
}
