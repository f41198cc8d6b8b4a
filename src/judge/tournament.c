#include "judge/tournament.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "judge/held_out.h"
#include "judge/residual_tests.h"

/* Two fitted curves that differ by less, in restitution and everywhere, are one: the optimiser
 * leaves differences of 1e-8 between equal curves, and no table of e has a fifth decimal. */
static const double same_curve = 1e-5;

void cf_contender_clear(struct cf_contender *contender)
{
    cf_problem_free(&contender->problem);
    free(contender->y);
    free(contender->verdict);
    cf_tests_clear(&contender->tests);
}

void cf_tournament_free(struct cf_tournament *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->n; i++)
        cf_contender_clear(&t->contender[i]);
    cf_statements_clear(&t->statements);
    free(t->contender);
    free(t);
}

/* The law's optimum once more. */
static int test_contender(const struct cf_fit *fit, struct cf_contender *c, struct cf_error *err)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;
    struct cf_problem *q = &c->problem;
    const double *theta = c->rival->theta;
    struct cf_fitted of = {.problem = q, .theta = theta};
    struct cf_fold fold = {0};
    double change;
    int status = cf_problem_init(q, spec, c->rival->law, fit->optimum.problem.curves, CF_ROW_FIT,
                                 CF_SCOPE_COMMON, err);

    if (!status)
        status = cf_sigma_update(q, theta, &change, err);
    c->y = calloc(q->nobservation + 1, sizeof *c->y);
    if (!status && !c->y)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", q->nobservation);
    if (!status)
        status = cf_problem_predict(q, theta, c->y, NULL, err);
    if (!status)
        status = cf_fold_alloc(&fold, q, err);
    if (!status)
        status = cf_problem_fold(q, theta, &fold, err);
    of.chi2 = fold.chi2;
    cf_fold_clear(&fold);
    of.y = c->y;
    of.dof = (double) q->nresidual - (double) (c->rival->rank + q->nlocal);
    return status ? status : cf_residual_tests_of(&of, &c->tests, err);
}

int cf_contender_study(const struct cf_fit *fit, struct cf_contender *contender,
                       struct cf_error *err)
{
    struct cf_error why = {""};
    int status = contender->rival->failed ? CF_OK : test_contender(fit, contender, &why);

    if (!status)
        return cf_contender_judge(contender, err);
    if (cf_status_ends(status))
        return cf_fail(err, status, "%s", why.text);
    contender->verdict = cf_format("its residuals could not be tested: %s", why.text);
    return contender->verdict ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a verdict");
}

static bool is_same_curve(const struct cf_rival *a, const struct cf_rival *b)
{
    if (a->failed || b->failed || a->rank != b->rank)
        return false;
    for (size_t i = 0; i < CF_NCURVE; i++)
        if (!(fabs(a->curve[i] - b->curve[i]) < same_curve))
            return false;
    return true;
}

struct tournament_work {
    struct cf_fit *fit;
    struct cf_tournament *tournament;
};

static int study_one(void *context, size_t i, size_t worker, struct cf_error *err)
{
    struct tournament_work *work = context;

    (void) worker;
    return cf_contender_study(work->fit, &work->tournament->contender[i], err);
}

/* Laws with one curve are listed together, at the place of the best of them: the study's own law
 * first, then those with the fewest parameters. Their AICc differ by rounding only. */
struct standing {
    size_t from, leader;
    bool other;
    size_t nparam, row; /* of the law; in the registry */
};

static int compare_place(const void *a, const void *b)
{
    const struct standing *s = a, *t = b;

    if (s->leader != t->leader)
        return s->leader < t->leader ? -1 : 1;
    if (s->other != t->other)
        return s->other ? 1 : -1;
    if (s->nparam != t->nparam)
        return s->nparam < t->nparam ? -1 : 1;
    return (s->row > t->row) - (s->row < t->row);
}

static size_t registry_index(const struct cf_law *law)
{
    size_t i = 0;
    while (cf_laws[i] && cf_laws[i] != law)
        i++;
    return i;
}

/* Index of the first law with the curve of law i. */
static size_t leader_of(const struct cf_fit *fit, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (is_same_curve(&fit->rival[i], &fit->rival[j]))
            return j;
    return i;
}

static int arrange(struct cf_fit *fit, struct cf_tournament *t, struct cf_error *err)
{
    size_t n = fit->nrival;
    struct standing *place = calloc(n + 1, sizeof *place);
    struct cf_rival *rival = calloc(n + 1, sizeof *rival);

    if (!place || !rival) {
        free(place);
        free(rival);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu contenders", n);
    }
    for (size_t i = 0; i < n; i++) {
        const struct cf_law *law = fit->rival[i].law;
        place[i] = (struct standing){.from = i,
                                     .leader = leader_of(fit, i),
                                     .other = law != fit->optimum.problem.law,
                                     .nparam = law->nparam,
                                     .row = registry_index(law)};
    }
    qsort(place, n, sizeof *place, compare_place);
    memcpy(rival, fit->rival, n * sizeof *rival);
    for (size_t i = 0; i < n; i++) {
        fit->rival[i] = rival[place[i].from];
        t->contender[i].rival = &fit->rival[i];
        t->contender[i].same_as =
            i && place[i].leader == place[i - 1].leader ? t->contender[i - 1].same_as : i;
    }
    free(place);
    free(rival);
    return CF_OK;
}

/* Laws with one curve share its weight, or a curve would gain weight by having many names. */
static void weigh(struct cf_fit *fit, struct cf_tournament *t)
{
    double sum = 0;

    t->best = t->n;
    for (size_t i = 0; i < t->n; i++) {
        const struct cf_contender *c = &t->contender[i];
        if (c->same_as != i || c->rival->failed)
            continue;
        t->ncurve++;
        t->ndescribe += c->describes;
        if (c->describes && t->best == t->n)
            t->best = i;
        sum += exp(-c->rival->delta_aicc / 2);
    }
    for (size_t i = 0; i < t->n; i++)
        if (!fit->rival[i].failed)
            fit->rival[i].weight = exp(-fit->rival[t->contender[i].same_as].delta_aicc / 2) / sum;
}

/* Which two curves predict the held-out rows best, and is the first's lead more than chance? */
static int compare_held_out(const struct cf_fit *fit, struct cf_tournament *t, struct cf_error *err)
{
    t->best_predictor = t->next = t->n;
    t->predictor = (struct cf_paired){(double) NAN, (double) NAN, (double) NAN, (double) NAN};
    for (size_t i = 0; i < t->n; i++) {
        const struct cf_contender *c = &t->contender[i];
        double rms = c->rival->held_out_rms_sigma;
        if (c->rival->failed || c->same_as != i || !isfinite(rms))
            continue;
        t->nheld = c->rival->nheld_out;
        if (t->best_predictor == t->n ||
            rms < t->contender[t->best_predictor].rival->held_out_rms_sigma) {
            t->next = t->best_predictor;
            t->best_predictor = i;
        } else if (t->next == t->n || rms < t->contender[t->next].rival->held_out_rms_sigma) {
            t->next = i;
        }
    }
    if (t->next == t->n)
        return CF_OK;
    return cf_held_out_pair(&fit->held_units, t->contender[t->next].rival->held_out,
                            t->contender[t->best_predictor].rival->held_out,
                            fit->optimum.problem.spec->options.seed, &t->predictor, err);
}

int cf_tournament_run(struct cf_fit *fit, const struct cf_workers *workers,
                      struct cf_tournament **out, struct cf_error *err)
{
    struct cf_tournament *t = calloc(1, sizeof *t);
    struct tournament_work work = {fit, t};
    int status;

    *out = NULL;
    if (!t)
        return cf_fail(err, CF_ENOMEM, "no memory for a tournament");
    t->contender = calloc(fit->nrival + 1, sizeof *t->contender);
    if (!t->contender) {
        cf_tournament_free(t);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu contenders", fit->nrival);
    }
    t->n = fit->nrival;
    status = arrange(fit, t, err);
    if (!status)
        status = cf_parallel(workers, "residual tests", t->n, study_one, &work, err);
    if (!status)
        status = cf_tournament_left_behind(t, err);
    if (!status) {
        weigh(fit, t);
        status = compare_held_out(fit, t, err);
    }
    if (!status)
        status = cf_tournament_words(fit, t, err);
    if (status) {
        cf_tournament_free(t);
        return status;
    }
    *out = t;
    return CF_OK;
}
