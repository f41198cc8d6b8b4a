#include "judge/groups.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "estimate/effects.h"
#include "estimate/records.h"

/* A group's own error has any size whatever: so many times the variance of a row. */
static const double any_size = 1e20;

bool cf_channel_shares(const struct cf_problem *problem, size_t channel)
{
    const struct cf_channel *c = &problem->channel[channel];

    for (size_t e = 0; e < problem->neffect; e++)
        if (cf_effect_reaches(problem, &problem->effect[e], c->data, c->column))
            return true;
    return false;
}

/* Is there an effect of a level within this one on the same quantity? */
static bool is_innermost(const struct cf_problem *q, size_t effect)
{
    const struct cf_effect *e = &q->effect[effect];

    for (size_t i = 0; i < effect; i++)
        if (q->effect[i].level != e->level && cf_effects_meet(&q->effect[i], e))
            return false;
    return true;
}

/* tau^2 beside which the own errors of a group are nothing. */
static double any_variance(const struct cf_problem *q, const struct cf_effect *e)
{
    double most = 0;

    for (size_t k = 0; k < e->first[e->ngroup]; k++)
        most = fmax(most, fabs(e->load[e->member[k]]) / cf_observation_sigma(q, e->member[k]));
    return most > 0 ? any_size / gsl_pow_2(most) : 0;
}

int cf_scatter_within(const struct cf_problem *problem, const double theta[], double *chi2,
                      double *dof, struct cf_error *err)
{
    struct cf_problem loose = {0};
    struct cf_fold fold = {0};
    struct cf_rank rank = {0};
    size_t n = problem->nfree;
    int status = cf_problem_copy(&loose, problem, err);

    *chi2 = *dof = 0;
    if (status)
        return status;
    *dof = (double) problem->nobservation;
    for (size_t e = 0; e < loose.neffect; e++) {
        double variance = is_innermost(&loose, e) ? any_variance(&loose, &loose.effect[e]) : 0;
        loose.effect[e].variance = variance;
        for (size_t g = 0; g < loose.effect[e].ngroup && variance > 0; g++)
            *dof -= cf_effect_weight(&loose, &loose.effect[e], g) > 0;
    }
    status = cf_fold_alloc(&fold, &loose, err);
    if (!status)
        status = cf_problem_fold(&loose, theta, &fold, err);
    if (!status)
        status = cf_rank_analyse(fold.data, n, n, n + 1, NULL, cf_rank_noise, &rank, err);
    if (!status) {
        *chi2 = gsl_pow_2(fold.data[n * (n + 1) + n]);
        *dof -= (double) rank.rank;
    }
    cf_rank_clear(&rank);
    cf_fold_clear(&fold);
    cf_problem_free(&loose);
    return status;
}

bool cf_group_excess(const struct cf_fit *fit, size_t effect, double *F, double *p)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_effect *e = &q->effect[effect];
    double within = 0, between = 0, rows = 0, groups = (double) e->ngroup;
    double share = (double) fit->optimum.rank.rank / (double) q->neffect;

    for (size_t g = 0; g < e->ngroup; g++) {
        double weight = 0, mean = 0, n = (double) (e->first[g + 1] - e->first[g]);
        for (size_t k = e->first[g]; k < e->first[g + 1]; k++) {
            const struct cf_observation *o = &q->observation[e->member[k]];
            double sigma = cf_observation_sigma(q, e->member[k]);
            weight += 1 / gsl_pow_2(sigma);
            mean += (o->value - fit->predicted[e->member[k]].value) / gsl_pow_2(sigma);
        }
        mean /= weight;
        between += mean * mean * weight;
        rows += n;
        for (size_t k = e->first[g]; k < e->first[g + 1]; k++) {
            const struct cf_observation *o = &q->observation[e->member[k]];
            double r = o->value - fit->predicted[e->member[k]].value - mean;
            within += gsl_pow_2(r / cf_observation_sigma(q, e->member[k]));
        }
    }
    *F = *p = (double) NAN;
    if (!(rows > groups) || !(groups - share > 0.5) || !(within > 0))
        return false;
    *F = between / (groups - share) / (within / (rows - groups));
    *p = gsl_cdf_fdist_Q(*F, groups - share, rows - groups);
    return true;
}

/* Of one effect: is there anything to say? */
static bool judge_effect(struct cf_fit *fit, size_t effect)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_effect *e = &q->effect[effect];
    const char *name = cf_effect_name(q, e);
    bool of_parameter = e->of == CF_GROUPS_PARAMETER;
    const char *level = q->spec->grouping.level[e->level].name;
    double F, p;

    if (!e->identified) {
        struct cf_finding *f = cf_add_finding(
            &fit->findings, CF_RULE_GROUP_UNKNOWN,
            "%s: the %s that rows of one %s share cannot be identified from %zu groups: it is "
            "taken as 0",
            name, of_parameter ? "difference" : "error", level, e->ngroup);
        f->quantity = of_parameter ? NULL : name;
        f->parameter = of_parameter ? name : NULL;
        f->size = (double) e->ngroup;
        f->unit = "groups";
        cf_say(&fit->advice, "measure at more places, or in more sessions: each gives one value of "
                             "the error that its rows share");
        return true;
    }
    if (q->spec->grouping.origin != CF_GROUPS_BY_PLACE || e->protocol->recording ||
        !cf_group_excess(fit, effect, &F, &p) || !(p < q->spec->options.p_reject))
        return false;
    struct cf_finding *f = cf_add_finding(
        &fit->findings, CF_RULE_GROUP_OR_LAW,
        "%s: the means of repeats miss the curve %.1f times more than their scatter explains "
        "(variance ratio, p = %.2g): either repeats at one %s share an error, as is assumed "
        "here, or the law fails there",
        name, F, fmax(p, 1e-300), level);
    f->quantity = name;
    f->p = p;
    f->level = q->spec->options.p_reject;
    f->size = F;
    f->unit = "1";
    return true;
}

/* A level of which all rows are one group. */
static void say_alone(struct cf_fit *fit, size_t level)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const char *name = q->spec->grouping.level[level].name;
    uint32_t one = CF_NO_GROUP;

    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        uint32_t group = cf_dataset_group(&q->spec->data[o->data], o->row, level);
        if (group == CF_NO_GROUP || (one != CF_NO_GROUP && group != one))
            return;
        one = group;
    }
    if (q->nobservation > 1 && one != CF_NO_GROUP)
        cf_add_finding(
            &fit->findings, CF_RULE_ONE_GROUP,
            "note: the numbers are those of this %s: by how much another %s differs, one "
            "cannot show",
            name, name);
}

void cf_judge_groups(struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    bool open = false;

    for (size_t level = 0; level < q->spec->grouping.nlevel; level++)
        say_alone(fit, level);
    for (size_t i = 0; i < q->neffect; i++)
        open = (judge_effect(fit, i) && q->effect[i].identified) || open;
    if (open)
        cf_say(&fit->advice,
               "find out whether repeats at one place share an error: set each anew, or measure at "
               "20 places or more; where they cannot, group: none judges the law by it");
}
