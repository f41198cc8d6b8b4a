/* Face by face: what a face has below the plane is a polygon, which makes a cone with the lowest
 * point of the body; cones only add. Where a face leaves the plane and comes back to it, it leaves
 * an edge of the section. */

#include <stdbool.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/polytope.h"

/* A polygon that is built corner by corner, as a fan of triangles around its first. */
struct fan {
    double first[3], last[3];
    int n;
};

static bool fan_add(struct fan *fan, const double p[3], double triangle[3][3])
{
    bool whole = fan->n >= 2;

    if (fan->n == 0)
        memcpy(fan->first, p, sizeof fan->first);
    memcpy(triangle[0], fan->first, sizeof fan->first);
    memcpy(triangle[1], fan->last, sizeof fan->last);
    memcpy(triangle[2], p, sizeof fan->last);
    memcpy(fan->last, p, sizeof fan->last);
    fan->n++;
    return whole;
}

static void add_corner(struct cf_region *out, struct fan *fan, const double p[3])
{
    double t[3][3];

    if (fan_add(fan, p, t))
        cf_region_add_cone(out, t[0], t[1], t[2]);
}

/* A corner over the lowest vertex: along the axes of the region, and how high. */
struct corner {
    double at[3], height;
};

static struct corner corner_at(const struct cf_region *region, const double point_m[3],
                               const double lowest_m[3])
{
    struct corner c;
    double from[3];

    cf_vec_sub(point_m, lowest_m, from);
    for (int i = 0; i < 3; i++)
        c.at[i] = cf_vec_dot(region->axis[i], from);
    c.height = cf_vec_dot(region->up, c.at);
    return c;
}

/* On the way from `in`, below z, to `above`: the same point from both faces of an edge. */
static void cross(const struct corner *in, const struct corner *above, double z, double p[3])
{
    double share = (z - in->height) / (above->height - in->height);

    for (int i = 0; i < 3; i++)
        p[i] = in->at[i] + share * (above->at[i] - in->at[i]);
}

/* Where a face leaves the plane and where it comes back. */
struct gap {
    double leaves[3], comes[3];
    bool any;
};

static struct gap cut_face(const struct cf_polytope *p, const size_t *corner, size_t n,
                           const double lowest_m[3], double z, struct cf_region *out)
{
    struct fan fan = {.n = 0};
    struct gap gap = {.any = false};

    for (size_t i = 0; i < n; i++) {
        struct corner a = corner_at(out, p->vertex_m[corner[i]], lowest_m);
        struct corner b = corner_at(out, p->vertex_m[corner[(i + 1) % n]], lowest_m);
        bool from = a.height <= z, to = b.height <= z;
        if (from)
            add_corner(out, &fan, a.at);
        if (from == to)
            continue;
        gap.any = true;
        cross(from ? &a : &b, from ? &b : &a, z, from ? gap.leaves : gap.comes);
        add_corner(out, &fan, from ? gap.leaves : gap.comes);
    }
    return gap;
}

void cf_polytope_slice(const struct cf_polytope *polytope, const double lowest_m[3], double depth_m,
                       struct cf_region *out)
{
    const size_t *corner = polytope->corner;
    double section[3];
    bool begun = false;

    for (size_t f = 0; f < polytope->nface; f++) {
        size_t n = polytope->ncorner[f];
        struct gap gap = cut_face(polytope, corner, n, lowest_m, depth_m, out);
        corner += n;
        if (!gap.any)
            continue;
        if (!begun)
            memcpy(section, gap.leaves, sizeof section);
        begun = true;
        /* the section runs round the other way */
        cf_region_still_triangle(out, section, gap.comes, gap.leaves);
        cf_region_add_cone(out, section, gap.comes, gap.leaves);
    }
}
