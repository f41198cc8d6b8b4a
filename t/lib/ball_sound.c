#include "ball_sound.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/random.h"

static const struct {
    double frequency_Hz, decay_s, share;
} mode[] = {{2300, 4.0e-3, 0.5}, {4900, 2.5e-3, 0.3}, {8700, 1.2e-3, 0.2}};
enum { NMODE = sizeof mode / sizeof mode[0] };

static const double ring_s = 0.06, spread = 0.2;

static void *need(void *memory)
{
    if (!memory) {
        fprintf(stderr, "no memory for a sound\n");
        exit(1);
    }
    return memory;
}

struct ball_sound ball_sound_usual(void)
{
    return (struct ball_sound){
        .rate_Hz = 48000,
        .throws = 4,
        .impacts = 12,
        .drop_m = 0.3,
        .gravity_m_s2 = 9.81,
        .e_at_1 = 0.82,
        .q = 0.03,
        .e_scatter = 0.003,
        .shortest_s = 0.08,
        .pause_s = 0.25,
        .peak = 0.7,
        .snr_dB = 40,
        .hum = 0.01,
        .seed = 1,
    };
}

struct ball_sound ball_sound_shipped(void)
{
    struct ball_sound s = ball_sound_usual();

    s.peak = 1.5;          /* the first impacts of each throw are clipped */
    s.step = ldexp(1, -8); /* few bits are a small file, and half of the noise */
    return s;
}

/* ---- flights */

/* The impacts of all throws; returns when the last throw has ended. */
static double throw_all(const struct ball_sound *s, gsl_rng *rng, struct ball_record *out)
{
    double fastest = sqrt(2 * s->gravity_m_s2 * s->drop_m), t = 0;

    out->impact = need(calloc(s->throws * s->impacts, sizeof *out->impact));
    for (size_t throw = 1; throw <= s->throws; throw ++) {
        double v = fastest, flight = 0;
        t += s->pause_s + 1e-3 * gsl_rng_uniform(rng); /* between samples */
        for (size_t i = 0; i < s->impacts; i++) {
            double e = s->e_at_1 * pow(v, -s->q) + s->e_scatter * gsl_ran_gaussian(rng, 1);
            out->impact[out->nimpact++] =
                (struct ball_impact){throw, t, v, e, s->peak * v / fastest};
            v *= e;
            flight = 2 * v / s->gravity_m_s2;
            if (flight < s->shortest_s)
                break;
            t += flight;
        }
    }
    return t + s->pause_s;
}

/* ---- sound */

static double ring(const double share[NMODE], double t, double delay_s)
{
    double x = 0;

    for (int m = 0; m < NMODE; m++)
        x += share[m] * sin(2 * M_PI * mode[m].frequency_Hz * t) * exp(-t / mode[m].decay_s);
    return delay_s > 0 ? x * (1 - exp(-t / delay_s)) : x;
}

/* The peak of a ring, and its highest rms over 0.5 ms. */
static void measure(double delay_s, double *peak, double *rms)
{
    const double dt = 1e-6, length = 0.5e-3;
    double share[NMODE], sum = 0;
    size_t window = (size_t) (length / dt), n = (size_t) (ring_s / dt);

    for (int m = 0; m < NMODE; m++)
        share[m] = mode[m].share;
    *peak = *rms = 0;
    for (size_t i = 0; i < n; i++) {
        double x = ring(share, (double) i * dt, delay_s), old = 0;
        if (i >= window)
            old = ring(share, (double) (i - window) * dt, delay_s);
        sum += x * x - old * old;
        *peak = fmax(*peak, fabs(x));
        *rms = fmax(*rms, sqrt(sum / (double) window));
    }
}

static void add_ring(struct ball_record *out, const struct ball_impact *impact, double by,
                     double delay_s, gsl_rng *rng)
{
    double share[NMODE];
    size_t first = (size_t) ceil(impact->time_s * out->rate_Hz);

    for (int m = 0; m < NMODE; m++)
        share[m] = mode[m].share * by * (1 + spread * (2 * gsl_rng_uniform(rng) - 1));
    for (size_t i = first; i < out->n; i++) {
        double t = (double) i / out->rate_Hz - impact->time_s;
        if (t > ring_s)
            break;
        out->sample[i] += ring(share, t, delay_s);
    }
}

void ball_record_make(const struct ball_sound *s, struct ball_record *out)
{
    gsl_rng *flights = need(cf_random_stream(s->seed, 0)),
            *noise = need(cf_random_stream(s->seed, 1));
    double peak, rms, sigma, end_s;

    *out = (struct ball_record){.rate_Hz = s->rate_Hz};
    measure(s->delay_s, &peak, &rms);
    sigma = s->peak * rms / peak * pow(10, -s->snr_dB / 20);
    end_s = throw_all(s, flights, out);
    out->n = (size_t) (end_s * s->rate_Hz);
    out->sample = need(calloc(out->n, sizeof *out->sample));
    for (size_t i = 0; i < out->n; i++) {
        double phase = 2 * M_PI * 50 * (double) i / s->rate_Hz;
        out->sample[i] = sigma * gsl_ran_gaussian_ziggurat(noise, 1) +
                         s->hum * (sin(phase) + 0.5 * sin(3 * phase + 1));
    }
    for (size_t i = 0; i < out->nimpact; i++)
        add_ring(out, &out->impact[i], out->impact[i].peak / peak, s->delay_s, flights);
    for (size_t i = 0; i < out->n && s->step > 0; i++)
        out->sample[i] = fmin(fmax(s->step * round(out->sample[i] / s->step), -1), 1 - s->step);
    gsl_rng_free(flights);
    gsl_rng_free(noise);
}

void ball_record_clear(struct ball_record *record)
{
    free(record->sample);
    free(record->impact);
    *record = (struct ball_record){.sample = NULL};
}

/* ---- files */

void ball_record_write(const char *path, int format, double rate_Hz, int channels,
                       const double sample[], size_t frames)
{
    SF_INFO info = {.samplerate = (int) rate_Hz, .channels = channels, .format = format};
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);

    if (file)
        sf_set_string(file, SF_STR_COMMENT,
                      "SYNTHETIC: computed, not recorded (t/lib/ball_sound.c)");
    /* in pieces: the encoder of OGG takes no more at once */
    for (size_t at = 0, n; file && at < frames; at += n) {
        n = frames - at < 4096 ? frames - at : 4096;
        sf_command(file, SFC_SET_CLIPPING, NULL, SF_TRUE);
        if (sf_writef_double(file, sample + at * (size_t) channels, (sf_count_t) n) !=
            (sf_count_t) n)
            break;
    }
    if (!file || sf_error(file) != SF_ERR_NO_ERROR || sf_close(file) != 0) {
        fprintf(stderr, "%s: %s\n", path, sf_strerror(file));
        exit(1);
    }
}
