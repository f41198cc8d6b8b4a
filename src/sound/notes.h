/* Remarks on the onsets of a recording. */

#ifndef CF_SOUND_NOTES_H
#define CF_SOUND_NOTES_H

#include "sound/survey.h"

/* Say in a line each what a reader of the onsets needs: what was found, the limit, and the
 * rule that changes it. */
int cf_sound_notes(const char *path, const struct cf_sound_survey *survey,
                   const struct cf_onset_rules *rules, struct cf_onsets *out, struct cf_error *err);

#endif
