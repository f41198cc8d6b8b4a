#include "sound/notes.h"

#include <gsl/gsl_cdf.h>
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

/* How often noise alone crosses the threshold. Mean squares of noise are distributed as chi^2 with
 * as many degrees of freedom as there is room for in the envelope and the band: few, if either is
 * short, or if the noise is low in pitch. Their cube roots are nearly normal with the mean 1 - s^2
 * and the standard deviation s (E. B. Wilson and M. M. Hilferty, PNAS 17, 1931). s follows from the
 * median and the upper quarter, which few impacts reach; the lower half has less information on the
 * tail. */
struct crossings {
    double expected;
    double ratio; /* noise_ratio at which a tenth of one is to be expected */
};

static struct crossings by_noise(const struct cf_sound_survey *survey,
                                 const struct cf_onset_rules *rules, double windows)
{
    const double few = 0.1;
    double z_quarter = gsl_cdf_ugaussian_Qinv(0.25), ratio = rules->value[CF_ONSET_NOISE_RATIO];
    double d = pow(survey->quarter / survey->median, 2.0 / 3) - 1, s, mean, z;

    if (!(d > 0))
        return (struct crossings){0, ratio};
    /* the quarter's cube root over the median's: 1 + z_quarter s/(1 - s^2) */
    s = (sqrt(z_quarter * z_quarter + 4 * d * d) - z_quarter) / (2 * d);
    mean = 1 - s * s;
    z = (pow(ratio, 2.0 / 3) - 1) * mean / s;
    return (struct crossings){windows * gsl_cdf_ugaussian_Q(z),
                              pow(1 + gsl_cdf_ugaussian_Qinv(few / windows) * s / mean, 1.5)};
}

static void note_noise(struct remarks *r, const struct cf_sound_survey *survey,
                       const struct cf_onset_rules *rules)
{
    const double *v = rules->value, tell = 0.5; /* crossings: more likely one than none */
    const double overlap = 3; /* the envelope slides: measured, white and red, within a factor 2 */
    double windows = overlap * r->out->duration_s / v[CF_ONSET_ENVELOPE];
    struct crossings c = by_noise(survey, rules, windows);

    if (c.expected < tell || v[CF_ONSET_NOISE] > 0 || !(survey->median > 0))
        return;
    note(
        r,
        "noise alone crosses the threshold about %.2g times: lift high_pass: %g Hz above the pitch "
        "of the noise, envelope: %g s, or noise_ratio: %g to %.2g; or record at 44100 samples a "
        "second and more",
        c.expected, v[CF_ONSET_HIGH_PASS], v[CF_ONSET_ENVELOPE], v[CF_ONSET_NOISE_RATIO], c.ratio);
}

/* What the file itself is like. */
static void note_file(struct remarks *r, const struct cf_sound_survey *survey,
                      const struct cf_onset_rules *rules)
{
    const struct cf_recording_info *info = &r->out->info;
    const double lossy_floor = 0.05; /* measured: Vorbis then scatters as a WAV does */

    if (info->missing)
        note(r, "cut short: its head announces %llu bytes more: what is there was read, %.6g s",
             info->missing, r->out->duration_s);
    else if (survey->frames < info->frames)
        note(r, "cut short: its head announces %llu samples, and %llu could be read, %.6g s",
             info->frames, survey->frames, r->out->duration_s);
    if (info->lossy && rules->value[CF_ONSET_PICK_FLOOR] < lossy_floor)
        note(r,
             "%s: a lossy encoding begins a sound 0.1 ms and more early, the louder the earlier: "
             "record as WAV or FLAC, or lift pick_floor: %g to %g",
             info->format, rules->value[CF_ONSET_PICK_FLOOR], lossy_floor);
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
    note_noise(&r, survey, rules);
    note_onsets(&r, rules);
    return r.failed ? cf_fail(err, CF_ENOMEM, "%s: no memory for remarks", path) : CF_OK;
}
