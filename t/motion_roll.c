/* A ball that falls into a bore, bounces and rolls to and fro by stiff bristles (Gonthier 2007,
 * section 5.1.3): touches are found at depth 0 however the ball spins, the energy balance closes,
 * and the rolling takes few steps. Its amplitude is constant, and its period is that of a solid
 * ball. */

#include <math.h>

#include "motion/motion.h"
#include "tap.h"

static const double PI = 3.14159265358979323846;
static const double BORE = 1, BALL = 0.1, GRAVITY = 9.81, ROLLS = 5;

struct seen {
    double deepest;    /* at a touch */
    double turned[40]; /* when the ball went through the lowest place */
    size_t nturned;
    double x, time_s;
    double fastest; /* once it rolls */
};

static void on_event(void *observer, enum cf_motion_event what, size_t index,
                     const struct cf_snapshot *at)
{
    struct seen *seen = observer;

    if (what == CF_EVENT_MAKE)
        seen->deepest = fmax(seen->deepest, fabs(at->contact[index].depth_m));
}

static void sampled(void *observer, const struct cf_snapshot *at)
{
    struct seen *seen = observer;
    double x = at->body[0].position_m[0];

    if (x * seen->x < 0 && seen->nturned < sizeof seen->turned / sizeof seen->turned[0])
        seen->turned[seen->nturned++] =
            seen->time_s - seen->x * (at->time_s - seen->time_s) / (x - seen->x);
    if (at->time_s > ROLLS)
        seen->fastest = fmax(seen->fastest, fabs(at->body[0].velocity_m_s[0]));
    seen->x = x;
    seen->time_s = at->time_s;
}

static void set(const struct cf_param *param, size_t nparam, double p[], const char *name, double x)
{
    p[cf_param_find(param, nparam, name)] = x;
}

static void fill(struct cf_contact_pair *pair)
{
    static const struct {
        const char *name;
        double value;
    } friction[] = {{"mu_s", 0.45}, {"mu_c", 0.4}, {"sigma_0", 1e5}, {"sigma_1", 1e4},
                    {"sigma_2", 0}, {"v_s", 0.1},  {"tau_dw", 0.01}};
    const struct cf_law *law = cf_law_find("gonthier");
    const struct cf_friction_law *rub = cf_friction_find("bristle");

    *pair = (struct cf_contact_pair){
        .name = (char *) "ball-bore", .body = {0, 1}, .law = law, .friction = rub};
    set(law->param, law->nparam, pair->p, "k", 1e6);
    set(law->param, law->nparam, pair->p, "e", 0.5);
    set(law->param, law->nparam, pair->p, "v_small", 0.001);
    for (size_t i = 0; i < sizeof friction / sizeof friction[0]; i++)
        set(rub->param, rub->nparam, pair->friction_p, friction[i].name, friction[i].value);
}

TEST(motion_roll)
{
    const double mass = 2, inertia = 0.4 * mass * BALL * BALL;
    struct cf_ball ball = {.radius_m = BALL};
    struct cf_solid bore = {
        .shape = cf_shape_find("bore"), .direction = {{0, 1, 0}}, .size = {BORE}};
    struct cf_rigid body[] = {{.name = (char *) "ball",
                               .mass_kg = mass,
                               .inertia_kg_m2 = {inertia, inertia, inertia},
                               .position_m = {0.3, 0, -0.5},
                               .attitude = {1},
                               .nball = 1,
                               .ball = &ball},
                              {.name = (char *) "bore",
                               .drive = CF_DRIVE_FIXED,
                               .attitude = {1},
                               .nsolid = 1,
                               .solid = &bore}};
    struct cf_contact_pair pair;
    struct cf_scene scene = {.gravity_m_s2 = {0, 0, -GRAVITY},
                             .duration_s = 10,
                             .nbody = 2,
                             .body = body,
                             .npair = 1,
                             .pair = &pair};
    struct cf_motion_options options = cf_motion_defaults;
    struct cf_motion_result out;
    struct seen seen = {0};
    struct cf_error err;

    plan(6);
    fill(&pair);
    ok(cf_solid_make(&bore, &err) == CF_OK && cf_scene_check(&scene, NULL, NULL, &err) == CF_OK,
       "a scene");
    options.every_s = 1e-3;
    options.on_event = on_event;
    options.sample = sampled;
    options.observer = &seen;
    int status = cf_motion_run(&scene, &options, &out, &err);
    ok(status == CF_OK, "runs: %zu steps, %zu stiff", out.steps, out.stiff_steps);
    ok(out.events[CF_EVENT_MAKE] == 4 && seen.deepest < 1e-12, "four touches, at depth 0: %g m",
       seen.deepest);
    const struct cf_balance_check *check = &out.balance[CF_SPAN_EXCHANGE][CF_CONSERVED_ENERGY];
    ok(cf_balance_part(check) < 1e-9, "energy balance closes: %g J of %g", check->off, check->most);
    ok(out.steps < 3000 && out.stiff_steps > out.steps / 2, "the explicit method takes 541748");

    /* swings of a pendulum of 7/5 (BORE - BALL), whose half period grows with its amplitude; the
     * ball rolls on the middle of the overlap, and turns the faster */
    size_t last = seen.nturned - 1;
    double half = (seen.turned[last] - seen.turned[last - 4]) / 4;
    double deep = pow(mass * GRAVITY / 1e6, 2.0 / 3), way = BORE - BALL + deep;
    double lever = BALL - deep / 2, grown = 1 + inertia / (mass * lever * lever);
    double length = grown * way, rise = 0.5 * grown * seen.fastest * seen.fastest / GRAVITY;
    double k = sqrt(rise / (2 * way)), a = 1, b = sqrt(1 - k * k);
    for (int i = 0; i < 6; i++) { /* the complete elliptic integral by means */
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    ok(fabs(half / (PI * sqrt(length / GRAVITY) / a) - 1) < 1e-4,
       "it swings as a pendulum of 7/5 of the length: %.6g s, %.6g s", half,
       PI * sqrt(length / GRAVITY) / a);
    return done();
}
