#include "judge/departure_columns.h"

#include <math.h>

/* An axis that spans more than this factor is taken by logarithms. */
static const double wide = 3;

/* A column that keeps less of its length beside those before it is what these make. */
static const double least_kept = 1e-4;

/* Residuals that a test's columns leave. */
static const double least_left = 3;

bool cf_scale_axis(double x[], size_t n)
{
    double low = (double) INFINITY, high = -low;

    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i]))
            return false;
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    bool logarithmic = low > 0 && high > wide * low;
    for (size_t i = 0; i < n; i++)
        x[i] = logarithmic ? log(x[i] / low) / log(high / low) * 2 - 1
                           : 2 * (x[i] - low) / (high - low) - 1;
    return high > low;
}

void cf_legendre(double x, size_t degree, double value[])
{
    double before = 0, here = 1;

    for (size_t k = 0; k <= degree; k++) {
        double next = ((2 * (double) k + 1) * x * here - (double) k * before) / ((double) k + 1);
        value[k] = here;
        before = here;
        here = next;
    }
}

double cf_length(const double w[], size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += w[i] * w[i];
    return sqrt(sum);
}

double cf_take_columns_off(const double column[], size_t columns, size_t n, double w[])
{
    for (int again = 0; again < 2; again++)
        for (size_t k = 0; k < columns; k++) {
            double dot = 0;
            for (size_t i = 0; i < n; i++)
                dot += w[i] * column[k * n + i];
            for (size_t i = 0; i < n; i++)
                w[i] -= dot * column[k * n + i];
        }
    return cf_length(w, n);
}

bool cf_keeps_length(double left, double whole)
{
    return left > least_kept * whole;
}

size_t cf_append_column(double column[], size_t columns, size_t n, double whole)
{
    double *w = &column[columns * n], left = cf_take_columns_off(column, columns, n, w);

    if (!cf_keeps_length(left, whole))
        return columns;
    for (size_t i = 0; i < n; i++)
        w[i] /= left;
    return columns + 1;
}

size_t cf_columns_held(size_t columns, double rows, double taken)
{
    while (columns >= CF_LEAST_COLUMNS && rows < taken + (double) columns + least_left)
        columns--;
    return columns >= CF_LEAST_COLUMNS ? columns : 0;
}
