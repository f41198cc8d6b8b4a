/* Checks of a body of cells: gaps between them that hardly anyone means. */

#include <math.h>

#include "motion/check.h"
#include "volume/gap.h"

/* Narrower than this share of the smaller cell's size is a slip of the sizes or places, unless the
 * body states a clearance. */
static const double NARROW = 1e-3;

/* A gap is as wide as was stated to this share: rounding of the cells' places. */
static const double ROUNDING = 1e-6;

/* Another cell of the body, which lies between the two. */
static bool filled(const struct cf_rigid *body, const struct cf_cell_gap *gap)
{
    for (size_t c = 0; c < body->ncell; c++)
        if (cf_cell_holds(&body->cell[c], gap->middle_m))
            return true;
    return false;
}

static double size_of(const struct cf_rigid *body, size_t a, size_t b)
{
    return 2 * fmin(body->cell[a].radius_m, body->cell[b].radius_m);
}

static int fail_gap(const struct cf_rigid *body, size_t a, size_t b, const struct cf_cell_gap *gap,
                    struct cf_error *err)
{
    if (body->clearance_m > 0)
        return cf_fail(
            err, CF_ERANGE,
            "body %s: cells %zu and %zu leave a gap of %.4g m: at least the clearance of "
            "%g m that is stated, or none",
            body->name, b + 1, a + 1, gap->width_m, body->clearance_m);
    return cf_fail(err, CF_ERANGE,
                   "body %s: cells %zu and %zu leave a gap of %.4g m, less than %g of the size of "
                   "the smaller one, %.4g m: close it, or state clearance, the narrowest gap that "
                   "is meant",
                   body->name, b + 1, a + 1, gap->width_m, NARROW, size_of(body, a, b));
}

int cf_check_gaps(const struct cf_rigid *body, struct cf_error *err)
{
    for (size_t a = 0; a < body->ncell; a++)
        for (size_t b = 0; b < a; b++) {
            double most = body->clearance_m > 0 ? body->clearance_m * (1 - ROUNDING)
                                                : NARROW * size_of(body, a, b);
            struct cf_cell_gap gap;
            if (cf_cells_gap(&body->cell[a], &body->cell[b], most, &gap) && !filled(body, &gap))
                return fail_gap(body, a, b, &gap, err);
        }
    return CF_OK;
}
