/* ESyS-Particle: HertzianViscoElasticPrms, with friction HertzianViscoElasticFrictionPrms.
 *
 * F = (2 E sqrt(R))/(3 (1 - nu^2)) (x^1.5 + A sqrt(x) xdot) >= 0, R = R1 R2/(R1 + R2): its A is
 * lambda/k, 1.5 times that of the theory. Of E and nu only E/(1 - nu^2) = 2 E* counts: nu = 0.
 * Of all particles, whatever their tags: createInteractionGroupTagged() does not take it. Walls
 * have no such interaction. Friction is one coefficient on a
 * linear spring, which is here that of the patch at the design depth, 1.5 k sqrt(x), and of the
 * centres: turning does not enter. Read in ESyS-Particle 2.3.5,
 * Model/HertzianViscoElasticInteraction.cpp and HertzianViscoElasticFrictionInteraction.cpp, and
 * run.
 */

#define _XOPEN_SOURCE 700
#include <math.h>
#include <string.h>

#include "export/rows.h"
#include "export/runner.h"

static enum cf_exactness exactness(const struct cf_law *law, const char **why)
{
    if (strcmp(law->name, "azad-featherstone") == 0) {
        *why = "HertzianViscoElastic is the law itself";
        return CF_EXACTNESS_LAW;
    }
    *why = "its damping is proportional to the width of the patch";
    return CF_EXACTNESS_NONE;
}

/* It moves a particle with the rate that the force at the start of the step has changed. */
static int run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    int status = cf_run_depth(m, curves, err);

    m->twin.scheme = CF_SCHEME_SEMI_IMPLICIT;
    return status;
}

static int fill(struct cf_mapping *m, struct cf_error *err)
{
    double k = cf_mapping_parameter(m, "k");

    double mu = m->material->tangential.mu_C, kappa = m->material->tangential.kappa;

    (void) err;
    cf_mapping_add(m, "A", "s", cf_mapping_parameter(m, "lambda") / k, CF_OF_PAIR, "lambda/k");
    cf_mapping_add(m, "E", "Pa", 1.5 * k / sqrt(m->material->radius_m), CF_OF_PAIR, "2 E*");
    cf_mapping_add(m, "nu", "1", 0, CF_OF_PAIR, "E/(1 - nu^2) is what counts");
    if (!isnan(mu)) {
        cf_mapping_add(m, "dynamicMu", "1", mu, CF_OF_PAIR, "one coefficient: mu_C");
        cf_mapping_add(m, "shearK", "N/m", (isnan(kappa) ? 1 : kappa) * 1.5 * k * sqrt(m->depth_m),
                       CF_OF_PAIR,
                       isnan(kappa) ? "K_n = 1.5 k sqrt(x) at the design speed, supposed"
                                    : "kappa 1.5 k sqrt(x) at the design speed");
    }
    return CF_OK;
}

static void one(const struct cf_mapping *m, size_t i, FILE *out)
{
    double mu = cf_mapping_value(m, "dynamicMu");

    fprintf(out,
            "def contactfit_pair_%zu():\n"
            "    return HertzianViscoElastic%sPrms(name=\"contactfit_%zu\", A=%.10g, E=%.10g, "
            "nu=%.10g",
            i + 1, isnan(mu) ? "" : "Friction", i + 1, cf_mapping_value(m, "A"),
            cf_mapping_value(m, "E"), cf_mapping_value(m, "nu"));
    if (!isnan(mu))
        fprintf(out, ",\n        dynamicMu=%.10g, shearK=%.10g", mu, cf_mapping_value(m, "shearK"));
    fprintf(out, ")\n");
}

/* Two equal spheres of twice the effective mass and radius, head on: there are no walls. */
static const char drop_source[] =
    "import sys\n"
    "from esys.lsm import *\n"
    "from esys.lsm.util import *\n"
    "folder = sys.argv[1]\n"
    "R, m, gap, v, h = [float(x) for x in sys.argv[2:7]]\n"
    "n = int(sys.argv[7])\n"
    "sys.path.insert(0, folder)\n"
    "from contactfit_export import contactfit_pair_1\n"
    "class Log(Runnable):\n"
    "    def __init__(self, sim):\n"
    "        Runnable.__init__(self)\n"
    "        self.sim = sim\n"
    "        self.step = 0\n"
    "        self.out = open(folder + '/trajectory', 'w')\n"
    "    def run(self):\n"
    "        a, b = self.sim.getParticleList()\n"
    "        x = 4*R - abs(b.getPosn()[0] - a.getPosn()[0])\n"
    "        rate = a.getLinearVelocity()[0] - b.getLinearVelocity()[0]\n"
    "        if b.getPosn()[0] < a.getPosn()[0]:\n"
    "            rate = -rate\n"
    "        self.out.write('%.17g %.17g %.17g\\n' % (self.step*h, x, rate))\n"
    "        self.out.flush()\n"
    "        self.step += 1\n"
    "sim = LsmMpi(numWorkerProcesses=1, mpiDimList=[1, 1, 1])\n"
    "sim.initNeighbourSearch(particleType='NRotSphere', gridSpacing=5*R, verletDist=0.2*R)\n"
    "sim.setNumTimeSteps(n)\n"
    "sim.setTimeStepSize(h)\n"
    "sim.setSpatialDomain(BoundingBox(Vec3(-40*R, -40*R, -40*R), Vec3(40*R, 40*R, 40*R)))\n"
    "for i in (0, 1):\n"
    "    s = 1 - 2*i\n"
    "    p = NRotSphere(id=i, posn=Vec3(-s*(2*R + gap/2), 0, 0), radius=2*R, mass=2*m)\n"
    "    p.setLinearVelocity(Vec3(s*v/2, 0, 0))\n"
    "    sim.createParticle(p)\n"
    "sim.createInteractionGroup(contactfit_pair_1())\n"
    "log = Log(sim) # sim does not keep it\n"
    "sim.addPostTimeStepRunnable(log)\n"
    "sim.run()\n";

/* One master and one worker; mpirun asks twice before it runs as root, as in a container. */
static const char *const command[] = {
    "mpirun", "--allow-run-as-root", "--oversubscribe", "-np", "2", "esysparticle", NULL};

static const struct cf_runner runner = {
    .install = "apt-get install esys-particle",
    .command = command,
    .also = "esysparticle",
    .file = "contactfit_export.py",
    .script = "drop.py",
    .source = drop_source,
};

const struct cf_target cf_target_esys = {
    .one_pair = true,
    .name = "esys-particle",
    .title = "ESyS-Particle",
    .what = "Python: the interaction of two particles",
    .formula = "F = 2 E sqrt(R)/(3 (1 - nu^2)) (x^1.5 + A sqrt(x) xdot) >= 0",
    .pair_rule = "none: one interaction for all particles, which knows no tags",
    .source = "ESyS-Particle 2.3.5: Model/HertzianViscoElasticInteraction.cpp, "
              "HertzianViscoElasticFrictionInteraction.cpp",
    .checked = "run by --verify: ESyS-Particle 2.3.5, apt-get install esys-particle",
    .comment = {"# ", ""},
    .needs = CF_NEEDS_RADIUS,
    .takes = CF_TAKES_MU_C | CF_TAKES_KAPPA,
    .approximate = cf_laws_damped_by_patch,
    .exactness = exactness,
    .run = run,
    .fill = fill,
    .write = cf_export_each,
    .opening = "from esys.lsm import HertzianViscoElasticFrictionPrms, HertzianViscoElasticPrms\n",
    .one = one,
    .prepare = cf_runner_prepare,
    .drop = cf_runner_drop,
    .runner = &runner,
    .tolerance_e = 5e-4,
};
