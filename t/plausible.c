/* What is plausible: a number inside and outside of every bound of every rule; materials and rigs
 * that exist raise none; and a wrong unit is named. */

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/plausibility.h"
#include "lab.h"
#include "tap.h"

/* A ball that hits a plate once; what is NAN is not measured. */
struct hit {
    const char *name;
    double mass_kg, diameter_m, speed_m_s, duration_s, depth_m, force_N, e_sigma, modulus_Pa;
};

static void put(struct cf_dataset *d, const char *column, double value, double sigma)
{
    size_t c = cf_protocol_channel(d->protocol, column);

    if (isnan(value))
        return;
    lab_put(d, 0, c, value, sigma);
    d->series[c].kind = sigma > 0 ? CF_SIGMA_GIVEN : CF_SIGMA_NONE;
}

static struct cf_plausibility judge(const struct hit *h)
{
    struct cf_dataset d;
    struct cf_spec spec;
    struct cf_plausibility found;
    struct cf_pair pair = lab_pair(h->mass_kg, h->diameter_m / 2);
    static const char *const free_names[] = {"e_at_1", "b", NULL};
    double e = 0.8;

    pair.gravity_m_s2 = 9.81;
    pair.modulus_Pa = h->modulus_Pa > 0 ? h->modulus_Pa : 0;
    pair.sphere[0] =
        (struct cf_sphere){.name = "ball", .mass_kg = h->mass_kg, .radius_m = h->diameter_m / 2};
    lab_dataset(&d, "restitution", 1, &h->speed_m_s, &e, h->e_sigma > 0 ? h->e_sigma : 0.01, pair);
    put(&d, "duration", h->duration_s, 0);
    put(&d, "depth", h->depth_m, 0);
    put(&d, "peak_force", h->force_N, 0);
    spec = lab_spec("e-log", free_names, &d, 1);
    cf_plausibility(&spec, NULL, &found, NULL);
    cf_dataset_clear(&d);
    return found;
}

static const struct cf_plausible *find(const struct cf_plausibility *all, const char *rule)
{
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->item[i].rule->name, rule) == 0)
            return &all->item[i];
    return NULL;
}

/* ---- bounds */

static const double none = NAN;

/* A hit of which the rule's number is x, by hand. */
struct bound {
    const char *rule;
    double low, high;   /* 0, INFINITY: no such end */
    double least, most; /* of what is possible */
    struct hit (*hit)(double x);
};

static struct hit plain(void)
{
    return (struct hit){"", 0.03, 0.04, 2, 1e-3, none, none, 0.01, 0};
}

static double volume(double diameter)
{
    return M_PI / 6 * gsl_pow_3(diameter);
}

static struct hit density(double x)
{
    struct hit h = plain();
    h.mass_kg = x * volume(h.diameter_m);
    return h;
}

static struct hit diameter(double x)
{
    struct hit h = plain();
    h.diameter_m = x;
    return h;
}

static struct hit mass(double x)
{
    struct hit h = plain();
    h.mass_kg = x;
    return h;
}

static struct hit modulus(double x)
{
    struct hit h = plain();
    h.modulus_Pa = x;
    return h;
}

static struct hit sound(double x)
{
    struct hit h = plain();
    h.modulus_Pa = x * x * h.mass_kg / volume(h.diameter_m);
    return h;
}

static struct hit sigma(double x)
{
    struct hit h = plain();
    h.e_sigma = 0.8 * x;
    return h;
}

static struct hit speed(double x)
{
    struct hit h = plain();
    h.speed_m_s = x;
    return h;
}

static struct hit flight(double x)
{
    struct hit h = plain();
    h.duration_s = x * 2 * h.speed_m_s / 9.81;
    return h;
}

static struct hit transits(double x)
{
    struct hit h = plain();
    h.duration_s = x * 2 * h.diameter_m / 2e4;
    return h;
}

static struct hit depth(double x)
{
    struct hit h = plain();
    h.depth_m = x * h.diameter_m / 2;
    return h;
}

static struct hit way(double x)
{
    struct hit h = plain();
    h.depth_m = x * h.speed_m_s * h.duration_s;
    return h;
}

static struct hit push(double x)
{
    struct hit h = plain();
    h.force_N = x * h.mass_kg * h.speed_m_s / h.duration_s;
    return h;
}

static struct hit weight(double x)
{
    struct hit h = plain();
    h.force_N = x * h.mass_kg * 9.81;
    return h;
}

static struct hit mach(double x)
{
    struct hit h = plain();
    h.modulus_Pa = gsl_pow_2(h.speed_m_s / x) * h.mass_kg / volume(h.diameter_m);
    return h;
}

static const struct bound bound[] = {
    {"density", 10, 25000, 1e-3, 1e5, density},
    {"diameter", 1e-7, 20, 1e-10, 1e6, diameter},
    {"mass", 1e-18, 1e5, 1e-27, 1e21, mass},
    {"effective modulus", 1e3, 1.2e12, 1, 1e13, modulus},
    {"speed of sound", 0.3, 2e4, 1e-3, 1e6, sound},
    {"sigma over size", 1e-8, 1, 1e-13, 1e3, sigma},
    {"impact speed", 1e-6, 1e3, 1e-9, 1e5, speed},
    {"contact time over flight", 0, 0.5, 0, 1e3, flight},
    {"contact time over that of sound through the sphere and back", 1, INFINITY, 1e-9, INFINITY,
     transits},
    {"greatest depth over radius", 0, 1, 0, 1e3, depth},
    {"greatest depth over speed times contact time", 0.05, 1, 1e-3, 100, way},
    {"peak force times contact time over momentum", 1, 20, 0.1, 1e3, push},
    {"peak force over weight", 1, INFINITY, 1e-5, INFINITY, weight},
    {"speed over speed of sound", 0, 0.5, 0, 1e4, mach},
};

static void at(const struct bound *b, double x, bool inside)
{
    struct hit h = b->hit(x);
    struct cf_plausibility found = judge(&h);
    const struct cf_plausible *p = find(&found, b->rule);

    ok(p && p->inside == inside && fabs(p->number / x - 1) < 1e-12, "%s %.9g is %s", b->rule, x,
       inside ? "plausible" : "not");
    cf_plausibility_clear(&found);
}

static void possible_at(const struct bound *b, double x, bool possible)
{
    struct hit h = b->hit(x);
    struct cf_plausibility found = judge(&h);
    const struct cf_plausible *p = find(&found, b->rule);

    ok(p && p->possible == possible && !p->inside, "%s %.9g is %s", b->rule, x,
       possible ? "possible" : "not possible");
    cf_plausibility_clear(&found);
}

static void limits(void)
{
    for (size_t i = 0; i < sizeof bound / sizeof *bound; i++) {
        if (bound[i].least > 0) {
            possible_at(&bound[i], bound[i].least * (1 + 1e-9), true);
            possible_at(&bound[i], bound[i].least * (1 - 1e-9), false);
        }
        if (isfinite(bound[i].most)) {
            possible_at(&bound[i], bound[i].most * (1 - 1e-9), true);
            possible_at(&bound[i], bound[i].most * (1 + 1e-9), false);
        }
    }
}

static void bounds(void)
{
    for (size_t i = 0; i < sizeof bound / sizeof *bound; i++) {
        if (bound[i].low > 0) {
            at(&bound[i], bound[i].low * (1 + 1e-9), true);
            at(&bound[i], bound[i].low * (1 - 1e-9), false);
        }
        if (isfinite(bound[i].high)) {
            at(&bound[i], bound[i].high * (1 - 1e-9), true);
            at(&bound[i], bound[i].high * (1 + 1e-9), false);
        }
    }
}

/* ---- what exists */

/* Handbook values: density [kg/m^3], Young's modulus [Pa], Poisson's ratio. */
static const struct {
    const char *name;
    double density, E, nu;
} material[] = {
    {"diamond", 3515, 1.05e12, 0.1},
    {"tungsten carbide", 15600, 6.5e11, 0.22},
    {"osmium", 22590, 5.6e11, 0.25},
    {"alumina", 3950, 3.7e11, 0.22},
    {"steel", 7850, 2.06e11, 0.3},
    {"copper", 8960, 1.2e11, 0.34},
    {"brass", 8500, 1e11, 0.34},
    {"aluminium", 2700, 7e10, 0.33},
    {"soda-lime glass", 2500, 7e10, 0.22},
    {"granite", 2700, 5e10, 0.25},
    {"lead", 11340, 1.6e10, 0.44},
    {"beech along the grain", 720, 1.4e10, 0.35},
    {"ice", 917, 9e9, 0.33},
    {"nylon", 1140, 2.5e9, 0.4},
    {"polyethylene", 930, 2e8, 0.45},
    {"cork", 180, 2e7, 0.1},
    {"rubber", 1100, 3e6, 0.499},
    {"polyurethane foam", 30, 5e4, 0.2},
    {"gelatine 10 %", 1030, 1e4, 0.499},
    {"soft hydrogel", 1005, 1.5e3, 0.499},
};

/* Balls as sold, at speeds of their tests, with contact times of that order as published. */
static const struct hit rig[] = {
    {"golf ball", 0.0459, 0.0427, 40, 4.5e-4, 0.01, NAN, 0, 0},
    {"tennis ball", 0.0577, 0.066, 25, 4.5e-3, 0.025, 1500, 0, 0},
    {"table tennis ball", 0.0027, 0.04, 5, 7e-4, NAN, NAN, 0, 0},
    {"croquet ball", 0.45, 0.092, 2, 1e-3, NAN, NAN, 0, 0},
    {"basketball", 0.62, 0.24, 6, 0.016, 0.03, NAN, 0, 0},
    {"football", 0.43, 0.22, 20, 9e-3, 0.06, 2500, 0, 0},
    {"baseball", 0.145, 0.0735, 40, 1e-3, 0.015, 18000, 0, 0},
    {"cricket ball", 0.159, 0.0722, 30, 1.1e-3, NAN, NAN, 0, 0},
    {"squash ball", 0.0235, 0.04, 30, 3e-3, NAN, NAN, 0, 0},
    {"billiard ball", 0.17, 0.0572, 1, 3e-4, NAN, NAN, 0, 0},
    {"superball", 0.047, 0.045, 3, 3e-3, NAN, NAN, 0, 0},
    {"bearing ball on steel", 0.00407, 0.01, 1, 4e-5, NAN, NAN, 0, 0},
    {"steel ball from a gas gun", 0.00088, 0.006, 300, 1.5e-5, NAN, NAN, 0, 0},
    {"glass bead", 3.5e-5, 0.003, 1.2, 1.1e-5, NAN, NAN, 0, 0},
    {"cellulose acetate sphere", 0.00015, 0.006, 1, 6e-5, NAN, NAN, 0, 0},
    {"hailstone", 0.0075, 0.025, 22, 1e-4, NAN, NAN, 0, 0},
    {"ice ball on a pendulum", 0.06, 0.05, 0.01, 3e-4, NAN, NAN, 0, 0},
    {"head form", 4.8, 0.165, 3.5, 0.012, 0.02, 2500, 0, 0},
    {"wrecking ball", 2100, 0.8, 5, 5e-3, NAN, NAN, 0, 0},
    {"silica colloid", 1e-12, 1e-5, 1, 5e-8, NAN, NAN, 0, 0},
};

/* Bodies that are unusual, and exist. All numbers are of the order that such bodies have, none is a
 * record; works are named where such a body is described. Density ranges over seven decades. */
static const struct hit odd[] = {
    /* rubber alone, 12 inches, as sold; it floats on the air inside */
    {"a party balloon", 3.2e-3, 0.3, 1, 0.03, NAN, NAN, 0, 0},
    /* 30.5 m of foil, 71 kg: NASA's Echo 1, 1960; in space, and never hit but by dust */
    {"Echo 1", 71, 30.48, 0.1, 1, NAN, NAN, 0, 4e9},
    /* a film of 1 um about 5 cm of air */
    {"a soap bubble", 7.9e-6, 0.05, 0.2, 0.03, NAN, NAN, 0, 0},
    /* expanded polystyrene of 15 kg/m^3, EN 13163's lightest kind */
    {"a foam ball", 7.9e-3, 0.1, 2, 2e-3, NAN, NAN, 0, 3e6},
    {"a beach ball", 0.1, 0.4, 3, 0.03, 0.05, NAN, 0, 0},
    /* 65 cm, 1.2 kg: as sold for gymnastics */
    {"a gymnastic ball", 1.2, 0.65, 2, 0.09, 0.1, NAN, 0, 0},
    /* silica aerogel of 3 kg/m^3: Hrubesh 1990 */
    {"a bead of aerogel", 1.26e-8, 2e-3, 0.3, 1e-3, NAN, NAN, 0, 1e4},
    /* glass of 80 mm and 20 g, by Young's modulus of glass */
    {"a glass ornament", 0.02, 0.08, 0.2, 3e-4, NAN, NAN, 0, 7.3e10},
    /* 10 kg in all, of which one end of 105 mm hits: 16,500 kg/m^3 as one sphere */
    {"a dumbbell", 10, 0.105, 1, 1e-3, NAN, NAN, 0, 2.2e11},
    /* quartz of 10 um */
    {"a grain of dust", 1.4e-12, 1e-5, 5, 5e-9, NAN, NAN, 0, 7.5e10},
    /* ragweed, 19 um, 1.2 g/cm^3: Harrington & Metzger 1963 */
    {"a grain of pollen", 4.3e-12, 1.9e-5, 0.02, 1e-8, NAN, NAN, 0, 1e9},
    /* 16 lb and 8.5 inches at most: USBC */
    {"a bowling ball", 7.26, 0.216, 7, 1e-3, NAN, NAN, 0, 3e9},
    /* pneumatic, 3.3 m across and 6.5 m long, 3.1 t: ISO 17357 */
    {"a ship fender", 3100, 3.3, 0.3, 2, 0.5, NAN, 0, 0},
    /* 60,000 t at 0.15 m/s, 4 s of contact, 4 MN, on its hull's radius: PIANC 2002 */
    {"a ship at its fender", 6e7, 30, 0.15, 4, 0.4, 4e6, 0, 0},
    /* a ball of demolition, 5 t of steel */
    {"a wrecking ball", 5000, 1.07, 4, 5e-3, NAN, NAN, 0, 2.2e11},
    /* sintered tungsten, 18,500 kg/m^3 */
    {"a shot of tungsten", 1.21e-3, 5e-3, 400, 2e-5, NAN, NAN, 0, 4e11},
    {"a bead of osmium", 2.96e-4, 2.924e-3, 0.5, 2e-5, NAN, NAN, 0, 6e11},
    /* C60, 720 u and 0.71 nm, off graphite at 800 m/s: Beck et al. 1991 */
    {"a fullerene", 1.196e-24, 7.1e-10, 800, 5e-12, NAN, NAN, 0, 1e10},
    /* 151 m and 4.3e9 kg, hit at 6.1 km/s: Daly et al. 2023 */
    {"Dimorphos", 4.3e9, 151, 6144, 5e-3, NAN, NAN, 0, 1e9},
    /* polyacrylamide of 98 % water, 4 kPa */
    {"a bead of hydrogel", 5.3e-4, 0.01, 0.1, 0.02, 1.5e-3, NAN, 0, 4e3},
    /* 9 mm, 8 g, 0.6 m of gelatine in 4 ms */
    {"a bullet in gelatine", 8e-3, 9e-3, 350, 4e-3, 0.6, 900, 0, 2e5},
};

/* What exists is possible, though it may be unusual. */
static void odd_bodies(void)
{
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct cf_plausibility found = judge(&odd[i]);
        bool all = found.n >= 5;
        for (size_t k = 0; k < found.n; k++)
            if (!found.item[k].possible) {
                char *text = cf_impossible_text(&found.item[k]);
                printf("# %s\n", text);
                free(text);
                all = false;
            }
        ok(all, "%s is possible", odd[i].name);
        cf_plausibility_clear(&found);
    }
}

static void existing(const struct hit *h)
{
    struct cf_plausibility found = judge(h);
    bool all = found.n >= 5;

    for (size_t i = 0; i < found.n; i++)
        if (!found.item[i].inside) {
            char *text = cf_plausible_text(&found.item[i]);
            printf("# %s\n", text);
            free(text);
            all = false;
        }
    ok(all, "%s is plausible", h->name);
    cf_plausibility_clear(&found);
}

static void what_exists(void)
{
    for (size_t i = 0; i < sizeof material / sizeof *material; i++) {
        struct hit h = {material[i].name,
                        material[i].density * volume(0.02),
                        0.02,
                        0.1,
                        none,
                        none,
                        none,
                        0,
                        0};
        h.modulus_Pa = cf_effective_modulus(material[i].E, material[i].nu, INFINITY, 0);
        existing(&h);
    }
    for (size_t i = 0; i < sizeof rig / sizeof *rig; i++)
        existing(&rig[i]);
}

/* ---- slips */

static void slip(const struct hit *h, const char *rule, const char *want)
{
    struct cf_plausibility found = judge(h);
    const struct cf_plausible *p = find(&found, rule);

    is_str(p && p->slip ? p->slip : "(none)", want, "%s of %s", rule, h->name);
    cf_plausibility_clear(&found);
}

static void slips(void)
{
    static const struct hit grams = {"a mass in g", 24, 0.045, 3, 3e-3, NAN, NAN, 0, 0};
    static const struct hit millimetres = {"a diameter in mm", 0.024, 45, 3, 3e-3, NAN, NAN, 0, 0};
    static const struct hit both = {"g and mm", 24, 45, 3, 3e-3, NAN, NAN, 0, 0};
    static const struct hit stamps = {"milliseconds", 0.024, 0.045, 3, 3, NAN, NAN, 0, 0};
    static const struct hit deep = {"a depth in mm", 0.024, 0.045, 3, 3e-3, 3, NAN, 0, 0};
    static const struct hit fast = {"cm/s", 0.024, 0.045, 2000, 3e-3, NAN, NAN, 0, 0};
    static const struct hit wide = {"sigma in per cent", 0.024, 0.045, 3, 3e-3, NAN, NAN, 2, 0};

    slip(&grams, "density", "the mass in g");
    slip(&millimetres, "density", "the diameter in mm");
    slip(&both, "density", "the diameter in mm, and the mass in g");
    slip(&stamps, "contact time over flight", "the duration in ms");
    slip(&deep, "greatest depth over radius", "the depth in mm");
    slip(&fast, "impact speed", "the speed in cm/s");
    slip(&wide, "sigma over size",
         "sigma in per cent, or in the column's unit (state it, as in 1 % or 10 us)");
}

TEST(plausible)
{
    plan(160);
    gsl_set_error_handler_off();
    bounds();
    limits();
    what_exists();
    odd_bodies();
    slips();
    return done();
}
