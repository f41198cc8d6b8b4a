/* The sound of a bouncing ball, made with every impact known: what a recording is tested with, and
 * what the synthetic recording that ships was made by.
 *
 * A ball is dropped and bounces, e(v) = e_at_1 (v/1 m/s)^-q with a scatter at each impact, impacts
 * without duration, flights of 2 e v/gravity. Each impact rings in three modes that set in at once,
 * sin(2 pi f t) exp(-t/tau), as loud as it is fast; each mode is up to a fifth louder or quieter,
 * as the ball is hit elsewhere. White noise and hum lie over it. */

#ifndef BALL_SOUND_H
#define BALL_SOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ball_sound {
    double rate_Hz;
    size_t throws, impacts; /* of each throw at most */
    double drop_m, gravity_m_s2;
    double e_at_1, q, e_scatter;
    double shortest_s; /* flight after which a throw ends */
    double pause_s;    /* before a throw, and behind the last */
    double peak;       /* of the first impact of a throw, full scale = 1; more is clipped */
    double snr_dB;     /* its rms over its loudest 0.5 ms, over that of the noise */
    double hum;        /* at 50 Hz and 150 Hz, magnitude */
    double step;    /* samples are rounded to multiples of it and cut off at 1; 0: they are not */
    double delay_s; /* of the ring's rise: 0, it sets in at once */
    uint64_t seed;
};

/* Four throws of a golf ball on stone, as it were, at 40 dB. */
struct ball_sound ball_sound_usual(void);

/* data/synthetic_bounce_recording.flac */
struct ball_sound ball_sound_shipped(void);

struct ball_impact {
    size_t throw;     /* from 1 */
    double time_s;    /* from the first sample */
    double speed_m_s; /* before it */
    double e;
    double peak; /* of its ring, before noise and clipping */
};

struct ball_record {
    double rate_Hz;
    size_t n;
    double *sample; /* n; beyond full scale where it will be clipped */
    size_t nimpact;
    struct ball_impact *impact;
};

/* Ends the test where there is no memory. */
void ball_record_make(const struct ball_sound *sound, struct ball_record *out);
void ball_record_clear(struct ball_record *record);

/* Write samples, interleaved, with the remark that they are synthetic, in a format of libsndfile,
 * cut off at full scale unless it is one of floating point; ends the test where it cannot. */
void ball_record_write(const char *path, int format, double rate_Hz, int channels,
                       const double sample[], size_t frames);

#endif
