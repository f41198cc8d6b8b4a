/* DART: a coefficient of restitution.
 *
 * The pair has the product of both bodies' restitutions and the smaller of their frictions. A
 * contact at 0.1 m/s or slower does not bounce. Read in DART
 * 6.12, dart/constraint/ContactConstraint.cpp.
 */

#include <math.h>

#include "export/rows.h"

/* DART_BOUNCING_VELOCITY_THRESHOLD */
static const double still_m_s = 0.1;

static int run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    int status = cf_run_restitution(m, curves, err);
    m->twin.still_m_s = still_m_s;
    return status;
}

static int fill(struct cf_mapping *m, struct cf_error *err)
{
    double mu = m->material->tangential.mu_C;

    (void) err;
    cf_mapping_add(m, "restitution", "1", m->twin.e, CF_OF_BODY_1, "e");
    cf_mapping_add(m, "restitution", "1", 1, CF_OF_BODY_2, "restitutions are multiplied");
    if (!isnan(mu))
        cf_mapping_add(m, "friction", "1", mu, CF_OF_BOTH, "one coefficient: mu_C");
    return CF_OK;
}

static int write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    (void) err;
    fprintf(out, "#include <dart/dynamics/ShapeNode.hpp>\n");
    for (size_t i = 0; i < n; i++) {
        double mu = cf_mapping_value(m[i], "friction");
        fprintf(out, "\n");
        cf_export_head(m[i], out);
        fprintf(out,
                "static void contactfit_bodies_%zu(dart::dynamics::DynamicsAspect &a,\n"
                "                                dart::dynamics::DynamicsAspect &b)\n{\n"
                "    a.setRestitutionCoeff(%.10g);\n    b.setRestitutionCoeff(1);\n",
                i + 1, cf_mapping_value(m[i], "restitution"));
        if (!isnan(mu))
            fprintf(out, "    a.setFrictionCoeff(%.10g);\n    b.setFrictionCoeff(%.10g);\n", mu,
                    mu);
        fprintf(out, "}\n");
    }
    return CF_OK;
}

const struct cf_target cf_target_dart = {
    .name = "dart",
    .title = "DART",
    .what = "C++: restitution and friction of both bodies",
    .formula = "v' = e v above 0.1 m/s, 0 below",
    .pair_rule = "restitutions multiplied, friction the smaller",
    .source = "DART 6.12: dart/constraint/ContactConstraint.cpp",
    .checked = "not run by --verify",
    .comment = {"// ", ""},
    .takes = CF_TAKES_MU_C,
    .exactness = cf_exactness_restitution,
    .run = run,
    .fill = fill,
    .write = write,
};
