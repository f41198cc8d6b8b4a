/* Any shape with any normal law and any law of friction: what holds for all of them - energy
 * balance, moments about the plane, friction that takes energy, e of the normal law alone. Over a
 * volume of interference: the laws that have a form there. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "law/friction.h"
#include "law/law.h"
#include "lib/stage.h"
#include "tap.h"

/* Each ball is thrown into or onto its shape, spinning. */
static const struct {
    const char *name, *solid, *position, *velocity;
} shapes[] = {
    {"plane", "plane: {normal: [0, 0, 1], height: 0}", "[0, 0, 1.5 cm]", "[0.6, 0.2, -0.5]"},
    {"sphere", "solids: [{sphere: {center: [0, 0, -5 cm], radius: 5 cm}}]", "[0, 0, 1.5 cm]",
     "[0.1, 0.2, -0.5]"},
    {"edge", "edge: {point: [0, 0, 0], normal_1: [1, 0, 1], normal_2: [-1, 0, 1]}",
     "[0.2 cm, 0, 1.5 cm]", "[0, 0.2, -0.5]"},
    {"cylinder", "cylinder: {point: [0, 0, -5 cm], axis: [0, 1, 0], radius: 5 cm}",
     "[0.2 cm, 0, 1.5 cm]", "[0, 0.2, -0.5]"},
    {"bore", "bore: {point: [0, 0, 9 cm], axis: [0, 1, 0], radius: 9 cm}", "[1 cm, 0, 1.5 cm]",
     "[0.6, 0.2, -0.5]"},
    {"cone", "cone: {apex: [0, 0, 0], axis: [0, 0, 1], angle: 120 deg}", "[2 cm, 0, 1 cm]",
     "[-0.2, 0.2, -0.5]"},
};
enum { NSHAPE = sizeof shapes / sizeof *shapes };

static const char *const text = "duration: 0.12 s\n"
                                "bodies:\n"
                                "  ball: {sphere: {radius: 1 cm}, mass: 0.1 kg, inertia: solid,\n"
                                "         position: %s, velocity: %s, spin: [20, -30, 10]}\n"
                                "  floor: {%s, fixed: true}\n"
                                "contacts:\n"
                                "  - between: [ball, floor]\n"
                                "    normal: {law: hunt-crossley, k: 1e6, a: 0.2}\n"
                                "    friction: {law: stribeck, mu_s: 0.3, mu_d: 0.2, v_s: 0.01}\n";

static void set_typical(const struct cf_param param[], size_t n, double p[])
{
    for (size_t i = 0; i < n; i++)
        p[i] = param[i].typical;
}

/* About a point of the plane no contact force has a moment along the plane. */
static double moment_change(const struct stage *stage)
{
    const struct cf_rigid *first = &stage->file->scene.body[0];
    const struct cf_body_state *end = &stage->end.body;
    double I = 0.4 * 0.1 * 1e-4, m = 0.1 * 0.01;
    double x = m * (end->velocity_m_s[0] - first->velocity_m_s[0]) +
               I * (end->spin_rad_s[1] - first->spin_rad_s[1]);
    double y = m * (end->velocity_m_s[1] - first->velocity_m_s[1]) -
               I * (end->spin_rad_s[0] - first->spin_rad_s[0]);

    return hypot(x, y) / (m * 0.6);
}

/* One shape, one normal law, all laws of friction. */
static void test_pair(int shape, const struct cf_law *law)
{
    double off = 0, moment = 0, least = INFINITY, turned = 0;
    size_t n = 0, met = 0;
    bool ran = true, volume = law->family == CF_FAMILY_FOUNDATION;

    for (size_t i = 0; cf_friction_laws[i]; i++) {
        const struct cf_friction_law *friction =
            volume ? cf_friction_laws[i]->over_area : cf_friction_laws[i];
        struct stage stage;
        if (!friction)
            continue;
        n++;
        stage_write(&stage, "any_pair", text, shapes[shape].position, shapes[shape].velocity,
                    shapes[shape].solid);
        if (!stage.file) {
            ran = false;
            break;
        }
        struct cf_contact_pair *pair = &stage.file->scene.pair[0];
        pair->law = law;
        set_typical(law->param, law->nparam, pair->p);
        pair->friction = friction;
        set_typical(friction->param, friction->nparam, pair->friction_p);
        pair->pressure_power = (double) NAN;
        pair->spin_factor = 1;
        stage.options.max_steps = 100000;
        bool went = stage_run(&stage);
        if (!went || !(stage_off(&stage) < 1e-9))
            printf("# %s, %s, %s: %g\n", shapes[shape].name, law->name, friction->name,
                   stage_off(&stage));
        ran &= went;
        off = fmax(off, stage_off(&stage));
        met += stage.result.events[CF_EVENT_MAKE] > 0;
        /* a bristle under a falling load returns more than it took ([AF10] 33): only including the
         * slide is it a loss */
        const double *lost = stage.result.energy_J;
        least = fmin(least, lost[CF_ENERGY_NORMAL_DAMPER]);
        least = fmin(least, lost[CF_ENERGY_TANGENTIAL_DAMPER] + lost[CF_ENERGY_SLIDE] +
                                lost[CF_ENERGY_VISCOUS] + lost[CF_ENERGY_SPINNING]);
        least = fmin(least, lost[CF_ENERGY_ROLLING]);
        turned = fmax(turned, fabs(stage.end.body.spin_rad_s[1] + 30));
        if (shape == 0 && !volume) /* rolling and spinning have torques of their own */
            moment = fmax(moment, moment_change(&stage));
        stage_close(&stage);
    }
    ok(ran && met == n && n > 0 && off < 1e-9 && moment < 1e-9 && least > -1e-12 && turned > 1e-6,
       "%s, %s, %zu laws of friction: energy balance off by %.1e, moment by %.1e",
       shapes[shape].name, law->name, n, off, moment);
}

TEST(any_pair)
{
    static const char *const foundations[] = {"winkler", "gonthier-volumetric"};
    enum { NVOLUME = 4 }; /* shapes behind the plane that have a volume with a sphere */
    int laws = 0, points = 0;

    while (cf_laws[laws] && cf_laws[laws]->force) /* restitution laws come after them */
        points += cf_laws[laws++]->family == CF_FAMILY_NORMAL;
    plan(laws + NSHAPE - 1 + 2 * NVOLUME);
    for (int i = 0; i < laws; i++)
        test_pair(0, cf_laws[i]);
    for (int shape = 1; shape < NSHAPE; shape++)
        test_pair(shape, cf_laws[(3 * shape) % points]);
    for (int shape = 1; shape <= NVOLUME; shape++)
        for (int i = 0; i < 2; i++)
            test_pair(shape, cf_law_find(foundations[i]));
    return done();
}
