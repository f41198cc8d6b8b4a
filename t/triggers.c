/* Wrong triggers injected into throws that are followed forwards: how many are named, and how many
 * clean throws are cut. */

#include <gsl/gsl_rng.h>
#include <math.h>

#include "bench/throws.h"
#include "core/random.h"
#include "tap.h"

static const struct {
    const char *what;
    double e_at_1, b;
    struct throws throws;
} cases[] = {
    {"a golf ball",
     0.9,
     0.002,
     {.n = 400,
      .from_m_s = 4,
      .least_m_s = 0.6,
      .scatter = 0.013,
      .exponent = -0.6,
      .shift = 0.003,
      .jitter_s = 1e-4,
      .bad = 0.02,
      .bad_size = 0.03,
      .missed = 0.02,
      .spurious = 0.02,
      .drag_coefficient = 0.5}},
    {"a tennis ball",
     0.78,
     0.02,
     {.n = 1500,
      .from_m_s = 3.5,
      .least_m_s = 0.8,
      .scatter = 0.005,
      .shift = 0.003,
      .jitter_s = 3e-3,
      .bad = 0.02,
      .bad_size = 0.05,
      .missed = 0.02,
      .spurious = 0.02,
      .drag_coefficient = 0.5}},
    {"a soft ball",
     0.55,
     0.03,
     {.n = 400,
      .from_m_s = 4,
      .least_m_s = 0.3,
      .scatter = 0.01,
      .shift = 0.005,
      .jitter_s = 1e-3,
      .missed = 0.02,
      .spurious = 0.02}},
    {"a clean ball",
     0.85,
     0.03,
     {.n = 1000,
      .from_m_s = 4,
      .least_m_s = 0.4,
      .scatter = 0.008,
      .exponent = -0.5,
      .shift = 0.005,
      .jitter_s = 2e-4,
      .bad = 0.02,
      .bad_size = 0.06}},
};
enum { NCASE = sizeof cases / sizeof cases[0] };

static void test(int i, struct cf_curves *curves)
{
    const struct cf_pair pair = {.mass_kg = 0.05, .radius_m = 0.021, .gravity_m_s2 = 9.80665};
    const double p[] = {cases[i].e_at_1, cases[i].b};
    struct throws_count n = {0};
    gsl_rng *rng = cf_random_stream(17, (uint64_t) i);
    struct cf_grouping grouping;
    struct cf_dataset data;
    struct cf_error err = {""};

    ok(!throws_make(&cases[i].throws, cf_law_find("e-log"), p, pair, curves, rng, &data, &grouping,
                    &n, &err),
       "%s: %zu throws %s", cases[i].what, cases[i].throws.n, err.text);
    ok((double) (n.missed_named + n.spurious_named) >= 0.97 * (double) (n.missed + n.spurious),
       "%zu of %zu missed impacts and %zu of %zu spurious stamps are named", n.missed_named,
       n.missed, n.spurious_named, n.spurious);
    ok((double) n.clean_cut < 0.01 * (double) n.clean, "%zu of %zu clean throws are cut",
       n.clean_cut, n.clean);
    cf_dataset_clear(&data);
    cf_grouping_clear(&grouping);
    gsl_rng_free(rng);
}

TEST(triggers)
{
    struct cf_curves *curves = cf_curves_alloc();

    plan(3 * NCASE);
    for (int i = 0; i < NCASE; i++)
        test(i, curves);
    cf_curves_free(curves);
    return done();
}
