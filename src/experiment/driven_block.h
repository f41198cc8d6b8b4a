/* A block against friction under a load, drawn through a frame by a load point whose speed V goes
 * in steps: speed steps, and holds where V = 0. Forces are shares of the load, as a friction
 * coefficient is.
 *
 *   S' = k (V - v)        m v' = S + d (V - v) - mu(v, z)        z' of the friction law
 *
 * k, d and m are those of frame and block over the load. A block without mass has the v that
 * balances it; its states are S and z. Without a frame (k = 0 is read so) v = V. It begins in
 * steady sliding: z' = 0, S = mu. Shown is
 *
 *   S + d (V - v) + drift x,   x = int V dt - (S - S_0)/k
 *
 * x being the slip since the start. At a step only V jumps; the derivative of the states y by its
 * time is y'(before) - y'(behind). Private to src/experiment.
 */

#ifndef CF_EXPERIMENT_DRIVEN_BLOCK_H
#define CF_EXPERIMENT_DRIVEN_BLOCK_H

#include "law/friction.h"

enum { CF_BLOCK_STEPS = 8 }; /* at most */

/* Its numbers, each a column that derivatives may be by. */
enum cf_block_number {
    CF_BLOCK_LOAD,      /* [N] */
    CF_BLOCK_STIFFNESS, /* k [1/m] */
    CF_BLOCK_DAMPING,   /* d [s/m] */
    CF_BLOCK_MASS,      /* m [s^2/m] */
    CF_BLOCK_DRIFT,     /* [1/m] */
    CF_BLOCK_START,     /* when the record begins [s]: no column */
    CF_BLOCK_SPEED,     /* V [m/s] before the first step, then */
    CF_BLOCK_STEP,      /* time [s] of a step, and behind it the speed after it; in turn */
    CF_BLOCK_NNUMBER = CF_BLOCK_STEP + 2 * CF_BLOCK_STEPS
};

struct cf_driven_block {
    const struct cf_friction_law *law;
    const double *p; /* law->nparam */
    double number[CF_BLOCK_NNUMBER];
    size_t nstep;
};

/* A column of derivatives: by a parameter of the law, or behind those by a number. */
struct cf_block_columns {
    size_t n;
    const size_t *of; /* < law->nparam, or law->nparam + an enum cf_block_number */
};

/* What is shown at n times, in any order: y[n]; by[n * columns->n], by_time[n]: NULL, not wanted.
 * CF_EINPUT where the block has no speed of its own: no mass, no damping in frame or friction;
 * CF_ESOLVE where it has no steady sliding or cannot be integrated in max_steps. */
int cf_driven_block_run(const struct cf_driven_block *b, size_t n, const double time_s[],
                        const struct cf_block_columns *columns, double tolerance, size_t max_steps,
                        double y[], double by[], double by_time[], struct cf_error *err);

#endif
