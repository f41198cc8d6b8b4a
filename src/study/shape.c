/* `shape` of the apparatus of a data set: a body that is pressed in straight, as a table of its
 * volume over depth. */

#include <stdlib.h>

#include "geometry/vector.h"
#include "scene/parts.h"
#include "scene/primitives.h"
#include "scene/solid.h"
#include "study/keys.h"
#include "study/parts.h"
#include "volume/press.h"

/* The direction of the press in the frame of the body: down, unless it is stated. */
static int read_out(const struct cf_yaml *shape, double n[3], struct cf_error *err)
{
    const struct cf_yaml *press = cf_yaml_get(shape, "press");
    double down[3] = {0, 0, -1};
    int status = press ? cf_scene_direction(press, down, err) : CF_OK;

    cf_vec_scale(-1, down, n);
    return status;
}

static int blame(const struct cf_yaml *at, int status, const struct cf_error *why,
                 struct cf_error *err)
{
    return status == CF_ERANGE || status == CF_ESOLVE ? cf_yaml_fail(at, err, "%s", why->text)
           : status                                   ? cf_fail(err, status, "%s", why->text)
                                                      : CF_OK;
}

static int read_polytope(const struct cf_yaml *node, const double n[3], struct cf_press **out,
                         struct cf_error *err)
{
    struct cf_cell cell = {.piece = {.form = cf_form_find("polytope")}};
    struct cf_polytope *polytope;
    struct cf_error why = {""};
    int status = cf_scene_polytope(node, &polytope, &cell.at, err);

    cell.piece.polytope = polytope;
    if (!status)
        status = blame(node, cf_cell_make(&cell, &why), &why, err);
    if (!status)
        status = blame(node, cf_press_polytope(&cell.faces, n, out, &why), &why, err);
    cf_cell_free(&cell);
    return status;
}

/* How good V is to be, and how many volumes that may take. */
static int read_effort(const struct cf_yaml *shape, double *error, size_t *most,
                       struct cf_error *err)
{
    static const double usual = 1e-4; /* some tenth of it is reached: far below a sensor's noise */
    enum { USUAL_MOST = 2000 };
    const struct cf_yaml *good = cf_yaml_get(shape, "error"),
                         *volumes = cf_yaml_get(shape, "volumes");
    unsigned long long n = USUAL_MOST;
    int status = CF_OK;

    *error = usual;
    if (good)
        status = cf_yaml_positive(good, "1", error, err);
    if (!status && good && !(*error >= cf_press_least_error && *error <= cf_press_most_error))
        status = cf_yaml_fail(good, err, "error: %s: must be in [%g, %g]", good->text,
                              cf_press_least_error, cf_press_most_error);
    if (!status && volumes)
        status = cf_yaml_whole(volumes, 1, 1000000, &n, err);
    *most = (size_t) n;
    return status;
}

static int read_intersection(const struct cf_yaml *shape, const struct cf_yaml *list,
                             const double n[3], struct cf_press **out, struct cf_error *err)
{
    struct cf_implicit *part;
    struct cf_error why = {""};
    size_t npart, most;
    double error;
    int status = cf_scene_intersection(list, &part, &npart, err);

    if (!status)
        status = read_effort(shape, &error, &most, err);
    if (!status)
        status = blame(list, cf_press_implicit(part, npart, n, error, most, out, &why), &why, err);
    free(part);
    return status;
}

int cf_source_shape(const struct cf_yaml *shape, struct cf_dataset *d, struct cf_error *err)
{
    const struct cf_schema_key *const keys = cf_study_shape_schema.key;
    const struct cf_yaml *polytope = cf_yaml_get(shape, "polytope"),
                         *list = cf_yaml_get(shape, "intersection");
    double n[3];
    int status = cf_schema_check(shape, &cf_study_shape_schema, err);

    if (!status && !polytope == !list)
        status = cf_yaml_fail(shape, err, "shape: %s: one of polytope and intersection is needed",
                              polytope ? "both polytope and intersection" : "no body");
    for (int i = 3; i < 5 && !status && polytope; i++)
        if (cf_yaml_get(shape, keys[i].name))
            status = cf_yaml_fail_key(cf_yaml_get(shape, keys[i].name), err,
                                      "%s: of an intersection: the volume of a polytope is exact",
                                      keys[i].name);
    if (!status)
        status = read_out(shape, n, err);
    if (status)
        return status;
    return polytope ? read_polytope(polytope, n, &d->press, err)
                    : read_intersection(shape, list, n, &d->press, err);
}
