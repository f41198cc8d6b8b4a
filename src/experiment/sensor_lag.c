/* A slow sensor over one interval, exactly for an input that is the cubic through its values and
 * slopes: by the Taylor series of the answer, whose terms follow from the equation. */

#include <gsl/gsl_math.h>
#include <math.h>

#include "experiment/sensor.h"

static const double BUTTERWORTH = 1.4142135623730951; /* 2 zeta */

/* The series ends where a term no longer counts; at w h = 1/4, the most that is asked for,
 * after 14.
 */
enum { MOST_TERMS = 40, CUBIC = 4 };

/* Derivatives of the cubic at its beginning. */
static void cubic(double h, const double x[2], const double rate[2], double d[CUBIC])
{
    double chord = (x[1] - x[0]) / h;

    d[0] = x[0];
    d[1] = rate[0];
    d[2] = 2 * (3 * chord - 2 * rate[0] - rate[1]) / h;
    d[3] = 6 * (rate[0] + rate[1] - 2 * chord) / (h * h);
}

static double at(const double d[CUBIC], int k)
{
    return k < CUBIC ? d[k] : 0;
}

/* y^(k+1) = w (x^(k) - y^(k)); along w, s^(k+1) = x^(k) - y^(k) - w s^(k). */
static void first_order(double w, double h, const double d[CUBIC], struct cf_lag *lag)
{
    double y = lag->y[0], s = lag->by_w[0], power = 1, sum = y, along = s;

    for (int k = 0; k < MOST_TERMS; k++) {
        double behind = at(d, k) - y;
        s = behind - w * s;
        y = w * behind;
        power *= h / (k + 1);
        sum += y * power;
        along += s * power;
        if (k >= CUBIC && fabs(y * power) <= 1e-17 * fabs(sum) &&
            fabs(s * power) <= 1e-17 * fabs(along))
            break;
    }
    lag->y[0] = sum;
    lag->by_w[0] = along;
}

/* y^(k+2) = w^2 (x^(k) - y^(k)) - 2 zeta w y^(k+1), and along w. */
static void second_order(double w, double h, const double d[CUBIC], struct cf_lag *lag)
{
    double y[2] = {lag->y[0], lag->y[1]}, s[2] = {lag->by_w[0], lag->by_w[1]};
    double power = 1, sum[2] = {y[0], y[1]}, along[2] = {s[0], s[1]};

    for (int k = 0; k < MOST_TERMS; k++) {
        double behind = at(d, k) - y[0];
        double next = w * w * behind - BUTTERWORTH * w * y[1];
        double s_next = 2 * w * behind - w * w * s[0] - BUTTERWORTH * (y[1] + w * s[1]);
        power *= h / (k + 1);
        sum[0] += y[1] * power;
        sum[1] += next * power;
        along[0] += s[1] * power;
        along[1] += s_next * power;
        y[0] = y[1];
        y[1] = next;
        s[0] = s[1];
        s[1] = s_next;
        if (k >= CUBIC && fabs(next * power) <= 1e-17 * fabs(sum[1]) &&
            fabs(s_next * power) <= 1e-17 * fabs(along[1]))
            break;
    }
    for (int i = 0; i < 2; i++) {
        lag->y[i] = sum[i];
        lag->by_w[i] = along[i];
    }
}

void cf_lag_step(const struct cf_sensor *sensor, double h, const double x[2], const double rate[2],
                 struct cf_lag *lag)
{
    double w = 2 * M_PI * sensor->bandwidth_Hz, d[CUBIC];

    if (!(h > 0))
        return;
    cubic(h, x, rate, d);
    if (sensor->order == 1)
        first_order(w, h, d, lag);
    else
        second_order(w, h, d, lag);
}
