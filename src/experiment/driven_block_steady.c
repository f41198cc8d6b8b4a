/* Where a driven block begins: the states in which friction slides steadily.
 *
 * z' (V, z) = 0 by Newton's method that begins as implicit Euler steps of the law's own evolution:
 * (1/h - J) dz = z', h growing until it is Newton's. C. T. Kelley & D. E. Keyes, SIAM J. Numer.
 * Anal. 35 (1998) 508. Columns of the steady states follow from J dz = -(z' along the column).
 */

#include <gsl/gsl_machine.h>
#include <math.h>
#include <string.h>

#include "experiment/driven_block_parts.h"
#include "law/sliding.h"

enum { MOST_ROUNDS = 1000 };

/* The first step, over the time in which states move by their size; each next one is longer. */
static const double FIRST_STEP = 0.1, GROWTH = 4;

/* A state has settled where it moves by this part of what it is, or of 1 where that is more: a
 * deflection is far below it, and is settled by Newton's own convergence. */
static const double SETTLED = 1e-14;

/* J of the friction's states at V. */
static void jacobian(const struct cf_block_work *w, const struct cf_block_now *now, double J[])
{
    const struct cf_slide c = {
        .normal_N = w->b->number[CF_BLOCK_LOAD], .velocity_m_s = {w->V, 0}, .state = now->state};

    for (size_t j = 0; j < w->nfriction; j++) {
        double d[CF_FRICTION_COLUMNS] = {0}, force[2], rate[CF_FRICTION_STATES];
        d[CF_BY_STATE + w->of[j]] = 1;
        cf_friction_vary(w->b->law, w->b->p, &c, 1, d, force, rate);
        for (size_t i = 0; i < w->nfriction; i++)
            J[i * w->nfriction + j] = rate[w->of[i]];
    }
}

/* x becomes (shift - J)^-1 x; false: it is singular. */
static bool solve(size_t n, const double J[], double shift, double x[])
{
    double m[CF_FRICTION_STATES * CF_FRICTION_STATES];
    size_t order[CF_FRICTION_STATES];

    for (size_t i = 0; i < n * n; i++)
        m[i] = (i % (n + 1) == 0 ? shift : 0) - J[i];
    if (!cf_rates_factor(m, order, n))
        return false;
    cf_rates_solve(m, order, n, x);
    return true;
}

/* How fast the states move, in parts of what they are. */
static double pace(const struct cf_block_work *w, const double y[], const struct cf_block_now *now)
{
    double most = 0;

    for (size_t i = 0; i < w->nfriction; i++) {
        bool vector = w->of[i] < 2 * w->b->law->nvector;
        double size = vector ? fmax(fabs(y[i]), fabs(w->V)) : fmax(fabs(y[i]), 1);
        most = fmax(most, fabs(now->rate[w->of[i]]) / size);
    }
    return most;
}

static bool find(struct cf_block_work *w, double y[])
{
    double J[CF_FRICTION_STATES * CF_FRICTION_STATES], dy[CF_FRICTION_STATES], h;
    struct cf_block_now now;

    cf_block_carried(w, y, &now);
    h = FIRST_STEP / fmax(pace(w, y, &now), GSL_DBL_MIN);
    for (int round = 0; round < MOST_ROUNDS; round++, h *= GROWTH) {
        double moved = 0;
        for (size_t i = 0; i < w->nfriction; i++)
            dy[i] = now.rate[w->of[i]];
        jacobian(w, &now, J);
        if (!solve(w->nfriction, J, isfinite(h) ? 1 / h : 0, dy))
            return false;
        for (size_t i = 0; i < w->nfriction; i++) {
            y[i] += dy[i];
            moved = fmax(moved,
                         fabs(dy[i]) /
                             fmax(fabs(y[i]), w->of[i] < 2 * w->b->law->nvector ? GSL_DBL_MIN : 1));
        }
        cf_block_carried(w, y, &now);
        if (!isfinite(moved))
            return false;
        if (moved <= SETTLED && !(1 / h > pace(w, y, &now)))
            return true;
    }
    return false;
}

/* Columns of the states that have settled. */
static bool columns(struct cf_block_work *w, const double y[], double s[],
                    struct cf_block_change change[])
{
    double J[CF_FRICTION_STATES * CF_FRICTION_STATES], dy[CF_FRICTION_STATES];
    struct cf_block_now now;

    cf_block_carried(w, y, &now);
    jacobian(w, &now, J);
    cf_block_vary(w, &now, s, true, change);
    for (size_t c = 0; c < w->ncolumn; c++) {
        for (size_t i = 0; i < w->nfriction; i++)
            dy[i] = change[c].rate[w->of[i]];
        if (w->nfriction && !solve(w->nfriction, J, 0, dy))
            return false;
        memcpy(s + c * w->n, dy, w->nfriction * sizeof *dy);
    }
    cf_block_vary(w, &now, s, true, change);
    return true;
}

int cf_block_settle(struct cf_block_work *w, double y[], double s[], struct cf_error *err)
{
    const struct cf_friction_law *law = w->b->law;
    struct cf_block_change change[CF_BLOCK_COLUMNS];
    struct cf_block_now now;

    for (size_t i = 0; i < w->nfriction; i++)
        y[i] = law->rested ? law->rested[w->of[i]] : 0;
    if ((w->nfriction && !find(w, y)) || (s && !columns(w, y, s, change)))
        return cf_fail(err, CF_ESOLVE, "%s has no steady sliding at %g m/s", law->name, w->V);
    cf_block_carried(w, y, &now);
    if (w->spring != CF_BLOCK_NONE)
        y[w->spring] = now.mu;
    if (w->velocity != CF_BLOCK_NONE)
        y[w->velocity] = w->V;
    for (size_t c = 0; s && c < w->ncolumn; c++) {
        if (w->spring != CF_BLOCK_NONE)
            s[c * w->n + w->spring] = change[c].mu;
        if (w->velocity != CF_BLOCK_NONE)
            s[c * w->n + w->velocity] = cf_block_speed_by(w, c);
    }
    return CF_OK;
}
