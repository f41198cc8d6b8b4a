#include "report/marginal.h"

#include <math.h>
#include <string.h>

#include "document/view.h"

bool cf_marginal_of(const json_t *fit, size_t i, struct cf_marginal *out)
{
    const json_t *posterior = json_object_get(fit, "posterior"), *draws;
    const char *name;

    if (!cf_view_true(posterior, "converged"))
        return false;
    json_object_foreach((json_t *) json_object_get(posterior, "draws"), name, draws)
    {
        const json_t *parameter = json_object_get(json_object_get(fit, "parameters"), name);
        double value = cf_view_number(parameter, "value");
        if (json_array_size(draws) < 2 || !isfinite(value) || i-- > 0)
            continue;
        bool ratio = strcmp(cf_view_text(parameter, "scale"), "log") == 0 && value > 0;
        *out = (struct cf_marginal){
            .parameter = parameter,
            .draws = draws,
            .name = name,
            .numbers = json_object_get(json_object_get(posterior, "parameters"), name),
            .ratio = ratio,
            .by = ratio ? 1 / value : 1};
        return true;
    }
    return false;
}

size_t cf_marginals_count(const json_t *fit)
{
    struct cf_marginal m;
    size_t n = 0;

    while (cf_marginal_of(fit, n, &m))
        n++;
    return n;
}

struct cf_stack cf_marginals_stack(const json_t *fit)
{
    size_t n = cf_marginals_count(fit);

    return (struct cf_stack){
        .height = 2.3, .count = n < CF_MARGINAL_PANELS ? n : CF_MARGINAL_PANELS, .above = 0.35};
}

double cf_marginal_draw(const struct cf_marginal *m, size_t i)
{
    return m->by * cf_view_item(m->draws, i);
}

void cf_marginal_label(const struct cf_marginal *m, struct cf_text *label)
{
    const char *unit = cf_view_text(m->parameter, "unit");

    if (!cf_text_parameter(label, m->name))
        cf_text_add(label, "parameter");
    if (m->ratio) {
        cf_text_add(label, " over its best fit");
    } else if (strcmp(unit, "1") != 0) {
        cf_text_add(label, " / (");
        cf_text_unit(label, unit);
        cf_text_add(label, ")");
    }
}
