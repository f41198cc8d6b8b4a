/* Drake's proximity properties as the YAML of SceneGraphConfig: the defaults of all bodies that
 * have none of their own, so two of them get the pair's. Hydroelastic contact needs a rigid body
 * beside the compliant one, which one set of defaults cannot be. Read in Drake of August 2026,
 * revision be259df7, geometry/scene_graph_config.h and common/yaml/yaml_io.h. */

#include <math.h>

#include "core/decimal.h"
#include "export/families.h"
#include "export/rows.h"

static void put(const struct cf_mapping *m, const char *name, const char *ours, FILE *out)
{
    double value = cf_mapping_value(m, ours);
    if (isnan(value))
        return;
    fprintf(out, "    %s: ", name);
    cf_decimal_put(value, out);
    fputc('\n', out);
}

/* A child for each fit, to be loaded by its name. */
static void one(const struct cf_mapping *m, size_t i, FILE *out)
{
    cf_drake_solver(m, out);
    fprintf(out, "contactfit_%zu:\n  default_proximity_properties:\n", i + 1);
    put(m, "point_stiffness", "point_contact_stiffness", out);
    put(m, "hunt_crossley_dissipation", "hunt_crossley_dissipation", out);
    put(m, "relaxation_time", "relaxation_time", out);
    put(m, "static_friction", "mu_static", out);
    put(m, "dynamic_friction", "mu_dynamic", out);
}

#define SOURCE CF_DRAKE_SOURCE CF_DRAKE_MATERIAL ", geometry/scene_graph_config.h"

const struct cf_target cf_target_drake_yaml = {
    CF_DRAKE_POINT,
    .name = "drake-yaml",
    .title = "Drake (YAML)",
    .what = "YAML: a SceneGraphConfig for point contact",
    .source = SOURCE,
    .checked = "the tests read it; not run: no package of Debian or npm",
    .comment = {"# ", ""},
    .write = cf_export_each,
    .one = one,
};

const struct cf_target cf_target_drake_sap_yaml = {
    CF_DRAKE_SAP,
    .name = "drake-sap-yaml",
    .title = "Drake (SAP, YAML)",
    .what = "YAML: a SceneGraphConfig for the SAP solver",
    .source = SOURCE,
    .checked = "the tests read it; not run: no package of Debian or npm",
    .comment = {"# ", ""},
    .write = cf_export_each,
    .one = one,
};
