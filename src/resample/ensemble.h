/* Ensemble sampling: walkers that move by each other's positions, so that scale and correlation of
 * the target need not be known.
 *
 * An ensemble is split into halves; a walker's proposal depends on two walkers of the other half
 * only, which makes every move exact:
 *   stretch (Goodman & Weare 2010, Comm. App. Math. Comp. Sci. 5, 65): along the line to another
 * difference (ter Braak 2006, Stat. Comput. 16, 239): by a multiple of the distance of two others
 * One of the two at random; one difference in ten is the whole distance, which leads from one mode
 * to another.
 */

#ifndef CF_RESAMPLE_ENSEMBLE_H
#define CF_RESAMPLE_ENSEMBLE_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ln of the density up to a constant; -INFINITY outside. `worker` names the workspace. */
typedef double cf_log_density(void *context, const double x[], size_t worker);

enum { CF_MAX_DIM = 64 };

struct cf_ensemble {
    size_t dim, walkers; /* at most CF_MAX_DIM; even, at least 4 */
    double *x;           /* walkers * dim */
    double *log_density; /* walkers */
    gsl_rng *rng;
    size_t proposed, accepted;
};

/* The caller sets the positions, with their densities. False when out of memory. */
bool cf_ensemble_init(struct cf_ensemble *e, size_t dim, size_t walkers, uint64_t seed,
                      uint64_t stream);
void cf_ensemble_clear(struct cf_ensemble *e);

/* Move every walker once. */
void cf_ensemble_step(struct cf_ensemble *e, cf_log_density *density, void *context, size_t worker);

#endif
