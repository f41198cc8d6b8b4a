/* Drake: what becomes of a law in point contact, in SAP, and in hydroelastic contact; the texts are
 * drake_urdf.c, drake_sdf.c and drake_yaml.c.
 *
 * Point contact: f = k x (1 + d xdot), never pulling; stiffnesses in series, dissipations weighted
 * by the other's stiffness, frictions 2 m1 m2/(m1 + m2): two bodies of 2 K, d, mu give the pair K,
 * d, mu. d is a of hunt-crossley, whose e(v) asks for no exponent: e is right at every speed, the
 * depth at one. SAP: f = K x + tau K xdot solved backward in time, tau the sum of both bodies'; a
 * body without one has 0.1 s, so both are set. Hydroelastic: pressure (E/H) depth (1 + d v) with H
 * the radius of a sphere: E = kv R. Discrete contact ignores mu_static, and the solver
 * says which of the two dampings is read: lagged, the usual one, the dissipation; sap the
 * relaxation time. Read in Drake of August 2026, revision be259df7:
 * multibody/plant/contact_properties.cc, discrete_update_manager.cc and
 * hydroelastic_traction_calculator.cc, multibody/parsing/detail_common.cc,
 * geometry/proximity/make_sphere_field.h.
 */

#define _XOPEN_SOURCE 700
#include <math.h>
#include <string.h>

#include "export/families.h"

static bool damped_by_force(const struct cf_law *law)
{
    return strcmp(law->name, "hunt-crossley") == 0;
}

enum cf_exactness cf_drake_point_exactness(const struct cf_law *law, const char **why)
{
    if (damped_by_force(law)) {
        *why = "f = k x (1 + d xdot) has the e of hunt-crossley at every speed; its depth and "
               "duration are right at the design speed only";
        return CF_EXACTNESS_E;
    }
    *why = "its damping is as the elastic force";
    return CF_EXACTNESS_NONE;
}

enum cf_exactness cf_drake_hydroelastic_exactness(const struct cf_law *law, const char **why)
{
    if (damped_by_force(law)) {
        *why = "pressure times 1 + d v has the e of hunt-crossley at every speed; depth and "
               "duration are those of kv";
        return CF_EXACTNESS_E;
    }
    *why = "its damping is as the elastic pressure";
    return CF_EXACTNESS_NONE;
}

const struct cf_join cf_drake_joins[] = {
    {"point_contact_stiffness", CF_JOINED_SERIES, .neutral = (double) NAN},
    {"hunt_crossley_dissipation", CF_JOINED_WEIGHTED, .neutral = (double) NAN,
     .by = "point_contact_stiffness"},
    {"relaxation_time", CF_JOINED_SUM, .neutral = (double) NAN},
    {"mu_static", CF_JOINED_HARMONIC, .neutral = (double) NAN},
    {"mu_dynamic", CF_JOINED_HARMONIC, .neutral = (double) NAN, .above = "mu_static"},
    {0}};

void cf_drake_fill_friction(struct cf_mapping *m)
{
    const struct cf_tangential *t = &m->material->tangential;
    double dynamic = isnan(t->mu_C) ? t->mu_S : t->mu_C;

    if (isnan(dynamic))
        return;
    cf_mapping_add(m, "mu_static", "1", isnan(t->mu_S) ? dynamic : t->mu_S, CF_OF_BOTH,
                   "mu_S; discrete contact reads mu_dynamic only");
    cf_mapping_add(m, "mu_dynamic", "1", dynamic, CF_OF_BOTH, "mu_C");
}

/* Damping as the force leaves any spring the same share of the energy: equal depths need
 * K x^2/2 = (2/5) k x^2.5 at the depth of the design speed. */
int cf_drake_point_fill(struct cf_mapping *m, struct cf_error *err)
{
    double K =
        cf_hertz_linear_stiffness(cf_mapping_parameter(m, "k"), m->depth_m, m->question.keep);

    (void) err;
    cf_mapping_add(m, "point_contact_stiffness", "N/m", 2 * K, CF_OF_BOTH, "2 K: in series K");
    cf_mapping_add(m, "hunt_crossley_dissipation", "s/m", cf_mapping_parameter(m, "a"), CF_OF_BOTH,
                   "a");
    cf_drake_fill_friction(m);
    return CF_OK;
}

int cf_drake_sap_run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    return cf_run_linear(m, CF_SCHEME_BACKWARD, curves, err);
}

int cf_drake_sap_fill(struct cf_mapping *m, struct cf_error *err)
{
    double K = cf_mapping_parameter(m, "k"), C = cf_mapping_parameter(m, "lambda");

    (void) err;
    cf_mapping_add(m, "point_contact_stiffness", "N/m", 2 * K, CF_OF_BOTH, "2 K: in series K");
    cf_mapping_add(m, "relaxation_time", "s", C / K / 2, CF_OF_BOTH, "C/(2 K): in sum C/K");
    cf_drake_fill_friction(m);
    return CF_OK;
}

int cf_drake_hydroelastic_run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    (void) curves;
    return cf_run_foundation(m, "drake-hydroelastic", err);
}

int cf_drake_hydroelastic_fill(struct cf_mapping *m, struct cf_error *err)
{
    double radius = m->material->radius_m;

    (void) err;
    cf_mapping_add(m, "hydroelastic_modulus", "Pa", m->material->tangential.kv * radius,
                   CF_OF_BODY_1, "kv R of a sphere, exact to z/(3 R); the other body is rigid");
    cf_mapping_add(m, "hunt_crossley_dissipation", "s/m", cf_mapping_parameter(m, "a"),
                   CF_OF_BODY_1, "a");
    cf_mapping_add(m, "mesh_resolution_hint", "m", radius / 4, CF_OF_BODY_1,
                   "a quarter of the radius");
    cf_drake_fill_friction(m);
    return CF_OK;
}

void cf_drake_properties(const struct cf_mapping *m, int which, int indent, bool attributes,
                         FILE *out)
{
    fprintf(out, "%*s<drake:proximity_properties>\n", indent, "");
    if (!isnan(cf_mapping_value(m, "hydroelastic_modulus")))
        fprintf(out, "%*s<drake:%s_hydroelastic/>\n", indent + 2, "",
                which ? "rigid" : "compliant");
    for (size_t j = 0; j < m->nvalue; j++) {
        const struct cf_value *v = &m->value[j];
        if (!cf_value_of(v, which))
            continue;
        fprintf(out, "%*s<drake:%s", indent + 2, "", v->name);
        if (attributes)
            fprintf(out, " value=\"%.10g\"/>\n", v->value);
        else
            fprintf(out, ">%.10g</drake:%s>\n", v->value, v->name);
    }
    fprintf(out, "%*s</drake:proximity_properties>\n", indent, "");
}

void cf_drake_solver(const struct cf_mapping *m, FILE *out)
{
    if (cf_material_is_friction(m->material))
        return;
    cf_export_comment(m, out, "discrete_contact_approximation of the plant: %s",
                      isnan(cf_mapping_value(m, "relaxation_time"))
                          ? "lagged, similar or tamsi; sap reads no dissipation"
                          : "sap; the others read no relaxation_time");
}
