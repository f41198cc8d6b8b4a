#include "estimate/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t cf_set_apparatus(const struct cf_problem *problem, size_t parameter)
{
    return problem->law->nparam + parameter;
}

size_t cf_set_start(const struct cf_problem *problem, size_t data, size_t i)
{
    return cf_set_apparatus(problem, problem->spec->data[data].protocol->napparatus) + i;
}

size_t cf_set_gain(const struct cf_set *set, size_t channel_index)
{
    return set->nvalue + 2 * channel_index;
}

size_t cf_set_bias(const struct cf_set *set, size_t channel_index)
{
    return set->nvalue + 2 * channel_index + 1;
}

/* Where they are being put; slope NULL: values only. */
struct value_desk {
    const struct cf_problem *problem;
    const struct cf_pair *pair;
    size_t ncolumn;
    double *value, *slope;
};

/* The law's parameter over the value of an alias of it (NULL: itself). */
static double scale_of(const struct value_desk *at, const struct cf_alias *s)
{
    double scale = s ? s->factor : 1;

    if (s && s->radius_power != 0)
        scale *= pow(at->pair->radius_m, s->radius_power);
    if (s && s->k_power != 0)
        scale *= pow(at->value[cf_law_k(at->problem->law)], s->k_power);
    if (s && s->pivot_by)
        scale *= pow(at->problem->pivot_m, -at->value[s->pivot_by - 1]);
    return scale;
}

/* Put one value, of a parameter or an alias; dvalue is its derivative by column `column`, SIZE_MAX:
 * it depends on none. */
static void place(const struct value_desk *at, size_t target, const struct cf_alias *s,
                  double value, double dvalue, size_t column)
{
    size_t k = cf_law_k(at->problem->law), n = at->ncolumn;
    double scale = scale_of(at, s), *p = at->value, *slope = at->slope;

    p[target] = scale * value;
    if (!slope)
        return;
    if (column != SIZE_MAX)
        slope[target * n + column] = scale * dvalue;
    for (size_t i = 0; s && s->k_power != 0 && i < n; i++)
        slope[target * n + i] += p[target] * s->k_power / p[k] * slope[k * n + i];
    for (size_t i = 0; s && s->pivot_by && i < n; i++)
        slope[target * n + i] -=
            p[target] * log(at->problem->pivot_m) * slope[(s->pivot_by - 1) * n + i];
}

/* The value of an alias (NULL: the parameter itself) as the parameters are: the inverse of place().
 */
static double aliased(const struct value_desk *at, size_t target, const struct cf_alias *s)
{
    return at->value[target] / scale_of(at, s);
}

/* Its derivative by column i. */
static double aliased_slope(const struct value_desk *at, size_t target, const struct cf_alias *s,
                            size_t i)
{
    size_t k = cf_law_k(at->problem->law), n = at->ncolumn;
    double value = aliased(at, target, s);
    double slope = at->slope[target * n + i] / scale_of(at, s);

    if (s && s->k_power != 0)
        slope -= value * s->k_power / at->value[k] * at->slope[k * n + i];
    if (s && s->pivot_by)
        slope += value * log(at->problem->pivot_m) * at->slope[(s->pivot_by - 1) * n + i];
    return slope;
}

static void follow(const struct value_desk *at, const struct cf_assignment *a)
{
    size_t n = at->ncolumn;
    double scale;

    place(at, a->target, a->alias, a->value * aliased(at, a->to, a->to_alias), 0, SIZE_MAX);
    scale = scale_of(at, a->alias) * a->value;
    /* place() has put in the effect of k: now that of the other parameter */
    for (size_t i = 0; at->slope && i < n; i++)
        at->slope[a->target * n + i] += scale * aliased_slope(at, a->to, a->to_alias, i);
}

static void assign(const struct value_desk *at, const struct cf_assignment *a,
                   const struct cf_set *set, const double theta[])
{
    const struct cf_unknown *w;
    double value = a->value;

    switch (a->kind) {
    case CF_ASSIGN_GIVEN:
        if (a->hertz)
            value = cf_hertz_stiffness(at->pair->modulus_Pa, at->pair->radius_m);
        place(at, a->target, a->alias, value, 0, SIZE_MAX);
        break;
    case CF_ASSIGN_FREE:
        w = &at->problem->unknown[set->own[a->entry]];
        value = cf_unknown_value(w, theta[set->own[a->entry]]);
        place(at, a->target, a->alias, value, w->scale == CF_SCALE_LOG ? value : 1,
              set->nlocal + set->column[a->entry]);
        break;
    case CF_ASSIGN_TIE:
        follow(at, a);
        break;
    }
}

/* A number that is no parameter of the law. */
static void put_plain(const struct value_desk *at, const struct cf_unknown *w, double theta,
                      size_t column)
{
    double value = cf_unknown_value(w, theta);

    at->value[w->target] = value;
    if (at->slope)
        at->slope[w->target * at->ncolumn + column] = w->scale == CF_SCALE_LOG ? value : 1;
}

int cf_set_values(const struct cf_problem *problem, size_t data, size_t segment,
                  const double theta[], const double local[], double value[], double slope[],
                  struct cf_error *err)
{
    const struct cf_law *law = problem->law;
    const struct cf_dataset *d = &problem->spec->data[data];
    const struct cf_set *set = &problem->set[data];
    struct value_desk at = {problem, &d->pair, set->nlocal + set->nactive, value, slope};

    for (size_t i = 0; i < law->nparam; i++)
        value[i] = NAN;
    for (size_t i = 0; i < d->protocol->napparatus; i++)
        value[cf_set_apparatus(problem, i)] = d->apparatus[i];
    for (size_t i = 0; i < set->nchannel; i++) {
        value[cf_set_gain(set, i)] = 1;
        value[cf_set_bias(set, i)] = 0;
    }
    if (slope)
        memset(slope, 0, set->nplace * at.ncolumn * sizeof *slope);
    for (size_t i = 0; i < problem->nassignment; i++)
        assign(&at, &problem->assignment[i], set, theta);
    for (size_t i = 0; i < set->nactive; i++) {
        const struct cf_unknown *w = &problem->unknown[set->active[i]];
        if (w->kind != CF_UNKNOWN_LAW && w->data == data &&
            (!w->of_segment || w->of_segment == segment + 1))
            put_plain(&at, w, theta[set->active[i]], set->nlocal + i);
    }
    for (size_t i = 0; i < set->nlocal; i++)
        put_plain(&at, &set->local[i], local[i], i);
    for (size_t i = 0; i < law->nparam; i++)
        if (isinf(value[i]))
            return cf_fail(err, CF_ERANGE, "%s = %g %s is beyond what doubles hold",
                           law->param[i].name, value[i], law->param[i].unit);
    return CF_OK;
}

int cf_problem_params(const struct cf_problem *problem, size_t data, const double theta[],
                      double p[], double slope[], struct cf_error *err)
{
    const struct cf_set *set = &problem->set[data];
    size_t n = set->nlocal + set->nactive, nparam = problem->law->nparam;
    double *value = calloc(set->nplace * (n + 1) + set->nlocal + 1, sizeof *value);
    double *by = value + set->nplace, *local = by + set->nplace * n;
    int status = value ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu values", set->nplace);

    for (size_t i = 0; i < set->nlocal && !status; i++)
        local[i] = set->local[i].start;
    if (!status)
        status = cf_set_values(problem, data, 0, theta, local, value, slope ? by : NULL, err);
    for (size_t i = 0; i < nparam && !status; i++) {
        p[i] = value[i];
        for (size_t j = 0; slope && j < problem->nfree; j++)
            slope[i * problem->nfree + j] = 0;
        for (size_t j = 0; slope && j < set->nactive; j++)
            slope[i * problem->nfree + set->active[j]] = by[i * n + set->nlocal + j];
    }
    free(value);
    return status;
}
