/* What may be asked of a run. */

#include <math.h>

#include "motion/values.h"

static int check_times(const struct cf_scene *scene, const struct cf_motion_options *options,
                       struct cf_error *err)
{
    for (size_t i = 0; i < options->ntime; i++) {
        double t = options->time_s[i];
        if (!(t >= 0 && t <= scene->duration_s))
            return cf_fail(err, CF_ERANGE, "sample %zu at %g s: the run is from 0 s to %g s", i, t,
                           scene->duration_s);
        if (i > 0 && !(t > options->time_s[i - 1]))
            return cf_fail(err, CF_ERANGE, "sample %zu at %g s after one at %g s: times must grow",
                           i, t, options->time_s[i - 1]);
    }
    return CF_OK;
}

/* What fades from step to step has no meaning where steps are chosen by their error. */
static int check_relaxation(const struct cf_scene *scene, const struct cf_motion_options *options,
                            struct cf_error *err)
{
    for (size_t m = 0; m < scene->npair && !options->scheme; m++)
        if (scene->pair[m].relaxation_s > 0)
            return cf_fail(err, CF_ERANGE,
                           "contact %s: a relaxation of %g s is for fixed steps: leave it out, or "
                           "name a method and its step, such as rk3 and 1 ms",
                           scene->pair[m].name, scene->pair[m].relaxation_s);
    return CF_OK;
}

int cf_options_check(const struct cf_scene *scene, const struct cf_motion_options *options,
                     struct cf_error *err)
{
    int status = check_times(scene, options, err);

    if (status == CF_OK)
        status = check_relaxation(scene, options, err);
    if (status == CF_OK)
        status = cf_channel_check(scene, options->nchannel, options->channel, err);
    if (status != CF_OK)
        return status;
    if (!(options->tolerance >= 1e-14 && options->tolerance <= 1e-2))
        return cf_fail(err, CF_ERANGE, "tolerance = %g lies outside 1e-14 to 1e-2",
                       options->tolerance);
    if (options->scheme && !(options->dt_s > 0 && isfinite(options->dt_s)))
        return cf_fail(err, CF_ERANGE, "step = %g s: fixed steps must be above 0", options->dt_s);
    if (options->scheme && options->nwrt > 0)
        return cf_fail(err, CF_ERANGE,
                       "derivatives are carried by the adaptive method only, not by %s",
                       options->scheme->name);
    return CF_OK;
}
