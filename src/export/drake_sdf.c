/* Drake's proximity properties in SDF. Read in Drake of August 2026, revision be259df7,
 * multibody/parsing/detail_sdf_geometry.cc and detail_common.cc. */

#include "export/families.h"
#include "export/rows.h"

static void model(const struct cf_mapping *m, size_t i, int which, FILE *out)
{
    cf_export_comment(m, out, "<drake:proximity_properties> for %s", m->material->body[which].name);
    fprintf(out,
            "    <model name=\"contactfit_%zu_%c\">\n      <link name=\"link\">\n"
            "        <collision name=\"collision\">\n"
            "          <geometry><sphere><radius>1</radius></sphere></geometry>\n",
            i + 1, 'a' + which);
    cf_drake_properties(m, which, 10, false, out);
    fprintf(out, "        </collision>\n      </link>\n    </model>\n");
}

/* A world whose models carry the properties, to be copied into the user's: the spheres in it are
 * placeholders. */
static void one(const struct cf_mapping *m, size_t i, FILE *out)
{
    cf_drake_solver(m, out);
    model(m, i, 0, out);
    model(m, i, 1, out);
}

#define TEXT                                                                                       \
    .checked = "xmllint and sdformat 12; not run: no package of Debian or npm",                    \
    .comment = {"<!-- ", " -->"}, .write = cf_export_each,                                         \
    .opening = "<?xml version=\"1.0\"?>\n"                                                         \
               "<sdf version=\"1.7\" xmlns:drake=\"http://drake.mit.edu\">\n"                      \
               "  <world name=\"contactfit\">\n",                                                  \
    .one = one, .joins = cf_drake_joins, .closing = "  </world>\n</sdf>\n"

#define SOURCE CF_DRAKE_SOURCE CF_DRAKE_MATERIAL ", multibody/parsing/detail_sdf_geometry.cc"

const struct cf_target cf_target_drake_sdf = {
    CF_DRAKE_POINT,         .name = "drake-sdf",
    .title = "Drake (SDF)", .what = "SDF: proximity properties for point contact",
    .source = SOURCE,       TEXT,
};

const struct cf_target cf_target_drake_sap_sdf = {
    CF_DRAKE_SAP,
    .name = "drake-sap-sdf",
    .title = "Drake (SAP, SDF)",
    .what = "SDF: proximity properties for the SAP solver",
    .source = SOURCE,
    TEXT,
};

const struct cf_target cf_target_drake_hydroelastic_sdf = {
    CF_DRAKE_HYDROELASTIC,
    .name = "drake-hydroelastic-sdf",
    .title = "Drake (hydroelastic, SDF)",
    .what = "SDF: proximity properties of a compliant sphere on a rigid body",
    TEXT,
};
