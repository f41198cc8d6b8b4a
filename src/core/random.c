/* Philox 4x64-10 (Salmon, Moraes, Dror & Shaw 2011, SC'11, "Parallel random numbers: as easy as
 * 1, 2, 3"): the key is (seed, index), the counter counts blocks of four words. */

#include "core/random.h"

#include <Random123/philox.h>
#include <limits.h>
#include <string.h>

enum { WORDS = 4 };

struct stream {
    philox4x64_key_t key;
    philox4x64_ctr_t counter; /* of the next block */
    philox4x64_ctr_t block;
    unsigned used; /* words of the block that were given out */
};

static uint64_t next_word(struct stream *s)
{
    if (s->used == WORDS) {
        s->block = philox4x64(s->counter, s->key);
        s->used = 0;
        /* 2^64 blocks are never used up: the higher words of the counter stay 0 */
        s->counter.v[0]++;
    }
    return s->block.v[s->used++];
}

static unsigned long get(void *state)
{
    return (unsigned long) next_word(state);
}

/* in [0, 1), all 53 bits of a double */
static double get_double(void *state)
{
    return (double) (next_word(state) >> 11) * 0x1p-53;
}

static void start(struct stream *s, uint64_t seed, uint64_t index)
{
    memset(s, 0, sizeof *s);
    s->key.v[0] = seed;
    s->key.v[1] = index;
    s->used = WORDS;
}

static void set(void *state, unsigned long seed)
{
    start(state, seed, 0);
}

static const gsl_rng_type philox = {
    .name = "philox4x64",
    .max = ULONG_MAX,
    .min = 0,
    .size = sizeof(struct stream),
    .set = set,
    .get = get,
    .get_double = get_double,
};

gsl_rng *cf_random_stream(uint64_t seed, uint64_t index)
{
    gsl_rng *r = gsl_rng_alloc(&philox);
    if (r)
        start(gsl_rng_state(r), seed, index);
    return r;
}
