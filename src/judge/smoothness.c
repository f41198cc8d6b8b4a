#include "judge/smoothness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
