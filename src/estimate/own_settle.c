#include "estimate/own_settle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/effects.h"
#include "estimate/evaluate.h"
#include "estimate/own_values.h"
#include "estimate/shared_error.h"

/* ---- loads */

static void take_loads(void *context, size_t unit, const struct cf_stretch *at)
{
    struct cf_problem *q = context;
    const struct cf_set *set = &q->set[q->part[at->part].data];

    (void) unit;
    for (size_t e = 0; e < q->neffect; e++) {
        struct cf_effect *effect = &q->effect[e];
        for (size_t i = 0; i < at->count && effect->of == CF_GROUPS_SHARE; i++) {
            const struct cf_observation *o = &q->observation[at->first + i];
            if (cf_effect_reaches(q, effect, o->data, o->column))
                effect->load[at->first + i] = at->y[i];
        }
        for (size_t j = 0; j < set->nactive && effect->of == CF_GROUPS_PARAMETER; j++)
            if (set->active[j] == effect->unknown)
                memcpy(&effect->load[at->first], &at->A[(set->nlocal + j) * at->ld],
                       at->count * sizeof *at->A);
    }
}

/* All loads but those that are 1, at theta and the groups' own values. */
static int put_loads(struct cf_problem *q, const double theta[], double *change,
                     struct cf_error *err)
{
    size_t n = q->nobservation;
    double *before = calloc(q->neffect * n + 1, sizeof *before);
    int status;

    if (!before)
        return cf_fail(err, CF_ENOMEM, "no memory for the groups of %zu rows", n);
    for (size_t e = 0; e < q->neffect; e++) {
        memcpy(&before[e * n], q->effect[e].load, n * sizeof *before);
        q->effect[e].bends = false; /* slopes are to be those of the law */
    }
    status = cf_visit_ungrouped(q, theta, NULL, CF_WANT_SLOPES, take_loads, q, err);
    for (size_t e = 0; e < q->neffect; e++) {
        struct cf_effect *effect = &q->effect[e];
        double tau = sqrt(fabs(effect->variance));
        for (size_t i = 0; i < n && !status; i++) {
            double moved = fabs(effect->load[i] - before[e * n + i]);
            *change = fmax(*change, tau * moved / q->observation[i].sigma);
            effect->bends = effect->bends || !isnan(effect->own[i]);
        }
        effect->loaded = !status;
    }
    free(before);
    return status;
}

int cf_own_begin(struct cf_problem *problem, const double theta[], double *change,
                 struct cf_error *err)
{
    for (size_t e = 0; e < problem->neffect; e++)
        if (problem->effect[e].of == CF_GROUPS_SHARE ||
            (problem->effect[e].of == CF_GROUPS_PARAMETER && !problem->effect[e].loaded))
            return put_loads(problem, theta, change, err);
    return CF_OK;
}

/* ---- the groups' own values */

/* The first effect on a parameter holds what all of them make of it. */
static struct cf_effect *lead_of(const struct cf_problem *q, size_t unknown)
{
    for (size_t e = 0; e < q->neffect; e++)
        if (q->effect[e].of == CF_GROUPS_PARAMETER && q->effect[e].unknown == unknown)
            return &q->effect[e];
    return NULL;
}

static bool differ_in_any(const struct cf_problem *q)
{
    for (size_t e = 0; e < q->neffect; e++)
        if (q->effect[e].of == CF_GROUPS_PARAMETER)
            return true;
    return false;
}

/* s/sigma of one group, independent as the residuals are: u[nobservation]. *times is how often it
 * counts. */
static int load_of(const struct cf_problem *q, const struct cf_effect *e, size_t g, double u[],
                   double *times, struct cf_error *err)
{
    size_t n = q->nobservation;

    *times = 0;
    memset(u, 0, n * sizeof *u);
    for (size_t k = e->first[g]; k < e->first[g + 1]; k++) {
        const struct cf_observation *o = &q->observation[e->member[k]];
        *times = fmax(*times, o->weight);
        if (o->weight > 0)
            u[e->member[k]] = e->load[e->member[k]] * sqrt(o->robust) / o->sigma;
    }
    cf_shared_whiten(q->observation, n, u);
    return cf_effects_whiten(q, u, 1, n, NULL, err);
}

/* Add what is expected of b to the values of its group, by residuals r in sigmas: with u and x the
 * load and these, free of all other effects, u.x over u.u + 1/tau^2. Free of this one, too, they
 * would have lost digits where groups differ by many times what rows scatter. room[2 * n]. */
static int add_expected(const struct cf_problem *q, size_t effect, const double r[], double room[],
                        double own[], struct cf_error *err)
{
    size_t n = q->nobservation;
    double *u = room, *x = room + n;
    struct cf_problem others = *q;
    const struct cf_effect *e = &q->effect[effect];
    int status = CF_OK;

    others.effect = calloc(q->neffect, sizeof *others.effect);
    if (!others.effect)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu effects", q->neffect);
    memcpy(others.effect, q->effect, q->neffect * sizeof *others.effect);
    others.effect[effect].variance = 0;
    memcpy(x, r, n * sizeof *x);
    status = cf_effects_whiten(&others, x, 1, n, NULL, err);
    for (size_t g = 0; g < e->ngroup && !status; g++) {
        double along = 0, length = 0, times;
        status = load_of(&others, e, g, u, &times, err);
        for (size_t i = 0; i < n; i++) {
            along += u[i] * x[i];
            length += u[i] * u[i];
        }
        for (size_t k = e->first[g]; k < e->first[g + 1] && times > 0; k++)
            own[e->member[k]] += along / sqrt(times) / (length + 1 / e->variance);
    }
    free(others.effect);
    return status;
}

/* The values of one parameter into own[nobservation]: NAN where its groups do not differ. */
static int expect(const struct cf_problem *q, size_t unknown, const double theta[],
                  const double r[], double room[], double own[], struct cf_error *err)
{
    const struct cf_unknown *w = &q->unknown[unknown];
    size_t n = q->nobservation;
    int status = CF_OK;

    for (size_t i = 0; i < n; i++)
        own[i] = NAN;
    for (size_t pass = 0; pass < 2; pass++) /* members first, since levels add */
        for (size_t e = 0; e < q->neffect && !status; e++) {
            const struct cf_effect *effect = &q->effect[e];
            if (effect->of != CF_GROUPS_PARAMETER || effect->unknown != unknown ||
                !(effect->variance > 0))
                continue;
            for (size_t k = 0; k < effect->first[effect->ngroup] && !pass; k++)
                own[effect->member[k]] = theta[unknown];
            if (pass)
                status = add_expected(q, e, r, room, own, err);
        }
    for (size_t i = 0; i < n; i++)
        own[i] = isnan(own[i]) ? own[i] : fmin(fmax(own[i], w->lower), w->upper);
    return status;
}

/* The largest change of predictions by new values, in sigmas. */
static double change_of(const struct cf_problem *q, const struct cf_effect *e, const double own[])
{
    double change = 0;

    for (size_t i = 0; i < q->nobservation; i++) {
        if (isnan(own[i]) != isnan(e->own[i]))
            return INFINITY;
        if (!isnan(own[i]))
            change =
                fmax(change, fabs(e->load[i] * (own[i] - e->own[i])) / q->observation[i].sigma);
    }
    return change;
}

int cf_own_settle(struct cf_problem *problem, const double theta[], double *change,
                  struct cf_error *err)
{
    size_t n = problem->nobservation;
    double *r, *own;
    int status;

    if (!differ_in_any(problem))
        return CF_OK;
    r = calloc((3 + problem->nfree) * n + 1, sizeof *r);
    if (!r)
        return cf_fail(err, CF_ENOMEM, "no memory for the groups of %zu rows", n);
    own = r + 3 * n;
    status = cf_problem_predict(problem, theta, r + n, NULL, err);
    if (!status)
        cf_residuals_of(problem->observation, n, r + n, r);
    for (size_t j = 0; j < problem->nfree && !status; j++)
        if (lead_of(problem, j))
            status = expect(problem, j, theta, r, r + n, &own[j * n], err);
    for (size_t j = 0; j < problem->nfree && !status; j++) {
        struct cf_effect *lead = lead_of(problem, j);
        if (!lead)
            continue;
        *change = fmax(*change, change_of(problem, lead, &own[j * n]));
        memcpy(lead->own, &own[j * n], n * sizeof *own);
    }
    free(r);
    return status ? status : put_loads(problem, theta, change, err);
}

/* ---- drawn anew */

/* One effect: to what adds, or to the groups' own values. */
static void draw_one(const struct cf_effect *e, const double y[], double own[], double theta,
                     double (*normal)(void *), void *owner, double extra[])
{
    for (size_t g = 0; g < e->ngroup; g++) {
        double b = sqrt(fmax(e->variance, 0)) * normal(owner);
        for (size_t k = e->first[g]; k < e->first[g + 1]; k++) {
            size_t i = e->member[k];
            if (e->of == CF_GROUPS_PARAMETER)
                own[i] = (isnan(own[i]) ? theta : own[i]) + b;
            else
                extra[i] += e->of == CF_GROUPS_SHARE ? b * y[i] : b;
        }
    }
}

int cf_own_draw(const struct cf_problem *problem, const double theta[], const double y[],
                double (*normal)(void *), void *owner, double extra[], struct cf_error *err)
{
    size_t n = problem->nobservation;
    bool any = differ_in_any(problem);
    struct cf_problem drawn = {0};
    double *there = any ? calloc(n + 1, sizeof *there) : NULL;
    int status = CF_OK;

    if (any && !there)
        return cf_fail(err, CF_ENOMEM, "no memory for the groups of %zu rows", n);
    if (any)
        status = cf_problem_copy(&drawn, problem, err);
    if (any && !status)
        cf_own_forget(&drawn);
    for (size_t e = 0; e < problem->neffect && !status; e++) {
        const struct cf_effect *effect = &problem->effect[e];
        struct cf_effect *lead =
            effect->of == CF_GROUPS_PARAMETER ? lead_of(&drawn, effect->unknown) : NULL;
        draw_one(effect, y, lead ? lead->own : NULL, lead ? theta[effect->unknown] : 0, normal,
                 owner, extra);
    }
    if (any && !status)
        status = cf_problem_predict(&drawn, theta, there, NULL, err);
    for (size_t i = 0; i < n && any && !status; i++)
        extra[i] += there[i] - y[i];
    cf_problem_free(&drawn);
    free(there);
    return status;
}
