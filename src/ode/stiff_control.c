/* Order and length of the stiff method's steps (Hairer & Wanner, Solving Ordinary Differential
 * Equations II, 1996, IV.9, after Deuflhard).
 *
 * Each number of rows tells a length for which its error would be allowed, and so a work per unit
 * of time; the next step aims at the rows of least work. A step that would need more than one row
 * beyond that, as its errors so far foretell, is given up at once.
 */

#include <math.h>
#include <string.h>

#include "ode/stiff.h"

/* As in SEULEX: h (SAFETY_ERROR/err)^(1/rows) SAFETY, changed by no more than LEAST^(1/rows) and
 * MOST/LEAST^(1/rows); a row less where its work is below FEWER of this one's, a row more where this
 * one's is below MORE of that of a row less. */
static const double SAFETY_ERROR = 0.6, SAFETY = 0.93, LEAST = 0.1, MOST = 4, FEWER = 0.7,
                    MORE = 0.9;

/* Of a row that goes away from the ones before, nothing is foretold. */
static const double DIVERGED = 0.5;

/* Work in evaluations of the rates: of the factors per state, of a small step's equations. */
static const double FACTOR_WORK = 0.3, SOLVE_WORK = 1;

void cf_stiff_start(struct cf_ode *ode)
{
    struct cf_stiff *s = ode->stiff;
    double digits = -log10(ode->options->tolerance);

    s->cost[0] = (double) s->n; /* the Jacobian */
    for (int row = 1; row <= CF_STIFF_ROWS; row++)
        s->cost[row] = s->cost[row - 1] + FACTOR_WORK * (double) s->n +
                       (1 + SOLVE_WORK) * cf_stiff_parts(row);
    s->order = (int) fmax(2, fmin(CF_STIFF_ROWS - 2, 0.6 * digits + 1.5));
    s->impatient = true;
    s->jacobian_made = false;
}

static void judge(struct cf_stiff *s, int row, double h, double error)
{
    double power = 1.0 / row, least = pow(LEAST, power);
    double shrink = pow(error / SAFETY_ERROR, power) / SAFETY;

    s->length[row] = h / fmin(1 / least, fmax(least / MOST, shrink));
    s->work[row] = s->cost[row] / s->length[row];
}

/* Will the rows that are left not do, by the error so far? */
static bool hopeless(const struct cf_stiff *s, int row, double error, double before)
{
    if (row > 2 && error >= fmax(4 * before, 1))
        return true;
    if (row == s->order - 1)
        return error > 4.0 * cf_stiff_parts(row + 1) * cf_stiff_parts(row + 2);
    return row == s->order && error > 2.0 * cf_stiff_parts(row + 1);
}

/* The step's end, and states within it for events to be looked for: those of the last row, which
 * misses the end by what has grown along it. */
static void arrive(struct cf_ode *ode)
{
    struct cf_stiff *s = ode->stiff;
    size_t n = s->n;
    double *path = s->path;
    int parts = cf_stiff_parts(s->reached);

    for (size_t i = 0; i < n; i++)
        ode->next[i] = ode->y[i] + s->table[(size_t) (s->reached - 1) * n + i];
    s->path = s->look;
    s->look = path;
    s->nlook = parts - 1;
    for (size_t i = 0; i < n; i++) {
        double missed = ode->next[i] - path[(size_t) s->nlook * n + i];
        for (int j = 0; j < s->nlook; j++)
            path[(size_t) j * n + i] += missed * (j + 1) / parts;
    }
}

double cf_stiff_try(struct cf_ode *ode, double h)
{
    struct cf_stiff *s = ode->stiff;
    double error = 0, before;

    ode->h = h;
    ode->dense_made = false;
    s->degree = 0;
    for (int row = s->reached = 1; row <= s->order + 1; row++) {
        before = error;
        error = cf_stiff_row(ode, row, h);
        if (!isfinite(error))
            return error;
        if (row == 1)
            continue;
        s->reached = row;
        judge(s, row, h, error);
        if (error <= 1 && (s->impatient || row >= s->order - 1))
            break;
        if (row > 2 && error >= fmax(4 * before, 1))
            s->length[row] = DIVERGED * h;
        if (hopeless(s, row, error, before))
            return fmax(error, 2);
    }
    if (error <= 1)
        arrive(ode);
    return error;
}

static int best_order(const struct cf_stiff *s, bool retry)
{
    const double *work = s->work;
    int reached = s->reached, most = CF_STIFF_ROWS - 1, best;

    if (reached == 2)
        return retry ? 2 : 3;
    if (reached <= s->order) {
        best = work[reached - 1] < FEWER * work[reached] ? reached - 1 : reached;
        return work[reached] < MORE * work[reached - 1] ? (int) fmin(reached + 1, most) : best;
    }
    best = reached - 1;
    if (reached > 3 && work[reached - 2] < FEWER * work[reached - 1])
        best = reached - 2;
    return work[reached] < MORE * work[best] ? (int) fmin(reached, most) : best;
}

double cf_stiff_next(struct cf_ode *ode, double h, bool retry)
{
    struct cf_stiff *s = ode->stiff;
    int reached = s->reached, best = best_order(s, retry), aimed = s->order;

    s->impatient = false;
    if (retry) {
        s->order = best < reached ? best : reached;
        return fmin(h, s->length[s->order]);
    }
    s->order = best;
    if (best <= reached)
        return s->length[best];
    /* a row more than is known of: as long as its work for the same gain allows */
    if (reached < aimed && s->work[reached] < MORE * s->work[reached - 1])
        best++;
    return s->length[reached] * s->cost[best] / s->cost[reached];
}

double cf_stiff_again(struct cf_ode *ode, double h)
{
    struct cf_stiff *s = ode->stiff;

    if (s->reached < 2)
        return DIVERGED * h;
    if (s->order > s->reached)
        s->order = s->reached;
    if (s->order > 2 && s->work[s->order - 1] < FEWER * s->work[s->order])
        s->order--;
    return fmin(SAFETY * h, s->length[s->order]);
}
