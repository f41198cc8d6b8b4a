/* Laws of a foundation: the force by its formula; slopes against complex steps; that an impact of a
 * ball on a plane, V = pi z^2 (R - z/3), rebounds with the e that was asked for, and that of
 * Hunt-Crossley's formula; the potential against the work; other names of kv; what is refused.
 */

#include <complex.h>
#include <math.h>
#include <string.h>

#include "impact/impact.h"
#include "law/exact.h"
#include "law/flat.h"
#include "law/law.h"
#include "tap.h"

typedef double complex cplx;

static const double pi = 3.14159265358979323846;

static const double p_winkler[] = {2e7, 0.3}, p_driven[] = {2e7, 0.6, 1e-3};

static cplx force(const cplx p[], cplx V, cplx rate)
{
    return p[0] * V * (1 + p[1] * rate);
}

static void test_slopes(void)
{
    const struct cf_law *law = cf_law_find("winkler");
    struct cf_contact c = {.rate_m_s = -0.7, .volume_m3 = 3e-6, .centroid_depth_m = 1e-4};
    struct cf_force_slope s;
    double h = 1e-30, want[4];
    cplx p[2] = {p_winkler[0], p_winkler[1]};

    ok(fabs(law->force(law, p_winkler, &c) / (2e7 * 3e-6 * (1 - 0.21)) - 1) < 1e-15, "the force");
    law->slope(law, p_winkler, &c, &s);
    want[0] = cimag(force(p, c.volume_m3 + I * h, c.rate_m_s)) / h;
    want[1] = cimag(force(p, c.volume_m3, c.rate_m_s + I * h)) / h;
    p[0] += I * h;
    want[2] = cimag(force(p, c.volume_m3, c.rate_m_s)) / h;
    p[0] = p_winkler[0];
    p[1] += I * h;
    want[3] = cimag(force(p, c.volume_m3, c.rate_m_s)) / h;
    ok(fabs(s.by_volume / want[0] - 1) < 1e-14 && fabs(s.by_rate / want[1] - 1) < 1e-14 &&
           fabs(s.by_param[0] / want[2] - 1) < 1e-14 && fabs(s.by_param[1] / want[3] - 1) < 1e-14 &&
           s.by_depth == 0,
       "its slopes");
    c.rate_m_s = -4; /* a v = -1.2 */
    law->slope(law, p_winkler, &c, &s);
    ok(law->force(law, p_winkler, &c) == 0 && s.by_volume == 0 && s.by_param[0] == 0,
       "it never pulls");
    c.volume_m3 = 0;
    c.rate_m_s = 1;
    ok(law->force(law, p_winkler, &c) == 0 && law->energy(law, p_winkler, &c) == 0,
       "no volume, no force");
}

/* Of the driven law, whose a depends on e, v_i and v_small: against differences. */
static void test_driven(void)
{
    const struct cf_law *law = cf_law_find("gonthier-volumetric");
    double worst = 0, d = 1e-5;

    for (int slow = 0; slow < 2; slow++) {
        struct cf_contact c = {
            .approach_m_s = slow ? 2e-4 : 0.8, .rate_m_s = slow ? 1e-4 : 0.5, .volume_m3 = 3e-6};
        struct cf_force_slope s;
        law->slope(law, p_driven, &c, &s);
        for (int i = 0; i < 4; i++) {
            double p[2][3], want, got, x[2];
            struct cf_contact at[2] = {c, c};
            for (int k = 0; k < 2; k++) {
                double by = k ? 1 + d : 1 - d;
                memcpy(p[k], p_driven, sizeof p_driven);
                if (i < 3)
                    p[k][i] *= by;
                else
                    at[k].approach_m_s *= by;
                x[k] = law->force(law, p[k], &at[k]);
            }
            got = i < 3 ? s.by_param[i] * p_driven[i] : s.by_approach * c.approach_m_s;
            want = (x[1] - x[0]) / (2 * d);
            worst = fmax(worst, fabs(got - want) / x[0]);
        }
    }
    ok(worst < 1e-9, "the slopes of a driven damping (%.0e)", worst);
}

/* An impact by Runge and Kutta's steps of a speed: z and t over v from v_i to where z is 0. */
static double rebound(const struct cf_law *law, const double p[], double speed)
{
    double m = 0.5, R = 0.03, z = 0, v = speed, dt = 2e-8;
    struct cf_contact c = {.mass_kg = m, .approach_m_s = speed};

    while (z > 0 || v > 0) {
        double k[4][2], at[2] = {z, v};
        for (int i = 0; i < 4; i++) {
            double share = i == 2 ? 1 : 0.5;
            c.volume_m3 = at[0] > 0 ? pi * at[0] * at[0] * (R - at[0] / 3) : 0;
            c.rate_m_s = at[1];
            k[i][0] = at[1];
            k[i][1] = -law->force(law, p, &c) / m;
            at[0] = z + share * dt * k[i][0];
            at[1] = v + share * dt * k[i][1];
        }
        z += dt / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]);
        v += dt / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]);
    }
    return -v / speed;
}

static void test_restitution(void)
{
    static const double stiff[] = {4e9, 0.3}, driven[] = {4e9, 0.6, 1e-3};
    double e = rebound(cf_law_find("winkler"), stiff, 0.8);

    ok(fabs(e / cf_hunt_crossley_restitution(0.3 * 0.8, NULL) - 1) < 1e-6,
       "a ball rebounds as Hunt and Crossley's does (%.7f)", e);
    e = rebound(cf_law_find("gonthier-volumetric"), driven, 0.8);
    ok(fabs(e / 0.6 - 1) < 1e-6, "and with the e that was asked for (%.7f)", e);
}

/* kv V h_c of a cap is the work kv V dz. */
static void test_energy(void)
{
    const struct cf_law *law = cf_law_find("winkler");
    double R = 0.03, z = 0.004, V = pi * z * z * (R - z / 3);
    double rise = (2 * R - z) * (2 * R - z) * 3 / (4 * (3 * R - z)); /* of the centroid, from R */
    struct cf_contact c = {.volume_m3 = V, .centroid_depth_m = rise - (R - z)};
    double work = 2e7 * pi * (R * z * z * z / 3 - z * z * z * z / 12);

    ok(fabs(law->energy(law, p_winkler, &c) / work - 1) < 1e-13, "the potential is the work");
    c.centroid_depth_m = NAN;
    ok(isnan(law->energy(law, p_winkler, &c)), "and NAN where there is none");
}

static void test_names(void)
{
    const struct cf_law *law = cf_law_find("winkler");
    struct cf_named given[3] = {{"modulus_over_thickness", 5e7}, {"a", 0.1}, {"kv", 4e7}};
    struct cf_error err = {""};
    double p[CF_MAX_PARAM] = {0};

    ok(!cf_law_params(law, given, 2, NAN, 0, p, &err) && p[0] == 5e7, "kv = E/H");
    ok(cf_law_params(law, given, 3, NAN, 0, p, &err) == CF_EINPUT, "both are refused");
    is_str(err.text, "modulus_over_thickness and kv both give kv of winkler: give one of them",
           "with both names");
    given[0] = (struct cf_named){"kv_1", 3e7};
    given[2] = (struct cf_named){"kv_2", 6e7};
    ok(!cf_law_params(law, given, 3, NAN, 0, p, &err) && fabs(p[0] / 2e7 - 1) < 1e-15,
       "two bodies in series");
    ok(cf_law_params(law, given, 2, NAN, 0, p, &err) == CF_EINPUT, "one of them");
    is_str(err.text,
           "kv_1 is given without kv_2: two bodies that give way need both; kv is that of the pair",
           "is told what is missing");
    ok(cf_law_params(cf_law_find("linear"), given, 1, NAN, 0, p, &err) == CF_EINPUT,
       "a law without a foundation");
    is_str(err.text, "kv_1 gives the stiffness of a foundation, which linear does not have",
           "says so");
}

static void test_refused(void)
{
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_impact impact;
    struct cf_error err = {""};
    double x = 1e-4, f;

    ok(cf_impact(curves, cf_law_find("winkler"), p_winkler, 0.1, 1, &impact, &err) == CF_ERANGE,
       "an impact of a mass alone");
    is_str(err.text,
           "winkler acts on a volume of interference: an impact wants the shapes of the bodies, as "
           "a scene has them",
           "says what it wants");
    ok(cf_law_force("winkler", 2, p_winkler, NULL, 1, &x, &x, &f, &err) == CF_EUSAGE,
       "arrays of depths");
    is_str(err.text, "winkler acts on a volume of interference, not on a depth: call its row",
           "say why");
    cf_curves_free(curves);
}

TEST(volumetric_laws)
{
    plan(4 + 1 + 2 + 2 + 8 + 4);
    test_slopes();
    test_driven();
    test_restitution();
    test_energy();
    test_names();
    test_refused();
    return done();
}
