/* Which stamps of a throw are impacts, and how many impacts have none.
 *
 * Two intervals that follow each other have a ratio near e. A missed impact makes one of them too
 * long, by 1 + e, or by 1 + e + e^2 where two were missed; a spurious stamp cuts one in two that
 * sum to it. Of all ways to call stamps spurious and impacts missed the likeliest is taken, whose
 * cost
 *
 *     sum of min(z^2, most) + penalty^2 (spurious stamps + missed impacts + 2.5 cuts)
 *
 * is the least, z being how far the ratio of two flights lies off the line of all, in standard
 * deviations of its scatter. A bounce may lose much (`most` is then less than two words), but not
 * gain; where nothing fits, the phase is lost and the throw is cut. A spurious stamp at an end of
 * the throw counts twice: nothing behind it contradicts it. The least is found stamp by stamp
 * (R. Bellman's dynamic programming), with cost linear in the stamps.
 */

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/bounce_channels.h"

/* In units of penalty^2: of a bounce that lost more than is usual, or gained; of a cut; of a
 * spurious stamp at an end. */
static const double loss_share = 1.5, gain_share = 3, cut_share = 2.5, end_share = 2;

/* Ratios of neighbouring intervals never agree better than this: floors are not that even. */
static const double least_scatter = 0.002;

/* And few of them may agree by chance, and fall with speed, which they are too few to show. */
static const double few_scatter = 0.02;

enum { LEAST_FOR_LINE = 12, LEAST_FOR_MEDIAN = 3 };

/* How a chain of impacts came to a stamp: the interval that ends there began `back` stamps before
 * (0: the chain begins here) and holds `missed` impacts. */
struct state {
    double cost;
    size_t from; /* the state before, of the stamp where the interval or the cut began */
    bool is_cut; /* a chain begins, and another one ended before */
};

struct search {
    const struct cf_trigger_rules *rules;
    const double *t;
    size_t n, per;       /* stamps; states of each */
    struct state *state; /* n * per; of each stamp, the first begins a chain */
};

static size_t backs(const struct search *s)
{
    return s->rules->spurious + 1;
}

/* State number of an interval. */
static size_t number(const struct search *s, size_t back, size_t missed)
{
    return 1 + (back - 1) * (s->rules->missed + 1) + missed;
}

/* The flights within an interval with so many impacts missed: the last of them over the interval,
 * and the interval over the first; e is the ratio of two flights about there. */
static double sum_of(double e, size_t missed)
{
    double sum = 1, power = 1;

    for (size_t i = 0; i < missed; i++)
        sum += power *= e;
    return sum;
}

static double usual_ratio(const struct cf_trigger_rules *r, double flight)
{
    return exp(r->intercept + r->slope * log(flight));
}

/* How far an interval is from what the one before it has it be, as a cost. */
static double misfit(const struct search *s, double before, size_t missed_before, double interval,
                     size_t missed)
{
    const struct cf_trigger_rules *r = s->rules;
    /* that of the first flight in it, which is shorter */
    double e = usual_ratio(r, before / sum_of(usual_ratio(r, before), missed_before));
    double flight = before / sum_of(e, missed_before) * gsl_pow_uint(e, (unsigned) missed_before);
    double next = usual_ratio(r, flight);
    double z = log(interval / (flight * next * sum_of(next, missed))) /
               hypot(r->scatter, r->jitter_s / flight);

    return fmin(z * z, (z < 0 ? loss_share : gain_share) * r->penalty * r->penalty);
}

static const struct state *least_at(const struct search *s, size_t i)
{
    const struct state *least = &s->state[i * s->per];

    for (size_t k = 1; k < s->per; k++)
        if (s->state[i * s->per + k].cost < least->cost)
            least = &s->state[i * s->per + k];
    return least;
}

/* A chain that begins at stamp i: what was before is spurious, or another chain, which ended at
 * `end`. */
static void begin(struct search *s, size_t i, size_t end, double ended)
{
    double word = gsl_pow_2(s->rules->penalty);
    struct state *at = &s->state[i * s->per];

    *at = (struct state){(double) i * end_share * word, 0, false};
    if (end != SIZE_MAX && ended + (cut_share + (double) (i - end - 1)) * word < at->cost)
        *at = (struct state){ended + (cut_share + (double) (i - end - 1)) * word,
                             (size_t) (least_at(s, end) - s->state), true};
}

/* The interval of `back` stamps that ends at stamp i. */
static void reach(struct search *s, size_t i, size_t back)
{
    double word = gsl_pow_2(s->rules->penalty), interval = s->t[i] - s->t[i - back];
    const struct state *before = &s->state[(i - back) * s->per];

    for (size_t missed = 0; missed <= s->rules->missed; missed++) {
        double words = (double) (back - 1 + missed) * word;
        struct state *at = &s->state[i * s->per + number(s, back, missed)];
        *at = (struct state){before->cost + words, (i - back) * s->per, false};
        for (size_t b = 1; b <= backs(s) && b + back <= i; b++)
            for (size_t m = 0; m <= s->rules->missed; m++) {
                size_t from = number(s, b, m);
                double cost = before[from].cost + words +
                              misfit(s, s->t[i - back] - s->t[i - back - b], m, interval, missed);
                if (cost < at->cost)
                    *at = (struct state){cost, (i - back) * s->per + from, false};
            }
    }
}

/* All states, and the last one of the best chain. */
static size_t run(struct search *s)
{
    double word = gsl_pow_2(s->rules->penalty), best = (double) INFINITY;
    size_t end = SIZE_MAX, last = 0;
    double ended = (double) INFINITY; /* of the chain that ended at `end`, had it ended just now */

    for (size_t i = 0; i < s->n; i++) {
        const struct state *least;
        for (size_t k = 0; k < s->per; k++)
            s->state[i * s->per + k].cost = (double) INFINITY;
        begin(s, i, end, end == SIZE_MAX ? 0 : least_at(s, end)->cost);
        for (size_t back = 1; back <= backs(s) && back <= i; back++)
            reach(s, i, back);
        least = least_at(s, i);
        if (least->cost <= ended + word) {
            ended = least->cost;
            end = i;
        } else {
            ended += word;
        }
        if (least->cost + (double) (s->n - 1 - i) * end_share * word < best) {
            best = least->cost + (double) (s->n - 1 - i) * end_share * word;
            last = (size_t) (least - s->state);
        }
    }
    return last;
}

/* Words of the best chain, from its end. */
static void tell(const struct search *s, size_t last, enum cf_trigger kind[],
                 unsigned char missed[])
{
    for (size_t i = 0; i < s->n; i++) {
        kind[i] = CF_TRIGGER_SPURIOUS;
        missed[i] = 0;
    }
    for (size_t at = last;;) {
        size_t i = at / s->per, k = at % s->per;
        kind[i] = CF_TRIGGER_IMPACT;
        if (k > 0)
            missed[i] = (unsigned char) ((k - 1) % (s->rules->missed + 1));
        else if (s->state[at].is_cut)
            missed[i] = CF_TRIGGER_LOST;
        else
            return;
        at = s->state[at].from;
    }
}

int cf_triggers_explain(const struct cf_trigger_rules *rules, size_t n, const double t_s[],
                        enum cf_trigger kind[], unsigned char missed[], struct cf_error *err)
{
    struct search s = {
        .rules = rules, .t = t_s, .n = n, .per = 1 + (rules->spurious + 1) * (rules->missed + 1)};

    if (!n)
        return CF_OK;
    s.state = calloc(n * s.per, sizeof *s.state);
    if (!s.state)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu stamps", n);
    tell(&s, run(&s), kind, missed);
    free(s.state);
    return CF_OK;
}

/* ---- what is usual */

static double median(double x[], size_t n)
{
    gsl_sort(x, 1, n);
    return gsl_stats_median_from_sorted_data(x, 1, n);
}

/* Tukey's resistant line: through the medians of the outer thirds along the interval. */
static double slope_of(double x[], double y[], size_t n)
{
    size_t third = n / 3;
    double low_x, low_y, high_x, high_y;

    gsl_sort2(x, 1, y, 1, n);
    low_x = gsl_stats_median_from_sorted_data(x, 1, third);
    high_x = gsl_stats_median_from_sorted_data(&x[n - third], 1, third);
    low_y = median(y, third);
    high_y = median(&y[n - third], third);
    return high_x > low_x ? (high_y - low_y) / (high_x - low_x) : 0;
}

/* sd of normal errors from the median of their sizes. */
static double sd_of(double size[], size_t n)
{
    return median(size, n) / gsl_cdf_ugaussian_Pinv(0.75);
}

/* From what ratios lie off the line, size[n] at x = ln interval: in the longer half of the
 * intervals and in the shorter one, where the errors of stamps matter more. */
static void learn_scatter(double x[], double size[], size_t n, struct cf_trigger_rules *rules)
{
    size_t half = n / 2;
    double shorter, longer, low, high, jitter2;

    rules->jitter_s = 0;
    if (n < LEAST_FOR_LINE) {
        rules->scatter = fmax(sd_of(size, n), few_scatter);
        return;
    }
    gsl_sort2(x, 1, size, 1, n);
    shorter = exp(gsl_stats_median_from_sorted_data(x, 1, half));
    longer = exp(gsl_stats_median_from_sorted_data(&x[half], 1, n - half));
    low = sd_of(size, half);
    high = sd_of(&size[half], n - half);
    jitter2 = (low * low - high * high) / (1 / (shorter * shorter) - 1 / (longer * longer));
    rules->jitter_s = longer > shorter && jitter2 > 0 ? sqrt(jitter2) : 0;
    rules->scatter =
        fmax(rules->jitter_s > 0 ? sqrt(fmax(high * high - jitter2 / (longer * longer), 0))
                                 : sd_of(size, n),
             least_scatter);
}

int cf_triggers_learn(size_t n, const double interval[], const double ratio[],
                      struct cf_trigger_rules *rules, bool *known, struct cf_error *err)
{
    double *x, *y;

    *known = n >= LEAST_FOR_MEDIAN;
    if (!*known)
        return CF_OK;
    x = malloc(2 * n * sizeof *x);
    if (!x)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu intervals", n);
    y = x + n;
    memcpy(x, interval, n * sizeof *x);
    memcpy(y, ratio, n * sizeof *y);
    rules->slope = n < LEAST_FOR_LINE ? 0 : slope_of(x, y, n);
    for (size_t i = 0; i < n; i++)
        y[i] = ratio[i] - rules->slope * interval[i];
    rules->intercept = median(y, n);
    memcpy(x, interval, n * sizeof *x);
    for (size_t i = 0; i < n; i++)
        y[i] = fabs(y[i] - rules->intercept);
    learn_scatter(x, y, n, rules);
    free(x);
    return CF_OK;
}
