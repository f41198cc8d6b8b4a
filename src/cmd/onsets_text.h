/* Onsets as text: a table for people, a CSV for programs. */

#ifndef CF_CMD_ONSETS_TEXT_H
#define CF_CMD_ONSETS_TEXT_H

#include <stdio.h>

#include "sound/onsets.h"

void cf_onsets_print(const struct cf_onsets *onsets, const char *path, FILE *out);

/* Columns time_s, peak, snr_dB, clipped (0 or 1); head lines of source, settings and remarks. */
void cf_onsets_csv(const struct cf_onsets *onsets, const struct cf_onset_rules *rules,
                   const char *path, FILE *out);

/* The settings with unit, range and meaning. */
void cf_onset_rules_print(FILE *out);

#endif
