/* Simbody: the elastic foundation of a triangle mesh in CompliantContactSubsystem.
 *
 * Each triangle of area A in the other body is a spring, f = (E/h) A x (1 + c xdot), without the
 * 1.5 of the Hertz contact: E/h = kv, c = a. It is the face's own area that counts and not what it
 * covers of the plane: a sphere of depth x has kv pi R x^2, and kv times the volume pi x^2 (R -
 * x/3) as long as x is far below R. The mesh has its corners on the sphere, its faces inside: with
 * 512 of them it went 45 % too deep, with 8192 3 %, with 131072 less than 0.3 %. Read in
 * Simbody 3.9, Simbody/src/CompliantContactSubsystem.cpp, and run in 3.7.
 */

#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "export/built.h"
#include "export/families.h"
#include "export/rows.h"

/* createSphereMesh(): 8 times 4^resolution faces. */
static const int resolution = 7;

static enum cf_exactness exactness(const struct cf_law *law, const char **why)
{
    if (strcmp(law->name, "hunt-crossley") == 0) {
        *why = "damping as the elastic force has the e of hunt-crossley on any spring; depth and "
               "duration are those of kv pi R x^2, as fine as the mesh";
        return CF_EXACTNESS_E;
    }
    *why = "its damping is as the elastic force";
    return CF_EXACTNESS_NONE;
}

static int run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    (void) curves;
    return cf_run_foundation(m, "simbody-foundation", err);
}

static int fill(struct cf_mapping *m, struct cf_error *err)
{
    const struct cf_material *material = m->material;
    double thickness = material->radius_m;

    (void) err;
    cf_mapping_add(m, "thickness", "m", thickness, CF_OF_BODY_1, "any: stiffness goes with it");
    cf_mapping_add(m, "stiffness", "Pa", material->tangential.kv * thickness, CF_OF_BODY_1,
                   "kv times the thickness; the other body is rigid");
    cf_mapping_add(m, "dissipation", "s/m", cf_mapping_parameter(m, "a"), CF_OF_BODY_1, "a");
    cf_simbody_friction(m);
    cf_mapping_add(m, "resolution", "1", resolution, CF_OF_BODY_1, "of the mesh: 131072 faces");
    return CF_OK;
}

/* Fixed Runge-Kutta steps through m x'' = -kv pi R x^2 (1 + a x'): far finer than the mesh
 * for any contact, however damped. */
static void shape(const struct cf_mapping *m, double speed_m_s, struct cf_seen *seen)
{
    enum { STEPS = 4000, MOST = 50 * STEPS };
    const struct cf_material *material = m->material;
    double R = material->radius_m, a = cf_mapping_parameter(m, "a");
    double by_mass = material->tangential.kv * M_PI / material->mass_kg;
    double depth = cbrt(1.5 * speed_m_s * speed_m_s / (by_mass * R)); /* of a = 0 */
    double h = 2.8 * depth / speed_m_s / STEPS, x = 0, v = speed_m_s;
    long i = 0;

    *seen = (struct cf_seen){.left = true};
    for (; i < MOST && (x > 0 || v > 0); i++) {
        double kx[4], kv[4];
        for (int j = 0; j < 4; j++) {
            double part = j == 0 ? 0 : j == 3 ? h : h / 2;
            double xj = j ? x + part * kx[j - 1] : x, vj = j ? v + part * kv[j - 1] : v;
            kx[j] = vj;
            kv[j] = xj > 0 ? -by_mass * R * xj * xj * (1 + a * vj) : 0;
        }
        x += h * (kx[0] + 2 * kx[1] + 2 * kx[2] + kx[3]) / 6;
        v += h * (kv[0] + 2 * kv[1] + 2 * kv[2] + kv[3]) / 6;
        seen->depth_m = fmax(seen->depth_m, x);
    }
    seen->e = -v / speed_m_s;
    seen->duration_s = seen->time_s = (double) i * h;
}

static void one(const struct cf_mapping *m, size_t i, FILE *out)
{
    double thickness = cf_mapping_value(m, "thickness");
    double mu_s = cf_mapping_value(m, "staticFriction");
    double mu_d = cf_mapping_value(m, "dynamicFriction");
    double mu_v = cf_mapping_value(m, "viscousFriction");

    fprintf(out,
            "static SimTK::ContactSurface contactfit_sphere_%zu(SimTK::Real radius)\n{\n"
            "    SimTK::PolygonalMesh mesh = SimTK::PolygonalMesh::createSphereMesh(radius, "
            "%d);\n"
            "    return SimTK::ContactSurface(SimTK::ContactGeometry::TriangleMesh(mesh),\n"
            "        SimTK::ContactMaterial(%.10g, %.10g, %.10g, %.10g, %.10g), %.10g);\n}\n\n"
            "static SimTK::ContactSurface contactfit_other_%zu(const SimTK::ContactGeometry "
            "&shape)\n{\n"
            "    return SimTK::ContactSurface(shape, SimTK::ContactMaterial(1e30, 0, %.10g, "
            "%.10g, %.10g), %.10g);\n}\n",
            i + 1, resolution, cf_mapping_value(m, "stiffness"), cf_mapping_value(m, "dissipation"),
            mu_s, mu_d, mu_v, thickness, i + 1, mu_s, mu_d, mu_v, thickness);
    cf_simbody_transition(m, i, out);
}

/* Few and large steps: each asks 131072 faces whether they touch. */
static const char drop_source[] = CF_BUILT_INCLUDES
    "using namespace SimTK;\n" CF_BUILT_MAIN CF_SIMBODY_SYSTEM
    "    body.addContactSurface(Transform(), contactfit_sphere_1(R));\n"
    "    matter.Ground().updBody().addContactSurface(Transform(Rotation(Pi, ZAxis)),\n"
    "        contactfit_other_1(ContactGeometry::HalfSpace()));\n" CF_SIMBODY_BALL
    "    integrator.setAccuracy(1e-6);\n"
    "    integrator.setMaximumStepSize(20 * h);\n"
    "    integrator.setReturnEveryInternalStep(true);\n"
    "    integrator.initialize(state);\n"
    "    double z = R + gap, u = -v;\n"
    "    while (integrator.getTime() < n * h && !(R - z <= 0 && u > 0)) {\n"
    "        const State &s = integrator.getState();\n"
    "        z = ball.getOneQ(s, 0);\n"
    "        u = ball.getOneU(s, 0);\n"
    "        fprintf(out, \"%.17g %.17g %.17g\\n\", s.getTime(), R - z, -u);\n"
    "        integrator.stepTo(n * h);\n"
    "    }\n"
    "    return fclose(out) != 0;\n"
    "}\n";

static const struct cf_built built = {
    .title = "Simbody",
    .module = "simbody",
    .install = "apt-get install libsimbody-dev pkgconf g++",
    .source = drop_source,
};

const struct cf_target cf_target_foundation = {
    .name = "simbody-foundation",
    .title = "Simbody (elastic foundation)",
    .what = "C++: contact surfaces of a sphere's mesh and of what it falls on",
    .formula = "f = (E/h) A x (1 + c xdot) of each face",
    .pair_rule = "stiffnesses E/h in series: the other body is rigid; frictions 2 u1 u2/(u1 + u2)",
    .source = "Simbody 3.9: Simbody/src/CompliantContactSubsystem.cpp",
    .checked = "run by --verify: Simbody 3.7, apt-get install libsimbody-dev pkgconf g++",
    .comment = {"// ", ""},
    .needs = CF_NEEDS_MASS | CF_NEEDS_RADIUS,
    .takes = CF_TAKES_ALL,
    .any_step = true,
    .approximate = cf_laws_damped_by_force,
    .exactness = exactness,
    .run = run,
    .shape = shape,
    .fill = fill,
    .write = cf_export_each,
    .opening = "#include <Simbody.h>\n",
    .one = one,
    .prepare = cf_built_prepare,
    .drop = cf_built_drop,
    .built = &built,
    .tolerance_e = 2e-3,
    .tolerance_depth = 0.01,
};
