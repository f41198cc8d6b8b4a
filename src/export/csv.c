/* CSV, one row a parameter, for papers and spreadsheets; what all plain tables share. */

#include <math.h>
#include <string.h>

#include "core/decimal.h"
#include "core/output.h"
#include "export/rows.h"
#include "export/tables.h"

enum cf_exactness cf_exactness_table(const struct cf_law *law, const char **why)
{
    (void) law;
    *why = "the parameters of the law as they were fitted";
    return CF_EXACTNESS_LAW;
}

static void add(struct cf_mapping *m, const char *name, const char *unit, double value,
                const char *what)
{
    if (!isnan(value))
        cf_mapping_add(m, name, unit, value, CF_OF_PAIR, what);
}

int cf_fill_table(struct cf_mapping *m, struct cf_error *err)
{
    const struct cf_tangential *t = &m->material->tangential;

    (void) err;
    for (size_t i = 0; i < m->law->nparam; i++)
        cf_mapping_add(m, m->law->param[i].name, m->law->param[i].unit, m->p[i], CF_OF_PAIR,
                       m->law->param[i].what);
    add(m, "mu_S", "1", t->mu_S, "static friction");
    add(m, "mu_C", "1", t->mu_C, "kinetic friction");
    add(m, "v_S", "m/s", t->v_S, "Stribeck speed");
    add(m, "sigma_2", "s/m", t->sigma_2, "viscous friction");
    add(m, "v_t", "m/s", t->v_t, "slip speed of the peak of friction");
    add(m, "kv", "N/m^3", t->kv, "Winkler stiffness");
    add(m, "kappa", "1", t->kappa, "stiffness along the surface over that along the normal");
    if (!isnan(t->d_t))
        add(m, "d_t", m->law->param[cf_param_find(m->law->param, m->law->nparam, "lambda")].unit,
            t->d_t, "damping along the surface");
    return CF_OK;
}

/* Quoted, and with a quote mark before what a spreadsheet would compute. */
void cf_table_text(const char *value, FILE *out)
{
    fputc('"', out);
    if (value[0] && (value[0] == '=' || value[0] == '+' || value[0] == '-' || value[0] == '@'))
        fputc('\'', out);
    for (; *value; value++) {
        if (*value == '"')
            fputc('"', out);
        fputc(*value, out);
    }
    fputc('"', out);
}

void cf_table_number(double value, FILE *out)
{
    fputc(',', out);
    if (isfinite(value))
        cf_decimal_put(value, out);
}

void cf_table_origin(const struct cf_material *material, FILE *out)
{
    fprintf(out, ",%s,%s,%s," CF_OUTPUT_MARK "\n", material->verdict,
            material->trusted ? "yes" : "no", material->sha256);
}

double cf_table_modulus(const struct cf_mapping *m)
{
    const struct cf_law *law = m->law;
    size_t k = cf_param_find(law->param, law->nparam, "k");
    bool hertz = k < law->nparam && strcmp(law->param[k].unit, "N/m^1.5") == 0;

    return hertz && isfinite(m->material->radius_m)
               ? 3 * m->p[k] / (4 * sqrt(m->material->radius_m))
               : (double) NAN;
}

/* m* and R* of the pair, and of the fit, of which they may be others. */
static void sizes(const struct cf_material *material, FILE *out)
{
    double mass = material->fitted_mass_kg, radius = material->fitted_radius_m;

    cf_table_number(material->mass_kg, out);
    cf_table_number(isnan(mass) ? material->mass_kg : mass, out);
    cf_table_number(material->radius_m, out);
    cf_table_number(isnan(radius) ? material->radius_m : radius, out);
}

/* What a program is given that has a coefficient of restitution or moduli of elasticity. */
static void one_speed(const struct cf_mapping *m, FILE *out)
{
    const struct cf_outlook *p = &m->prediction;
    bool slide = cf_material_is_friction(m->material);

    cf_table_number(m->question.speed_m_s, out);
    cf_table_number(slide ? (double) NAN : p->e_fit, out);
    cf_table_number(slide ? (double) NAN : p->e_low, out);
    cf_table_number(slide ? (double) NAN : p->e_high, out);
    cf_table_number(cf_table_modulus(m), out);
}

static void row(const struct cf_mapping *m, size_t i, FILE *out)
{
    const struct cf_material *material = m->material;
    bool of_law = i < m->law->nparam;

    cf_table_text(material->name, out);
    fputc(',', out);
    cf_table_text(material->body[0].name, out);
    fputc(',', out);
    cf_table_text(material->body[1].name, out);
    fprintf(out, ",%s,%s", m->law->name, m->value[i].name);
    cf_table_number(m->value[i].value, out);
    fprintf(out, ",%s", m->value[i].unit);
    cf_table_number(of_law ? material->low[i] : (double) NAN, out);
    cf_table_number(of_law ? material->high[i] : (double) NAN, out);
    cf_table_number(of_law ? material->level : (double) NAN, out);
    sizes(material, out);
    cf_table_number(material->speed_low_m_s, out);
    cf_table_number(material->speed_high_m_s, out);
    one_speed(m, out);
    cf_table_origin(material, out);
}

static int write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    (void) err;
    fprintf(out, "fit,body_1,body_2,law,parameter,value,unit,interval_low,interval_high,level,"
                 "mass_kg,fitted_mass_kg,radius_m,fitted_radius_m,speed_low_m_s,speed_high_m_s,"
                 "speed_m_s,e,e_low,e_high,modulus_Pa,verdict,trusted,fit_sha256,remark\n");
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m[i]->nvalue; j++)
            row(m[i], j, out);
    return CF_OK;
}

const struct cf_target cf_target_csv = {
    CF_TABLE,
    .name = "csv",
    .title = "CSV",
    .what = "a table, one row a parameter, with intervals and where they come from",
    .checked = "the tests read it",
    .write = write,
};
