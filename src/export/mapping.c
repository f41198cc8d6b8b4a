/* A mapping itself: its values by name, and how exact it is in words. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "export/target.h"

static const char *const exactness_text[] = {
    [CF_EXACTNESS_LAW] = "exact",
    [CF_EXACTNESS_LAW_RADIUS] = "exact at this radius only",
    [CF_EXACTNESS_LAW_HERE] = "exact at this mass and radius only",
    [CF_EXACTNESS_E] = "exact in e, in depth at the design speed only",
    [CF_EXACTNESS_SOFT] = "exact in e, softened for the step",
    [CF_EXACTNESS_E_ALONE] = "exact in e, without depth and duration",
    [CF_EXACTNESS_CONSTANT_E] = "constant e of the design speed",
    [CF_EXACTNESS_NEAREST] = "the nearest friction that it has",
    [CF_EXACTNESS_NONE] = "impossible",
};

const char *const cf_laws_damped_by_force[] = {"hunt-crossley", NULL};
const char *const cf_laws_damped_by_patch[] = {"azad-featherstone", NULL};

const char *cf_exactness_word(enum cf_exactness exactness)
{
    static const char *const word[] = {[CF_EXACTNESS_LAW] = "exact",
                                       [CF_EXACTNESS_LAW_RADIUS] = "this R*",
                                       [CF_EXACTNESS_LAW_HERE] = "here",
                                       [CF_EXACTNESS_E] = "in e",
                                       [CF_EXACTNESS_SOFT] = "softened",
                                       [CF_EXACTNESS_E_ALONE] = "e alone",
                                       [CF_EXACTNESS_CONSTANT_E] = "constant e",
                                       [CF_EXACTNESS_NEAREST] = "nearest",
                                       [CF_EXACTNESS_NONE] = "not"};
    return word[exactness];
}

const char *cf_mapping_exactness(const struct cf_mapping *m)
{
    bool constant = m->exactness == CF_EXACTNESS_LAW || m->exactness == CF_EXACTNESS_E_ALONE;
    double slowest = m->material->speed_low_m_s;

    if (!(slowest > 0))
        slowest = m->question.speed_m_s;
    return m->approximated ? "another law in its place"
           : constant && m->twin.still_m_s >= slowest
               ? "exact in e above the speed from which it bounces only"
               : exactness_text[m->exactness];
}

void cf_mapping_add(struct cf_mapping *m, const char *name, const char *unit, double value,
                    enum cf_whose whose, const char *what)
{
    struct cf_value *longer = cf_list_grow(m->value, m->nvalue, sizeof *m->value);

    m->failed = m->failed || !longer;
    if (!longer)
        return;
    m->value = longer;
    struct cf_value *v = &m->value[m->nvalue++];
    snprintf(v->name, sizeof v->name, "%s", name);
    v->unit = unit;
    v->value = value;
    v->whose = whose;
    v->what = what;
}

void cf_mapping_clear(struct cf_mapping *m)
{
    free(m->value);
    m->value = NULL;
    m->nvalue = 0;
}

double cf_mapping_value(const struct cf_mapping *m, const char *name)
{
    for (size_t i = 0; i < m->nvalue; i++)
        if (strcmp(m->value[i].name, name) == 0)
            return m->value[i].value;
    return (double) NAN;
}

double cf_mapping_parameter(const struct cf_mapping *m, const char *name)
{
    const struct cf_law *law = m->twin.law;
    size_t i = law ? cf_param_find(law->param, law->nparam, name) : 0;
    return law && i < law->nparam ? m->twin.p[i] : (double) NAN;
}
