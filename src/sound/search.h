/* The second way through a recording: the onsets. */

#ifndef CF_SOUND_SEARCH_H
#define CF_SOUND_SEARCH_H

#include "sound/survey.h"

/* Where a search starts: noise and threshold of `out` are known. */
struct cf_sound_search {
    const struct cf_onset_rules *rules;
    const struct cf_sound_survey *survey;
    struct cf_sound_picture *picture; /* NULL: none is wanted */
};

/* Reads the recording to its end; out->onset, n, clipped_share, and what is counted of onsets
 * are filled. */
int cf_sound_search(struct cf_recording *recording, const struct cf_sound_search *search,
                    struct cf_onsets *out, struct cf_error *err);

#endif
