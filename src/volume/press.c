/* The table of a press and that of a polytope. */

#include "volume/press.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/press_table.h"

int cf_press_check_direction(const double n[3], struct cf_error *err)
{
    static const double unit = 1e-9;

    return fabs(cf_vec_norm(n) - 1) <= unit
               ? CF_OK
               : cf_fail(err, CF_ERANGE, "direction of the press: must be a unit vector");
}

int cf_press_empty(struct cf_press **out, struct cf_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a table of volumes");
}

int cf_press_add(struct cf_press *press, const struct cf_press_piece *piece, struct cf_error *err)
{
    struct cf_press_piece *longer =
        realloc(press->piece, (press->npiece + 1) * sizeof *press->piece);
    double steepest = 3 * (piece->to_m3 - piece->from_m3) / (piece->to_m - piece->from_m);

    if (!longer)
        return cf_fail(err, CF_ENOMEM, "no memory for a table of volumes");
    press->piece = longer;
    longer[press->npiece] = *piece;
    /* Up to three times the mean slope at both ends the cubic does not fall (Fritsch & Carlson
     * 1980, SIAM J. Numer. Anal. 17). */
    longer[press->npiece].from_m2 = fmax(0, fmin(piece->from_m2, steepest));
    longer[press->npiece].to_m2 = fmax(0, fmin(piece->to_m2, steepest));
    press->npiece++;
    return CF_OK;
}

int cf_press_make(size_t npiece, const struct cf_press_piece piece[], struct cf_press **out,
                  struct cf_error *err)
{
    const struct cf_press_piece none = {0}, *last = &none;
    int status = cf_press_empty(out, err);

    for (size_t i = 0; i < npiece && !status; i++) {
        const struct cf_press_piece *p = &piece[i];
        bool follows = p->from_m == last->to_m && p->from_m3 == last->to_m3;
        bool grows = p->to_m > p->from_m && p->to_m3 >= p->from_m3 && p->from_m2 >= 0 &&
                     p->to_m2 >= 0 && isfinite(p->to_m + p->to_m3 + p->from_m2 + p->to_m2);
        status = follows && grows ? cf_press_add(*out, p, err)
                                  : cf_fail(err, CF_ERANGE,
                                            "piece %zu of a table of volumes: must go on from the "
                                            "one before, from 0 on, with a volume that grows",
                                            i + 1);
        last = p;
    }
    if (!status && npiece == 0)
        status = cf_fail(err, CF_ERANGE, "a table of volumes: must have a piece");
    if (status) {
        cf_press_release(*out);
        *out = NULL;
    }
    return status;
}

void cf_press_at(const struct cf_press *press, double depth_m, double *volume_m3, double *area_m2)
{
    size_t low = 0, high = press->npiece;
    double h, t, mean, square, cube;

    *volume_m3 = *area_m2 = 0;
    if (!(depth_m > 0))
        return;
    if (depth_m >= cf_press_extent(press)) {
        *volume_m3 = press->piece[press->npiece - 1].to_m3;
        return;
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(depth_m < press->piece[middle].from_m ? &high : &low) = middle;
    }
    const struct cf_press_piece *p = &press->piece[low];
    h = p->to_m - p->from_m;
    t = (depth_m - p->from_m) / h;
    mean = (p->to_m3 - p->from_m3) / h;
    square = 3 * mean - 2 * p->from_m2 - p->to_m2;
    cube = p->from_m2 + p->to_m2 - 2 * mean;
    *volume_m3 = p->from_m3 + h * t * (p->from_m2 + t * (square + t * cube));
    *area_m2 = p->from_m2 + t * (2 * square + t * 3 * cube);
}

double cf_press_extent(const struct cf_press *press)
{
    return press->piece[press->npiece - 1].to_m;
}

struct cf_press *cf_press_share(struct cf_press *press)
{
    if (press)
        press->shared++;
    return press;
}

void cf_press_release(struct cf_press *press)
{
    if (!press || press->shared--)
        return;
    free(press->piece);
    free(press);
}

/* ---- polytopes */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

/* Between two vertices the section is a quadratic of the depth: by its area at three depths. */
static int add_between(struct cf_press *press, const struct cf_piece *piece, const double n[3],
                       double from, double to, struct cf_error *err)
{
    double last = press->npiece ? press->piece[press->npiece - 1].to_m3 : 0, h = to - from;
    double area[3], second, first;

    for (int i = 0; i < 3; i++) {
        struct cf_volume v;
        int status = cf_volume_half_space(piece, n, from + (i + 1) * h / 4, &v, err);
        if (status)
            return status;
        area[i] = -cf_vec_dot(n, v.volume_by);
        press->nvolume++;
    }
    second = 8 * (area[0] - 2 * area[1] + area[2]); /* of area = start + first t + second t^2 */
    first = 2 * (area[2] - area[0]) - second;
    double start = area[1] - first / 2 - second / 4;
    if (fabs(start) < 1e-12 * area[2]) /* rounding, where a vertex or an edge goes in first */
        start = 0;
    const struct cf_press_piece p = {.from_m = from,
                                     .to_m = to,
                                     .from_m3 = last,
                                     .to_m3 = last + h * (start + first / 2 + second / 3),
                                     .from_m2 = start,
                                     .to_m2 = start + first + second};
    return cf_press_add(press, &p, err);
}

static int tabulate_polytope(const struct cf_polytope *polytope, const double n[3], double height[],
                             struct cf_press *press, struct cf_error *err)
{
    static const double same = 1e-9; /* of the length: vertices that go in at one depth */
    const struct cf_piece piece = {.form = cf_form_find("polytope"), .polytope = polytope};
    size_t nvertex = polytope->nvertex;
    double length, from = 0;
    int status = CF_OK;

    for (size_t v = 0; v < nvertex; v++)
        height[v] = cf_vec_dot(n, polytope->vertex_m[v]);
    qsort(height, nvertex, sizeof *height, ascending);
    length = height[nvertex - 1] - height[0];
    for (size_t v = 1; v < nvertex && !status; v++) {
        double to = height[v] - height[0];
        bool last = v + 1 == nvertex;
        if (!last && (to - from < same * length || length - to < same * length))
            continue;
        status = add_between(press, &piece, n, from, to, err);
        from = to;
    }
    return status;
}

int cf_press_polytope(const struct cf_polytope *polytope, const double n[3], struct cf_press **out,
                      struct cf_error *err)
{
    double *height = NULL;
    int status = cf_polytope_check(polytope, err);

    *out = NULL;
    if (!status)
        status = cf_press_check_direction(n, err);
    if (!status)
        status = cf_press_empty(out, err);
    if (!status && !(height = malloc(polytope->nvertex * sizeof *height)))
        status = cf_fail(err, CF_ENOMEM, "no memory for a table of volumes");
    if (!status) {
        snprintf((*out)->what, sizeof(*out)->what, "polytope of %zu vertices", polytope->nvertex);
        status = tabulate_polytope(polytope, n, height, *out, err);
    }
    free(height);
    if (status) {
        cf_press_release(*out);
        *out = NULL;
    }
    return status;
}
