/* URDF with Bullet's <contact> tag, as PyBullet reads it.
 *
 * URDF itself has no word on contact. Bullet's importer reads stiffness, damping, restitution and
 * lateral_friction of each link; how they join is Bullet's way (bullet.c). Read in Bullet 3.27,
 * examples/Importers/ImportURDFDemo/UrdfParser.cpp, and for the bodies that it makes
 * BulletDynamics/Featherstone/btMultiBodyConstraintSolver.cpp.
 */

#include <math.h>

#include "export/rows.h"

/* Bullet's word for a rigid body, BT_LARGE_FLOAT. */
static const double rigid = 1e18;

static int run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    return cf_run_linear(m, CF_SCHEME_AHEAD, curves, err);
}

static int fill(struct cf_mapping *m, struct cf_error *err)
{
    double mu = m->material->tangential.mu_C;

    (void) err;
    cf_mapping_add(m, "stiffness", "N/m", cf_mapping_parameter(m, "k"), CF_OF_BODY_1,
                   "the pair's: the other is rigid");
    cf_mapping_add(m, "damping", "N s/m", cf_mapping_parameter(m, "lambda"), CF_OF_BODY_1,
                   "the pair's: the other has none");
    cf_mapping_add(m, "stiffness", "N/m", rigid, CF_OF_BODY_2, "rigid");
    cf_mapping_add(m, "damping", "N s/m", 0, CF_OF_BODY_2, "none");
    cf_mapping_add(m, "restitution", "1", 0, CF_OF_BOTH, "the damper does it");
    if (!isnan(mu)) {
        cf_mapping_add(m, "lateral_friction", "1", mu, CF_OF_BODY_1, "one coefficient: mu_C");
        cf_mapping_add(m, "lateral_friction", "1", 1, CF_OF_BODY_2, "frictions are multiplied");
    }
    return CF_OK;
}

static void link_of(const struct cf_mapping *m, size_t i, int which, FILE *out)
{
    cf_export_comment(m, out, "<contact> for %s", m->material->body[which].name);
    fprintf(out, "  <link name=\"contactfit_%zu_%c\">\n    <contact>\n", i + 1, 'a' + which);
    for (size_t j = 0; j < m->nvalue; j++) {
        const struct cf_value *v = &m->value[j];
        if (v->whose == CF_OF_BOTH || v->whose == (which ? CF_OF_BODY_2 : CF_OF_BODY_1))
            fprintf(out, "      <%s value=\"%.10g\"/>\n", v->name, v->value);
    }
    fprintf(out,
            "    </contact>\n  </link>\n"
            "  <joint name=\"contactfit_%zu_%c_joint\" type=\"floating\">\n"
            "    <parent link=\"contactfit\"/>\n    <child link=\"contactfit_%zu_%c\"/>\n"
            "  </joint>\n",
            i + 1, 'a' + which, i + 1, 'a' + which);
}

/* Links whose <contact> is to be copied into the user's, held by joints that make them one tree. */
static int write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    (void) err;
    fprintf(out, "<?xml version=\"1.0\"?>\n<robot name=\"contactfit\">\n"
                 "  <link name=\"contactfit\"/>\n");
    for (size_t i = 0; i < n; i++) {
        cf_export_head(m[i], out);
        link_of(m[i], i, 0, out);
        link_of(m[i], i, 1, out);
    }
    fprintf(out, "</robot>\n");
    return CF_OK;
}

const struct cf_target cf_target_urdf = {
    .name = "urdf",
    .title = "URDF (Bullet)",
    .what = "URDF: Bullet's <contact> of both links",
    .formula = "f = K (x + h v') + C v' >= 0",
    .pair_rule = "stiffnesses in series, dampings added, frictions multiplied",
    .source = "Bullet 3.27: examples/Importers/ImportURDFDemo/UrdfParser.cpp, "
              "btMultiBodyConstraintSolver.cpp",
    .checked = "xmllint and check_urdf; the same numbers run as bullet",
    .comment = {"<!-- ", " -->"},
    .needs = CF_NEEDS_MASS,
    .takes = CF_TAKES_MU_C,
    .exactness = cf_exactness_linear,
    .run = run,
    .fill = fill,
    .write = write,
};
