/* MercuryDPM: HertzianBSHPViscoelasticMindlin species.
 *
 * F = (4/3) E* sqrt(R* x) (x + 1.5 A xdot) >= 0: azad-featherstone with k = (4/3) E* sqrt(R*) and
 * lambda = 1.5 A k, for every mass and radius. A pair of species is set by itself. Its tangential
 * spring is (2/3) 8 G* sqrt(R* x), and without a G* there is no friction whatever the coefficient:
 * with one, G* is that of the patch's 1.5 k sqrt(x). Read in MercuryDPM 1.0,
 * Kernel/Interactions/NormalForceInteractions/HertzianBSHPViscoelasticInteraction.cc and
 * FrictionForceInteractions/MindlinInteraction.cc, and built and run from that source.
 */

#include <math.h>
#include <string.h>

#include "export/dem.h"
#include "export/rows.h"

static enum cf_exactness exactness(const struct cf_law *law, const char **why)
{
    if (strcmp(law->name, "azad-featherstone") == 0) {
        *why = "HertzianBSHPViscoelastic is the law itself";
        return CF_EXACTNESS_LAW;
    }
    *why = "its damping is proportional to the width of the patch";
    return CF_EXACTNESS_NONE;
}

/* Velocity Verlet, read in Kernel/Particles/BaseParticle.cc. */
static int run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    (void) curves;
    (void) err;
    return cf_run_law(m, CF_SCHEME_VERLET);
}

static int fill(struct cf_mapping *m, struct cf_error *err)
{
    double k = cf_mapping_parameter(m, "k"), lambda = cf_mapping_parameter(m, "lambda");
    double mu = m->material->tangential.mu_C, kappa = m->material->tangential.kappa,
           by_root = k / sqrt(m->material->radius_m);

    (void) err;
    cf_mapping_add(m, "effectiveElasticModulus", "Pa", 0.75 * by_root, CF_OF_PAIR,
                   "E* = 3 k/(4 sqrt(R*))");
    cf_mapping_add(m, "dissipation", "s", lambda / (1.5 * k), CF_OF_PAIR, "A = lambda/(1.5 k)");
    if (!isnan(mu)) {
        cf_mapping_add(m, "effectiveShearModulus", "Pa",
                       9.0 / 32 * (isnan(kappa) ? 1 : kappa) * by_root, CF_OF_PAIR,
                       isnan(kappa) ? "G* = 9 k/(32 sqrt(R*)): K_t = K_n, supposed"
                                    : "G* = 9 kappa k/(32 sqrt(R*)): K_t = kappa K_n");
        cf_mapping_add(m, "slidingFrictionCoefficient", "1", mu, CF_OF_PAIR,
                       "one coefficient: mu_C");
    }
    return CF_OK;
}

static void one(const struct cf_mapping *m, size_t i, FILE *out)
{
    double mu = cf_mapping_value(m, "slidingFrictionCoefficient");
    fprintf(out,
            "// a species, or what speciesHandler.getMixedObject() gives for two\n"
            "template <class Species> static void contactfit_species_%zu(Species &pair)\n{\n"
            "    pair.setEffectiveElasticModulus(%.10g);\n    pair.setDissipation(%.10g);\n",
            i + 1, cf_mapping_value(m, "effectiveElasticModulus"),
            cf_mapping_value(m, "dissipation"));
    if (!isnan(mu))
        fprintf(out,
                "    pair.setEffectiveShearModulus(%.10g);\n"
                "    pair.setSlidingFrictionCoefficient(%.10g);\n",
                cf_mapping_value(m, "effectiveShearModulus"), mu);
    fprintf(out, "}\n");
}

/* All pairs of species, numbered by material, where there are several or where materials are named.
 */
static void table(const struct cf_mapping *const m[], size_t n, const struct cf_types *types,
                  FILE *out)
{
    fputc('\n', out);
    for (size_t i = 1; i <= types->n; i++)
        cf_export_comment(m[0], out, "species[%zu], of the handler: %s", i - 1,
                          cf_type_name(types, i));
    fprintf(out, "template <class Handler, class Species>\n"
                 "static void contactfit_species(Handler &handler, Species *const species[])\n{\n"
                 "    (void) handler;\n");
    for (size_t k = 0; k < n; k++) {
        size_t i = cf_type_of(types, &m[k]->material->body[0]) - 1;
        size_t j = cf_type_of(types, &m[k]->material->body[1]) - 1;
        if (i == j)
            fprintf(out, "    contactfit_species_%zu(*species[%zu]);\n", k + 1, i);
        else
            fprintf(out,
                    "    contactfit_species_%zu(*handler.getMixedObject(species[%zu], "
                    "species[%zu]));\n",
                    k + 1, i, j);
    }
    fprintf(out, "}\n");
    for (size_t i = 1; i <= types->n; i++)
        for (size_t j = i; j <= types->n; j++)
            if (!cf_pair_of(m, n, types, i, j) && (types->moves[i - 1] || types->moves[j - 1]))
                cf_export_comment(m[0], out,
                                  "NO FIT of %s with %s: MercuryDPM has what the species are made "
                                  "with, and of two different ones their mean",
                                  cf_type_name(types, i), cf_type_name(types, j));
}

static int write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    const struct cf_export_body *body = m[0]->material->body;
    struct cf_types types;
    int status = cf_types_collect(m, n, CF_PLANES_ALIKE, &types, err);

    if (!status)
        status = cf_export_each(m, n, out, err);
    if (!status && (n > 1 || body[0].material[0] || body[1].material[0]))
        table(m, n, &types, out);
    return status;
}

const struct cf_target cf_target_mercury = {
    .by_pair = true,
    .name = "mercury",
    .title = "MercuryDPM",
    .what = "C++: modulus and dissipation of a species or of a mixed one",
    .formula = "F = (4/3) E* sqrt(R* x) (x + 1.5 A xdot) >= 0",
    .pair_rule = "none: mixed species set each pair",
    .source = "MercuryDPM 1.0: HertzianBSHPViscoelasticInteraction.cc, MindlinInteraction.cc",
    .checked = "compiled against the declarations read; no package: built from that source and run "
               "by hand",
    .comment = {"// ", ""},
    .needs = CF_NEEDS_RADIUS,
    .takes = CF_TAKES_MU_C | CF_TAKES_KAPPA,
    .approximate = cf_laws_damped_by_patch,
    .exactness = exactness,
    .run = run,
    .fill = fill,
    .write = write,
    .opening = "#include <Species/HertzianBSHPViscoelasticMindlinSpecies.h>\n",
    .one = one,
};
