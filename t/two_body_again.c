/* Two bodies with recovery times of their own that touch again before their surfaces are back: a
 * ball on the ground, and a second ball on it. The oracle knows no contact of the program: each
 * body of a contact is a spring and a damper behind the gearbox, and both come back by themselves
 * where the force between them would pull. Energy, and derivatives, of the same towers. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/columns.h"
#include "lib/stage.h"
#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

static const double G = 9.81, RADIUS_M = 8e-3, BELOW_KG = 7e-3;

/* A tower: how far the upper ball begins above the lower one, its mass; k1, lambda1, k2, lambda2.
 */
static const struct tower {
    double gap_m, mass_kg, p[4];
} towers[] = {
    {1e-3, 2e-2, {2e5, 2500, 9e5, 60}},     {2e-3, 4e-3, {3e5, 2.5e4, 6e5, 500}},
    {2.2e-3, 2e-2, {1.7e5, 140, 8e5, 5e3}}, {1.5e-3, 2e-2, {2e5, 2500, 9e5, 0}},
    {3e-3, 5e-2, {2e5, 2500, 9e5, 60}},
};

static const char *const scene =
    "duration: %.17g s\nbodies:\n"
    "  below: {sphere: {radius: 8 mm}, mass: 7 g, inertia: solid, spin: [3, 5, 2], position: [0, "
    "0, 8.3 mm],\n"
    "          velocity: [%g m/s, 0, -0.6 m/s]}\n"
    "  above: {sphere: {radius: 8 mm}, mass: %.17g kg, inertia: solid, spin: [-4, 1, 6],\n"
    "          position: [%g m, 0, %.17g m], velocity: [0, 0, -0.6 m/s]}\n"
    "  ground: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
    "contacts:\n  - between: [\"*\", \"*\"]\n"
    "    normal: {law: azad-featherstone-two-body, k1: %.17g, lambda1: %.17g, k2: %.17g, lambda2: "
    "%.17g}\n";

static const double DURATION_S = 0.02, HEIGHT_M = 8.3e-3, SPEED_M_S = -0.6;

/* Aside: the upper ball by a place, the lower one by a speed. */
static void write(struct stage *stage, const struct tower *t, double aside)
{
    stage_write(stage, "two_body_again", scene, DURATION_S, 50 * aside, t->mass_kg, aside,
                HEIGHT_M + 2 * RADIUS_M + t->gap_m, t->p[0], t->p[1], t->p[2], t->p[3]);
}

/* ---- the oracle, by the classical Runge-Kutta scheme */

enum { Z0, V0, Z1, V1, X, NX = X + 4 }; /* of both balls; x_1, x_2 of each contact */

/* One contact at a depth that grows with a rate: its force, and how its bodies go on. A body
 * without a damper follows at once. */
static double contact(const double p[], double depth, double rate, const double x[], double dx[])
{
    double free1 = p[1] > 0 ? -1.25 * p[0] * x[0] / p[1] : 0;
    double free2 = p[3] > 0 ? -1.25 * p[2] * x[1] / p[3] : 0;
    double whole, flow, force;

    dx[0] = free1;
    dx[1] = free2;
    if (!(depth > 0))
        return 0;
    whole = 0.8 * depth * sqrt(sqrt(depth));
    flow = sqrt(sqrt(depth)) * rate;
    if (whole < x[0] + (p[3] > 0 ? x[1] : 0)) /* the surface is deeper */
        return 0;
    if (p[3] > 0) { /* the dampers are in series: both carry it */
        force = (flow - free1 - free2) / (1 / p[1] + 1 / p[3]);
        force += (whole - x[0] - x[1]) * 1e3 * p[0]; /* keeps their sum at the depth */
    } else {
        force = 1.25 * p[2] * (whole - x[0]);
    }
    if (!(force > 0))
        return 0;
    dx[0] = free1 + force / p[1];
    dx[1] = p[3] > 0 ? free2 + force / p[3] : 0;
    return sqrt(sqrt(depth)) * force;
}

static void rates(const struct tower *t, const double y[], double dy[])
{
    double ground = contact(t->p, RADIUS_M - y[Z0], -y[V0], y + X, dy + X);
    double between =
        contact(t->p, 2 * RADIUS_M - (y[Z1] - y[Z0]), y[V0] - y[V1], y + X + 2, dy + X + 2);

    dy[Z0] = y[V0];
    dy[V0] = (ground - between) / BELOW_KG - G;
    dy[Z1] = y[V1];
    dy[V1] = between / t->mass_kg - G;
}

static void integrate(const struct tower *t, size_t steps, double y[NX])
{
    double h = DURATION_S / (double) steps, k[4][NX], at[NX];

    memset(y, 0, NX * sizeof *y);
    y[Z0] = HEIGHT_M;
    y[Z1] = HEIGHT_M + 2 * RADIUS_M + t->gap_m;
    y[V0] = y[V1] = SPEED_M_S;
    for (size_t n = 0; n < steps; n++) {
        rates(t, y, k[0]);
        for (int s = 1; s < 4; s++) {
            for (int i = 0; i < NX; i++)
                at[i] = y[i] + (s == 3 ? h : h / 2) * k[s - 1][i];
            rates(t, at, k[s]);
        }
        for (int i = 0; i < NX; i++)
            y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

static void test_tower(const struct tower *t)
{
    double want[NX], off = 0;
    struct stage stage;

    write(&stage, t, 0);
    bool good = stage_run(&stage);
    size_t touches = good ? stage.result.events[CF_EVENT_MAKE] : 0;
    integrate(t, 4000000, want);
    for (int b = 0; b < 2 && good; b++)
        off = fmax(off, fabs(stage.last[b].velocity_m_s[2] - want[b ? V1 : V0]));
    ok(good && touches > 2 && off < 2e-5, "gap %g m, %g kg: %zu touches, speeds to %.0e m/s%s",
       t->gap_m, t->mass_kg, touches, off, stage.err.text);
    ok(good && stage_off(&stage) < 1e-7, "its energy balance: %.0e", stage_off(&stage));
    stage_close(&stage);
}

static void test_columns(const struct tower *t)
{
    static struct columns columns;
    struct columns_worst worst;
    struct stage stage;

    memset(&worst, 0, sizeof worst);
    write(&stage, t, 1e-3);
    bool good = stage.file && columns_run(&columns, &stage);
    for (size_t i = 0; good && i < columns.nnumber; i++)
        columns_compare(&columns, i, &worst);
    ok(good && worst.off[0] <= 1e-4 && worst.off[1] <= 1e-5 && worst.compared > worst.unsure,
       "columns, gap %g m: %.0e, %.0e of %zu values%s", t->gap_m, worst.off[0], worst.off[1],
       worst.compared, stage.err.text);
    if (good && !(worst.off[1] <= 1e-5))
        printf("# %s, channel %d %zu of %zu at %g s: %g, wanted %g\n",
               columns_name(&columns.number[worst.number[1]]),
               (int) columns.channel[worst.channel[1]].kind, columns.channel[worst.channel[1]].part,
               columns.channel[worst.channel[1]].index, worst.time_s[1], worst.found[1],
               worst.want[1]);
    if (good)
        columns_free(&columns);
    stage_close(&stage);
}

TEST(two_body_again)
{
    plan(2 * LENGTH(towers) + 2);
    for (int i = 0; i < LENGTH(towers); i++)
        test_tower(&towers[i]);
    test_columns(&towers[1]);
    test_columns(&towers[2]);
    return done();
}
