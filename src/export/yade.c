/* Yade: Hertz-Mindlin with a constant restitution.
 *
 * Ip2_FrictMat_FrictMat_MindlinPhys gives one e at every speed, on the Hertz spring of
 * E* = young/(2 (1 - nu^2)) of equal materials; friction is the smaller angle. Against a wall or a
 * facet it takes R/2 for R*: there the modulus is sqrt 2 larger here, so that k is the pair's. The
 * damping is Tsuji's, never pulling: c = 2 betan sqrt(m* dF/dx), which is alpha sqrt(m* k) x^0.25
 * with alpha = 2 sqrt(1.5) betan. betas, that of shear, is betan where it is not given. en instead
 * of betan goes through a polynomial that is too low above 0.93 and never shows more than 0.984.
 * Read in Yade, revision a6084d6c, pkg/dem/HertzMindlin.cpp, and run in 2023.02a.
 */

#define _XOPEN_SOURCE 700
#include <math.h>
#include <string.h>

#include "export/join.h"
#include "export/rows.h"
#include "export/runner.h"

static enum cf_exactness exactness(const struct cf_law *law, const char **why)
{
    if (strcmp(law->name, "tsuji") == 0) {
        *why = "the law itself: betan is alpha/(2 sqrt 1.5)";
        return CF_EXACTNESS_LAW;
    }
    if (law->family == CF_FAMILY_NORMAL && law->n == 1.5 && cf_law_k(law) < law->nparam) {
        *why = "a Hertz spring, and a restitution: e at the design speed";
        return CF_EXACTNESS_CONSTANT_E;
    }
    *why = "it needs a Hertz spring, and this law has none";
    return CF_EXACTNESS_NONE;
}

/* What it integrates is Tsuji's law on the Hertz spring of the fit, by a leapfrog: places move with
 * the rate that the force at the start of the step has changed. A mass that is not known leaves e,
 * but no step can be held against the contact's time. */
static int run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    const struct cf_law *tsuji = cf_law_find("tsuji");
    double v = m->question.speed_m_s, error;

    int status = cf_run_restitution(m, curves, err);
    m->twin.scheme = isnan(m->material->mass_kg) ? CF_SCHEME_CONTINUOUS : CF_SCHEME_SEMI_IMPLICIT;
    m->twin.law = tsuji;
    memcpy(m->twin.p, m->p, sizeof m->twin.p);
    if (!status && m->law != tsuji)
        status = cf_law_approximate(curves, m->law, m->p, m->twin.mass_kg, v, v, tsuji, m->twin.p,
                                    &error, err);
    return status;
}

static int fill(struct cf_mapping *m, struct cf_error *err)
{
    const struct cf_material *material = m->material;
    double mu = material->tangential.mu_C, modulus = cf_mapping_parameter(m, "k");
    bool wall = material->body[0].plane || material->body[1].plane;
    double poisson = cf_export_poisson(m, -1);
    bool told = !isnan(material->tangential.kappa) && !(m->beyond & CF_TAKES_KAPPA);

    (void) err;
    modulus *= 0.75 / sqrt(material->radius_m);
    cf_mapping_add(m, "young", "Pa", 2 * (1 - poisson * poisson) * modulus * (wall ? M_SQRT2 : 1),
                   CF_OF_BOTH,
                   wall ? "2 (1 - nu^2) E* sqrt 2, for a wall takes R/2" : "2 (1 - nu^2) E*");
    cf_mapping_add(m, "poisson", "1", poisson, CF_OF_BOTH,
                   told ? "(2 - 2 kappa)/(2 - kappa)" : "supposed");
    cf_mapping_add(m, "betan", "1", cf_mapping_parameter(m, "alpha") / (2 * sqrt(1.5)), CF_OF_PAIR,
                   "damping of that e: alpha/(2 sqrt 1.5)");
    if (!isnan(mu))
        cf_mapping_add(m, "frictionAngle", "rad", atan(mu), CF_OF_BOTH,
                       "atan(mu_C), one coefficient");
    return CF_OK;
}

/* "0.3", or "(0.3, 0.2)[body - 1]" where the bodies differ; 0 where it is not known. */
static void argument(const struct cf_mapping *m, const char *name, FILE *out)
{
    double one = cf_mapping_of(m, name, 0), other = cf_mapping_of(m, name, 1);

    if (isnan(one) || one == other)
        fprintf(out, "%s=%.10g", name, isnan(one) ? 0 : one);
    else
        fprintf(out, "%s=(%.10g, %.10g)[body - 1]", name, one, other);
}

/* K_n is by the moduli in series, K_t by their mean. */
static void tell_shear(const struct cf_mapping *m, FILE *out)
{
    double one = cf_mapping_of(m, "young", 0), other = cf_mapping_of(m, "young", 1);

    if (one != other && !isnan(m->material->tangential.mu_C))
        cf_export_comment(m, out,
                          "K_t is %.4g times what it is with two bodies of one modulus: Yade takes "
                          "the mean of both shear moduli",
                          (one + other) * (one + other) / (4 * one * other));
}

static void one(const struct cf_mapping *m, size_t i, FILE *out)
{
    tell_shear(m, out);
    fprintf(out, "def contactfit_material_%zu(density, label, body=1):\n    return FrictMat(",
            i + 1);
    argument(m, "young", out);
    fprintf(out, ", ");
    argument(m, "poisson", out);
    fprintf(out, ", ");
    argument(m, "frictionAngle", out);
    fprintf(out,
            ",\n                    density=density, label=label)\n\n"
            "def contactfit_physics_%zu(a, b):\n"
            "    # a, b: numbers of the two materials in O.materials%s\n"
            "    return Ip2_FrictMat_FrictMat_MindlinPhys(\n"
            "        betan=MatchMaker(matches=((a, b, %.10g),)))\n",
            i + 1,
            cf_export_same_material(&m->material->body[0], &m->material->body[1])
                ? ", which may be one"
                : "",
            cf_mapping_value(m, "betan"));
}

/* One functor serves all contacts of a scene. */
static int write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    int status = cf_export_each(m, n, out, err);

    if (n < 2 || status)
        return status;
    fprintf(out,
            "\n# all of them, for one scene: pairs of numbers of materials in O.materials, one "
            "a fit\ndef contactfit_physics(*pairs):\n    betan = (");
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%.10g", i ? ", " : "", cf_mapping_value(m[i], "betan"));
    fprintf(out, ")\n    return Ip2_FrictMat_FrictMat_MindlinPhys(betan=MatchMaker(\n"
                 "        matches=tuple((a, b, value) for (a, b), value in zip(pairs, betan))))\n");
    return CF_OK;
}

static const char drop_source[] =
    "import math, sys\n"
    "sys.path.insert(0, sys.argv[1])\n"
    "from yade import *\n"
    "from contactfit_export import contactfit_material_1, contactfit_physics_1\n"
    "R, m, gap, v, h = [float(x) for x in sys.argv[2:7]]\n"
    "density = m/(4/3*math.pi*R**3)\n"
    "a = O.materials.append(contactfit_material_1(density, 'ball'))\n"
    "b = O.materials.append(contactfit_material_1(density, 'plane', 2))\n"
    "O.bodies.append(utils.wall(0, axis=2, sense=1, material=O.materials[b]))\n"
    "ball = O.bodies.append(utils.sphere((0, 0, R + gap), R, material=O.materials[a]))\n"
    "state = O.bodies[ball].state\n"
    "state.vel = (0, 0, -v)\n"
    "O.engines = [\n"
    "    ForceResetter(),\n"
    "    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], verletDist=R),\n"
    "    InteractionLoop([Ig2_Wall_Sphere_ScGeom()], [contactfit_physics_1(a, b)],\n"
    "                    [Law2_ScGeom_MindlinPhys_Mindlin()]),\n"
    "    NewtonIntegrator(damping=0)]\n"
    "O.dt = h\n"
    "with open(sys.argv[1] + '/trajectory', 'w') as out:\n"
    "    for i in range(int(sys.argv[7]) + 1):\n"
    "        out.write('%.17g %.17g %.17g\\n' % (i*h, R - state.pos[2], -state.vel[2]))\n"
    "        O.step()\n";

/* No window, and an end with the script. */
static const char *const command[] = {"yade", "-n", "-x", NULL};

static const struct cf_runner runner = {
    .install = "apt-get install yade",
    .command = command,
    .file = "contactfit_export.py",
    .script = "drop.py",
    .source = drop_source,
};

static const struct cf_join joins[] = {{"young", CF_JOINED_SERIES, .neutral = (double) NAN},
                                       {"frictionAngle", CF_JOINED_SMALLER},
                                       {0}};

const struct cf_target cf_target_yade = {
    .joins = joins,
    .name = "yade",
    .title = "Yade",
    .what = "Python: material of both bodies and damping of the pair",
    .formula = "Hertz-Mindlin, F = (4/3) E* sqrt(R*) x^1.5 + c x^0.25 xdot >= 0, "
               "c = 2 sqrt(1.5) betan sqrt(k m*)",
    .pair_rule =
        "moduli of equal materials; betan by MatchMaker; the smaller friction angle; R/2 for "
        "R* at a wall",
    .source = "Yade, revision a6084d6c: pkg/dem/HertzMindlin.cpp",
    .checked = "run by --verify: Yade 2023.02a, apt-get install yade",
    .comment = {"# ", ""},
    .needs = CF_NEEDS_RADIUS,
    .takes = CF_TAKES_MU_C | CF_TAKES_KAPPA,
    .exactness = exactness,
    .run = run,
    .fill = fill,
    .write = write,
    .opening = "from yade import FrictMat, MatchMaker, Ip2_FrictMat_FrictMat_MindlinPhys\n",
    .one = one,
    .prepare = cf_runner_prepare,
    .drop = cf_runner_drop,
    .runner = &runner,
    .tolerance_e = 5e-4,
    .tolerance_depth = 2e-3,
};
