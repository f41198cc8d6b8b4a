/* The planar chain, by Lagrange's equations in the angles theta_i from `down`:
 *
 *   c_k = sum_j a_kj u(theta_j),   a_kj = length_j for j < k, centre_k for j = k,
 *   sum_j M_ij theta_j'' = -sum_j mu_ij sin(theta_i - theta_j) theta_j'^2 + Q_i,
 *   M_ij = mu_ij cos(theta_i - theta_j) + J_i [i = j],   mu_ij = sum_k m_k a_ki a_kj,
 *
 * Q_i being the generalised force of gravity and the contacts along dc_k/dtheta_i = a_ki
 * u'(theta_i), and about the mass centre of link i.
 */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/chain.h"

double cf_chain_arm(const struct cf_chain *chain, size_t k, size_t j)
{
    if (j > k)
        return 0;
    return j < k ? chain->link[j].length_m : chain->link[k].centre_m;
}

void cf_chain_direction(const struct cf_chain *chain, double angle, double u[3], double across[3])
{
    for (int i = 0; i < 3; i++) {
        u[i] = cos(angle) * chain->down[i] + sin(angle) * chain->side[i];
        across[i] = cos(angle) * chain->side[i] - sin(angle) * chain->down[i];
    }
}

void cf_chain_poses(const struct cf_system *system, const double state[])
{
    const struct cf_chain *chain = &system->scene->chain;
    double x[3], v[3] = {0}, u[3], across[3], z[3];

    memcpy(x, chain->joint_m, sizeof x);
    cf_vec_cross(chain->down, chain->side, z);
    for (size_t i = 0; i < chain->nlink; i++) {
        const struct cf_link *link = &chain->link[i];
        struct cf_pose *pose = &system->pose[link->body];
        double rate = state[system->rate + i];

        cf_chain_direction(chain, state[system->angle + i], u, across);
        cf_vec_add_scaled(x, link->centre_m, u, pose->x);
        memcpy(pose->moved, pose->x, sizeof pose->moved); /* from = 0 */
        cf_vec_add_scaled(v, link->centre_m * rate, across, pose->v);
        cf_vec_scale(rate, z, pose->w);
        for (int k = 0; k < 3; k++) {
            pose->r[k][0] = u[k];
            pose->r[k][1] = across[k];
            pose->r[k][2] = z[k];
        }
        pose->turned = true;
        cf_vec_add_scaled(x, link->length_m, u, x);
        cf_vec_add_scaled(v, link->length_m * rate, across, v);
    }
}

/* Solves M x = b for a symmetric positive definite matrix, by L L^T in place. */
static void solve(size_t n, double M[CF_MAX_LINK][CF_MAX_LINK], double b[])
{
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < j; k++)
            M[j][j] -= M[j][k] * M[j][k];
        M[j][j] = sqrt(M[j][j]);
        for (size_t i = j + 1; i < n; i++) {
            for (size_t k = 0; k < j; k++)
                M[i][j] -= M[i][k] * M[j][k];
            M[i][j] /= M[j][j];
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            b[i] -= M[i][k] * b[k];
        b[i] /= M[i][i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= M[k][i] * b[k];
        b[i] /= M[i][i];
    }
}

double cf_chain_mass(const struct cf_system *system, size_t i, size_t j)
{
    const struct cf_chain *chain = &system->scene->chain;
    double sum = 0;

    for (size_t k = 0; k < chain->nlink; k++)
        sum += system->scene->body[chain->link[k].body].mass_kg * cf_chain_arm(chain, k, i) *
               cf_chain_arm(chain, k, j);
    return sum;
}

static void mass_matrix(const struct cf_system *system, const double angle[],
                        double M[CF_MAX_LINK][CF_MAX_LINK])
{
    const struct cf_chain *chain = &system->scene->chain;

    for (size_t i = 0; i < chain->nlink; i++)
        for (size_t j = 0; j < chain->nlink; j++)
            M[i][j] = cf_chain_mass(system, i, j) * cos(angle[i] - angle[j]) +
                      (i == j ? chain->link[i].inertia_kg_m2 : 0);
}

void cf_chain_solve(const struct cf_system *system, const double angle[], double b[])
{
    double M[CF_MAX_LINK][CF_MAX_LINK];

    mass_matrix(system, angle, M);
    solve(system->scene->chain.nlink, M, b);
}

size_t cf_chain_link(const struct cf_chain *chain, size_t body)
{
    size_t k = 0;

    while (chain->link[k].body != body)
        k++;
    return k;
}

void cf_chain_project(const struct cf_chain *chain, const double angle[], size_t k,
                      const double force[3], const double torque[3], double Q[])
{
    double u[3], across[3], z[3];

    for (size_t i = 0; i <= k; i++) {
        cf_chain_direction(chain, angle[i], u, across);
        Q[i] += cf_chain_arm(chain, k, i) * cf_vec_dot(across, force);
    }
    cf_vec_cross(chain->down, chain->side, z);
    Q[k] += cf_vec_dot(z, torque);
}

void cf_chain_rates(const struct cf_system *system, const double state[], double rate[])
{
    const struct cf_scene *scene = system->scene;
    const struct cf_chain *chain = &scene->chain;
    const double *angle = state + system->angle, *spin = state + system->rate;
    double Q[CF_MAX_LINK] = {0};

    for (size_t i = 0; i < chain->nlink; i++)
        for (size_t j = 0; j < chain->nlink; j++)
            Q[i] -= cf_chain_mass(system, i, j) * sin(angle[i] - angle[j]) * spin[j] * spin[j];
    for (size_t k = 0; k < chain->nlink; k++) {
        const struct cf_pose *pose = &system->pose[chain->link[k].body];
        double force[3];
        cf_vec_add_scaled(pose->force, scene->body[chain->link[k].body].mass_kg,
                          scene->gravity_m_s2, force);
        cf_chain_project(chain, angle, k, force, pose->torque, Q);
    }
    cf_chain_solve(system, angle, Q);
    for (size_t i = 0; i < chain->nlink; i++) {
        rate[system->angle + i] = spin[i];
        rate[system->rate + i] = Q[i];
    }
}

double cf_chain_mobility(const struct cf_system *system, const double state[], size_t body,
                         const double point[3], const double n[3])
{
    const struct cf_chain *chain = &system->scene->chain;
    const double *angle = state + system->angle;
    double Q[CF_MAX_LINK] = {0}, push[CF_MAX_LINK], sum = 0;
    double lever[3], torque[3];
    size_t k = cf_chain_link(chain, body);

    cf_vec_sub(point, system->pose[body].x, lever);
    cf_vec_cross(lever, n, torque);
    cf_chain_project(chain, angle, k, n, torque, Q);
    memcpy(push, Q, sizeof push);
    cf_chain_solve(system, angle, Q);
    for (size_t i = 0; i < chain->nlink; i++)
        sum += push[i] * Q[i];
    return sum;
}
