/* Mean squares over the last samples of a stream, and over those before them; and the median of
 * many levels, in a memory that does not grow. */

#ifndef CF_SOUND_ENVELOPE_H
#define CF_SOUND_ENVELOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sound/recording.h"

/* The squares of the last `nnow + nbefore` samples. */
struct cf_envelope {
    size_t nnow, nbefore, at; /* `at` is where the oldest square stands */
    unsigned long long seen;
    double now, before; /* sums of both parts */
    double *square;     /* nnow + nbefore */
};

/* Both parts hold at least one sample. */
int cf_envelope_open(struct cf_envelope *envelope, size_t nnow, size_t nbefore,
                     struct cf_error *err);
void cf_envelope_close(struct cf_envelope *envelope);

/* The next sample. */
void cf_envelope_next(struct cf_envelope *envelope, double sample);

/* Are both parts full? */
bool cf_envelope_full(const struct cf_envelope *envelope);

/* Mean square of the last nnow samples, and of the nbefore in front of them. */
double cf_envelope_now(const struct cf_envelope *envelope);
double cf_envelope_before(const struct cf_envelope *envelope);

/* Levels counted in classes of 0.01 dB from -240 dB of full scale to what samples may be: their
 * median is off by at most 0.06 % of itself. */
enum {
    CF_LEVEL_PER_dB = 100,
    CF_LEVEL_LOWEST_dB = -240,
    CF_LEVEL_HIGHEST_dB = CF_RECORDING_MOST_dB
};
enum { CF_LEVEL_CLASSES = (CF_LEVEL_HIGHEST_dB - CF_LEVEL_LOWEST_dB) * CF_LEVEL_PER_dB };
struct cf_levels {
    uint64_t n, none; /* `none`: below the lowest class, which is as good as nothing */
    uint64_t count[CF_LEVEL_CLASSES];
};

/* Count a mean square; the highest class takes what lies above it. */
void cf_levels_add(struct cf_levels *levels, double mean_square);

/* The root of the mean square that this share of all do not exceed, 0.5 for the median; 0 where so
 * many are as good as nothing. */
double cf_levels_quantile(const struct cf_levels *levels, double share);

#endif
