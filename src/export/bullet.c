/* Bullet: contact stiffness and damping of rigid bodies.
 *
 * The two bodies' stiffnesses are joined in series, 1/(1/k1 + 1/k2), and their dampings added; the
 * contact is a soft constraint, erp = h K/(h K + C) and cfm = 1/(h K + C), solved backward in time,
 * and a gap that would close within a step is let close by what the constraint allows. Both bodies
 * must be set: a body that is not has a damping of 0.1 N s/m. Restitution bounces are cut off below
 * 0.2 m/s, so e is the damper's here. Read in Bullet 3.27,
 * BulletCollision/CollisionDispatch/btManifoldResult.cpp and
 * BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.cpp, and run in 3.24.
 */

#include <math.h>

#include "export/built.h"
#include "export/families.h"
#include "export/rows.h"

const double cf_bullet_rigid = 1e18;

int cf_bullet_run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    return cf_run_linear(m, CF_SCHEME_AHEAD, curves, err);
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
    cf_mapping_add(m, stiffness, "N/m", cf_mapping_parameter(m, "k"), CF_OF_BODY_1,
                   "the pair's: the other is rigid");
    cf_mapping_add(m, damping, "N s/m", cf_mapping_parameter(m, "lambda"), CF_OF_BODY_1,
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

static void one(const struct cf_mapping *m, size_t i, FILE *out)
{
    double mu = cf_mapping_value(m, "friction"), K = cf_mapping_value(m, "contactStiffness");

    fprintf(out,
            "static void contactfit_bodies_%zu(btCollisionObject *a, btCollisionObject *b)\n{\n",
            i + 1);
    if (!isnan(K))
        fprintf(out,
                "    a->setContactStiffnessAndDamping(%.10g, %.10g);\n"
                "    b->setContactStiffnessAndDamping(%.10g, 0);\n"
                "    a->setRestitution(0);\n"
                "    b->setRestitution(0);\n",
                K, cf_mapping_value(m, "contactDamping"), cf_bullet_rigid);
    if (!isnan(mu))
        fprintf(out, "    a->setFriction(%.10g);\n    b->setFriction(1);\n", mu);
    fprintf(out, "}\n");
}

/* The plane stands at -R, so that the sphere is near 0, where floats are finest. */
static const char drop_source[] = CF_BUILT_INCLUDES CF_BUILT_MAIN
    "    btDefaultCollisionConfiguration configuration;\n"
    "    btCollisionDispatcher dispatcher(&configuration);\n"
    "    btDbvtBroadphase broadphase;\n"
    "    btSequentialImpulseConstraintSolver solver;\n"
    "    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);\n"
    "    world.setGravity(btVector3(0, 0, 0));\n"
    "    btStaticPlaneShape plane(btVector3(0, 0, 1), -R);\n"
    "    btSphereShape sphere(R);\n"
    "    btVector3 inertia;\n"
    "    sphere.calculateLocalInertia(m, inertia);\n"
    "    btRigidBody ground(0, nullptr, &plane), ball(m, nullptr, &sphere, inertia);\n"
    "    contactfit_bodies_1(&ball, &ground);\n"
    "    btTransform place;\n"
    "    place.setIdentity();\n"
    "    place.setOrigin(btVector3(0, 0, gap));\n"
    "    ball.setWorldTransform(place);\n"
    "    ball.setInterpolationWorldTransform(place);\n"
    "    ball.setLinearVelocity(btVector3(0, 0, -v));\n"
    "    ball.setActivationState(DISABLE_DEACTIVATION);\n"
    "    world.addRigidBody(&ground);\n"
    "    world.addRigidBody(&ball);\n"
    "    for (long i = 0; i <= n; i++) {\n"
    "        double z = ball.getWorldTransform().getOrigin().z();\n"
    "        fprintf(out, \"%.17g %.17g %.17g\\n\", i * h, -z,\n"
    "                -double(ball.getLinearVelocity().z()));\n"
    "        world.stepSimulation(h, 1, h);\n"
    "    }\n"
    "    world.removeRigidBody(&ball);\n"
    "    world.removeRigidBody(&ground);\n"
    "    return fclose(out) != 0;\n"
    "}\n";

static const struct cf_built built = {
    .title = "Bullet",
    .module = "bullet",
    .install = "apt-get install libbullet-dev pkgconf g++",
    .source = drop_source,
};

const struct cf_target cf_target_bullet = {
    .name = "bullet",
    .title = "Bullet",
    .what = "C++: contact stiffness and damping of both bodies",
    .formula = "f = K (x + h v') + C v' >= 0; erp = h K/(h K + C), cfm = 1/(h K + C)",
    .pair_rule = "stiffnesses in series, dampings added, frictions multiplied",
    .source = "Bullet 3.27: btManifoldResult.cpp, btSequentialImpulseConstraintSolver.cpp",
    .checked = "run by --verify: Bullet 3.24, apt-get install libbullet-dev pkgconf g++",
    .comment = {"// ", ""},
    .needs = CF_NEEDS_MASS,
    .takes = CF_TAKES_MU_C,
    .exactness = cf_exactness_linear,
    .run = cf_bullet_run,
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
