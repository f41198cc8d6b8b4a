/* Cutting a polytope. A face that leaves the plane and comes back gets an edge from where it leaves
 * to where it comes; the section has the same edges, the other way. A vertex is under the plane or
 * over it, and a crossing belongs to an edge, so that both of the edge's faces have it: whatever
 * rounding makes of vertices next to the plane, the surface stays closed, and is off by no more
 * than they are. Faces of two corners have no area and their edges are one: they are dropped.
 */

#include "volume/clip.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"

static int resize(struct cf_clip_body *body, size_t room, struct cf_error *err)
{
    double(*vertex_m)[3] = realloc(body->vertex_m, room * sizeof *vertex_m);
    struct cf_clip_face *face;
    size_t *corner;

    if (vertex_m)
        body->vertex_m = vertex_m;
    face = realloc(body->face, room * sizeof *face);
    if (face)
        body->face = face;
    corner = realloc(body->corner, room * sizeof *corner);
    if (corner)
        body->corner = corner;
    return vertex_m && face && corner ? CF_OK
                                      : cf_fail(err, CF_ENOMEM, "no memory for a cut polytope");
}

/* Room for n of everything. */
static int reserve(struct cf_clip *clip, size_t n, struct cf_error *err)
{
    double *over;
    size_t *becomes;
    struct cf_crossing *crossing;
    int status;

    if (n <= clip->room)
        return CF_OK;
    n *= 2;
    status = resize(&clip->now, n, err);
    if (!status)
        status = resize(&clip->next, n, err);
    if (status)
        return status;
    over = realloc(clip->over, n * sizeof *over);
    if (over)
        clip->over = over;
    becomes = realloc(clip->becomes, n * sizeof *becomes);
    if (becomes)
        clip->becomes = becomes;
    crossing = realloc(clip->crossing, n * sizeof *crossing);
    if (crossing)
        clip->crossing = crossing;
    if (!over || !becomes || !crossing)
        return cf_fail(err, CF_ENOMEM, "no memory for a cut polytope");
    clip->room = n;
    return CF_OK;
}

int cf_clip_begin(struct cf_clip *clip, const struct cf_polytope *polytope, struct cf_error *err)
{
    size_t n = 0;
    int status;

    *clip = (struct cf_clip){.room = 0};
    for (size_t f = 0; f < polytope->nface; f++)
        n += polytope->ncorner[f];
    status = reserve(clip, n + polytope->nvertex, err);
    if (status)
        return status;
    clip->now.nvertex = polytope->nvertex;
    clip->now.nface = polytope->nface;
    clip->now.ncorner = n;
    memcpy(clip->now.vertex_m, polytope->vertex_m, polytope->nvertex * sizeof *polytope->vertex_m);
    memcpy(clip->now.corner, polytope->corner, n * sizeof *polytope->corner);
    n = 0;
    for (size_t f = 0; f < polytope->nface; f++) {
        clip->now.face[f] = (struct cf_clip_face){.begin = n, .n = polytope->ncorner[f]};
        n += polytope->ncorner[f];
    }
    return CF_OK;
}

void cf_clip_free(struct cf_clip *clip)
{
    free(clip->now.vertex_m);
    free(clip->now.face);
    free(clip->now.corner);
    free(clip->next.vertex_m);
    free(clip->next.face);
    free(clip->next.corner);
    free(clip->over);
    free(clip->becomes);
    free(clip->crossing);
    *clip = (struct cf_clip){.room = 0};
}

static size_t crossing_of(struct cf_clip *clip, size_t in, size_t out)
{
    struct cf_crossing *c = clip->crossing;
    const double *a = clip->now.vertex_m[in], *b = clip->now.vertex_m[out];
    double share, along[3];
    size_t i = 0;

    while (i < clip->ncrossing && (c[i].in != in || c[i].out != out))
        i++;
    if (i < clip->ncrossing)
        return i;
    share = clip->over[in] / (clip->over[in] - clip->over[out]);
    cf_vec_sub(b, a, along);
    cf_vec_add_scaled(a, share, along, clip->next.vertex_m[clip->next.nvertex]);
    c[i] = (struct cf_crossing){in, out, clip->next.nvertex++, i, false};
    clip->ncrossing++;
    return i;
}

static void add_corner(struct cf_clip_body *body, size_t vertex)
{
    body->corner[body->ncorner++] = vertex;
}

static void end_face(struct cf_clip_body *body, size_t begin, bool cut)
{
    size_t n = body->ncorner - begin;

    if (n < 3)
        body->ncorner = begin;
    else
        body->face[body->nface++] = (struct cf_clip_face){begin, n, cut};
}

/* Corner by corner, from one that is under the plane. */
static void cut_face(struct cf_clip *clip, const struct cf_clip_face *face)
{
    const size_t *corner = clip->now.corner + face->begin;
    size_t begin = clip->next.ncorner, first = 0, leaves = 0;

    while (first < face->n && clip->over[corner[first]] > 0)
        first++;
    for (size_t k = 0; k < face->n && first < face->n; k++) {
        size_t a = corner[(first + k) % face->n], b = corner[(first + k + 1) % face->n];
        bool from = clip->over[a] <= 0, to = clip->over[b] <= 0;
        if (from)
            add_corner(&clip->next, clip->becomes[a]);
        if (from && !to) {
            leaves = crossing_of(clip, a, b);
            add_corner(&clip->next, clip->crossing[leaves].vertex);
        } else if (!from && to) {
            size_t comes = crossing_of(clip, b, a);
            add_corner(&clip->next, clip->crossing[comes].vertex);
            clip->crossing[comes].next = leaves;
            clip->crossing[comes].open = true;
        }
    }
    end_face(&clip->next, begin, face->cut);
}

static void add_sections(struct cf_clip *clip)
{
    for (size_t i = 0; i < clip->ncrossing; i++) {
        size_t begin = clip->next.ncorner;
        for (size_t at = i; clip->crossing[at].open; at = clip->crossing[at].next) {
            clip->crossing[at].open = false;
            add_corner(&clip->next, clip->crossing[at].vertex);
        }
        end_face(&clip->next, begin, true);
    }
}

int cf_clip_plane(struct cf_clip *clip, const double n[3], const double point_m[3],
                  struct cf_error *err)
{
    struct cf_clip_body swap;
    bool any = false;
    int status = reserve(clip, clip->now.nvertex + 3 * clip->now.ncorner, err);

    if (status)
        return status;
    clip->next.nvertex = clip->next.nface = clip->next.ncorner = clip->ncrossing = 0;
    for (size_t v = 0; v < clip->now.nvertex; v++) {
        double from[3];
        cf_vec_sub(clip->now.vertex_m[v], point_m, from);
        clip->over[v] = cf_vec_dot(n, from);
        any = any || clip->over[v] > 0;
        clip->becomes[v] = clip->next.nvertex;
        if (clip->over[v] <= 0)
            memcpy(clip->next.vertex_m[clip->next.nvertex++], clip->now.vertex_m[v], sizeof from);
    }
    if (!any)
        return CF_OK;
    for (size_t f = 0; f < clip->now.nface; f++)
        cut_face(clip, &clip->now.face[f]);
    add_sections(clip);
    swap = clip->now;
    clip->now = clip->next;
    clip->next = swap;
    return CF_OK;
}
