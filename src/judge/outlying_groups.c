#include "judge/outlying_groups.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "estimate/effects.h"
#include "estimate/evaluate.h"
#include "estimate/shared_error.h"
#include "judge/outliers.h"
#include "judge/test_list.h"

/* The other groups must show what is usual: so many degrees of freedom of theirs at least. */
static const double least_dof = 2;

/* A group of this leverage determines an unknown alone: it cannot be tested. */
static const double all_its_own = 1 - 1e-9;

/* One group of one effect. */
struct seen_group {
    size_t effect, group;
    double z, h, t, p;
};

struct look {
    const struct cf_fit *fit;
    double *r, *J;        /* residuals and their Jacobian */
    double *w, *slope;    /* a direction, nobservation; J^T w, nfree */
    struct seen_group *g; /* of all effects */
    double *p;
    size_t *order, n;
};

static void free_look(struct look *l)
{
    free(l->r);
    free(l->g);
    free(l->p);
    free(l->order);
}

static int make(struct look *l, const struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    size_t m = q->nobservation + q->nprior, groups = 0;

    for (size_t e = 0; e < q->neffect; e++)
        groups += q->effect[e].ngroup;
    *l = (struct look){.fit = fit,
                       .r = calloc(m * (q->nfree + 2) + q->nfree + 1, sizeof *l->r),
                       .g = calloc(groups + 1, sizeof *l->g),
                       .p = calloc(groups + 1, sizeof *l->p),
                       .order = calloc(groups + 1, sizeof *l->order)};
    if (!l->r || !l->g || !l->p || !l->order)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu groups", groups);
    l->J = l->r + m;
    l->w = l->J + m * q->nfree;
    l->slope = l->w + m;
    return cf_problem_residuals(q, fit->optimum.theta, l->r, l->J, err);
}

/* z and h along the rows of a group. */
static void project(const struct look *l, const struct cf_effect *e, struct seen_group *g)
{
    const struct cf_problem *q = &l->fit->optimum.problem;
    const struct cf_rank *rank = &l->fit->optimum.rank;
    double length = 0, along = 0;

    for (size_t a = 0; a < q->nfree; a++)
        l->slope[a] = 0;
    for (size_t k = e->first[g->group]; k < e->first[g->group + 1]; k++) {
        size_t i = e->member[k];
        length += l->w[i] * l->w[i];
        along += l->w[i] * l->r[i];
        for (size_t a = 0; a < q->nfree; a++)
            l->slope[a] += l->w[i] * l->J[i * q->nfree + a];
    }
    g->z = length > 0 ? along / sqrt(length) : 0;
    for (size_t k = 0; k < rank->rank && length > 0; k++) {
        double sum = 0;
        for (size_t a = 0; a < q->nfree; a++)
            sum += rank->root[a * rank->rank + k] * l->slope[a];
        g->h += sum * sum / length;
    }
}

/* Student's t of the groups of one effect, each against the others. */
static void studentise(struct seen_group g[], size_t n)
{
    double squares = 0, dof = (double) n - 1;

    for (size_t i = 0; i < n; i++) {
        squares += g[i].z * g[i].z;
        dof -= g[i].h;
    }
    for (size_t i = 0; i < n; i++) {
        double own = g[i].h < all_its_own ? g[i].z * g[i].z / (1 - g[i].h) : 0;
        double rest = squares - own;
        g[i].p = 1;
        if (!(dof >= least_dof) || !(rest > 0) || !(own > 0))
            continue;
        g[i].t = copysign(sqrt(own * dof / rest), g[i].z);
        g[i].p = 2 * gsl_cdf_tdist_Q(fabs(g[i].t), dof);
    }
}

static int look_at(struct look *l, size_t effect, struct cf_error *err)
{
    const struct cf_problem *q = &l->fit->optimum.problem;
    const struct cf_effect *e = &q->effect[effect];
    struct seen_group *first = &l->g[l->n];
    int status;

    for (size_t i = 0; i < q->nobservation; i++)
        l->w[i] = 0;
    for (size_t k = 0; k < e->first[e->ngroup]; k++)
        l->w[e->member[k]] = e->load[e->member[k]] / q->observation[e->member[k]].sigma;
    cf_shared_whiten(q->observation, q->nobservation, l->w);
    status = cf_effects_whiten(q, l->w, 1, q->nobservation, NULL, err);
    for (size_t i = 0; i < e->ngroup && !status; i++) {
        first[i] = (struct seen_group){.effect = effect, .group = i};
        project(l, e, &first[i]);
    }
    if (!status)
        studentise(first, e->ngroup);
    l->n += e->ngroup;
    return status;
}

static int name(struct cf_fit *fit, const struct seen_group *g, double p, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_effect *e = &q->effect[g->effect];
    char *label = cf_grouping_label(&q->spec->grouping, e->level, e->group[g->group]);

    if (!label)
        return cf_fail(err, CF_ENOMEM, "no memory for the name of a group");
    bool of_parameter = e->of == CF_GROUPS_PARAMETER;
    struct cf_finding *f = cf_add_finding(
        &fit->findings, CF_RULE_GROUP_OFF,
        "%s: %s %s is an outlier: %s its %zu rows share lies %s by %.1f standard "
        "deviations of the other groups (p = %.1g)",
        cf_effect_name(q, e), q->spec->grouping.level[e->level].name, label,
        of_parameter ? "the value that" : "the error that",
        e->first[g->group + 1] - e->first[g->group], g->t > 0 ? "above" : "below", fabs(g->t), p);
    f->quantity = of_parameter ? NULL : cf_effect_name(q, e);
    f->parameter = of_parameter ? cf_effect_name(q, e) : NULL;
    f->p = p;
    f->level = cf_outlier_level;
    f->size = fabs(g->t);
    f->unit = "standard deviations";
    free(label);
    return CF_OK;
}

int cf_judge_outlying_groups(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    struct look l = {0};
    double least = 0;
    int status = CF_OK;

    if (!q->neffect)
        return CF_OK;
    status = make(&l, fit, err);
    for (size_t e = 0; e < q->neffect && !status; e++)
        if (q->effect[e].identified)
            status = look_at(&l, e, err);
    for (size_t i = 0; i < l.n; i++)
        l.p[i] = l.g[i].p;
    gsl_sort_index(l.order, l.p, 1, l.n);
    for (size_t k = 0; k < l.n && !status; k++) {
        least = cf_holm(least, l.n - k, l.p[l.order[k]]);
        if (!(least < cf_outlier_level))
            break;
        status = name(fit, &l.g[l.order[k]], least, err);
    }
    if (cf_found(&fit->findings, CF_RULE_GROUP_OFF))
        cf_say(&fit->advice, "find out what was different in the outlying group; where that "
                             "was a mistake, exclude its rows");
    free_look(&l);
    return status;
}
