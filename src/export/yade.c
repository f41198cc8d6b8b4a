/* Yade: Hertz-Mindlin with a constant restitution.
 *
 * Ip2_FrictMat_FrictMat_MindlinPhys with en gives one e at every speed, on the Hertz spring of
 * E* = young/(2 (1 - nu^2)) of equal materials; friction is the smaller angle. Against a wall or a
 * facet it takes R/2 for R*: there the modulus is sqrt 2 larger here, so that k is the pair's. Read
 * in Yade, revision a6084d6c, pkg/dem/HertzMindlin.cpp.
 */

#define _XOPEN_SOURCE 700
#include <math.h>

#include "export/rows.h"

/* Enters shear only, and both bodies alike: that of most metals and glasses. */
static const double poisson = 0.3;

static enum cf_exactness exactness(const struct cf_law *law, const char **why)
{
    if (law->family == CF_NORMAL && law->n == 1.5 && cf_law_k(law) < law->nparam) {
        *why = "a Hertz spring, and a restitution: e at the design speed";
        return CF_CONSTANT_E;
    }
    *why = "it needs a Hertz spring, and this law tells none";
    return CF_IMPOSSIBLE;
}

static int fill(struct cf_mapping *m, struct cf_error *err)
{
    const struct cf_material *material = m->material;
    double mu = material->tangential.mu_C, modulus = m->p[cf_law_k(m->law)];
    bool wall = material->body[0].plane || material->body[1].plane;

    (void) err;
    modulus *= 0.75 / sqrt(material->radius_m);
    cf_mapping_add(m, "young", "Pa", 2 * (1 - poisson * poisson) * modulus * (wall ? M_SQRT2 : 1),
                   CF_OF_BOTH,
                   wall ? "2 (1 - nu^2) E* sqrt 2, for a wall takes R/2" : "2 (1 - nu^2) E*");
    cf_mapping_add(m, "poisson", "1", poisson, CF_OF_BOTH, "supposed");
    cf_mapping_add(m, "en", "1", m->twin.e, CF_OF_PAIR, "restitution");
    if (!isnan(mu))
        cf_mapping_add(m, "frictionAngle", "rad", atan(mu), CF_OF_BOTH,
                       "atan(mu_C), one coefficient");
    return CF_OK;
}

static void one(const struct cf_mapping *m, size_t i, FILE *out)
{
    double angle = cf_mapping_value(m, "frictionAngle");
    fprintf(out,
            "def contactfit_material_%zu(density, label):\n"
            "    return FrictMat(young=%.10g, poisson=%.10g, frictionAngle=%.10g,\n"
            "                    density=density, label=label)\n\n"
            "def contactfit_physics_%zu(a, b):\n"
            "    # a, b: numbers of the two materials in O.materials\n"
            "    return Ip2_FrictMat_FrictMat_MindlinPhys(\n"
            "        en=MatchMaker(matches=((a, b, %.10g),)))\n",
            i + 1, cf_mapping_value(m, "young"), cf_mapping_value(m, "poisson"),
            isnan(angle) ? 0 : angle, i + 1, cf_mapping_value(m, "en"));
}

const struct cf_target cf_target_yade = {
    .name = "yade",
    .title = "Yade",
    .what = "Python: material of both bodies and restitution of the pair",
    .formula = "Hertz-Mindlin, F = (4/3) E* sqrt(R*) x^1.5 + damping for en",
    .pair_rule = "moduli of equal materials; en by MatchMaker; the smaller friction angle; R/2 for "
                 "R* at a wall",
    .source = "Yade, revision a6084d6c: pkg/dem/HertzMindlin.cpp",
    .checked = "Python parses it; not run by --verify",
    .comment = {"# ", ""},
    .needs = CF_NEEDS_RADIUS,
    .takes = CF_TAKES_MU_C,
    .exactness = exactness,
    .run = cf_run_restitution,
    .fill = fill,
    .write = cf_export_each,
    .opening = "from yade import FrictMat, MatchMaker, Ip2_FrictMat_FrictMat_MindlinPhys\n",
    .one = one,
};
