/* What the force alone shows of an impact.
 *
 * The level without contact is the median of the readings before it, the noise that of their
 * second differences. Contact reaches from the last reading before the greatest force that is not
 * `rise` sds above the level, or a share of the peak, to the first behind it. A force that grows as
 * the power 5/4 of time, between a linear spring's and a sphere's, through its tenth and two fifths
 * says when it has touched.
 */

#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/pulse_channels.h"

/* Below this share of the greatest force, noise or not, there is no contact: a head that swings. */
static const double LEAST_SHARE = 0.03;

/* Through these shares of the greatest force the touch is found; the power of time between. */
static const double LOW_SHARE = 0.1, HIGH_SHARE = 0.4, GROWTH = 1.25;

/* Noise cannot be less than what the last digits of a reading leave, in parts of the peak. */
static const double LEAST_NOISE = 1e-7;

/* Ends of a record that differ by more than this share of its range are not both without contact;
 * by less, a level has changed. */
static const double LEVEL_SHARE = 0.2;

/* So many readings give a level where there are more before touch; of the record's first. */
enum { FEW = 3, MANY = 25 };

size_t cf_pulse_count(const struct cf_dataset *d)
{
    return d->nsegment ? d->nsegment : 1;
}

struct cf_segment cf_pulse_segment(const struct cf_dataset *d, size_t i)
{
    return d->nsegment ? d->segment[i] : (struct cf_segment){0, d->nrow};
}

/* Readings over time, and room for as many numbers; freed with t. */
struct pulse {
    size_t n;
    double *t, *F, *work;
};

static bool read_pulse(const struct cf_dataset *d, struct cf_segment g, struct pulse *p)
{
    size_t clock = d->series[CF_PULSE_TIME].value ? CF_PULSE_TIME : CF_PULSE_SINCE;

    *p = (struct pulse){.t = malloc((3 * g.count + 1) * sizeof *p->t)};
    if (!p->t)
        return false;
    p->F = p->t + g.count;
    p->work = p->F + g.count;
    for (size_t row = g.first; row < g.first + g.count; row++) {
        if (d->use[row] == CF_ROW_EXCLUDED || !cf_dataset_has(d, row, CF_PULSE_FORCE) ||
            !cf_dataset_has(d, row, clock))
            continue;
        p->t[p->n] = cf_dataset_value(d, row, clock);
        p->F[p->n++] = cf_dataset_value(d, row, CF_PULSE_FORCE);
    }
    return true;
}

static double median(const double x[], size_t n, double work[])
{
    memcpy(work, x, n * sizeof *x);
    gsl_sort(work, 1, n);
    return n ? gsl_stats_median_from_sorted_data(work, 1, n) : 0;
}

/* The sd of independent noise: second differences have sqrt(6) times as much, and 0.6745 of an sd
 * of a normal distribution as the median of their size. */
static double noise_of(const double F[], size_t n, double work[])
{
    for (size_t i = 0; i + 2 < n; i++)
        work[i] = fabs(F[i] - 2 * F[i + 1] + F[i + 2]);
    gsl_sort(work, 1, n - 2);
    return gsl_stats_median_from_sorted_data(work, 1, n - 2) / (0.6745 * M_SQRT3 * M_SQRT2);
}

/* Where the force comes up to a share of the peak, going back from it. */
static double came_up(const struct pulse *p, size_t peak, double level, double force)
{
    size_t i = peak;

    while (i > 0 && p->F[i - 1] - level >= force)
        i--;
    if (i == 0)
        return p->t[0];
    return p->t[i - 1] +
           (p->t[i] - p->t[i - 1]) * (force - (p->F[i - 1] - level)) / (p->F[i] - p->F[i - 1]);
}

static void find_peak(const struct pulse *p, struct cf_pulse_seen *s, size_t *peak)
{
    size_t high = 0, low = 0;

    for (size_t i = 1; i < p->n; i++) {
        high = p->F[i] > p->F[high] ? i : high;
        low = p->F[i] < p->F[low] ? i : low;
    }
    *peak = high;
    s->peak_N = p->F[high] - s->level_N;
    s->peak_s = p->t[high];
    s->lowest_N = p->F[low] - s->level_N;
    s->lowest_s = p->t[low];
}

/* The first and last readings in contact. */
static void find_contact(const struct cf_dataset *d, const struct pulse *p, size_t peak,
                         struct cf_pulse_seen *s, size_t *first, size_t *last)
{
    size_t few = p->n / MANY > FEW ? p->n / MANY : FEW;
    double end = median(p->F + p->n - few, few, p->work);

    if (!(fabs(end - s->level_N) < LEVEL_SHARE * s->peak_N))
        end = s->level_N;
    s->least_N = fmax(d->apparatus[CF_PULSE_RISE] * s->noise_N, LEAST_SHARE * s->peak_N);
    *first = *last = peak;
    while (*first > 0 && p->F[*first - 1] - s->level_N >= s->least_N)
        --*first;
    while (*last + 1 < p->n && p->F[*last + 1] - end >= s->least_N)
        ++*last;
    s->before = *first;
    s->in = *last + 1 - *first;
    s->behind = p->n - 1 - *last;
}

static void measure(const struct pulse *p, size_t peak, size_t first, size_t last,
                    struct cf_pulse_seen *s)
{
    double low = came_up(p, peak, s->level_N, LOW_SHARE * s->peak_N);
    double high = came_up(p, peak, s->level_N, HIGH_SHARE * s->peak_N);
    double a = pow(LOW_SHARE, 1 / GROWTH), b = pow(HIGH_SHARE, 1 / GROWTH);
    size_t from = first > 0 ? first - 1 : first, to = last + 1 < p->n ? last + 1 : last;

    s->touch_s = low - (high - low) * a / (b - a);
    s->end_s = p->t[to];
    for (size_t i = from; i < to; i++) {
        s->impulse_Ns += ((p->F[i] + p->F[i + 1]) / 2 - s->level_N) * (p->t[i + 1] - p->t[i]);
        p->work[i - from] = p->t[i + 1] - p->t[i];
    }
    gsl_sort(p->work, 1, to - from);
    s->step_s = to > from ? gsl_stats_median_from_sorted_data(p->work, 1, to - from) : 0;
    if (s->behind >= FEW)
        s->shift_N = median(p->F + p->n - s->behind, s->behind, p->work) - s->level_N;
}

/* The level of the first readings, or where these are in contact, of the last. */
static double first_level(const struct pulse *p, size_t few)
{
    double begin = median(p->F, few, p->work), end = median(p->F + p->n - few, few, p->work);
    double low = p->F[0], high = p->F[0];

    for (size_t i = 1; i < p->n; i++) {
        low = fmin(low, p->F[i]);
        high = fmax(high, p->F[i]);
    }
    return begin - end > LEVEL_SHARE * (high - low) ? end : begin;
}

int cf_pulse_see(const struct cf_dataset *d, struct cf_segment segment, struct cf_pulse_seen *out,
                 struct cf_error *err)
{
    struct cf_pulse_seen *s = out;
    struct pulse p;
    size_t peak, first, last, few;

    *s = (struct cf_pulse_seen){0};
    if (!read_pulse(d, segment, &p))
        return cf_fail(err, CF_ENOMEM, "no memory for %zu rows", segment.count);
    s->n = p.n;
    s->seen = p.n > FEW;
    if (!s->seen) {
        free(p.t);
        return CF_OK;
    }
    few = p.n / MANY > FEW ? p.n / MANY : FEW;
    s->level_N = first_level(&p, few);
    s->noise_N = noise_of(p.F, p.n, p.work);
    find_peak(&p, s, &peak);
    if (-s->lowest_N > s->peak_N) { /* of the other sign: nothing more is asked */
        free(p.t);
        return CF_OK;
    }
    s->noise_N = fmax(s->noise_N, LEAST_NOISE * fabs(s->peak_N));
    find_contact(d, &p, peak, s, &first, &last);
    /* a beginning that is already in contact gives no level: taken as 0 */
    s->level_N = s->before >= FEW ? median(p.F, s->before, p.work) : 0;
    find_peak(&p, s, &peak);
    find_contact(d, &p, peak, s, &first, &last);
    measure(&p, peak, first, last, s);
    free(p.t);
    return CF_OK;
}
