/* The surfaces of two cells of implicit primitives. Private to src/volume. */

#ifndef CF_VOLUME_CELLS_H
#define CF_VOLUME_CELLS_H

#include "volume/conic.h"
#include "volume/implicit.h"

/* In the frame of the call, those of no hole first. */
struct cf_cells {
    struct cf_conic conic[CF_MAX_SURFACES];
    int hole[CF_MAX_SURFACES];   /* of which hole, from 0; -1: of none */
    bool still[CF_MAX_SURFACES]; /* of body j */
    size_t n, nconvex, nfirst;   /* all; those of no hole; and of them those of body i */
    int nhole;
    double origin_m[3], size_m; /* a place in the bodies and a length, to count lengths by */
};

/* CF_ERANGE: too many surfaces. */
int cf_cells_gather(const struct cf_implicit body_i[], size_t ni, const struct cf_implicit body_j[],
                    size_t nj, struct cf_cells *cells, struct cf_error *err);

/* Those of no hole, in lengths of size_m from origin_m. conic has room for nconvex. */
void cf_cells_shrunk(const struct cf_cells *cells, struct cf_conic conic[]);

/* What can be checked of each primitive alone; `what` names the body. CF_ERANGE. */
int cf_cells_check(const char *what, const struct cf_implicit body[], size_t n, bool bounded,
                   struct cf_error *err);

#endif
