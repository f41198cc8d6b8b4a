/* Tosses against other ways to the same: free flight in closed form; impacts of rigid bodies at one
 * corner by impulse and momentum; derivatives by differences of predictions; the start of a window
 * from a flight that is known. All data here are synthetic. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/toss_channels.h"
#include "geometry/vector.h"
#include "lab.h"
#include "law/contact_law.h"
#include "motion/motion.h"
#include "tap.h"

enum { X, Y, Z };
enum { MOST = 64, SAMPLES = 6 };

static const double half_width_m = 0.047, mass_kg = 0.31, inertia_kg_m2 = 5.3e-4;
static const double gravity_m_s2 = 9.7, step_s = 0.0065;

static struct cf_contact_laws made;
static const struct cf_protocol *toss;

static const struct cf_law *law_of(const char *normal, const char *friction)
{
    const struct cf_law *law = NULL;
    struct cf_error err = {""};

    if (cf_contact_law(&made, cf_law_find(normal), cf_contact_friction_find(friction), &law, &err))
        printf("# %s\n", err.text);
    return law;
}

static size_t find(const struct cf_law *law, const char *name)
{
    return cf_param_find(law->param, law->nparam, name);
}

static void put_apparatus(double a[])
{
    for (size_t i = 0; i < toss->napparatus; i++)
        a[i] = toss->apparatus[i].typical;
    a[CF_TOSS_HALF_WIDTH] = half_width_m;
    a[CF_TOSS_MASS] = mass_kg;
    a[CF_TOSS_INERTIA] = inertia_kg_m2;
    a[CF_TOSS_GRAVITY] = gravity_m_s2;
}

/* k, e, mu; the rest as the laws' rows have it, or as fits it. */
static void put_values(const struct cf_law *law, double k, double e, double mu, double value[MOST])
{
    for (size_t i = 0; i < law->nparam; i++)
        value[i] = law->param[i].typical;
    value[find(law, "k")] = k;
    if (find(law, "e") < law->nparam)
        value[find(law, "e")] = e;
    value[find(law, "mu")] = mu;
    put_apparatus(value + law->nparam);
}

/* ---- quaternions, by themselves */

static void product(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[1 + i] = a[0] * b[1 + i] + b[0] * a[1 + i] + a[1 + j] * b[1 + k] - a[1 + k] * b[1 + j];
    }
}

/* The attitude after a time at a constant spin of the world. */
static void spun(const double q[4], const double spin[3], double t, double out[4])
{
    double w = cf_vec_norm(spin), half = w * t / 2;
    double turn[4] = {cos(half), 0, 0, 0};

    for (int i = 0; i < 3; i++)
        turn[1 + i] = w > 0 ? sin(half) * spin[i] / w : 0;
    product(turn, q, out);
}

static const struct cf_drive_body thrown = {
    .position_m = {0.11, -0.23, 0.9},
    .attitude = {0.5, -0.5, 0.1, 0.7},
    .velocity_m_s = {0.7, -0.4, 0.3},
    .spin_rad_s = {3.1, -7.7, 5.2},
};

static struct cf_drive_body body_of(const struct cf_drive_body *like)
{
    struct cf_drive_body body = *like;
    double size = 0;

    for (int i = 0; i < 4; i++)
        size = hypot(size, body.attitude[i]);
    for (int i = 0; i < 4; i++)
        body.attitude[i] /= size;
    return body;
}

/* ---- one run */

struct seen {
    double y[SAMPLES][CF_TOSS_POSE], rate[SAMPLES][CF_TOSS_POSE];
    double by[SAMPLES][CF_TOSS_POSE][MOST];
};

static bool run(const struct cf_law *law, const double value[], const struct cf_drive_body *start,
                double step, double tolerance, size_t nby, const size_t by[], struct seen *seen)
{
    struct cf_toss_scene *scene = cf_toss_scene_alloc();
    double time_s[SAMPLES];
    double *slopes = calloc(SAMPLES * CF_TOSS_POSE * (nby + 1), sizeof *slopes);
    struct cf_toss_run r = {.law = law,
                            .value = value,
                            .start = start,
                            .tolerance = tolerance,
                            .max_steps = 100000,
                            .n = SAMPLES,
                            .time_s = time_s,
                            .nby = nby,
                            .by = by,
                            .y = seen->y[0],
                            .rate = seen->rate[0],
                            .by_value = nby ? slopes : NULL};
    struct cf_error err = {""};
    int status;

    for (size_t i = 0; i < SAMPLES; i++)
        time_s[i] = (double) (i + 1) * step;
    status = cf_toss_run(scene, &r, &err);
    if (status)
        printf("# %s\n", err.text);
    for (size_t i = 0; i < SAMPLES; i++)
        for (size_t c = 0; c < CF_TOSS_POSE; c++)
            for (size_t k = 0; k < nby; k++)
                seen->by[i][c][k] = slopes[(i * CF_TOSS_POSE + c) * nby + k];
    free(slopes);
    cf_toss_scene_free(scene);
    return status == CF_OK;
}

/* ---- free flight */

static void test_flight(void)
{
    const struct cf_law *law = law_of("gonthier", "coulomb");
    struct cf_drive_body start = body_of(&thrown);
    size_t by[] = {find(law, "e"), find(law, "mu"), law->nparam + CF_TOSS_HEIGHT};
    double value[MOST], worst_place = 0, worst_turn = 0, worst_by = 0;
    static struct seen seen;

    put_values(law, 1e6, 0.4, 0.2, value);
    ok(run(law, value, &start, step_s, 1e-10, 3, by, &seen), "a flight runs");
    for (size_t i = 0; i < SAMPLES; i++) {
        double t = (double) (i + 1) * step_s, q[4];
        for (int k = 0; k < 3; k++) {
            double at = start.position_m[k] + start.velocity_m_s[k] * t -
                        (k == Z ? gravity_m_s2 * t * t / 2 : 0);
            worst_place = fmax(worst_place, fabs(seen.y[i][k] - at));
        }
        spun(start.attitude, start.spin_rad_s, t, q);
        for (int k = 0; k < 4; k++)
            worst_turn = fmax(worst_turn, fabs(seen.y[i][3 + k] - q[k]));
        for (int c = 0; c < CF_TOSS_POSE; c++)
            for (int k = 0; k < 3; k++)
                worst_by = fmax(worst_by, fabs(seen.by[i][c][k]));
    }
    is_within(worst_place, 0, 1e-13, "a cube in flight goes along a parabola");
    is_within(worst_turn, 0, 1e-11, "and turns about a fixed axis at a constant rate");
    ok(worst_by == 0, "whatever law and floor are");
}

/* ---- rigid impacts: a corner that is far stiffer than the flight is long */

/* A cube that comes down on one corner, of which the centre stands `off` from the vertical. */
static struct cf_drive_body on_corner(double off_rad, double across_m_s, double down_m_s)
{
    /* the diagonal (1, 1, 1) into the plane y = 0, about z, then upright, about y */
    double half = (off_rad - acos(1 / M_SQRT3)) / 2;
    const double about_z[4] = {cos(M_PI / 8), 0, 0, -sin(M_PI / 8)};
    const double about_y[4] = {cos(half), 0, sin(half), 0};
    struct cf_drive_body body = {.velocity_m_s = {across_m_s, 0, -down_m_s}};

    product(about_y, about_z, body.attitude);
    return body;
}

/* The lowest corner from the centre. */
static void lowest(const double q[4], double r[3])
{
    double least = 0;

    memset(r, 0, 3 * sizeof *r);
    for (int i = 0; i < 8; i++) {
        const double in[4] = {0, i & 1 ? half_width_m : -half_width_m,
                              i & 2 ? half_width_m : -half_width_m,
                              i & 4 ? half_width_m : -half_width_m};
        const double back[4] = {q[0], -q[1], -q[2], -q[3]};
        double once[4], at[4];
        product(q, in, once);
        product(once, back, at);
        if (at[3] < least) {
            least = at[3];
            memcpy(r, at + 1, 3 * sizeof *r);
        }
    }
}

/* Velocity and spin between the last two samples, without gravity. */
static void after(const struct seen *seen, double step, double velocity[3], double spin[3])
{
    cf_vec_sub(seen->y[SAMPLES - 1], seen->y[SAMPLES - 2], velocity);
    cf_vec_scale(1 / step, velocity, velocity);
    cf_toss_rotation(seen->y[SAMPLES - 2] + 3, seen->y[SAMPLES - 1] + 3, spin);
    cf_vec_scale(1 / step, spin, spin);
}

/* J (n + mu t) on a corner at r: v += J/m, w += r x J/I; the corner's velocity along n becomes -e
 * times what it was. The slip keeps its direction. */
static void by_impulse(const double r[3], const double velocity[3], double e, double mu,
                       double v_out[3], double w_out[3])
{
    const double n[3] = {0, 0, 1};
    double slip = hypot(velocity[X], velocity[Y]), pull[3], arm[3], turned[3], per;

    memcpy(pull, n, sizeof pull);
    for (int i = 0; i < 2 && slip > 0; i++)
        pull[i] = -mu * velocity[i] / slip;
    cf_vec_cross(r, pull, arm);
    cf_vec_scale(1 / inertia_kg_m2, arm, arm); /* dw for an impulse of 1 */
    cf_vec_cross(arm, r, turned);
    per = 1 / mass_kg + cf_vec_dot(turned, n);
    for (int i = 0; i < 3; i++) {
        double J = -(1 + e) * velocity[Z] / per;
        v_out[i] = velocity[i] + J * pull[i] / mass_kg;
        w_out[i] = J * arm[i];
    }
}

static void test_impact(double off_rad, double across_m_s, double mu, const char *what)
{
    const struct cf_law *law = law_of("gonthier", "coulomb");
    const double e = 0.6, down_m_s = 1.3;
    struct cf_drive_body start = on_corner(off_rad, across_m_s, down_m_s);
    double value[MOST], r[3], v[3], w[3], velocity[3], spin[3], off = 0;
    static struct seen seen;

    put_values(law, 1e14, e, mu, value);
    value[find(law, "v_e")] = 1e-6;
    value[law->nparam + CF_TOSS_GRAVITY] = 0;
    lowest(start.attitude, r);
    start.position_m[Z] = -r[Z] + 1e-5;
    ok(run(law, value, &start, 1e-3, 1e-10, 0, NULL, &seen), "%s: it runs", what);
    after(&seen, 1e-3, velocity, spin);
    by_impulse(r, start.velocity_m_s, e, mu, v, w);
    for (int i = 0; i < 3; i++)
        off = fmax(off, fmax(fabs(velocity[i] - v[i]), half_width_m * fabs(spin[i] - w[i])));
    is_within(off, 0, 2e-4, "%s: velocity and spin by impulse and momentum", what);
}

/* ---- derivatives */

static void test_derivatives(double corner_m, const char *what)
{
    const struct cf_law *law = law_of("gonthier", "coulomb");
    struct cf_drive_body start = on_corner(0.35, 0.5, 0.9);
    size_t by[] = {find(law, "k"),
                   find(law, "e"),
                   find(law, "mu"),
                   find(law, "v_e"),
                   law->nparam + CF_TOSS_HEIGHT,
                   law->nparam + CF_TOSS_SLOPE_X,
                   law->nparam + CF_TOSS_SLOPE_Y};
    enum { NBY = sizeof by / sizeof *by };
    double value[MOST];
    static struct seen here, low, high;

    put_values(law, 4e5, 0.35, 0.23, value);
    value[find(law, "v_e")] = 0.5;
    value[law->nparam + CF_TOSS_HEIGHT] = -0.003;
    value[law->nparam + CF_TOSS_SLOPE_X] = 0.03;
    value[law->nparam + CF_TOSS_SLOPE_Y] = -0.05;
    value[law->nparam + CF_TOSS_CORNER] = corner_m;
    start.position_m[Z] = 0.09;
    start.spin_rad_s[X] = 4;
    start.spin_rad_s[Y] = -2;
    ok(run(law, value, &start, step_s, 1e-8, NBY, by, &here), "%s: a run with all columns", what);
    for (size_t k = 0; k < NBY; k++) {
        double kept = value[by[k]], h = 1e-4 * fmax(fabs(kept), 0.01), most = 0, off = 0;
        value[by[k]] = kept + h;
        run(law, value, &start, step_s, 1e-12, 0, NULL, &high);
        value[by[k]] = kept - h;
        run(law, value, &start, step_s, 1e-12, 0, NULL, &low);
        value[by[k]] = kept;
        for (size_t i = 0; i < SAMPLES; i++)
            for (size_t c = 0; c < CF_TOSS_POSE; c++) {
                double want = (high.y[i][c] - low.y[i][c]) / (2 * h);
                most = fmax(most, fabs(want));
                off = fmax(off, fabs(here.by[i][c][k] - want));
            }
        is_within(most > 0 ? off / most : (double) NAN, 0, 1e-3, "%s: derivatives by %s", what,
                  by[k] < law->nparam ? law->param[by[k]].name
                                      : toss->apparatus[by[k] - law->nparam].name);
    }
}

/* ---- a record, as the protocol reads it */

/* Rows of a toss: flight until `until`, then the other way up; with sign changes of quaternions. */
static struct cf_dataset record(double number, size_t n, size_t until)
{
    struct cf_drive_body start = body_of(&thrown), at = start;
    struct cf_dataset d = {.pair = lab_pair(1, 1)};
    struct cf_error err;
    double from = 0;

    cf_dataset_alloc(&d, toss, n, &err);
    put_apparatus(d.apparatus);
    for (size_t i = 0; i < n; i++) {
        double t = (double) i * step_s - from, q[4];
        lab_put(&d, i, CF_TOSS_TIME, (double) i * step_s, 0);
        lab_put(&d, i, CF_TOSS_TOSS, number, 0);
        for (int k = 0; k < 3; k++)
            lab_put(&d, i, CF_TOSS_X + (size_t) k,
                    at.position_m[k] + at.velocity_m_s[k] * t -
                        (k == Z ? gravity_m_s2 * t * t / 2 : 0),
                    0);
        spun(at.attitude, at.spin_rad_s, t, q);
        for (int k = 0; k < 4; k++)
            lab_put(&d, i, CF_TOSS_QW + (size_t) k, i % 3 ? q[k] : -q[k], 0);
        if (i != until)
            continue;
        for (int k = 0; k < 3; k++)
            at.position_m[k] = cf_dataset_value(&d, i, CF_TOSS_X + (size_t) k);
        memcpy(at.attitude, q, sizeof q);
        at.velocity_m_s[Z] -= gravity_m_s2 * t - 1.5;
        from = (double) i * step_s;
    }
    return d;
}

static void test_record(void)
{
    struct cf_dataset d = record(7, 14, 7);
    struct cf_error err = {""};
    char note[200];
    struct cf_record_about about = {0};
    size_t kept = 0;
    struct cf_drive_body start = body_of(&thrown);

    ok(toss->complete(&d, &about, note, sizeof note, &err) == CF_OK, "a record is read");
    is_str(note, "1 tosses with 1 impacts, of which 1 have a flight before them and a window",
           "and told");
    ok(d.nsegment == 1 && d.segment[0].first == 7 && d.segment[0].count == 6,
       "its window begins behind the last row of the flight");
    for (size_t i = 0; i < d.nrow; i++)
        kept += d.use[i] != CF_ROW_EXCLUDED;
    ok(kept == 6, "what lies before is left out of what is compared");
    if (d.drive) {
        const struct cf_drive_body *b = &d.drive->piece[0].body;
        double t = 6 * step_s, q[4], off = 0, turned = 0;
        spun(start.attitude, start.spin_rad_s, t, q);
        for (int k = 0; k < 3; k++) {
            double v = start.velocity_m_s[k] - (k == Z ? gravity_m_s2 * t : 0);
            off = fmax(off, fabs(b->velocity_m_s[k] - v));
            off = fmax(off, fabs(b->spin_rad_s[k] - start.spin_rad_s[k]));
        }
        for (int k = 0; k < 4; k++)
            turned = fmax(turned, fabs(fabs(b->attitude[k]) - fabs(q[k])));
        is_within(off, 0, 1e-10, "it begins with the velocity and the spin of the flight");
        is_within(turned, 0, 1e-12, "and with its attitude");
    }
    is_near(cf_dataset_value(&d, 7, CF_TOSS_SINCE), step_s, 1e-15, "times count from there");
    for (size_t i = 8; i < 13; i++) {
        double along = 0;
        for (size_t c = CF_TOSS_QW; c <= CF_TOSS_QZ; c++)
            along += cf_dataset_value(&d, i, c) * cf_dataset_value(&d, i - 1, c);
        if (!(along > 0))
            ok(false, "quaternions have one sign");
    }
    cf_dataset_clear(&d);
}

/* Rows that are of no window, and rates along the axis. */
static void test_request(void)
{
    const struct cf_law *law = law_of("gonthier", "coulomb");
    struct cf_dataset d = record(7, 14, 7), two = {0};
    const size_t channel[] = {CF_TOSS_Z, CF_TOSS_QX};
    size_t row[] = {0, 1, 2, 3};
    double value[MOST], y[8], by_imposed[8], h = 1e-6;
    struct cf_request q = {.data = &two,
                           .law = law,
                           .value = value,
                           .nrow = 4,
                           .row = row,
                           .nchannel = 2,
                           .channel = channel};
    struct cf_response out = {y, NULL, by_imposed};
    struct cf_error err = {""};
    char note[200];
    struct cf_record_about about = {0};

    put_values(law, 1e6, 0.5, 0.2, value);
    toss->complete(&d, &about, note, sizeof note, &err);
    cf_dataset_like(&d, 4, &two, &err);
    for (size_t i = 0; i < 4; i++) {
        lab_put(&two, i, CF_TOSS_SINCE, i == 3 ? 0.01 : 0.02 + ((double) i - 1) * h, 0);
        lab_put(&two, i, CF_TOSS_WINDOW, i == 3 ? 2 : 1, 0);
    }
    ok(cf_protocol_predict(NULL, &q, &out, &err) == CF_OK, "rows of any window are predicted");
    ok(isnan(y[6]) && isnan(y[7]), "those of one that is not there are not known");
    is_near((y[4] - y[0]) / (2 * h), by_imposed[2], 1e-6, "rates along the axis, of a place");
    is_near((y[5] - y[1]) / (2 * h), by_imposed[3], 1e-6, "and of an attitude");
    cf_recorded_drive_release(two.drive);
    two.drive = NULL;
    ok(cf_protocol_predict(NULL, &q, &out, &err) == CF_EINPUT, "without flights nothing is");
    is_str(err.text,
           "the fit does not hold the flights that its windows begin with: its study predicts what "
           "follows from them (contactfit validate FIT.json STUDY.yaml)",
           "and it is said");
    cf_dataset_clear(&two);
    cf_dataset_clear(&d);
}

/* ---- attitudes */

static void test_geometry(void)
{
    const double q[4] = {0.5, 0.5, 0.5, 0.5}, tilted[4] = {cos(0.3), 0, sin(0.3), 0};
    double out[3], angle[3], r[3];

    cf_toss_turn(q, (const double[3]){1, 2, 3}, out);
    ok(fabs(out[0] - 3) + fabs(out[1] - 1) + fabs(out[2] - 2) < 1e-15, "axes go round");
    cf_toss_rotation(q, q, angle);
    ok(cf_vec_norm(angle) == 0, "no rotation between equals");
    cf_toss_rotation((const double[4]){1, 0, 0, 0}, (const double[4]){-cos(0.3), 0, -sin(0.3), 0},
                     angle);
    is_near(angle[1], 0.6, 1e-14, "a rotation, whatever the sign of the quaternion");
    is_near(cf_toss_lowest(q, 0.05, 0), -0.05, 1e-14,
            "on a face the lowest corner is half a width "
            "down");
    lowest(tilted, r);
    is_near(cf_toss_lowest(tilted, half_width_m, 0), r[Z], 1e-14, "tilted, the corner says");
    is_near(cf_toss_lowest(q, 0.05, 0.004), -0.05, 1e-14,
            "rounded corners change nothing on a face");
    is_near(cf_toss_lowest(tilted, half_width_m, half_width_m), -half_width_m, 1e-14,
            "a cube that is all rounded is a sphere");
}

TEST(toss)
{
    toss = cf_protocol_find("toss");
    plan(46);
    test_geometry();
    test_flight();
    test_impact(0, 0, 0, "a corner straight below");
    test_impact(0.3, 0, 0, "a corner beside, without friction");
    test_impact(0.3, 4, 0.1, "a corner that slides");
    test_derivatives(0, "points");
    test_derivatives(0.004, "rounded corners");
    test_record();
    test_request();
    cf_contact_laws_clear(&made);
    return done();
}
