/* Values of a mapping by body. */

#include <math.h>
#include <string.h>

#include "export/target.h"

static bool is_of(const struct cf_value *v, const char *name, int which)
{
    return cf_value_of(v, which) && strcmp(v->name, name) == 0;
}

double cf_mapping_of(const struct cf_mapping *m, const char *name, int which)
{
    for (size_t i = 0; i < m->nvalue; i++)
        if (is_of(&m->value[i], name, which))
            return m->value[i].value;
    return (double) NAN;
}

const char *cf_mapping_unit(const struct cf_mapping *m, const char *name)
{
    for (size_t i = 0; i < m->nvalue; i++)
        if (strcmp(m->value[i].name, name) == 0)
            return m->value[i].unit;
    return "1";
}

void cf_mapping_set(struct cf_mapping *m, const char *name, int which, double value)
{
    for (size_t i = 0; i < m->nvalue; i++) {
        struct cf_value was = m->value[i];
        if (!is_of(&was, name, which) || was.value == value)
            continue;
        m->value[i].value = value;
        m->value[i].what = "by the fits of the pairs that share a body";
        if (was.whose != CF_OF_BOTH)
            continue;
        m->value[i].whose = which ? CF_OF_BODY_2 : CF_OF_BODY_1;
        cf_mapping_add(m, was.name, was.unit, was.value, which ? CF_OF_BODY_1 : CF_OF_BODY_2,
                       was.what);
        return;
    }
}

double cf_export_share(const struct cf_mapping *m)
{
    return m->question.points > 1 ? 1.0 / m->question.points : 1;
}

bool cf_mapping_alike(const struct cf_mapping *m)
{
    for (size_t i = 0; i < m->nvalue; i++)
        if (m->value[i].whose == CF_OF_BODY_1 || m->value[i].whose == CF_OF_BODY_2)
            return false;
    return true;
}

/* That of most metals and glasses. */
static const double usual_poisson = 0.3, most_poisson = 0.5;

double cf_export_poisson(struct cf_mapping *m, double least)
{
    double kappa = m->material->tangential.kappa;
    double nu = (2 - 2 * kappa) / (2 - kappa);

    if (isnan(kappa))
        return usual_poisson;
    if (kappa < 2 && nu > least && nu <= most_poisson)
        return nu;
    m->beyond |= CF_TAKES_KAPPA;
    return usual_poisson;
}
