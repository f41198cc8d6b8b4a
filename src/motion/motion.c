/* The run of a scene from its start to its end. */

#include <math.h>

#include "motion/fixed.h"

const struct cf_motion_options cf_motion_defaults = {.tolerance = 1e-10};

/* Where no limit is given: what takes some eight seconds. A fixed step costs a fifth of another. */
static const size_t most_adaptive = 2000000, most_fixed = 10000000;

/* A scene at rest is the same at all later samples. */
static int stay(struct cf_scene_run *run, struct cf_error *err)
{
    int status = CF_OK;

    for (double due; (due = cf_observer_due(&run->observer)) <= run->system.scene->duration_s &&
                     !(status = cf_observer_stop(&run->observer, due, err));)
        cf_observer_sample(&run->observer, due, run->phase.state);
    run->time_s = run->system.scene->duration_s;
    return status;
}

int cf_motion_run(const struct cf_scene *scene, const struct cf_motion_options *asked,
                  struct cf_motion_result *out, struct cf_error *err)
{
    struct cf_scene_run run = {.changed_s = -1};
    struct cf_motion_options limited = *asked, *options = &limited;
    int status = cf_options_check(scene, options, err);

    if (!limited.max_steps)
        limited.max_steps = limited.scheme ? most_fixed : most_adaptive;

    *out = (struct cf_motion_result){.rest_s = NAN};
    if (status == CF_OK)
        status = cf_wrt_check(scene, options->nwrt, options->wrt, err);
    if (status == CF_OK)
        status = cf_system_make(&run.system, scene, options, err);
    if (status == CF_OK) /* columns follow each pair */
        status = cf_near_make(&run.system.near, scene, options->nwrt > 0, err);
    run.system.keeps = options->on_values != NULL;
    if (status == CF_OK)
        status =
            cf_sensitivity_make(&run.sensitivity, &run.system, options->nwrt, options->wrt, err);
    if (status == CF_OK)
        status = cf_observer_make(&run.observer, &run.system, options, out, err);
    if (status == CF_OK)
        status = cf_phase_make(&run.phase, &run.system, &run.observer, err);
    if (status == CF_OK) {
        run.phase.sensitivity = run.observer.sensitivity =
            options->nwrt > 0 ? &run.sensitivity : NULL;
        if (!options->scheme && !options->on_values)
            cf_system_pack(&run.system);
        cf_run_start(&run);
        cf_observer_start(&run.observer, run.phase.state, run.phase.scale);
        cf_observer_begin(&run.observer, run.phase.state);
        if (options->scheme)
            status = cf_motion_fixed(&run.phase, &run.time_s, err);
        else
            status = options->apart && cf_apart_possible(&run) ? cf_apart_go(&run, err)
                                                               : cf_run_go(&run, err);
        if (status == CF_OK && isfinite(out->rest_s))
            status = stay(&run, err);
        if (status == CF_OK)
            cf_observer_end(&run.observer, run.time_s, run.phase.state);
        else
            cf_observer_balance(&run.observer, run.time_s, run.phase.state);
        cf_observer_judge(&run.observer);
        out->time_s = run.time_s;
        out->pressed_J = run.system.pressed_J;
    }
    cf_sensitivity_free(&run.sensitivity);
    cf_phase_free(&run.phase);
    cf_observer_free(&run.observer);
    cf_system_free(&run.system);
    return status;
}
