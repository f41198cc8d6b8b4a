/* A solid is known by what touches it: its surface is where a point is neither in it nor apart from
 * it, so that the mesh needs no word about the shapes that there are. */

#include "report/scene_solids.h"

#include <math.h>

#include "report/layout.h"
#include "report/thin.h"

/* Lines in each direction, and places along each, of which those are kept that are seen. */
enum { LINES = 5, PLACES = 33 };
static const double unseen = 2e-3;

/* Steps in which a surface is looked for from above, and then halvings of the step. */
enum { STEPS = 64, HALVINGS = 30 };

/* How deep a point of the figure lies in the solids that do not move; < 0: in free space. */
static double depth_at(const struct cf_scene *scene, const double frame[3][3], const double at[3])
{
    double deepest = -INFINITY;

    for (size_t b = 0; b < scene->nbody; b++) {
        const struct cf_rigid *body = &scene->body[b];
        double r[3][3], local[3] = {0, 0, 0}, world;
        if (body->drive != CF_DRIVE_FIXED)
            continue;
        cf_attitude_matrix(body->attitude, r);
        for (int i = 0; i < 3; i++) {
            world = frame[0][i] * at[0] + frame[1][i] * at[1] + frame[2][i] * at[2];
            for (int k = 0; k < 3; k++)
                local[k] += r[i][k] * (world - body->position_m[i]);
        }
        for (size_t s = 0; s < body->nsolid; s++) {
            struct cf_touch touch;
            cf_solid_touch(&body->solid[s], 0, local, &touch);
            deepest = fmax(deepest, touch.depth_m);
        }
    }
    return deepest;
}

double cf_scene_surface(const struct cf_scene *scene, const double frame[3][3], double x, double y,
                        struct cf_range z)
{
    double step = (z.high - z.low) / STEPS, above = z.high;
    bool free_above = false;

    for (int i = 0; i <= STEPS; i++) {
        double at[3] = {x, y, z.high - step * i};
        bool inside = depth_at(scene, frame, at) >= 0;
        if (inside && free_above) {
            double below = at[2];
            for (int k = 0; k < HALVINGS; k++) {
                at[2] = (above + below) / 2;
                *(depth_at(scene, frame, at) >= 0 ? &below : &above) = at[2];
            }
            return below;
        }
        free_above = !inside;
        above = at[2];
    }
    return (double) NAN;
}

/* A piece of a line, n places, thinned to what is seen. */
static int add_piece(double place[3][PLACES], size_t n, const struct cf_range range[3],
                     struct cf_chart_series *mesh, struct cf_error *err)
{
    const double *const axis[3] = {place[0], place[1], place[2]};
    double scale[3];
    bool keep[PLACES] = {false};
    int status;

    if (n < 2)
        return CF_OK;
    for (int k = 0; k < 3; k++)
        scale[k] = range[k].high - range[k].low;
    status = cf_thin(3, axis, scale, n, unseen, keep, err);
    for (size_t i = 0; i < n && !status; i++)
        if (keep[i])
            cf_series_add(mesh,
                          (struct cf_datum){.x = place[0][i], .y = place[1][i], .z = place[2][i]});
    cf_series_add(mesh, (struct cf_datum){.x = NAN, .y = NAN, .z = NAN});
    return status;
}

/* A line of the mesh along axis x or y, in pieces where there is a surface. */
static int add_line(const struct cf_scene *scene, const struct cf_scene_figure *figure, int along,
                    double across, const struct cf_range range[3], struct cf_range z,
                    struct cf_chart_series *mesh, struct cf_range *reached, struct cf_error *err)
{
    const struct cf_range *way = &range[along];
    double place[3][PLACES];
    size_t n = 0;
    int status = CF_OK;

    for (int i = 0; i < PLACES && !status; i++) {
        place[along][n] = way->low + (way->high - way->low) * i / (PLACES - 1);
        place[1 - along][n] = across;
        place[2][n] = cf_scene_surface(scene, figure->frame, place[0][n], place[1][n], z);
        if (isfinite(place[2][n])) {
            cf_range_include(reached, place[2][n++]);
        } else {
            status = add_piece(place, n, range, mesh, err);
            n = 0;
        }
    }
    return status ? status : add_piece(place, n, range, mesh, err);
}

int cf_scene_solids_add(const struct cf_scene *scene, const struct cf_scene_figure *figure,
                        struct cf_range range[3], struct cf_panel *panel, struct cf_error *err)
{
    const struct cf_style style = {.colour = CF_ORANGE, .width = 0.7};
    struct cf_chart_series *mesh = cf_panel_add_series(panel, CF_SERIES_LINE, style);
    double radius = 0;
    int status = CF_OK;

    for (size_t b = 0; b < scene->nbody; b++)
        for (size_t k = 0; k < scene->body[b].nball; k++)
            radius = fmax(radius, scene->body[b].ball[k].radius_m);
    /* the path is that of a centre, and a surface may be as far below it as a ball is thick */
    struct cf_range z = {range[2].low - 2 * radius, range[2].high}, reached = range[2];
    for (int along = 0; along < 2 && !status; along++)
        for (int i = 0; i < LINES && !status; i++) {
            const struct cf_range *way = &range[1 - along];
            double across = way->low + (way->high - way->low) * i / (LINES - 1);
            status = add_line(scene, figure, along, across, range, z, mesh, &reached, err);
        }
    if (!status && mesh->n)
        cf_text_add(&mesh->title, "surface");
    range[2].low = reached.low;
    return status;
}
