#include "judge/budget.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/clusters.h"
#include "estimate/moved.h"
#include "judge/interval.h"

/* A linear propagation is then off by half of it at most. */
const double cf_budget_uneven = 0.2;
/* A tenth in quadrature is half a per cent. */
const double cf_budget_matters = 0.1;

/* ---- room */

static size_t count_numbers(const struct cf_fit *fit)
{
    return fit->optimum.problem.nfree + fit->optimum.ncombination;
}

static int make_room(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_uncertains *all = &fit->optimum.problem.spec->uncertain;
    size_t n = count_numbers(fit);
    struct cf_budget *b = &fit->budget;

    b->source = calloc(all->n, sizeof *b->source);
    b->number = calloc(n + 1, sizeof *b->number);
    b->n = b->source ? all->n : 0;
    bool short_of = !b->source || !b->number;
    for (size_t i = 0; i < b->n && !short_of; i++) {
        struct cf_budget_source *s = &b->source[i];
        s->of = &all->item[i];
        s->curve = s->curve_sigma = (double) NAN;
        s->by = calloc(2 * n + 1, sizeof *s->by);
        s->uneven = s->by ? s->by + n : NULL;
        short_of = !s->by;
        for (size_t k = 0; k < 2 * n && s->by; k++)
            s->by[k] = (double) NAN;
    }
    return short_of ? cf_fail(err, CF_ENOMEM, "no memory for %zu uncertainties", all->n) : CF_OK;
}

void cf_budget_clear(struct cf_budget *budget)
{
    for (size_t i = 0; i < budget->n; i++) {
        free(budget->source[i].by);
        free(budget->source[i].shift);
    }
    free(budget->source);
    free(budget->number);
    *budget = (struct cf_budget){.n = 0};
}

/* ---- the fit on a moved study */

/* Where it comes to, and what is read and predicted there. */
struct followed {
    double mass_kg;              /* of the first data set */
    double *theta;               /* nfree */
    double *reading, *predicted; /* nobservation: at the fit's parameters */
    double *curve;               /* predicted at theta */
    double *room;                /* of all of these */
};

static int followed_alloc(struct followed *f, const struct cf_problem *q, struct cf_error *err)
{
    f->room = calloc(q->nfree + 3 * q->nobservation + 1, sizeof *f->room);
    if (!f->room)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", q->nobservation);
    f->theta = f->room;
    f->reading = f->theta + q->nfree;
    f->predicted = f->reading + q->nobservation;
    f->curve = f->predicted + q->nobservation;
    return CF_OK;
}

/* From theta on, on the moved study (NULL: the fit's own). */
static int follow(const struct cf_fit *fit, struct cf_solver *solver, struct cf_spec *moved,
                  const double theta[], struct followed *out, enum cf_end *end,
                  struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    struct cf_moved_problem made;
    int status = cf_moved_problem_make(&made, q, moved, err);

    out->mass_kg = (moved ? moved : q->spec)->data[0].pair.mass_kg;
    memcpy(out->theta, theta, q->nfree * sizeof *theta);
    if (!status)
        status = cf_moved_predict(&made, solver, theta, out->reading, out->predicted, err);
    if (!status)
        status = cf_moved_follow(&made, solver, out->theta, end, err);
    if (!status && *end == CF_END_FAILED)
        status = cf_fail(err, CF_EFIT, "the law cannot be evaluated there");
    if (!status)
        status = cf_problem_predict(&made.problem, out->theta, out->curve, NULL, err);
    cf_moved_problem_clear(&made);
    return status;
}

/* To one side; what cannot be done is no failure. */
static int move_to(const struct cf_fit *fit, struct cf_solver *solver, size_t i,
                   enum cf_moved_side side, const double theta[], struct followed *out,
                   struct cf_error *err)
{
    const struct cf_uncertains *all = &fit->optimum.problem.spec->uncertain;
    struct cf_budget_source *s = &fit->budget.source[i];
    struct cf_moved moved = {.spec = NULL};
    enum cf_end end = CF_END_CONVERGED;
    double by = side == CF_MOVED_UP ? s->of->u : -s->of->u;
    struct cf_error why = {""};
    int status = all->move(all->owner, i, by, &moved, &why);

    if (!status)
        status = follow(fit, solver, moved.spec, theta, out, &end, &why);
    if (moved.owned)
        moved.free(moved.owned);
    s->moved[side] = !status;
    s->stalled = s->stalled || end == CF_END_STALLED;
    if (!status)
        return CF_OK;
    s->why = why;
    return cf_status_ends(status) && status != CF_EIO ? cf_fail(err, status, "%s", why.text)
                                                      : CF_OK;
}

/* A number of the budget there, on its scale; of a product the rest of a constant. */
static double number_at(const struct cf_fit *fit, size_t number, const struct followed *f)
{
    const struct cf_optimum *o = &fit->optimum;
    const struct cf_combination *c;
    double sum = 0;

    if (number < o->problem.nfree)
        return f->theta[number];
    c = &o->combination[number - o->problem.nfree];
    for (size_t i = 0; i < o->problem.nfree; i++)
        sum += c->slope[i] * f->theta[i];
    return c->mass_power != 0 ? sum + c->mass_power * log(f->mass_kg) : sum;
}

/* Compare both sides, or one of them with the fit as it was. */
static void compare(struct cf_fit *fit, struct cf_budget_source *s, const struct followed *up,
                    const struct followed *down, const struct followed *own)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct followed *high = s->moved[CF_MOVED_UP] ? up : own;
    const struct followed *low = s->moved[CF_MOVED_DOWN] ? down : own;
    double over = s->moved[CF_MOVED_UP] && s->moved[CF_MOVED_DOWN] ? 2 : 1;

    for (size_t k = 0; k < count_numbers(fit); k++) {
        double above = number_at(fit, k, high), below = number_at(fit, k, low);
        s->by[k] = (above - below) / over;
        s->uneven[k] = (above + below) / 2 - number_at(fit, k, own);
    }
    s->curve_sigma = 0;
    for (size_t i = 0; i < q->nobservation; i++) {
        double change = (high->curve[i] - low->curve[i]) / over;
        double sigmas = fabs(change) / q->observation[i].sigma;
        if (i == 0 || sigmas > s->curve_sigma) {
            s->most = i;
            s->curve = change;
            s->curve_sigma = sigmas;
        }
        if (s->shift)
            s->shift[i] =
                ((high->reading[i] - high->predicted[i]) - (low->reading[i] - low->predicted[i])) /
                over;
    }
}

static int find_source(struct cf_fit *fit, struct cf_solver *solver, size_t i,
                       const struct followed *own, struct followed side[CF_NMOVED],
                       struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    struct cf_budget_source *s = &fit->budget.source[i];
    int status = move_to(fit, solver, i, CF_MOVED_UP, own->theta, &side[CF_MOVED_UP], err);

    if (!status)
        status = move_to(fit, solver, i, CF_MOVED_DOWN, own->theta, &side[CF_MOVED_DOWN], err);
    if (status || !(s->moved[CF_MOVED_UP] || s->moved[CF_MOVED_DOWN]))
        return status;
    if (s->of->of == CF_UNCERTAIN_INSTRUMENT) {
        s->shift = calloc(q->nobservation + 1, sizeof *s->shift);
        if (!s->shift)
            return cf_fail(err, CF_ENOMEM, "no memory for %zu readings", q->nobservation);
    }
    compare(fit, s, &side[CF_MOVED_UP], &side[CF_MOVED_DOWN], own);
    return CF_OK;
}

/* ---- what comes of them together */

static bool is_at_bound(const struct cf_optimum *o, size_t i)
{
    return cf_unknown_at_bound(&o->problem.unknown[i], o->theta[i]) != 0;
}

/* Standard error and degrees of freedom by the data. */
static void put_type_a(const struct cf_fit *fit, size_t k, struct cf_budget_number *n)
{
    const struct cf_optimum *o = &fit->optimum;
    size_t nfree = o->problem.nfree;

    if (k < nfree) {
        const struct cf_estimate *e = &fit->estimate[k];
        n->known = !o->rank.dead[k] && !o->rank.flat[k] && !is_at_bound(o, k) &&
                   e->standard_error > 0 && isfinite(e->standard_error);
        n->type_a = e->standard_error;
        n->dof_a = e->dof;
        return;
    }
    const double *g = o->combination[k - nfree].slope;
    n->type_a =
        sqrt(cf_linear_variance(cf_optimum_spread(o), g) + cf_variances_more(&o->variances, g));
    n->dof_a = cf_effective_dof(o, g);
    n->known = n->type_a > 0 && isfinite(n->type_a);
}

/* The interval in natural units: of a product about its logarithm. */
static void put_interval(const struct cf_fit *fit, size_t k, struct cf_budget_number *n)
{
    const struct cf_optimum *o = &fit->optimum;
    double half = n->coverage * n->combined;

    n->interval.known = isfinite(half);
    if (k < o->problem.nfree) {
        const struct cf_unknown *w = &o->problem.unknown[k];
        n->interval.low = cf_unknown_value(w, o->theta[k] - half);
        n->interval.high = cf_unknown_value(w, o->theta[k] + half);
        return;
    }
    const struct cf_combination *c = &o->combination[k - o->problem.nfree];
    n->interval.low = c->product ? c->value * exp(-half) : c->value - half;
    n->interval.high = c->product ? c->value * exp(half) : c->value + half;
}

static void combine(struct cf_fit *fit, size_t k)
{
    const struct cf_budget *b = &fit->budget;
    struct cf_budget_number *n = &b->number[k];
    double variance, a;

    put_type_a(fit, k, n);
    if (!n->known)
        return;
    a = variance = gsl_pow_2(n->type_a);
    for (size_t i = 0; i < b->n; i++)
        variance += isnan(b->source[i].by[k]) ? 0 : gsl_pow_2(b->source[i].by[k]);
    n->combined = sqrt(variance);
    n->dof = n->dof_a * gsl_pow_2(variance / a);
    n->coverage = cf_t_quantile(fit->optimum.problem.spec->options.level, n->dof);
    put_interval(fit, k, n);
}

int cf_budget(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    struct followed at[CF_NMOVED + 1] = {{.room = NULL}}, *own = &at[CF_NMOVED];
    enum cf_end end;
    int status = CF_OK;

    if (!q->spec->uncertain.n)
        return CF_OK;
    status = make_room(fit, err);
    for (size_t i = 0; i < CF_NMOVED + 1 && !status; i++)
        status = followed_alloc(&at[i], q, err);
    /* as far as a descent comes without anything moved, so that only the number makes a change */
    if (!status)
        status = follow(fit, solver, NULL, fit->optimum.theta, own, &end, err);
    for (size_t i = 0; i < fit->budget.n && !status; i++)
        status = find_source(fit, solver, i, own, at, err);
    for (size_t k = 0; k < count_numbers(fit) && !status; k++)
        combine(fit, k);
    for (size_t i = 0; i < CF_NMOVED + 1; i++)
        free(at[i].room);
    return status;
}

/* ---- words */

static const char *name_of(const struct cf_fit *fit, size_t k)
{
    size_t nfree = fit->optimum.problem.nfree;

    return k < nfree ? fit->optimum.problem.unknown[k].name
                     : fit->optimum.combination[k - nfree].name;
}

/* Append the n-th name of a list, of which some are written out. */
static void append_name(const char *name, size_t n, char list[], size_t size)
{
    enum { WRITTEN = 4 };
    size_t used = strlen(list);

    if (n <= WRITTEN)
        snprintf(list + used, size - used, "%s%s", n > 1 ? ", " : "", n < WRITTEN ? name : "...");
}

/* The numbers of which a source's contribution is not linear, and matters. */
static size_t list_uneven(const struct cf_fit *fit, const struct cf_budget_source *s, char list[],
                          size_t size)
{
    size_t n = 0;

    for (size_t k = 0; k < count_numbers(fit); k++) {
        const struct cf_budget_number *at = &fit->budget.number[k];
        if (at->known && fabs(s->uneven[k]) > cf_budget_uneven * fabs(s->by[k]) &&
            fabs(s->uneven[k]) > cf_budget_matters * at->combined)
            append_name(name_of(fit, k), ++n, list, size);
    }
    return n;
}

static void put_sides(const struct cf_budget_source *s, char text[], size_t size)
{
    if (!s->moved[CF_MOVED_UP] && !s->moved[CF_MOVED_DOWN])
        snprintf(text, size, "its contribution is not known: %s", s->why.text);
    else if (!s->moved[CF_MOVED_UP] || !s->moved[CF_MOVED_DOWN])
        snprintf(text, size, "it could only be moved %s: %s", s->moved[CF_MOVED_UP] ? "up" : "down",
                 s->why.text);
    else if (s->stalled)
        snprintf(text, size, "the optimum did not come to rest where it was moved");
}

bool cf_budget_remark(const struct cf_fit *fit, size_t source, char text[], size_t size)
{
    const struct cf_budget_source *s = &fit->budget.source[source];
    char list[200] = "";

    *text = '\0';
    put_sides(s, text, size);
    if (!*text && list_uneven(fit, s, list, sizeof list))
        snprintf(text, size, "its contribution to %s is not linear: up and down differ", list);
    return *text != '\0';
}

bool cf_budget_left_out(const struct cf_fit *fit, char text[], size_t size)
{
    char list[200] = "";
    size_t n = 0;

    for (size_t i = 0; i < fit->optimum.problem.nfree; i++)
        if (!fit->optimum.rank.dead[i] && !fit->optimum.rank.flat[i] &&
            is_at_bound(&fit->optimum, i))
            append_name(name_of(fit, i), ++n, list, sizeof list);
    snprintf(text, size, "%s at a bound, and cannot follow: no budget is made of %s", list,
             n == 1 ? "it" : "them");
    return n > 0;
}
