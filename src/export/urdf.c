/* URDF with Bullet's <contact> tag, as PyBullet reads it.
 *
 * URDF itself has no word on contact. Bullet's importer reads stiffness, damping, restitution and
 * lateral_friction of each link; how they join is Bullet's way (bullet.c). Read in Bullet 3.27,
 * examples/Importers/ImportURDFDemo/UrdfParser.cpp, and for the bodies that it makes
 * BulletDynamics/Featherstone/btMultiBodyConstraintSolver.cpp.
 */

#include "export/families.h"
#include "export/rows.h"

static int fill(struct cf_mapping *m, struct cf_error *err)
{
    (void) err;
    cf_bullet_fill(m, "stiffness", "damping", "lateral_friction");
    cf_mapping_add(m, "restitution", "1", 0, CF_OF_BOTH, "the damper does it");
    return CF_OK;
}

static void fill_friction(struct cf_mapping *m)
{
    cf_bullet_fill_friction(m, "lateral_friction");
}

void cf_urdf_joint(size_t i, int which, FILE *out)
{
    fprintf(out,
            "  <joint name=\"contactfit_%zu_%c_joint\" type=\"floating\">\n"
            "    <parent link=\"contactfit\"/>\n    <child link=\"contactfit_%zu_%c\"/>\n"
            "  </joint>\n",
            i + 1, 'a' + which, i + 1, 'a' + which);
}

static void link_of(const struct cf_mapping *m, size_t i, int which, FILE *out)
{
    cf_export_comment(m, out, "<contact> for %s", m->material->body[which].name);
    fprintf(out, "  <link name=\"contactfit_%zu_%c\">\n    <contact>\n", i + 1, 'a' + which);
    for (size_t j = 0; j < m->nvalue; j++) {
        const struct cf_value *v = &m->value[j];
        if (cf_value_of(v, which))
            fprintf(out, "      <%s value=\"%.10g\"/>\n", v->name, v->value);
    }
    fprintf(out, "    </contact>\n  </link>\n");
    cf_urdf_joint(i, which, out);
}

/* Links whose <contact> is to be copied into the user's, held by joints that make them one tree. */
static void one(const struct cf_mapping *m, size_t i, FILE *out)
{
    link_of(m, i, 0, out);
    link_of(m, i, 1, out);
}

/* URDF's own <dynamics>. */
static void joint_of(const struct cf_mapping *m, size_t i, FILE *out)
{
    bool turns = m->law->family == CF_FAMILY_FRICTION_TORQUE;

    cf_export_comment(m, out, "<dynamics> for the joint");
    fprintf(out,
            "  <link name=\"contactfit_%zu\"/>\n"
            "  <joint name=\"contactfit_%zu_joint\" type=\"%s\">\n"
            "    <parent link=\"contactfit\"/>\n    <child link=\"contactfit_%zu\"/>\n"
            "    <axis xyz=\"0 0 1\"/>\n%s"
            "    <dynamics damping=\"%.10g\" friction=\"%.10g\"/>\n  </joint>\n",
            i + 1, i + 1, turns ? "continuous" : "prismatic", i + 1,
            turns ? ""
                  : "    <limit lower=\"-1\" upper=\"1\" effort=\"1000\" velocity=\"1000\"/>\n",
            cf_mapping_value(m, "damping"), cf_mapping_value(m, "friction"));
}

#define OPENING                                                                                    \
    "<?xml version=\"1.0\"?>\n<robot name=\"contactfit\">\n  <link name=\"contactfit\"/>\n"

static const struct cf_friction_joint joint = {
    .dry = "friction",
    .viscous = "damping",
    .opening = OPENING,
    .one = joint_of,
    .closing = "</robot>\n",
};

static const struct cf_join joins[] = CF_BULLET_JOINS("stiffness", "damping", "lateral_friction");

const struct cf_target cf_target_urdf = {
    .joins = joins,
    .name = "urdf",
    .per_point = true,
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
    .spring = true,
    .lost_radii = 2,
    .single = true,
    .exactness = cf_exactness_linear,
    .run = cf_bullet_run,
    .adds = cf_bullet_adds,
    .fill = fill,
    .fill_friction = fill_friction,
    .joint = &joint,
    .write = cf_export_each,
    .opening = OPENING,
    .one = one,
    .closing = "</robot>\n",
};
