/* Drake's proximity properties in URDF. Read in Drake of August 2026, revision be259df7,
 * multibody/parsing/detail_common.cc. */

#include "export/families.h"
#include "export/rows.h"

static void body(const struct cf_mapping *m, size_t i, int which, FILE *out)
{
    fprintf(out,
            "  <link name=\"contactfit_%zu_%c\">\n    <inertial><mass value=\"1\"/><inertia "
            "ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n"
            "    <collision>\n      <geometry><sphere radius=\"1\"/></geometry>\n",
            i + 1, 'a' + which);
    cf_drake_properties(m, which, 6, true, out);
    fprintf(out, "    </collision>\n  </link>\n");
}

/* A URDF whose links carry the properties, to be copied into the user's: sizes and masses in it are
 * placeholders of 1, held by joints that make it one tree. */
static void one(const struct cf_mapping *m, size_t i, FILE *out)
{
    cf_drake_solver(m, out);
    for (int which = 0; which < 2; which++) {
        cf_export_comment(m, out, "<drake:proximity_properties> for %s",
                          m->material->body[which].name);
        body(m, i, which, out);
        cf_urdf_joint(i, which, out);
    }
}

#define TEXT                                                                                       \
    .checked = "xmllint and check_urdf; not run: no package of Debian or npm",                     \
    .comment = {"<!-- ", " -->"}, .write = cf_export_each,                                         \
    .opening = "<?xml version=\"1.0\"?>\n"                                                         \
               "<robot name=\"contactfit\" xmlns:drake=\"http://drake.mit.edu\">\n"                \
               "  <link name=\"contactfit\"/>\n",                                                  \
    .one = one, .joins = cf_drake_joins, .closing = "</robot>\n"

#define SOURCE CF_DRAKE_SOURCE CF_DRAKE_MATERIAL ", multibody/parsing/detail_common.cc"

const struct cf_target cf_target_drake = {
    CF_DRAKE_POINT,   .name = "drake",
    .title = "Drake", .what = "URDF: proximity properties for point contact",
    .source = SOURCE, TEXT,
};

const struct cf_target cf_target_drake_sap = {
    CF_DRAKE_SAP,           .name = "drake-sap",
    .title = "Drake (SAP)", .what = "URDF: proximity properties for the SAP solver",
    .source = SOURCE,       TEXT,
};

const struct cf_target cf_target_drake_hydroelastic = {
    CF_DRAKE_HYDROELASTIC,
    .name = "drake-hydroelastic",
    .title = "Drake (hydroelastic)",
    .what = "URDF: proximity properties of a compliant sphere on a rigid body",
    TEXT,
};
