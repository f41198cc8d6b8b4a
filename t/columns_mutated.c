/* Columns of shipped scenes with all their numbers changed at random, and other friction laws, as
 * in columns.c. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/random.h"
#include "lib/columns.h"
#include "motion/sensitivity.h"
#include "tap.h"

/* Of rate-state laws: these bodies are as fast. At the typical one they creep at 1e-9 m/s, and in
 * rolling at 1 m/s differences see the rounding of their slip. */
static const double V_0_M_S = 0.1;

enum { NUMBERS = 2 };

static const char *const shipped[][2] = {
    {"af10_bouncing_154g", "0.6 s"},
    {"af10_rolling_sphere", "0.4 s"},
    {"af14_steel_66g", "1.5 s"},
    {"g07_ball_in_cylinder_2d", "0.35 s"},
    {"g07_ball_in_cylinder_3d", "0.3 s"},
    {"g07_ball_on_incline", "0.55 s"},
    {"g07_bowden_leben_0.10", "12 s"},
    {"g07_bowden_leben_0.15", "10 s"},
    {"g07_double_pendulum", "0.42 s"},
    {"g07_force_accommodation_normal", "8 s"},
    {"g07_force_accommodation_tangential", "9 s"},
    {"g07_pendulum_benchmark_a", "0.3 s"},
    {"g07_sphere_on_cone", "0.3 s"},
    {"presliding_recorded", "1 s"},
};
enum { NSHIPPED = sizeof shipped / sizeof shipped[0] };

/* Each shipped scene changed in three ways; in seven by CHECK_FULL. */
static size_t wanted(void)
{
    return (is_full_check() ? 7 : 3) * NSHIPPED;
}

/* All laws but restitutions; those of friction at typical parameters. */
static void change_laws(struct cf_scene *scene, gsl_rng *random)
{
    size_t nfriction = 0;

    while (cf_friction_laws[nfriction])
        nfriction++;
    for (size_t m = 0; m < scene->npair; m++) {
        struct cf_contact_pair *pair = &scene->pair[m];
        if (!pair->friction || gsl_rng_uniform(random) < 0.5)
            continue;
        pair->friction = cf_friction_laws[gsl_rng_uniform_int(random, nfriction)];
        pair->stuck = false;
        for (size_t i = 0; i < pair->friction->nparam; i++) {
            const struct cf_param *param = &pair->friction->param[i];
            pair->friction_p[i] = strcmp(param->name, "v_0") == 0 ? V_0_M_S : param->typical;
        }
    }
}

static bool mutate(struct stage *stage, gsl_rng *random)
{
    struct cf_scene *scene = &stage->file->scene;
    struct cf_error err;

    change_laws(scene, random);
    for (int kind = 0; kind < CF_NWRT; kind++)
        for (size_t i = 0; i < 8; i++)
            for (size_t part = 0; part < 9; part++) {
                const struct cf_wrt w = {(enum cf_wrt_kind) kind, i, part};
                double share = 0.1 * (2 * gsl_rng_uniform(random) - 1);
                if (kind != CF_WRT_DELAY && kind != CF_WRT_COMMAND_TIME &&
                    kind != CF_WRT_SOLID_PLACE && kind != CF_WRT_POSITION &&
                    !cf_wrt_check(scene, 1, &w, &err))
                    columns_shift(scene, &w, share * cf_wrt_size(scene, &w));
            }
    return cf_scene_check(scene, NULL, NULL, &stage->err) == CF_OK;
}

TEST(columns_mutated)
{
    static struct columns columns;
    gsl_rng *random = cf_random_stream(20261123, 0);
    size_t scenes = wanted(), ran = 0, good = 0, near = 0, compared = 0;
    double worst_off[2] = {0};

    plan(3);
    for (size_t tried = 0; ran < scenes && tried < 3 * scenes; tried++) {
        const char *const *from = shipped[tried % NSHIPPED];
        const char *const overrides[] = {"duration", from[1], NULL};
        struct columns_worst worst;
        struct stage stage;
        memset(&worst, 0, sizeof worst);
        stage_open(&stage, from[0], overrides);
        if (mutate(&stage, random) && columns_run(&columns, &stage)) {
            for (int i = 0; i < NUMBERS; i++)
                columns_compare(&columns, gsl_rng_uniform_int(random, columns.nnumber), &worst);
            bool fine = worst.off[0] <= 1e-4 && worst.off[1] <= 1e-6;
            if (!fine)
                printf("# %zu, %s: %.0e, by %s; %.0e\n", tried, from[0], worst.off[0],
                       columns_name(&columns.number[worst.number[0]]), worst.off[1]);
            ran++;
            good += fine;
            near += worst.off[1] <= 1e-5 && worst.off[0] <= 1e-4;
            compared += worst.compared;
            for (int q = 0; q < 2; q++)
                worst_off[q] = fmax(worst_off[q], worst.off[q]);
        }
        columns_free(&columns);
        stage_close(&stage);
    }
    ok(ran == scenes, "%zu mutated scenes ran", ran);
    ok(good >= scenes - scenes / 20 && near == scenes, "%zu of them agree: at most %.0e, %.0e",
       good, worst_off[0], worst_off[1]);
    ok(compared > 200 * scenes, "%zu values compared", compared);
    gsl_rng_free(random);
    return done();
}
