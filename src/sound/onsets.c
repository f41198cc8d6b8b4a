#include "sound/onsets.h"

#include <math.h>
#include <stdlib.h>

#include "sound/missed.h"
#include "sound/notes.h"
#include "sound/search.h"

/* Filters and envelopes end where they have room: the cutoff at 0.45 of the sampling rate. */
static const double highest_cutoff = 0.45;

static int check_rate(const char *path, const struct cf_recording_info *info,
                      const struct cf_onset_rules *rules, struct cf_error *err)
{
    double cutoff_Hz = rules->value[CF_ONSET_HIGH_PASS];

    if (cutoff_Hz <= highest_cutoff * info->rate_Hz)
        return CF_OK;
    return cf_fail(
        err, CF_EINPUT,
        "%s: %g samples a second: high_pass: %g Hz needs %g or more: record at 44100, or "
        "lower high_pass",
        path, info->rate_Hz, cutoff_Hz, cutoff_Hz / highest_cutoff);
}

/* The noise: as the rule says, or measured, and not below what whole numbers can hold. */
static int find_noise(const char *path, const struct cf_sound_survey *survey,
                      const struct cf_onset_rules *rules, struct cf_onsets *out,
                      struct cf_error *err)
{
    double given = rules->value[CF_ONSET_NOISE], floor = out->info.step / sqrt(12);

    if (!(survey->loudest > 0))
        return cf_fail(err, CF_EINPUT, "%s: silent: each of its %llu samples is %g%s", path,
                       survey->frames, survey->first,
                       out->info.channels > 1 ? " in this channel: take another one by channel:"
                                              : ": no impact can be found in it");
    out->noise = given > 0 ? given : fmax(survey->median, floor);
    if (!(out->noise > 0))
        return cf_fail(err, CF_EINPUT,
                       "%s: more than half of it is digital silence, and the noise, which is the "
                       "median, 0: state the level of the noise, as noise: 1e-4",
                       path);
    out->threshold = rules->value[CF_ONSET_NOISE_RATIO] * out->noise;
    return CF_OK;
}

static void clear_picture(struct cf_sound_picture *picture)
{
    for (size_t i = 0; picture && i < picture->n; i++)
        picture->column[i] = (struct cf_sound_column){NAN, NAN, NAN, NAN};
}

static int find(const char *path, struct cf_recording *recording,
                const struct cf_onset_rules *rules, struct cf_sound_picture *picture,
                struct cf_onsets *out, struct cf_error *err)
{
    struct cf_sound_survey survey;
    struct cf_sound_search search = {rules, &survey, picture};
    int status;

    out->info = *cf_recording_info(recording);
    status = check_rate(path, &out->info, rules, err);
    if (!status)
        status = cf_sound_survey(recording, rules, &survey, err);
    if (!status)
        status = find_noise(path, &survey, rules, out, err);
    if (!status)
        status = cf_recording_rewind(recording, err);
    if (!status) {
        out->duration_s = (double) survey.frames / out->info.rate_Hz;
        out->loudest = survey.loudest;
        out->longest_silence_s = (double) survey.same / out->info.rate_Hz;
        status = cf_sound_search(recording, &search, out, err);
    }
    if (status)
        return status;
    out->nmissed = cf_onsets_missed(out, rules->value[CF_ONSET_DEAD_TIME]);
    return cf_sound_notes(path, &survey, rules, out, err);
}

int cf_onsets_find(const char *path, const struct cf_onset_rules *rules,
                   struct cf_sound_picture *picture, struct cf_onsets *out, struct cf_error *err)
{
    struct cf_recording *recording = NULL;
    int status;

    *out = (struct cf_onsets){.onset = NULL};
    clear_picture(picture);
    status = cf_onset_rules_check(rules, err);
    if (status)
        return status;
    status = cf_recording_open(path, (size_t) rules->value[CF_ONSET_CHANNEL], &recording, err);
    if (!status)
        status = find(path, recording, rules, picture, out, err);
    cf_recording_close(recording);
    return status;
}

void cf_onsets_clear(struct cf_onsets *onsets)
{
    for (size_t i = 0; i < onsets->nnote; i++)
        free(onsets->note[i]);
    free(onsets->note);
    free(onsets->onset);
    *onsets = (struct cf_onsets){.onset = NULL};
}
