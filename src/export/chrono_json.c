/* Chrono's contact materials in the JSON that Chrono::Vehicle reads under "Contact Material": the
 * numbers of chrono.c, for PlainCoulomb with material properties off. All its fields must stand
 * there: a friction that is not known is 0, and a restitution is not read by this model. Read in
 * Chrono, revision 01510f1b, src/chrono_vehicle/utils/ChUtilsJSON.cpp. */

#include <math.h>

#include "document/json_dump.h"
#include "document/json_value.h"
#include "export/families.h"
#include "export/rows.h"

static json_t *material(const struct cf_mapping *m, int which)
{
    double mu = cf_mapping_of(m, "friction", which);

    return json_pack("{s:f,s:f,s:{s:f,s:f,s:f,s:f}}", "Coefficient of Friction",
                     isnan(mu) ? 0.0 : mu, "Coefficient of Restitution", 0.0, "Coefficients",
                     "Normal Stiffness", cf_mapping_of(m, "kn", which), "Normal Damping",
                     cf_mapping_of(m, "gn", which), "Tangential Stiffness", 0.0,
                     "Tangential Damping", 0.0);
}

/* What the comment at the head says elsewhere. */
static json_t *origin(const struct cf_mapping *m, int which)
{
    const struct cf_material *from = m->material;
    char left[CF_WHY];

    cf_export_left(m, left, sizeof left);
    return json_pack("{s:s,s:s*,s:[s,s],s:s,s:s,s:b,s:s,s:s}", "fit", from->name, "body",
                     cf_mapping_alike(m) ? NULL : from->body[which].name, "bodies",
                     from->body[0].name, from->body[1].name, "exactness", cf_mapping_exactness(m),
                     "verdict", from->verdict, "trusted", from->trusted, "sha256", from->sha256,
                     "not carried", left);
}

static int write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    json_t *all = json_array();

    for (size_t i = 0; i < n; i++)
        for (int which = 0; which < (cf_mapping_alike(m[i]) ? 1 : 2); which++)
            cf_json_add(&all, json_pack("{s:o,s:o}", "Contact Material", material(m[i], which),
                                        "contactfit", origin(m[i], which)));
    json_t *root =
        json_pack("{s:s,s:s,s:b,s:o}", "contactfit", "chrono-json/1", "Contact Force Model",
                  "PlainCoulomb", "Use Material Properties", 0, "Materials", all);
    int failed = !root || cf_json_dump(root, out, JSON_INDENT(2));
    json_decref(root);
    if (failed)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    fputc('\n', out);
    return CF_OK;
}

const struct cf_target cf_target_chrono_json = {
    CF_CHRONO,
    .name = "chrono-json",
    .title = "Chrono (JSON)",
    .what = "JSON: contact materials of both bodies as Chrono::Vehicle reads them",
    .source = "Chrono, revision 01510f1b: src/chrono_vehicle/utils/ChUtilsJSON.cpp",
    .checked = "the tests read it; the same numbers ran as chrono",
    .comment = {NULL, NULL},
    .write = write,
};
