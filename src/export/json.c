/* JSON: fits, their parameters, and e over the fitted speeds. */

#include <math.h>

#include "document/json_dump.h"
#include "document/json_value.h"
#include "export/rows.h"
#include "export/tables.h"

static json_t *parameters(const struct cf_mapping *m)
{
    json_t *table = json_object();

    for (size_t i = 0; i < m->nvalue; i++) {
        const struct cf_value *v = &m->value[i];
        json_t *row = json_pack("{s:o,s:s,s:s}", "value", cf_json_number(v->value), "unit", v->unit,
                                "what", v->what);
        if (i < m->law->nparam && !isnan(m->material->low[i])) {
            cf_json_put(&row, "low", cf_json_number(m->material->low[i]));
            cf_json_put(&row, "high", cf_json_number(m->material->high[i]));
            cf_json_put(&row, "level", cf_json_number(m->material->level));
        }
        cf_json_put(&table, v->name, row);
    }
    return table;
}

static json_t *body(const struct cf_export_body *b)
{
    return json_pack("{s:s,s:b,s:b,s:o,s:o}", "name", b->name, "plane", b->plane, "fixed", b->fixed,
                     "mass_kg", cf_json_number(b->mass_kg), "radius_m",
                     cf_json_number(b->radius_m));
}

static json_t *fit(const struct cf_mapping *m)
{
    const struct cf_material *material = m->material;
    return json_pack(
        "{s:s,s:s,s:s,s:s,s:b,s:[o,o],s:o,s:o,s:s,s:s,s:o,s:[o,o],s:{s:o,s:o}}", "fit",
        material->name, "file", material->file, "sha256", material->sha256, "verdict",
        material->verdict, "trusted", material->trusted, "bodies", body(&material->body[0]),
        body(&material->body[1]), "mass_kg", cf_json_number(material->mass_kg), "radius_m",
        cf_json_number(material->radius_m), "law", m->law->name, "formula", m->law->formula,
        "parameters", parameters(m), "speed_m_s", cf_json_number(material->speed_low_m_s),
        cf_json_number(material->speed_high_m_s), "restitution", "speed_m_s",
        cf_json_number(m->question.speed_m_s), "e", cf_json_number(m->prediction.e_fit));
}

static int write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    json_t *list = json_array(), *all;
    for (size_t i = 0; i < n; i++)
        cf_json_add(&list, fit(m[i]));
    all = json_pack("{s:s,s:o}", "contactfit", "material/1", "fits", list);
    int failed = !all || cf_json_dump(all, out, JSON_INDENT(2));
    json_decref(all);
    if (failed)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    fputc('\n', out);
    return CF_OK;
}

const struct cf_target cf_target_json = {
    CF_TABLE,
    .name = "json",
    .title = "JSON",
    .what = "fits and their parameters, for programs",
    .checked = "the tests read it with a parser",
    .write = write,
};
