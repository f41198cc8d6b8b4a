/* Where is a profile worth its time? Of a motion, a velocity step that is simulated at known
 * parameters: whatever its starts came to, unless they stalled where the residuals reject the law.
 */

#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>

#include "estimate/fold.h"
#include "identify/synthetic.h"
#include "judge/interval.h"
#include "lib/scratch.h"
#include "study/study.h"
#include "tap.h"

static const char study_text[] =
    "contactfit: study/1\n"
    "title: a step\n"
    "friction: rate-state\n"
    "fit: {mu_0: {}, a_rate: {}}\n"
    "fixed: {v_0: 3 um/s, b_state: 0.0093, d_c: 7 um}\n"
    "data:\n"
    "  - name: step\n"
    "    protocol: velocity_step\n"
    "    file: table.csv\n"
    "    columns: {time: t_s, friction_coefficient: {from: mu, sigma: 8e-4}}\n"
    "    apparatus: {speed_before: 3 um/s, step_1_time: 5 s, step_1_speed: 10 um/s,\n"
    "                stiffness: 7000 1/m}\n";

static void give_up(const struct cf_error *err)
{
    printf("Bail out! %s\n", err->text);
    exit(1);
}

/* Times alone matter: readings are drawn anew. */
static void write_table(const char *path)
{
    FILE *out = fopen(path, "w");

    fputs("t_s,mu\n", out);
    for (int i = 0; i < 300; i++)
        fprintf(out, "%.2f,0.6\n", 0.05 * i);
    fclose(out);
}

static bool pays(struct cf_optimum *o, enum cf_end end, double off)
{
    struct cf_error err = {""};
    bool pay = false;

    o->theta[0] += off;
    o->start[0].end = end;
    if (cf_problem_fold(&o->problem, o->theta, &o->fold, &err) || cf_profiles_pay(o, &pay, &err))
        give_up(&err);
    o->theta[0] -= off;
    return pay;
}

TEST(profiles_pay)
{
    const double truth[2] = {0.607, 0.0088};
    double theta[2];
    struct cf_error err = {""};
    struct scratch scratch;
    struct cf_study *study;
    struct cf_dataset drawn = {.nrow = 0};
    struct cf_problem design;
    struct cf_optimum o;
    struct cf_spec spec;

    plan(4);
    scratch_open(&scratch, "step.yaml");
    scratch_write(scratch.file, study_text);
    write_table(scratch.table);
    study = cf_study_read(scratch.file, NULL, &err);
    if (!study)
        give_up(&err);
    spec = study->spec;
    if (cf_problem_init(&design, &spec, spec.law, NULL, CF_ROW_FIT, CF_SCOPE_ALL, &err))
        give_up(&err);
    for (size_t i = 0; i < 2; i++)
        theta[i] = cf_unknown_theta(&design.unknown[i], truth[i]);
    if (cf_simulate(&design, theta, NULL, NULL, 3, 0, &drawn, &err))
        give_up(&err);
    spec.data = &drawn;
    spec.options.starts = 2;
    spec.options.screen = 8;
    if (cf_optimum_init(&o, &spec, NULL, NULL, &err))
        give_up(&err);
    struct cf_solver *solver = cf_solver_alloc(&o.problem);
    if (!solver || cf_optimum_find(&o, solver, &err))
        give_up(&err);
    ok(pays(&o, CF_END_CONVERGED, 0), "a start that converged, by data that the law describes");
    ok(pays(&o, CF_END_STALLED, 0), "one that stalled there");
    ok(pays(&o, CF_END_CONVERGED, 0.01), "one that converged where residuals reject the law");
    ok(!pays(&o, CF_END_STALLED, 0.01), "but not one that stalled where they do");
    cf_solver_free(solver);
    cf_optimum_clear(&o);
    cf_problem_free(&design);
    cf_dataset_clear(&drawn);
    cf_study_free(study);
    scratch_close(&scratch);
    return done();
}
