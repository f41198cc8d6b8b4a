/* Touches over volumes at the finest tolerances: the rates of bristles jump there, and where the
 * volume has a corner, as no event tells. Balls on an edge and in a bore, at numbers of their own:
 * the run at 1e-13 is that at 1e-10 to the error of that, and derivatives at the default tolerance
 * are differences of runs. A jump at an unknown place, in closed form. */

#include <math.h>
#include <string.h>

#include "lib/columns.h"
#include "lib/stage.h"
#include "ode/ode.h"
#include "tap.h"

#define BRISTLES(sigma_0)                                                                          \
    "friction: {law: bristle, mu_s: 0.3, mu_c: 0.2, sigma_0: " sigma_0 ", sigma_1: 200, "          \
    "sigma_2: 0, v_s: 0.3, tau_dw: 0.1}"

static const char *const edge =
    "duration: 0.17 s\n"
    "bodies:\n"
    "  ball: {sphere: {radius: 6 cm}, mass: 1.5 kg, inertia: solid, position: [0, 5 cm, 10 cm],\n"
    "         velocity: [0, 0.25, 0], spin: [-4.1, 0, 60]}\n"
    "  table: {edge: {point: [0, 9 cm, 0], normal_1: [0, 0, 1], normal_2: [0, 1, 0]}, fixed: "
    "true}\n"
    "contacts:\n"
    "  - {between: [ball, table], foundation: {law: gonthier-volumetric, kv: 2e7, e: 0.4, v_small: "
    "1 mm/s},\n"
    "     " BRISTLES("1e6") "}\n";

static const char *const bore =
    "duration: 0.2 s\n"
    "bodies:\n"
    "  ball: {sphere: {radius: 5 cm}, mass: 0.7 kg, inertia: solid, position: [12 cm, 0, -20 cm],\n"
    "         velocity: [0.9, 0.2, 0], spin: [0, 3, 40]}\n"
    "  pipe: {bore: {point: [0, 0, 0], axis: [0, 1, 0], radius: 40 cm}, fixed: true}\n"
    "contacts:\n"
    "  - {between: [ball, pipe], foundation: {law: gonthier-volumetric, kv: 8e6, e: 0.6, v_small: "
    "1 mm/s},\n"
    "     " BRISTLES("2e4") "}\n";

static void test_finest(const char *name, const char *text)
{
    struct cf_body_state coarse = {.position_m = {NAN}};
    struct stage stage;
    double off = 0;

    stage_write(&stage, "volume_touch", "%s", text);
    bool ran = stage_run(&stage);
    if (ran)
        coarse = stage.last[0];
    for (int digits = 13; digits <= (is_full_check() ? 14 : 13) && ran; digits++) {
        stage.options.tolerance = pow(10, -digits);
        ran = stage_run(&stage) && stage.result.events[CF_EVENT_MAKE] >= 1;
        for (int k = 0; k < 3 && ran; k++) {
            off = fmax(off, fabs(stage.last[0].velocity_m_s[k] - coarse.velocity_m_s[k]));
            off = fmax(off, 0.05 * fabs(stage.last[0].spin_rad_s[k] - coarse.spin_rad_s[k]));
        }
    }
    ok(ran && off < 1e-7, "%s: at the finest as at 1e-10, to %.0e m/s%s", name, off,
       stage.err.text);
    stage_close(&stage);
}

static void test_columns(void)
{
    static struct columns columns;
    struct columns_worst worst;
    struct stage stage;
    bool good;

    memset(&worst, 0, sizeof worst);
    stage_write(&stage, "volume_touch", "%s", bore);
    good = stage.file;
    if (good) {
        columns_list(&columns, &stage);
        columns_thin(&columns, 1, 20);
        good = columns_carry(&columns);
    }
    for (size_t i = 0; good && i < columns.nnumber; i++)
        columns_compare(&columns, i, &worst);
    ok(good && worst.off[0] <= 5e-4 && worst.off[1] <= 1e-5 && worst.compared > worst.unsure,
       "columns over the volume of a bore: %.0e, %.0e of %zu values%s", worst.off[0], worst.off[1],
       worst.compared, stage.err.text);
    if (good)
        columns_free(&columns);
    stage_close(&stage);
}

/* y' = 1 before 1/3 and -400 behind it, with a scale that asks for 1e-18 of y. */
static const double JUMP = 1.0 / 3, STEEP = 400;

static void jump(const void *context, double t, const double y[], double rate[])
{
    (void) context;
    (void) y;
    rate[0] = t < JUMP ? 1 : -STEEP;
}

static void test_jump(void)
{
    const struct cf_ode_system system = {.n = 1, .rates = jump};
    const double scale[] = {1e-4};
    struct cf_ode_options options = {
        .tolerance = 1e-14, .scale = scale, .max_steps = 10000, .max_step = 0.03};
    struct cf_ode *ode = cf_ode_alloc(1, 0);
    struct cf_ode_result out;
    struct cf_error err = {""};
    double t = 0, y[] = {-JUMP};
    int status =
        ode ? cf_ode_run(ode, &system, NULL, &options, &t, y, NULL, 0.5, &out, &err) : CF_ENOMEM;

    /* as well as t = 1/3 is known, which is to 64 roundings */
    ok(!status && fabs(y[0] + STEEP * (0.5 - JUMP)) < STEEP * 64 * 2.2e-16,
       "a jump that no event tells of: off by %.0e%s", y[0] + STEEP * (0.5 - JUMP), err.text);
    cf_ode_free(ode);
}

TEST(volume_touch)
{
    plan(4);
    test_jump();
    test_finest("over an edge", edge);
    test_finest("in a bore", bore);
    test_columns();
    return done();
}
