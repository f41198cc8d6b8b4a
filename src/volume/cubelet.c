#include "volume/cubelet.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"

/* Each plane adds at most one edge to a face. */
enum { CUBE_EDGES = 4 };

static size_t edges_of(size_t nplane)
{
    return CUBE_EDGES + nplane + CF_CUBE_FACES;
}

size_t cf_cubelet_size(size_t nplane)
{
    size_t nface = CF_CUBE_FACES + nplane;

    return sizeof(struct cf_cubelet) + nface * (sizeof(struct cf_cubelet_face) +
                                                edges_of(nplane) * sizeof(struct cf_cubelet_edge));
}

struct cf_cubelet *cf_cubelet_alloc(size_t nplane)
{
    size_t nface = CF_CUBE_FACES + nplane, nedge = edges_of(nplane);
    struct cf_cubelet *cubelet = calloc(1, sizeof *cubelet);
    struct cf_cubelet_edge *edge = calloc(nface * nedge, sizeof *edge);

    if (cubelet)
        cubelet->face = calloc(nface, sizeof *cubelet->face);
    if (!cubelet || !edge || !cubelet->face) {
        free(edge);
        free(cubelet ? cubelet->face : NULL);
        free(cubelet);
        return NULL;
    }
    cubelet->room = nface;
    for (size_t f = 0; f < nface; f++)
        cubelet->face[f].edge = edge + f * nedge;
    return cubelet;
}

void cf_cubelet_free(struct cf_cubelet *cubelet)
{
    if (!cubelet)
        return;
    free(cubelet->face[0].edge);
    free(cubelet->face);
    free(cubelet);
}

/* Face 2 a + (0: up, 1: down) is across the axis a. Seen from outside of an upper one its corners
 * are (+, +), (-, +), (-, -), (+, -) along the next two axes. */
void cf_cubelet_begin(struct cf_cubelet *cubelet, double half)
{
    static const double turn[CUBE_EDGES][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};

    cubelet->nface = CF_CUBE_FACES;
    for (size_t f = 0; f < CF_CUBE_FACES; f++) {
        struct cf_cubelet_face *face = &cubelet->face[f];
        size_t a = f / 2, b = (a + 1) % 3, c = (a + 2) % 3;
        double up = f % 2 ? -1 : 1;
        /* between corner k and the next: the end of b or c that both have */
        const size_t beside[CUBE_EDGES] = {2 * c, 2 * b + 1, 2 * c + 1, 2 * b};

        *face = (struct cf_cubelet_face){.height = half, .nedge = CUBE_EDGES, .edge = face->edge};
        face->n[a] = up;
        for (size_t k = 0; k < CUBE_EDGES; k++) {
            size_t next = (k + 1) % CUBE_EDGES;
            struct cf_cubelet_edge *e = &face->edge[k];
            double *from = up > 0 ? e->from : e->to, *to = up > 0 ? e->to : e->from;
            from[a] = to[a] = up * half;
            from[b] = turn[k][0] * half;
            from[c] = turn[k][1] * half;
            to[b] = turn[next][0] * half;
            to[c] = turn[next][1] * half;
            e->beside = beside[k];
        }
    }
}

/* Where the plane cuts an edge, the same whichever way the edge runs. */
static void crossing(const double in[3], double depth, const double out[3], double over,
                     double at[3])
{
    for (int k = 0; k < 3; k++)
        at[k] = (over * in[k] + depth * out[k]) / (over + depth);
}

/* A corner's height over a plane; what rounding leaves of 0 is 0, so that a plane that is cut by
 * twice does nothing the second time. */
static double over(const struct cf_cubelet_face *section, const double at[3], double rounding)
{
    double height = cf_vec_dot(section->n, at) - section->height;

    return fabs(height) > rounding ? height : 0;
}

/* Cuts a face; the edge that the plane gives it is the other way round one of the section. */
static void cut_face(struct cf_cubelet_face *face, size_t of, struct cf_cubelet_face *section,
                     size_t section_of, double rounding)
{
    double leave[3], enter[3];
    size_t n = 0;
    bool cut = false;

    for (size_t k = 0; k < face->nedge; k++) {
        struct cf_cubelet_edge *e = &face->edge[n];
        double from = over(section, face->edge[k].from, rounding),
               to = over(section, face->edge[k].to, rounding);
        if (from > 0 && to > 0)
            continue;
        if (n != k)
            *e = face->edge[k];
        n++;
        if (to > 0) {
            crossing(e->from, -from, e->to, to, leave);
            memcpy(e->to, leave, sizeof leave);
            cut = true;
        } else if (from > 0) {
            crossing(e->to, -to, e->from, from, enter);
            memcpy(e->from, enter, sizeof enter);
            cut = true;
        }
    }
    face->nedge = n;
    if (!cut)
        return;
    face->edge[face->nedge].beside = section_of;
    memcpy(face->edge[face->nedge].from, leave, sizeof leave);
    memcpy(face->edge[face->nedge++].to, enter, sizeof enter);
    section->edge[section->nedge].beside = of;
    memcpy(section->edge[section->nedge].from, enter, sizeof enter);
    memcpy(section->edge[section->nedge++].to, leave, sizeof leave);
}

void cf_cubelet_cut(struct cf_cubelet *cubelet, const double n[3], double height)
{
    struct cf_cubelet_face *section = &cubelet->face[cubelet->nface];

    memcpy(section->n, n, sizeof section->n);
    section->height = height;
    section->nedge = 0;
    for (size_t f = 0; f < cubelet->nface; f++)
        cut_face(&cubelet->face[f], f, section, cubelet->nface, 1e-14 * cubelet->face[0].height);
    cubelet->nface++;
}

void cf_cubelet_moments(const struct cf_cubelet *cubelet, double moment[CF_NMOMENT])
{
    memset(moment, 0, CF_NMOMENT * sizeof *moment);
    for (size_t f = 0; f < cubelet->nface; f++) {
        const struct cf_cubelet_edge *edge = cubelet->face[f].edge;
        for (size_t k = 1; k < cubelet->face[f].nedge; k++)
            if (memcmp(edge[0].from, edge[k].to, sizeof edge->to) != 0)
                cf_moment_add_cone(moment, edge[0].from, edge[k].from, edge[k].to);
    }
}

double cf_cubelet_volume(const struct cf_cubelet *cubelet)
{
    double sum = 0;

    for (size_t f = 0; f < cubelet->nface; f++) {
        const struct cf_cubelet_edge *edge = cubelet->face[f].edge;
        for (size_t k = 1; k < cubelet->face[f].nedge; k++) {
            double normal[3];
            cf_vec_cross(edge[k].from, edge[k].to, normal);
            sum += cf_vec_dot(edge[0].from, normal);
        }
    }
    return sum / 6;
}
