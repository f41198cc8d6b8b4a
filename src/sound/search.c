#include "sound/search.h"

#include <math.h>
#include <stdlib.h>

#include "core/list.h"
#include "sound/envelope.h"
#include "sound/filter.h"
#include "sound/picker.h"

/* Samples that are as high as they can be: a run of them is clipped. */
struct clip {
    double level;
    bool equal; /* they are equal: cut off below full scale */
    size_t need, run;
    double last;
    unsigned long long count, end; /* of clipped samples; behind the last of them */
};

struct search {
    const struct cf_sound_search *asked;
    struct cf_onsets *out;
    struct cf_sound_lengths n;
    double rate_Hz, least, rise; /* mean square; ratio of mean squares */
    struct cf_filter filter;
    struct cf_envelope envelope;
    struct clip clip;
    unsigned long long at; /* samples so far */

    /* the last filtered samples, a ring; and a stretch of them in order */
    size_t nring;
    double *ring, *stretch;

    /* an onset in the making */
    bool open;
    unsigned long long crossing, ready_from; /* no crossing before the latter */
    double noise, loudest;                   /* mean squares */
};

/* ---- clipping */

/* Full scale itself is where converters end. A sound that never reaches it may have been cut off
 * and turned down; then its highest samples are equal to a step, which a sound of a thousand steps
 * has by chance no three times on end. Beyond full scale floating point goes on. */
static void clip_init(struct clip *c, const struct cf_onset_rules *rules,
                      const struct cf_sound_survey *survey, double step)
{
    const double steps_that_differ = 1000;
    double share = rules->value[CF_ONSET_CLIP_LEVEL];

    *c = (struct clip){.need = (size_t) rules->value[CF_ONSET_CLIP_RUN]};
    if (survey->highest <= 1 && survey->highest >= share) {
        c->level = share;
        return;
    }
    c->equal = true;
    c->level = survey->highest < step * steps_that_differ ? HUGE_VAL : share * survey->highest;
}

static void clip_next(struct clip *c, double sample, unsigned long long at)
{
    bool high = fabs(sample) >= c->level;
    bool goes_on = c->run > 0 && (c->equal ? sample == c->last : sample * c->last > 0);

    c->run = high ? (goes_on ? c->run + 1 : 1) : 0;
    c->last = sample;
    if (c->run >= c->need) {
        c->count += c->run == c->need ? c->need : 1;
        c->end = at + 1;
    }
}

/* ---- timing */

static double ring_at(const struct search *s, unsigned long long sample)
{
    return s->ring[sample % s->nring];
}

/* The sample of the highest magnitude in [from, to). */
static unsigned long long peak_of(const struct search *s, unsigned long long from,
                                  unsigned long long to)
{
    unsigned long long peak = from;

    for (unsigned long long i = from; i < to; i++)
        if (fabs(ring_at(s, i)) > fabs(ring_at(s, peak)))
            peak = i;
    return peak;
}

static unsigned long long back(unsigned long long sample, size_t by)
{
    return sample > by ? sample - by : 0;
}

/* The first sample of the sound whose peak is known. */
static unsigned long long pick(struct search *s, unsigned long long peak)
{
    unsigned long long from = back(peak < s->crossing ? peak : s->crossing, s->n.before);
    unsigned long long to = peak + s->n.after + 1;
    double floor = s->asked->rules->value[CF_ONSET_PICK_FLOOR] * fabs(ring_at(s, peak));
    size_t n;

    to = to < s->at ? to : s->at;
    n = (size_t) (to - from);
    for (size_t i = 0; i < n; i++)
        s->stretch[i] = ring_at(s, from + i);
    return from + (n > 1 ? cf_pick_onset(s->stretch, n, floor * floor) : 0);
}

static int close_onset(struct search *s, struct cf_error *err)
{
    struct cf_onsets *out = s->out;
    unsigned long long peak = peak_of(s, back(s->crossing, s->n.envelope), s->at);
    unsigned long long first = pick(s, peak);
    struct cf_onset *list = cf_list_grow(out->onset, out->n, sizeof *list), *onset;

    if (!list)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu onsets", out->n + 1);
    out->onset = list;
    onset = &list[out->n++];
    *onset = (struct cf_onset){
        .time_s = fmax((double) first - 0.5, 0) / s->rate_Hz,
        .peak = fabs(ring_at(s, peak)),
        .level = sqrt(s->loudest),
        .snr_dB = 10 * log10(s->loudest / s->noise),
        .clipped = s->clip.end > first,
    };
    onset->weak = onset->snr_dB < s->asked->rules->value[CF_ONSET_WEAK];
    out->nweak += onset->weak;
    out->nclipped += onset->clipped;
    s->open = false;
    s->ready_from = first + s->n.dead > s->at ? first + s->n.dead : s->at;
    return CF_OK;
}

/* ---- the stream */

static void draw(struct search *s, double sample, double now, double threshold)
{
    const struct cf_sound_picture *picture = s->asked->picture;
    struct cf_sound_column *c;
    size_t i = (size_t) ((double) s->at / (double) s->asked->survey->frames * (double) picture->n);

    c = &picture->column[i < picture->n ? i : picture->n - 1];
    c->low = fmin(c->low, sample); /* which pass over the NAN that they start as */
    c->high = fmax(c->high, sample);
    c->envelope = fmax(c->envelope, sqrt(now));
    c->threshold = fmin(c->threshold, sqrt(threshold));
}

static int take(struct search *s, double sample, struct cf_error *err)
{
    double filtered = cf_filter_next(&s->filter, sample), now, before, threshold;

    cf_envelope_next(&s->envelope, filtered);
    clip_next(&s->clip, sample, s->at);
    s->ring[s->at % s->nring] = filtered;
    now = cf_envelope_now(&s->envelope);
    before = cf_envelope_before(&s->envelope);
    threshold = fmax(s->least, s->rise * before);
    if (s->asked->picture)
        draw(s, sample, now, threshold);
    if (!s->open && s->at >= s->ready_from && cf_envelope_full(&s->envelope) && now > threshold) {
        s->open = true;
        s->crossing = s->at;
        s->loudest = 0;
        /* a gate leaves nothing to compare with: the noise of the whole is the least */
        s->noise = fmax(before, s->out->noise * s->out->noise);
    }
    s->at++;
    if (s->open) {
        s->loudest = fmax(s->loudest, now);
        if (s->at > s->crossing + s->n.peak + s->n.after)
            return close_onset(s, err);
    }
    return CF_OK;
}

static int read_all(struct search *s, struct cf_recording *recording, struct cf_error *err)
{
    double block[CF_RECORDING_BLOCK];
    size_t n;
    int status;

    status = cf_recording_read(recording, block, &n, err);
    while (!status && n > 0) {
        for (size_t i = 0; i < n && !status; i++)
            status = take(s, block[i], err);
        if (!status)
            status = cf_recording_read(recording, block, &n, err);
    }
    if (!status && s->open)
        status = close_onset(s, err);
    return status;
}

static int open_search(struct search *s, struct cf_error *err)
{
    s->nring = s->n.envelope + s->n.before + s->n.peak + s->n.after + 2;
    s->ring = calloc(s->nring, sizeof *s->ring);
    s->stretch = calloc(s->nring, sizeof *s->stretch);
    if (!s->ring || !s->stretch)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu samples", s->nring);
    return cf_envelope_open(&s->envelope, s->n.envelope, s->n.rise, err);
}

int cf_sound_search(struct cf_recording *recording, const struct cf_sound_search *search,
                    struct cf_onsets *out, struct cf_error *err)
{
    const struct cf_recording_info *info = cf_recording_info(recording);
    const double *v = search->rules->value;
    struct search s = {
        .asked = search,
        .out = out,
        .n = cf_sound_lengths(search->rules, info->rate_Hz),
        .rate_Hz = info->rate_Hz,
        .least = out->threshold * out->threshold,
        .rise = v[CF_ONSET_RISE_RATIO] * v[CF_ONSET_RISE_RATIO],
    };
    int status = open_search(&s, err);

    cf_filter_init(&s.filter, v[CF_ONSET_HIGH_PASS], info->rate_Hz, search->survey->first);
    clip_init(&s.clip, search->rules, search->survey, info->step);
    if (!status)
        status = read_all(&s, recording, err);
    if (!status)
        out->clipped_share = (double) s.clip.count / (double) search->survey->frames;
    cf_envelope_close(&s.envelope);
    free(s.ring);
    free(s.stretch);
    return status;
}
