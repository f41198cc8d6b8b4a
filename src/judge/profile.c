/* Profile likelihood: a parameter is moved away from its optimum step by step, all others are
 * brought to their best, and the rise of chi^2 is followed until it passes the threshold. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/bracket.h"
#include "estimate/evaluate.h"
#include "judge/interval.h"
#include "judge/prior_tests.h"
#include "judge/residual_tests.h"
#include "judge/test_list.h"

enum { MAX_SIDE = (CF_MAX_PROFILE - 1) / 2 };

/* Steps in standard errors: small enough for a smooth curve, growing where the curve is flat. The
 * profile goes on a little past the threshold so that the crossing shows in a figure. The end of
 * the interval is found to a share of the root of the threshold, and each rise to a share of the
 * threshold. Many observations make a profile nearly a parabola, to which fewer points are enough,
 * and each costs more; so does one of a motion, whose kinks let a descent crawl: its end is found
 * to a thousandth of the interval's half. */
struct pace {
    double first_step, growth, crossing_tolerance, rise_tolerance;
};
static const struct pace fine_pace = {0.12, 1.06, 1e-9, 0}, long_pace = {0.5, 1.2, 1e-5, 0},
                         motion_pace = {0.5, 1.2, 1e-3, 1e-3};
static const double overshoot = 1.5;
enum { MANY = 10000, MAX_CROSSING = 60 };

/* Times the rise of a linear law and one from which on a profile is looked at twice. */
static const double DOUBTFUL = 4;

struct side {
    struct cf_fit *fit;
    struct cf_solver *solver;
    const struct pace *pace;
    size_t i;               /* the parameter */
    double sign;            /* -1 below, +1 above the optimum */
    double chi2;            /* at the optimum */
    double *last;           /* the point before, nfree, */
    double *near, *beyond;  /* the last one below the threshold, the first beyond it, */
    double *before, *found; /* and spare, nfree each */
    bool *held;             /* nfree: the parameter alone */
    size_t n;
    double theta[MAX_SIDE], delta[MAX_SIDE];
    double end; /* theta where delta reaches the threshold */
    bool open;  /* it does not before the bound */
    bool cut;   /* the law could not be evaluated any further */
};

/* The rise with parameter i held where `last` has it, and the others optimised from there. */
static int settle(struct side *s, double *delta, enum cf_end *end, struct cf_error *err)
{
    double least_fall = s->pace->rise_tolerance * s->fit->estimate[s->i].profile.threshold;
    int status = cf_lower(s->solver, &s->fit->optimum.problem, s->held, least_fall, s->last, end,
                          delta, err);

    *delta -= s->chi2;
    return status;
}

/* Does it rise far above the parabola of a linear law? */
static bool is_doubtful(const struct side *s, double theta, double delta)
{
    double way = theta - s->fit->optimum.theta[s->i];
    double linear = way * way / cf_rank_variance(&s->fit->optimum.rank, s->i);

    return delta > DOUBTFUL * (1 + linear);
}

/* The rise at theta, with the others optimised from where a linear law would have them follow. That
 * may be a place where the law ends, or from which there is no way back: at a kink of the law the
 * others follow far beyond what they mean. Then they begin where they were, and the lower one
 * counts. */
static int rise(struct side *s, double theta, double *delta, struct cf_error *err)
{
    const struct cf_rank *rank = &s->fit->optimum.rank;
    size_t n = s->fit->optimum.problem.nfree;
    double by = (theta - s->last[s->i]) / cf_rank_variance(rank, s->i), other;
    enum cf_end end, other_end;
    int status;

    memcpy(s->before, s->last, n * sizeof *s->last);
    for (size_t j = 0; j < n; j++)
        s->last[j] += rank->covariance[j * rank->n + s->i] * by;
    s->last[s->i] = s->before[s->i] = theta;
    status = settle(s, delta, &end, err);
    if (!status && (end == CF_END_FAILED || is_doubtful(s, theta, *delta))) {
        memcpy(s->found, s->last, n * sizeof *s->last);
        memcpy(s->last, s->before, n * sizeof *s->last);
        status = settle(s, &other, &other_end, err);
        if (end == CF_END_FAILED || (other_end != CF_END_FAILED && other < *delta)) {
            *delta = other;
            end = other_end;
        } else {
            memcpy(s->last, s->found, n * sizeof *s->last);
        }
    }
    s->cut = end == CF_END_FAILED;
    return status;
}

/* Where does sqrt(delta), which is nearly straight, meet its threshold between a and b? Regula
 * falsi. The others set out from the point below it: beyond, they may have gone where there is no
 * way back from. */
static int cross(struct side *s, struct cf_bracket bracket, double t, struct cf_error *err)
{
    size_t n = s->fit->optimum.problem.nfree;
    double middle = bracket.b;

    for (int k = 0; k < MAX_CROSSING; k++) {
        double delta, f;
        middle = cf_bracket_next(&bracket);
        memcpy(s->last, s->near, n * sizeof *s->last);
        int status = rise(s, middle, &delta, err);
        if (status || s->cut)
            return status;
        f = sqrt(fmax(delta, 0)) - t;
        if (fabs(f) < s->pace->crossing_tolerance * t)
            break;
        if (f < 0)
            memcpy(s->near, s->last, n * sizeof *s->last);
        cf_bracket_take(&bracket, middle, f);
    }
    s->end = middle;
    return CF_OK;
}

/* A point lower than the optimum is none of its own. */
static void take_lowest(struct cf_fit *fit, double delta, const double theta[])
{
    if (!(delta < fit->lowest))
        return;
    fit->lowest = delta;
    memcpy(fit->lowest_theta, theta, fit->optimum.problem.nfree * sizeof *theta);
}

static int walk_side(struct side *s, struct cf_error *err)
{
    const struct cf_unknown *w = &s->fit->optimum.problem.unknown[s->i];
    const struct cf_estimate *e = &s->fit->estimate[s->i];
    double bound = s->sign < 0 ? w->lower : w->upper, best = s->fit->optimum.theta[s->i];
    double step = s->pace->first_step * e->standard_error, t = sqrt(e->profile.threshold);
    double theta = best, delta = 0;
    size_t n = s->fit->optimum.problem.nfree;
    bool found = false;

    s->open = true;
    s->end = bound;
    while (s->n < MAX_SIDE && delta < gsl_pow_2(overshoot * t) && theta != bound) {
        double before = theta, f_before = sqrt(fmax(delta, 0)) - t;
        int status;
        theta += s->sign * step;
        if ((theta - bound) * s->sign >= 0)
            theta = bound;
        memcpy(s->near, s->last, n * sizeof *s->last);
        status = rise(s, theta, &delta, err);
        if (status)
            return status;
        if (s->cut) {
            s->end = found ? s->end : before;
            break;
        }
        take_lowest(s->fit, delta, s->last);
        s->theta[s->n] = theta;
        s->delta[s->n++] = delta;
        step *= s->pace->growth;
        if (!found && delta >= t * t) {
            found = true;
            memcpy(s->beyond, s->last, n * sizeof *s->last);
            status =
                cross(s, (struct cf_bracket){before, f_before, theta, sqrt(delta) - t}, t, err);
            memcpy(s->last, s->beyond, n * sizeof *s->last);
            if (status)
                return status;
            s->open = s->cut;
            s->end = s->cut ? before : s->end;
        }
    }
    return CF_OK;
}

static void join(struct cf_fit *fit, size_t i, const struct side *below, const struct side *above)
{
    const struct cf_unknown *w = &fit->optimum.problem.unknown[i];
    struct cf_profile *p = &fit->estimate[i].profile;

    for (size_t k = below->n; k-- > 0;) {
        p->value[p->n] = cf_unknown_value(w, below->theta[k]);
        p->delta[p->n++] = below->delta[k];
    }
    p->value[p->n] = cf_unknown_value(w, fit->optimum.theta[i]);
    p->delta[p->n++] = 0;
    for (size_t k = 0; k < above->n; k++) {
        p->value[p->n] = cf_unknown_value(w, above->theta[k]);
        p->delta[p->n++] = above->delta[k];
    }
    fit->estimate[i].likelihood = (struct cf_interval){
        .known = true,
        .low = cf_unknown_value(w, below->end),
        .high = cf_unknown_value(w, above->end),
        .open_low = below->open,
        .open_high = above->open,
    };
    p->cut = (below->open && below->cut) || (above->open && above->cut);
}

static const struct pace *pace_of(const struct cf_problem *q)
{
    if (cf_problem_is_motion(q))
        return &motion_pace;
    return q->nobservation > MANY ? &long_pace : &fine_pace;
}

/* last[5 * nfree] and held[nfree] are spare. */
static int profile_one(struct cf_fit *fit, struct cf_solver *solver, size_t i, double last[],
                       bool held[], struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    struct cf_estimate *e = &fit->estimate[i];
    struct side side[2];
    int status = CF_OK;

    e->profile.threshold = gsl_pow_2(cf_t_quantile(q->spec->options.level, e->dof));
    if (fit->optimum.variances.n) /* chi^2 takes the variances as known */
        e->profile.threshold *=
            gsl_pow_2(e->standard_error) / cf_rank_variance(&fit->optimum.rank, i);
    for (size_t j = 0; j < q->nfree; j++)
        held[j] = j == i;
    for (size_t k = 0; k < 2 && !status; k++) {
        side[k] = (struct side){.fit = fit,
                                .solver = solver,
                                .pace = pace_of(q),
                                .i = i,
                                .sign = k ? 1 : -1,
                                .chi2 = fit->optimum.fold.chi2,
                                .last = last,
                                .before = last + q->nfree,
                                .found = last + 2 * q->nfree,
                                .near = last + 3 * q->nfree,
                                .beyond = last + 4 * q->nfree,
                                .held = held};
        memcpy(last, fit->optimum.theta, q->nfree * sizeof *last);
        memcpy(q->local, fit->optimum.fold.local, q->nlocal * sizeof *q->local);
        status = walk_side(&side[k], err);
    }
    if (!status)
        join(fit, i, &side[0], &side[1]);
    memcpy(q->local, fit->optimum.fold.local, q->nlocal * sizeof *q->local);
    return status;
}

int cf_profiles_pay(const struct cf_optimum *optimum, bool *pay, struct cf_error *err)
{
    const struct cf_problem *q = &optimum->problem;
    struct cf_fitted of = {.problem = q, .theta = optimum->theta};
    struct cf_tests tests = {0};
    double *y;
    int status;

    *pay = true;
    if (!cf_problem_is_motion(q) || optimum->start[0].end != CF_END_STALLED)
        return CF_OK;
    of.y = y = calloc(q->nobservation + 1, sizeof *y);
    status = y ? cf_problem_predict(q, optimum->theta, y, NULL, err)
               : cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", q->nobservation);
    cf_chi2_of_data(optimum, &of.chi2, &of.dof);
    if (!status)
        status = cf_residual_tests_of(&of, &tests, err);
    for (size_t i = 0; i < tests.n && !status; i++)
        *pay = *pay && !tests.item[i].rejects;
    cf_tests_clear(&tests);
    free(y);
    return status;
}

int cf_profiles(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err)
{
    size_t n = fit->optimum.problem.nfree;
    double *last = calloc(5 * n + 1, sizeof *last);
    bool *held = calloc(n + 1, sizeof *held);
    int status = last && held ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu profiles", n);

    for (size_t i = 0; i < n && !status; i++)
        if (fit->optimum.problem.unknown[i].of_segment) /* as locals, which these are beside */
            fit->estimate[i].likelihood = fit->estimate[i].wald;
        else if (cf_rank_identifies(&fit->optimum.rank, i))
            status = profile_one(fit, solver, i, last, held, err);
    free(last);
    free(held);
    return status;
}
