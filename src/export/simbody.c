/* Simbody: the Hunt-Crossley contact of CompliantContactSubsystem.
 *
 * F = (4/3) E sqrt(R) x^1.5 (1 + 1.5 c xdot), so c = 2 a/3 (hc_slope). The plane-strain moduli of
 * two surfaces are joined by E^(2/3) in series: two equal ones of 2^1.5 E* give E*, not 2 E*. Equal
 * dissipations and frictions stay what they are. HuntCrossleyForce has the same law but drops a
 * contact when it first separates: it is not used. Read in Simbody 3.9,
 * Simbody/src/CompliantContactSubsystem.cpp, and run in 3.7.
 */

#define _XOPEN_SOURCE 700
#include <math.h>
#include <string.h>

#include "export/built.h"
#include "export/families.h"
#include "export/rows.h"

enum cf_exactness cf_simbody_exactness(const struct cf_law *law, const char **why)
{
    if (strcmp(law->name, "hunt-crossley") == 0) {
        *why = "the law itself; the modulus belongs to a sphere on a plane or on a sphere";
        return CF_EXACTNESS_LAW;
    }
    *why = "its contact is Hunt-Crossley's";
    return CF_EXACTNESS_NONE;
}

void cf_simbody_friction(struct cf_mapping *m)
{
    const struct cf_tangential *t = &m->material->tangential;
    double peak = cf_tangential_peak(t);

    cf_mapping_add(m, "staticFriction", "1", isnan(t->mu_S) ? fmax(t->mu_C, 0) : t->mu_S,
                   CF_OF_BOTH, "mu_S");
    cf_mapping_add(m, "dynamicFriction", "1", fmax(t->mu_C, 0), CF_OF_BOTH, "mu_C");
    cf_mapping_add(m, "viscousFriction", "s/m", fmax(t->sigma_2, 0), CF_OF_BOTH, "sigma_2");
    if (!isnan(peak))
        cf_mapping_add(m, "transitionVelocity", "m/s", peak, CF_OF_SCENE,
                       isnan(t->v_t) ? "0.416 v_S" : "v_s, where friction has its peak");
}

void cf_simbody_transition(const struct cf_mapping *m, size_t i, FILE *out)
{
    double vt = cf_mapping_value(m, "transitionVelocity");

    if (!isnan(vt))
        fprintf(out, "static const SimTK::Real contactfit_transition_velocity_%zu = %.10g;\n",
                i + 1, vt);
}

int cf_simbody_fill(struct cf_mapping *m, struct cf_error *err)
{
    double modulus = 0.75 * cf_mapping_parameter(m, "k") / sqrt(m->material->radius_m);

    (void) err;
    cf_mapping_add(m, "stiffness", "Pa", 2 * M_SQRT2 * modulus, CF_OF_BOTH, "2^1.5 E*");
    cf_mapping_add(m, "dissipation", "s/m", cf_mapping_parameter(m, "a") / 1.5, CF_OF_BOTH,
                   "2 a/3");
    cf_simbody_friction(m);
    return CF_OK;
}

static void material(const struct cf_mapping *m, int which, FILE *out)
{
    fprintf(out, "    return SimTK::ContactMaterial(%.10g, %.10g, %.10g, %.10g, %.10g);\n",
            cf_mapping_of(m, "stiffness", which), cf_mapping_of(m, "dissipation", which),
            cf_mapping_of(m, "staticFriction", which), cf_mapping_of(m, "dynamicFriction", which),
            cf_mapping_of(m, "viscousFriction", which));
}

static void one(const struct cf_mapping *m, size_t i, FILE *out)
{
    fprintf(out, "static SimTK::ContactMaterial contactfit_material_%zu(int body = 1)\n{\n", i + 1);
    if (cf_mapping_alike(m)) {
        fprintf(out, "    (void) body;\n");
    } else {
        fprintf(out, "    if (body == 2)\n    ");
        material(m, 1, out);
    }
    material(m, 0, out);
    fprintf(out, "}\n");
    cf_simbody_transition(m, i, out);
}

/* The tightest accuracy that its integrator takes without a word; steps no longer than those that
 * are printed. */
static const char drop_source[] = CF_BUILT_INCLUDES
    "using namespace SimTK;\n" CF_BUILT_MAIN CF_SIMBODY_SYSTEM
    "    ContactMaterial material = contactfit_material_1(), other = contactfit_material_1(2);\n"
    "    body.addContactSurface(Transform(), ContactSurface(ContactGeometry::Sphere(R), "
    "material));\n"
    "    matter.Ground().updBody().addContactSurface(Transform(Rotation(Pi, ZAxis)),\n"
    "        ContactSurface(ContactGeometry::HalfSpace(), other));\n" CF_SIMBODY_BALL
    "    integrator.setAccuracy(1e-8);\n"
    "    integrator.setMaximumStepSize(h);\n"
    "    TimeStepper stepper(system, integrator);\n"
    "    stepper.initialize(state);\n"
    "    for (long i = 0; i <= n; i++) {\n"
    "        stepper.stepTo(i * h);\n"
    "        const State &s = stepper.getState();\n"
    "        fprintf(out, \"%.17g %.17g %.17g\\n\", i * h, R - ball.getOneQ(s, 0),\n"
    "                -ball.getOneU(s, 0));\n"
    "    }\n"
    "    return fclose(out) != 0;\n"
    "}\n";

static const struct cf_built built = {
    .title = "Simbody",
    .module = "simbody",
    .install = "apt-get install libsimbody-dev pkgconf g++",
    .source = drop_source,
};

static const struct cf_join joins[] = {
    {"stiffness", CF_JOINED_SERIES, .power = 2 / 3.0, .neutral = (double) NAN},
    {"dissipation", CF_JOINED_WEIGHTED, .power = 2 / 3.0, .neutral = (double) NAN,
     .by = "stiffness"},
    {"staticFriction", CF_JOINED_HARMONIC, .neutral = (double) NAN},
    {"dynamicFriction", CF_JOINED_HARMONIC, .neutral = (double) NAN, .above = "staticFriction"},
    {"viscousFriction", CF_JOINED_HARMONIC, .neutral = (double) NAN},
    {0}};

const struct cf_target cf_target_simbody = {
    .joins = joins,
    CF_SIMBODY,
    .name = "simbody",
    .title = "Simbody",
    .what = "C++: the ContactMaterial of both surfaces, for CompliantContactSubsystem",
    .checked = "run by --verify: Simbody 3.7, apt-get install libsimbody-dev pkgconf g++",
    .comment = {"// ", ""},
    .write = cf_export_each,
    .opening = "#include <Simbody.h>\n",
    .one = one,
    .prepare = cf_built_prepare,
    .drop = cf_built_drop,
    .built = &built,
    .tolerance_e = 5e-5,
};
