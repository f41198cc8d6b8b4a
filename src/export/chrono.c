/* Chrono, smooth contact: force model PlainCoulomb with material properties off.
 *
 * F = sqrt(x) (kn x + gn xdot) >= 0, whatever mass and radius: azad-featherstone itself, whose k
 * and lambda go by sqrt(R*), so that kn and gn are those of one radius. Hertz has coefficients by
 * m* and R*, and Flores falls through to Hooke without a word: neither is used. kn and gn of two
 * bodies are averaged, friction is the smaller, and mu tanh(5 v_t) in m/s; in float32.
 * ChSystemMulticoreSMC lets the force pull. Read in Chrono of August 2026, revision 7689fbc0,
 * src/chrono/physics/ChContactSMC.cpp and ChContactMaterialSMC.cpp, and these compiled and run.
 */

#include <math.h>
#include <string.h>

#include "export/families.h"
#include "export/rows.h"

enum cf_exactness cf_chrono_exactness(const struct cf_law *law, const char **why)
{
    if (strcmp(law->name, "azad-featherstone") == 0) {
        *why = "PlainCoulomb without material properties is the law itself, and its kn holds R*";
        return CF_EXACTNESS_LAW_RADIUS;
    }
    *why = "its damping is proportional to the width of the patch";
    return CF_EXACTNESS_NONE;
}

const struct cf_join cf_chrono_joins[] = {{"kn", CF_JOINED_MEAN, .neutral = (double) NAN},
                                          {"gn", CF_JOINED_MEAN, .neutral = (double) NAN},
                                          {"friction", CF_JOINED_SMALLER},
                                          {0}};

int cf_chrono_fill(struct cf_mapping *m, struct cf_error *err)
{
    double mu = m->material->tangential.mu_C;

    (void) err;
    cf_mapping_add(m, "kn", "N/m^1.5", cf_mapping_parameter(m, "k"), CF_OF_BOTH, "k");
    cf_mapping_add(m, "gn", "N s/m^1.5", cf_mapping_parameter(m, "lambda"), CF_OF_BOTH, "lambda");
    cf_mapping_add(m, "kt", "N/m^1.5", 0, CF_OF_BOTH, "PlainCoulomb has no tangential spring");
    cf_mapping_add(m, "gt", "N s/m^1.5", 0, CF_OF_BOTH, "PlainCoulomb has no tangential damper");
    if (!isnan(mu))
        cf_mapping_add(m, "friction", "1", mu, CF_OF_BOTH, "one coefficient, mu_C; mu tanh(5 v_t)");
    return CF_OK;
}

/* With an exponent, for a number that looks whole takes no f behind it. */
static void set(const struct cf_mapping *m, const char *call, const char *name, FILE *out)
{
    double one = cf_mapping_of(m, name, 0), other = cf_mapping_of(m, name, 1);

    if (isnan(one))
        return;
    if (one == other)
        fprintf(out, "    both.%s(%.8ef);\n", call, one);
    else
        fprintf(out, "    both.%s(body == 1 ? %.8ef : %.8ef);\n", call, one, other);
}

static void one(const struct cf_mapping *m, size_t i, FILE *out)
{
    fprintf(out,
            "template <class Material> static void contactfit_material_%zu(Material &both, int "
            "body = 1)\n{\n    (void) body;\n",
            i + 1);
    set(m, "SetKn", "kn", out);
    set(m, "SetGn", "gn", out);
    fprintf(out, "    both.SetKt(0);\n    both.SetGt(0);\n");
    set(m, "SetFriction", "friction", out);
    fprintf(out, "}\n");
}

const struct cf_target cf_target_chrono = {
    CF_CHRONO,
    .name = "chrono",
    .title = "Chrono",
    .what = "C++: the smooth-contact material of both bodies, and the force model",
    .source =
        "Chrono of August 2026, revision 7689fbc0: ChContactSMC.cpp, ChContactMaterialSMC.cpp",
    .checked = "compiled against the declarations read; no package: its force, built from that "
               "source, ran by hand",
    .comment = {"// ", ""},
    .write = cf_export_each,
    .opening = "#include <chrono/physics/ChSystemSMC.h>\n\n"
               "// of the system that holds the bodies\n"
               "static void contactfit_system(chrono::ChSystemSMC &system)\n{\n"
               "    system.UseMaterialProperties(false);\n"
               "    system.SetContactForceModel(\n"
               "        chrono::ChSystemSMC::ContactForceModel::PlainCoulomb);\n}\n",
    .one = one,
};
