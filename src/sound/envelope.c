#include "sound/envelope.h"

#include <math.h>
#include <stdlib.h>

int cf_envelope_open(struct cf_envelope *e, size_t nnow, size_t nbefore, struct cf_error *err)
{
    *e = (struct cf_envelope){.nnow = nnow, .nbefore = nbefore};
    e->square = calloc(nnow + nbefore, sizeof *e->square);
    return e->square ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu samples", nnow + nbefore);
}

void cf_envelope_close(struct cf_envelope *e)
{
    free(e->square);
    e->square = NULL;
}

/* Both sums anew: differences of sums keep what rounding a loud sound left in them. */
static void sum_anew(struct cf_envelope *e)
{
    e->now = e->before = 0;
    for (size_t i = 0; i < e->nbefore; i++)
        e->before += e->square[i];
    for (size_t i = e->nbefore; i < e->nbefore + e->nnow; i++)
        e->now += e->square[i];
}

void cf_envelope_next(struct cf_envelope *e, double sample)
{
    size_t n = e->nnow + e->nbefore, passes = e->at + e->nbefore;
    double square = sample * sample;

    /* the oldest of the last samples passes over to those before them */
    passes -= passes >= n ? n : 0;
    e->now += square - e->square[passes];
    e->before += e->square[passes] - e->square[e->at];
    e->square[e->at] = square;
    e->at++;
    e->seen++;
    if (e->at == n) {
        e->at = 0;
        sum_anew(e);
    }
}

bool cf_envelope_full(const struct cf_envelope *e)
{
    return e->seen >= e->nnow + e->nbefore;
}

double cf_envelope_now(const struct cf_envelope *e)
{
    return fmax(e->now, 0) / (double) e->nnow;
}

double cf_envelope_before(const struct cf_envelope *e)
{
    return fmax(e->before, 0) / (double) e->nbefore;
}

void cf_levels_add(struct cf_levels *levels, double mean_square)
{
    double level_dB = 10 * log10(mean_square);

    levels->n++;
    if (!(level_dB >= CF_LEVEL_LOWEST_dB)) {
        levels->none++;
        return;
    }
    double class = floor((level_dB - CF_LEVEL_LOWEST_dB) * CF_LEVEL_PER_dB);
    levels->count[class < CF_LEVEL_CLASSES ? (size_t) class : CF_LEVEL_CLASSES - 1]++;
}

double cf_levels_quantile(const struct cf_levels *levels, double share)
{
    double below = (double) levels->none, wanted = ceil(share * (double) levels->n);
    size_t class = 0;

    if (below >= wanted)
        return 0;
    while (class + 1 < CF_LEVEL_CLASSES && below + (double) levels->count[class] < wanted)
        below += (double) levels->count[class ++];
    return pow(10, (CF_LEVEL_LOWEST_dB + ((double) class + 0.5) / CF_LEVEL_PER_dB) / 20);
}
