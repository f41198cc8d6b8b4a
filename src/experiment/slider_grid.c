/* A slider on a recorded drive, in fixed steps from sample to sample of it.
 *
 * Steps that a tolerance chooses change by leaps as parameters move, and a fit, whose noise model
 * leaves the small differences from sample to sample, follows the leaps. On a grid answers are as
 * smooth as the equations. TR-BDF2 (Bank et al., IEEE Trans. CAD 4, 1985; Hosea & Shampine, Appl.
 * Numer. Math. 20, 1996) is of second order and damps what relaxes faster than a step. Its columns
 * are the derivatives of its own equations, exact for what it answers:
 *
 *   y_g = y_n + d h (f_n + f_g)        y_n+1 = a y_g - b y_n + d h f_n+1        g = 2 - sqrt(2)
 *
 * What it leaves out is of the size (h/T)^2, T the time in which friction changes, and reported
 * with a fit as its bias against steps within a tolerance.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/slider_parts.h"

#define GAMMA (2 - M_SQRT2)
#define STAGE (GAMMA / 2) /* d */
#define OLD ((1 - GAMMA) * (1 - GAMMA) / (GAMMA * (2 - GAMMA)))
#define MIDDLE (1 / (GAMMA * (2 - GAMMA)))

/* Stages are solved until a correction is below this part of the states' sizes. */
static const double SOLVED = 1e-11;

/* Or, where rounding lets it come no nearer, below this one. */
static const double ROUNDED = 1e-8;
enum { MOST_ROUNDS = 40 };

/* Factors are kept as long as corrections shrink by this from round to round. */
static const double SHRINKS = 0.1;

/* Friction may begin with more than it holds, and lets go of it faster than a step: the first one
 * is cut in halves of halves, so many times. */
enum { FIRST_HALVES = 8 };

/* Factors serve a step whose length differs by this part. */
static const double NEAR = 1e-3;

/* A step whose stages are not solved is halved, so often at most. */
enum { MOST_HALVES = 12 };

struct point {
    double t, y[CF_SLIDER_STATES], f[CF_SLIDER_STATES];
    double s[CF_SLIDER_COLUMNS * CF_SLIDER_STATES], ds[CF_SLIDER_COLUMNS * CF_SLIDER_STATES];
};

struct grid {
    struct cf_slider_work *w;
    struct cf_slider_work full; /* its columns: of each state, then those of w */
    double unit[CF_SLIDER_COLUMNS * CF_SLIDER_STATES];  /* along its columns states move so */
    double slope[CF_SLIDER_COLUMNS * CF_SLIDER_STATES]; /* and their rates so */
    double scale[CF_SLIDER_STATES];
    double lu[CF_SLIDER_STATES * CF_SLIDER_STATES];
    size_t pivot[CF_SLIDER_STATES];
    double factored; /* d h of lu; 0: none */
    bool columns;
    struct point now, middle, next;
};

/* ---- 1 - d h J */

static bool factor(struct grid *g, double dh)
{
    size_t n = g->w->n;
    double *a = g->lu;

    g->factored = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            a[i * n + j] = (i == j) - dh * g->slope[j * n + i];
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k]))
                best = i;
        g->pivot[k] = best;
        if (!(fabs(a[best * n + k]) > 0) || !isfinite(a[best * n + k]))
            return false;
        for (size_t j = 0; j < n && best != k; j++) {
            double keep = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = keep;
        }
        for (size_t i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
            for (size_t j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
    }
    g->factored = dh;
    return true;
}

static void solve(const struct grid *g, double x[])
{
    size_t n = g->w->n;

    for (size_t k = 0; k < n; k++) {
        double keep = x[g->pivot[k]];
        x[g->pivot[k]] = x[k];
        x[k] = keep;
    }
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < i; k++)
            x[i] -= g->lu[i * n + k] * x[k];
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++)
            x[i] -= g->lu[i * n + j] * x[j];
        x[i] /= g->lu[i * n + i];
    }
}

/* Slopes of the rates along the states, and, with `all`, along the columns beside them. */
static void look_along(struct grid *g, double t, const double y[], bool all)
{
    g->full.ncolumn = g->w->n + (all ? g->w->ncolumn : 0);
    cf_slider_variation(&g->full, t, y, g->unit, g->slope);
}

/* ---- a stage: y = base + d h f(t, y) */

static bool solve_stage(struct grid *g, double dh, const double base[], struct point *p)
{
    size_t n = g->w->n;
    double size = (double) INFINITY, before;
    bool stale = false; /* the factors are of another branch of the law */

    for (int round = 0; round < MOST_ROUNDS; round++) {
        double step[CF_SLIDER_STATES];
        bool last = size <= ROUNDED && round >= MOST_ROUNDS / 2;
        before = size;
        size = 0;
        cf_slider_rates(g->w, p->t, p->y, p->f);
        if (stale || !(fabs(g->factored - dh) <= NEAR * dh)) {
            look_along(g, p->t, p->y, false);
            if (!factor(g, dh))
                return false;
        }
        for (size_t i = 0; i < n; i++)
            step[i] = base[i] + dh * p->f[i] - p->y[i];
        solve(g, step);
        for (size_t i = 0; i < n; i++) {
            p->y[i] += step[i];
            size = fmax(size, fabs(step[i]) / fmax(fabs(p->y[i]), g->scale[i]));
        }
        if (!isfinite(size))
            return false;
        stale = size > SHRINKS * before;
        if (size <= SOLVED || (last && size <= ROUNDED)) {
            for (size_t i = 0; i < n; i++)
                p->f[i] = (p->y[i] - base[i]) / dh;
            return true;
        }
    }
    return false;
}

/* Its columns: s = base + d h (J s + f_p), and their rates. */
static bool carry_stage(struct grid *g, double dh, const double base[], struct point *p)
{
    size_t n = g->w->n;

    if (!g->columns)
        return true;
    look_along(g, p->t, p->y, true);
    if (!factor(g, dh))
        return false;
    for (size_t c = 0; c < g->w->ncolumn; c++) {
        double *s = p->s + c * n;
        for (size_t i = 0; i < n; i++)
            s[i] = base[c * n + i] + dh * g->slope[(n + c) * n + i];
        solve(g, s);
        for (size_t i = 0; i < n; i++)
            p->ds[c * n + i] = (s[i] - base[c * n + i]) / dh;
    }
    return true;
}

/* ---- a step */

static void combine(size_t n, double a, const double x[], double b, const double y[], double out[])
{
    for (size_t i = 0; i < n; i++)
        out[i] = a * x[i] + b * y[i];
}

static bool step(struct grid *g, double h)
{
    size_t n = g->w->n, all = g->columns ? n * g->w->ncolumn : 0;
    double dh = STAGE * h, base[CF_SLIDER_STATES], s_base[CF_SLIDER_COLUMNS * CF_SLIDER_STATES];

    g->middle.t = g->now.t + GAMMA * h;
    combine(n, 1, g->now.y, dh, g->now.f, base);
    combine(all, 1, g->now.s, dh, g->now.ds, s_base);
    combine(n, 1, g->now.y, GAMMA * h, g->now.f, g->middle.y);
    if (!solve_stage(g, dh, base, &g->middle) || !carry_stage(g, dh, s_base, &g->middle))
        return false;
    g->next.t = g->now.t + h;
    combine(n, MIDDLE, g->middle.y, -OLD, g->now.y, base);
    combine(all, MIDDLE, g->middle.s, -OLD, g->now.s, s_base);
    combine(n, 1, g->middle.y, (1 - GAMMA) * h, g->middle.f, g->next.y);
    return solve_stage(g, dh, base, &g->next) && carry_stage(g, dh, s_base, &g->next);
}

/* ---- samples within it: by the cubic through states and rates at both ends */

static void between(size_t n, double h, double part, const double y0[], const double f0[],
                    const double y1[], const double f1[], double y[], double dydt[])
{
    double a = part, b = 1 - part;

    for (size_t i = 0; i < n; i++) {
        double chord = y1[i] - y0[i];
        double e0 = h * f0[i] - chord, e1 = chord - h * f1[i];
        y[i] = b * y0[i] + a * y1[i] + a * b * (b * e0 + a * e1);
        dydt[i] = (chord + (b - a) * (b * e0 + a * e1) + a * b * (e1 - e0)) / h;
    }
}

static void note_samples(struct grid *g, struct cf_slider_samples *to)
{
    size_t n = g->w->n, all = g->columns ? n * g->w->ncolumn : 0;
    double y[CF_SLIDER_STATES], dydt[CF_SLIDER_STATES], s[CF_SLIDER_COLUMNS * CF_SLIDER_STATES],
        ds[CF_SLIDER_COLUMNS * CF_SLIDER_STATES];
    double h = g->next.t - g->now.t;

    for (; to->next < to->n && to->time_s[to->by_age[to->next]] <= g->next.t; to->next++) {
        size_t sample = to->by_age[to->next];
        double t = to->time_s[sample];
        if (t == g->next.t) {
            cf_slider_note(g->w, to, sample, t, g->next.y, g->next.f, g->next.s);
            continue;
        }
        double part = (t - g->now.t) / h;
        between(n, h, part, g->now.y, g->now.f, g->next.y, g->next.f, y, dydt);
        between(all, h, part, g->now.s, g->now.ds, g->next.s, g->next.ds, s, ds);
        cf_slider_note(g->w, to, sample, t, y, dydt, s);
    }
}

/* From now to t, in halves where a stage is not solved. */
static int advance(struct grid *g, struct cf_slider_samples *to, double t, int halves,
                   struct cf_error *err)
{
    double from = g->now.t;
    int status;

    if (step(g, t - from)) {
        g->next.t = t;
        note_samples(g, to);
        g->now = g->next;
        return CF_OK;
    }
    g->factored = 0;
    if (halves == MOST_HALVES)
        return cf_fail(err, CF_ESOLVE,
                       "at %.9g s: friction changes too fast for the record's "
                       "samples",
                       from);
    status = advance(g, to, from + (t - from) / 2, halves + 1, err);
    return status ? status : advance(g, to, t, halves + 1, err);
}

static void prepare(struct grid *g, struct cf_slider_work *w, const double y[], const double s[],
                    bool columns)
{
    size_t n = w->n, of[CF_SLIDER_COLUMNS];
    struct cf_slider_columns full = {n + w->ncolumn, of};

    g->w = w;
    g->columns = columns;
    for (size_t i = 0; i < n; i++)
        of[i] = CF_SLIDER_NOTHING;
    memcpy(of + n, w->column, w->ncolumn * sizeof *of);
    cf_slider_layout(&g->full, w->s, &full);
    for (size_t i = 0; i < n; i++)
        g->unit[i * n + i] = 1;
    cf_slider_scales(w, g->scale);
    g->now.t = w->s->from_s;
    memcpy(g->now.y, y, n * sizeof *y);
    cf_slider_rates(w, g->now.t, y, g->now.f);
    if (!columns)
        return;
    memcpy(g->now.s, s, n * w->ncolumn * sizeof *s);
    cf_slider_variation(w, g->now.t, y, s, g->now.ds);
}

int cf_slider_grid(struct cf_slider_work *w, struct cf_slider_samples *samples, double y[],
                   double s[], struct cf_error *err)
{
    struct grid *g = calloc(1, sizeof *g);
    double end = samples->time_s[samples->by_age[samples->n - 1]];
    size_t n, next = 0, parts = w->s->substeps;
    const double *t = cf_smoothing_times(w->s->piece->driven, &n);
    int status = g ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the steps of a slider");

    if (!status)
        prepare(g, w, y, s, samples->by != NULL);
    while (next < n && t[next] <= w->s->from_s)
        next++;
    for (int k = FIRST_HALVES; k > 0 && next < n && !status; k--)
        status = advance(g, samples, w->s->from_s + ldexp(t[next] - w->s->from_s, -k), 0, err);
    for (; next < n && !status && g->now.t < end; next++) {
        double from = g->now.t, to = t[next];
        for (size_t k = 1; k <= parts && !status; k++)
            status =
                advance(g, samples,
                        k == parts ? to : from + (to - from) * (double) k / (double) parts, 0, err);
    }
    free(g);
    return status;
}
