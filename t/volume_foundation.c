/* The foundation's normal force and rolling resistance: without damping against differences of the
 * potential kv V h_c, as the body is moved and turned; with it against a foundation summed by
 * columns under a flat contact; its power; derivatives by pose, twist, kv and a against
 * differences; where it would pull; what is refused.
 */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "lib/volumes.h"
#include "tap.h"
#include "volume/foundation.h"

static const double n[3] = {2. / 7, -3. / 7, 6. / 7};
static const double rolling[CF_TWIST] = {0.3, 0.2, -0.4, 0.5, -0.7, 0.9};

/* Over the plane n.x = height_m. */
static const struct cf_piece *cylinder(void)
{
    static struct cf_piece piece = {.size_m = {0.3, 0.8}};

    piece.form = cf_form_find("cylinder");
    return &piece;
}

/* kv V h_c after a motion by h of the twist's component t. In the body's own frame it is the plane
 * that moves, the other way. */
static double potential(double kv, double height_m, int t, double h)
{
    double normal[3] = {n[0], n[1], n[2]}, depth;
    struct cf_volume v;
    int a = (t + 1) % 3, b = (t + 2) % 3;

    if (t < 3)
        height_m -= h * n[t];
    else {
        normal[a] = cos(h) * n[a] + sin(h) * n[b];
        normal[b] = cos(h) * n[b] - sin(h) * n[a];
    }
    depth = cf_half_space_depth(cylinder(), normal, height_m, NULL);
    cf_volume_half_space(cylinder(), normal, depth, &v, NULL);
    return kv * v.volume_m3 * v.centroid_depth_m;
}

static struct cf_volume volume_at(double height_m)
{
    struct cf_volume v;
    double depth = cf_half_space_depth(cylinder(), n, height_m, NULL);

    cf_volume_half_space(cylinder(), n, depth, &v, NULL);
    return v;
}

static void test_potential(void)
{
    static const struct cf_foundation foundation = {.stiffness_N_m3 = 2000, .damping_s_m = 0};
    double worst = 0, h = 1e-5;

    for (double height = -0.2; height < 0.2; height += 0.1) {
        struct cf_volume v = volume_at(height);
        struct cf_foundation_load load;
        cf_foundation_load(&foundation, &v, n, rolling, &load, NULL);
        for (int t = 0; t < CF_TWIST; t++) {
            double by = (potential(2000, height, t, h) - potential(2000, height, t, -h)) / (2 * h);
            worst = keep_worst(worst, fabs(load.wrench[t] + by) / load.normal_N);
        }
    }
    ok(worst < 1e-8, "force and moment are less the slopes of kv V h_c (%.0e)", worst);
}

/* A box on a plane, 1e-7 m deep, as four columns of springs at the Gauss points of its base. */
static void test_columns(void)
{
    static const struct cf_foundation foundation = {.stiffness_N_m3 = 1e9, .damping_s_m = 0.6};
    static const double up[3] = {0, 0, 1};
    struct cf_piece box = {.form = cf_form_find("box"), .size_m = {0.4, 0.3, 0.2}};
    struct cf_volume v;
    struct cf_foundation_load load;
    double low[3], depth = 1e-7, columns[CF_TWIST] = {0}, worst = 0;

    box.form->lowest(&box, up, low);
    cf_volume_half_space(&box, up, depth, &v, NULL);
    cf_foundation_load(&foundation, &v, up, rolling, &load, NULL);
    for (int k = 0; k < 4; k++) {
        double x = (k & 1 ? 1 : -1) * fabs(low[0]) / sqrt(3.);
        double y = (k & 2 ? 1 : -1) * fabs(low[1]) / sqrt(3.);
        double rate = -(rolling[2] + rolling[3] * y - rolling[4] * x);
        double f = 1e9 * depth * fabs(low[0] * low[1]) * (1 + 0.6 * rate);
        columns[2] += f;
        columns[3] += f * y;
        columns[4] -= f * x;
    }
    for (int t = 0; t < CF_TWIST; t++)
        worst = keep_worst(worst, fabs(load.wrench[t] - columns[t]) / columns[2]);
    ok(columns[2] > 0 && worst < 1e-11, "flat contact: as a foundation summed by columns (%.0e)",
       worst);
}

/* What the dampers take is never negative, and spinning about n costs nothing. */
static void test_power(void)
{
    static const struct cf_foundation damped = {2000, 0.4}, spring = {2000, 0};
    const double spin[CF_TWIST] = {0, 0, 0, n[0], n[1], n[2]};
    struct cf_volume v = volume_at(0.1);
    struct cf_foundation_load with, without;
    bool takes = true;
    double off = 0, about = 0;

    for (int k = 0; k < 50; k++) {
        double twist[CF_TWIST], power = 0;
        for (int t = 0; t < CF_TWIST; t++)
            twist[t] = sin(1.7 * k + 2.3 * t * t);
        cf_foundation_load(&damped, &v, n, twist, &with, NULL);
        cf_foundation_load(&spring, &v, n, twist, &without, NULL);
        for (int t = 0; t < CF_TWIST; t++)
            power += twist[t] * (with.wrench[t] - without.wrench[t]);
        takes = takes && power < 0;
        about = keep_worst(about, fabs(cf_vec_dot(n, with.wrench + 3)) / with.normal_N);
    }
    ok(takes, "the dampers take energy in every motion");
    ok(about < 1e-13, "pressures along n have no torque about it (%.0e)", about);
    cf_foundation_load(&damped, &v, n, spin, &with, NULL);
    cf_foundation_load(&spring, &v, n, spin, &without, NULL);
    for (int k = 0; k < CF_TWIST; k++)
        off = keep_worst(off, fabs(with.wrench[k] - without.wrench[k]));
    ok(off < 1e-12 * without.normal_N, "a spin about n is free (%.0e)", off);
}

/* V, p_c and J_v a step along their derivatives. */
static struct cf_volume stepped(const struct cf_volume *v, int t, double h)
{
    struct cf_volume out = *v;

    out.volume_m3 += h * v->volume_by[t];
    for (int i = 0; i < 3; i++) {
        out.centroid_m[i] += h * v->centroid_by[i][t];
        for (int k = 0; k < 3; k++)
            out.inertia_m5[i][k] += h * v->inertia_by[i][k][t];
    }
    return out;
}

/* The wrench with the pose (which = 0), the twist (1) or a parameter (2) changed by h. */
static void changed(const struct cf_volume *v, int which, int t, double h, double out[CF_TWIST])
{
    struct cf_foundation foundation = {2000, 0.4};
    struct cf_volume at = which == 0 ? stepped(v, t, h) : *v;
    struct cf_foundation_load load;
    double twist[CF_TWIST];

    memcpy(twist, rolling, sizeof twist);
    if (which == 1)
        twist[t] += h;
    if (which == 2)
        *(t ? &foundation.damping_s_m : &foundation.stiffness_N_m3) += h;
    cf_foundation_load(&foundation, &at, n, twist, &load, NULL);
    memcpy(out, load.wrench, sizeof load.wrench);
}

static void test_derivatives(void)
{
    static const struct cf_foundation foundation = {2000, 0.4};
    static const char *const name[3] = {"pose", "twist", "kv and a"};
    struct cf_volume v = volume_at(0.1);
    struct cf_foundation_load load;
    double h = 1e-5;

    cf_foundation_load(&foundation, &v, n, rolling, &load, NULL);
    for (int which = 0; which < 3; which++) {
        double worst = 0, most = 0;
        for (int t = 0; t < (which == 2 ? 2 : CF_TWIST); t++) {
            double up[CF_TWIST], down[CF_TWIST];
            changed(&v, which, t, h, up);
            changed(&v, which, t, -h, down);
            for (int i = 0; i < CF_TWIST; i++) {
                double by = which == 0   ? load.by_pose[i][t]
                            : which == 1 ? load.by_twist[i][t]
                            : t          ? load.by_damping[i]
                                         : load.by_stiffness[i];
                most = fmax(most, fabs(by));
                worst = keep_worst(worst, fabs((up[i] - down[i]) / (2 * h) - by));
            }
        }
        ok(worst < 1e-7 * most, "derivatives by %s (%.0e)", name[which], worst / most);
    }
}

static void test_nothing(void)
{
    static const struct cf_foundation foundation = {2000, 0.4};
    static const double off[CF_TWIST] = {0.8, -1.2, 2.4};
    struct cf_volume v = volume_at(0.1), apart = volume_at(-5);
    struct cf_foundation_load load = {.normal_N = 1};

    ok(!cf_foundation_load(&foundation, &v, n, off, &load, NULL) && load.normal_N == 0 &&
           load.wrench[4] == 0 && load.by_twist[2][2] == 0,
       "where the damping would pull there is nothing");
    ok(!cf_foundation_load(&foundation, &apart, n, rolling, &load, NULL) && load.wrench[2] == 0,
       "nor where V is 0");
}

static void refused(double kv, double a, const double up[3], const double twist[CF_TWIST],
                    const char *want)
{
    struct cf_foundation foundation = {kv, a};
    struct cf_volume v = volume_at(0.1);
    struct cf_foundation_load load;
    struct cf_error err = {""};

    ok(cf_foundation_load(&foundation, &v, up, twist, &load, &err) == CF_ERANGE, "refused: %s",
       want);
    is_str(err.text, want, "in these words");
}

static void test_refused(void)
{
    static const double twice[3] = {0, 0, 2}, still[CF_TWIST] = {0},
                        fast[CF_TWIST] = {0, 0, 0, 0, INFINITY, 0};

    refused(0, 0.4, n, still, "stiffness of a foundation = 0 N/m^3: must be finite and above 0");
    refused(2000, -0.1, n, still,
            "damping of a foundation = -0.1 s/m: must be finite and not below 0");
    refused(2000, 0.4, twice, still, "normal of a foundation = (0, 0, 2): must be a unit vector");
    refused(2000, 0.4, n, fast,
            "angular velocity over a foundation, y = inf rad/s: must be finite");
}

TEST(volume_foundation)
{
    plan(1 + 1 + 3 + 3 + 2 + 8);
    test_potential();
    test_columns();
    test_power();
    test_derivatives();
    test_nothing();
    test_refused();
    return done();
}
