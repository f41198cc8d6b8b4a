/* Scene files: the example of the design, then the meaning of each key, overrides, recorded motions
 * and the parameters of friction. What must be refused is in t/bad. */

#define _POSIX_C_SOURCE 200809L

#include "scene/scene_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/scratch.h"
#include "motion/recorded.h"
#include "scene/trace_columns.h"
#include "tap.h"

static struct scratch scratch;

/* The scene of a text, changed by an override; NULL and its message in err. */
static struct cf_scene_file *read_with(const char *text, const char *path, const char *value,
                                       struct cf_error *err)
{
    struct cf_override override = {path, value};

    scratch_write(scratch.file, text);
    return cf_scene_read(scratch.file, &override, path ? 1 : 0, err);
}

static struct cf_scene_file *read_text(const char *text)
{
    struct cf_error err = {""};
    struct cf_scene_file *file = read_with(text, NULL, NULL, &err);

    if (!file)
        printf("Bail out! %s\n", err.text);
    return file;
}

/* The example of the design. */
static const char steel[] =
    "contactfit: scene/1\n"
    "title: 66 g steel sphere on cast iron, dropped from 1 m\n"
    "source: Azad & Featherstone 2014, section II-C\n"
    "gravity: 10 m/s^2\n"
    "duration: 5 s\n"
    "bodies:\n"
    "  ball:   {sphere: {radius: 12.7 mm}, mass: 66 g, position: [0 m, 0 m, 1.0127 m]}\n"
    "  ground: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
    "contacts:\n"
    "  - {between: [ball, ground], normal: {law: azad-featherstone, k: 1e10, lambda: 1e5}}\n";

static void test_example(void)
{
    struct cf_scene_file *file = read_text(steel);
    if (!file)
        return;
    const struct cf_scene *s = &file->scene;
    const struct cf_rigid *ball = &s->body[0];
    const struct cf_contact_pair *m = &s->pair[0];

    is_str(file->title, "66 g steel sphere on cast iron, dropped from 1 m", "title");
    is_str(file->source, "Azad & Featherstone 2014, section II-C", "source");
    ok(file->caption == NULL && file->nnote == 0 && file->nremark == 0,
       "nothing that is not there");
    ok(s->gravity_m_s2[0] == 0 && s->gravity_m_s2[2] == -10, "one number pulls down");
    ok(s->duration_s == 5 && s->nbody == 2 && s->npair == 1, "duration, bodies, contacts");
    ok(ball->drive == CF_DRIVE_FREE && s->body[1].drive == CF_DRIVE_FIXED,
       "one falls, one does not");
    is_near(ball->mass_kg, 0.066, 1e-16, "mass in grams");
    is_near(ball->position_m[2], 1.0127, 0, "place");
    is_near(ball->inertia_kg_m2[1] / (0.066 * 0.0127 * 0.0127), 0.4, 1e-15, "a solid sphere");
    ok(ball->nball == 1 && ball->ball[0].radius_m == 0.0127, "its radius");
    ok(s->body[1].nsolid == 1 && strcmp(s->body[1].solid[0].shape->name, "plane") == 0, "a plane");
    is_str(m->name, "ball-ground", "the contact's name");
    is_str(m->law->name, "azad-featherstone", "its law");
    ok(m->p[0] == 1e10 && m->p[1] == 1e5 && !m->friction, "its parameters");
    is_near(cf_contact_pair_radius(s, m), 0.0127, 1e-16, "radius of the pair");
    is_near(cf_contact_pair_mass(s, m), 0.066, 1e-16, "mass of the pair");
    ok(!file->options.scheme && file->options.tolerance == cf_motion_defaults.tolerance &&
           file->options.every_s == 0,
       "the stepper's defaults");
    cf_scene_file_free(file);
}

/* Every kind of body. */
static const char zoo[] =
    "contactfit: scene/1\n"
    "gravity: [1 m/s^2, 0, -200 cm/s^2]\n"
    "duration: 20 ms\n"
    "bodies:\n"
    "  shell: {sphere: {diameter: 2 cm}, mass: 3 g, inertia: hollow, position: [5, 0, 0],\n"
    "          attitude: {axis: [0, 0, 2], angle: 90 deg}, velocity: [1 cm/s, 0, 0], spin: [0, 0, "
    "60 rpm]}\n"
    "  brick: {box: {size: [1 m, 2 m, 3 m]}, mass: 12 kg, position: [0, 0, 10 m]}\n"
    "  sled: {points: [[0, 0, -1 cm], [1 cm, 0, -1 cm]], mass: 1 kg, turns: false, position: [0, "
    "9, 9]}\n"
    "  pair: {spheres: [{radius: 1 cm, center: [1 cm, 0, 0]}, {radius: 2 cm}], mass: 1 kg,\n"
    "         inertia: [1e-3 kg m^2, 1e-3 kg m^2, 2e-3 kg m^2], position: [0, -9, 9]}\n"
    "  anvil: {solids: [{plane: {normal: [0, 3, 4], height: -1 m}},\n"
    "                   {cone: {apex: [0, 0, -9], axis: [0, 0, 1], angle: 60 deg}}], fixed: true}\n"
    "  ball: {sphere: {radius: 4 cm}, fixed: true}\n"
    "  belt: {plane: {normal: [0, 0, 1], height: -2 m}, moving: {velocity: [1, 0, 0], spin: [0, 0, "
    "1]}}\n"
    "  table: {plane: {normal: [0, 0, 1], height: -3 m},\n"
    "          trace: {file: table.csv, time: t_ms, x: x, z: z_mm, scale: -1, offset: [0, 7 m, 1 "
    "m]}}\n"
    "  arm: {point: {center: [0, 0, -1 cm]}, position: [0, 0, 1], command: {yield: 0.1 mm/(s N), "
    "dead-band: 10 N, lag: 10 ms,\n"
    "        legs: [{from: 0 s, velocity: [0, 0, -1 mm/s]}, {from: 1 s, velocity: [0, 0, 0]}]}}\n"
    "chain:\n"
    "  joint: [0, 0, 30]\n"
    "  down: [0, 0, -2]\n"
    "  side: [3, 0, 0]\n"
    "  links:\n"
    "    - {name: upper, length: 2, center: 1, mass: 2 kg, inertia: 0.5, angle: 30 deg, rate: 1 "
    "rad/s}\n"
    "    - {name: lower, length: 1, center: 1, mass: 1 kg, inertia: 0, angle: -30 deg, rate: 0, "
    "tip: {radius: 1 cm}}\n"
    "contacts:\n"
    "  - {between: [sled, anvil], solid: 1, normal: {law: gonthier, k: 1e6, v_small: 1 mm/s,\n"
    "     e: {law: e-linear, slope: 0.2}}, friction: {law: bristle, mu_s: 0.5, mu_c: 0.4, assume: "
    "gonthier}, stuck: true}\n"
    "  - {between: [shell, ball], name: hit, normal: {law: azad-featherstone, k: 1e6, lambda: "
    "10},\n"
    "     friction: {law: clutch, mu: 0.1, c_v: 0, from-normal: true}}\n"
    "  - {between: [pair, anvil], ball: 2, solid: 2, normal: {law: hunt-crossley, "
    "effective_modulus: 1 GPa, a: 0.1}, relaxation: 1 s}\n"
    "  - {between: [sled, belt], name: drag, normal: {load: 2 N, direction: [0, 0, 5]}}\n"
    "springs:\n"
    "  - {body: sled, anchor: [1, 2, 3], stiffness: 4 N/m, damping: 5 N s/m, at: [0, 1 cm, 0]}\n"
    "solver: {method: rk4, step: 1 ms, max-steps: 1000}\n"
    "output: {every: 5 ms}\n"
    "figures:\n"
    "  - {x: time_s, y: [shell_x_m]}\n";

static void test_bodies(const struct cf_scene *s)
{
    const struct cf_rigid *shell = &s->body[0], *brick = &s->body[1], *sled = &s->body[2];
    const double half = sqrt(0.5);

    is_near(shell->inertia_kg_m2[0], 2.0 / 3 * 0.003 * 1e-4, 1e-20, "a hollow sphere");
    ok(fabs(shell->attitude[0] - half) < 1e-15 && fabs(shell->attitude[3] - half) < 1e-15 &&
           shell->attitude[1] == 0,
       "a quarter turn about z");
    is_near(shell->spin_rad_s[2], 2 * acos(-1.0), 1e-14, "spin in turns per minute");
    is_near(shell->velocity_m_s[0], 0.01, 1e-17, "velocity");
    ok(brick->nball == 8 && brick->inertia_kg_m2[0] == 13 && brick->inertia_kg_m2[1] == 10 &&
           brick->inertia_kg_m2[2] == 5,
       "a box: corners, and m (b^2 + c^2)/12");
    double sum[3] = {0, 0, 0}, square[3] = {0, 0, 0};
    for (size_t b = 0; b < 8; b++)
        for (int i = 0; i < 3; i++) {
            sum[i] += brick->ball[b].centre_m[i];
            square[i] += brick->ball[b].centre_m[i] * brick->ball[b].centre_m[i];
        }
    ok(sum[0] == 0 && sum[1] == 0 && sum[2] == 0 && square[0] == 2 && square[1] == 8 &&
           square[2] == 18,
       "corners all around");
    ok(isinf(sled->inertia_kg_m2[0]) && sled->nball == 2 && sled->ball[1].radius_m == 0, "a sled");
    ok(s->body[3].nball == 2 && s->body[3].ball[0].centre_m[0] == 0.01, "two spheres");
    ok(s->body[4].nsolid == 2, "two solids");
    is_near(s->body[4].solid[0].direction[0][2], 0.8, 1e-15, "directions are made unit");
    is_near(s->body[4].solid[1].size[0], acos(-1.0) / 3, 1e-15, "angle of a cone");
    ok(s->body[6].drive == CF_DRIVE_STEADY && s->body[6].velocity_m_s[0] == 1, "a belt");
    ok(s->body[8].drive == CF_DRIVE_COMMANDED && s->body[8].accommodation.nleg == 2, "an arm");
    is_near(s->body[8].accommodation.yield_m_s_N, 1e-4, 1e-19, "which yields");
}

static void test_chain(const struct cf_scene *s)
{
    ok(s->chain.nlink == 2 && s->nbody == 11 && s->body[9].drive == CF_DRIVE_LINK,
       "links are bodies");
    is_str(s->body[10].name, "lower", "of their names");
    ok(s->chain.down[2] == -1 && s->chain.side[0] == 1, "directions are made unit");
    is_near(s->chain.link[1].angle_rad, -acos(-1.0) / 6, 1e-15, "angle");
    ok(s->body[9].ball[0].centre_m[0] == 1 && s->body[9].ball[0].radius_m == 0 &&
           s->body[10].ball[0].centre_m[0] == 0 && s->body[10].ball[0].radius_m == 0.01,
       "tips");
}

static void test_contacts(const struct cf_scene_file *file)
{
    const struct cf_scene *s = &file->scene;
    const struct cf_contact_pair *m = s->pair;

    ok(s->npair == 5, "a contact for each point");
    is_str(m[1].name, "sled.2-anvil", "named by its number");
    is_str(m[2].name, "hit", "a name of its own");
    ok(m[0].stuck && m[0].restitution && m[0].e_param[0] == 0.2, "what e is to reach");
    /* delta_z = 0.1 mm, sigma_1 = 2 sqrt(sigma_0/g), tau_dw = 20/sqrt(g sigma_0), g = sqrt(5) */
    is_near(m[0].friction_p[2], 5000, 1e-10, "sigma_0 as advised");
    is_near(m[0].friction_p[3], 94.574160900317583, 1e-10, "sigma_1 as advised");
    ok(m[0].friction_p[4] == 0 && m[0].friction_p[5] == 1e-3, "sigma_2 and v_s as advised");
    is_near(m[0].friction_p[6], 0.18914832180063517, 1e-13, "tau_dw as advised");
    ok(file->nremark == 1, "is reported once");
    is_str(file->nremark ? file->remark[0] : "",
           "contact sled.1-anvil: assumed, as Gonthier 2007 (3.3.2) advises where nothing was "
           "measured: sigma_0 = 5000 1/m, sigma_1 = 94.57 s/m, sigma_2 = 0 s/m, v_s = 0.001 m/s, "
           "tau_dw = 0.1891 s",
           "in these words");
    ok(m[2].friction_p[1] == 1.5e6 && m[2].friction_p[2] == 10, "k_t and d_t of the normal law");
    is_near(cf_contact_pair_radius(s, &m[2]), 0.01 * 0.04 / 0.05, 1e-15, "two spheres");
    ok(m[3].ball == 1 && m[3].solid == 1 && m[3].relaxation_s == 1, "chosen by number");
    is_near(m[3].p[0], 4.0 / 3 * 1e9 * sqrt(0.02), 1e-3, "k by the radius of the pair");
    ok(!m[4].law && m[4].load_N == 2 && m[4].normal[2] == 1, "a load");
    ok(s->ntether == 1 && s->tether[0].body == 2 && s->tether[0].stiffness_N_m == 4 &&
           s->tether[0].damping_N_s_m == 5 && s->tether[0].at_m[1] == 0.01 &&
           s->tether[0].anchor_m[2] == 3,
       "a spring");
}

/* z = -(t/10 ms)^3 mm: a cubic, which the spline must meet everywhere. */
static void test_recorded(const struct cf_trace *trace)
{
    double x[3], v[3], from, to, worst = 0, worst_v = 0;

    if (!ok(trace != NULL, "a recorded motion"))
        return;
    cf_trace_span(trace, &from, &to);
    ok(from == 0 && fabs(to - 0.05) < 1e-17, "from the first to the last row");
    for (int i = 0; i <= 100; i++) {
        double t = 0.05 * i / 100, u = t / 0.01;
        cf_trace_at(trace, t, x, v);
        worst = fmax(worst, fabs(x[2] - (1 - 1e-3 * u * u * u)));
        worst_v = fmax(worst_v, fabs(v[2] + 0.3 * u * u));
        if (x[1] != 7)
            worst = 1;
    }
    ok(worst < 1e-15, "between the rows it is the cubic that it was taken from: %g m off", worst);
    ok(worst_v < 1e-12, "so is its speed: %g m/s off", worst_v);
    cf_trace_at(trace, 9, x, v);
    ok(fabs(x[2] - (1 - 0.125)) < 1e-15 && v[2] == 0, "then it stands still");
    cf_trace_at(trace, -1, x, v);
    ok(x[2] == 1 && v[2] == 0, "as it did before");
}

static void test_zoo(void)
{
    struct cf_scene_file *file;

    scratch_write(scratch.table, "t_ms,x,z_mm\n0,1,0\n10,1,1\n15,1,3.375\n30,1,27\n50,1,125\n");
    file = read_text(zoo);
    if (!file)
        return;
    ok(file->scene.gravity_m_s2[0] == 1 && file->scene.gravity_m_s2[2] == -2, "gravity anywhere");
    is_str(file->title, file->name, "a title by default");
    test_bodies(&file->scene);
    test_chain(&file->scene);
    test_contacts(file);
    test_recorded(file->scene.body[7].trace);
    ok(file->options.scheme && strcmp(file->options.scheme->name, "rk4") == 0 &&
           file->options.dt_s == 1e-3 && file->options.max_steps == 1000 &&
           file->options.every_s == 5e-3,
       "method and output");
    ok(file->figures != NULL, "figures are kept");

    struct cf_error err = {""};
    struct cf_scene_table *table = cf_scene_table_make(&file->scene, &err);
    static const char *const there[] = {
        "time_s",          "shell_x_m",        "shell_vz_m_s",       "shell_qw",
        "shell_wx_rad_s",  "upper_angle_rad",  "lower_rate_rad_s",   "sled.1-anvil_depth_m",
        "hit_normal_N",    "hit_friction_x_N", "sled.2-anvil_dwell", "drag_slip_y_m_s",
        "hit_bristle_z_m", "energy_kinetic_J", "energy_residual_J"};
    for (size_t i = 0; table && i < sizeof there / sizeof *there; i++)
        ok(cf_scene_table_find(table, there[i]) < table->n, "column %s", there[i]);
    static const char *const away[] = {"ball_x_m", "sled_qw", "drag_depth_m", "hit_dwell"};
    for (size_t i = 0; table && i < sizeof away / sizeof *away; i++)
        ok(cf_scene_table_find(table, away[i]) == table->n, "no column %s", away[i]);
    cf_scene_table_free(table);
    cf_scene_file_free(file);
}

/* A message in which @ stands for the scene's path. */
static void expand(const char *message, char want[], size_t size)
{
    const char *at = strchr(message, '@');

    if (at)
        snprintf(want, size, "%.*s%s%s", (int) (at - message), message, scratch.file, at + 1);
    else
        snprintf(want, size, "%s", message);
}

/* Values from the command line, good and bad. */
static void test_overrides(void)
{
    static const struct {
        const char *path, *value, *message;
    } row[] = {
        {"bodies.ball.mass", "70 g", NULL},
        {"contacts.1.normal.k", "2e10", NULL},
        {"bodies.ball.position", "[0, 0, 2 m]", NULL},
        {"gravity", "[0, 0, -1]", NULL},
        {"bodies.bal.mass", "70 g", "-p bodies.bal.mass: no bal in @: did you mean ball?"},
        {"contacts.2.normal.k", "1",
         "-p contacts.2.normal.k: no 2 in @: a number from 1 to 1 is wanted"},
        {"contacts.0.normal.k", "1",
         "-p contacts.0.normal.k: no 0 in @: a number from 1 to 1 is wanted"},
        {"duration.x", "1", "-p duration.x: no x here: what stands before it is a value"},
        {"zzz", "1",
         "-p zzz: no zzz in @: it has contactfit, title, source, gravity, duration, "
         "bodies, contacts"},
        {"bodies.ball.mass", "70 m",
         "-p bodies.ball.mass:1:1: mass: 70 m: a length [m] where a mass [kg] is wanted"},
        {"bodies.ball.mass", "1\nother: 2",
         "-p bodies.ball.mass: several lines where one value is wanted"},
        {"bodies.ball.mass", "[1",
         "-p bodies.ball.mass:2:1: YAML: did not find expected ',' or ']' while "
         "parsing a flow sequence that begins in line 1"},
        {"bodies.ball", "{mass: 1, sphere: {radius: 1}, spn: 1}",
         "-p bodies.ball:1:32: unknown key or shape spn: did you mean spin?"},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct cf_error err = {""};
        struct cf_scene_file *file = read_with(steel, row[i].path, row[i].value, &err);
        char want[512] = "";
        if (row[i].message)
            expand(row[i].message, want, sizeof want);
        is_str(err.text, want, "-p %s=...", row[i].path);
        cf_scene_file_free(file);
    }
    struct cf_error err = {""};
    struct cf_scene_file *file = read_with(steel, "contacts.1.normal.k", "2e10 N/m^1.5", &err);
    ok(file && file->scene.pair[0].p[0] == 2e10, "the value is taken");
    is_str(file ? file->override[0] : "", "contacts.1.normal.k=2e10 N/m^1.5", "and reported");
    cf_scene_file_free(file);
}

/* Entries of lists by number and by name. */
static void test_list_overrides(void)
{
    struct cf_error err = {""};
    struct cf_scene_file *file = read_with(zoo, "bodies.arm.command.legs.1.from", "-2 s", &err);

    ok(file && file->scene.body[8].accommodation.leg[0].from_s == -2 &&
           file->scene.body[8].accommodation.leg[1].from_s == 1,
       "the first of two legs: %s", err.text);
    cf_scene_file_free(file);
    file = read_with(zoo, "chain.links.lower.length", "3 m", &err);
    ok(file && file->scene.chain.link[1].length_m == 3, "a link by its name: %s", err.text);
    cf_scene_file_free(file);
}

TEST(scene)
{
    scratch_open(&scratch, "scene.yaml");
    plan(98);
    test_example();
    test_zoo();
    test_overrides();
    test_list_overrides();
    scratch_close(&scratch);
    return done();
}
