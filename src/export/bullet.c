/* Bullet: contact stiffness and damping of rigid bodies.
 *
 * The two bodies' stiffnesses are joined in series, 1/(1/k1 + 1/k2), and their dampings added; the
 * contact is a soft constraint, erp = h K/(h K + C) and cfm = 1/(h K + C), solved backward in time.
 * A sphere that nears a plane, or another convex body, is seen before it touches: a gap that would
 * close within a step is let close by what the constraint allows. Two spheres are seen only once
 * they overlap, and so are two boxes, all points of a face at once; a plane meets a face point by
 * point, and rocks it. Both bodies must be set: a body that is not has a damping of 0.1 N s/m.
 * Restitution bounces are cut off below 0.2 m/s, so e is the damper's here. Read in Bullet 3.27,
 * BulletCollision/CollisionDispatch/btManifoldResult.cpp and btSphereSphereCollisionAlgorithm.cpp,
 * BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.cpp, and run in 3.24.
 */

#include <math.h>

#include "export/built.h"
#include "export/families.h"
#include "export/predict.h"
#include "export/rows.h"

const double cf_bullet_rigid = CF_BULLET_RIGID;

int cf_bullet_run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    bool ahead = !cf_export_two_spheres(m->material) && m->question.points <= 1;
    return cf_run_linear(m, ahead ? CF_SCHEME_AHEAD : CF_SCHEME_BACKWARD, curves, err);
}

/* A contact is seen as far ahead as 0.02 of half the diagonal of the smaller body's box, gContact-
 * BreakingThreshold of btCollisionShape::getContactBreakingThreshold(): of a sphere's, sqrt 3 of
 * its radius. And m_splitImpulsePenetrationThreshold. */
static const double breaking_threshold = 0.02, split_m = 0.04;

void cf_bullet_adds(struct cf_mapping *m)
{
    double radius = m->material->radius_m;

    if (m->question.settings)
        return;
    m->twin.engine.split_m = split_m;
    if (radius > 0 && isfinite(radius))
        m->twin.engine.sees_m = breaking_threshold * sqrt(3) * radius;
}

void cf_bullet_fill_friction(struct cf_mapping *m, const char *friction)
{
    double mu = m->material->tangential.mu_C;

    if (isnan(mu))
        return;
    cf_mapping_add(m, friction, "1", mu, CF_OF_BODY_1, "one coefficient: mu_C");
    cf_mapping_add(m, friction, "1", 1, CF_OF_BODY_2, "frictions are multiplied");
}

void cf_bullet_fill(struct cf_mapping *m, const char *stiffness, const char *damping,
                    const char *friction)
{
    double share = cf_export_share(m);

    cf_mapping_add(m, stiffness, "N/m", share * cf_mapping_parameter(m, "k"), CF_OF_BODY_1,
                   "the pair's: the other is rigid");
    cf_mapping_add(m, damping, "N s/m", share * cf_mapping_parameter(m, "lambda"), CF_OF_BODY_1,
                   "the pair's: the other has none");
    cf_mapping_add(m, stiffness, "N/m", cf_bullet_rigid, CF_OF_BODY_2, "rigid");
    cf_mapping_add(m, damping, "N s/m", 0, CF_OF_BODY_2, "none");
    cf_bullet_fill_friction(m, friction);
}

static void fill_friction(struct cf_mapping *m)
{
    cf_bullet_fill_friction(m, "friction");
}

static int fill(struct cf_mapping *m, struct cf_error *err)
{
    (void) err;
    cf_bullet_fill(m, "contactStiffness", "contactDamping", "friction");
    return CF_OK;
}

/* How far ahead a contact is to be seen: beyond what a body goes in a step, gravity's kick of it
 * among that. */
static double ahead_m(const struct cf_mapping *m)
{
    const double beyond = 1.5;
    double kick = m->twin.gravity_m_s2 * m->question.dt_s;

    return beyond * (cf_export_way(m) + kick * m->question.dt_s);
}

static void settings(const struct cf_mapping *m, size_t i, FILE *out)
{
    const char *mark = m->question.settings ? "" : "// ";

    if (isnan(cf_mapping_value(m, "contactStiffness")) || !(ahead_m(m) > 0))
        return;
    cf_export_comment(
        m, out, "%s",
        m->question.settings
            ? "for the world: e above is with these"
            : "e above is with Bullet as it comes: it sees a contact 0.035 radii ahead, "
              "and from 0.04 m of depth splits impulses; the option engine-settings "
              "chooses for these, which change all of the scene");
    fprintf(
        out,
        "%sstatic void contactfit_world_%zu(btDiscreteDynamicsWorld *world)\n%s{\n"
        "%s    auto *dispatcher = static_cast<btCollisionDispatcher *>(world->getDispatcher());\n"
        "%s    dispatcher->setDispatcherFlags(\n"
        "%s        dispatcher->getDispatcherFlags() &\n"
        "%s        ~btCollisionDispatcher::CD_USE_RELATIVE_CONTACT_BREAKING_THRESHOLD);\n"
        "%s    gContactBreakingThreshold =\n"
        "%s        btMax(gContactBreakingThreshold, btScalar(%.3g));\n"
        "%s    world->getSolverInfo().m_splitImpulse = 0;\n%s}\n",
        mark, i + 1, mark, mark, mark, mark, mark, mark, mark, ahead_m(m), mark, mark);
}

static void one(const struct cf_mapping *m, size_t i, FILE *out)
{
    double mu = cf_mapping_value(m, "friction"), K = cf_mapping_value(m, "contactStiffness");
    double rest = cf_mapping_of(m, "contactDamping", 1);

    fprintf(out,
            "static void contactfit_bodies_%zu(btCollisionObject *a, btCollisionObject *b)\n{\n",
            i + 1);
    if (!isnan(K))
        fprintf(out,
                "    a->setContactStiffnessAndDamping(%.10g, %.10g);\n"
                "    b->setContactStiffnessAndDamping(%.10g, %.10g);\n"
                "    a->setRestitution(0);\n"
                "    b->setRestitution(0);\n",
                cf_mapping_of(m, "contactStiffness", 0), cf_mapping_of(m, "contactDamping", 0),
                cf_mapping_of(m, "contactStiffness", 1), rest);
    if (!isnan(mu))
        fprintf(out, "    a->setFriction(%.10g);\n    b->setFriction(%.10g);\n",
                cf_mapping_of(m, "friction", 0), cf_mapping_of(m, "friction", 1));
    fprintf(out, "}\n");
    settings(m, i, out);
}

/* The other body stands below 0, so that the ball is near 0, where floats are finest. */
#define DROP_WORLD                                                                                 \
    CF_BUILT_INCLUDES CF_BUILT_MAIN                                                                \
        "    btDefaultCollisionConfiguration configuration;\n"                                     \
        "    btCollisionDispatcher dispatcher(&configuration);\n"                                  \
        "    btDbvtBroadphase broadphase;\n"                                                       \
        "    btSequentialImpulseConstraintSolver solver;\n"                                        \
        "    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);\n"  \
        "    world.setGravity(btVector3(0, 0, 0));\n"                                              \
        "    btTransform place;\n"                                                                 \
        "    place.setIdentity();\n"                                                               \
        "    btVector3 inertia;\n"
#define DROP_RUN                                                                                   \
    "    sphere.calculateLocalInertia(m, inertia);\n"                                              \
    "    btRigidBody ball(m, nullptr, &sphere, inertia);\n"                                        \
    "    contactfit_bodies_1(&ball, &ground);\n"                                                   \
    "    place.setOrigin(btVector3(0, 0, gap));\n"                                                 \
    "    ball.setWorldTransform(place);\n"                                                         \
    "    ball.setInterpolationWorldTransform(place);\n"                                            \
    "    ball.setLinearVelocity(btVector3(0, 0, -v));\n"                                           \
    "    ball.setActivationState(DISABLE_DEACTIVATION);\n"                                         \
    "    world.addRigidBody(&ground);\n"                                                           \
    "    world.addRigidBody(&ball);\n"                                                             \
    "    for (long i = 0; i <= n; i++) {\n"                                                        \
    "        double z = ball.getWorldTransform().getOrigin().z();\n"                               \
    "        fprintf(out, \"%.17g %.17g %.17g\\n\", i * h, -z,\n"                                  \
    "                -double(ball.getLinearVelocity().z()));\n"                                    \
    "        world.stepSimulation(h, 1, h);\n"                                                     \
    "    }\n"                                                                                      \
    "    world.removeRigidBody(&ball);\n"                                                          \
    "    world.removeRigidBody(&ground);\n"                                                        \
    "    return fclose(out) != 0;\n"                                                               \
    "}\n"

static const char drop_source[] =
    DROP_WORLD "    btStaticPlaneShape plane(btVector3(0, 0, 1), -R);\n"
               "    btSphereShape sphere(R);\n"
               "    btRigidBody ground(0, nullptr, &plane);\n" DROP_RUN;

/* R is that of the pair: of two spheres that are equal, each has twice as much. */
static const char two_spheres_source[] =
    DROP_WORLD "    btSphereShape sphere(2 * R);\n"
               "    btRigidBody ground(0, nullptr, &sphere);\n"
               "    place.setOrigin(btVector3(0, 0, -4 * R));\n"
               "    ground.setWorldTransform(place);\n"
               "    ground.setInterpolationWorldTransform(place);\n" DROP_RUN;

static const struct cf_built built = {
    .title = "Bullet",
    .module = "bullet",
    .install = "apt-get install libbullet-dev pkgconf g++",
    .source = drop_source,
    .two_spheres = two_spheres_source,
};

static const struct cf_join joins[] =
    CF_BULLET_JOINS("contactStiffness", "contactDamping", "friction");

const struct cf_target cf_target_bullet = {
    .joins = joins,
    .name = "bullet",
    .per_point = true,
    .title = "Bullet",
    .what = "C++: contact stiffness and damping of both bodies",
    .formula = "f = K (x + h v') + C v' >= 0; erp = h K/(h K + C), cfm = 1/(h K + C)",
    .pair_rule = "stiffnesses in series, dampings added, frictions multiplied",
    .source = "Bullet 3.27: btManifoldResult.cpp, btSphereSphereCollisionAlgorithm.cpp, "
              "btSequentialImpulseConstraintSolver.cpp",
    .checked = "run by --verify: Bullet 3.24, apt-get install libbullet-dev pkgconf g++",
    .comment = {"// ", ""},
    .needs = CF_NEEDS_MASS,
    .takes = CF_TAKES_MU_C,
    .spring = true,
    .lost_radii = 2,
    .single = true,
    .exactness = cf_exactness_linear,
    .run = cf_bullet_run,
    .adds = cf_bullet_adds,
    .settings = true,
    .fill = fill,
    .fill_friction = fill_friction,
    .write = cf_export_each,
    .opening = "#include <btBulletDynamicsCommon.h>\n",
    .one = one,
    .prepare = cf_built_prepare,
    .drop = cf_built_drop,
    .built = &built,
    .tolerance_e = 1e-4,
};
