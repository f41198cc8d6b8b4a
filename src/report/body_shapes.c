/* What a body is made of, as an outline. */

#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "report/body_outline.h"
#include "report/points_hull.h"

/* Places on each section of a cell without faces. */
enum { ROUND = 48 };

static void add_faces(const struct cf_polytope *faces, struct cf_body_outline *out)
{
    const size_t *corner = faces->corner;

    for (size_t f = 0; f < faces->nface; f++) {
        size_t n = faces->ncorner[f];
        double(*at)[3] = malloc(n * sizeof *at);
        out->failed = out->failed || !at;
        for (size_t k = 0; k < n && at; k++)
            memcpy(at[k], faces->vertex_m[corner[k]], sizeof at[k]);
        if (at)
            cf_body_outline_add_line(out, (const double(*)[3]) at, n, true);
        free(at);
        corner += n;
    }
}

/* The point of a convex form that is farthest along d, in the frame of the body. */
static void farthest(const struct cf_cell *cell, const double d[3], double point[3])
{
    double n[3], own[3];

    for (int a = 0; a < 3; a++)
        n[a] =
            -(d[0] * cell->at.turn[0][a] + d[1] * cell->at.turn[1][a] + d[2] * cell->at.turn[2][a]);
    cell->piece.form->lowest(&cell->piece, n, own);
    for (int i = 0; i < 3; i++)
        point[i] = cell->at.origin_m[i] + cf_vec_dot(cell->at.turn[i], own);
}

/* The last place on a ray from the middle of a cell that is in it; the middle where none is. */
static void last_inside(const struct cf_cell *cell, const double d[3], double point[3])
{
    enum { STEPS = 64, HALVINGS = 24 };
    double in = 0, out = cell->radius_m;

    for (int i = STEPS; i > 0; i--) {
        double at = cell->radius_m * i / STEPS;
        for (int k = 0; k < 3; k++)
            point[k] = cell->middle_m[k] + at * d[k];
        if (cf_cell_part_depth(cell, point) >= 0) {
            in = at;
            break;
        }
        out = at;
    }
    for (int i = 0; i < HALVINGS; i++) {
        double at = (in + out) / 2;
        for (int k = 0; k < 3; k++)
            point[k] = cell->middle_m[k] + at * d[k];
        *(cf_cell_part_depth(cell, point) >= 0 ? &in : &out) = at;
    }
}

/* Three loops round a cell, about the axes of the body. */
static void add_sections(const struct cf_cell *cell, struct cf_body_outline *out)
{
    for (int axis = 0; axis < 3; axis++) {
        double at[ROUND + 1][3];
        for (int i = 0; i <= ROUND; i++) {
            double angle = 2 * M_PI * (i % ROUND) / ROUND, d[3] = {0, 0, 0};
            d[(axis + 1) % 3] = cos(angle);
            d[(axis + 2) % 3] = sin(angle);
            if (cell->piece.form)
                farthest(cell, d, at[i]);
            else
                last_inside(cell, d, at[i]);
        }
        cf_body_outline_add_line(out, (const double(*)[3]) at, ROUND + 1, false);
    }
}

static void add_cell(const struct cf_cell *cell, struct cf_body_outline *out)
{
    if (cell->faces.nface)
        add_faces(&cell->faces, out);
    else if (cell->piece.form && strcmp(cell->piece.form->name, "sphere") == 0)
        cf_body_outline_add_disc(out, cell->at.origin_m, cell->piece.size_m[0]);
    else if (isfinite(cell->radius_m))
        add_sections(cell, out);
}

/* A link from its joint to its end, in whose frame x runs along it from the mass centre. */
static void add_link(const struct cf_scene *scene, size_t body, struct cf_body_outline *out)
{
    for (size_t k = 0; k < scene->chain.nlink; k++) {
        const struct cf_link *link = &scene->chain.link[k];
        const double ends[2][3] = {{-link->centre_m, 0, 0},
                                   {link->length_m - link->centre_m, 0, 0}};
        if (link->body == body)
            cf_body_outline_add_line(out, ends, 2, false);
    }
}

static void add_balls(const struct cf_rigid *body, struct cf_body_outline *out)
{
    bool round = false;

    for (size_t i = 0; i < body->nball; i++)
        round = round || body->ball[i].radius_m > 0;
    for (size_t i = 0; i < body->nball; i++)
        if (round || body->nball < 3)
            cf_body_outline_add_disc(out, body->ball[i].centre_m, body->ball[i].radius_m);
    if (!round && body->nball > 2)
        cf_points_hull(body->ball, body->nball, out);
}

int cf_body_outline_find(const struct cf_scene *scene, size_t body, struct cf_body_outline *out,
                         struct cf_error *err)
{
    const struct cf_rigid *of = &scene->body[body];

    *out = (struct cf_body_outline){0};
    add_balls(of, out);
    add_link(scene, body, out);
    for (size_t i = 0; i < of->ncell; i++)
        add_cell(&of->cell[i], out);
    return out->failed ? cf_fail(err, CF_ENOMEM, "no memory for the outline of a body") : CF_OK;
}
