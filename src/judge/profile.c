/* Profile likelihood: a parameter is moved away from its optimum step by step, all others are
 * brought to their best, and the rise of chi^2 is followed until it passes the threshold. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/bracket.h"
#include "judge/interval.h"

enum { MAX_SIDE = (CF_MAX_PROFILE - 1) / 2 };

/* Steps in standard errors: small enough for a smooth curve, growing where the curve is flat. The
 * profile goes on a little past the threshold so that the crossing shows in a figure. */
static const double first_step = 0.12, growth = 1.06, overshoot = 1.5;

/* The end of the interval is found to this share of the threshold. */
static const double crossing_tolerance = 1e-9;
enum { MAX_CROSSING = 60 };

struct side {
    struct cf_fit *fit;
    struct cf_solver *solver;
    size_t i;                /* the parameter */
    double sign;             /* -1 below, +1 above the optimum */
    double chi2;             /* at the optimum */
    struct cf_solution last; /* the other parameters */
    size_t n;
    double theta[MAX_SIDE], delta[MAX_SIDE];
    double end; /* theta where delta reaches the threshold */
    bool open;  /* it does not before the bound */
    bool cut;   /* the law could not be evaluated any further */
};

static int chi2_of(const struct cf_problem *q, const double theta[], double *chi2,
                   struct cf_error *err)
{
    double *r = calloc(q->nresidual + 1, sizeof *r);
    int status = r ? cf_problem_residuals(q, theta, r, NULL, err)
                   : cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", q->nresidual);

    *chi2 = 0;
    for (size_t i = 0; i < q->nresidual && !status; i++)
        *chi2 += r[i] * r[i];
    free(r);
    return status;
}

/* The rise at theta, with the others optimised from their last values. */
static int rise(struct side *s, double theta, double *delta, struct cf_error *err)
{
    bool held[CF_MAX_PARAM] = {false};
    struct cf_problem *q = &s->fit->optimum.problem;
    int status;

    held[s->i] = true;
    s->last.theta[s->i] = theta;
    status = cf_polish(s->solver, q, held, 0, &s->last, err);
    s->cut = s->last.end == CF_END_FAILED;
    if (status || s->cut)
        return status;
    status = chi2_of(q, s->last.theta, delta, err);
    *delta -= s->chi2;
    return status;
}

/* Where does sqrt(delta), which is nearly straight, meet its threshold between a and b? Regula
 * falsi. */
static int cross(struct side *s, struct cf_bracket bracket, double t, struct cf_error *err)
{
    double middle = bracket.b;

    for (int k = 0; k < MAX_CROSSING; k++) {
        double delta, f;
        middle = cf_bracket_next(&bracket);
        int status = rise(s, middle, &delta, err);
        if (status || s->cut)
            return status;
        f = sqrt(fmax(delta, 0)) - t;
        if (fabs(f) < crossing_tolerance * t)
            break;
        cf_bracket_take(&bracket, middle, f);
    }
    s->end = middle;
    return CF_OK;
}

static int walk_side(struct side *s, struct cf_error *err)
{
    const struct cf_unknown *w = &s->fit->optimum.problem.unknown[s->i];
    const struct cf_estimate *e = &s->fit->estimate[s->i];
    double bound = s->sign < 0 ? w->lower : w->upper, best = s->fit->optimum.theta[s->i];
    double step = first_step * e->standard_error, t = sqrt(e->profile.threshold);
    double theta = best, delta = 0;
    bool found = false;

    s->open = true;
    s->end = bound;
    while (s->n < MAX_SIDE && delta < gsl_pow_2(overshoot * t) && theta != bound) {
        double before = theta, f_before = sqrt(fmax(delta, 0)) - t;
        int status;
        theta += s->sign * step;
        if ((theta - bound) * s->sign >= 0)
            theta = bound;
        status = rise(s, theta, &delta, err);
        if (status)
            return status;
        if (s->cut) {
            s->end = found ? s->end : before;
            break;
        }
        s->theta[s->n] = theta;
        s->delta[s->n++] = delta;
        step *= growth;
        if (!found && delta >= t * t) {
            struct cf_solution keep = s->last;
            found = true;
            status =
                cross(s, (struct cf_bracket){before, f_before, theta, sqrt(delta) - t}, t, err);
            if (status)
                return status;
            s->open = s->cut;
            s->end = s->cut ? before : s->end;
            s->last = keep;
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
    for (size_t k = 0; k < p->n; k++)
        p->lowest = fmin(p->lowest, p->delta[k]);
    fit->estimate[i].likelihood = (struct cf_interval){
        .known = true,
        .low = cf_unknown_value(w, below->end),
        .high = cf_unknown_value(w, above->end),
        .open_low = below->open,
        .open_high = above->open,
    };
    p->cut = (below->open && below->cut) || (above->open && above->cut);
}

static int profile_one(struct cf_fit *fit, struct cf_solver *solver, size_t i, struct cf_error *err)
{
    struct cf_estimate *e = &fit->estimate[i];
    struct side side[2];
    double chi2;
    int status = chi2_of(&fit->optimum.problem, fit->optimum.theta, &chi2, err);

    e->profile.threshold =
        gsl_pow_2(cf_t_quantile(fit->optimum.problem.spec->options.level, e->dof));
    for (size_t k = 0; k < 2 && !status; k++) {
        side[k] =
            (struct side){.fit = fit, .solver = solver, .i = i, .sign = k ? 1 : -1, .chi2 = chi2};
        memcpy(side[k].last.theta, fit->optimum.theta, sizeof fit->optimum.theta);
        status = walk_side(&side[k], err);
    }
    if (!status)
        join(fit, i, &side[0], &side[1]);
    return status;
}

int cf_profiles(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err)
{
    int status = CF_OK;
    for (size_t i = 0; i < fit->optimum.problem.nfree && !status; i++)
        if (!fit->optimum.rank.dead[i] && !fit->optimum.rank.flat[i])
            status = profile_one(fit, solver, i, err);
    return status;
}
