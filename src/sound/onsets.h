/* From the sound of a bouncing ball to stamps of its impacts.
 *
 * The channel is high-passed. Where the rms of the last half millisecond (`envelope`) exceeds a
 * multiple of its own median over the recording, and one of the rms of the 20 ms before it, there
 * is an impact. Its time is not that of the crossing, which comes the later the weaker an impact is
 * and would bias every coefficient of restitution: it is where, looking back from the peak, the
 * samples part best into noise and sound, by the least AIC of two variances (N. Maeda, Zisin 38,
 * 1985; its mean square in place of the variance, as a filtered sound has the mean 0):
 *
 *   AIC(k) = k ln(mean square of x_0..x_k-1) + (N - k) ln(mean square of x_k..x_N-1)
 *
 * The onset lies between samples k - 1 and k: half a sample in front of the latter.
 *
 * The recording is read twice, the median coming before what it decides, and is never held: memory
 * grows with the number of onsets alone. Levels are in parts of full scale.
 */

#ifndef CF_SOUND_ONSETS_H
#define CF_SOUND_ONSETS_H

#include "core/param.h"
#include "sound/recording.h"

/* What decides, in SI. */
enum cf_onset_rule {
    CF_ONSET_CHANNEL,
    CF_ONSET_HIGH_PASS,
    CF_ONSET_ENVELOPE,
    CF_ONSET_NOISE,
    CF_ONSET_NOISE_RATIO,
    CF_ONSET_RISE_RATIO,
    CF_ONSET_RISE_TIME,
    CF_ONSET_DEAD_TIME,
    CF_ONSET_PEAK_TIME,
    CF_ONSET_PICK_BEFORE,
    CF_ONSET_PICK_AFTER,
    CF_ONSET_PICK_FLOOR,
    CF_ONSET_WEAK,
    CF_ONSET_CLIP_LEVEL,
    CF_ONSET_CLIP_RUN,
    CF_ONSET_SILENCE,
    CF_ONSET_NRULE
};

/* Name, unit and range of each; `typical` holds where nothing else is said. */
extern const struct cf_param cf_onset_rule_table[CF_ONSET_NRULE];

struct cf_onset_rules {
    double value[CF_ONSET_NRULE];
};

void cf_onset_rules_init(struct cf_onset_rules *rules);

/* Set a rule by its name and a text, "dead_time", "80 ms"; a bare number is in the rule's unit. */
int cf_onset_rules_set(struct cf_onset_rules *rules, const char *name, const char *text,
                       struct cf_error *err);

/* Ranges, and what must go with what; the message names rule, value and unit. */
int cf_onset_rules_check(const struct cf_onset_rules *rules, struct cf_error *err);

struct cf_onset {
    double time_s; /* from the first sample */
    double peak;   /* of the high-passed sound, magnitude */
    double level;  /* highest envelope */
    double snr_dB; /* level over the rms of the rise_time before it, or the noise if that is more */
    bool weak;     /* snr_dB is below the rule */
    bool clipped;  /* so that peak and snr_dB are lower bounds */
};

struct cf_onsets {
    struct cf_recording_info info;
    size_t n;
    struct cf_onset *onset;
    double duration_s;        /* of what could be read */
    double noise;             /* median of the envelope, or as the rule says */
    double threshold;         /* of the envelope */
    double loudest;           /* largest envelope */
    double clipped_share;     /* of all samples */
    double longest_silence_s; /* of equal samples on end */
    size_t nweak, nclipped;
    size_t nmissed; /* impacts that the flights about them leave room for: see missed.h */
    size_t nnote;
    char **note; /* remarks that are no errors, a line each */
};

/* A picture of the sound: its columns divide the recording evenly. */
struct cf_sound_column {
    double low, high; /* of the samples as recorded */
    double envelope;  /* largest */
    double threshold; /* lowest: the higher one of both that an onset must exceed */
};
struct cf_sound_picture {
    size_t n;
    struct cf_sound_column *column; /* n, the caller's; where nothing was read they are NAN */
};

/* Find the onsets of a file. `picture` (NULL: none is wanted) has its columns filled. That there is
 * no onset is a result, with a note. *out is the caller's to cf_onsets_clear(), whatever comes out.
 * CF_EIO: no file that can be opened; CF_EINPUT: none of sound, several channels and none chosen,
 * silence, a sample that is no number, a sampling rate too low for the rules; CF_ERANGE: a rule. */
int cf_onsets_find(const char *path, const struct cf_onset_rules *rules,
                   struct cf_sound_picture *picture, struct cf_onsets *out, struct cf_error *err);
void cf_onsets_clear(struct cf_onsets *onsets);

#endif
