/* `shape` of the apparatus of a data set: a body that is pressed in straight, as a table of its
 * volume over depth. */

#include <math.h>

#include "geometry/vector.h"
#include "scene/parts.h"
#include "scene/solid.h"
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

int cf_source_shape(const struct cf_yaml *shape, struct cf_dataset *d, struct cf_error *err)
{
    static const char *const keys[] = {"polytope", "press"};
    const struct cf_yaml *polytope;
    double n[3];
    int status = cf_yaml_keys(shape, keys, sizeof keys / sizeof *keys, err);

    if (!status)
        status = cf_yaml_need(shape, "polytope", &polytope, err);
    if (!status)
        status = read_out(shape, n, err);
    return status ? status : read_polytope(polytope, n, &d->press, err);
}
