/* PhysX and Isaac: compliant contact of a material, as USD.
 *
 * A spring and damper, solved backward in time; with the acceleration flag both would be divided
 * by the mass, so it is off. The same material on both bodies: whatever way they are combined but
 * multiplied, equal values stay. A touch that the step would bring is taken into that
 * step, spring and damper. Read in PhysX 5, revision 176bc52d, physx/include/PxMaterial.h and
 * physx/source/lowleveldynamics/src/DyContactPrepShared.h, and the tokens of the USD schema.
 */

#include <math.h>

#include "export/rows.h"

static int run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    return cf_run_linear(m, CF_SCHEME_BACKWARD, curves, err);
}

static int fill(struct cf_mapping *m, struct cf_error *err)
{
    const struct cf_tangential *t = &m->material->tangential;
    double dynamic = isnan(t->mu_C) ? t->mu_S : t->mu_C;

    (void) err;
    cf_mapping_add(m, "compliantContactStiffness", "N/m", cf_mapping_parameter(m, "k"), CF_OF_BOTH,
                   "K; in C++ the restitution is -K");
    cf_mapping_add(m, "compliantContactDamping", "N s/m", cf_mapping_parameter(m, "lambda"),
                   CF_OF_BOTH, "C; in C++ the damping");
    if (!isnan(dynamic)) {
        cf_mapping_add(m, "staticFriction", "1", isnan(t->mu_S) ? dynamic : t->mu_S, CF_OF_BOTH,
                       "mu_S");
        cf_mapping_add(m, "dynamicFriction", "1", dynamic, CF_OF_BOTH, "mu_C");
    }
    return CF_OK;
}

static void one(const struct cf_mapping *m, size_t i, FILE *out)
{
    double mu = cf_mapping_value(m, "dynamicFriction");
    fprintf(out,
            "def Material \"contactfit_%zu\" (\n"
            "    prepend apiSchemas = [\"PhysicsMaterialAPI\", \"PhysxMaterialAPI\"]\n)\n{\n"
            "    float physxMaterial:compliantContactStiffness = %.9g\n"
            "    float physxMaterial:compliantContactDamping = %.9g\n"
            "    bool physxMaterial:compliantContactAccelerationSpring = 0\n"
            "    uniform token physxMaterial:frictionCombineMode = \"average\"\n"
            "    uniform token physxMaterial:restitutionCombineMode = \"average\"\n"
            "    uniform token physxMaterial:dampingCombineMode = \"average\"\n"
            "    float physics:restitution = 0\n",
            i + 1, cf_mapping_value(m, "compliantContactStiffness"),
            cf_mapping_value(m, "compliantContactDamping"));
    if (!isnan(mu))
        fprintf(out,
                "    float physics:staticFriction = %.9g\n"
                "    float physics:dynamicFriction = %.9g\n",
                cf_mapping_value(m, "staticFriction"), mu);
    fprintf(out, "}\n");
}

const struct cf_target cf_target_physx = {
    .name = "physx",
    .title = "PhysX/Isaac",
    .what = "USD: a material with compliant contact, for both bodies",
    .formula = "f = K (x + h v') + C v' >= 0",
    .pair_rule = "combine mode average: equal values stay",
    .source = "PhysX 5, revision 176bc52d: PxMaterial.h, DyContactPrepShared.h; tokens of the USD "
              "schema",
    .checked = "not run; no checker in Debian",
    .comment = {"# ", ""},
    .needs = CF_NEEDS_MASS,
    .takes = CF_TAKES_MU_S | CF_TAKES_MU_C,
    .exactness = cf_exactness_linear,
    .run = run,
    .fill = fill,
    .write = cf_export_each,
    .opening = "#usda 1.0\n",
    .one = one,
};
