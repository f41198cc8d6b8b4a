/* Several fits in one text: what cannot stand together. */

#include <math.h>
#include <string.h>

#include "export/target.h"

/* What one mapping says of its body `which`: value j, if it is that body's. */
static const struct cf_value *of_body(const struct cf_mapping *m, size_t j, int which)
{
    const struct cf_value *v = &m->value[j];
    bool is = v->whose == CF_OF_BOTH || v->whose == (which ? CF_OF_BODY_2 : CF_OF_BODY_1);
    return is ? v : NULL;
}

/* The first value that two mappings want different on a body that both have; NULL: none. */
static const char *conflict(const struct cf_mapping *a, int x, const struct cf_mapping *b, int y)
{
    for (size_t i = 0; i < a->nvalue; i++) {
        const struct cf_value *v = of_body(a, i, x);
        for (size_t j = 0; v && j < b->nvalue; j++) {
            const struct cf_value *w = of_body(b, j, y);
            if (w && strcmp(v->name, w->name) == 0 && v->value != w->value)
                return v->name;
        }
    }
    return NULL;
}

int cf_export_together(const struct cf_mapping *const m[], size_t n, struct cf_error *err)
{
    for (size_t i = 1; i < n; i++)
        for (size_t j = 0; j < i; j++)
            for (int which = 0; which < 4; which++) {
                const struct cf_mapping *a = m[j], *b = m[i];
                const struct cf_export_body *body = &a->material->body[which / 2];
                const char *name = conflict(a, which / 2, b, which % 2);
                if (name && !cf_material_is_friction(b->material) &&
                    cf_export_same_body(body, &b->material->body[which % 2]))
                    return cf_fail(err, CF_EINPUT,
                                   "%s sets %s by body, and %s would need one for %s and another "
                                   "for %s: export them apart, for scenes of their own",
                                   a->target->name, name, body->name, a->material->name,
                                   b->material->name);
            }
    return CF_OK;
}
