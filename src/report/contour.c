/* Marching squares, which follow each line from cell to cell: first those that end at the border,
 * then those that close.
 *
 * Edges of cells have numbers: those along x first, row by row, then those along y.
 */

#include "report/contour.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { BOTTOM, RIGHT, TOP, LEFT, SIDES };

struct grid {
    const struct cf_field *field;
    double *value; /* (nx + 1) (ny + 1), row by row */
    bool *used;    /* of each edge */
    struct cf_contour *out;
    bool failed; /* memory ran out */
};

struct cell {
    size_t i, j;
};

static double value_at(const struct grid *g, size_t i, size_t j)
{
    return g->value[j * (g->field->nx + 1) + i];
}

static double along(struct cf_range range, size_t i, size_t n)
{
    return range.low + (range.high - range.low) * (double) i / (double) n;
}

/* The corners that a side of a cell is between. */
static void ends_of(struct cell c, int side, struct cell end[2])
{
    end[0] = (struct cell){c.i + (side == RIGHT), c.j + (side == TOP)};
    end[1] = (struct cell){c.i + (side != LEFT), c.j + (side != BOTTOM)};
}

static size_t edge_of(const struct grid *g, struct cell c, int side)
{
    size_t nx = g->field->nx, ny = g->field->ny;

    if (side == BOTTOM || side == TOP)
        return (c.j + (side == TOP)) * nx + c.i;
    return nx * (ny + 1) + c.j * (nx + 1) + c.i + (side == RIGHT);
}

static bool crosses(const struct grid *g, struct cell c, int side)
{
    struct cell end[2];

    ends_of(c, side, end);
    return (value_at(g, end[0].i, end[0].j) > 0) != (value_at(g, end[1].i, end[1].j) > 0);
}

static void add(struct grid *g, double x, double y)
{
    struct cf_contour *out = g->out;

    if (out->n == out->room && !g->failed) {
        size_t room = 2 * out->room + 256;
        struct cf_contour_place *more = realloc(out->place, room * sizeof *more);
        g->failed = !more;
        if (more) {
            out->place = more;
            out->room = room;
        }
    }
    if (!g->failed)
        out->place[out->n++] = (struct cf_contour_place){x, y};
}

static void add_crossing(struct grid *g, struct cell c, int side)
{
    struct cell end[2];

    ends_of(c, side, end);
    double from = value_at(g, end[0].i, end[0].j), to = value_at(g, end[1].i, end[1].j);
    double share = from / (from - to), x[2], y[2];
    for (int k = 0; k < 2; k++) {
        x[k] = along(g->field->x, end[k].i, g->field->nx);
        y[k] = along(g->field->y, end[k].j, g->field->ny);
    }
    add(g, x[0] + share * (x[1] - x[0]), y[0] + share * (y[1] - y[0]));
}

/* Where a line that comes in by a side leaves the cell. Of two lines that cross it, those corners
 * are cut off whose sign is not that of the middle. */
static int leaves_by(const struct grid *g, struct cell c, int side)
{
    int n = 0, other = side;

    for (int k = 0; k < SIDES; k++)
        if (crosses(g, c, k)) {
            n++;
            other = k == side ? other : k;
        }
    if (n < SIDES)
        return other;
    double first = value_at(g, c.i, c.j);
    double middle = (first + value_at(g, c.i + 1, c.j) + value_at(g, c.i, c.j + 1) +
                     value_at(g, c.i + 1, c.j + 1)) /
                    4;
    bool alike = (first > 0) == (middle > 0); /* bottom with right, top with left; or the others */
    return alike ? side ^ 1 : SIDES - 1 - side;
}

/* Step over a side; false: the grid ends there. */
static bool step(const struct grid *g, struct cell *c, int *side)
{
    if ((*side == BOTTOM && c->j == 0) || (*side == LEFT && c->i == 0) ||
        (*side == TOP && c->j + 1 == g->field->ny) || (*side == RIGHT && c->i + 1 == g->field->nx))
        return false;
    c->j += *side == TOP;
    c->j -= *side == BOTTOM;
    c->i += *side == RIGHT;
    c->i -= *side == LEFT;
    *side = (*side + 2) % SIDES;
    return true;
}

/* The line that comes into a cell by a side, if it was not followed before. */
static void follow(struct grid *g, struct cell c, int side)
{
    if (!crosses(g, c, side) || g->used[edge_of(g, c, side)])
        return;
    do {
        g->used[edge_of(g, c, side)] = true;
        add_crossing(g, c, side);
        side = leaves_by(g, c, side);
        if (g->used[edge_of(g, c, side)]) /* where it began */
            break;
    } while (step(g, &c, &side));
    g->used[edge_of(g, c, side)] = true;
    add_crossing(g, c, side);
    add(g, (double) NAN, (double) NAN);
}

static void follow_all(struct grid *g)
{
    size_t nx = g->field->nx, ny = g->field->ny;

    for (size_t i = 0; i < nx; i++) {
        follow(g, (struct cell){i, 0}, BOTTOM);
        follow(g, (struct cell){i, ny - 1}, TOP);
    }
    for (size_t j = 0; j < ny; j++) {
        follow(g, (struct cell){0, j}, LEFT);
        follow(g, (struct cell){nx - 1, j}, RIGHT);
    }
    for (size_t j = 0; j < ny; j++)
        for (size_t i = 0; i < nx; i++)
            for (int side = 0; side < SIDES; side++)
                follow(g, (struct cell){i, j}, side);
}

int cf_contour_find(const struct cf_field *field, struct cf_contour *out, struct cf_error *err)
{
    size_t nx = field->nx, ny = field->ny;
    struct grid g = {.field = field, .out = out};

    *out = (struct cf_contour){0};
    g.value = malloc((nx + 1) * (ny + 1) * sizeof *g.value);
    g.used = calloc(nx * (ny + 1) + ny * (nx + 1), sizeof *g.used);
    g.failed = !g.value || !g.used;
    if (!g.failed) {
        for (size_t k = 0; k < (nx + 1) * (ny + 1); k++)
            g.value[k] = field->value(field->of, along(field->x, k % (nx + 1), nx),
                                      along(field->y, k / (nx + 1), ny));
        follow_all(&g);
    }
    free(g.value);
    free(g.used);
    return g.failed ? cf_fail(err, CF_ENOMEM, "no memory for a line") : CF_OK;
}

void cf_contour_free(struct cf_contour *contour)
{
    free(contour->place);
    *contour = (struct cf_contour){0};
}
