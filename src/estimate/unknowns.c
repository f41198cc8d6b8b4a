/* The parameters of a problem: which are free, within which bounds, and how theta becomes the law's
 * own values, through aliases and from Hertz. */

#include <math.h>
#include <string.h>

#include "estimate/problem.h"

double cf_unknown_value(const struct cf_unknown *unknown, double theta)
{
    return unknown->scale == CF_SCALE_LOG ? exp(theta) : theta;
}

double cf_unknown_theta(const struct cf_unknown *unknown, double value)
{
    return unknown->scale == CF_SCALE_LOG ? log(value) : value;
}

/* The row that describes a parameter of the law or the target of an alias. */
static int describe(const struct cf_law *law, const char *name, struct cf_unknown *unknown,
                    struct cf_error *err)
{
    size_t i = cf_param_find(law->param, law->nparam, name);
    const struct cf_alias *s = NULL;

    if (i == law->nparam) {
        s = cf_law_alias(law, name);
        if (!s)
            return cf_fail(err, CF_EINPUT, "%s has no parameter %s", law->name, name);
        i = s->target;
    }
    *unknown = (struct cf_unknown){
        .name = s ? s->name : law->param[i].name,
        .unit = s ? s->unit : law->param[i].unit,
        .what = s ? s->what : law->param[i].what,
        .scale = law->param[i].scale,
        .start = NAN,
        .target = i,
        .alias = s,
    };
    return CF_OK;
}

/* Bounds of an alias follow from those of its target at the pair's radius and, where the
 * alias needs k, at the middle of k's range; where it needs an exponent, at a typical one. */
static void default_bounds(const struct cf_problem *q, struct cf_unknown *w)
{
    const struct cf_param *row = &q->law->param[w->target];
    double scale = 1;

    if (w->alias) {
        double R = q->spec->data[0].pair.radius_m;
        size_t k = cf_law_k(q->law);
        scale = w->alias->factor;
        if (w->alias->pivot_by)
            scale *= pow(q->pivot_m, -q->law->param[w->alias->pivot_by - 1].typical);
        if (w->alias->radius_power != 0)
            scale *= pow(R, w->alias->radius_power);
        if (w->alias->k_power != 0 && k < q->law->nparam)
            scale *=
                pow(q->law->param[k].fit_lower * q->law->param[k].fit_upper, w->alias->k_power / 2);
    }
    w->lower = cf_unknown_theta(w, row->fit_lower / scale);
    w->upper = cf_unknown_theta(w, row->fit_upper / scale);
}

static int set_prior(struct cf_problem *q, struct cf_unknown *w, const struct cf_free *f,
                     struct cf_error *err)
{
    const struct cf_pair *pair = &q->spec->data[0].pair;
    double value = f->prior_value;

    if (f->prior_hertz)
        value = cf_hertz_stiffness(pair->modulus_Pa, pair->radius_m);
    if (isnan(f->prior_sigma))
        return CF_OK;
    if (w->scale == CF_SCALE_LOG && !(value > 0))
        return cf_fail(err, CF_ERANGE, "prior of %s = %g %s: must be above 0", w->name, value,
                       w->unit);
    w->has_prior = true;
    w->prior = cf_unknown_theta(w, value);
    w->prior_sigma = w->scale == CF_SCALE_LOG ? f->prior_sigma / value : f->prior_sigma;
    q->nprior++;
    return CF_OK;
}

static int add_free(struct cf_problem *q, const struct cf_free *f, struct cf_error *err)
{
    struct cf_unknown *w = &q->unknown[q->nfree];
    int status = describe(q->law, f->name, w, err);

    if (status)
        return status;
    q->nfree++;
    default_bounds(q, w);
    if (!isnan(f->min))
        w->lower = cf_unknown_theta(w, f->min);
    if (!isnan(f->max))
        w->upper = cf_unknown_theta(w, f->max);
    if (!isnan(f->start))
        w->start = cf_unknown_theta(w, f->start);
    if (!(isfinite(w->lower) && isfinite(w->upper) && w->lower < w->upper))
        return cf_fail(err, CF_ERANGE, "%s: bounds %g to %g %s leave nothing to fit", f->name,
                       cf_unknown_value(w, w->lower), cf_unknown_value(w, w->upper), w->unit);
    return set_prior(q, w, f, err);
}

/* The target of a given name, or nparam when the (rival) law has no such thing. */
static size_t target_of(const struct cf_law *law, const char *name)
{
    size_t i = cf_param_find(law->param, law->nparam, name);
    const struct cf_alias *s = i < law->nparam ? NULL : cf_law_alias(law, name);
    return s ? s->target : i;
}

/* Does a given k mean the same in this law? A linear law's k [N/m] is not Hertz's [N/m^1.5]. */
static bool same_meaning(const struct cf_problem *q, const char *name)
{
    size_t own = target_of(q->spec->law, name), here = target_of(q->law, name);
    return own < q->spec->law->nparam && here < q->law->nparam &&
           strcmp(q->spec->law->param[own].unit, q->law->param[here].unit) == 0;
}

/* How a rival is fitted in its parameter i: as its row says, else as itself. */
static const char *unknown_name(const struct cf_law *law, size_t i)
{
    for (const char *const *name = law->unknown; name && *name; name++)
        if (target_of(law, *name) == i)
            return *name;
    return law->param[i].name;
}

static int choose_rivals_parameters(struct cf_problem *q, struct cf_error *err)
{
    for (size_t i = 0; i < q->law->nparam; i++) {
        bool given = false;
        for (size_t j = 0; j < q->spec->ngiven; j++)
            given = given || (same_meaning(q, q->spec->given[j].name) &&
                              target_of(q->law, q->spec->given[j].name) == i);
        if (!given) {
            struct cf_free f = {unknown_name(q->law, i), NAN, NAN, NAN, NAN, NAN, false,
                                CF_SHARED_BY_ALL};
            int status = add_free(q, &f, err);
            if (status)
                return status;
        }
    }
    return CF_OK;
}

int cf_problem_choose(struct cf_problem *problem, struct cf_error *err)
{
    int status = CF_OK;

    if (problem->law != problem->spec->law)
        return choose_rivals_parameters(problem, err);
    for (size_t i = 0; i < problem->spec->nfree && !status; i++)
        status = add_free(problem, &problem->spec->free[i], err);
    return status;
}

/* The law's parameter over the value of an alias of it (NULL: itself). */
static double scale_of(const struct cf_problem *q, double radius_m, const struct cf_alias *s,
                       const double p[])
{
    double scale = s ? s->factor : 1;

    if (s && s->radius_power != 0)
        scale *= pow(radius_m, s->radius_power);
    if (s && s->k_power != 0)
        scale *= pow(p[cf_law_k(q->law)], s->k_power);
    if (s && s->pivot_by)
        scale *= pow(q->pivot_m, -p[s->pivot_by - 1]);
    return scale;
}

/* Put one value, of a parameter or an alias, into p and dp/dtheta. */
static void place(const struct cf_problem *q, double radius_m, size_t target,
                  const struct cf_alias *s, double value, double dvalue, size_t column, double p[],
                  double slope[])
{
    size_t k = cf_law_k(q->law);
    double scale = scale_of(q, radius_m, s, p);

    p[target] = scale * value;
    if (!slope)
        return;
    if (column < q->nfree)
        slope[target * q->nfree + column] = scale * dvalue;
    if (s && s->k_power != 0)
        for (size_t i = 0; i < q->nfree; i++)
            slope[target * q->nfree + i] += p[target] * s->k_power / p[k] * slope[k * q->nfree + i];
    if (s && s->pivot_by)
        for (size_t i = 0; i < q->nfree; i++)
            slope[target * q->nfree + i] -=
                p[target] * log(q->pivot_m) * slope[(s->pivot_by - 1) * q->nfree + i];
}

enum { NPASS = 3 };

/* Parameters themselves go first, then aliases that need an exponent, then those that need k. */
static int pass_of(const struct cf_alias *s)
{
    return !s ? 0 : s->k_power != 0 ? 2 : s->pivot_by ? 1 : 0;
}

static void place_pass(const struct cf_problem *q, size_t data, int pass, const double theta[],
                       double p[], double slope[])
{
    const struct cf_pair *pair = &q->spec->data[data].pair;

    for (size_t i = 0; i < q->spec->ngiven; i++) {
        const struct cf_given *g = &q->spec->given[i];
        const struct cf_alias *s = cf_law_alias(q->law, g->name);
        size_t target = target_of(q->law, g->name);
        double value = g->value;
        if (target == q->law->nparam || pass_of(s) != pass || !same_meaning(q, g->name))
            continue;
        if (g->hertz)
            value = cf_hertz_stiffness(pair->modulus_Pa, pair->radius_m);
        place(q, pair->radius_m, target, s, value, 0, q->nfree, p, slope);
    }
    for (size_t i = 0; i < q->nfree; i++) {
        const struct cf_unknown *w = &q->unknown[i];
        double value = cf_unknown_value(w, theta[i]);
        if (pass_of(w->alias) == pass)
            place(q, pair->radius_m, w->target, w->alias, value,
                  w->scale == CF_SCALE_LOG ? value : 1, i, p, slope);
    }
}

/* The value of an alias (NULL: the parameter itself) where the parameters are p, and
 * (unless slope is NULL) its derivatives dvalue[nfree]: the inverse of place(). */
static double spelled(const struct cf_problem *q, double radius_m, size_t target,
                      const struct cf_alias *s, const double p[], const double slope[],
                      double dvalue[])
{
    size_t k = cf_law_k(q->law);
    double scale = scale_of(q, radius_m, s, p), value = p[target] / scale;

    for (size_t i = 0; slope && i < q->nfree; i++) {
        dvalue[i] = slope[target * q->nfree + i] / scale;
        if (s && s->k_power != 0)
            dvalue[i] -= value * s->k_power / p[k] * slope[k * q->nfree + i];
        if (s && s->pivot_by)
            dvalue[i] += value * log(q->pivot_m) * slope[(s->pivot_by - 1) * q->nfree + i];
    }
    return value;
}

/* The ties of the law under study: that of k, or those of the others. */
static void place_ties(const struct cf_problem *q, size_t data, bool of_k, double p[],
                       double slope[])
{
    double R = q->spec->data[data].pair.radius_m;

    for (size_t i = 0; i < q->spec->ntie && q->law == q->spec->law; i++) {
        const struct cf_tie *t = &q->spec->tie[i];
        size_t target = target_of(q->law, t->name);
        const struct cf_alias *own = cf_law_alias(q->law, t->name);
        double dvalue[CF_MAX_PARAM], value, scale;
        if ((target == cf_law_k(q->law)) != of_k)
            continue;
        value =
            spelled(q, R, target_of(q->law, t->to), cf_law_alias(q->law, t->to), p, slope, dvalue);
        place(q, R, target, own, t->factor * value, 0, q->nfree, p, slope);
        scale = scale_of(q, R, own, p) * t->factor;
        /* place() has put in the effect of k: now that of the other parameter */
        for (size_t j = 0; slope && j < q->nfree; j++)
            slope[target * q->nfree + j] += scale * dvalue[j];
    }
}

int cf_problem_params(const struct cf_problem *problem, size_t data, const double theta[],
                      double p[], double slope[], struct cf_error *err)
{
    for (size_t i = 0; i < problem->law->nparam; i++)
        p[i] = NAN;
    if (slope)
        memset(slope, 0, problem->law->nparam * problem->nfree * sizeof *slope);
    for (int pass = 0; pass < NPASS; pass++) {
        if (pass == NPASS - 1)
            place_ties(problem, data, true, p, slope);
        place_pass(problem, data, pass, theta, p, slope);
    }
    place_ties(problem, data, false, p, slope);
    for (size_t i = 0; i < problem->law->nparam; i++)
        if (isinf(p[i]))
            return cf_fail(err, CF_ERANGE, "%s = %g %s is beyond what doubles hold",
                           problem->law->param[i].name, p[i], problem->law->param[i].unit);
    return CF_OK;
}

/* A parameter within this share of its range of a bound is at it. */
static const double bound_share = 1e-3;

int cf_unknown_at_bound(const struct cf_unknown *unknown, double theta)
{
    double share = (theta - unknown->lower) / (unknown->upper - unknown->lower);
    return share < bound_share ? -1 : share > 1 - bound_share ? 1 : 0;
}
