#include "sound/survey.h"

#include <math.h>
#include <stdlib.h>

#include "sound/envelope.h"
#include "sound/filter.h"

static size_t samples(double time_s, double rate_Hz, size_t least)
{
    double n = round(time_s * rate_Hz);
    return n > (double) least ? (size_t) n : least;
}

struct cf_sound_lengths cf_sound_lengths(const struct cf_onset_rules *rules, double rate_Hz)
{
    const double *v = rules->value;
    return (struct cf_sound_lengths){
        .envelope = samples(v[CF_ONSET_ENVELOPE], rate_Hz, 1),
        .rise = samples(v[CF_ONSET_RISE_TIME], rate_Hz, 1),
        .dead = samples(v[CF_ONSET_DEAD_TIME], rate_Hz, 1),
        .peak = samples(v[CF_ONSET_PEAK_TIME], rate_Hz, 1),
        .before = samples(v[CF_ONSET_PICK_BEFORE], rate_Hz, 1),
        .after = samples(v[CF_ONSET_PICK_AFTER], rate_Hz, 0),
    };
}

struct pass {
    struct cf_filter filter;
    struct cf_envelope envelope;
    struct cf_levels *levels;
    struct cf_sound_survey *out;
    double last, loudest; /* mean square */
    unsigned long long same;
};

static void take(struct pass *p, double sample)
{
    double level;

    p->same = sample == p->last ? p->same + 1 : 1;
    p->last = sample;
    if (p->same > p->out->same)
        p->out->same = p->same;
    if (fabs(sample) > p->out->highest)
        p->out->highest = fabs(sample);
    cf_envelope_next(&p->envelope, cf_filter_next(&p->filter, sample));
    level = cf_envelope_now(&p->envelope);
    if (level > p->loudest)
        p->loudest = level;
    p->out->frames++;
    if (p->out->frames % p->envelope.nnow == 0) /* stretches side by side say all */
        cf_levels_add(p->levels, level);
}

static int read_all(struct pass *p, struct cf_recording *recording, double cutoff_Hz,
                    struct cf_error *err)
{
    double block[CF_RECORDING_BLOCK];
    size_t n;
    int status;

    while (!(status = cf_recording_read(recording, block, &n, err)) && n > 0) {
        if (p->out->frames == 0) {
            p->out->first = p->last = block[0];
            cf_filter_init(&p->filter, cutoff_Hz, cf_recording_info(recording)->rate_Hz, block[0]);
        }
        for (size_t i = 0; i < n; i++)
            take(p, block[i]);
    }
    return status;
}

int cf_sound_survey(struct cf_recording *recording, const struct cf_onset_rules *rules,
                    struct cf_sound_survey *out, struct cf_error *err)
{
    struct cf_sound_lengths n = cf_sound_lengths(rules, cf_recording_info(recording)->rate_Hz);
    struct pass p = {.out = out, .levels = calloc(1, sizeof *p.levels)};
    int status = p.levels ? cf_envelope_open(&p.envelope, n.envelope, 1, err)
                          : cf_fail(err, CF_ENOMEM, "no memory for levels");

    *out = (struct cf_sound_survey){0};
    if (!status)
        status = read_all(&p, recording, rules->value[CF_ONSET_HIGH_PASS], err);
    if (!status) {
        out->median = cf_levels_quantile(p.levels, 0.5);
        out->quarter = cf_levels_quantile(p.levels, 0.75);
        out->loudest = sqrt(p.loudest);
    }
    cf_envelope_close(&p.envelope);
    free(p.levels);
    return status;
}
