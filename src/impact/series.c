#include "impact/series.h"

#include <float.h>
#include <math.h>

enum { MAX_ROUND = 100 }; /* of the search for a zero; 8 to 12 are usual */

static int whole(double x)
{
    return x == floor(x);
}

bool cf_series_init(struct cf_series *series, double n, double p, double beta, double state[])
{
    for (int q = 1; q <= 4; q *= 2) {
        double a = q * (p + 1) - 1, b = q * (n - p);
        if (!whole(a) || !whole(b) || !(a >= 0 && a < CF_MAX_POWER && b >= 0 && b < CF_MAX_POWER))
            continue;
        *series = (struct cf_series){
            .q = q, .a = (int) a, .b = (int) b, .c = q - 1, .n = n, .p = p, .beta = beta};
        for (int i = 0; i < CF_NSTATE; i++)
            state[i] = 0;
        state[CF_W] = 1;
        state[CF_P] = (b == 0) + beta;
        return true;
    }
    return false;
}

/* The j-th coefficient of the product of two series. Two sums, which the processor runs at once. */
static double product(const double x[], const double y[], int j)
{
    double even = 0, odd = 0;
    int i = 0;

    for (; i < j; i += 2) {
        even += x[i] * y[j - i];
        odd += x[i + 1] * y[j - i - 1];
    }
    return i == j ? even + odd + x[j] * y[0] : even + odd;
}

void cf_series_expand(struct cf_series *series, const double state[])
{
    int a = series->a, b = series->b, c = series->c;
    int top = a > b ? a : b;
    double power[CF_MAX_POWER][CF_ORDER + 1]; /* of y */
    double wa[CF_ORDER + 1];                  /* w y^a */
    double *y = series->coef[CF_Y], *w = series->coef[CF_W], *push = series->coef[CF_P];
    double *t = series->coef[CF_T], *d = series->coef[CF_D];

    for (int i = 0; i < CF_NSTATE; i++)
        series->coef[i][0] = state[i];
    for (int j = 0; j < CF_ORDER; j++) {
        double brake;

        power[0][j] = j == 0;
        power[1][j] = y[j];
        for (int k = 2; k <= top; k++)
            power[k][j] = product(power[1], power[k - 1], j);
        wa[j] = product(power[a], w, j);
        brake = product(power[a], push, j);

        y[j + 1] = w[j] / (series->q * (j + 1));
        w[j + 1] = -brake / (j + 1);
        push[j + 1] = -series->beta * brake / (j + 1);
        if (b > 0)
            push[j + 1] += product(power[b - 1], w, j) * b / (series->q * (j + 1));
        t[j + 1] = power[c][j] / (j + 1);
        d[j + 1] = product(wa, w, j) / (j + 1);
    }
}

/* The radius over which a state's terms stay below its size. A series that starts at y = 0 has
 * long runs of zeros, so the whole upper half of the terms is looked at. The size, from the first
 * three terms, depends on the radius again. */
static double radius_of(const double coef[])
{
    double log_coef[CF_ORDER + 1], radius = 1;

    for (int j = CF_ORDER / 2; j <= CF_ORDER; j++)
        log_coef[j] = log(fabs(coef[j]));
    for (int round = 0; round < 2; round++) {
        double least = DBL_MAX;
        double log_size =
            log(fmax(fabs(coef[0]), fmax(fabs(coef[1]) * radius, fabs(coef[2]) * radius * radius)));
        for (int j = CF_ORDER / 2; j <= CF_ORDER; j++)
            if (coef[j] != 0)
                least = fmin(least, (log_size - log_coef[j]) / j);
        if (least < DBL_MAX)
            radius = exp(least);
    }
    return radius;
}

double cf_series_step(const struct cf_series *series, double tolerance)
{
    double radius = fmin(radius_of(series->coef[CF_Y]), radius_of(series->coef[CF_W]));

    /* P has the same singularities, but for large beta is small against both its terms */
    if (series->beta > 1)
        radius = fmin(radius, radius_of(series->coef[CF_P]));
    return pow(tolerance, 1.0 / CF_ORDER) * radius;
}

double cf_series_at(const struct cf_series *series, enum cf_state which, double s)
{
    const double *coef = series->coef[which];
    double sum = coef[CF_ORDER];
    for (int j = CF_ORDER; j-- > 0;)
        sum = sum * s + coef[j];
    return sum;
}

/* Regula falsi, Illinois: an end that stays has its value halved. */
double cf_series_zero(const struct cf_series *series,
                      double (*f)(const struct cf_series *series, double s), double from, double to)
{
    double lo = from, hi = to, f_lo = f(series, lo), f_hi = f(series, hi);
    double best = hi, f_best = fabs(f_hi);
    int stayed = 0;

    for (int round = 0; round < MAX_ROUND && f_best > 0; round++) {
        double s = hi - f_hi * (hi - lo) / (f_hi - f_lo), value;
        if (!(s > lo && s < hi))
            break;
        value = f(series, s);
        if (fabs(value) < f_best)
            best = s, f_best = fabs(value);
        if (value > 0) {
            lo = s, f_lo = value;
            f_hi *= stayed > 0 ? 0.5 : 1;
            stayed = 1;
        } else {
            hi = s, f_hi = value;
            f_lo *= stayed < 0 ? 0.5 : 1;
            stayed = -1;
        }
    }
    return best;
}
