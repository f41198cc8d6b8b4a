/* Chrono's contact materials in the JSON that Chrono::Vehicle reads under "Contact Material": the
 * numbers of chrono.c, for PlainCoulomb with material properties off. All its fields must stand
 * there: a friction that is not known is 0, and a restitution is not read by this model. Read in
 * Chrono, revision 01510f1b, src/chrono_vehicle/utils/ChUtilsJSON.cpp. */

#include <jansson.h>
#include <math.h>

#include "export/families.h"
#include "export/rows.h"

static json_t *material(const struct cf_mapping *m)
{
    double mu = cf_mapping_value(m, "friction");

    return json_pack("{s:f,s:f,s:{s:f,s:f,s:f,s:f}}", "Coefficient of Friction",
                     isnan(mu) ? 0.0 : mu, "Coefficient of Restitution", 0.0, "Coefficients",
                     "Normal Stiffness", cf_mapping_value(m, "kn"), "Normal Damping",
                     cf_mapping_value(m, "gn"), "Tangential Stiffness", 0.0, "Tangential Damping",
                     0.0);
}

/* What the comment at the head says elsewhere. */
static json_t *origin(const struct cf_mapping *m)
{
    const struct cf_material *from = m->material;
    char left[CF_WHY];

    cf_export_left(m, left, sizeof left);
    return json_pack("{s:s,s:[s,s],s:s,s:s,s:b,s:s,s:s}", "fit", from->name, "bodies",
                     from->body[0].name, from->body[1].name, "exactness", cf_mapping_exactness(m),
                     "verdict", from->verdict, "trusted", from->trusted, "sha256", from->sha256,
                     "not carried", left);
}

static int write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    json_t *all = json_array();
    int status = CF_OK;

    for (size_t i = 0; i < n && !status; i++)
        if (json_array_append_new(all, json_pack("{s:o?,s:o?}", "Contact Material", material(m[i]),
                                                 "contactfit", origin(m[i]))))
            status = cf_fail(err, CF_ENOMEM, "out of memory");
    json_t *root = json_pack("{s:s,s:b,s:O?}", "Contact Force Model", "PlainCoulomb",
                             "Use Material Properties", 0, "Materials", all);
    if (!status && (!root || json_dumpf(root, out, JSON_INDENT(2))))
        status = cf_fail(err, CF_ENOMEM, "out of memory");
    fputc('\n', out);
    json_decref(root);
    json_decref(all);
    return status;
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
