#include "document/press_json.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "document/json_value.h"
#include "document/view.h"

/* The columns of a table, a number of each piece. */
static const struct {
    const char *key;
    size_t at;
} column[] = {
    {"to_m", offsetof(struct cf_press_piece, to_m)},
    {"volume_m3", offsetof(struct cf_press_piece, to_m3)},
    {"area_from_m2", offsetof(struct cf_press_piece, from_m2)},
    {"area_to_m2", offsetof(struct cf_press_piece, to_m2)},
};
enum { NCOLUMN = sizeof column / sizeof *column };

static double *cell(struct cf_press_piece *piece, size_t k)
{
    return (double *) ((char *) piece + column[k].at);
}

json_t *cf_press_json(const struct cf_press *press)
{
    json_t *j = json_object();

    cf_json_put(&j, "shape", json_string(press->what));
    cf_json_put(&j, "error", cf_json_number(press->error));
    for (size_t k = 0; k < NCOLUMN; k++) {
        json_t *list = json_array();
        for (size_t i = 0; i < press->npiece; i++)
            cf_json_add(&list, cf_json_number(*cell(&press->piece[i], k)));
        cf_json_put(&j, column[k].key, list);
    }
    return j;
}

int cf_press_of_json(const json_t *from, struct cf_press **out, struct cf_error *err)
{
    size_t n = json_array_size(json_object_get(from, column[0].key));
    struct cf_press_piece *piece = calloc(n + 1, sizeof *piece);
    int status = piece ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a table of volumes");

    *out = NULL;
    for (size_t i = 0; i < n && !status; i++) {
        for (size_t k = 0; k < NCOLUMN; k++) {
            const json_t *x = json_array_get(json_object_get(from, column[k].key), i);
            *cell(&piece[i], k) = json_is_number(x) ? json_number_value(x) : (double) NAN;
        }
        if (i > 0) {
            piece[i].from_m = piece[i - 1].to_m;
            piece[i].from_m3 = piece[i - 1].to_m3;
        }
    }
    if (!status)
        status = cf_press_make(n, piece, out, err);
    if (!status) {
        snprintf((*out)->what, sizeof(*out)->what, "%s", cf_view_text(from, "shape"));
        (*out)->error = cf_view_number(from, "error");
    }
    free(piece);
    return status;
}
