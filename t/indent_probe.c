/* Indentations over the volume of the probe: forces of each shape at each attitude by formulas that
 * are written out here, with all derivatives by differences; starts by hand; probes that are none,
 * and laws that need one.
 */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/protocol.h"
#include "lab.h"
#include "tap.h"

enum { MOST = CF_MAX_PARAM + 32, MOST_STATED = 8 };
enum { DEPTH, TIME, RATE, DIRECTION, FORCE };

static const double pi = 3.14159265358979323846;

struct number {
    const char *name;
    double value;
};

/* A probe, pressed in by z at a rate of 2 mm/s, and the volume that it then has. */
struct row {
    const char *what;
    struct number stated[MOST_STATED];
    double z, volume;
};

static const struct cf_protocol *indent(void)
{
    return cf_protocol_find("indent");
}

static size_t place(const char *name)
{
    return cf_param_find(indent()->apparatus, indent()->napparatus, name);
}

static double square(double x)
{
    return x * x;
}

/* A cone of half-angle t, tilted: its quadric's volume under a plane. */
static double tilted_cone(double t, double tilt, double z)
{
    return pi / 3 * z * z * z / tan(t) / pow(square(cos(tilt) / tan(t)) - square(sin(tilt)), 1.5);
}

/* By a difference of fourth order: central, or forward. */
static double slope_at(struct cf_dataset *d, double value[], double *x, double h, bool forward)
{
    static const double step[2][5] = {{-2, -1, 0, 1, 2}, {0, 1, 2, 3, 4}},
                        weight[2][5] = {{1, -8, 0, 8, -1}, {-25, 48, -36, 16, -3}};
    const struct cf_law *law = cf_law_find("winkler");
    double kept = *x, sum = 0;

    for (int i = 0; i < 5; i++) {
        *x = kept + step[forward][i] * h;
        sum +=
            weight[forward][i] * lab_reading(NULL, d, law, FORCE, value, 0, NULL, NULL) / (12 * h);
    }
    *x = kept;
    return sum;
}

static void test(const struct row *r, double compliance)
{
    const struct cf_law *law = cf_law_find("winkler");
    double value[MOST] = {3e9, 12}, by[MOST], by_depth, force, y, worst = 0, rate = 2e-3;
    size_t n = law->nparam, tilt = n + place("tilt"), contact = n + place("contact");
    struct cf_dataset d = {0};
    struct cf_error err;

    for (size_t i = 0; i < indent()->napparatus; i++)
        value[n + i] = indent()->apparatus[i].typical;
    for (int i = 0; i < MOST_STATED && r->stated[i].name; i++)
        value[n + place(r->stated[i].name)] = r->stated[i].value;
    value[contact] = 1e-3;
    value[n + place("compliance")] = compliance;
    value[n + place("adhesion_range")] = 1e-4; /* all derivatives are asked for */
    force =
        3e9 * r->volume * (1 + 12 * rate); /* at rest where it gives way, for the rate changes */
    if (compliance > 0) {
        rate = 0;
        force = 3e9 * r->volume;
    }
    cf_dataset_alloc(&d, indent(), 1, &err);
    cf_dataset_put(&d, 0, DEPTH, 1e-3 + r->z + compliance * force, 0, &err);
    cf_dataset_put(&d, 0, RATE, rate, 0, &err);
    y = lab_reading(NULL, &d, law, FORCE, value, 0, by, &by_depth);
    ok(fabs(y / force - 1) < 1e-11, "%s: %.9g N, %.1e off", r->what, y, y / force - 1);
    cf_dataset_put(&d, 0, RATE, 2e-3, 0, &err);
    lab_reading(NULL, &d, law, FORCE, value, 0, by, &by_depth);
    for (int k = 0; k < 4; k++) {
        double *x = k < 2 ? &value[k] : k == 2 ? &value[contact] : &value[tilt];
        size_t at = k < 2 ? (size_t) k : k == 2 ? contact : tilt;
        double h = k < 2 ? 1e-3 * value[k] : 1e-4 * r->z, want;
        if (k == 3 && value[n + place("sphere_radius")] > 0)
            continue;
        want = slope_at(&d, value, x, k == 3 ? 1e-5 : h, k == 3 && value[tilt] == 0);
        worst = fmax(worst, fabs(by[at] - want) / fmax(fabs(want), 1e-3));
    }
    double want = slope_at(&d, value, &d.series[DEPTH].value[0], 1e-4 * r->z, false);
    worst = fmax(worst, fabs(by_depth - want) / fmax(fabs(want), 1e-3));
    ok(worst < 1e-6, "its derivatives are %.0e off", worst);
    cf_dataset_clear(&d);
}

static void test_shapes(void)
{
    const double s = sin(0.1), c = cos(0.1), s3 = sin(0.3), c3 = cos(0.3);
    const struct row rows[] = {
        {"sphere", {{"sphere_radius", 5e-3}}, 4e-4, pi * 16e-8 * (5e-3 - 4e-4 / 3)},
        {"punch", {{"cylinder_radius", 1e-3}, {"cylinder_length", 0.02}}, 4e-4, pi * 4e-10},
        {"punch, tilted, its end face in",
         {{"cylinder_radius", 1e-3}, {"cylinder_length", 0.02}, {"tilt", 0.1}},
         4e-4,
         pi * 1e-6 * (4e-4 - 1e-3 * s) / c},
        {"cone",
         {{"cone_radius", 3e-3}, {"cone_half_angle", 1}},
         4e-4,
         pi / 3 * square(tan(1)) * 64e-12},
        {"cone, tilted",
         {{"cone_radius", 3e-3}, {"cone_half_angle", 1}, {"tilt", 0.3}},
         4e-4,
         tilted_cone(1, 0.3, 4e-4)},
        {"box",
         {{"box_length", 2e-3}, {"box_width", 1e-3}, {"box_height", 3e-3}},
         4e-4,
         2e-3 * 1e-3 * 4e-4},
        {"box on an edge of its width",
         {{"box_length", 2e-3}, {"box_width", 1e-3}, {"box_height", 3e-3}, {"tilt", 0.3}},
         4e-4,
         1e-3 * 16e-8 / (2 * s3 * c3)},
        {"box, tilted, its face in",
         {{"box_length", 2e-3}, {"box_width", 1e-3}, {"box_height", 3e-3}, {"tilt", 0.1}},
         4e-4,
         2e-6 * (4e-4 - 1e-3 * s) / c},
        {"box on an edge of its length",
         {{"box_length", 2e-3},
          {"box_width", 1e-3},
          {"box_height", 3e-3},
          {"tilt", 0.3},
          {"tilt_towards", pi / 2}},
         2e-4,
         2e-3 * 4e-8 / (2 * s3 * c3)},
        {"box on a corner",
         {{"box_length", 2e-3},
          {"box_width", 2e-3},
          {"box_height", 3e-3},
          {"tilt", 0.3},
          {"tilt_towards", 0.7}},
         1e-4,
         1e-12 / (6 * s3 * cos(0.7) * s3 * sin(0.7) * c3)},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test(&rows[i], 0);
        test(&rows[i], 1e-6);
    }
}

/* A record of a probe, loading alone, of V(z) by hand; its starts. */
static void test_hand(void)
{
    enum { N = 200 };
    const struct cf_law *law = cf_law_find("winkler");
    struct cf_hand start[CF_MOST_HAND];
    struct cf_dataset d = {0};
    struct cf_error err;

    cf_dataset_alloc(&d, indent(), 2 * N, &err);
    d.apparatus[place("sphere_radius")] = 5e-3;
    for (size_t i = 0; i < 2 * N; i++) {
        bool back = i >= N;
        double z = ((back ? 2. * N - 1 - (double) i : (double) i) / (N - 1) - 0.25) * 8e-4;
        double rate = back ? -1e-3 : 1e-3;
        double V = z > 0 ? pi * z * z * (5e-3 - z / 3) : 0;
        cf_dataset_put(&d, i, DEPTH, z, 0, &err);
        cf_dataset_put(&d, i, RATE, rate, 0, &err);
        cf_dataset_put(&d, i, DIRECTION, back ? -1 : 1, 0, &err);
        cf_dataset_put(&d, i, FORCE, 3e9 * V * (1 + 40 * rate), 1e-6, &err);
    }
    bool found = indent()->hand(&d, law, start, &err) == CF_OK;
    ok(found && start[0].value > 2e9 && start[0].value < 4.5e9 && start[1].value > 25 &&
           start[1].value < 60,
       "kv and a by hand: %.3g N/m^3, %.3g s/m", start[0].value, start[1].value);
    d.apparatus[place("sphere_radius")] = 0;
    for (size_t i = 0; i < CF_MOST_HAND; i++)
        start[i] = (struct cf_hand){(double) NAN, (double) NAN};
    ok(!indent()->hand(&d, law, start, &err) && isnan(start[0].value) && isnan(start[1].value),
       "none without a shape");
    cf_dataset_clear(&d);
}

static void refused(const struct number stated[], const char *law, const char *want)
{
    struct cf_dataset d = {0};
    struct cf_error err = {""};

    cf_dataset_alloc(&d, indent(), 1, &err);
    for (int i = 0; i < MOST_STATED && stated[i].name; i++)
        d.apparatus[place(stated[i].name)] = stated[i].value;
    ok(indent()->check_law(&d, cf_law_find(law), &err) != CF_OK, "refused: %s", want);
    is_str(err.text, want, "in these words");
    cf_dataset_clear(&d);
}

static void not_free(const struct number stated[], const char *name, const char *want)
{
    struct cf_dataset d = {0};
    struct cf_error err = {""};

    cf_dataset_alloc(&d, indent(), 1, &err);
    for (int i = 0; i < MOST_STATED && stated[i].name; i++)
        d.apparatus[place(stated[i].name)] = stated[i].value;
    ok((indent()->check_free(&d, place(name), &err) != CF_OK) == (want != NULL), "free: %s", name);
    is_str(err.text, want ? want : "", "in these words");
    cf_dataset_clear(&d);
}

static void test_refused(void)
{
    const struct number none[MOST_STATED] = {{NULL, 0}};
    const struct number two[MOST_STATED] = {{"sphere_radius", 5e-3}, {"box_width", 1e-3}};
    const struct number part[MOST_STATED] = {{"cylinder_radius", 1e-3}};
    const struct number cone[MOST_STATED] = {{"cone_radius", 1e-3}};
    const struct number ball[MOST_STATED] = {{"sphere_radius", 5e-3}};
    const struct number turned[MOST_STATED] = {{"sphere_radius", 5e-3}, {"tilt", 0.1}};
    const struct number hovers[MOST_STATED] = {{"tilt", 0.1}};
    const struct number round[MOST_STATED] = {
        {"cylinder_radius", 1e-3}, {"cylinder_length", 1e-2}, {"tilt_towards", 1}};
    const struct number punch[MOST_STATED] = {{"cylinder_radius", 1e-3}, {"cylinder_length", 1e-2}};
    const struct number tiny[MOST_STATED] = {{"sphere_radius", 1e-12}};

    refused(none, "winkler",
            "winkler is a force over the volume of the probe that is pressed in: state its shape, "
            "as apparatus: {sphere_radius: 5 mm}");
    refused(two, "winkler", "sphere_radius and box_length: one shape of the probe is wanted");
    refused(part, "winkler", "a cylinder as a probe needs its cylinder_length, too");
    refused(cone, "winkler", "a cone as a probe needs its cone_half_angle, too");
    refused(turned, "winkler", "tilt: a sphere is the same at any tilt");
    refused(hovers, "winkler",
            "tilt: of a probe without a shape nothing is tilted: state its sizes, as "
            "cylinder_radius and cylinder_length");
    refused(round, "winkler", "tilt_towards: a cylinder is the same to all sides: it is of a box");
    refused(tiny, "winkler", "radius = 1e-12 m: must be in [1e-09, 1e+06]");
    refused(ball, "gonthier-volumetric",
            "the damping of gonthier-volumetric depends on the speed at impact, which an "
            "indentation does not have: fit winkler");
    not_free(ball, "sphere_radius",
             "sphere_radius is measured on the probe, and kv goes with it: state it under "
             "apparatus");
    not_free(ball, "tilt", "tilt: a sphere is the same at any tilt");
    not_free(punch, "tilt", NULL);
}

TEST(indent_probe)
{
    plan(40 + 2 + 24);
    test_shapes();
    test_hand();
    test_refused();
    return done();
}
