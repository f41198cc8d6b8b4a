/* Forces on bodies over time. */

#include <math.h>

#include "geometry/vector.h"
#include "motion/system.h"

double cf_applied_force_at(const struct cf_applied_force *force, double began_s, double time_s)
{
    const double *t = force->time_s, *f = force->force_N;
    size_t i = 0;

    while (i < force->n && t[i] <= began_s)
        i++;
    if (i == 0)
        return f[0];
    if (i == force->n)
        return f[i - 1];
    return f[i - 1] + (f[i] - f[i - 1]) * (time_s - t[i - 1]) / (t[i] - t[i - 1]);
}

double cf_applied_force_corner(const struct cf_applied_force *force, double time_s)
{
    for (size_t i = 0; i < force->n; i++)
        if (force->time_s[i] > time_s)
            return force->time_s[i];
    return INFINITY;
}

void cf_applied_forces(const struct cf_system *system, double time_s, double rate[])
{
    const struct cf_scene *scene = system->scene;

    for (size_t i = 0; i < scene->nforce; i++) {
        const struct cf_applied_force *force = &scene->force[i];
        struct cf_pose *pose = &system->pose[force->body];
        double size = cf_applied_force_at(force, system->began_s, time_s);

        cf_vec_add_scaled(pose->force, size, force->direction, pose->force);
        rate[system->account[CF_ENERGY_WORK]] += size * cf_vec_dot(force->direction, pose->v);
    }
}
