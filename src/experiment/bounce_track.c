/* A flight with drag about its highest point, at a time tau from it:
 *
 *   s = ln cosh(w tau)/kappa behind it,   -ln cos(w tau)/kappa before it,   w^2 = g kappa
 *
 * below that point. */

#include "experiment/bounce_track.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

/* Below this x = g kappa tau^2 the series is right to 1e-11 and the closed form loses digits. */
static const double small_x = 1e-3;

/* Median of the sizes of normal numbers, in sds. */
static const double median_size = 0.6744897501960817;

static double below_apex(const struct cf_track *track, double tau, double *by_tau)
{
    double g = track->gravity_m_s2, kappa = track->drag_1_m, x = g * kappa * tau * tau;
    double w = sqrt(g * kappa), sign = tau > 0 ? -1 : 1;

    if (x < small_x) {
        *by_tau = g * tau * (1 + x * (sign / 3 + x * 2 / 15));
        return g * tau * tau * (1.0 / 2 + x * (sign / 12 + x / 45));
    }
    *by_tau = tau > 0 ? g / w * tanh(w * tau) : g / w * tan(w * tau);
    return tau > 0 ? log(cosh(w * tau)) / kappa : -log(cos(w * tau)) / kappa;
}

/* The smallest step between neighbouring samples; 0 where none differs. */
static double step_of(const struct cf_track *track)
{
    double least = (double) INFINITY;

    for (size_t i = 0; i + 1 < track->n; i++) {
        double step = fabs(track->height_m[i + 1] - track->height_m[i]);
        if (step > 0)
            least = fmin(least, step);
    }
    return isfinite(least) ? least : 0;
}

double cf_track_noise(const struct cf_track *track, double work[])
{
    const double *t = track->time_s, *z = track->height_m;
    size_t n = 0;

    for (size_t i = 0; i + 3 < track->n; i++) {
        double sum = 0, squares = 0;
        for (size_t j = i; j < i + 4; j++) {
            double weight = 1;
            for (size_t k = i; k < i + 4; k++)
                weight *= k == j ? 1 : (t[i + 3] - t[i]) / (t[j] - t[k]);
            sum += weight * z[j];
            squares += weight * weight;
        }
        work[n++] = fabs(sum) / sqrt(squares);
    }
    gsl_sort(work, 1, n);
    return n ? fmax(gsl_stats_median_from_sorted_data(work, 1, n) / median_size,
                    step_of(track) / sqrt(12))
             : 0;
}

/* The last of samples [first, end) that is within `rise` of the highest. */
static size_t last_high(const double z[], size_t first, size_t end, double rise)
{
    double highest = z[first];
    size_t last = first;

    for (size_t i = first; i < end; i++)
        highest = fmax(highest, z[i]);
    for (size_t i = first; i < end; i++)
        last = z[i] >= highest - rise ? i : last;
    return last;
}

/* The first of samples [first, end) from which on it is within `rise` of the lowest. */
static size_t first_low(const double z[], size_t first, size_t end, double lowest, double rise)
{
    while (first < end && z[first] > lowest + rise)
        first++;
    return first;
}

size_t cf_track_impacts(const struct cf_track *track, double rise, size_t low[], size_t *begin,
                        size_t *end)
{
    const double *z = track->height_m;
    size_t n = 0, lowest = 0, fell = 0;
    double highest = track->n ? z[0] : 0;
    bool falls = false; /* from a height that was `rise` above */

    for (size_t i = 1; i < track->n; i++) {
        if (!falls) {
            highest = fmax(highest, z[i]);
            falls = z[i] < highest - rise;
            fell = lowest = i;
            continue;
        }
        if (z[i] < z[lowest])
            lowest = i;
        if (z[i] > z[lowest] + rise) {
            low[n++] = lowest;
            falls = false;
            highest = z[i];
        }
    }
    *begin = track->n ? last_high(z, 0, n ? low[0] : track->n, rise) : 0;
    *end = falls ? first_low(z, fell, track->n, z[lowest], rise) : track->n;
    return n;
}

/* The columns of one sample at the highest point as it is known, and its weight. */
struct row {
    double column[3], left, weight;
};

static struct row row_at(const struct cf_track *track, size_t i,
                         const struct cf_track_flight *flight)
{
    double by_tau, s = below_apex(track, track->time_s[i] - flight->time_s, &by_tau);
    double weight = track->sigma_m ? 1 / gsl_pow_2(track->sigma_m[i]) : 1;

    return (struct row){{1, by_tau, -s}, track->height_m[i] - flight->apex_m + s, weight};
}

/* Where the path has no drag it is linear in (height at the middle, slope there). */
static void start(const struct cf_track *track, size_t first, size_t end,
                  struct cf_track_flight *out)
{
    double t0 = (track->time_s[first] + track->time_s[end - 1]) / 2, g = track->gravity_m_s2;
    double n = 0, t1 = 0, t2 = 0, y0 = 0, y1 = 0, slope, level;

    for (size_t i = first; i < end; i++) {
        double t = track->time_s[i] - t0, y = track->height_m[i] + g * t * t / 2;
        n++;
        t1 += t;
        t2 += t * t;
        y0 += y;
        y1 += y * t;
    }
    slope = (n * y1 - t1 * y0) / (n * t2 - t1 * t1);
    level = (y0 - slope * t1) / n;
    out->time_s = t0 + slope / g;
    out->apex_m = level + slope * slope / (2 * g);
}

/* One step of Gauss and Newton; at its end variances, what is left, and the part of the curvature
 * that is left, which the two other columns do not explain. */
static bool step(const struct cf_track *track, size_t first, size_t end,
                 struct cf_track_flight *out)
{
    double m[3][3] = {{0}}, b[3] = {0}, det, apex, time, c0, c1, rest;

    out->square = 0;
    for (size_t i = first; i < end; i++) {
        struct row r = row_at(track, i, out);
        for (size_t j = 0; j < 3; j++) {
            for (size_t k = 0; k < 3; k++)
                m[j][k] += r.weight * r.column[j] * r.column[k];
            b[j] += r.weight * r.column[j] * r.left;
        }
        out->square += r.weight * r.left * r.left;
    }
    det = m[0][0] * m[1][1] - m[0][1] * m[0][1];
    apex = (m[1][1] * b[0] - m[0][1] * b[1]) / det;
    time = (m[0][0] * b[1] - m[0][1] * b[0]) / det;
    c0 = (m[1][1] * m[0][2] - m[0][1] * m[1][2]) / det;
    c1 = (m[0][0] * m[1][2] - m[0][1] * m[0][2]) / det;
    rest = m[2][2] - c0 * m[0][2] - c1 * m[1][2];
    out->apex_v = m[1][1] / det;
    out->time_v = m[0][0] / det;
    out->scale = (b[2] - c0 * b[0] - c1 * b[1]) / rest;
    out->scale_v = 1 / rest;
    out->apex_m += apex;
    out->time_s += time;
    return isfinite(out->apex_m) && isfinite(out->time_s) && isfinite(out->square) &&
           isfinite(out->apex_v);
}

bool cf_track_fit(const struct cf_track *track, size_t first, size_t end, double from_s,
                  double to_s, double apart_s, size_t least, struct cf_track_flight *out)
{
    enum { STEPS = 6 }; /* without drag the first is the last; with it each adds three digits */

    while (first < end && !(track->time_s[first] - from_s > apart_s))
        first++;
    while (first < end && !(to_s - track->time_s[end - 1] > apart_s))
        end--;
    *out = (struct cf_track_flight){.n = end - first};
    if (out->n < least)
        return false;
    start(track, first, end, out);
    for (int i = 0; i < STEPS; i++)
        if (!step(track, first, end, out))
            return false;
    return true;
}
