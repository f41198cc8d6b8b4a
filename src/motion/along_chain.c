/* The planar chain along a column: chain.c has the equations and its symbols. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/along.h"
#include "motion/chain.h"

void cf_chain_poses_along(const struct cf_along *along)
{
    const struct cf_system *system = along->system;
    const struct cf_chain *chain = &system->scene->chain;
    double x[3] = {0}, v[3] = {0}, u[3], across[3], z[3];

    cf_vec_cross(chain->down, chain->side, z);
    for (size_t i = 0; i < chain->nlink; i++) {
        const struct cf_link *link = &chain->link[i];
        struct cf_pose_by *by = &along->pose[link->body];
        double rate = along->state[system->rate + i];
        double turned = along->s[system->angle + i], faster = along->s[system->rate + i];

        by->turned = true;
        cf_chain_direction(chain, along->state[system->angle + i], u, across);
        cf_vec_add_scaled(x, link->centre_m * turned, across, by->x);
        cf_vec_add_scaled(v, link->centre_m * faster, across, by->v);
        cf_vec_add_scaled(by->v, -link->centre_m * rate * turned, u, by->v);
        cf_vec_scale(faster, z, by->w);
        for (int k = 0; k < 3; k++) {
            by->r[k][0] = turned * across[k];
            by->r[k][1] = -turned * u[k];
            by->r[k][2] = 0;
        }
        cf_vec_add_scaled(x, link->length_m * turned, across, x);
        cf_vec_add_scaled(v, link->length_m * faster, across, v);
        cf_vec_add_scaled(v, -link->length_m * rate * turned, u, v);
    }
}

/* d(mu_ij), by the mass of a link. */
static double mass_product_along(const struct cf_along *along, size_t i, size_t j)
{
    const struct cf_chain *chain = &along->system->scene->chain;

    for (size_t k = 0; k < chain->nlink; k++)
        if (cf_along_is(along, CF_WRT_MASS, chain->link[k].body))
            return cf_chain_arm(chain, k, i) * cf_chain_arm(chain, k, j);
    return 0;
}

/* dM x */
static void mass_along(const struct cf_along *along, const double x[], double out[])
{
    const struct cf_scene *scene = along->system->scene;
    const struct cf_chain *chain = &scene->chain;
    const double *angle = along->state + along->system->angle;
    const double *turned = along->s + along->system->angle;

    for (size_t i = 0; i < chain->nlink; i++) {
        const struct cf_link *link = &chain->link[i];
        out[i] = 0;
        for (size_t j = 0; j < chain->nlink; j++)
            out[i] += (mass_product_along(along, i, j) * cos(angle[i] - angle[j]) -
                       cf_chain_mass(along->system, i, j) * sin(angle[i] - angle[j]) *
                           (turned[i] - turned[j])) *
                      x[j];
        if (cf_along_is(along, CF_WRT_MASS, link->body))
            out[i] += link->inertia_kg_m2 / scene->body[link->body].mass_kg * x[i];
    }
}

/* d(generalised forces) of a force and a torque about the mass centre of link k. */
static void project_along(const struct cf_along *along, size_t k, const double force[3],
                          const double more[3], const double more_torque[3], double Q[])
{
    const struct cf_chain *chain = &along->system->scene->chain;
    double u[3], across[3], z[3];

    for (size_t i = 0; i <= k; i++) {
        double turned = along->s[along->system->angle + i];
        cf_chain_direction(chain, along->state[along->system->angle + i], u, across);
        Q[i] +=
            cf_chain_arm(chain, k, i) * (cf_vec_dot(across, more) - turned * cf_vec_dot(u, force));
    }
    cf_vec_cross(chain->down, chain->side, z);
    Q[k] += cf_vec_dot(z, more_torque);
}

void cf_chain_rates_along(const struct cf_along *along, const double rate[], double out[])
{
    const struct cf_system *system = along->system;
    const struct cf_scene *scene = system->scene;
    const struct cf_chain *chain = &scene->chain;
    const double *angle = along->state + system->angle, *turned = along->s + system->angle;
    const double *spin = along->state + system->rate, *faster = along->s + system->rate;
    double Q[CF_MAX_LINK] = {0}, less[CF_MAX_LINK];

    for (size_t i = 0; i < chain->nlink; i++)
        for (size_t j = 0; j < chain->nlink; j++) {
            double mu = cf_chain_mass(system, i, j), apart = angle[i] - angle[j];
            Q[i] -= mu * cos(apart) * (turned[i] - turned[j]) * spin[j] * spin[j] +
                    sin(apart) * spin[j] *
                        (2 * mu * faster[j] + mass_product_along(along, i, j) * spin[j]);
        }
    for (size_t k = 0; k < chain->nlink; k++) {
        size_t body = chain->link[k].body;
        double m = scene->body[body].mass_kg, force[3], more[3];
        cf_vec_add_scaled(system->pose[body].force, m, scene->gravity_m_s2, force);
        memcpy(more, along->pose[body].force, sizeof more);
        if (cf_along_is(along, CF_WRT_MASS, body))
            cf_vec_add_scaled(more, 1, scene->gravity_m_s2, more);
        if (along->wrt && along->wrt->kind == CF_WRT_GRAVITY)
            more[along->wrt->part] += m;
        project_along(along, k, force, more, along->pose[body].torque, Q);
    }
    mass_along(along, rate + system->rate, less);
    for (size_t i = 0; i < chain->nlink; i++)
        Q[i] -= less[i];
    cf_chain_solve(system, angle, Q);
    for (size_t i = 0; i < chain->nlink; i++) {
        out[system->angle + i] = faster[i];
        out[system->rate + i] = Q[i];
    }
}

double cf_chain_mobility_along(const struct cf_along *along, size_t body, const double point[3],
                               const double dpoint[3], const double n[3], const double dn[3])
{
    const struct cf_system *system = along->system;
    const struct cf_chain *chain = &system->scene->chain;
    const double *angle = along->state + system->angle;
    double push[CF_MAX_LINK] = {0}, more[CF_MAX_LINK] = {0}, moved[CF_MAX_LINK], less[CF_MAX_LINK];
    double lever[3], dlever[3], torque[3], part[3], sum = 0;
    size_t k = cf_chain_link(chain, body);

    cf_vec_sub(point, system->pose[body].x, lever);
    cf_vec_sub(dpoint, along->pose[body].x, dlever);
    cf_vec_cross(lever, n, torque);
    cf_chain_project(chain, angle, k, n, torque, push);
    cf_vec_cross(dlever, n, torque);
    cf_vec_cross(lever, dn, part);
    cf_vec_add_scaled(torque, 1, part, torque);
    project_along(along, k, n, dn, torque, more);
    memcpy(moved, push, sizeof moved);
    cf_chain_solve(system, angle, moved);
    mass_along(along, moved, less);
    for (size_t i = 0; i < chain->nlink; i++)
        sum += (2 * more[i] - less[i]) * moved[i];
    return sum;
}
