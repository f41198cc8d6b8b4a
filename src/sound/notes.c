#include "sound/notes.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "core/list.h"
#include "core/text.h"

struct remarks {
    const char *path;
    struct cf_onsets *out;
    bool failed; /* memory ran out */
};

static void note(struct remarks *r, const char *format, ...)
    __attribute__((__format__(printf, 2, 3)));

static void note(struct remarks *r, const char *format, ...)
{
    struct cf_onsets *out = r->out;
    char **list = cf_list_grow(out->note, out->nnote, sizeof *list), *text, *line;
    va_list args;

    va_start(args, format);
    text = cf_format_list(format, args);
    va_end(args);
    line = text ? cf_format("%s: %s", r->path, text) : NULL;
    free(text);
    if (list)
        out->note = list;
    if (list && line)
        list[out->nnote++] = line;
    else
        free(line);
    r->failed = r->failed || !list || !line;
}

static double in_dB(double ratio)
{
    return 20 * log10(ratio);
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* What the file itself is like. */
static void note_file(struct remarks *r, const struct cf_sound_survey *survey,
                      const struct cf_onset_rules *rules)
{
    const struct cf_recording_info *info = &r->out->info;
    double samples = rules->value[CF_ONSET_ENVELOPE] * info->rate_Hz;
    const double lossy_floor = 0.05; /* measured: Vorbis then scatters as a WAV does */
    const double few = 12; /* of noise alone 2.5 times the median then comes once in 10^5 */

    if (info->missing)
        note(r, "cut short: its head tells of %llu bytes more: what is there was read, %.6g s",
             info->missing, r->out->duration_s);
    else if (survey->frames < info->frames)
        note(r, "cut short: its head tells of %llu samples, and %llu could be read, %.6g s",
             info->frames, survey->frames, r->out->duration_s);
    if (info->lossy && rules->value[CF_ONSET_PICK_FLOOR] < lossy_floor)
        note(r,
             "%s: a lossy encoding begins a sound 0.1 ms and more early, the louder the earlier: "
             "record as WAV or FLAC, or lift pick_floor: %g to %g",
             info->format, rules->value[CF_ONSET_PICK_FLOOR], lossy_floor);
    if (samples < few)
        note(r,
             "%g samples a second: %.3g samples in envelope: %g s: below %g noise alone crosses "
             "the threshold now and then: record at 44100, or make envelope longer",
             info->rate_Hz, samples, rules->value[CF_ONSET_ENVELOPE], few);
    if (r->out->longest_silence_s > rules->value[CF_ONSET_SILENCE])
        note(r,
             "%.4g s of equal samples on end, and more than silence: %g s: a gap, or a gate that "
             "mutes what is quiet: impacts in it are lost",
             r->out->longest_silence_s, rules->value[CF_ONSET_SILENCE]);
    if (rules->value[CF_ONSET_NOISE] == 0 && r->out->noise > survey->median)
        note(r,
             "the median of the envelope, %.3g, is below what steps of %.3g can hold: the noise is "
             "taken as %.3g (noise: sets it)",
             survey->median, info->step, r->out->noise);
}

/* What was found in it. */
static void note_onsets(struct remarks *r, const struct cf_onset_rules *rules)
{
    const struct cf_onsets *out = r->out;
    const double *v = rules->value;

    if (out->n == 0)
        note(r,
             "no onset: the envelope is nowhere above %.3g, %g times the noise (noise_ratio:), and "
             "%g times that of the %g s before (rise_ratio:, rise_time:); its highest is %.3g",
             out->threshold, v[CF_ONSET_NOISE_RATIO], v[CF_ONSET_RISE_RATIO], v[CF_ONSET_RISE_TIME],
             out->loudest);
    if (out->nclipped)
        note(r,
             "%zu of %zu onset%s clipped, %.2g %% of all samples (clip_level: %g, clip_run: %g): "
             "times hold, peak and snr_dB are lower bounds",
             out->nclipped, out->n, plural(out->n), 100 * out->clipped_share,
             v[CF_ONSET_CLIP_LEVEL], v[CF_ONSET_CLIP_RUN]);
    if (out->nweak)
        note(r, "%zu of %zu onset%s below %g dB over the noise before (weak:): times less sure",
             out->nweak, out->n, plural(out->n), v[CF_ONSET_WEAK]);
    if (out->nmissed)
        note(r,
             "about %zu impact%s missed: the flights about them leave room for so many of %g s "
             "(dead_time:) and more; loudest %.0f dB over the noise: less noise, or a lower "
             "noise_ratio: %g",
             out->nmissed, plural(out->nmissed), v[CF_ONSET_DEAD_TIME],
             in_dB(out->loudest / out->noise), v[CF_ONSET_NOISE_RATIO]);
}

int cf_sound_notes(const char *path, const struct cf_sound_survey *survey,
                   const struct cf_onset_rules *rules, struct cf_onsets *out, struct cf_error *err)
{
    struct remarks r = {path, out, false};

    note_file(&r, survey, rules);
    note_onsets(&r, rules);
    return r.failed ? cf_fail(err, CF_ENOMEM, "%s: no memory for remarks", path) : CF_OK;
}
