/* Solids of scenes and studies: where they lie, and polytopes. */

#include "scene/solid.h"

#include <stdlib.h>

#include "file/yaml.h"
#include "scene/keys.h"
#include "scene/parts.h"

enum { MAX_LIST = 10000 };

static int no_memory(struct cf_error *err)
{
    return cf_fail(err, CF_ENOMEM, "no memory for a polytope");
}

int cf_scene_place(const struct cf_yaml *node, struct cf_placing *at, struct cf_error *err)
{
    const struct cf_yaml *center = cf_yaml_get(node, "center");
    const struct cf_yaml *attitude = cf_yaml_get(node, "attitude");
    double q[4] = {1, 0, 0, 0};
    int status = center ? cf_scene_vector(center, "m", 3, at->origin_m, err) : CF_OK;

    if (status == CF_OK && attitude)
        status = cf_scene_attitude(attitude, q, err);
    cf_attitude_matrix(q, at->turn);
    return status;
}

/* Faces as lists of vertices by their numbers from 1. */
static int read_faces(const struct cf_yaml *faces, struct cf_polytope *out, struct cf_error *err)
{
    size_t *count, *corner, n = 0;
    int status = cf_yaml_list(faces, err);

    for (size_t f = 0; f < faces->n && status == CF_OK; f++) {
        status = cf_yaml_list(&faces->item[f], err);
        n += faces->item[f].n;
    }
    if (status == CF_OK && n > MAX_LIST)
        status = cf_yaml_fail(faces, err, "faces: more than %d corners", (int) MAX_LIST);
    if (status)
        return status;
    out->ncorner = count = calloc(faces->n + 1, sizeof *count);
    out->corner = corner = calloc(n + 1, sizeof *corner);
    if (!count || !corner)
        return no_memory(err);
    for (size_t f = 0; f < faces->n; f++) {
        count[f] = faces->item[f].n;
        for (size_t i = 0; i < count[f]; i++) {
            unsigned long long vertex;
            status = cf_yaml_whole(&faces->item[f].item[i], 1, out->nvertex, &vertex, err);
            if (status)
                return status;
            *corner++ = (size_t) vertex - 1;
        }
        if (count[f] < 3)
            return cf_yaml_fail(&faces->item[f], err, "faces: %zu corners: 3 or more are wanted",
                                count[f]);
    }
    out->nface = faces->n;
    return CF_OK;
}

static int read_vertices(const struct cf_yaml *vertices, struct cf_polytope *out,
                         struct cf_error *err)
{
    double(*vertex)[3];
    int status = cf_yaml_list(vertices, err);

    if (status == CF_OK && vertices->n > MAX_LIST)
        status = cf_yaml_fail(vertices, err, "vertices: more than %d", (int) MAX_LIST);
    if (status)
        return status;
    vertex = calloc(vertices->n + 1, sizeof *vertex);
    out->vertex_m = (const double(*)[3]) vertex;
    if (!vertex)
        return no_memory(err);
    out->nvertex = vertices->n;
    for (size_t v = 0; v < vertices->n && status == CF_OK; v++)
        status = cf_scene_vector(&vertices->item[v], "m", 3, vertex[v], err);
    return status;
}

int cf_scene_polytope(const struct cf_yaml *node, struct cf_polytope **out, struct cf_placing *at,
                      struct cf_error *err)
{
    const struct cf_yaml *vertices, *faces;
    int status = cf_schema_check(node, &cf_scene_polytope_schema, err);

    *out = NULL;
    if (status == CF_OK)
        status = cf_yaml_need(node, "vertices", &vertices, err);
    if (status == CF_OK)
        status = cf_yaml_need(node, "faces", &faces, err);
    if (status)
        return status;
    *out = calloc(1, sizeof **out);
    if (!*out)
        return no_memory(err);
    status = read_vertices(vertices, *out, err);
    if (status == CF_OK)
        status = read_faces(faces, *out, err);
    return status ? status : cf_scene_place(node, at, err);
}
