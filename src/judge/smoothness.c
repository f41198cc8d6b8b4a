#include "judge/smoothness.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"
#include "estimate/twin.h"

const double cf_smoothness_matters = 1;

static const double factor[CF_NSMOOTHED] = {[CF_SMOOTHED_HALF] = 0.5, [CF_SMOOTHED_DOUBLE] = 2};

/* ---- twins of the data, at other cutoffs */

/* ---- the fit once more */

static bool identified(const struct cf_fit *fit, size_t i)
{
    const struct cf_estimate *e = &fit->estimate[i];

    return e->standard_error > 0 && isfinite(e->standard_error) && e->worth != CF_WORTH_FLAT &&
           e->worth != CF_WORTH_DEAD;
}

static int fit_at(struct cf_fit *fit, struct cf_solver *solver, enum cf_smoothed_at at,
                  struct cf_error *err)
{
    const struct cf_optimum *optimum = &fit->optimum;
    const struct cf_problem *q = &optimum->problem;
    struct cf_solution s = {.theta = calloc(q->nfree + 1, sizeof *s.theta)};
    struct cf_spec twin;
    struct cf_problem copy;
    int status = cf_twin_make(&twin, q->spec, err);

    for (size_t i = 0; i < fit->smoothness.n && !status; i++) {
        const struct cf_cutoff *c = &fit->smoothness.cutoff[i];
        twin.data[c->data].apparatus[c->parameter] *= factor[at];
    }
    if (!status && !s.theta)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu parameters", q->nfree);
    if (!status)
        status = cf_problem_copy(&copy, q, err);
    if (!status) {
        copy.spec = &twin;
        memcpy(s.theta, optimum->theta, q->nfree * sizeof *s.theta);
        status = cf_polish(solver, &copy, NULL, 0, &s, err);
        cf_problem_free(&copy);
    }
    for (size_t i = 0; i < q->nfree && !status; i++) {
        struct cf_smoothed *one = &fit->smoothness.of[i * CF_NSMOOTHED + at];
        one->known = s.end != CF_END_FAILED && identified(fit, i);
        if (!one->known)
            continue;
        one->value = cf_unknown_value(&q->unknown[i], s.theta[i]);
        one->change = (s.theta[i] - optimum->theta[i]) / fit->estimate[i].standard_error;
    }
    free(s.theta);
    cf_twin_clear(&twin);
    return status;
}

/* The cutoffs of all data sets; those that are infinite smooth nothing. */
static int find_cutoffs(struct cf_smoothness *s, const struct cf_spec *spec, struct cf_error *err)
{
    size_t most = 0;

    for (size_t i = 0; i < spec->ndata; i++)
        most += spec->data[i].protocol->nsmoothing;
    if (!most)
        return CF_OK;
    s->cutoff = calloc(most, sizeof *s->cutoff);
    if (!s->cutoff)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu cutoffs", most);
    for (size_t i = 0; i < spec->ndata; i++) {
        const struct cf_protocol *protocol = spec->data[i].protocol;
        for (size_t k = 0; k < protocol->nsmoothing; k++)
            if (isfinite(spec->data[i].apparatus[protocol->smoothing + k]))
                s->cutoff[s->n++] = (struct cf_cutoff){i, protocol->smoothing + k};
    }
    return CF_OK;
}

int cf_smoothness(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err)
{
    struct cf_smoothness *s = &fit->smoothness;
    size_t n = fit->optimum.problem.nfree;
    int status = find_cutoffs(s, fit->optimum.problem.spec, err);

    if (status || !s->n)
        return status;
    s->of = calloc(n * CF_NSMOOTHED + 1, sizeof *s->of);
    if (!s->of)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu parameters", n);
    for (size_t i = 0; i < n * CF_NSMOOTHED; i++)
        s->of[i] = (struct cf_smoothed){false, (double) NAN, (double) NAN};
    for (int at = 0; at < CF_NSMOOTHED && !status; at++)
        status = fit_at(fit, solver, (enum cf_smoothed_at) at, err);
    return status;
}

void cf_smoothness_clear(struct cf_smoothness *smoothness)
{
    free(smoothness->cutoff);
    free(smoothness->of);
    *smoothness = (struct cf_smoothness){.n = 0};
}

/* ---- words */

const struct cf_smoothed *cf_smoothed(const struct cf_fit *fit, size_t i, enum cf_smoothed_at at)
{
    return &fit->smoothness.of[i * CF_NSMOOTHED + at];
}

bool cf_smoothness_text(const struct cf_fit *fit, size_t i, char text[], size_t size)
{
    const struct cf_smoothed *half = cf_smoothed(fit, i, CF_SMOOTHED_HALF);
    const struct cf_smoothed *twice = cf_smoothed(fit, i, CF_SMOOTHED_DOUBLE);
    double by_half = half->known ? fabs(half->change) : 0;
    double by_double = twice->known ? fabs(twice->change) : 0;

    *text = '\0';
    if (by_double > cf_smoothness_matters && by_double >= by_half)
        snprintf(
            text, size,
            "%s moves by %.1f standard errors where the recorded motion is smoothed at double "
            "the cutoff: the noise of the recorded motion, not that of the fitted data, limits it",
            fit->optimum.problem.unknown[i].name, by_double);
    else if (by_half > cf_smoothness_matters)
        snprintf(text, size,
                 "%s moves by %.1f standard errors where the recorded motion is smoothed at half "
                 "the cutoff, by %.1f at double: how the recorded motion is smoothed, not the "
                 "noise of the fitted data, limits it",
                 fit->optimum.problem.unknown[i].name, by_half, by_double);
    return *text != '\0';
}

void cf_judge_smoothness(struct cf_fit *fit)
{
    char text[CF_SMOOTHNESS_TEXT];

    for (size_t i = 0; fit->smoothness.n && i < fit->optimum.problem.nfree; i++)
        if (cf_smoothness_text(fit, i, text, sizeof text))
            cf_add_finding(&fit->findings, CF_RULE_SMOOTHING, "note: %s", text)->parameter =
                fit->optimum.problem.unknown[i].name;
}

/* ---- what is assumed */

/* What a data set assumes, and does not say: nothing, where the study frees the number or states
 * another, and where what it is of is not there. */
static const struct cf_assumption *assumed(const struct cf_spec *spec, size_t data)
{
    const struct cf_dataset *d = &spec->data[data];
    const struct cf_assumption *of = d->protocol->assumption;
    bool matters = false;

    if (!of || d->apparatus[of->parameter] != of->is)
        return NULL;
    for (size_t i = of->first; i <= of->last; i++)
        matters = matters || d->apparatus[i] != 0;
    for (size_t i = 0; i < spec->nnuisance; i++) {
        const struct cf_nuisance *n = &spec->nuisance[i];
        if (n->data != data || n->kind != CF_NUISANCE_APPARATUS)
            continue;
        if (n->index == of->parameter)
            return NULL;
        matters = matters || (n->index >= of->first && n->index <= of->last);
    }
    return matters ? of : NULL;
}

/* chi^2 of a copy of the problem on other data sets, from theta on and there. */
static int lower_on(const struct cf_fit *fit, struct cf_solver *solver, const struct cf_spec *spec,
                    double theta[], double *chi2, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    struct cf_problem copy;
    enum cf_end end;
    int status = cf_problem_copy(&copy, q, err);

    if (status)
        return status;
    copy.spec = spec;
    status = cf_lower(solver, &copy, NULL, cf_least_fall(&copy), theta, &end, chi2, err);
    if (!status && end == CF_END_FAILED)
        *chi2 = (double) INFINITY;
    cf_problem_free(&copy);
    return status;
}

static int refit(struct cf_fit *fit, struct cf_solver *solver, const struct cf_spec *twin,
                 struct cf_error *err)
{
    const struct cf_optimum *o = &fit->optimum;
    struct cf_otherwise *out = &fit->otherwise;
    size_t n = o->problem.nfree;
    double *theta = calloc(2 * n + 1, sizeof *theta), own, other;
    int status = theta ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu parameters", n);

    for (size_t i = 0; i < n && !status; i++)
        theta[i] = theta[n + i] = o->theta[i];
    if (!status)
        status = lower_on(fit, solver, o->problem.spec, theta, &own, err);
    if (!status)
        status = lower_on(fit, solver, twin, theta + n, &other, err);
    if (!status)
        out->fall = own - other;
    for (size_t i = 0; i < n && !status; i++) {
        out->value[i] = cf_unknown_value(&o->problem.unknown[i], theta[n + i]);
        out->change[i] = identified(fit, i)
                             ? (theta[n + i] - o->theta[i]) / fit->estimate[i].standard_error
                             : (double) NAN;
    }
    free(theta);
    return status;
}

int cf_fit_otherwise(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    struct cf_otherwise *out = &fit->otherwise;
    struct cf_spec twin;
    int status;

    if (q->loss.kind != CF_LOSS_SQUARES)
        return CF_OK; /* chi^2 is none there */
    status = cf_twin_make(&twin, q->spec, err);
    for (size_t i = 0; i < q->spec->ndata && !status; i++) {
        const struct cf_assumption *of = assumed(q->spec, i);
        if (!of)
            continue;
        twin.data[i].apparatus[of->parameter] = of->otherwise;
        out->of = of;
    }
    if (!status && out->of) {
        out->value = calloc(2 * q->nfree + 1, sizeof *out->value);
        out->change = out->value ? out->value + q->nfree : NULL;
        status = out->value ? refit(fit, solver, &twin, err)
                            : cf_fail(err, CF_ENOMEM, "no memory for %zu parameters", q->nfree);
    }
    cf_twin_clear(&twin);
    return status;
}

void cf_otherwise_clear(struct cf_otherwise *otherwise)
{
    free(otherwise->value);
    *otherwise = (struct cf_otherwise){.of = NULL};
}

/* The parameter of the law that moves most, in its standard errors; nfree: none is known to. */
static size_t most_moved(const struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    size_t most = q->nfree;

    for (size_t i = 0; i < q->nfree; i++)
        if (q->unknown[i].kind == CF_UNKNOWN_LAW && isfinite(fit->otherwise.change[i]) &&
            (most == q->nfree ||
             fabs(fit->otherwise.change[i]) > fabs(fit->otherwise.change[most])))
            most = i;
    return most;
}

/* Of two numbers of which one is true, the other fits better by as much as `fall` with a
 * probability of P(z > sqrt(fall)) at most: where they lie that many standard errors apart. */
static double chance_of(double fall)
{
    return fall > 0 ? gsl_cdf_ugaussian_Q(sqrt(fall)) : 1;
}

static bool is_inside(const struct cf_interval *at, double value)
{
    return !at->known ||
           ((at->open_low || value >= at->low) && (at->open_high || value <= at->high));
}

void cf_judge_assumption(struct cf_fit *fit)
{
    const struct cf_otherwise *by = &fit->otherwise;
    const struct cf_problem *q = &fit->optimum.problem;
    double level = q->spec->options.p_reject;
    size_t i = by->of ? most_moved(fit) : q->nfree;
    bool contradicted = by->of && chance_of(by->fall) < level;
    char number[CF_DECIMAL], value[2 * CF_DECIMAL];

    if (i == q->nfree || chance_of(-by->fall) < level ||
        (!contradicted && is_inside(&fit->estimate[i].likelihood, by->value[i])))
        return;
    const struct cf_unknown *w = &q->unknown[i];
    cf_decimal_short(by->value[i], 4, number);
    snprintf(value, sizeof value, strcmp(w->unit, "1") == 0 ? "%s" : "%s %s", number, w->unit);
    struct cf_finding *f =
        contradicted
            ? cf_add_finding(&fit->findings, CF_RULE_CONTRADICTED,
                             "these data contradict that %s: they are described better (p = %.2g) "
                             "if %s, and %s is %s there, %.1f standard errors from here",
                             by->of->that, chance_of(by->fall), by->of->if_not, w->name, value,
                             fabs(by->change[i]))
            : cf_add_finding(
                  &fit->findings, CF_RULE_ASSUMED,
                  "it is assumed that %s, and these data do not tell: if %s, %s would be "
                  "%s, %.1f standard errors from here",
                  by->of->that, by->of->if_not, w->name, value, fabs(by->change[i]));
    f->parameter = w->name;
    f->size = fabs(by->change[i]);
    f->unit = "standard errors";
    f->p = contradicted ? chance_of(by->fall) : (double) NAN;
    f->level = level;
    cf_say(&fit->advice, "let the data tell, nuisance: {%s: {}}, or state it, apparatus: {%s: %g}",
           by->of->name, by->of->name, by->of->otherwise);
}
