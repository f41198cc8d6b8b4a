/* Parameters of a fit: fitted, held, and what follows from them in other aliases. */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "document/fit_json.h"
#include "judge/interval.h"

static json_t *interval_json(const struct cf_fit *fit, const struct cf_interval *interval,
                             double scale, const char *method)
{
    json_t *j;

    if (!interval->known)
        return json_null();
    j = json_object();
    cf_json_put(&j, "level", cf_json_number(fit->optimum.problem.spec->options.level));
    cf_json_put(&j, "low",
                interval->open_low ? json_null() : cf_json_number(scale * interval->low));
    cf_json_put(&j, "high",
                interval->open_high ? json_null() : cf_json_number(scale * interval->high));
    if (method)
        cf_json_put(&j, "method", json_string(method));
    return j;
}

static json_t *profile_json(const struct cf_profile *profile)
{
    json_t *j;

    if (profile->n == 0)
        return json_null();
    j = json_object();
    cf_json_put(&j, "value", cf_json_numbers(profile->value, profile->n));
    cf_json_put(&j, "delta", cf_json_numbers(profile->delta, profile->n));
    cf_json_put(&j, "threshold", cf_json_number(profile->threshold));
    return j;
}

/* Is it held without an uncertainty? */
static bool is_exact(const struct cf_spec *spec, const char *held)
{
    const size_t prefix = strlen("held ");

    for (size_t i = 0; i < spec->uncertain.n; i++) {
        const struct cf_uncertain *u = &spec->uncertain.item[i];
        if (u->of == CF_UNCERTAIN_PARAMETER && strcmp(u->name + prefix, held) == 0)
            return false;
    }
    return true;
}

/* "fine, given k exactly": what is held is taken to be without error. */
static json_t *fine_json(const struct cf_fit *fit, size_t i)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const char *fine = cf_fit_misfits(fit) ? "fine if the law held" : "fine";
    const char *held[CF_MAX_PARAM];
    size_t n = q->unknown[i].kind == CF_UNKNOWN_LAW ? q->spec->ngiven : 0;
    json_t *text;
    char *names;
    bool exact = true;

    for (size_t k = 0; k < n; k++) {
        held[k] = q->spec->given[k].name;
        exact = exact && is_exact(q->spec, held[k]);
    }
    if (!n)
        return json_string(fine);
    names = cf_joined(held, n, " and ");
    text = names ? json_sprintf("%s, given %s%s", fine, names, exact ? " exactly" : "") : NULL;
    free(names);
    return text;
}

/* "flat with lambda" */
static json_t *worth_json(const struct cf_fit *fit, size_t i)
{
    if (fit->estimate[i].worth == CF_WORTH_FINE)
        return fine_json(fit, i);
    if (fit->estimate[i].worth != CF_WORTH_FLAT)
        return json_string(cf_worth_text(fit->estimate[i].worth));
    json_t *text = json_string("flat with");
    for (size_t j = 0, n = 0; j < fit->optimum.problem.nfree && text; j++)
        if (j != i && fit->optimum.rank.flat[j]) {
            json_t *more = json_sprintf("%s%s %s", json_string_value(text), n++ ? "," : "",
                                        fit->optimum.problem.unknown[j].name);
            json_decref(text);
            text = more;
        }
    return text;
}

/* How intervals were made: `plain` of squares whose rows are independent. */
static const char *method_of(const struct cf_fit *fit, const char *plain)
{
    if (fit->optimum.ncluster)
        return "clusters";
    if (fit->optimum.problem.loss.kind != CF_LOSS_SQUARES)
        return "sandwich";
    return fit->profiled ? plain : "wald";
}

static json_t *fitted(const struct cf_fit *fit, size_t i)
{
    const struct cf_unknown *w = &fit->optimum.problem.unknown[i];
    const struct cf_estimate *e = &fit->estimate[i];
    bool identified = e->worth != CF_WORTH_FLAT && e->worth != CF_WORTH_DEAD;
    json_t *j = json_object();

    cf_json_put(&j, "value", cf_json_number(fit->optimum.value[i]));
    cf_json_put(&j, "unit", json_string(w->unit));
    cf_json_put(&j, "what", json_string(w->what));
    cf_json_put(&j, "role", json_string(w->of_segment ? "start" : "fitted"));
    cf_json_put(&j, "verdict", json_string(cf_worth_text(e->worth)));
    cf_json_put(&j, "verdict_text", worth_json(fit, i));
    cf_json_put(&j, "interval",
                identified ? interval_json(fit, &e->likelihood, 1, method_of(fit, "profile"))
                           : json_null());
    cf_json_put(&j, "wald", identified ? interval_json(fit, &e->wald, 1, NULL) : json_null());
    cf_json_put(&j, "bounds",
                json_pack("[o,o]", cf_json_number(cf_unknown_value(w, w->lower)),
                          cf_json_number(cf_unknown_value(w, w->upper))));
    cf_json_put(&j, "bounds_by",
                json_pack("[s,s]", cf_bound_by_name[w->lower_by], cf_bound_by_name[w->upper_by]));
    cf_json_put(&j, "scale", json_string(w->scale == CF_SCALE_LOG ? "log" : "linear"));
    cf_json_put(&j, "profile", identified ? profile_json(&e->profile) : json_null());
    return j;
}

static json_t *stated(double value, const char *unit, const char *what, const char *role)
{
    json_t *j = json_object();
    cf_json_put(&j, "value", cf_json_number(value));
    cf_json_put(&j, "unit", json_string(unit));
    cf_json_put(&j, "what", json_string(what));
    cf_json_put(&j, "role", json_string(role));
    cf_json_put(&j, "verdict", json_string(role));
    cf_json_put(&j, "interval", json_null());
    cf_json_put(&j, "wald", json_null());
    cf_json_put(&j, "profile", json_null());
    return j;
}

/* All data sets have the same radius, so that a number that depends on it is one number. */
static bool one_radius(const struct cf_fit *fit)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;
    for (size_t i = 0; i < spec->ndata; i++)
        if (spec->data[i].pair.radius_m != spec->data[0].pair.radius_m)
            return false;
    return isfinite(spec->data[0].pair.radius_m);
}

static size_t target_of(const struct cf_law *law, const char *name)
{
    const struct cf_alias *s = cf_law_alias(law, name);
    return s ? s->target : cf_param_find(law->param, law->nparam, name);
}

/* How a value that follows from parameters depends on the fit. */
enum move {
    STAYS,        /* no fitted parameter moves it */
    UNIDENTIFIED, /* one does that the data do not identify */
    MOVES,
};

/* The logarithm's derivative by theta of the value under alias s: of the target less k's share. */
static enum move derived_slope(const struct cf_fit *fit, const struct cf_alias *s, const double p[],
                               const double dp[], double g[])
{
    size_t k = cf_law_k(fit->optimum.problem.law), n = fit->optimum.problem.nfree;
    enum move move = STAYS;

    for (size_t i = 0; i < n; i++) {
        double by = dp[s->target * n + i];
        g[i] = by != 0 ? by / p[s->target] : 0; /* also of one that is held at 0 */
        if (s->k_power != 0)
            g[i] -= s->k_power * dp[k * n + i] / p[k];
        if (s->pivot_by)
            g[i] += log(fit->optimum.problem.pivot_m) * dp[(s->pivot_by - 1) * n + i];
        if (g[i] != 0 && (fit->optimum.rank.flat[i] || fit->optimum.rank.dead[i]))
            return UNIDENTIFIED;
        move = g[i] != 0 ? MOVES : move;
    }
    return move;
}

/* The tie that sets this parameter of the law, or NULL. */
static const struct cf_tie *tie_of(const struct cf_fit *fit, size_t target)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;
    for (size_t i = 0; i < spec->ntie; i++)
        if (target_of(spec->law, spec->tie[i].name) == target)
            return &spec->tie[i];
    return NULL;
}

static bool needs_k(const struct cf_law *law, const char *name)
{
    const struct cf_alias *s = cf_law_alias(law, name);
    return s && s->k_power != 0;
}

/* An alias that is a fitted parameter times a constant, by itself or by a tie, has that one's
 * interval, scaled. */
static const struct cf_estimate *scaled_estimate(const struct cf_fit *fit, const struct cf_alias *s,
                                                 double value, double *scale)
{
    const struct cf_law *law = fit->optimum.problem.law;
    const struct cf_tie *tie = tie_of(fit, s->target);
    bool constant = !tie || !(needs_k(law, tie->name) || needs_k(law, tie->to));
    size_t target = tie ? target_of(law, tie->to) : s->target;

    for (size_t i = 0; i < fit->optimum.problem.nfree && s->k_power == 0 && constant; i++) {
        const struct cf_unknown *w = &fit->optimum.problem.unknown[i];
        if (w->kind == CF_UNKNOWN_LAW && w->target == target &&
            (!w->alias || w->alias->k_power == 0) &&
            (w->alias ? w->alias->pivot_by : 0) == s->pivot_by) {
            *scale = value / fit->optimum.value[i];
            return &fit->estimate[i];
        }
    }
    return NULL;
}

static struct cf_interval wald_interval(const struct cf_fit *fit, const double g[], double value,
                                        bool *no_memory)
{
    double half = cf_half_width(&fit->optimum, g, 0);

    *no_memory = isnan(half);
    return (struct cf_interval){
        .known = half < log(DBL_MAX) / 4, /* wider is no interval */
        .low = value * exp(-half),
        .high = value * exp(half),
    };
}

static bool moved_by_bound(const struct cf_fit *fit, const double g[])
{
    for (size_t i = 0; i < fit->optimum.problem.nfree; i++)
        if (g[i] != 0 && fit->estimate[i].worth == CF_WORTH_AT_BOUND)
            return true;
    return false;
}

/* Only a bound is known of a value that moves with the slope g. */
static bool only_bound(const struct cf_fit *fit, const struct cf_alias *s, const double g[])
{
    double scale;
    return moved_by_bound(fit, g) && !scaled_estimate(fit, s, 1, &scale);
}

/* A value that moves with the slope g. */
static json_t *derived(const struct cf_fit *fit, const struct cf_alias *s, const double p[],
                       const double g[])
{
    double value = p[s->target] / s->factor, scale;
    const struct cf_estimate *own;
    json_t *j;

    if (s->radius_power != 0)
        value /= pow(fit->optimum.problem.spec->data[0].pair.radius_m, s->radius_power);
    if (s->k_power != 0)
        value /= pow(p[cf_law_k(fit->optimum.problem.law)], s->k_power);
    if (s->pivot_by)
        value *= pow(fit->optimum.problem.pivot_m, p[s->pivot_by - 1]);
    own = scaled_estimate(fit, s, value, &scale);
    j = stated(value, s->unit, s->what, "derived");
    if (own) {
        cf_json_put(&j, "interval",
                    interval_json(fit, &own->likelihood, scale, method_of(fit, "profile")));
        if (own->worth == CF_WORTH_AT_BOUND)
            cf_json_put(&j, "verdict", json_string(cf_worth_text(own->worth)));
    } else {
        bool no_memory;
        struct cf_interval wald = wald_interval(fit, g, value, &no_memory);
        cf_json_put(&j, "interval",
                    no_memory ? NULL : interval_json(fit, &wald, 1, method_of(fit, "wald")));
    }
    return j;
}

/* On pairs of several radii one lambda_star means several lambdas: these are no single number. */
static bool same_everywhere(const struct cf_fit *fit, size_t i, double value)
{
    double p[CF_MAX_PARAM];

    for (size_t d = 1; d < fit->optimum.problem.spec->ndata; d++)
        if (cf_problem_params(&fit->optimum.problem, d, fit->optimum.theta, p, NULL, NULL) ||
            p[i] != value)
            return false;
    return true;
}

/* The law's own parameters that the study gives, or that fitted aliases lead to; g[nfree] is spare.
 */
static void add_own(const struct cf_fit *fit, const double p[], const double dp[], double g[],
                    json_t **all)
{
    const struct cf_law *law = fit->optimum.problem.law;

    for (size_t i = 0; i < law->nparam; i++) {
        const struct cf_param *row = &law->param[i];
        const struct cf_alias itself = {
            .name = row->name, .unit = row->unit, .target = i, .factor = 1, .what = row->what};
        enum move move;
        if (json_object_get(*all, row->name) || !isfinite(p[i]) || !same_everywhere(fit, i, p[i]))
            continue;
        move = derived_slope(fit, &itself, p, dp, g);
        if (move == STAYS)
            cf_json_put(all, row->name, stated(p[i], row->unit, row->what, "held"));
        else if (move == MOVES && !only_bound(fit, &itself, g))
            cf_json_put(all, row->name, derived(fit, &itself, p, g));
    }
}

static void add_aliases(const struct cf_fit *fit, const double p[], const double dp[], double g[],
                        json_t **all)
{
    const struct cf_law *law = fit->optimum.problem.law;

    for (size_t i = 0; i < law->nalias; i++) {
        const struct cf_alias *s = &law->alias[i];
        if (json_object_get(*all, s->name) || (s->radius_power != 0 && !one_radius(fit)) ||
            (s->k_power != 0 && !isfinite(p[cf_law_k(law)])) || !(p[s->target] > 0))
            continue;
        if (derived_slope(fit, s, p, dp, g) == MOVES && !only_bound(fit, s, g))
            cf_json_put(all, s->name, derived(fit, s, p, g));
    }
}

/* Parameters that the study ties are shown as tied. */
static void mark_ties(const struct cf_fit *fit, json_t **all)
{
    for (size_t i = 0; i < fit->optimum.problem.spec->ntie; i++) {
        json_t *j = json_object_get(*all, fit->optimum.problem.spec->tie[i].name);
        if (j && strcmp(json_string_value(json_object_get(j, "verdict")), "at bound") != 0)
            cf_json_put_within(all, j, "verdict", json_string("tied"));
        j = json_object_get(*all, fit->optimum.problem.spec->tie[i].name);
        if (j)
            cf_json_put_within(all, j, "role", json_string("tied"));
    }
}

json_t *cf_fit_json_parameters(const struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    double p[CF_MAX_PARAM];
    double *dp = malloc(((q->law->nparam + 1) * q->nfree + 1) * sizeof *dp), *g;
    json_t *all = dp ? json_object() : NULL;
    int status = dp ? cf_problem_params(q, 0, fit->optimum.theta, p, dp, NULL) : CF_ENOMEM;

    for (size_t i = 0; i < q->nfree; i++)
        cf_json_put(&all, q->unknown[i].name, fitted(fit, i));
    if (!status) {
        g = dp + q->law->nparam * q->nfree;
        add_own(fit, p, dp, g, &all);
        add_aliases(fit, p, dp, g, &all);
        mark_ties(fit, &all);
    }
    free(dp);
    return all;
}

json_t *cf_fit_json_combinations(const struct cf_fit *fit)
{
    json_t *all = json_array();

    for (size_t i = 0; i < fit->optimum.ncombination; i++) {
        const struct cf_combination *c = &fit->optimum.combination[i];
        json_t *j = json_object(), *of = json_array();
        for (size_t k = 0; k < fit->optimum.problem.nfree; k++)
            if (c->power[k] != 0)
                cf_json_add(&of, json_string(fit->optimum.problem.unknown[k].name));
        cf_json_put(&j, "name", json_string(c->name));
        cf_json_put(&j, "value", cf_json_number(c->value));
        cf_json_put(&j, "unit", json_string(c->unit));
        cf_json_put(&j, "interval",
                    interval_json(fit, &fit->combination[i], 1, method_of(fit, "wald")));
        cf_json_put(&j, "of", of);
        cf_json_add(&all, j);
    }
    return all;
}

/* Is it a number of the apparatus or of a channel, rather than the start of a segment? */
static bool is_nuisance(const struct cf_problem *q, const struct cf_unknown *w)
{
    return w->kind == CF_UNKNOWN_READING || w->target < cf_set_start(q, w->data, 0);
}

json_t *cf_fit_json_nuisances(const struct cf_fit *fit)
{
    json_t *all = json_array();

    for (size_t i = 0; i < fit->optimum.problem.nlocal; i++) {
        const struct cf_local_estimate *e = &fit->local[i];
        const struct cf_unknown *w = e->unknown;
        json_t *j;
        if (!is_nuisance(&fit->optimum.problem, w))
            continue;
        j = json_object();
        cf_json_put(&j, "name", json_string(w->name));
        cf_json_put(&j, "data", json_integer((json_int_t) w->data));
        cf_json_put(&j, "value", cf_json_number(e->value));
        cf_json_put(&j, "unit", json_string(w->unit));
        cf_json_put(&j, "what", json_string(w->what));
        cf_json_put(&j, "prior", json_boolean(w->has_prior));
        cf_json_put(&j, "interval", interval_json(fit, &e->interval, 1, method_of(fit, "wald")));
        cf_json_add(&all, j);
    }
    return all;
}
