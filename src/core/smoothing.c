/* Reinsch's equations (R + L Q'Q) M = Q'x for the second derivatives M at the inner samples, and
 * g = x - L Q M. R is tridiagonal, Q'Q has five diagonals, and so has their sum, which is factored
 * as U' D U. The trace of the influence matrix needs five diagonals of its inverse only, which
 * follow from the factors from below upwards (Hutchinson & de Hoog, Numer. Math. 47, 1985).
 */

#include "core/smoothing.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_min.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/gsl_guard.h"

enum { LEAST_ROWS = 5, BANDS = 3 };

/* Cross-validation is looked at so often per octave of f_c: its curve is flat over one. */
enum { PER_OCTAVE = 3 };

/* And its lowest place refined to this part of ln f_c: nothing that follows feels less. */
static const double REFINED = 1e-3;
enum { MOST_ROUNDS = 60 };

struct cf_smoothing {
    size_t n;
    double *t, *g, *bend; /* n each */
    double spacing_s, cutoff_Hz, freedom, noise;
};

/* Of one n: the equations and what solves them. Row i of the inner samples is sample i + 1. */
struct equations {
    size_t n, inner;
    const double *t, *x;
    double (*q)[BANDS];       /* column i of Q: its entries at samples i, i + 1, i + 2 */
    double (*factor)[BANDS];  /* D, and the two bands of U beside its unit diagonal */
    double (*inverse)[BANDS]; /* diagonal and two bands of the inverse */
    double *M;                /* inner */
    double rss, freedom;
};

static void free_equations(struct equations *e)
{
    free(e->q);
    free(e->factor);
    free(e->inverse);
    free(e->M);
}

static int make_equations(struct equations *e, const struct cf_smoothing *s, const double x[],
                          struct cf_error *err)
{
    size_t inner = s->n - 2;

    *e = (struct equations){.n = s->n, .inner = inner, .t = s->t, .x = x};
    e->q = malloc(inner * sizeof *e->q);
    e->factor = malloc(inner * sizeof *e->factor);
    e->inverse = malloc((inner + 2) * sizeof *e->inverse);
    e->M = malloc(inner * sizeof *e->M);
    if (!e->q || !e->factor || !e->inverse || !e->M)
        return cf_fail(err, CF_ENOMEM, "no memory to smooth %zu samples", s->n);
    for (size_t i = 0; i < inner; i++) {
        double h0 = s->t[i + 1] - s->t[i], h1 = s->t[i + 2] - s->t[i + 1];
        e->q[i][0] = 1 / h0;
        e->q[i][1] = -1 / h0 - 1 / h1;
        e->q[i][2] = 1 / h1;
    }
    return CF_OK;
}

/* Entries (i, i), (i, i + 1), (i, i + 2) of Q'Q. */
static void product(const struct equations *e, size_t i, double row[BANDS])
{
    const double *a = e->q[i], *b = i + 1 < e->inner ? e->q[i + 1] : NULL,
                 *c = i + 2 < e->inner ? e->q[i + 2] : NULL;

    row[0] = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    row[1] = b ? a[1] * b[0] + a[2] * b[1] : 0;
    row[2] = c ? a[2] * c[0] : 0;
}

static void factorise(struct equations *e, double L)
{
    for (size_t i = 0; i < e->inner; i++) {
        double row[BANDS], *f = e->factor[i];
        const double *before = i ? e->factor[i - 1] : NULL, *two = i > 1 ? e->factor[i - 2] : NULL;
        double h0 = e->t[i + 1] - e->t[i], h1 = e->t[i + 2] - e->t[i + 1];
        product(e, i, row);
        row[0] = L * row[0] + (h0 + h1) / 3;
        row[1] = L * row[1] + (i + 1 < e->inner ? h1 / 6 : 0);
        row[2] *= L;
        if (before) {
            row[0] -= before[0] * before[1] * before[1];
            row[1] -= before[0] * before[1] * before[2];
        }
        if (two)
            row[0] -= two[0] * two[2] * two[2];
        f[0] = row[0];
        f[1] = row[1] / row[0];
        f[2] = row[2] / row[0];
    }
}

static void solve(struct equations *e)
{
    size_t n = e->inner;

    for (size_t i = 0; i < n; i++) {
        const double *q = e->q[i], *x = e->x + i;
        double right = q[0] * (x[0] - x[1]) + q[2] * (x[2] - x[1]);
        if (i)
            right -= e->factor[i - 1][1] * e->M[i - 1];
        if (i > 1)
            right -= e->factor[i - 2][2] * e->M[i - 2];
        e->M[i] = right;
    }
    for (size_t i = n; i-- > 0;) {
        e->M[i] /= e->factor[i][0];
        if (i + 1 < n)
            e->M[i] -= e->factor[i][1] * e->M[i + 1];
        if (i + 2 < n)
            e->M[i] -= e->factor[i][2] * e->M[i + 2];
    }
}

/* What the spline takes off sample i, over L: (Q M)_i. */
static double pull(const struct equations *e, size_t i)
{
    double sum = 0;

    if (i < e->inner)
        sum += e->q[i][0] * e->M[i];
    if (i >= 1 && i - 1 < e->inner)
        sum += e->q[i - 1][1] * e->M[i - 1];
    if (i >= 2)
        sum += e->q[i - 2][2] * e->M[i - 2];
    return sum;
}

/* The trace of (R + L Q'Q)^-1 Q'Q. */
static double trace_of(struct equations *e)
{
    size_t n = e->inner;
    double sum = 0;

    memset(e->inverse[n], 0, 2 * sizeof *e->inverse);
    for (size_t i = n; i-- > 0;) {
        const double u1 = e->factor[i][1], u2 = e->factor[i][2];
        const double *a = e->inverse[i + 1], *b = e->inverse[i + 2];
        double *v = e->inverse[i], row[BANDS];
        v[1] = -u1 * a[0] - u2 * a[1];
        v[2] = -u1 * a[1] - u2 * b[0];
        v[0] = 1 / e->factor[i][0] - u1 * v[1] - u2 * v[2];
        product(e, i, row);
        sum += v[0] * row[0] + 2 * (v[1] * row[1] + v[2] * row[2]);
    }
    return sum;
}

static void smooth(struct equations *e, double L)
{
    factorise(e, L);
    solve(e);
    e->rss = 0;
    for (size_t i = 0; i < e->n; i++) {
        double taken = L * pull(e, i);
        e->rss += taken * taken;
    }
    e->freedom = (double) e->n - L * trace_of(e);
}

/* ---- the choice of the cutoff */

static double penalty(double spacing_s, double cutoff_Hz)
{
    return 1 / (spacing_s * gsl_pow_4(2 * M_PI * cutoff_Hz));
}

struct search {
    struct equations *e;
    double spacing_s;
    gsl_min_fminimizer *brent;
};

/* ln of the generalised cross-validation at ln f_c. */
static double validate(double ln_cutoff, void *context)
{
    const struct search *s = context;
    double left;

    smooth(s->e, penalty(s->spacing_s, exp(ln_cutoff)));
    left = 1 - s->e->freedom / (double) s->e->n;
    return log(fmax(s->e->rss, (double) GSL_DBL_MIN)) - 2 * log(left);
}

static double refine(struct search *s, double low, double middle, double high)
{
    gsl_function f = {validate, s};
    gsl_min_fminimizer *m = s->brent;
    double at = middle;

    if (!gsl_min_fminimizer_set(m, &f, middle, low, high)) {
        for (int i = 0; i < MOST_ROUNDS; i++) {
            if (gsl_min_fminimizer_iterate(m) ||
                gsl_min_fminimizer_x_upper(m) - gsl_min_fminimizer_x_lower(m) < REFINED)
                break;
        }
        at = gsl_min_fminimizer_x_minimum(m);
    }
    return at;
}

/* From one wave over the record to the fastest that its samples show. */
static double choose(struct search *s, double span_s)
{
    double low = log(1 / span_s), high = log(0.5 / s->spacing_s), step = M_LN2 / PER_OCTAVE;
    double best = low, least = (double) INFINITY;

    for (double at = low; at <= high; at += step) {
        double value = validate(at, s);
        if (value < least) {
            least = value;
            best = at;
        }
    }
    if (best > low && best + step <= high)
        best = refine(s, best - step, best, best + step);
    return exp(best);
}

/* ---- making */

static int check(size_t n, const double t[], const double x[], double cutoff_Hz,
                 struct cf_error *err)
{
    if (n < LEAST_ROWS)
        return cf_fail(err, CF_ERANGE, "%zu samples: at least %d can be smoothed", n, LEAST_ROWS);
    if (!(cutoff_Hz >= 0))
        return cf_fail(err, CF_ERANGE, "smoothing at %g Hz: must be above 0", cutoff_Hz);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(t[i]) || !isfinite(x[i]))
            return cf_fail(err, CF_ERANGE, "sample %zu: not finite", i + 1);
        if (i > 0 && !(t[i] > t[i - 1]))
            return cf_fail(err, CF_ERANGE, "sample %zu: time %.9g s after %.9g s: times must grow",
                           i + 1, t[i], t[i - 1]);
    }
    return CF_OK;
}

static void keep(struct cf_smoothing *s, const struct equations *e, double L)
{
    double left = (double) s->n - e->freedom;

    for (size_t i = 0; i < s->n; i++)
        s->g[i] = e->x[i] - L * pull(e, i);
    s->bend[0] = s->bend[s->n - 1] = 0;
    memcpy(s->bend + 1, e->M, e->inner * sizeof *e->M);
    s->freedom = e->freedom;
    s->noise = L > 0 && left > 0 ? sqrt(e->rss / left) : 0;
}

static int fill(struct cf_smoothing *s, const double x[], double cutoff_Hz, struct cf_error *err)
{
    struct equations e;
    struct search search = {&e, s->spacing_s, gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent)};
    int status = make_equations(&e, s, x, err);
    double L;

    if (!status && !search.brent)
        status = cf_fail(err, CF_ENOMEM, "no memory to search for a cutoff");
    if (!status) {
        cf_gsl_enter();
        s->cutoff_Hz = cutoff_Hz > 0 ? cutoff_Hz : choose(&search, s->t[s->n - 1] - s->t[0]);
        cf_gsl_leave();
        L = isinf(s->cutoff_Hz) ? 0 : penalty(s->spacing_s, s->cutoff_Hz);
        smooth(&e, L);
        keep(s, &e, L);
    }
    gsl_min_fminimizer_free(search.brent);
    free_equations(&e);
    return status;
}

struct cf_smoothing *cf_smoothing_make(size_t n, const double t[], const double x[],
                                       double cutoff_Hz, struct cf_error *err)
{
    struct cf_smoothing *s;

    if (check(n, t, x, cutoff_Hz, err))
        return NULL;
    s = calloc(1, sizeof *s);
    if (s) {
        s->n = n;
        s->t = malloc(n * sizeof *s->t);
        s->g = malloc(n * sizeof *s->g);
        s->bend = malloc(n * sizeof *s->bend);
    }
    if (!s || !s->t || !s->g || !s->bend) {
        cf_smoothing_free(s);
        cf_fail(err, CF_ENOMEM, "no memory to smooth %zu samples", n);
        return NULL;
    }
    memcpy(s->t, t, n * sizeof *t);
    s->spacing_s = (t[n - 1] - t[0]) / (double) (n - 1);
    if (!fill(s, x, cutoff_Hz, err))
        return s;
    cf_smoothing_free(s);
    return NULL;
}

void cf_smoothing_free(struct cf_smoothing *s)
{
    if (!s)
        return;
    free(s->t);
    free(s->g);
    free(s->bend);
    free(s);
}

double cf_smoothing_cutoff_Hz(const struct cf_smoothing *s)
{
    return s->cutoff_Hz;
}

double cf_smoothing_freedom(const struct cf_smoothing *s)
{
    return s->freedom;
}

double cf_smoothing_noise(const struct cf_smoothing *s)
{
    return s->noise;
}

const double *cf_smoothing_times(const struct cf_smoothing *s, size_t *n)
{
    *n = s->n;
    return s->t;
}

/* ---- reading */

/* The interval of a time within the record: guessed as if the samples were even, looked for beside
 * that, for their times are rounded, then searched. */
static size_t interval(const struct cf_smoothing *s, double t)
{
    size_t low = 0, high = s->n - 1;
    double guess = (t - s->t[0]) / s->spacing_s;
    size_t at = guess > 0 ? (size_t) fmin(guess, (double) (s->n - 2)) : 0;

    if (t < s->t[at] && at > 0)
        at--;
    else if (t >= s->t[at + 1] && at + 2 < s->n)
        at++;
    if (t >= s->t[at] && t < s->t[at + 1])
        return at;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (t < s->t[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

void cf_smoothing_at(const struct cf_smoothing *s, double t, double out[3])
{
    double inside = fmin(fmax(t, s->t[0]), s->t[s->n - 1]);
    size_t i = interval(s, inside);
    double h = s->t[i + 1] - s->t[i], a = (s->t[i + 1] - inside) / h, b = (inside - s->t[i]) / h;
    double M0 = s->bend[i], M1 = s->bend[i + 1], chord = (s->g[i + 1] - s->g[i]) / h;

    out[0] = s->g[i] + b * h * chord + ((a * a * a - a) * M0 + (b * b * b - b) * M1) * h * h / 6;
    out[1] = chord + ((1 - 3 * a * a) * M0 + (3 * b * b - 1) * M1) * h / 6;
    out[2] = a * M0 + b * M1;
    out[0] += (t - inside) * out[1];
}

double cf_smoothing_jerk(const struct cf_smoothing *s, double t)
{
    size_t i = interval(s, fmin(fmax(t, s->t[0]), s->t[s->n - 1]));

    if (t < s->t[0] || t > s->t[s->n - 1])
        return 0;
    return (s->bend[i + 1] - s->bend[i]) / (s->t[i + 1] - s->t[i]);
}
