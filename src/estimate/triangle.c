#include "estimate/triangle.h"

#include <math.h>
#include <string.h>

/* x . y */
static double dot(const double x[], const double y[], size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

void cf_triangle_add(double R[], size_t n, double A[], size_t m, size_t ld)
{
    for (size_t j = 0; j < n; j++) {
        double *v = &A[j * ld], below = dot(v, v, m), alpha = R[j * n + j], beta, v0, tau;
        if (!(below > 0))
            continue;
        beta = copysign(sqrt(alpha * alpha + below), -alpha);
        v0 = alpha - beta;
        tau = 2 / (v0 * v0 + below);
        R[j * n + j] = beta;
        for (size_t k = j + 1; k < n; k++) {
            double *a = &A[k * ld], s = tau * (v0 * R[j * n + k] + dot(v, a, m));
            R[j * n + k] -= s * v0;
            for (size_t i = 0; i < m; i++)
                a[i] -= s * v[i];
        }
    }
}

void cf_triangle_merge(double R[], size_t n, const double S[], double work[])
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            work[j * n + i] = i <= j ? S[i * n + j] : 0;
    cf_triangle_add(R, n, work, n, n);
}

void cf_triangle_solve(const double R[], size_t n, size_t ld, const double c[], size_t ldc,
                       size_t k, double x[])
{
    for (size_t i = n; i-- > 0;) {
        double pivot = R[i * ld + i];
        for (size_t q = 0; q < k; q++) {
            double sum = c[i * ldc + q];
            for (size_t j = i + 1; j < n; j++)
                sum -= R[i * ld + j] * x[j * k + q];
            x[i * k + q] = pivot != 0 ? sum / pivot : 0;
        }
    }
}
