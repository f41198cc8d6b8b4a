/* The first study of a recording of a bouncing ball. */

#ifndef CF_CMD_DRAFT_SOUND_H
#define CF_CMD_DRAFT_SOUND_H

#include <stdio.h>

/* `file` as the study is to name the recording. */
void cf_draft_sound_put(FILE *out, const char *name, const char *file);

#endif
