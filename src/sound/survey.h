/* The first way through a recording: what the search for onsets needs of the whole of it. */

#ifndef CF_SOUND_SURVEY_H
#define CF_SOUND_SURVEY_H

#include "sound/onsets.h"

/* The rules as numbers of samples; at least one each but for `after`. */
struct cf_sound_lengths {
    size_t envelope, rise, dead, peak, before, after;
};
struct cf_sound_lengths cf_sound_lengths(const struct cf_onset_rules *rules, double rate_Hz);

struct cf_sound_survey {
    unsigned long long frames; /* that could be read */
    double first, highest;     /* sample; magnitude of samples */
    double median, loudest;    /* of the envelope */
    double quarter;            /* a quarter of it is above */
    unsigned long long same;   /* most samples on end that are equal */
};

/* Reads the recording to its end. */
int cf_sound_survey(struct cf_recording *recording, const struct cf_onset_rules *rules,
                    struct cf_sound_survey *out, struct cf_error *err);

#endif
