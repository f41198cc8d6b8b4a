/* Forces on bodies over time. */

#include <math.h>

#include "geometry/vector.h"
#include "motion/system.h"

/* The point behind those that are past at the beginning of a phase; 0 or n: the force is constant. */
static size_t next_point(const struct cf_applied_force *force, double began_s)
{
    size_t i = 0;

    while (i < force->n && force->time_s[i] <= began_s)
        i++;
    return i;
}

double cf_applied_force_at(const struct cf_applied_force *force, double began_s, double time_s)
{
    const double *t = force->time_s, *f = force->force_N;
    size_t i = next_point(force, began_s);

    if (i == 0)
        return f[0];
    if (i == force->n)
        return f[i - 1];
    return f[i - 1] + (f[i] - f[i - 1]) * (time_s - t[i - 1]) / (t[i] - t[i - 1]);
}

double cf_applied_force_slope(const struct cf_applied_force *force, double began_s)
{
    const double *t = force->time_s, *f = force->force_N;
    size_t i = next_point(force, began_s);

    return i == 0 || i == force->n ? 0 : (f[i] - f[i - 1]) / (t[i] - t[i - 1]);
}

void cf_applied_force_by(const struct cf_applied_force *force, size_t point, double began_s,
                         double time_s, double *by_value, double *by_time)
{
    const double *t = force->time_s;
    size_t i = next_point(force, began_s);
    double part;

    *by_value = *by_time = 0;
    if (i == 0 || i == force->n) {
        *by_value = point == (i == 0 ? 0 : force->n - 1);
        return;
    }
    part = (time_s - t[i - 1]) / (t[i] - t[i - 1]);
    if (point == i || point == i - 1)
        *by_value = point == i ? part : 1 - part;
    *by_time = -*by_value * cf_applied_force_slope(force, began_s);
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
