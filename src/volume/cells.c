#include "volume/cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/rows.h"

static size_t primitive_surfaces(const struct cf_implicit *primitive, struct cf_conic out[])
{
    double from[3], map[3][3];

    primitive->row->surfaces(primitive->size, out);
    for (int k = 0; k < 3; k++) {
        from[k] = -cf_vec_dot(primitive->axis[k], primitive->origin_m);
        memcpy(map[k], primitive->axis[k], sizeof map[k]);
    }
    for (size_t s = 0; s < primitive->row->nsurface; s++)
        out[s] = cf_conic_mapped(&out[s], from, map);
    return primitive->row->nsurface;
}

double cf_implicit_value(const struct cf_implicit *primitive, const double point_m[3],
                         double gradient[3])
{
    struct cf_conic conic[CF_MAX_SURFACES];
    size_t n = primitive_surfaces(primitive, conic);
    double most = -INFINITY;

    for (size_t s = 0; s < n; s++) {
        double slope[3], value = cf_conic_value(&conic[s], point_m, slope);
        if (value > most && gradient)
            memcpy(gradient, slope, sizeof slope);
        most = fmax(most, value);
    }
    return most;
}

/* A cone has another sheet beyond its tip; a plane between them. */
static bool has_sheets(const struct cf_conic *conic)
{
    return !conic->flat && cf_vec_norm(conic->slope) > 0;
}

static struct cf_conic between_sheets(const struct cf_conic *conic)
{
    struct cf_conic plane = {.reach = conic->reach, .flat = true};

    memcpy(plane.slope, conic->slope, sizeof plane.slope);
    return plane;
}

static int add_conic(struct cf_cells *cells, const struct cf_conic *conic, int hole, bool still,
                     struct cf_error *err)
{
    if (cells->n == CF_MAX_SURFACES)
        return cf_fail(err, CF_ERANGE,
                       "two bodies: have more than the %d surfaces that an octree "
                       "takes",
                       CF_MAX_SURFACES);
    cells->conic[cells->n] = *conic;
    cells->hole[cells->n] = hole;
    cells->still[cells->n++] = still;
    return CF_OK;
}

/* Those of holes, or the others. */
static int add_cell(struct cf_cells *cells, const struct cf_implicit body[], size_t n, bool holes,
                    bool still, struct cf_error *err)
{
    for (size_t k = 0; k < n; k++) {
        struct cf_conic conic[CF_MAX_SURFACES];
        size_t count;
        if (body[k].hole != holes)
            continue;
        count = primitive_surfaces(&body[k], conic);
        for (size_t s = 0; s < count; s++) {
            int hole = holes ? cells->nhole : -1;
            int status = add_conic(cells, &conic[s], hole, still, err);
            if (!status && has_sheets(&conic[s])) {
                struct cf_conic plane = between_sheets(&conic[s]);
                status = add_conic(cells, &plane, hole, still, err);
            }
            if (status)
                return status;
        }
        cells->nhole += holes;
    }
    return CF_OK;
}

/* The smallest of the bounded primitives holds the overlap; without any, the places are what there
 * is. */
static void find_size(const struct cf_implicit body[], size_t n, const double from_m[3],
                      struct cf_cells *cells, bool *bounded)
{
    for (size_t k = 0; k < n; k++) {
        double most = 0, away[3];
        if (body[k].hole)
            continue;
        for (size_t s = 0; body[k].row->around && s < body[k].row->nsize; s++)
            most = fmax(most, body[k].size[s]);
        cf_vec_sub(body[k].origin_m, from_m, away);
        if (most > 0 && !(*bounded && most >= cells->size_m)) {
            memcpy(cells->origin_m, body[k].origin_m, sizeof cells->origin_m);
            cells->size_m = most;
            *bounded = true;
        } else if (!*bounded) {
            cells->size_m = fmax(cells->size_m, cf_vec_norm(away));
        }
    }
}

int cf_cells_gather(const struct cf_implicit body_i[], size_t ni, const struct cf_implicit body_j[],
                    size_t nj, struct cf_cells *cells, struct cf_error *err)
{
    bool bounded = false;
    int status;

    cells->n = 0;
    cells->nhole = 0;
    cells->size_m = 0;
    memcpy(cells->origin_m, body_i[0].origin_m, sizeof cells->origin_m);
    find_size(body_i, ni, body_i[0].origin_m, cells, &bounded);
    find_size(body_j, nj, body_i[0].origin_m, cells, &bounded);
    if (cells->size_m == 0) /* of unbounded ones about one place any length is as good */
        cells->size_m = 1;
    status = add_cell(cells, body_i, ni, false, false, err);
    cells->nfirst = cells->n;
    if (!status)
        status = add_cell(cells, body_j, nj, false, true, err);
    cells->nconvex = cells->n;
    if (!status)
        status = add_cell(cells, body_i, ni, true, false, err);
    return status ? status : add_cell(cells, body_j, nj, true, true, err);
}

void cf_cells_shrunk(const struct cf_cells *cells, struct cf_conic conic[])
{
    double size = cells->size_m, map[3][3] = {{size, 0, 0}, {0, size, 0}, {0, 0, size}};

    for (size_t s = 0; s < cells->nconvex; s++) {
        struct cf_conic *c = &conic[s];
        *c = cf_conic_mapped(&cells->conic[s], cells->origin_m, map);
        c->reach /= size;
        for (int k = 0; k < 3; k++) {
            c->offset[k] /= size;
            c->slope[k] /= size;
            cf_vec_scale(1 / size, c->spread[k], c->spread[k]);
        }
    }
}

/* Lengths and angles of the axes, and their turn. */
static int check_axes(const char *what, double axis[3][3], struct cf_error *err)
{
    double across[3], off = 0, turn;

    for (int k = 0; k < 3; k++)
        for (int l = 0; l <= k; l++)
            off = fmax(off, fabs(cf_vec_dot(axis[k], axis[l]) - (k == l)));
    cf_vec_cross(axis[0], axis[1], across);
    turn = cf_vec_dot(across, axis[2]);
    for (int k = 0; k < 9; k++)
        if (!isfinite(axis[k / 3][k % 3]))
            return cf_fail(err, CF_ERANGE, "axes of %s: must be finite", what);
    if (!(off <= 1e-9))
        return cf_fail(err, CF_ERANGE,
                       "axes of %s: must be unit vectors across each other to 1e-9, and are off by "
                       "%.3g",
                       what, off);
    if (!(turn > 0))
        return cf_fail(err, CF_ERANGE, "axes of %s: must be right-handed", what);
    return CF_OK;
}

static int check_one(const char *what, const struct cf_implicit *primitive, struct cf_error *err)
{
    struct cf_error one = {""};
    double axis[3][3];
    int status = cf_param_check(primitive->row->size, primitive->row->nsize, primitive->size, &one);

    if (status)
        return cf_fail(err, status, "%s: %s", what, one.text);
    status = cf_volume_check_place(what, primitive->origin_m, err);
    memcpy(axis, primitive->axis, sizeof axis);
    return status ? status : check_axes(what, axis, err);
}

int cf_cells_check(const char *what, const struct cf_implicit body[], size_t n, bool bounded,
                   struct cf_error *err)
{
    bool any = false, end = false;

    for (size_t k = 0; k < n; k++) {
        char name[96];
        int status;
        snprintf(name, sizeof name, "primitive %zu of %s (%s)", k + 1, what, body[k].row->name);
        status = check_one(name, &body[k], err);
        if (status)
            return status;
        any = any || !body[k].hole;
        end = end || (!body[k].hole && body[k].row->around);
    }
    if (!any)
        return cf_fail(err, CF_ERANGE, "%s: must have a primitive that is not a hole", what);
    if (bounded && !end)
        return cf_fail(err, CF_ERANGE, "%s: must be bounded, and none of its primitives is, as %s",
                       what, body[0].row->name);
    return CF_OK;
}
