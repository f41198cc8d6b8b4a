/* The weight during the contact of a body that falls: its share of each reading against the closed
 * form of a spring and a damper, and against the energy of a spring that hardens; and what a fit
 * says of it. */

#define _POSIX_C_SOURCE 200809L
#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/impact_channels.h"
#include "lab.h"
#include "tap.h"

static const double gravity = 9.81;

/* ---- m z'' = m g - k z - c z' from z = 0, z' = v on, in closed form */

struct spring {
    double omega, gamma, g, v;
};

static void at(const struct spring *s, double t, double *z, double *rate, double *force)
{
    double rest = s->g / gsl_pow_2(s->omega), w = sqrt(gsl_pow_2(s->omega) - gsl_pow_2(s->gamma));
    double A = -rest, B = (s->v - s->gamma * rest) / w, damped = exp(-s->gamma * t);
    double swing = A * cos(w * t) + B * sin(w * t), back = w * (B * cos(w * t) - A * sin(w * t));

    *z = rest + damped * swing;
    *rate = damped * (back - s->gamma * swing);
    *force = gsl_pow_2(s->omega) * *z + 2 * s->gamma * *rate; /* over the mass */
}

/* e, the duration, and the greatest depth and force over the mass. */
static void answer(const struct spring *s, double out[4])
{
    double z, rate, force, step = M_PI / s->omega / 5000, low, high, t = step;

    out[2] = out[3] = 0;
    for (;; t += step) {
        at(s, t, &z, &rate, &force);
        if (!(force > 0))
            break;
        out[2] = fmax(out[2], z);
        out[3] = fmax(out[3], force);
    }
    for (low = t - step, high = t; high - low > 1e-14;) {
        at(s, (low + high) / 2, &z, &rate, &force);
        *(force > 0 ? &low : &high) = (low + high) / 2;
    }
    at(s, high, &z, &rate, &force);
    out[0] = -rate / s->v;
    out[1] = high;
}

static void shares_of(double k, double c, double mass, double v, double share[4])
{
    struct spring s = {sqrt(k / mass), c / (2 * mass), gravity, v};
    double with[4], without[4];

    answer(&s, with);
    s.g = 0;
    answer(&s, without);
    for (int i = 0; i < 4; i++)
        share[i] = with[i] / without[i] - 1;
}

/* ---- rows of drops: height, and any column */

static void drops(struct cf_dataset *d, size_t n, const double v[], size_t channel,
                  const double value[], double sigma)
{
    struct cf_error err;

    *d = (struct cf_dataset){.pair = lab_pair(1, 0.1)};
    d->pair.gravity_m_s2 = gravity;
    cf_dataset_alloc(d, cf_protocol_find("impact"), n, &err);
    d->name = strdup("drops");
    d->series[channel].kind = CF_SIGMA_GIVEN;
    for (size_t i = 0; i < n; i++) {
        lab_put(d, i, CF_CHANNEL_DROP_HEIGHT, v[i] * v[i] / (2 * gravity), 0);
        lab_put(d, i, channel, value[i], sigma * value[i]);
    }
}

static void test_spring(double c, double v)
{
    static const size_t channel[] = {CF_CHANNEL_RESTITUTION, CF_CHANNEL_DURATION, CF_CHANNEL_DEPTH,
                                     CF_CHANNEL_PEAK_FORCE};
    const double p[] = {2e4, c}, one = 0.02;
    double share[CF_CHANNEL_NCHANNEL], exact[4];
    struct cf_dataset d;

    drops(&d, 1, &v, CF_CHANNEL_DURATION, &one, 0.01);
    shares_of(p[0], c, 1, v, exact);
    ok(d.protocol->weigh(&d, 0, cf_law_find("linear"), p, share), "%g N s/m: weighed", c);
    for (int i = 0; i < 4; i++)
        ok(fabs(share[channel[i]] - exact[i]) < 2e-5, "%g N s/m: %s by %.4f, in closed form %.4f",
           c, d.protocol->channel[channel[i]].name, share[channel[i]], exact[i]);
    is_near(share[CF_CHANNEL_REBOUND_HEIGHT], gsl_pow_2(1 + share[CF_CHANNEL_RESTITUTION]) - 1,
            1e-12, "heights go with the square of e");
    cf_dataset_clear(&d);
}

/* k z^2.5/2.5 = m v^2/2 + m g z at the deepest point. */
static void test_hertz(void)
{
    const double p[] = {2e5, 1e-9}, v = 0.5, one = 0.02;
    double share[CF_CHANNEL_NCHANNEL], plain = pow(1.25 * v * v / p[0], 0.4), z = plain;
    struct cf_dataset d;

    for (int i = 0; i < 100; i++)
        z = pow(2.5 * (v * v / 2 + gravity * z) / p[0], 0.4);
    drops(&d, 1, &v, CF_CHANNEL_DURATION, &one, 0.01);
    bool weighed = d.protocol->weigh(&d, 0, cf_law_find("hunt-crossley"), p, share);
    ok(weighed && fabs(share[CF_CHANNEL_DEPTH] - (z / plain - 1)) < 2e-5,
       "a spring that hardens: deeper by %.5f, by its energy %.5f", share[CF_CHANNEL_DEPTH],
       z / plain - 1);
    lab_put(&d, 0, CF_CHANNEL_DROP_HEIGHT, (double) NAN, 0);
    lab_put(&d, 0, CF_CHANNEL_SPEED, v, 0);
    ok(!d.protocol->weigh(&d, 0, cf_law_find("hunt-crossley"), p, share),
       "what is known by its speed may not fall at all");
    cf_dataset_clear(&d);
}

/* Contact times of an elastic spring, which the weight makes longer. */
static void test_fit(double k, bool matters)
{
    enum { N = 9 };
    static const char *const fitted[] = {"k", NULL};
    double v[N], time[N];
    struct cf_dataset d;
    struct cf_spec spec;
    struct cf_fit *fit;

    for (int i = 0; i < N; i++) {
        struct spring s = {sqrt(k), 0, gravity, 0.6 * pow(1.3, i)};
        double out[4];
        v[i] = s.v;
        answer(&s, out);
        time[i] = out[1] * (1 + 3e-3 * sin(2.399963 * (i + 1) * (i + 2)));
    }
    drops(&d, N, v, CF_CHANNEL_DURATION, time, 4e-3);
    spec = lab_spec("linear", fitted, &d, 1);
    spec.given[spec.ngiven++] = (struct cf_given){"lambda", 0, false};
    fit = lab_fit(&spec, NULL);
    ok(fit && cf_found(&fit->findings, CF_RULE_WEIGHT) == matters, "k = %g N/m: the weight %s", k,
       matters ? "is named" : "is nothing");
    ok(fit && (fit->status != CF_VERDICT_GOOD) == matters, "and the word goes with it");
    for (size_t i = 0; fit && matters && i < fit->findings.n; i++)
        if (fit->findings.item[i].rule == CF_RULE_WEIGHT)
            ok(fit->findings.item[i].at == fit->optimum.problem.observation[0].abscissa,
               "at the slowest: %s", fit->findings.item[i].text);
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

TEST(weight)
{
    gsl_set_error_handler_off();
    plan(19);
    test_spring(0, 1.4);
    test_spring(50, 1.4);
    test_hertz();
    test_fit(5e3, true);
    test_fit(5e7, false);
    return done();
}
