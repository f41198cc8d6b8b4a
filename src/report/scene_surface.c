#include "report/scene_surface.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "report/contour.h"
#include "report/scene_solids.h"

/* Of the grid on which a section is looked for, along the longer side; lines of the mesh, and
 * places along each. */
enum { GRID = 160, LINES = 6, PLACES = 49 };

struct section {
    const struct cf_bodies_picture *picture;
    const struct cf_rigid *body;
    const struct cf_scene_pose *pose;
};

/* How deep a place of the picture is in the body, in the plane of the section. */
static double depth_at(const void *of, double x, double y)
{
    const struct section *s = of;
    const struct cf_scene_view *view = &s->picture->view;
    double r[3][3], world[3], local[3] = {0, 0, 0}, deepest = -INFINITY;

    cf_attitude_matrix(s->pose->attitude, r);
    for (int i = 0; i < 3; i++) {
        world[i] = x * view->right[i] + y * view->up[i] + view->depth_m * view->towards[i];
        for (int k = 0; k < 3; k++)
            local[k] += r[i][k] * (world[i] - s->pose->position_m[i]);
    }
    for (size_t k = 0; k < s->body->nsolid; k++) {
        struct cf_touch touch;
        cf_solid_touch(&s->body->solid[k], 0, local, &touch);
        deepest = fmax(deepest, touch.depth_m);
    }
    for (size_t k = 0; k < s->body->ncell; k++) /* those without an end */
        if (!isfinite(s->body->cell[k].radius_m))
            deepest = fmax(deepest, cf_cell_part_depth(&s->body->cell[k], local));
    return deepest;
}

static int add_section(const struct section *s, struct cf_chart_series *series,
                       struct cf_error *err)
{
    const struct cf_range *w = s->picture->window;
    double wide = w[0].high - w[0].low, high = w[1].high - w[1].low, cell = fmax(wide, high) / GRID;
    const struct cf_field field = {
        .value = depth_at,
        .of = s,
        .x = w[0],
        .y = w[1],
        .nx = (size_t) ceil(wide / cell - 1e-9),
        .ny = (size_t) ceil(high / cell - 1e-9),
    };
    struct cf_contour contour;
    int status = cf_contour_find(&field, &contour, err);

    for (size_t i = 0; i < contour.n && !status; i++)
        cf_series_add(series, (struct cf_datum){.x = contour.place[i].x * s->picture->factor,
                                                .y = contour.place[i].y * s->picture->factor});
    cf_contour_free(&contour);
    return status;
}

/* The box of what moves, along the axes of the view's frame. */
static void find_box(const struct cf_bodies_picture *p, struct cf_range box[3])
{
    double radius = 0;

    for (int k = 0; k < 3; k++)
        box[k] = (struct cf_range) CF_RANGE_EMPTY;
    for (size_t b = 0; b < p->scene->nbody; b++) {
        const struct cf_body_outline *outline = &p->outline[b];
        if (p->scene->body[b].drive == CF_DRIVE_FIXED)
            continue;
        for (size_t i = 0; i < outline->ndisc; i++)
            radius =
                fmax(radius, cf_vec_norm(outline->disc[i].centre_m) + outline->disc[i].radius_m);
        for (size_t i = 0; i < outline->nline; i++)
            for (size_t j = 0; j < outline->line[i].n; j++)
                radius = fmax(radius, cf_vec_norm(outline->line[i].at_m[j]));
        for (size_t i = 0; i < p->figure->n; i++)
            for (int k = 0; k < 3; k++)
                cf_range_include(&box[k],
                                 cf_vec_dot(p->view.frame[k],
                                            p->figure->pose[i * p->scene->nbody + b].position_m));
    }
    for (int k = 0; k < 3; k++) {
        box[k].low -= radius;
        box[k].high += radius;
    }
}

/* Where a place along the axes of the view's frame is in the picture; NAN: there is no surface. */
static struct cf_datum place_of(const struct cf_bodies_picture *p, const double at[3])
{
    double world[3] = {0, 0, 0};

    for (int k = 0; k < 3; k++)
        cf_vec_add_scaled(world, at[k], p->view.frame[k], world);
    return (struct cf_datum){.x = cf_vec_dot(p->view.right, world),
                             .y = cf_vec_dot(p->view.up, world)};
}

/* The highest surface of what does not move, in lines along both level axes. */
static struct cf_datum mesh_place(const struct cf_bodies_picture *p, const struct cf_range box[3],
                                  int along, int line, int i)
{
    double at[3];

    at[1 - along] =
        box[1 - along].low + (box[1 - along].high - box[1 - along].low) * line / (LINES - 1);
    at[along] = box[along].low + (box[along].high - box[along].low) * i / (PLACES - 1);
    at[2] = cf_scene_surface(p->scene, p->view.frame, at[0], at[1], box[2]);
    return place_of(p, at);
}

static void add_mesh(const struct cf_bodies_picture *p, struct cf_chart_series *series)
{
    struct cf_range box[3];

    find_box(p, box);
    for (int along = 0; along < 2; along++)
        for (int line = 0; line < LINES; line++) {
            for (int i = 0; i < PLACES; i++) {
                struct cf_datum at = mesh_place(p, box, along, line, i);
                at.x *= p->factor;
                at.y *= p->factor;
                cf_series_add(series, at);
            }
            cf_series_add(series, (struct cf_datum){.x = NAN, .y = NAN});
        }
}

void cf_scene_surface_include(struct cf_bodies_picture *picture)
{
    struct cf_range box[3];

    if (picture->view.flat)
        return;
    find_box(picture, box);
    for (int line = 0; line < LINES; line++)
        for (int i = 0; i < PLACES; i++) {
            struct cf_datum at = mesh_place(picture, box, 0, line, i);
            cf_range_include(&picture->window[0], at.x);
            cf_range_include(&picture->window[1], at.y);
        }
}

/* Has a body a surface beyond the spheres that are drawn as discs? */
static bool is_endless(const struct cf_bodies_picture *picture, size_t body)
{
    const struct cf_rigid *of = &picture->scene->body[body];
    bool endless = false;

    for (size_t k = 0; k < of->nsolid; k++)
        endless = endless || picture->outline[body].ndisc == 0 ||
                  strcmp(of->solid[k].shape->name, "sphere") != 0;
    for (size_t k = 0; k < of->ncell; k++)
        endless = endless || !isfinite(of->cell[k].radius_m);
    return endless;
}

int cf_scene_surface_add(const struct cf_bodies_picture *picture, size_t body,
                         const struct cf_scene_pose *pose, struct cf_chart_series *series,
                         struct cf_error *err)
{
    const struct cf_rigid *of = &picture->scene->body[body];
    const struct section section = {picture, of, pose};

    if (!is_endless(picture, body))
        return CF_OK;
    if (picture->view.flat)
        return add_section(&section, series, err);
    for (size_t b = 0; b < body; b++) /* one mesh is of all that does not move */
        if (picture->scene->body[b].drive == CF_DRIVE_FIXED && is_endless(picture, b))
            return CF_OK;
    if (of->drive == CF_DRIVE_FIXED)
        add_mesh(picture, series);
    return CF_OK;
}
