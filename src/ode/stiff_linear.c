/* Linear equations of the stiff method: LU with partial pivoting, real and complex. */

#include <math.h>

#include "ode/stiff.h"

struct complex {
    double re, im;
};

static struct complex times(struct complex a, struct complex b)
{
    return (struct complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static double square(struct complex a)
{
    return a.re * a.re + a.im * a.im;
}

static struct complex over(struct complex a, struct complex b)
{
    double scale = 1 / square(b);
    struct complex conjugate = {b.re * scale, -b.im * scale};

    return times(a, conjugate);
}

static void swap(double *a, double *b)
{
    double x = *a;

    *a = *b;
    *b = x;
}

bool cf_stiff_factor(size_t n, double d, const double a[], double lu[], size_t pivot[])
{
    for (size_t i = 0; i < n * n; i++)
        lu[i] = -a[i];
    for (size_t c = 0; c < n; c++)
        lu[c * n + c] += d;
    for (size_t c = 0; c < n; c++) {
        const double *top = lu + c * n;
        size_t best = c;
        for (size_t i = c + 1; i < n; i++)
            if (fabs(lu[i * n + c]) > fabs(lu[best * n + c]))
                best = i;
        pivot[c] = best;
        for (size_t j = 0; j < n && best != c; j++)
            swap(&lu[c * n + j], &lu[best * n + j]);
        if (!(fabs(top[c]) > 0 && isfinite(top[c])))
            return false;
        for (size_t i = c + 1; i < n; i++) {
            double *row = lu + i * n;
            if (row[c] == 0)
                continue;
            row[c] /= top[c];
            for (size_t j = c + 1; j < n; j++)
                row[j] -= row[c] * top[j];
        }
    }
    return true;
}

void cf_stiff_solve(size_t n, const double lu[], const size_t pivot[], double x[])
{
    for (size_t i = 0; i < n; i++)
        swap(&x[i], &x[pivot[i]]);
    /* by columns: the updates of different x are independent */
    for (size_t j = 0; j < n; j++)
        for (size_t i = j + 1; i < n && x[j] != 0; i++)
            x[i] -= lu[i * n + j] * x[j];
    for (size_t j = n; j-- > 0;) {
        double found = x[j] /= lu[j * n + j];
        for (size_t i = 0; i < j; i++)
            x[i] -= lu[i * n + j] * found;
    }
}

/* Rows below c less their part of row c. */
static void eliminate(size_t n, size_t c, struct complex m[])
{
    const struct complex *top = m + c * n;

    for (size_t i = c + 1; i < n; i++) {
        struct complex *row = m + i * n, part;
        if (row[c].re == 0 && row[c].im == 0)
            continue;
        part = row[c] = over(row[c], top[c]);
        for (size_t j = c + 1; j < n; j++) {
            row[j].re -= part.re * top[j].re - part.im * top[j].im;
            row[j].im -= part.re * top[j].im + part.im * top[j].re;
        }
    }
}

bool cf_stiff_factor_pair(size_t n, double re, double im, const double a[], double lu[],
                          size_t pivot[])
{
    struct complex *m = (struct complex *) lu;

    for (size_t i = 0; i < n * n; i++)
        m[i] = (struct complex){-a[i], 0};
    for (size_t c = 0; c < n; c++) {
        m[c * n + c].re += re;
        m[c * n + c].im = im;
    }
    for (size_t c = 0; c < n; c++) {
        size_t best = c;
        for (size_t i = c + 1; i < n; i++)
            if (square(m[i * n + c]) > square(m[best * n + c]))
                best = i;
        pivot[c] = best;
        for (size_t j = 0; j < n && best != c; j++) {
            swap(&m[c * n + j].re, &m[best * n + j].re);
            swap(&m[c * n + j].im, &m[best * n + j].im);
        }
        if (!(square(m[c * n + c]) > 0 && isfinite(square(m[c * n + c]))))
            return false;
        eliminate(n, c, m);
    }
    return true;
}

static void subtract(struct complex *x, struct complex a, struct complex b)
{
    x->re -= a.re * b.re - a.im * b.im;
    x->im -= a.re * b.im + a.im * b.re;
}

void cf_stiff_solve_pair(size_t n, const double lu[], const size_t pivot[], double x[])
{
    const struct complex *m = (const struct complex *) lu;
    struct complex *out = (struct complex *) x;

    for (size_t i = 0; i < n; i++) {
        swap(&out[i].re, &out[pivot[i]].re);
        swap(&out[i].im, &out[pivot[i]].im);
    }
    for (size_t j = 0; j < n; j++)
        for (size_t i = j + 1; i < n; i++)
            subtract(&out[i], m[i * n + j], out[j]);
    for (size_t j = n; j-- > 0;) {
        struct complex found = out[j] = over(out[j], m[j * n + j]);
        for (size_t i = 0; i < j; i++)
            subtract(&out[i], m[i * n + j], found);
    }
}
