/* The table of forms, and finding one by name. */

#include <stdio.h>
#include <string.h>

#include "core/nearest.h"
#include "volume/rows.h"

const struct cf_form *const cf_forms[] = {
    &cf_form_sphere, &cf_form_box, &cf_form_cylinder, &cf_form_cone, &cf_form_polytope, NULL,
};

enum { NFORM = sizeof cf_forms / sizeof cf_forms[0] - 1 };

const struct cf_form *cf_form_find(const char *name)
{
    const struct cf_form *const *form = cf_forms;

    while (*form && strcmp((*form)->name, name) != 0)
        form++;
    return *form;
}

int cf_form_get(const char *name, const struct cf_form **form, struct cf_error *err)
{
    const char *names[NFORM];
    const char *nearest;
    char known[256] = "";
    size_t used = 0;

    *form = cf_form_find(name);
    if (*form)
        return CF_OK;
    for (size_t i = 0; i < NFORM; i++)
        names[i] = cf_forms[i]->name;
    nearest = cf_nearest(name, names, NFORM);
    if (nearest)
        return cf_fail(err, CF_EINPUT, "unknown form %s: did you mean %s?", name, nearest);
    for (size_t i = 0; i < NFORM && used < sizeof known; i++)
        used +=
            (size_t) snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", names[i]);
    return cf_fail(err, CF_EINPUT, "unknown form %s: must be one of %s", name, known);
}

int cf_piece_check(const struct cf_piece *piece, struct cf_error *err)
{
    int status = cf_param_check(piece->form->size, piece->form->nsize, piece->size_m, err);

    if (!status && piece->form == &cf_form_polytope)
        status = piece->polytope ? cf_polytope_check(piece->polytope, err)
                                 : cf_fail(err, CF_ERANGE, "polytope: has no vertices");
    return status;
}
