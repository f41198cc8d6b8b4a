#include "volume/ball.h"

#include <stdio.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/pairs.h"

typedef int ball_volume(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                        const struct cf_touch *touch, struct cf_volume *out, struct cf_error *err);

/* Out of the frame of the sphere, which is parallel to that of body j. The lever of the turns goes
 * along: they are about the origin of body j. */
static void shift(const double by_m[3], struct cf_volume *v)
{
    double moved[3];

    for (int k = 0; k < 3; k++) { /* a turn about axis k through the origin moves the centre */
        double axis[3] = {k == 0, k == 1, k == 2};
        cf_vec_cross(axis, by_m, moved);
        for (int t = 0; t < 3; t++) {
            v->volume_by[3 + k] += moved[t] * v->volume_by[t];
            for (int a = 0; a < 3; a++) {
                v->centroid_by[a][3 + k] += moved[t] * v->centroid_by[a][t];
                for (int b = 0; b < 3; b++)
                    v->inertia_by[a][b][3 + k] += moved[t] * v->inertia_by[a][b][t];
            }
        }
    }
    for (int a = 0; a < 3; a++)
        v->centroid_m[a] += by_m[a];
}

static int in_plane(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                    const struct cf_touch *touch, struct cf_volume *out, struct cf_error *err)
{
    struct cf_piece sphere = {.form = cf_form_find("sphere"), .size_m = {radius_m}};
    int status;

    (void) solid;
    status = cf_volume_half_space(&sphere, touch->n, touch->depth_m, out, err);
    if (!status)
        shift(centre_m, out);
    return status;
}

static int in_sphere(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                     const struct cf_touch *touch, struct cf_volume *out, struct cf_error *err)
{
    return cf_volume_spheres(radius_m, solid->size[0], centre_m, touch->n, touch->depth_m, out,
                             err);
}

static int in_tube(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                   const struct cf_touch *touch, bool hollow, struct cf_volume *out,
                   struct cf_error *err)
{
    struct cf_tube tube = {.radius_m = solid->size[0], .hollow = hollow};

    memcpy(tube.point_m, solid->point_m, sizeof tube.point_m);
    memcpy(tube.axis, solid->direction[0], sizeof tube.axis);
    return cf_volume_tube(&tube, radius_m, centre_m, touch->n, touch->depth_m, out, err);
}

static int in_cylinder(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                       const struct cf_touch *touch, struct cf_volume *out, struct cf_error *err)
{
    return in_tube(solid, radius_m, centre_m, touch, false, out, err);
}

static int in_bore(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                   const struct cf_touch *touch, struct cf_volume *out, struct cf_error *err)
{
    return in_tube(solid, radius_m, centre_m, touch, true, out, err);
}

/* A sphere touches an edge in shape.h's way and a wedge in its own: they are the same to rounding,
 * and the volume depends on how far inside the edge it is. */
static int in_edge(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                   const struct cf_touch *touch, struct cf_volume *out, struct cf_error *err)
{
    struct cf_wedge wedge;
    struct cf_wedge_touch at;
    int status;

    (void) touch;
    memcpy(wedge.normal, solid->direction, sizeof wedge.normal);
    memcpy(wedge.point_m, solid->point_m, sizeof wedge.point_m);
    status = cf_wedge_depth(&wedge, radius_m, centre_m, &at, err);
    return status ? status : cf_volume_wedge(&wedge, radius_m, centre_m, &at, out, err);
}

static const struct {
    const char *shape;
    ball_volume *volume;
    bool even;
} rows[] = {
    {"plane", in_plane, true},       {"sphere", in_sphere, true}, {"edge", in_edge, false},
    {"cylinder", in_cylinder, true}, {"bore", in_bore, true},
};
enum { NROW = sizeof rows / sizeof *rows };

static size_t row_of(const struct cf_shape *shape)
{
    size_t i = 0;

    while (i < NROW && strcmp(rows[i].shape, shape->name) != 0)
        i++;
    return i;
}

int cf_ball_volume_known(const struct cf_shape *shape, struct cf_error *err)
{
    char list[160] = "";
    size_t used = 0;

    if (row_of(shape) < NROW)
        return CF_OK;
    for (size_t i = 0; i < NROW && used < sizeof list; i++)
        used += (size_t) snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                  rows[i].shape);
    return cf_fail(err, CF_EINPUT,
                   "no volume of interference of a sphere and a %s is known: there are those with "
                   "%s",
                   shape->name, list);
}

bool cf_ball_volume_is_even(const struct cf_shape *shape)
{
    size_t i = row_of(shape);

    return i < NROW && rows[i].even;
}

int cf_ball_volume(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                   const struct cf_touch *touch, struct cf_volume *out, struct cf_error *err)
{
    int status = cf_ball_volume_known(solid->shape, err);

    return status ? status
                  : rows[row_of(solid->shape)].volume(solid, radius_m, centre_m, touch, out, err);
}
