/* Sound recordings, read as a stream of one channel's samples: WAV, FLAC, OGG and whatever else
 * libsndfile opens. Samples are in parts of full scale. */

#ifndef CF_SOUND_RECORDING_H
#define CF_SOUND_RECORDING_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

struct cf_recording_info {
    double rate_Hz;
    size_t channels;
    size_t channel;  /* the one that is read, from 1 */
    char format[96]; /* "WAV (Microsoft), Signed 16 bit PCM" */
    double step;     /* between neighbouring values of whole numbers; 0: floating point, or lossy */
    bool lossy;      /* compressed so that samples are not those that were recorded */
    unsigned long long frames;  /* that the head of the file states */
    unsigned long long missing; /* bytes that a WAV's head states and the file lacks */
};

/* Is a file one of sound, by the end of its name? */
bool cf_is_sound(const char *path);

struct cf_recording;

/* Open a file for reading channel 1, 2, ..., 0 being the only one. CF_EIO: no file; CF_EINPUT: no
 * sound file, no samples, several channels and none chosen, or a channel that it has not. */
int cf_recording_open(const char *path, size_t channel, struct cf_recording **recording,
                      struct cf_error *err);
void cf_recording_close(struct cf_recording *recording); /* NULL is allowed */

const struct cf_recording_info *cf_recording_info(const struct cf_recording *recording);

enum { CF_RECORDING_BLOCK = 4096 };

/* What samples may be in floating point, in dB of full scale: 1e10 of it. Whole numbers of 32 bits
 * that were not divided by their full scale lie below. */
enum { CF_RECORDING_MOST_dB = 200 };

/* The next samples of the channel, at most a block; *n is 0 at the end. CF_EINPUT: one that is no
 * finite number, or beyond what samples may be, or that cannot be decoded. */
int cf_recording_read(struct cf_recording *recording, double sample[CF_RECORDING_BLOCK], size_t *n,
                      struct cf_error *err);

/* Begin again at the first sample. */
int cf_recording_rewind(struct cf_recording *recording, struct cf_error *err);

#endif
