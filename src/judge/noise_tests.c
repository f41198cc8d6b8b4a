#include "judge/noise_tests.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"
#include "estimate/clusters.h"
#include "estimate/evaluate.h"
#include "estimate/row_pairs.h"

enum { LEAST_SKEW = 8, LEAST_SCATTER = 10, LEAST_PAIRS = 8 };

/* Powers of the axis that a sigma may go with, and how near the likeliest is found. */
static const double most_power = 5, power_tolerance = 1e-6;
static const double golden = 0.3819660112501051; /* 1 less the golden ratio's inverse */

double cf_skewness_p(const double r[], size_t n, double *skewness)
{
    double m = (double) n, mean = gsl_stats_mean(r, 1, n), m2 = 0, m3 = 0;

    for (size_t i = 0; i < n; i++) {
        m2 += gsl_pow_2(r[i] - mean) / m;
        m3 += gsl_pow_3(r[i] - mean) / m;
    }
    *skewness = m2 > 0 ? m3 / pow(m2, 1.5) : 0;
    double y = *skewness * sqrt((m + 1) * (m + 3) / (6 * (m - 2)));
    double b =
        3 * (m * m + 27 * m - 70) * (m + 1) * (m + 3) / ((m - 2) * (m + 5) * (m + 7) * (m + 9));
    double w2 = sqrt(2 * (b - 1)) - 1, a = sqrt(2 / (w2 - 1));
    return 2 * gsl_cdf_ugaussian_Q(fabs(asinh(y / a)) / sqrt(log(w2) / 2));
}

/* The residuals of one channel, and where they lie. */
struct noise {
    size_t n;
    double *r, *x; /* n each */
};

static void take_channel(const struct cf_problem *q, const double r[], size_t channel,
                         struct noise *s)
{
    s->n = 0;
    for (size_t i = 0; i < q->nobservation; i++)
        if (q->observation[i].channel == channel) {
            s->r[s->n] = r[i];
            s->x[s->n++] = q->observation[i].abscissa;
        }
}

static void test_skewness(struct cf_tests *tests, size_t channel, const struct noise *s)
{
    double skewness, p;
    struct cf_test *t;

    if (s->n < LEAST_SKEW)
        return;
    p = cf_skewness_p(s->r, s->n, &skewness);
    t = cf_tests_add(tests, "skewness", CF_ACCUSES_SYMMETRY, channel, s->n, skewness, p);
    if (t)
        snprintf(t->text, sizeof t->text, "the errors reach further %s than %s (skewness %.2f)",
                 skewness < 0 ? "below" : "above", skewness < 0 ? "above" : "below", skewness);
}

/* ln L of residuals whose sigma goes with |x|^power, at its best size; x are logarithms here. */
static double likelihood(const struct noise *s, double power)
{
    double squares = 0, logs = 0, n = (double) s->n;

    for (size_t i = 0; i < s->n; i++) {
        squares += gsl_pow_2(s->r[i]) * exp(-2 * power * s->x[i]);
        logs += s->x[i];
    }
    return -n * log(squares / n) / 2 - power * logs;
}

/* The likeliest power, between the ends of what is looked at. */
static double likeliest(const struct noise *s)
{
    double low = -most_power, high = most_power;

    while (high - low > power_tolerance) { /* it has one maximum */
        double a = low + golden * (high - low), b = high - golden * (high - low);
        if (likelihood(s, a) < likelihood(s, b))
            low = a;
        else
            high = b;
    }
    return (low + high) / 2;
}

static void test_scatter(struct cf_tests *tests, const struct cf_axis *axis, size_t channel,
                         struct noise *s)
{
    double power, ratio;
    char name[sizeof((struct cf_test *) NULL)->name];
    struct cf_test *t;

    for (size_t i = 0; i < s->n; i++) {
        if (!(fabs(s->x[i]) > 0))
            return; /* a power of nothing */
        s->x[i] = log(fabs(s->x[i]));
    }
    if (s->n < LEAST_SCATTER || gsl_stats_max(s->x, 1, s->n) <= gsl_stats_min(s->x, 1, s->n))
        return;
    power = likeliest(s);
    ratio = 2 * (likelihood(s, power) - likelihood(s, 0));
    snprintf(name, sizeof name, "scatter with %s", axis->name);
    t = cf_tests_add(tests, name, CF_ACCUSES_SIZE, channel, s->n, power,
                     gsl_cdf_chisq_Q(fmax(ratio, 0), 1));
    if (t)
        snprintf(t->text, sizeof t->text, "the errors %s with the %s, as %s^%.2f",
                 power < 0 ? "shrink" : "grow", axis->name, axis->name, power);
}

/* Two channels of the same data sets, row by row. */
static void test_correlation(struct cf_tests *tests, const struct cf_problem *q, const double r[],
                             size_t a, size_t b, struct noise *s)
{
    const struct cf_protocol *protocol = q->spec->data[q->channel[a].data].protocol;
    size_t n = cf_row_pairs(q, r, a, b, s->r, s->x);
    double rho, p;
    struct cf_test *test;

    if (n < LEAST_PAIRS || !cf_pair_correlation(s->r, s->x, n, &rho, &p))
        return;
    test = cf_tests_add(tests, "correlation", CF_ACCUSES_PAIRS, a, n, rho, p);
    if (test)
        snprintf(test->text, sizeof test->text,
                 "the correlation of its errors and those of %s in the same row is %.2f",
                 protocol->channel[q->channel[b].column].name, rho);
}

static void test_all(struct cf_fit *fit, const double r[], struct noise *s)
{
    const struct cf_problem *q = &fit->optimum.problem;

    for (size_t c = 0; c < q->nchannel; c++) {
        if (q->channel[c].estimated && !(q->channel[c].sigma > q->channel[c].floor))
            continue; /* they are rounded away */
        take_channel(q, r, c, s);
        test_skewness(&fit->noise_tests, c, s);
        test_scatter(&fit->noise_tests, &q->spec->data[q->channel[c].data].protocol->axis, c, s);
    }
    for (size_t a = 0; a < q->nchannel; a++)
        for (size_t b = a + 1; b < q->nchannel; b++)
            if (cf_channels_meet(q, a, b))
                test_correlation(&fit->noise_tests, q, r, a, b, s);
    for (size_t i = 0; i < fit->noise_tests.n; i++) {
        size_t sets = cf_channel_sets(q, fit->noise_tests.item[i].channel);
        fit->noise_tests.item[i].channels = sets > 1 ? sets : 0;
    }
}

int cf_noise_tests(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    size_t n = q->nobservation;
    if (cf_is_clustered(q)) /* intervals take no noise for granted */
        return CF_OK;
    double *r = calloc(3 * n + q->nprior + 1, sizeof *r);
    struct noise s = {0};
    int status = r ? cf_problem_residuals(q, fit->optimum.theta, r, NULL, err)
                   : cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);

    if (!status) {
        s.r = r + n + q->nprior;
        s.x = s.r + n;
        test_all(fit, r, &s);
        status = cf_tests_adjust(&fit->noise_tests, q->spec->options.p_reject, err);
    }
    free(r);
    return status;
}

/* ---- words */

static void say_test(struct cf_fit *fit, const struct cf_test *t)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_channel *c = &q->channel[t->channel];
    const struct cf_dataset *d = &q->spec->data[c->data];

    struct cf_finding *f = cf_add_finding(
        &fit->findings, CF_RULE_NOISE, "%s%s%s: %s (p = %.2g): the intervals assume other noise",
        d->protocol->channel[c->column].name, t->channels ? "" : " of ", t->channels ? "" : d->name,
        t->text, fmax(t->p_adjusted, 1e-300));
    cf_test_into(t, f);
    f->quantity = d->protocol->channel[c->column].name;
    f->data = t->channels ? NULL : d->name;
    f->level = q->spec->options.p_reject;
}

static void advise(struct cf_fit *fit, const struct cf_test *t)
{
    const struct cf_channel *c = &fit->optimum.problem.channel[t->channel];
    bool recorded = fit->optimum.problem.spec->data[c->data].protocol->recording != NULL;

    if (t->accuses == CF_ACCUSES_SYMMETRY && recorded)
        cf_say(&fit->advice,
               "look for rows that share a defect, such as bounces that lost height to "
               "spin: each is named above where it stands out");
    else if (t->accuses == CF_ACCUSES_SYMMETRY)
        cf_say(&fit->advice,
               "look for rows that share a defect, such as bounces that lost height to "
               "spin, or give them less weight: options: {loss: student-t}");
    else if (t->accuses == CF_ACCUSES_PAIRS)
        cf_say(&fit->advice,
               "find out what the columns of a row share, such as the error of its speed: "
               "state that sigma, and it is carried over to all of them");
    else if (!cf_found(&fit->findings, CF_RULE_SLOW)) /* whose rows no sigma mends */
        cf_say(&fit->advice, "state a sigma for each row, in a column of its own");
}

void cf_judge_noise(struct cf_fit *fit)
{
    const struct cf_tests *tests = &fit->noise_tests;

    for (size_t i = 0; i < tests->n; i++) {
        bool said = false;
        if (!tests->item[i].rejects)
            continue;
        say_test(fit, &tests->item[i]);
        for (size_t j = 0; j < i; j++)
            said = said ||
                   (tests->item[j].rejects && tests->item[j].accuses == tests->item[i].accuses);
        if (!said)
            advise(fit, &tests->item[i]);
    }
}

static void say_unequal(struct cf_fit *fit, size_t channel)
{
    const struct cf_problem *q = &fit->optimum.problem;
    size_t least = channel, most = channel;
    const struct cf_channel *c = &q->channel[channel];
    char text[2][CF_DECIMAL];

    for (size_t i = channel + 1; i < q->nchannel; i++) {
        if (q->channel[i].column != c->column || q->channel[i].unequal != c->unequal)
            continue;
        least = q->channel[i].sigma < q->channel[least].sigma ? i : least;
        most = q->channel[i].sigma > q->channel[most].sigma ? i : most;
    }
    const struct cf_channel_row *row = &q->spec->data[c->data].protocol->channel[c->column];
    struct cf_finding *f = cf_add_finding(
        &fit->findings, CF_RULE_UNEQUAL,
        "note: the data sets do not scatter alike in %s (p = %.2g), from %s (%s) to %s%s%s "
        "(%s): each has a sigma of its own, by its own rows alone",
        row->name, c->unequal, cf_decimal_short(q->channel[least].sigma, 2, text[0]),
        q->spec->data[q->channel[least].data].name,
        cf_decimal_short(q->channel[most].sigma, 2, text[1]), strcmp(row->unit, "1") ? " " : "",
        strcmp(row->unit, "1") ? row->unit : "", q->spec->data[q->channel[most].data].name);
    f->quantity = row->name;
    f->p = c->unequal;
    f->level = q->spec->options.p_reject;
    f->size = q->channel[most].sigma / q->channel[least].sigma;
    f->unit = "1";
}

void cf_judge_unequal(struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;

    for (size_t i = 0; i < q->nchannel; i++) {
        bool said = !(q->channel[i].unequal > 0);
        for (size_t k = 0; k < i; k++)
            said = said || (q->channel[k].unequal == q->channel[i].unequal &&
                            q->channel[k].column == q->channel[i].column);
        if (!said)
            say_unequal(fit, i);
    }
}
