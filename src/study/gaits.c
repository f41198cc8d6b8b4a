/* Shapes of columns: what names and units do not say of a table. Each is a count over the numbers
 * that were kept, with bounds that are wide: they part what is far apart, as samples and stamps. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/survey.h"

/* Fewer numbers have no shape. */
enum { LEAST = 8, LEAST_STAMPS = 4, PARABOLA = 7, MOST_LEVELS = 20 };

/* A part of the range, or of the numbers, that is little, and most of them. */
static const double little = 0.1, most = 0.8;

static double range_of(const struct cf_seen_column *seen)
{
    return seen->high - seen->low;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

/* The median of x[n], which are sorted thereby. */
static double median(double x[], size_t n)
{
    qsort(x, n, sizeof *x, compare);
    return n ? x[n / 2] : 0;
}

/* The median of numbers, made of a copy; NAN without memory. */
static double median_of(const struct cf_seen_column *seen)
{
    double *copy = malloc((seen->nsample + 1) * sizeof *copy), middle;

    if (!copy)
        return (double) NAN;
    memcpy(copy, seen->sample, seen->nsample * sizeof *copy);
    middle = median(copy, seen->nsample);
    free(copy);
    return middle;
}

/* A clock whose steps vary, as those of a program do: up, and hardly any step is far longer than
 * the others, nor do they shrink. */
static bool is_sampled(const struct cf_seen_column *seen)
{
    enum { LEAST_SAMPLES = 20, FAR = 4 };
    double mean = range_of(seen) / (double) (seen->nsample - 1);
    size_t up = 0, near = 0, n = seen->nsample;

    if (cf_survey_ticks(seen))
        return true;
    for (size_t i = 1; i < n; i++) {
        double step = seen->sample[i] - seen->sample[i - 1];
        up += step > 0;
        near += step > mean / FAR && step < mean * FAR;
    }
    return n >= LEAST_SAMPLES && (double) up > most * (double) n &&
           (double) near > most * (double) n;
}

static bool is_stamps(const struct cf_seen_column *seen)
{
    size_t up = 0, shrinks = 0, n = seen->nsample;

    if (n < LEAST_STAMPS || cf_survey_ticks(seen))
        return false;
    for (size_t i = 1; i < n; i++) {
        double step = seen->sample[i] - seen->sample[i - 1];
        up += step > 0;
        shrinks += i > 1 && step > 0 && step < seen->sample[i - 1] - seen->sample[i - 2];
    }
    return 2 * up > n && (double) shrinks > 0.6 * (double) (n - 2);
}

static bool is_levels(const struct cf_seen_column *seen)
{
    double level[MOST_LEVELS];
    size_t n = 0, changes = 0;

    for (size_t i = 0; i < seen->nsample; i++) {
        size_t j = 0;
        changes += i && seen->sample[i] != seen->sample[i - 1];
        while (j < n && level[j] != seen->sample[i])
            j++;
        if (j == MOST_LEVELS)
            return false;
        if (j == n)
            level[n++] = seen->sample[i];
    }
    return n && 5 * changes < seen->nsample;
}

/* The second difference of seven even samples, by least squares. */
static double curvature(const double y[PARABOLA])
{
    static const double weight[PARABOLA] = {5, 0, -3, -4, -3, 0, 5};
    double sum = 0;

    for (size_t i = 0; i < PARABOLA; i++)
        sum += weight[i] * y[i];
    return sum / 42;
}

/* In free flight the curvature is one number, but for noise, and the other way in impacts. */
static bool falls(const struct cf_seen_column *seen)
{
    size_t n = seen->nsample > PARABOLA ? seen->nsample - PARABOLA : 0, near = 0, turns = 0;
    double *c = malloc((n + 1) * sizeof *c), middle;

    for (size_t i = 0; c && i < n; i++)
        c[i] = curvature(seen->sample + i);
    middle = c ? median(c, n) : 0;
    for (size_t i = 0; c && i < n; i++)
        near += fabs(c[i] - middle) < 0.5 * fabs(middle);
    for (size_t i = 0; c && i < n; i++)
        turns += c[i] * middle < 0 && fabs(c[i]) > fabs(middle);
    free(c);
    return n >= PARABOLA && middle != 0 && (double) near > 0.35 * (double) n && turns > 1;
}

static bool returns(const struct cf_seen_column *seen)
{
    const double *x = seen->sample;
    size_t n = seen->nsample, peak = 0;
    double far;

    for (size_t i = 1; i < n; i++)
        peak = fabs(x[i] - x[0]) > fabs(x[peak] - x[0]) ? i : peak;
    far = fabs(x[peak] - x[0]);
    return far > 0.5 * range_of(seen) && fabs(x[n - 1] - x[0]) < 0.4 * far;
}

static bool is_sparse(const struct cf_seen_column *seen)
{
    double middle = median_of(seen);
    size_t away = 0;

    for (size_t i = 0; i < seen->nsample; i++)
        away += fabs(seen->sample[i] - middle) > little * range_of(seen);
    return away && (double) away < 0.35 * (double) seen->nsample;
}

/* A drop of a large part of the range in one row, some times, and hardly a rise of that. */
static bool is_sawtooth(const struct cf_seen_column *seen)
{
    size_t down = 0, up = 0;

    for (size_t i = 1; i < seen->nsample; i++) {
        double step = seen->sample[i] - seen->sample[i - 1];
        down += step < -0.3 * range_of(seen);
        up += step > 0.3 * range_of(seen);
    }
    return (down > 1 && !up) || (up > 1 && !down);
}

static bool is_one_sign(const struct cf_seen_column *seen)
{
    double larger = fmax(fabs(seen->low), fabs(seen->high));
    return seen->low > -little * larger || seen->high < little * larger;
}

bool cf_survey_goes(const struct cf_seen_column *seen, enum cf_gait gait)
{
    static const double most_ratio = 1.1, percent = 100;
    bool enough = seen->nsample >= LEAST;

    switch (gait) {
    case CF_GAIT_THERE:
        return seen->nnumber > 0;
    case CF_GAIT_SAMPLED:
        return enough && is_sampled(seen);
    case CF_GAIT_STAMPS:
        return is_stamps(seen);
    case CF_GAIT_ONE_SIGN:
        return is_one_sign(seen);
    case CF_GAIT_CONSTANT:
        return enough && range_of(seen) <= little / 2 * fmax(fabs(seen->low), fabs(seen->high));
    case CF_GAIT_LEVELS:
        return enough && is_levels(seen);
    case CF_GAIT_FALLS:
        return falls(seen);
    case CF_GAIT_RETURNS:
        return enough && returns(seen);
    case CF_GAIT_SPARSE:
        return enough && is_sparse(seen);
    case CF_GAIT_SAWTOOTH:
        return is_sawtooth(seen);
    case CF_GAIT_RATIO: /* or per cent */
        return seen->low > -little && (seen->high < most_ratio || seen->low > most_ratio) &&
               seen->high < most_ratio * percent;
    }
    return false;
}
