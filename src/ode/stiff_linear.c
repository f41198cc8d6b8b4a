/* Linear equations of the stiff method: LU with partial pivoting, small and in place. */

#include <math.h>
#include <string.h>

#include "ode/stiff.h"

static size_t largest(size_t n, const double lu[], size_t column)
{
    size_t best = column;

    for (size_t i = column + 1; i < n; i++)
        if (fabs(lu[i * n + column]) > fabs(lu[best * n + column]))
            best = i;
    return best;
}

static void swap_rows(size_t n, double lu[], size_t a, size_t b)
{
    for (size_t j = 0; j < n && a != b; j++) {
        double x = lu[a * n + j];
        lu[a * n + j] = lu[b * n + j];
        lu[b * n + j] = x;
    }
}

bool cf_stiff_factor(size_t n, double d, const double a[], double lu[], size_t pivot[])
{
    for (size_t i = 0; i < n * n; i++)
        lu[i] = -a[i];
    for (size_t i = 0; i < n; i++)
        lu[i * n + i] += d;
    for (size_t c = 0; c < n; c++) {
        const double *top = lu + c * n;
        pivot[c] = largest(n, lu, c);
        swap_rows(n, lu, c, pivot[c]);
        if (!(fabs(top[c]) > 0 && isfinite(top[c])))
            return false;
        for (size_t i = c + 1; i < n; i++) {
            double *row = lu + i * n, factor = row[c] / top[c];
            row[c] = factor;
            if (factor == 0)
                continue;
            for (size_t j = c + 1; j < n; j++)
                row[j] -= factor * top[j];
        }
    }
    return true;
}

void cf_stiff_solve(size_t n, const double lu[], const size_t pivot[], double x[])
{
    for (size_t i = 0; i < n; i++) {
        double swapped = x[pivot[i]];
        x[pivot[i]] = x[i];
        x[i] = swapped;
    }
    for (size_t i = 1; i < n; i++)
        for (size_t j = 0; j < i; j++)
            x[i] -= lu[i * n + j] * x[j];
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++)
            x[i] -= lu[i * n + j] * x[j];
        x[i] /= lu[i * n + i];
    }
}
