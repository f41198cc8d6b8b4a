/* Onsets of impacts in recordings: against sounds of which every impact is known. */

#include "sound/onsets.h"

#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "lib/ball_sound.h"
#include "lib/scratch.h"
#include "sound/envelope.h"
#include "sound/filter.h"
#include "sound/missed.h"
#include "sound/picker.h"
#include "tap.h"

/* What was found of what is known. */
struct score {
    size_t hit, spurious;
    double mean_ms, sd_ms, drift_ms; /* of the onset's error; its change from loudest to weakest */
};

static struct score compare(const struct ball_record *r, const struct cf_onsets *o)
{
    const double near_s = 2e-3;
    double sum = 0, squares = 0, sx = 0, sxx = 0, sxy = 0, low = HUGE_VAL, high = -HUGE_VAL;
    struct score score = {0, 0, NAN, NAN, NAN};
    size_t j = 0;

    for (size_t i = 0; i < r->nimpact; i++) {
        double t = r->impact[i].time_s, x = 20 * log10(r->impact[i].peak), d;
        while (j < o->n && o->onset[j].time_s < t - near_s) {
            score.spurious++;
            j++;
        }
        if (j == o->n || o->onset[j].time_s > t + near_s)
            continue;
        d = 1e3 * (o->onset[j++].time_s - t);
        score.hit++;
        sum += d;
        squares += d * d;
        sx += x;
        sxx += x * x;
        sxy += x * d;
        low = fmin(low, x);
        high = fmax(high, x);
    }
    double n = (double) score.hit;
    score.spurious += o->n - j;
    score.mean_ms = sum / n;
    score.sd_ms = sqrt(squares / n - score.mean_ms * score.mean_ms);
    score.drift_ms = (sxy - sx * sum / n) / (sxx - sx * sx / n) * (high - low);
    return score;
}

static const char file[] = "tmp/onsets.sound";

/* The onsets of samples that go through a file; the test has failed where there are none. */
static struct cf_onsets through(int format, const struct ball_record *r,
                                const struct cf_onset_rules *rules)
{
    struct cf_onset_rules usual;
    struct cf_onsets found;
    struct cf_error err = {""};

    cf_onset_rules_init(&usual);
    ball_record_write(file, format, r->rate_Hz, 1, r->sample, r->n);
    if (cf_onsets_find(file, rules ? rules : &usual, NULL, &found, &err))
        ok(false, "onsets: %s", err.text);
    return found;
}

static bool has_note(const struct cf_onsets *o, const char *words)
{
    for (size_t i = 0; i < o->nnote; i++)
        if (strstr(o->note[i], words))
            return true;
    return false;
}

static struct ball_sound eight_throws(double snr_dB)
{
    struct ball_sound s = ball_sound_usual();

    s.throws = 8;
    s.drop_m = 0.5;
    s.shortest_s = 0.062;
    s.snr_dB = snr_dB;
    s.seed = 7;
    return s;
}

/* ---- how well impacts are found and timed */

static void at_40_dB(void)
{
    struct ball_sound sound = eight_throws(40);
    struct ball_record r;
    struct cf_onsets o;
    struct score s;

    ball_record_make(&sound, &r);
    o = through(SF_FORMAT_WAV | SF_FORMAT_PCM_16, &r, NULL);
    s = compare(&r, &o);
    ok(r.nimpact == 96, "96 impacts: %zu", r.nimpact);
    ok(s.hit == r.nimpact && s.spurious == 0, "40 dB: %zu found, %zu that are none", s.hit,
       s.spurious);
    ok(s.sd_ms <= 0.03, "onsets scatter by %.4f ms, at most 0.03", s.sd_ms);
    ok(fabs(s.mean_ms) <= 0.01, "and are off by %.4f ms", s.mean_ms);
    ok(fabs(s.drift_ms) <= 0.05, "from loudest to weakest they move by %.4f ms, at most 0.05",
       s.drift_ms);
    ok(o.nmissed == 0 && o.nclipped == 0, "none is told as missed or clipped");
    is_near(20 * log10(o.loudest / o.noise), 40, 0.05, "40 dB is what is told");
    cf_onsets_clear(&o);
    ball_record_clear(&r);
}

static void at_24_dB(void)
{
    struct ball_sound sound = eight_throws(24);
    struct ball_record r;
    struct cf_onsets o;
    struct score s;
    char words[40];

    ball_record_make(&sound, &r);
    o = through(SF_FORMAT_WAV | SF_FORMAT_PCM_16, &r, NULL);
    s = compare(&r, &o);
    double missed = (double) (r.nimpact - s.hit), told = (double) o.nmissed;
    ok(missed >= 5 && s.spurious == 0, "24 dB: %g of %zu are missed, none is false", missed,
       r.nimpact);
    /* a throw of this sound ends at its shortest flight, which the count cannot know */
    ok(fabs(told - missed) <= 0.25 * missed, "about %g are told as missed", told);
    snprintf(words, sizeof words, "about %zu impacts missed", o.nmissed);
    ok(has_note(&o, words), "in a note");
    snprintf(words, sizeof words, "%zu of %zu onsets below 20 dB", o.nweak, o.n);
    ok(o.nweak > 0 && has_note(&o, words), "and so are those below 20 dB");
    cf_onsets_clear(&o);
    ball_record_clear(&r);
}

/* A ring that does not set in at once. */
static void slow_rise(void)
{
    struct ball_sound sound = eight_throws(40);
    struct ball_record r;
    struct cf_onsets o;
    struct score s;

    sound.delay_s = 1e-4;
    ball_record_make(&sound, &r);
    o = through(SF_FORMAT_WAV | SF_FORMAT_FLOAT, &r, NULL);
    s = compare(&r, &o);
    ok(s.hit == r.nimpact && fabs(s.drift_ms) <= 0.05 && s.sd_ms <= 0.03,
       "a ring that rises in 0.1 ms: scatter %.4f ms, drift %.4f ms", s.sd_ms, s.drift_ms);
    cf_onsets_clear(&o);
    ball_record_clear(&r);
}

/* A throw of e = 0.8 that begins at 1 s with a flight of 0.5 s and a level of 1: the impacts of
 * which a bit of `heard` is set. Its tenth flight is the last of 60 ms and more. */
static void add_throw(struct cf_onset list[], size_t *n, double from_s, unsigned heard)
{
    const double e = 0.8;

    for (int i = 0; i < 12; i++)
        if (heard & 1u << i)
            list[(*n)++] = (struct cf_onset){.time_s = from_s + 0.5 * (1 - pow(e, i)) / (1 - e),
                                             .level = pow(e, i)};
}

static void missed(void)
{
    static const struct {
        const char *what;
        unsigned first, second; /* impacts that are heard of two throws */
        double threshold;
        size_t missed;
    } row[] = {
        {"all that end in a flight of the dead time", 0x7ff, 0x7ff, 0.1, 0},
        {"one within a throw", 0x7ef, 0x7ff, 0.1, 1},
        {"two on end", 0x7cf, 0x7ff, 0.1, 2},
        {"one in each", 0x7ef, 0x7df, 0.1, 2},
        {"the quiet end of one", 0x1ff, 0x7ff, 0.2, 2},
        {"the quiet end of the last", 0x7ff, 0x0ff, 0.2, 3},
        {"a ball that was caught while it was loud", 0x0ff, 0x7ff, 0.01, 0},
        {"too few flights to know e", 0x003, 0x003, 0.1, 0},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct cf_onset list[24];
        struct cf_onsets o = {.onset = list, .threshold = row[i].threshold, .duration_s = 8};
        add_throw(list, &o.n, 1, row[i].first);
        add_throw(list, &o.n, 5, row[i].second);
        size_t found = cf_onsets_missed(&o, 0.06);
        ok(found == row[i].missed, "missed, %s: %zu", row[i].what, found);
    }
}

/* ---- files of all kinds */

static void formats(void)
{
    static const struct {
        const char *name;
        int format;
        double sd_ms, drift_ms;
        const char *note;
    } row[] = {
        {"WAV, 8 bit", SF_FORMAT_WAV | SF_FORMAT_PCM_U8, 0.03, 0.05, NULL},
        {"WAV, 16 bit", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 0.03, 0.05, NULL},
        {"WAV, 24 bit", SF_FORMAT_WAV | SF_FORMAT_PCM_24, 0.03, 0.05, NULL},
        {"WAV, 32 bit", SF_FORMAT_WAV | SF_FORMAT_PCM_32, 0.03, 0.05, NULL},
        {"WAV, float", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 0.03, 0.05, NULL},
        {"WAV, double", SF_FORMAT_WAV | SF_FORMAT_DOUBLE, 0.03, 0.05, NULL},
        {"FLAC, 16 bit", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 0.03, 0.05, NULL},
        {"FLAC, 24 bit", SF_FORMAT_FLAC | SF_FORMAT_PCM_24, 0.03, 0.05, NULL},
        {"AIFF, 16 bit", SF_FORMAT_AIFF | SF_FORMAT_PCM_16, 0.03, 0.05, NULL},
        /* Vorbis begins a sound before it began: told, not mended */
        {"OGG, Vorbis", SF_FORMAT_OGG | SF_FORMAT_VORBIS, 0.5, 0.6, "a lossy encoding"},
    };
    struct ball_sound sound = ball_sound_usual();
    struct ball_record r;
    struct cf_onset_rules rules;

    ball_record_make(&sound, &r);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct cf_onsets o = through(row[i].format, &r, NULL);
        struct score s = compare(&r, &o);
        ok(s.hit == r.nimpact && s.spurious == 0, "%s: %zu of %zu (%s)", row[i].name, s.hit,
           r.nimpact, o.info.format);
        ok(s.sd_ms <= row[i].sd_ms && fabs(s.drift_ms) <= row[i].drift_ms,
           "%s: scatter %.4f ms, drift %.4f ms", row[i].name, s.sd_ms, s.drift_ms);
        ok(row[i].note ? o.nnote == 1 && has_note(&o, row[i].note) : o.nnote == 0, "%s: %s",
           row[i].name, o.nnote ? o.note[0] : "nothing to be said");
        cf_onsets_clear(&o);
    }
    cf_onset_rules_init(&rules);
    cf_onset_rules_set(&rules, "pick_floor", "0.05", NULL);
    struct cf_onsets o = through(SF_FORMAT_OGG | SF_FORMAT_VORBIS, &r, &rules);
    struct score s = compare(&r, &o);
    ok(s.hit == r.nimpact && s.sd_ms <= 0.03 && fabs(s.drift_ms) <= 0.05 && o.nnote == 0,
       "OGG with the floor that its remark names: scatter %.4f ms, drift %.4f ms", s.sd_ms,
       s.drift_ms);
    cf_onsets_clear(&o);
    ball_record_clear(&r);
}

/* The recording that ships is what the program makes, and its impacts are found. */
static void shipped(void)
{
    const char *folder = getenv("srcdir");
    struct ball_sound sound = ball_sound_shipped();
    struct ball_record r;
    struct cf_onset_rules rules;
    struct cf_onsets o;
    struct cf_error err = {""};
    struct cf_recording *recording = NULL;
    double block[CF_RECORDING_BLOCK], off = 0;
    size_t n = 0, at = 0;
    char path[400];

    snprintf(path, sizeof path, "%s/data/synthetic_bounce_recording.flac", folder ? folder : ".");
    ball_record_make(&sound, &r);
    ok(cf_recording_open(path, 0, &recording, &err) == CF_OK, "it is there %s", err.text);
    while (recording && cf_recording_read(recording, block, &n, &err) == CF_OK && n > 0)
        for (size_t i = 0; i < n; i++, at++)
            off = fmax(off, at < r.n ? fabs(block[i] - r.sample[at]) : 1);
    cf_recording_close(recording);
    ok(at == r.n && off <= sound.step, "as made: %zu samples, off by %g", at, off);
    cf_onset_rules_init(&rules);
    ok(cf_onsets_find(path, &rules, NULL, &o, &err) == CF_OK, "its onsets are found %s", err.text);
    struct score s = compare(&r, &o);
    ok(s.hit == r.nimpact && s.spurious == 0 && s.sd_ms <= 0.03 && fabs(s.drift_ms) <= 0.05,
       "all %zu, scatter %.4f ms, drift %.4f ms", s.hit, s.sd_ms, s.drift_ms);
    ok(o.nclipped > 0 && has_note(&o, "clipped"), "%zu of them clipped: told", o.nclipped);
    cf_onsets_clear(&o);
    ball_record_clear(&r);
}

/* ---- clipping, silence, gaps */

static void clipped(void)
{
    struct ball_sound sound = ball_sound_usual();
    struct ball_record r;
    struct cf_onsets o;
    struct score s;
    size_t over = 0;

    sound.peak = 3;
    ball_record_make(&sound, &r);
    for (size_t i = 0; i < r.nimpact; i++)
        over += r.impact[i].peak > 1.5;
    o = through(SF_FORMAT_WAV | SF_FORMAT_PCM_16, &r, NULL);
    s = compare(&r, &o);
    ok(s.hit == r.nimpact && s.sd_ms <= 0.03, "clipped at full scale: all found, %.4f ms", s.sd_ms);
    ok(o.nclipped >= over && o.nclipped < o.n && o.clipped_share > 0 && o.clipped_share < 0.01,
       "%zu are told as clipped, %zu are by half and more", o.nclipped, over);
    cf_onsets_clear(&o);
    for (size_t i = 0; i < r.n; i++) /* and turned down */
        r.sample[i] = 0.3 * fmax(-1, fmin(1, r.sample[i]));
    o = through(SF_FORMAT_WAV | SF_FORMAT_PCM_24, &r, NULL);
    ok(o.nclipped >= over && o.nclipped < o.n, "cut off at 0.3: %zu", o.nclipped);
    cf_onsets_clear(&o);
    ball_record_clear(&r);
    sound.peak = 0.25;
    ball_record_make(&sound, &r);
    o = through(SF_FORMAT_WAV | SF_FORMAT_PCM_U8, &r, NULL);
    ok(o.nclipped == 0, "quiet, 8 bit: none");
    cf_onsets_clear(&o);
    for (size_t i = 0; i < r.n; i++)
        r.sample[i] *= 12;
    o = through(SF_FORMAT_WAV | SF_FORMAT_FLOAT, &r, NULL);
    ok(o.nclipped == 0 && o.n == r.nimpact, "floating point beyond full scale: none");
    cf_onsets_clear(&o);
    for (size_t i = 0; i < r.n; i++) /* from end to end of the scale within a sample */
        r.sample[i] =
            1e-3 * sin((double) (i * i % 10007)) + (i % 24000 > 23900 ? i % 2 ? 0.995 : -0.995 : 0);
    o = through(SF_FORMAT_WAV | SF_FORMAT_PCM_16, &r, NULL);
    ok(o.n > 10 && o.nclipped == 0, "from end to end and back: %zu onsets, none clipped", o.n);
    cf_onsets_clear(&o);
    ball_record_clear(&r);
}

static void gated(void)
{
    struct ball_sound sound = ball_sound_usual();
    struct ball_record r;
    struct cf_onset_rules rules;
    struct cf_onsets o;
    struct score s;
    struct cf_error err = {""};

    ball_record_make(&sound, &r);
    for (size_t i = 0; i < r.n; i++) /* a gate that opens for 40 ms */
        r.sample[i] = 0.25;          /* an offset is no sound */
    for (size_t k = 0; k < r.nimpact; k++) {
        size_t from = (size_t) ceil(r.impact[k].time_s * r.rate_Hz);
        for (size_t i = from; i < from + 1920; i++)
            r.sample[i] +=
                r.impact[k].peak * sin(0.4 * (double) (i - from)) * exp(-(double) (i - from) / 200);
    }
    o = through(SF_FORMAT_WAV | SF_FORMAT_PCM_16, &r, NULL);
    s = compare(&r, &o);
    ok(s.hit == r.nimpact && s.spurious == 0 && s.sd_ms < 0.02,
       "muted between impacts, 16 bit: all found, %.4f ms", s.sd_ms);
    ok(has_note(&o, "of equal samples on end") && has_note(&o, "steps of"),
       "the gap and the noise that is a step's are told");
    ok(o.n && o.onset[o.n - 1].snr_dB < 100, "a ratio to nothing is one to the noise");
    cf_onsets_clear(&o);
    ball_record_write(file, SF_FORMAT_WAV | SF_FORMAT_FLOAT, r.rate_Hz, 1, r.sample, r.n);
    cf_onset_rules_init(&rules);
    ok(cf_onsets_find(file, &rules, NULL, &o, &err) == CF_EINPUT &&
           strstr(err.text, "state the level of the noise, as noise: 1e-4"),
       "floating point: %s", err.text);
    cf_onsets_clear(&o);
    ok(cf_onset_rules_set(&rules, "noise", "1e-4", &err) == CF_OK, "as the message says");
    o = through(SF_FORMAT_WAV | SF_FORMAT_FLOAT, &r, &rules);
    ok(compare(&r, &o).hit == r.nimpact, "all found");
    cf_onsets_clear(&o);
    ball_record_clear(&r);
}

/* ---- parts */

static double magnitude_after(double frequency_Hz)
{
    struct cf_filter filter;
    double highest = 0;

    cf_filter_init(&filter, 500, 48000, 0);
    for (int i = 0; i < 48000; i++) {
        double y = cf_filter_next(&filter, sin(2 * 3.14159265358979 * frequency_Hz * i / 48000));
        highest = i > 24000 ? fmax(highest, fabs(y)) : 0;
    }
    return highest;
}

static void parts(void)
{
    struct cf_filter filter;
    struct cf_levels *levels = calloc(1, sizeof *levels);
    struct cf_envelope e;
    double x[300] = {0}, y = 1;

    is_near(magnitude_after(500), sqrt(0.5), 1e-3, "half the power passes at the cutoff");
    is_within(magnitude_after(50), 1e-4, 1e-5, "an octave below: 24 dB less, a decade 80");
    is_near(magnitude_after(8100), 1, 1e-3, "above all passes");
    cf_filter_init(&filter, 500, 48000, 0.7);
    for (int i = 0; i < 100; i++)
        y = fmax(i ? y : 0, fabs(cf_filter_next(&filter, 0.7)));
    is_near(y, 0, 1e-12, "an offset makes no sound");
    for (int i = 0; levels && i < 1001; i++) /* levels 1e-3 (1 + i/1000) */
        cf_levels_add(levels, 1e-6 * (1 + i / 1000.0) * (1 + i / 1000.0));
    ok(levels && fabs(cf_levels_quantile(levels, 0.5) / 1.5e-3 - 1) < 6e-4, "median by classes");
    for (int i = 0; levels && i < 1002; i++)
        cf_levels_add(levels, 0);
    ok(levels && cf_levels_quantile(levels, 0.5) == 0, "more than half is silence: 0");
    free(levels);
    ok(cf_envelope_open(&e, 3, 5, NULL) == CF_OK && !cf_envelope_full(&e), "an envelope");
    cf_envelope_next(&e, 1e8); /* leaves nothing behind */
    for (int i = 1; i <= 16; i++)
        cf_envelope_next(&e, i);
    ok(cf_envelope_full(&e), "is full");
    is_near(cf_envelope_now(&e), (14. * 14 + 15 * 15 + 16 * 16) / 3, 1e-15, "the last three");
    is_near(cf_envelope_before(&e), (81. + 100 + 121 + 144 + 169) / 5, 1e-15, "the five before");
    cf_envelope_close(&e);
    for (int i = 0; i < 300; i++)
        x[i] = (i < 200 ? 0.01 : 1) * (i % 2 ? 1 : -1);
    ok(cf_pick_onset(x, 300, 1e-12) == 200, "the AIC parts quiet and loud");
    for (int i = 0; i < 200; i++)
        x[i] = 0;
    ok(cf_pick_onset(x, 300, 1e-12) == 200, "and silence and loud");
}

/* ---- an hour, in a memory that does not grow */

static long memory_kB(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* One click each second over noise; low in rate so that the test is quick. */
static void write_clicks(double duration_s, double rate_Hz)
{
    SF_INFO info = {
        .samplerate = (int) rate_Hz, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16};
    SNDFILE *out = sf_open(file, SFM_WRITE, &info);
    unsigned state = 1;
    short block[8000];

    for (int second = 0; out && second < duration_s; second++) {
        for (int i = 0; i < 8000; i++) {
            state = state * 1664525u + 1013904223u;
            block[i] = (short) ((int) (state >> 24) - 128);
            if (i >= 3999 && i < 4080)
                block[i] = (short) (block[i] + (i % 3 - 1) * 20000 / (i - 3990));
        }
        sf_writef_short(out, block, 8000);
    }
    sf_close(out);
}

static void hour(void)
{
    const double duration_s[] = {60, 3600};
    struct cf_onset_rules rules;
    struct cf_error err = {""};
    long used[2];

    cf_onset_rules_init(&rules);
    cf_onset_rules_set(&rules, "envelope", "2 ms", &err);
    for (int i = 0; i < 2; i++) {
        struct cf_onsets o;
        write_clicks(duration_s[i], 8000);
        int status = cf_onsets_find(file, &rules, NULL, &o, &err);
        used[i] = memory_kB();
        ok(!status && o.n == (size_t) duration_s[i], "%g s: %zu clicks %s", duration_s[i], o.n,
           err.text);
        is_near(o.n ? o.onset[o.n - 1].time_s : 0, duration_s[i] - 0.5 - 1.5 / 8000, 1e-9,
                "the last one in its place");
        cf_onsets_clear(&o);
    }
    ok(used[1] - used[0] < 1024, "an hour needs %ld kB more than a minute", used[1] - used[0]);
}

TEST(onsets)
{
    plan(85);
    at_40_dB();
    at_24_dB();
    slow_rise();
    missed();
    formats();
    shipped();
    clipped();
    gated();
    parts();
    hour();
    remove(file);
    return done();
}
