/* The order of the bodies of a contact changes nothing: names are changed about in `between`, and
 * what is said of each body goes along. Two spheres, two of several spheres, and cells; friction of
 * a point and over an area. Where the force acts is seen from the slip of balls that spin at known
 * places, whose levers are known from Hertz's displacements; for ever larger spheres it comes to
 * where it is on a plane, as far as that gives way alone. The rule of the first surface is by its
 * lever, too. Columns against differences of runs. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/columns.h"
#include "lib/stage.h"
#include "tap.h"

/* Two bodies that fly, spin, and meet off centre. */
static const char *const collision =
    "gravity: 0 m/s^2\n"
    "duration: 60 ms\n"
    "bodies:\n"
    "  left: {%s, mass: 0.3 kg, inertia: [6e-5, 6e-5, 6e-5], spin: [15, -50, 30],\n"
    "         velocity: [0.4 m/s, 0.1 m/s, 0 m/s]}\n"
    "  right: {%s, mass: 0.2 kg, inertia: [3e-5, 3e-5, 3e-5], spin: [-20, 10, 60],\n"
    "          position: [7 cm, 1 cm, -1.5 cm], velocity: [-1.1 m/s, 0 m/s, 0.2 m/s]}\n"
    "contacts:\n"
    "  - {between: %s, %s, friction: {%s}}\n";

struct order {
    const char *name, *left, *right;
    const char *law[2]; /* of [left, right], of [right, left] */
    const char *friction;
    double part; /* of the largest of their kind */
};

#define BALLS "sphere: {radius: 25 mm}", "sphere: {radius: 18 mm}"
#define SAME(text)                                                                                 \
    {                                                                                              \
        text, text                                                                                 \
    }
#define SOFT "normal: {law: azad-featherstone, k: 2e5, lambda: 300}"
#define COULOMB "law: coulomb, mu: 0.3, v_e: 0.1 m/s"

/* Parts are those of the steps' tolerance, 1e-10, where friction has limits. */
static const struct order orders[] = {
    {"deep", BALLS, SAME(SOFT), COULOMB, 1e-12},
    {"bristles", BALLS, SAME(SOFT),
     "law: bristle, mu_s: 0.5, mu_c: 0.4, sigma_0: 1e5, sigma_1: 500, sigma_2: 0, v_s: 0.01, "
     "tau_dw: 0.01",
     1e-9},
    {"Lugre", BALLS, SAME("normal: {law: lee-wang, k: 3e6, lambda: 800}"),
     "law: lugre, mu_s: 0.5, mu_c: 0.4, sigma_0: 1e5, sigma_1: 300, sigma_2: 0, v_s: 0.01", 1e-9},
    {"a hard law", BALLS, SAME("normal: {law: hunt-crossley, k: 5e8, a: 0.2}"), COULOMB, 1e-11},
    {"two moduli",
     BALLS,
     {"normal: {law: hunt-crossley, youngs_modulus_1: 2e6, poissons_ratio_1: 0.45, "
      "youngs_modulus_2: 7e6, poissons_ratio_2: 0.2, a: 0.2}",
      "normal: {law: hunt-crossley, youngs_modulus_1: 7e6, poissons_ratio_1: 0.2, "
      "youngs_modulus_2: 2e6, poissons_ratio_2: 0.45, a: 0.2}"},
     COULOMB,
     1e-12},
    {"two materials",
     BALLS,
     {"normal: {law: azad-featherstone-two-body, k1: 2e5, lambda1: 150, k2: 9e5, lambda2: 600}",
      "normal: {law: azad-featherstone-two-body, k1: 9e5, lambda1: 600, k2: 2e5, lambda2: 150}"},
     COULOMB,
     1e-10},
    {"volumes of balls", BALLS, SAME("foundation: {law: winkler, kv: 2e9, a: 0.1}"), COULOMB,
     1e-12},
    {"boxes", "cells: [{box: {size: [4 cm, 5 cm, 4 cm]}}]",
     "cells: [{box: {size: [3 cm, 3 cm, 4 cm]}}]",
     SAME("foundation: {law: winkler, kv: 2e9, a: "
          "0.1}"),
     COULOMB, 1e-9},
};
enum { NORDER = sizeof orders / sizeof *orders };

static double farther(double worst, const double a[3], const double b[3], double size)
{
    for (int k = 0; k < 3; k++)
        worst = fmax(worst, isfinite(a[k] - b[k]) ? fabs(a[k] - b[k]) / size : INFINITY);
    return worst;
}

/* The largest difference of two bodies' places, velocities and spins, in parts of a length of
 * 1 cm, 1 m/s and 50 rad/s. */
static double apart(const struct stage run[2])
{
    double worst = 0;

    for (int b = 0; b < 2; b++) {
        const struct cf_body_state *one = &run[0].last[b], *other = &run[1].last[b];
        worst = farther(worst, one->position_m, other->position_m, 0.01);
        worst = farther(worst, one->velocity_m_s, other->velocity_m_s, 1);
        worst = farther(worst, one->spin_rad_s, other->spin_rad_s, 50);
    }
    return worst;
}

/* Of both bodies about a point. */
static void moment(const struct cf_rigid body[], const struct cf_body_state at[], double l[3])
{
    static const double about[] = {0.3, -0.2, 0.5};

    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        l[k] = 0;
        for (int b = 0; b < 2; b++) {
            const double *x = at[b].position_m, *v = at[b].velocity_m_s;
            l[k] += body[b].mass_kg * ((x[i] - about[i]) * v[j] - (x[j] - about[j]) * v[i]) +
                    body[b].inertia_kg_m2[0] * at[b].spin_rad_s[k];
        }
    }
}

/* What a collision changes of it, of the whole. */
static double moment_off(const struct stage *run)
{
    const struct cf_rigid *body = run->file->scene.body;
    struct cf_body_state first[2];
    double before[3], after[3];

    for (int b = 0; b < 2; b++) {
        memcpy(first[b].position_m, body[b].position_m, sizeof first[b].position_m);
        memcpy(first[b].velocity_m_s, body[b].velocity_m_s, sizeof first[b].velocity_m_s);
        memcpy(first[b].spin_rad_s, body[b].spin_rad_s, sizeof first[b].spin_rad_s);
    }
    moment(body, first, before);
    moment(body, run->last, after);
    return farther(0, before, after, hypot(before[0], hypot(before[1], before[2])));
}

static void test_order(const struct order *row)
{
    static const char *const between[] = {"[left, right]", "[right, left]"};
    struct stage run[2];
    bool ran = true;
    double off = INFINITY, turned = INFINITY;

    for (int k = 0; k < 2; k++) {
        stage_write(&run[k], "body_order", collision, row->left, row->right, between[k],
                    row->law[k], row->friction);
        ran &= stage_run(&run[k]) && run[k].result.events[CF_EVENT_BREAK] >= 1;
        ran &= stage_off(&run[k]) < 1e-9;
    }
    if (ran) {
        off = apart(run);
        turned = fmax(moment_off(&run[0]), moment_off(&run[1]));
    }
    ok(ran && off < row->part, "%s: the order moves them by %.0e%s", row->name, off,
       run[0].err.text);
    ok(turned < 1e-12, "%s: their angular momentum about a point is kept to %.0e", row->name,
       turned);
    for (int k = 0; k < 2; k++)
        stage_close(&run[k]);
}

/* A dumbbell that a ball hits: two contacts, which turn with the body. */
static void test_dumbbell(void)
{
    static const char *const contacts[] = {
        "  - {between: [bell, ball], " SOFT ", friction: {" COULOMB "}}\n",
        "  - {between: [ball, bell], name: one, solid: 1, " SOFT ", friction: {" COULOMB "}}\n"
        "  - {between: [ball, bell], name: two, solid: 2, " SOFT ", friction: {" COULOMB "}}\n"};
    struct stage run[2];
    bool ran = true;

    for (int k = 0; k < 2; k++) {
        stage_write(&run[k], "dumbbell",
                    "duration: 80 ms\n"
                    "bodies:\n"
                    "  bell: {spheres: [{radius: 2 cm, center: [-3 cm, 0, 0]}, {radius: 1.5 cm, "
                    "center: [3 cm, 0, 0]}],\n"
                    "         mass: 0.2 kg, inertia: [3e-5, 2e-4, 2e-4], spin: [10, 5, -20]}\n"
                    "  ball: {sphere: {radius: 2 cm}, mass: 0.1 kg, inertia: solid,\n"
                    "         position: [0, 1 cm, 5 cm], velocity: [0.2, 0, -1.5], spin: [0, 40, "
                    "0]}\n"
                    "contacts:\n%s",
                    contacts[k]);
        ran &= stage_run(&run[k]) && run[k].result.events[CF_EVENT_MAKE] >= 1;
    }
    double off = ran ? apart(run) : (double) INFINITY;
    ok(off < 1e-11, "a dumbbell: the order moves it by %.0e%s", off, run[0].err.text);
    for (int k = 0; k < 2; k++)
        stage_close(&run[k]);
}

/* ---- levers */

static const double BALL = 0.02, DEEP = 1e-3, SPIN = 8;

/* The lever at which a ball that spins in place, DEEP in a body that stands, slips over it: for
 * `swapped` the ball is named second. */
static double lever_m(const char *other, double at_m, const char *law, const char *more,
                      bool swapped)
{
    struct stage stage;
    const double *slip = stage.end.contact.slip_m_s;
    double lever;

    stage_write(&stage, "lever",
                "duration: 1 ms\n"
                "bodies:\n"
                "  ball: {sphere: {radius: %.17g}, position: [0, 0, %.17g],\n"
                "         moving: {velocity: [0, 0, 0], spin: [0, %.17g, 0]}}\n"
                "  other: {%s, fixed: true}\n"
                "contacts:\n"
                "  - {between: %s, %s normal: {%s}, friction: {law: coulomb, mu: 0.1, v_e: "
                "0.001}}\n",
                BALL, at_m, SPIN, other, swapped ? "[other, ball]" : "[ball, other]", more, law);
    lever = stage_run(&stage) ? hypot(slip[0], hypot(slip[1], slip[2])) / SPIN : (double) NAN;
    if (!isfinite(lever))
        printf("# %s\n", stage.err.text);
    stage_close(&stage);
    return lever;
}

/* A sphere of a radius whose top is at the origin. */
static double sphere_lever_m(double radius_m, const char *law, const char *more, bool swapped)
{
    char other[200];

    snprintf(other, sizeof other, "sphere: {radius: %.17g}, position: [0, 0, %.17g]", radius_m,
             -radius_m);
    return lever_m(other, BALL - DEEP, law, more, swapped);
}

#define MODULI(E1, nu1, E2, nu2)                                                                   \
    "law: hunt-crossley, youngs_modulus_1: " E1 ", poissons_ratio_1: " nu1                         \
    ", youngs_modulus_2: " E2 ", poissons_ratio_2: " nu2 ", a: 0"
#define PLAIN "law: hunt-crossley, k: 1e5, a: 0"

/* Surfaces of two elastic bodies move by pressures on them in proportion to (1 - nu^2)/E. */
static void test_levers(void)
{
    static const char *const first = "point-of-action: first-surface,";
    double soft = (1 - 0.09) / 2e6, hard = (1 - 0.16) / 6e6, half = BALL - DEEP / 2;

    is_near(sphere_lever_m(0.05, PLAIN, "", false), half, 1e-12, "in the middle");
    is_near(sphere_lever_m(0.05, PLAIN, "", true), half, 1e-12, "in either order");
    is_near(sphere_lever_m(0.05, PLAIN, first, false), BALL, 1e-12, "[G07]: on the first surface");
    is_near(sphere_lever_m(0.05, PLAIN, first, true), BALL - DEEP, 1e-12, "which is the other's");
    is_near(sphere_lever_m(0.05, MODULI("2e6", "0.3", "6e6", "0.4"), "", false),
            BALL - DEEP * soft / (soft + hard), 1e-12, "a softer ball has more of the depth");
    is_near(sphere_lever_m(0.05, MODULI("6e6", "0.4", "2e6", "0.3"), "", true),
            BALL - DEEP * soft / (soft + hard), 1e-12, "in either order");
    is_near(sphere_lever_m(0.05,
                           "law: hunt-crossley, youngs_modulus_1: 2e6, poissons_ratio_1: 0.3, a: 0",
                           "", false),
            BALL - DEEP, 1e-12, "all of it on a rigid sphere");
    is_near(sphere_lever_m(
                0.05, "law: azad-featherstone-two-body, k1: 3e5, lambda1: 0, k2: 1e5, lambda2: 0",
                "", false),
            BALL - 0.25 * DEEP, 1e-12, "a ball thrice as stiff has a quarter");
    is_near(lever_m("cylinder: {point: [0, 0, -5 cm], axis: [0, 1, 0], radius: 5 cm}", BALL - DEEP,
                    PLAIN, "", false),
            half, 1e-12, "on a cylinder");
    is_near(lever_m("bore: {point: [0, 0, 5 cm], axis: [0, 1, 0], radius: 5 cm}", BALL - DEEP,
                    PLAIN, "", false),
            half, 1e-12, "in a bore");
    is_near(lever_m("edge: {point: [0, 0, 0], normal_1: [1, 0, 1], normal_2: [-1, 0, 1]}",
                    BALL - DEEP, PLAIN, "", false),
            BALL, 1e-12, "an edge has the rule of its planes");
}

/* Larger and larger spheres. */
static void test_plane(void)
{
    double plane = lever_m("plane: {normal: [0, 0, 1], height: 0}", BALL - DEEP, PLAIN, "", false);
    double before = INFINITY, most = 0;
    bool nearer = true;

    is_near(plane, BALL, 1e-12, "on a plane: on the ball's surface");
    for (double R = 0.1; R < 2e4; R *= 10) {
        double off = fabs(sphere_lever_m(R, PLAIN, "", false) - (plane - DEEP / 2));
        most = fmax(most, off);
        nearer &= off < 1e-9;
    }
    ok(nearer, "of spheres up to 10 km it is half of the depth from there (to %.0e m)", most);
    nearer = true;
    for (int stiff = 1; stiff <= 5; stiff++) {
        char law[200];
        snprintf(law, sizeof law, MODULI("%.17g", "0.3", "1e6", "0.3"), 1e6 * pow(10, stiff));
        double off = fabs(sphere_lever_m(1000, law, "", false) - plane);
        nearer &= off < before / 5;
        before = off;
    }
    ok(nearer && before < 2e-5 * DEEP,
       "where the larger sphere gives way alone it is where it is on a plane (to %.0e m)", before);
}

/* ---- columns */

static void test_columns(const char *name, const char *law, const char *more)
{
    static struct columns columns;
    struct columns_worst worst;
    struct stage stage;

    memset(&worst, 0, sizeof worst);
    stage_write(&stage, "order_columns",
                "duration: 30 ms\n"
                "bodies:\n"
                "  a: {sphere: {radius: 25 mm}, mass: 0.3 kg, inertia: solid, spin: [15, -50, "
                "30]}\n"
                "  b: {sphere: {radius: 18 mm}, mass: 0.2 kg, inertia: solid, spin: [-20, 10, "
                "60],\n"
                "      position: [5 cm, 1 cm, -1 cm], velocity: [-1.1, 0.1, 0.2]}\n"
                "contacts:\n"
                "  - {between: [a, b], %s normal: {%s},\n"
                "     friction: {" COULOMB "}}\n",
                more, law);
    bool good = stage.file && columns_run(&columns, &stage);
    for (size_t i = 0; good && i < columns.nnumber; i++)
        columns_compare(&columns, i, &worst);
    ok(good && worst.off[0] <= 1e-4 && worst.off[1] <= 1e-6 && worst.compared > worst.unsure,
       "columns, %s: %.0e, %.0e of %zu values%s", name, worst.off[0], worst.off[1], worst.compared,
       stage.err.text);
    if (good && !(worst.off[1] <= 1e-6))
        printf("# %s, channel %d at %g s: %g, wanted %g\n",
               columns_name(&columns.number[worst.number[1]]),
               (int) columns.channel[worst.channel[1]].kind, worst.time_s[1], worst.found[1],
               worst.want[1]);
    if (good)
        columns_free(&columns);
    stage_close(&stage);
}

TEST(body_order)
{
    plan(2 * NORDER + 1 + 11 + 3 + 3);
    for (int i = 0; i < NORDER; i++)
        test_order(&orders[i]);
    test_dumbbell();
    test_levers();
    test_plane();
    test_columns("in the middle", "law: azad-featherstone, k: 2e5, lambda: 300", "");
    test_columns("of two materials",
                 "law: azad-featherstone-two-body, k1: 2e5, lambda1: 150, k2: 9e5, lambda2: 600",
                 "");
    test_columns("on the first", "law: azad-featherstone, k: 2e5, lambda: 300",
                 "point-of-action: first-surface,");
    return done();
}
