/* How a scene is run, and how densely it is sampled: the keys solver and output. */

#include <string.h>

#include "scene/keys.h"
#include "scene/parts.h"

enum { MAX_SCHEMES = 8 };
/* Of a volume: finer ones would take minutes each, and coarser ones give no usable force. */
static const double least_error = 1e-9, most_error = 0.1;
const double cf_scene_least_tolerance = 1e-14, cf_scene_most_tolerance = 1e-2; /* of motion.h */

/* "adaptive", or a scheme of fixed steps, which needs a step. */
static int read_method(struct cf_motion_options *o, const struct cf_yaml *solver,
                       struct cf_error *err)
{
    const struct cf_yaml *method = cf_yaml_get(solver, "method"),
                         *step = cf_yaml_get(solver, "step");
    const char *known[MAX_SCHEMES] = {"adaptive"}, *name = "adaptive";
    size_t n = 1;
    int status = method ? cf_yaml_text(method, &name, err) : CF_OK;

    if (status)
        return status;
    o->scheme = cf_ode_scheme_find(name);
    for (size_t i = 0; cf_ode_schemes[i] && n < MAX_SCHEMES; i++)
        known[n++] = cf_ode_schemes[i]->name;
    if (!o->scheme && strcmp(name, "adaptive") != 0)
        return cf_yaml_unknown(method, "method", name, known, n, err);
    if (!o->scheme && step)
        return cf_yaml_fail_key(step, err,
                                "step: the adaptive method chooses its own: name a "
                                "method, such as method: rk4");
    if (o->scheme && !step)
        return cf_yaml_fail(method, err, "method: %s takes fixed steps: give step, such as 1 ms",
                            name);
    return step ? cf_yaml_positive(step, "s", &o->dt_s, err) : CF_OK;
}

/* How volumes are computed for which there is no exact function. */
static int read_octree(struct cf_octree_options *o, const struct cf_yaml *octree,
                       struct cf_error *err)
{
    const struct cf_yaml *at;
    unsigned long long boxes, megabytes;
    int status = cf_schema_check(octree, &cf_scene_octree_schema, err);

    *o = cf_octree_defaults();
    boxes = o->max_cells;
    megabytes = o->max_memory_B / 1000000;
    if (status == CF_OK && (at = cf_yaml_get(octree, "error"))) {
        status = cf_yaml_quantity(at, "1", &o->error_relative, err);
        if (status == CF_OK &&
            !(o->error_relative >= least_error && o->error_relative <= most_error))
            status = cf_yaml_fail(at, err, "error: %s: must be in [%g, %g]", at->text, least_error,
                                  most_error);
    }
    if (status == CF_OK && (at = cf_yaml_get(octree, "max-boxes")))
        status = cf_yaml_whole(at, 1, 1000000000000ull, &boxes, err);
    if (status == CF_OK && (at = cf_yaml_get(octree, "max-memory-MB")))
        status = cf_yaml_whole(at, 1, 1000000000ull, &megabytes, err);
    o->max_cells = (size_t) boxes;
    o->max_memory_B = (size_t) megabytes * 1000000;
    return status;
}

static int read_solver(struct cf_motion_options *o, struct cf_octree_options *octree,
                       const struct cf_yaml *solver, struct cf_error *err)
{
    const struct cf_yaml *at;
    unsigned long long most = o->max_steps;
    int status = cf_schema_check(solver, &cf_scene_solver_schema, err);

    if (status == CF_OK && (at = cf_yaml_get(solver, "tolerance"))) {
        status = cf_yaml_quantity(at, "1", &o->tolerance, err);
        if (status == CF_OK &&
            !(o->tolerance >= cf_scene_least_tolerance && o->tolerance <= cf_scene_most_tolerance))
            status = cf_yaml_fail(at, err, "tolerance: %s: must be in [%g, %g]", at->text,
                                  cf_scene_least_tolerance, cf_scene_most_tolerance);
    }
    if (status == CF_OK && (at = cf_yaml_get(solver, "max-steps")))
        status = cf_yaml_whole(at, 1, 1000000000000ull, &most, err);
    o->max_steps = (size_t) most;
    if (status == CF_OK && (at = cf_yaml_get(solver, "octree")))
        status = read_octree(octree, at, err);
    return status == CF_OK ? read_method(o, solver, err) : status;
}

static int read_noise(struct cf_scene_noise *noise, const struct cf_yaml *at, struct cf_error *err)
{
    const struct cf_yaml *place, *force, *seed;
    unsigned long long stream = 0;
    int status = cf_schema_check(at, &cf_scene_noise_schema, err);

    if (status)
        return status;
    place = cf_yaml_get(at, "place");
    force = cf_yaml_get(at, "force");
    if (!place && !force)
        return cf_yaml_fail(at, err, "noise: give place or force, the scatter of a sensor");
    if (place)
        status = cf_yaml_positive(place, "m", &noise->place_m, err);
    if (status == CF_OK && force)
        status = cf_yaml_positive(force, "N", &noise->force_N, err);
    if (status == CF_OK)
        status = cf_yaml_need(at, "seed", &seed, err);
    if (status == CF_OK)
        status = cf_yaml_whole(seed, 0, UINT64_MAX, &stream, err);
    noise->seed = stream;
    return status;
}

int cf_scene_solver(struct cf_scene_file *file, const struct cf_yaml *root, struct cf_error *err)
{
    const struct cf_yaml *noise, *solver = cf_yaml_get(root, "solver");
    const struct cf_yaml *output = cf_yaml_get(root, "output"), *every;
    int status;

    file->options = cf_motion_defaults;
    status = solver ? read_solver(&file->options, &file->scene.octree, solver, err) : CF_OK;
    if (status || !output)
        return status;
    status = cf_schema_check(output, &cf_scene_output_schema, err);
    if (status == CF_OK)
        status = cf_yaml_need(output, "every", &every, err);
    if (status == CF_OK)
        status = cf_yaml_positive(every, "s", &file->options.every_s, err);
    if (status == CF_OK && (noise = cf_yaml_get(output, "noise")))
        status = read_noise(&file->noise, noise, err);
    return status;
}

int cf_scene_steps_check(const struct cf_scene_file *file, const struct cf_motion_options *options,
                         struct cf_error *err)
{
    if (!file->relaxation || options->scheme)
        return CF_OK;
    return cf_yaml_fail(file->relaxation, err,
                        "relaxation: %s: steps that are chosen by their error have none: leave it "
                        "out, or name a method of fixed steps, such as rk3 and 1 ms",
                        file->relaxation->text);
}
