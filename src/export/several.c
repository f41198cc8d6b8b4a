/* Several fits in one text: what cannot stand together, and what nobody fitted. */

#include <math.h>
#include <string.h>

#include "export/join.h"

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

/* Does body i, of a fit i/2, stand in an earlier place as well, or nowhere? */
static bool is_again(const struct cf_mapping m[], size_t i)
{
    const struct cf_export_body *body = &m[i / 2].material->body[i % 2];
    bool again = cf_material_is_friction(m[i / 2].material);

    for (size_t j = 0; j < i; j++)
        again = again || cf_export_same_body(body, &m[j / 2].material->body[j % 2]);
    return again;
}

/* The first value that two mappings of pairs want different; NULL: none. */
static const char *parted(const struct cf_mapping *a, const struct cf_mapping *b)
{
    for (size_t i = 0; i < a->nvalue; i++)
        if (a->value[i].value != cf_mapping_value(b, a->value[i].name))
            return a->value[i].name;
    return a->nvalue < b->nvalue ? b->value[b->nvalue - 1].name : NULL;
}

static int check_one_pair(const struct cf_mapping *a, const struct cf_mapping *b,
                          struct cf_error *err)
{
    const char *name = parted(a, b);
    char others[256];

    if (!name)
        return CF_OK;
    cf_export_by_pair(others, sizeof others);
    return cf_fail(err, CF_EINPUT,
                   "%s has one contact for all particles, and %s would be one for %s and another "
                   "for %s: export them apart, for scenes of their own, or to what holds values by "
                   "pair: %s",
                   a->target->name, name, a->material->name, b->material->name, others);
}

/* Values that no rule joins must be the same wherever a body is. */
static int check(const struct cf_mapping *a, const struct cf_mapping *b, int which,
                 struct cf_error *err)
{
    const struct cf_export_body *body = &a->material->body[which / 2];
    const char *name = conflict(a, which / 2, b, which % 2);
    char others[256];

    if (!name || cf_material_is_friction(b->material) ||
        !cf_export_same_body(body, &b->material->body[which % 2]))
        return CF_OK;
    cf_export_by_pair(others, sizeof others);
    return cf_fail(err, CF_EINPUT,
                   "%s sets %s by body, and %s would need one for %s and another for %s: export "
                   "them apart, for scenes of their own, or to what holds values by pair: %s",
                   a->target->name, name, body->name, a->material->name, b->material->name, others);
}

int cf_export_together(struct cf_mapping m[], size_t n, struct cf_error *err)
{
    int status = n > 1 && m[0].target->joins ? cf_join_bodies(m, n, err) : CF_OK;

    for (size_t i = 1; i < n && m[0].target->one_pair && !status; i++)
        status = check_one_pair(&m[0], &m[i], err);
    for (size_t i = 1; i < n; i++)
        for (size_t j = 0; j < i; j++)
            for (int which = 0; which < 4 && !status; which++)
                status = check(&m[j], &m[i], which, err);
    for (size_t i = 0; i < n && !status; i++)
        if (m[i].failed)
            status = cf_fail(err, CF_ENOMEM, "no memory for the values of %s", m[i].target->name);
    return status;
}

void cf_export_unfitted(const struct cf_mapping m[], size_t n, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < 2 * n && m[0].target->joins && !m[0].target->every_pair; i++)
        for (size_t j = 0; j < i && used < size; j++) {
            const struct cf_export_body *a = &m[j / 2].material->body[j % 2];
            const struct cf_export_body *b = &m[i / 2].material->body[i % 2];
            bool known = (a->fixed && b->fixed) || cf_export_same_body(a, b) || is_again(m, i) ||
                         is_again(m, j);
            for (size_t k = 0; k < n; k++)
                known = known || cf_export_is_pair(m[k].material, a, b);
            if (!known)
                used += (size_t) snprintf(text + used, size - used, "%s%s with %s",
                                          used ? ", " : "", a->name, b->name);
        }
}
