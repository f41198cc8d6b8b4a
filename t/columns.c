/* The columns of all shipped scenes by their numbers, at two tolerances, against differences of
 * runs at 1e-13: those at 1e-8 to 1e-4 of a column's largest value, those at 1e-10 to 1e-6, but for
 * what the table says. All numbers of a scene are carried at once, and some are compared; but for
 * CHECK_FULL fewer, and the slowest scenes carry those alone. Which they are differs from scene to
 * scene, so that each kind is met. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/columns.h"
#include "tap.h"

static const struct {
    const char *name, *duration;
    size_t every;            /* of its numbers one in so many is taken by CHECK_FULL */
    double off[2], inner[2]; /* allowed */
    bool slow;               /* mostly by the numbers that it carries */
} rows[] = {
    {"af10_bouncing_154g", "0.7 s", 1, {1e-4, 1e-6}, {1e-4, 1e-6}, false},
    {"af10_rolling_sphere", "0.5 s", 1, {1e-4, 1e-6}, {1e-4, 1e-6}, false},
    {"af10_second_landing", "0.5 s", 1, {1e-4, 1e-6}, {1e-4, 1e-6}, false},
    {"af14_steel_66g", "2.3 s", 1, {1e-4, 1e-6}, {1e-4, 1e-6}, false},
    {"g07_ball_in_cylinder_2d", "0.35 s", 7, {1e-4, 1e-6}, {1e-4, 1e-6}, false},
    /* friction of a stuck ball: it follows from small differences of speeds */
    {"g07_ball_in_cylinder_3d", "0.35 s", 7, {1e-4, 1e-6}, {1e-4, 3e-5}, false},
    {"g07_ball_on_incline", "0.6 s", 3, {1e-4, 1e-6}, {1e-4, 1e-6}, false},
    /* a dwell that begins to fall by less than the error of the run */
    {"g07_bowden_leben_0.05", "20 s", 6, {1e-4, 1e-6}, {1e-2, 1e-6}, true},
    {"g07_bowden_leben_0.10", "18 s", 4, {1e-4, 1e-6}, {1e-4, 1e-6}, false},
    {"g07_bowden_leben_0.15", "16 s", 3, {1e-4, 1e-6}, {1e-4, 1e-6}, false},
    {"g07_double_pendulum", "0.42 s", 1, {1e-4, 1e-6}, {1e-4, 1e-6}, false},
    {"g07_force_accommodation_normal", "12 s", 2, {1e-4, 1e-6}, {1e-4, 1e-6}, false},
    {"g07_force_accommodation_tangential", "12 s", 2, {1e-4, 1e-6}, {1e-4, 1e-6}, false},
    {"g07_pendulum_benchmark_a", "0.5 s", 3, {1e-4, 1e-5}, {1e-4, 1e-6}, false},
    {"g07_pendulum_benchmark_b", "0.3 s", 3, {1e-4, 1e-6}, {1e-4, 1e-6}, false},
    {"g07_sphere_on_cone", "0.5 s", 9, {1e-4, 1e-6}, {3e-4, 5e-6}, true},
    /* a box on four corners, each of which comes and goes */
    {"g07_spinning_block", "0.2 s", 14, {1e-4, 1e-5}, {1e-4, 1e-6}, true},
    /* over volumes; friction's limits are corners, at which no step ends */
    {"g07_tippe_top", "0.03 s", 5, {5e-4, 2e-5}, {1e-4, 1e-6}, true},
    /* a face that slides does next to nothing along its normal: columns of rounding */
    {"g07_spinning_block_face", "0.05 s", 6, {1e-3, 1e-4}, {1e-4, 1e-6}, true},
    {"presliding_recorded", "1 s", 1, {1e-4, 1e-6}, {1e-4, 1e-6}, false},
};
enum { NROW = sizeof rows / sizeof rows[0] };

/* The part of the values that differences must settle. Of the block on four corners they settle
 * half: which ones, rounding decides. */
static const double SETTLED_PART = 0.4;

/* Of n numbers, one in `every` of which may be compared, one in so many is: of a sample at least
 * three if there are as many, and none that is not compared by CHECK_FULL. */
static size_t stride(size_t every, size_t n)
{
    size_t times = n / (3 * every);

    return is_full_check() || times < 1 ? every : every * (times < 4 ? times : 4);
}

static void test(int row)
{
    size_t every = rows[row].every, first = (size_t) row % every, step = 1;
    static struct columns columns;
    const char *const overrides[] = {"duration", rows[row].duration, NULL};
    struct columns_worst worst;
    struct stage stage;

    memset(&worst, 0, sizeof worst);
    stage_open(&stage, rows[row].name, overrides);
    bool good = stage.file;
    if (good)
        columns_list(&columns, &stage);
    if (good && every > 1) /* scenes of few numbers are compared whole */
        step = stride(every, columns.nnumber);
    if (good && rows[row].slow && !is_full_check()) {
        columns_thin(&columns, first, step);
        first = 0;
        step = 1;
    }
    good = good && columns_carry(&columns);
    for (size_t i = first; good && i < columns.nnumber; i += step)
        columns_compare(&columns, i, &worst);
    for (int q = 0; q < COLUMNS_TOLERANCES && good; q++)
        if (!(worst.off[q] <= rows[row].off[q]))
            printf("# %s, channel %d %zu of %zu at %g s: %g, wanted %g\n",
                   columns_name(&columns.number[worst.number[q]]),
                   (int) columns.channel[worst.channel[q]].kind,
                   columns.channel[worst.channel[q]].part, columns.channel[worst.channel[q]].index,
                   worst.time_s[q], worst.found[q], worst.want[q]);
    ok(good && worst.off[0] <= rows[row].off[0], "%s: at 1e-8 %.0e, worst by %s%s", rows[row].name,
       worst.off[0], good ? columns_name(&columns.number[worst.number[0]]) : "nothing",
       stage.err.text);
    ok(good && worst.off[1] <= rows[row].off[1], "at 1e-10 %.0e, by %s", worst.off[1],
       good ? columns_name(&columns.number[worst.number[1]]) : "nothing");
    ok(good && worst.inner[0] <= rows[row].inner[0] && worst.inner[1] <= rows[row].inner[1],
       "within friction %.0e, %.0e", worst.inner[0], worst.inner[1]);
    ok((double) worst.compared > SETTLED_PART * (double) (worst.compared + worst.unsure),
       "%zu values compared, %zu that no difference settles", worst.compared, worst.unsure);
    if (good)
        columns_free(&columns);
    stage_close(&stage);
}

/* A ball that bounces by a law at its typical parameters, and comes to the ground at an angle: but
 * by CHECK_FULL twice, and once by laws over areas, which take a hundred times as long. */
static void test_law(size_t place)
{
    const struct cf_law *law = cf_laws[place];
    static struct columns columns;
    struct columns_worst worst;
    struct stage stage;
    bool good;
    bool areas = law->family == CF_FAMILY_FOUNDATION;
    double coarse = areas ? 5e-4 : 1e-4;

    memset(&worst, 0, sizeof worst);
    stage_write(&stage, "law",
                "duration: %s\nbodies:\n"
                "  ball: {sphere: {radius: 2 cm}, mass: 0.1 kg, position: [0, 0, 10 cm],\n"
                "         velocity: [0.3 m/s, 0, 0]}\n"
                "  ground: {plane: {normal: [0.1, 0, 1], height: 0 m}, fixed: true}\n"
                "contacts:\n  - between: [ball, ground]\n"
                "    normal: {law: linear, k: 1e5 N/m, lambda: 3 N s/m}\n"
                "    friction: {law: coulomb, mu: 0.2, v_e: 1 mm/s}\n",
                is_full_check() ? "0.5 s"
                : areas         ? "0.2 s"
                                : "0.3 s");
    if (stage.file) {
        struct cf_contact_pair *pair = &stage.file->scene.pair[0];
        pair->law = law;
        for (size_t i = 0; i < law->nparam; i++)
            pair->p[i] = law->param[i].typical;
        if (areas) {
            pair->friction = pair->friction->over_area;
            pair->pressure_power = (double) NAN;
            pair->spin_factor = 1;
        }
    }
    good = stage.file && columns_run(&columns, &stage);
    size_t every = good ? stride(1, columns.nnumber) : 1, first = place % every;
    if (areas && !is_full_check())
        every *= 2;
    for (size_t i = first; good && i < columns.nnumber; i += every)
        columns_compare(&columns, i, &worst);
    for (int q = 0; q < COLUMNS_TOLERANCES && good; q++)
        if (!(worst.off[q] <= (q ? 1e-6 : coarse)))
            printf("# %s, channel %d at %g s: %g, wanted %g\n",
                   columns_name(&columns.number[worst.number[q]]),
                   (int) columns.channel[worst.channel[q]].kind, worst.time_s[q], worst.found[q],
                   worst.want[q]);
    ok(good && worst.off[0] <= coarse && worst.off[1] <= 1e-6 && worst.compared > worst.unsure,
       "%s: %.0e, %.0e of %zu values%s", law->name, worst.off[0], worst.off[1], worst.compared,
       stage.err.text);
    if (good)
        columns_free(&columns);
    stage_close(&stage);
}

TEST(columns)
{
    size_t nlaw = 0;

    while (cf_laws[nlaw] && cf_laws[nlaw]->force) /* laws of restitution come behind them */
        nlaw++;
    plan(4 * NROW + (int) nlaw);
    for (size_t i = 0; i < nlaw; i++)
        test_law(i);
    for (int row = 0; row < NROW; row++)
        test(row);
    return done();
}
