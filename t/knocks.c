/* Where the knock of a tap is: many records of a quiet and a ring-down, of other noise each, with
 * few quiet rows and with many, with noise that is white and that has a memory. All are synthetic.
 */

#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/random.h"
#include "experiment/protocol.h"
#include "tap.h"

enum { RING = 400, RECORDS = 400 };

struct kind {
    const char *channel;
    size_t quiet; /* rows before the knock */
    double ratio; /* of the first speed or swing to the noise's sd */
    double memory;
    double late; /* rows by which it may be seen late */
};

static const struct kind kinds[] = {
    {"velocity", 5, 500, 0, 0},      {"velocity", 8, 500, 0, 0},
    {"velocity", 50, 500, 0, 0},     {"velocity", 50, 40, 0, 0},
    {"velocity", 400, 1e6, 0, 0},    {"velocity", 50, 500, 0.9, 0},
    {"displacement", 50, 500, 0, 3}, {"displacement", 50, 500, 0.9, 3},
    {"displacement", 8, 500, 0, 3},  {"acceleration", 30, 200, 0.5, 1},
};

/* A ring-down that begins `quiet` rows in, its period 40 rows. */
static double signal_at(const struct kind *k, size_t row)
{
    double since = (double) row - (double) k->quiet + 0.5, w = 2 * M_PI / 40;

    if (since < 0)
        return 0;
    return exp(-since / 100) * (k->channel[0] == 'd' ? sin(w * since) : cos(w * since));
}

static size_t channel_of(const struct cf_protocol *protocol, const char *name)
{
    size_t c = 0;

    while (strcmp(protocol->channel[c].name, name) != 0)
        c++;
    return c;
}

/* By how many rows the knock is off; NAN, and a remark, where none is found. */
static double off_by(const struct kind *k, unsigned seed)
{
    const struct cf_protocol *protocol = cf_protocol_find("tap");
    size_t n = k->quiet + RING;
    struct cf_record_about about = {0};
    size_t time = channel_of(protocol, "time"), seen = channel_of(protocol, k->channel);
    size_t knock = cf_param_find(protocol->apparatus, protocol->napparatus, "knock");
    gsl_rng *rng = cf_random_stream(seed, 0);
    double error = gsl_ran_ugaussian(rng), found;
    struct cf_dataset d = {0};
    struct cf_error err;

    if (cf_dataset_alloc(&d, protocol, n, &err))
        return NAN;
    for (size_t i = 0; i < n; i++) {
        error = k->memory * error + sqrt(1 - k->memory * k->memory) * gsl_ran_ugaussian(rng);
        cf_dataset_put(&d, i, time, 1e-3 * (double) i, 0, &err);
        cf_dataset_put(&d, i, seen, 0.3 + signal_at(k, i) + error / k->ratio, 0, &err);
    }
    if (protocol->complete(&d, &about, NULL, 0, &err)) {
        printf("# %s\n", err.text);
        found = NAN;
    } else {
        found = d.apparatus[knock] / 1e-3 - (double) k->quiet;
    }
    gsl_rng_free(rng);
    cf_dataset_clear(&d);
    return found;
}

TEST(knocks)
{
    plan((int) (sizeof kinds / sizeof kinds[0]));
    for (const struct kind *k = kinds; k < kinds + sizeof kinds / sizeof kinds[0]; k++) {
        double early = 0, late = 0;
        size_t missed = 0;
        for (unsigned seed = 1; seed <= RECORDS; seed++) {
            double off = off_by(k, seed);
            missed += isnan(off);
            early = fmax(early, -off);
            late = fmax(late, off);
        }
        ok(missed == 0 && early < 0.5 && late < k->late + 0.5,
           "%s, %zu quiet rows, noise 1/%g with memory %g: missed %zu, %g rows early, %g late",
           k->channel, k->quiet, k->ratio, k->memory, missed, early, late);
    }
    return done();
}
