/* Simbody's ContactMaterial as a table, one row a pair, for programs that make their materials from
 * data: the numbers of simbody.c, those of both surfaces. */

#include "export/families.h"
#include "export/rows.h"
#include "export/tables.h"

static void row(const struct cf_mapping *m, FILE *out)
{
    static const char *const value[] = {"stiffness",       "dissipation",     "staticFriction",
                                        "dynamicFriction", "viscousFriction", "transitionVelocity"};
    const struct cf_material *material = m->material;

    cf_table_text(material->name, out);
    fputc(',', out);
    cf_table_text(material->body[0].name, out);
    fputc(',', out);
    cf_table_text(material->body[1].name, out);
    for (size_t i = 0; i < sizeof value / sizeof value[0]; i++)
        cf_table_number(cf_mapping_value(m, value[i]), out);
    cf_table_number(material->mass_kg, out);
    cf_table_number(material->radius_m, out);
    cf_table_number(material->speed_low_m_s, out);
    cf_table_number(material->speed_high_m_s, out);
    fputc(',', out);
    cf_table_text(cf_mapping_exactness(m), out);
    cf_table_number(m->approximated ? m->approximation_error : m->prediction.range_error, out);
    cf_table_origin(material, out);
}

static int write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    (void) err;
    fprintf(out,
            "fit,body_1,body_2,stiffness_Pa,dissipation_s_m,static_friction,"
            "dynamic_friction,viscous_friction_s_m,transition_velocity_m_s,mass_kg,radius_m,"
            "speed_low_m_s,speed_high_m_s,exactness,e_error,verdict,trusted,fit_sha256,remark\n");
    for (size_t i = 0; i < n; i++)
        row(m[i], out);
    return CF_OK;
}

const struct cf_target cf_target_simbody_csv = {
    CF_SIMBODY,
    .name = "simbody-csv",
    .title = "Simbody (CSV)",
    .what = "a table: the ContactMaterial of both surfaces, one row a pair",
    .checked = "the tests read it; the same numbers run as simbody",
    .comment = {NULL, NULL},
    .write = write,
};
