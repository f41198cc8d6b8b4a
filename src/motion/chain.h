/* What the equations of the chain and their derivatives share: chain.c has them; private to
 * src/motion. */

#ifndef CF_MOTION_CHAIN_H
#define CF_MOTION_CHAIN_H

#include "motion/system.h"

/* a_kj */
double cf_chain_arm(const struct cf_chain *chain, size_t k, size_t j);

/* Along a link, and across it, where it goes as its angle grows. */
void cf_chain_direction(const struct cf_chain *chain, double angle, double u[3], double across[3]);

/* mu_ij */
double cf_chain_mass(const struct cf_system *system, size_t i, size_t j);

/* Generalised forces of a force and a torque about the mass centre of link k, added to Q. */
void cf_chain_project(const struct cf_chain *chain, const double angle[], size_t k,
                      const double force[3], const double torque[3], double Q[]);

/* b becomes M^-1 b. */
void cf_chain_solve(const struct cf_system *system, const double angle[], double b[]);

/* The link that is a body. */
size_t cf_chain_link(const struct cf_chain *chain, size_t body);

#endif
