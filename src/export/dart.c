/* DART: a coefficient of restitution.
 *
 * The pair has the product of both bodies' restitutions and the smaller of their frictions. A
 * contact that would leave at 0.1 m/s or slower does not bounce: with e = 0.853 one at 0.1172 m/s
 * stayed, one at 0.1173 m/s left. Read in DART
 * of 2021, revision 00fa1711, dart/constraint/ContactConstraint.cpp, and run in 6.12.
 */

#include <math.h>

#include "export/built.h"
#include "export/join.h"
#include "export/rows.h"

/* DART_BOUNCING_VELOCITY_THRESHOLD, of the way out */
static const double still_m_s = 0.1;

int cf_run_dart(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    int status = cf_run_restitution(m, curves, err);
    m->twin.still_m_s = still_m_s / m->twin.e;
    return status;
}

/* DART_ERP; depths of 0.6 m showed no cap of the speed of it */
static const double taken_back = 0.01;

void cf_dart_adds(struct cf_mapping *m)
{
    m->twin.engine.bounces_kick = true;
    m->twin.engine.taken_back = taken_back;
}

static void fill_friction(struct cf_mapping *m)
{
    double mu = m->material->tangential.mu_C;

    if (!isnan(mu))
        cf_mapping_add(m, "friction", "1", mu, CF_OF_BOTH,
                       "mu_C, held along two directions by themselves: between them friction is "
                       "up to 1.41 of it");
}

static int fill(struct cf_mapping *m, struct cf_error *err)
{
    (void) err;
    cf_mapping_add(m, "restitution", "1", m->twin.e, CF_OF_BODY_1, "e");
    cf_mapping_add(m, "restitution", "1", 1, CF_OF_BODY_2, "restitutions are multiplied");
    fill_friction(m);
    return CF_OK;
}

static void one(const struct cf_mapping *m, size_t i, FILE *out)
{
    double mu = cf_mapping_value(m, "friction"), e = cf_mapping_value(m, "restitution");
    fprintf(out,
            "static void contactfit_bodies_%zu(dart::dynamics::DynamicsAspect &a,\n"
            "                                dart::dynamics::DynamicsAspect &b)\n{\n",
            i + 1);
    if (!isnan(e))
        fprintf(out, "    a.setRestitutionCoeff(%.10g);\n    b.setRestitutionCoeff(%.10g);\n",
                cf_mapping_of(m, "restitution", 0), cf_mapping_of(m, "restitution", 1));
    if (!isnan(mu))
        fprintf(out, "    a.setFrictionCoeff(%.10g);\n    b.setFrictionCoeff(%.10g);\n",
                cf_mapping_of(m, "friction", 0), cf_mapping_of(m, "friction", 1));
    fprintf(out, "}\n");
}

static void joint_dof(const struct cf_mapping *m, size_t i, FILE *out)
{
    fprintf(
        out,
        "static void contactfit_joint_%zu(dart::dynamics::Joint &joint, std::size_t dof = 0)\n{\n"
        "    joint.setCoulombFriction(dof, %.10g);\n"
        "    joint.setDampingCoefficient(dof, %.10g);\n}\n",
        i + 1, cf_mapping_value(m, "CoulombFriction"), cf_mapping_value(m, "DampingCoefficient"));
}

static const struct cf_friction_joint joint = {
    .dry = "CoulombFriction",
    .viscous = "DampingCoefficient",
    .opening = "#include <dart/dynamics/Joint.hpp>\n\n",
    .one = joint_dof,
    .closing = "",
};

/* A slider, for a free body's way is the same and its degrees of freedom are more to write. */
static const char drop_source[] = CF_BUILT_INCLUDES
    "#include <dart/dart.hpp>\n"
    "using namespace dart::dynamics;\n" CF_BUILT_MAIN "    double size = 100 * R;\n"
    "    auto world = dart::simulation::World::create();\n"
    "    world->setGravity(Eigen::Vector3d::Zero());\n"
    "    world->setTimeStep(h);\n"
    "    auto ground = Skeleton::create(\"ground\"), ball = Skeleton::create(\"ball\");\n"
    "    auto floor = ground->createJointAndBodyNodePair<WeldJoint>().second\n"
    "        ->createShapeNodeWith<CollisionAspect, DynamicsAspect>(\n"
    "            std::make_shared<BoxShape>(Eigen::Vector3d::Constant(size)));\n"
    "    floor->setRelativeTranslation(Eigen::Vector3d(0, 0, -size / 2));\n"
    "    ground->setMobile(false);\n"
    "    auto slider = ball->createJointAndBodyNodePair<PrismaticJoint>();\n"
    "    slider.first->setAxis(Eigen::Vector3d::UnitZ());\n"
    "    auto sphere = std::make_shared<SphereShape>(R);\n"
    "    auto shape = slider.second\n"
    "        ->createShapeNodeWith<CollisionAspect, DynamicsAspect>(sphere);\n"
    "    Inertia inertia;\n"
    "    inertia.setMass(m);\n"
    "    inertia.setMoment(sphere->computeInertia(m));\n"
    "    slider.second->setInertia(inertia);\n"
    "    contactfit_bodies_1(*shape->getDynamicsAspect(), *floor->getDynamicsAspect());\n"
    "    slider.first->setPosition(0, R + gap);\n"
    "    slider.first->setVelocity(0, -v);\n"
    "    world->addSkeleton(ground);\n"
    "    world->addSkeleton(ball);\n"
    "    for (long i = 0; i <= n; i++) {\n"
    "        fprintf(out, \"%.17g %.17g %.17g\\n\", i * h, R - slider.first->getPosition(0),\n"
    "                -slider.first->getVelocity(0));\n"
    "        world->step();\n"
    "    }\n"
    "    return fclose(out) != 0;\n"
    "}\n";

static const struct cf_built built = {
    .title = "DART",
    .module = "dart",
    .install = "apt-get install libdart-dev libdart-external-ikfast-dev "
               "libdart-external-odelcpsolver-dev pkgconf g++",
    .source = drop_source,
};

static const struct cf_join joins[] = {
    {"restitution", CF_JOINED_PRODUCT, .neutral = 1}, {"friction", CF_JOINED_SMALLER}, {0}};

const struct cf_target cf_target_dart = {
    .joins = joins,
    .name = "dart",
    .only_e = true,
    .title = "DART",
    .what = "C++: restitution and friction of both bodies",
    .formula = "v' = e v where that is above 0.1 m/s, else 0",
    .pair_rule = "restitutions multiplied, friction the smaller",
    .source = "DART of 2021, revision 00fa1711: dart/constraint/ContactConstraint.cpp",
    .checked = "run by --verify: DART 6.12, apt-get install libdart-dev "
               "libdart-external-ikfast-dev libdart-external-odelcpsolver-dev pkgconf g++",
    .comment = {"// ", ""},
    .takes = CF_TAKES_MU_C,
    .exactness = cf_exactness_restitution,
    .run = cf_run_dart,
    .adds = cf_dart_adds,
    .fill = fill,
    .fill_friction = fill_friction,
    .joint = &joint,
    .write = cf_export_each,
    .opening = "#include <dart/dynamics/ShapeNode.hpp>\n",
    .one = one,
    .prepare = cf_built_prepare,
    .drop = cf_built_drop,
    .built = &built,
    .tolerance_e = 1e-5,
    .pushed_out = 0.01, /* taken_back */
};
