/* Frames of the plane of contact: upright for every normal, and carried without spin. */

#include "law/tangent.h"

#include <math.h>

#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

static const double PI = 3.14159265358979323846;

/* How far the frame and n are from a right-handed orthonormal triple. */
static double crooked(const double n[3], const struct cf_tangent *frame)
{
    const double *a = frame->axis[0], *b = frame->axis[1];
    double worst = 0;

    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        worst = fmax(worst, fabs(a[j] * b[k] - a[k] * b[j] - n[i]));
        worst = fmax(worst, fabs(b[j] * n[k] - b[k] * n[j] - a[i]));
        worst = fmax(worst, fabs(n[j] * a[k] - n[k] * a[j] - b[i]));
    }
    return worst;
}

static void on_sphere(double polar, double azimuth, double n[3])
{
    n[0] = sin(polar) * cos(azimuth);
    n[1] = sin(polar) * sin(azimuth);
    n[2] = cos(polar);
}

static void test_frames(void)
{
    static const double polars[] = {0, 1e-9, 0.3, 1.5, PI / 2, 1.6, 3.1, 3.1415926, PI};
    double worst = 0, n[3];
    struct cf_tangent frame;

    for (int i = 0; i < LENGTH(polars); i++)
        for (int j = 0; j < 7; j++) {
            on_sphere(polars[i], 0.9 * j, n);
            cf_tangent_frame(n, &frame);
            worst = fmax(worst, crooked(n, &frame));
        }
    ok(worst < 1e-15, "a frame for every normal (%.1e)", worst);
}

/* Round a circle of latitude a vector that is carried without spin comes back turned by the solid
 * angle within, 2 pi (1 - cos polar). */
static void test_holonomy(void)
{
    static const double polar = 0.7;
    static const int STEPS = 20000;
    struct cf_tangent first, frame;
    double n[3], u[3], back[2], worst = 0;
    static const double x[2] = {0.6, -0.8};

    on_sphere(polar, 0, n);
    cf_tangent_frame(n, &first);
    cf_tangent_frame(n, &frame);
    for (int i = 1; i <= STEPS; i++) {
        on_sphere(polar, 2 * PI * i / STEPS, n);
        cf_tangent_carry(n, &frame);
        worst = fmax(worst, crooked(n, &frame));
    }
    ok(worst < 1e-15, "upright after %d turns (%.1e)", STEPS, worst);
    cf_tangent_vector(&frame, x, u);
    cf_tangent_of(&first, u, back);
    double angle = 2 * PI * (1 - cos(polar)), got = atan2(back[1], back[0]) - atan2(x[1], x[0]);
    is_near(cos(got - angle), 1, 1e-12, "turned by the solid angle");
    is_within(sin(got - angle), 0, 1e-7, "to the same side");
    is_near(hypot(back[0], back[1]), 1, 1e-14, "a bristle keeps its length");
}

/* In one turn, along the great circle: a vector across it stays, one along it dips. */
static void test_turn(void)
{
    static const double polar = 1.1, azimuth = 0.4;
    const double along[3] = {cos(azimuth), sin(azimuth), 0}, across[3] = {-along[1], along[0], 0};
    const double dipped[3] = {cos(polar) * along[0], cos(polar) * along[1], -sin(polar)};
    double n[3] = {0, 0, 1}, x[2], y[2], u[3], v[3];
    struct cf_tangent frame;

    cf_tangent_frame(n, &frame);
    cf_tangent_of(&frame, across, x);
    cf_tangent_of(&frame, along, y);
    on_sphere(polar, azimuth, n);
    cf_tangent_carry(n, &frame);
    cf_tangent_vector(&frame, x, u);
    cf_tangent_vector(&frame, y, v);
    is_within(hypot(hypot(u[0] - across[0], u[1] - across[1]), u[2]), 0, 1e-15, "across it stays");
    is_within(hypot(hypot(v[0] - dipped[0], v[1] - dipped[1]), v[2] - dipped[2]), 0, 1e-15,
              "along it turns");
    for (int i = 0; i < 3; i++)
        n[i] = -n[i];
    cf_tangent_carry(n, &frame);
    ok(crooked(n, &frame) < 1e-15, "to the opposite normal");
}

TEST(tangent)
{
    plan(1 + 4 + 3);
    test_frames();
    test_holonomy();
    test_turn();
    return done();
}
