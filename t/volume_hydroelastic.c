/* Estimates of hydroelastic contact: Drake's table of a 1 kg object, closed forms and exact volumes
 * against formulas written out here, thin slices, the way back from force to depth, the stiffness
 * by all that it can be given by, and what is refused.
 */

#include <math.h>
#include <string.h>

#include "lib/volumes.h"
#include "tap.h"
#include "volume/hydroelastic.h"

static const double pi = 3.14159265358979323846, deg = 3.14159265358979323846 / 180;
static const struct cf_hydroelastic_stiffness nothing = {NAN, {NAN, NAN}, {NAN, NAN}};

static const struct cf_hydroelastic *shape(const char *name)
{
    return cf_hydroelastic_find(name);
}

static double off(double got, double want)
{
    return fabs(got / want - 1);
}

/* kv of one modulus, or of two. */
static double kv_of(const char *name, const double size[], double modulus, double modulus_2)
{
    struct cf_hydroelastic_stiffness s = nothing;

    s.modulus_Pa[0] = modulus;
    s.modulus_Pa[1] = modulus_2;
    return cf_hydroelastic_stiffness(shape(name), size, &s, NULL) ? NAN : s.kv_N_m3;
}

static double depth_under(const char *name, const double size[], double kv, double force, int form)
{
    struct cf_hydroelastic_contact c[CF_HYDROELASTIC_NFORM];

    return cf_hydroelastic_under(shape(name), size, kv, force, c, NULL) ? NAN : c[form].depth_m;
}

static double force_at(const char *name, const double size[], double kv, double depth, int form)
{
    struct cf_hydroelastic_contact c[CF_HYDROELASTIC_NFORM];

    return cf_hydroelastic_at(shape(name), size, kv, depth, c, NULL) ? NAN : c[form].force_N;
}

/* As printed there, in millimetres; the cylinder has a radius of 5 cm. */
static void test_table(void)
{
    static const struct {
        double modulus, sphere, cylinder;
    } row[] = {
        {1e6, 1.767, 6.2e-2}, {1e7, 0.559, 6.2e-3}, {1e8, 0.177, 6.2e-4}, {1e9, 0.056, 6.2e-5}};
    const double size[] = {0.05};
    int good = 0;

    for (int i = 0; i < 4; i++) {
        double kv = row[i].modulus / 0.05;
        double s = 1e3 * depth_under("hydroelastic-sphere", size, kv, 9.81, CF_HYDROELASTIC_CLOSED);
        double c =
            1e3 * depth_under("hydroelastic-cylinder", size, kv, 9.81, CF_HYDROELASTIC_CLOSED);
        good += fabs(s - row[i].sphere) <= 0.5e-3 && fabs(c / row[i].cylinder - 1) < 0.05 / 6.2;
    }
    ok(good == 4, "Drake's table of a 1 kg object, to the digits that it has");
}

/* E = 10 MPa, x = 1 mm. The cone of 30 deg has tan^2 = 1/3 and (1 + sin)/(1 - sin) = 3. */
static void test_closed_forms(void)
{
    static const struct {
        const char *name;
        double size[2], modulus_2, force;
    } row[] = {
        {"hydroelastic-sphere", {0.07}, NAN, 31.415926535897932},
        {"hydroelastic-cylinder", {0.07}, NAN, 2199.1148575128553},
        {"hydroelastic-cone", {0.05, 0.52359877559829887}, NAN, 0.12091995761561452},
        /* R1 R2/(R1 + R2)^2 = 0.004/0.0169 of a sphere on a rigid half-space */
        {"hydroelastic-spheres", {0.05, 0.08}, 1e7, 7.435722257017264},
        /* R = 0.4/13 m, kv = 1/(0.05/1e7 + 0.08/4e7) */
        {"hydroelastic-spheres", {0.05, 0.08}, 4e7, 13.809198477317771},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double kv = kv_of(row[i].name, row[i].size, 1e7, row[i].modulus_2);
        double f = force_at(row[i].name, row[i].size, kv, 1e-3, CF_HYDROELASTIC_CLOSED);
        double x = depth_under(row[i].name, row[i].size, kv, row[i].force, CF_HYDROELASTIC_CLOSED);
        ok(off(f, row[i].force) < 1e-12 && off(x, 1e-3) < 1e-12, "%s: %.13g N at 1 mm", row[i].name,
           f);
    }
}

/* The lens of two spheres by the distance d of their centres. */
static double lens(double R, double r, double x)
{
    double d = R + r - x;

    return pi * x * x * (d * d + 2 * d * (r + R) - 3 * (r - R) * (r - R)) / (12 * d);
}

static double exact_by_hand(int i, const double size[], double x)
{
    double t = tan(size[1]);

    switch (i) {
    case 0:
        return pi * x * x * (size[0] - x / 3);
    case 1:
        return lens(size[0], size[1], x);
    case 2:
        return pi * size[0] * size[0] * x;
    default:
        return pi / 3 * t * t * x * x * x;
    }
}

/* At 1e-9 to 1 of the greatest depth: the exact volume, and the depth from it. */
static void test_exact_volumes(void)
{
    static const char *const name[] = {"hydroelastic-sphere", "hydroelastic-spheres",
                                       "hydroelastic-cylinder", "hydroelastic-cone"};
    static const double size[4][2] = {{0.05}, {0.05, 0.08}, {0.05}, {0.05, 1.1}};

    for (int i = 0; i < 4; i++) {
        double worst = 0, back = 0, area = 0;
        for (double part = 1e-9; part < 1.1; part *= 10) {
            double x = part * shape(name[i])->limit(size[i]), v, a, v_up, v_down, a_none,
                   h = 1e-4 * x;
            double want = exact_by_hand(i, size[i], x);
            double f = force_at(name[i], size[i], 3e7, x, CF_HYDROELASTIC_EXACT);
            worst = keep_worst(worst, off(f, 3e7 * want));
            back = keep_worst(
                back,
                off(depth_under(name[i], size[i], 3e7, f * (1 - 1e-15), CF_HYDROELASTIC_EXACT), x));
            x *= 0.99;
            shape(name[i])->exact(size[i], x, &v, &a, NULL);
            shape(name[i])->exact(size[i], x + h, &v_up, &a_none, NULL);
            shape(name[i])->exact(size[i], x - h, &v_down, &a_none, NULL);
            area = keep_worst(area, off((v_up - v_down) / (2 * h), a));
        }
        ok(worst < 1e-12, "%s: the exact volume (%.0e)", name[i], worst);
        ok(back < 1e-12, "%s: the depth from it (%.0e)", name[i], back);
        ok(area < 2e-8, "%s: the area is its slope (%.0e)", name[i], area);
    }
}

/* By the closed form a sphere is off by x/(3 R), which the exact depth makes up for. */
static void test_both_forms(void)
{
    const double size[] = {0.05};
    double x = depth_under("hydroelastic-sphere", size, 1e6, 15, CF_HYDROELASTIC_EXACT);
    double closed = depth_under("hydroelastic-sphere", size, 1e6, 15, CF_HYDROELASTIC_CLOSED);

    ok(off(closed, sqrt(15 / (pi * 1e6 * 0.05))) < 1e-14, "sphere: closed form of the depth");
    ok(x > closed && off(pi * x * x * (0.05 - x / 3), 15e-6) < 1e-12, "and the exact one");
    ok(depth_under("hydroelastic-sphere", size, 1e6, 0, CF_HYDROELASTIC_EXACT) == 0 &&
           force_at("hydroelastic-sphere", size, 1e6, 0, CF_HYDROELASTIC_EXACT) == 0,
       "no force, no depth");
}

static void test_stiffness(void)
{
    const double ball[] = {0.05}, cone[] = {0.03, 25 * deg}, two[] = {0.05, 0.08};
    struct cf_hydroelastic_stiffness s = nothing;
    double kv, a = 4e-3, weight = 9.81;

    s.modulus_Pa[0] = 1e7;
    s.thickness_m[0] = 0.01;
    s.modulus_Pa[1] = 3e6;
    s.thickness_m[1] = 0.02;
    ok(!cf_hydroelastic_stiffness(shape("hydroelastic-sphere"), ball, &s, NULL) &&
           off(s.kv_N_m3, 1 / (0.01 / 1e7 + 0.02 / 3e6)) < 1e-14,
       "ball and half-space in series");
    s = nothing;
    s.kv_N_m3 = 2e8;
    ok(!cf_hydroelastic_stiffness(shape("hydroelastic-cone"), cone, &s, NULL) &&
           off(s.modulus_Pa[0], 2e8 * 0.03 * sqrt((1 - sin(25 * deg)) / (1 + sin(25 * deg)))) <
               1e-13,
       "the modulus of a kv, by the incircle of the cone");
    s = nothing;
    s.kv_N_m3 = 2.0001e8;
    s.modulus_Pa[0] = 1e7;
    ok(!cf_hydroelastic_stiffness(shape("hydroelastic-sphere"), ball, &s, NULL) &&
           s.kv_N_m3 == 2.0001e8,
       "kv and a modulus that say the same");
    ok(!cf_hydroelastic_kv_of_radius(shape("hydroelastic-sphere"), ball, weight, a, &kv, NULL) &&
           off(kv, 4 * weight * 0.05 / (pi * a * a * a * a)) < 1e-13,
       "kv of a sphere's contact radius: 4 m g R/(pi a^4)");
    ok(!cf_hydroelastic_kv_of_radius(shape("hydroelastic-spheres"), two, weight, a, &kv, NULL) &&
           off(kv, 4 * weight * (0.004 / 0.13) / (pi * a * a * a * a)) < 1e-13,
       "of two spheres, by the effective radius");
    ok(!cf_hydroelastic_kv_of_radius(shape("hydroelastic-cone"), cone, weight, a, &kv, NULL) &&
           off(kv, 3 * weight * tan(25 * deg) / (pi * a * a * a)) < 1e-13,
       "of a cone: 3 m g tan(t)/(pi a^3)");
    ok(!cf_hydroelastic_kv_of_depth(shape("hydroelastic-sphere"), ball, 12, 6e-3, &kv, NULL) &&
           off(kv, 12 / (pi * 36e-6 * 0.048)) < 1e-13,
       "kv of a measured force and depth");
}

static void refused_size(const char *name, double first, double second, const char *want)
{
    const double size[2] = {first, second};
    struct cf_error err = {""};

    ok(cf_hydroelastic_check(shape(name), size, &err) == CF_ERANGE, "refused: %s", want);
    is_str(err.text, want, "in these words");
}

static void refused(const char *name, double kv, double modulus, double thickness, double modulus_2,
                    double thickness_2, const char *want)
{
    const double size[2] = {0.05, 0.08};
    struct cf_hydroelastic_stiffness s = {kv, {modulus, modulus_2}, {thickness, thickness_2}};
    struct cf_error err = {""};

    ok(cf_hydroelastic_stiffness(shape(name), size, &s, &err) != CF_OK, "refused: %s", want);
    is_str(err.text, want, "in these words");
}

static void test_refused(void)
{
    const double n = NAN;

    refused_size("hydroelastic-sphere", 0, 0, "radius = 0 m: must be in [1e-09, 1e+06]");
    refused_size(
        "hydroelastic-cone", 0.05, 0,
        "half_apex_angle = 0 deg: must be in [5.72958e-05, 89.9999] deg: at 0 and 90 deg a "
        "cone is a line or a plane");
    refused_size(
        "hydroelastic-cone", 0.05, pi / 2,
        "half_apex_angle = 90 deg: must be in [5.72958e-05, 89.9999] deg: at 0 and 90 deg a "
        "cone is a line or a plane");
    refused("hydroelastic-sphere", n, n, n, n, n, "the stiffness is missing: give kv, or modulus");
    refused("hydroelastic-spheres", n, 1e7, n, n, n,
            "modulus_2 is missing: both spheres are compliant, and kv follows of both moduli");
    refused("hydroelastic-spheres", 1e8, n, n, 1e7, n,
            "modulus is missing: both spheres are compliant, and kv follows of both moduli");
    refused("hydroelastic-sphere", 3e8, 1e7, n, n, n,
            "kv = 300000000 N/m^3, but modulus over thickness makes 200000000 N/m^3: give one of "
            "them");
    refused("hydroelastic-sphere", 3e8, n, 0.02, n, n,
            "thickness = 0.02 m: the modulus of that foundation is wanted, too: give modulus");
    refused("hydroelastic-cylinder", n, 1e7, n, 1e6, n,
            "modulus_2 = 1000000 Pa: a half-space has no size from which the thickness of its "
            "foundation follows: give thickness_2");
    refused("hydroelastic-sphere", 0, n, n, n, n, "kv = 0 N/m^3: must be in [1e-06, 1e+24]");
    refused("hydroelastic-sphere", n, -1, n, n, n, "modulus = -1 Pa: must be in [1e-06, 1e+18]");
}

static void test_refused_contacts(void)
{
    const double size[2] = {0.05, 0.08};
    struct cf_hydroelastic_contact c[CF_HYDROELASTIC_NFORM];
    struct cf_error err = {""};
    double kv;

    ok(cf_hydroelastic_at(shape("hydroelastic-spheres"), size, 1e8, 0.06, c, &err) == CF_ERANGE,
       "a depth beyond the shape");
    is_str(err.text, "depth = 0.06 m: must be in [0, 0.05] m, the radius of the smaller sphere",
           "in words");
    ok(cf_hydroelastic_at(shape("hydroelastic-sphere"), size, NAN, 0.01, c, &err) == CF_ERANGE,
       "no stiffness");
    is_str(err.text, "kv = nan N/m^3: must be finite and above 0", "in words");
    ok(cf_hydroelastic_under(shape("hydroelastic-cylinder"), size, 1e6, 400, c, &err) == CF_ERANGE,
       "a force that presses beyond it");
    is_str(err.text,
           "force = 400 N: must be at most 392.699 N, where the depth is 0.05 m, the radius of the "
           "punch",
           "in words");
    ok(cf_hydroelastic_under(shape("hydroelastic-sphere"), size, 1e6, -1, c, &err) == CF_ERANGE,
       "a force that pulls");
    is_str(err.text, "force = -1 N: must be finite and not below 0", "in words");
    ok(cf_hydroelastic_kv_of_radius(shape("hydroelastic-cylinder"), size, 1, 0.01, &kv, &err) ==
           CF_ERANGE,
       "a contact radius of a punch");
    is_str(err.text,
           "contact_radius = 0.01 m: the contact of a flat end is its own at any stiffness: give a "
           "depth",
           "in words");
    ok(cf_hydroelastic_kv_of_radius(shape("hydroelastic-sphere"), size, 1, 0.08, &kv, &err) ==
           CF_ERANGE,
       "one beyond the sphere");
    is_str(err.text,
           "contact_radius = 0.08 m: takes a depth of 0.064 m, beyond 0.05 m, the radius of the "
           "sphere",
           "in words");
    ok(cf_hydroelastic_kv_of_depth(shape("hydroelastic-sphere"), size, 1, 0, &kv, &err) ==
           CF_ERANGE,
       "kv of no depth");
    is_str(err.text, "depth = 0 m: must be finite and above 0", "in words");
}

TEST(volume_hydroelastic)
{
    plan(1 + 5 + 12 + 3 + 7 + 22 + 14);
    test_table();
    test_closed_forms();
    test_exact_volumes();
    test_both_forms();
    test_stiffness();
    test_refused();
    test_refused_contacts();
    return done();
}
