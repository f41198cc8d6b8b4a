// Impacts in Bullet, with exports of contactfit: the argument is a file of lines as impacts.hpp has
// them. exports.h holds set_pair(i, a, b) for the exports, or none is and they are URDF, whose
// <contact> is given to both bodies as Bullet's importer does; with SETTINGS it also holds
// set_world(i, world). With BOX a cube of side 2 R1 lands
// flat in place of the ball. It shares nothing with what writes or predicts.
#include "impacts.hpp"
#include <btBulletDynamicsCommon.h>
#ifndef BOX
#    define BOX 0
#endif
#ifdef URDF
// value k of the tag in a file
static double tag(const std::string &path, const std::string &name, int k)
{
    std::ifstream in(path);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    size_t at = 0;
    for (int i = 0; i <= k; i++)
        at = text.find("<" + name + " value=\"", at) + name.size() + 9;
    return atof(text.c_str() + at);
}
static void set_pair(int, const std::string &file, btRigidBody *a, btRigidBody *b)
{
    btRigidBody *body[] = {a, b};
    for (int k = 0; k < 2; k++) {
        body[k]->setContactStiffnessAndDamping(tag(file, "stiffness", k), tag(file, "damping", k));
        body[k]->setRestitution(tag(file, "restitution", k));
    }
}
#else
#    include "exports.h"
#endif

static double impact(int i, const pair &p, double gap)
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity(btVector3(-p.g, 0, 0));
    gContactBreakingThreshold = 0.02; // as it is at the start
#ifdef SETTINGS
    set_world(i, &world);
#endif
    btSphereShape round(p.R1), sphere(p.R2 > 0 ? p.R2 : 1);
    btBoxShape box(btVector3(p.R1, p.R1, p.R1));
    btCollisionShape &ball = BOX ? (btCollisionShape &) box : round;
    // a plane meets a face point by point, a block all of it at once
    btStaticPlaneShape level(btVector3(1, 0, 0), 0);
    btBoxShape block(btVector3(2 * p.R1, 2 * p.R1, 2 * p.R1));
    btCollisionShape &plane = BOX ? (btCollisionShape &) block : level;
    btCollisionShape *other = p.R2 > 0 ? (btCollisionShape *) &sphere : &plane;
    btVector3 turning(0, 0, 0), others(0, 0, 0);
    ball.calculateLocalInertia(p.m1, turning);
    if (p.m2 > 0)
        other->calculateLocalInertia(p.m2, others);
    btRigidBody a(p.m1, nullptr, &ball, turning), b(p.m2, nullptr, other, others);
    set_pair(i, p.file, &a, &b);
    btTransform place = btTransform::getIdentity();
    place.setOrigin(btVector3(p.R1 + gap, 0, 0));
    a.setWorldTransform(place);
    a.setInterpolationWorldTransform(place);
    place.setOrigin(btVector3(BOX ? -2 * p.R1 : -p.R2, 0, 0)); // a plane is at 0
    b.setWorldTransform(place);
    b.setInterpolationWorldTransform(place);
    a.setLinearVelocity(btVector3(-p.rate_at(gap), 0, 0));
    a.setActivationState(DISABLE_DEACTIVATION);
    b.setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(&a);
    world.addRigidBody(&b);
    double apart = p.R1 + (BOX ? 2 * p.R1 : p.R2);
    double e = see(
        p, [&] { world.stepSimulation(p.h, 1, p.h); },
        [&] {
            return apart - (double(a.getWorldTransform().getOrigin().x()) -
                            double(b.getWorldTransform().getOrigin().x()));
        },
        [&] { return double(b.getLinearVelocity().x()) - a.getLinearVelocity().x(); });
    world.removeRigidBody(&a);
    world.removeRigidBody(&b);
    return e;
}

int main(int, char **arg)
{
    return run_impacts(arg[1], impact);
}
