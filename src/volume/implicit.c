/* From two cells to the root of an octree, and from its moments back. */

#include "volume/implicit.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/barrier.h"
#include "volume/cells.h"
#include "volume/octree.h"
#include "volume/rows.h"

struct cf_octree_options cf_octree_defaults(void)
{
    return (struct cf_octree_options){.leaf = CF_LEAF_CURVED,
                                      .error_relative = 1e-4,
                                      .max_cells = 10000000,
                                      .max_memory_B = 256000000};
}

/* The overlap's own measure: x = origin + map xi. */
struct root {
    double origin_m[3], map[3][3];
    bool empty;
};

/* The box about the overlap along the axes of its centre's measure. */
static int find_root(const struct cf_cells *cells, struct root *root, struct cf_error *err)
{
    struct cf_conic conic[CF_MAX_SURFACES], seen[CF_MAX_SURFACES];
    struct cf_overlap overlap = {.conic = conic, .n = cells->nconvex},
                      within = {.conic = seen, .n = cells->nconvex};
    double x[3] = {0}, map[3][3], low[3], high[3], bound, middle[3];
    int status;

    cf_cells_shrunk(cells, conic);
    status = cf_overlap_inside(&overlap, x, &bound, err);
    root->empty = !status && !(bound < -cf_overlap_thin);
    if (!status && !root->empty)
        status = cf_overlap_centre(&overlap, x, map, err);
    cf_vec_add_scaled(cells->origin_m, cells->size_m, x, root->origin_m);
    if (status || root->empty)
        return status;
    for (size_t s = 0; s < overlap.n; s++)
        seen[s] = cf_conic_mapped(&conic[s], x, map);
    status = cf_overlap_extent(&within, low, high, err);
    for (int k = 0; k < 3; k++)
        middle[k] = (low[k] + high[k]) / 2;
    for (int k = 0; k < 3; k++) {
        root->origin_m[k] += cells->size_m * cf_vec_dot(map[k], middle);
        for (int l = 0; l < 3; l++)
            root->map[k][l] = cells->size_m * map[k][l] * (high[l] - low[l]) / 2;
    }
    return status;
}

/* The tree but for its cubelet; returns the length of the root. */
static double plant(const struct cf_cells *cells, const struct root *root, enum cf_leaf leaf,
                    struct cf_octree *tree)
{
    double column[3][3], length = 0;

    *tree = (struct cf_octree){.nsurface = cells->n, .nhole = (size_t) cells->nhole, .leaf = leaf};
    memcpy(tree->origin_m, root->origin_m, sizeof tree->origin_m);
    memcpy(tree->map, root->map, sizeof tree->map);
    for (size_t s = 0; s < cells->n; s++) {
        struct cf_conic seen = cf_conic_mapped(&cells->conic[s], tree->origin_m, tree->map);
        tree->surface[s] = (struct cf_octree_surface){
            .quadric = cf_conic_quadric(&seen), .hole = cells->hole[s], .still = cells->still[s]};
        if (!seen.flat)
            tree->curved |= (uint64_t) 1 << s;
        if (cells->hole[s] >= 0)
            tree->of_hole[cells->hole[s]] |= (uint64_t) 1 << s;
    }
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++)
            column[c][r] = tree->map[r][c];
        length = fmax(length, 2 * cf_vec_norm(column[c]));
    }
    for (int c = 0; c < 3; c++) {
        double normal[3];
        cf_vec_cross(column[(c + 1) % 3], column[(c + 2) % 3], normal);
        tree->volume_m3 = cf_vec_dot(normal, column[c]);
        for (int r = 0; r < 3; r++)
            tree->normal[r][c] = normal[r];
    }
    return length;
}

static int check_options(const struct cf_octree_options *o, struct cf_error *err)
{
    const struct {
        const char *name, *unit;
        double value;
    } row[] = {{"error", " m3", o->error_m3},
               {"relative error", "", o->error_relative},
               {"leaf", " m", o->leaf_m}};

    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++)
        if (!(row[k].value >= 0 && isfinite(row[k].value)))
            return cf_fail(err, CF_ERANGE,
                           "%s of an octree = %.15g%s: must be finite and not "
                           "below 0",
                           row[k].name, row[k].value, row[k].unit);
    if (o->error_m3 == 0 && o->error_relative == 0 && o->leaf_m == 0)
        return cf_fail(err, CF_ERANGE, "an octree: must have an error or a leaf above 0");
    if (o->leaf == CF_LEAF_COUNTED && o->leaf_m == 0)
        return cf_fail(err, CF_ERANGE,
                       "an octree whose leaves are counted: must have a leaf above 0 m, as it does "
                       "not estimate its error");
    return CF_OK;
}

/* How often the root has to be halved. */
static int set_levels(const struct cf_octree_options *options, double root_m,
                      struct cf_octree_run *run, struct cf_error *err)
{
    if (options->leaf_m == 0)
        return CF_OK;
    if (!(options->leaf_m < root_m))
        return cf_fail(err, CF_ERANGE,
                       "leaf of an octree = %.15g m: must be below the length of the contact, "
                       "%.6g m",
                       options->leaf_m, root_m);
    run->levels = (int) ceil(log2(root_m / options->leaf_m));
    return CF_OK;
}

static void metrics(const struct cf_octree *tree, struct cf_octree_part *part,
                    struct cf_octree_volume *out)
{
    static const double up[3] = {0, 0, 1};
    struct cf_region region;
    double map[3][3];

    cf_region_begin_along(&region, tree->origin_m, up);
    memcpy(map, tree->map, sizeof map);
    if (part->moment[CF_MOMENT_1] > 0) {
        cf_moment_map(part->moment, map, region.moment);
        memcpy(region.still, part->region.still, sizeof region.still);
    }
    cf_region_metrics(&region, &out->volume);
    out->error_m3 = part->error * tree->volume_m3;
}

static int measure(struct cf_octree *tree, double root_m, const struct cf_octree_options *options,
                   struct cf_octree_volume *out, struct cf_error *err)
{
    struct cf_octree_run run = {.error = options->error_m3 / tree->volume_m3,
                                .relative = options->error_relative,
                                .max_cells = options->max_cells,
                                .max_memory_B = options->max_memory_B,
                                .memory_B = sizeof *tree + cf_cubelet_size(2 * tree->nsurface)};
    struct cf_octree_part part;
    int status = set_levels(options, root_m, &run, err);

    if (status)
        return status;
    if (run.memory_B > options->max_memory_B)
        return cf_fail(err, CF_ENOMEM,
                       "octree: needs %.3g MB to begin with, of %.3g MB that it "
                       "may take",
                       1e-6 * (double) run.memory_B, 1e-6 * (double) options->max_memory_B);
    tree->cubelet = cf_cubelet_alloc(2 * tree->nsurface);
    if (!tree->cubelet)
        return cf_fail(err, CF_ENOMEM, "octree: no memory for its leaves");
    status = cf_octree_sum(tree, &run, &part, err);
    cf_cubelet_free(tree->cubelet);
    if (status)
        return status;
    metrics(tree, &part, out);
    out->root_m = root_m;
    out->leaf_m = ldexp(root_m, -run.level);
    out->ncell = run.ncell;
    out->memory_B = run.memory_B;
    return CF_OK;
}

/* Of what has passed its checks. */
static int interfere(const struct cf_implicit body_i[], size_t ni,
                     const struct cf_implicit body_j[], size_t nj,
                     const struct cf_octree_options *options, struct cf_octree_volume *out,
                     struct cf_error *err)
{
    static const double up[3] = {0, 0, 1};
    struct cf_cells cells;
    struct cf_octree tree;
    struct cf_region nothing;
    struct root root;
    int status = cf_cells_gather(body_i, ni, body_j, nj, &cells, err);

    if (!status)
        status = find_root(&cells, &root, err);
    if (status)
        return status;
    *out = (struct cf_octree_volume){.root_m = 0};
    if (root.empty) {
        cf_region_begin_along(&nothing, root.origin_m, up);
        cf_region_metrics(&nothing, &out->volume);
        return CF_OK;
    }
    return measure(&tree, plant(&cells, &root, options->leaf, &tree), options, out, err);
}

int cf_volume_implicit(const struct cf_implicit body_i[], size_t ni,
                       const struct cf_implicit body_j[], size_t nj,
                       const struct cf_octree_options *options, struct cf_octree_volume *out,
                       struct cf_error *err)
{
    int status = check_options(options, err);

    if (!status)
        status = cf_cells_check("body i", body_i, ni, false, err);
    if (!status)
        status = cf_cells_check("body j", body_j, nj, false, err);
    return status ? status : interfere(body_i, ni, body_j, nj, options, out, err);
}

/* What holes leave of a body, of which not even a thousandth is nothing. */
static int check_holes(const struct cf_implicit body[], size_t n, struct cf_error *err)
{
    struct cf_octree_options options = cf_octree_defaults();
    struct cf_octree_volume whole, left;
    struct cf_implicit convex[CF_MAX_SURFACES];
    size_t nconvex = 0;
    int status;

    for (size_t k = 0; k < n && nconvex < CF_MAX_SURFACES; k++)
        if (!body[k].hole)
            convex[nconvex++] = body[k];
    options.error_relative = 1e-2;
    status = interfere(convex, nconvex, NULL, 0, &options, &whole, err);
    if (status)
        return status;
    if (whole.volume.volume_m3 == 0)
        return cf_fail(err, CF_ERANGE, "body: its primitives have nothing in common");
    if (nconvex == n)
        return CF_OK;
    options.error_m3 = 1e-3 * whole.volume.volume_m3;
    status = interfere(body, n, NULL, 0, &options, &left, err);
    if (status || left.volume.volume_m3 > left.error_m3)
        return status;
    return cf_fail(err, CF_ERANGE, "body: its holes leave nothing of it");
}

int cf_implicit_check(const struct cf_implicit body[], size_t n, bool bounded, struct cf_error *err)
{
    bool end = false;
    int status = cf_cells_check("body", body, n, bounded, err);

    for (size_t k = 0; k < n && !status; k++)
        end = end || (!body[k].hole && body[k].row->around);
    return status || !end ? status : check_holes(body, n, err);
}
