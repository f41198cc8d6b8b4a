// Two spheres meet in Bullet, with the export of contactfit: arguments are both radii, both masses
// (0: held), speed, step, and how many impacts to try, each from another place of the touch within
// a step. Prints the lowest and the highest e. It shares nothing with what writes or predicts.
#include "export.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>

struct pair {
    double R1, R2, m1, m2;
};

static double impact(const pair &p, double v, double h, double gap)
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity(btVector3(0, 0, 0));
    btSphereShape small(p.R1), large(p.R2);
    btVector3 turning(0, 0, 0), other(0, 0, 0);
    small.calculateLocalInertia(p.m1, turning);
    if (p.m2 > 0)
        large.calculateLocalInertia(p.m2, other);
    btRigidBody a(p.m1, nullptr, &small, turning), b(p.m2, nullptr, &large, other);
    contactfit_bodies_1(&a, &b);
    btTransform place = btTransform::getIdentity();
    // the first is where floats are finest
    place.setOrigin(btVector3(gap, 0, 0));
    a.setWorldTransform(place);
    a.setInterpolationWorldTransform(place);
    place.setOrigin(btVector3(-(p.R1 + p.R2), 0, 0));
    b.setWorldTransform(place);
    b.setInterpolationWorldTransform(place);
    a.setLinearVelocity(btVector3(-v, 0, 0));
    a.setActivationState(DISABLE_DEACTIVATION);
    b.setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(&a);
    world.addRigidBody(&b);
    double e = NAN;
    bool touched = false;
    for (long i = 0; i < 1000000 && std::isnan(e); i++) {
        world.stepSimulation(h, 1, h);
        double apart = (a.getWorldTransform().getOrigin() - b.getWorldTransform().getOrigin())
                           .length() - (p.R1 + p.R2);
        double rate = a.getLinearVelocity().x() - b.getLinearVelocity().x();
        touched = touched || apart < 0;
        if (touched && apart >= 0 && rate > 0)
            e = rate / v;
    }
    world.removeRigidBody(&a);
    world.removeRigidBody(&b);
    return e;
}

int main(int, char **arg)
{
    const pair p = {atof(arg[1]), atof(arg[2]), atof(arg[3]), atof(arg[4])};
    double v = atof(arg[5]), h = atof(arg[6]), low = 9, high = -9;
    int n = atoi(arg[7]);
    for (int i = 0; i < n; i++) {
        double e = impact(p, v, h, v * h * (i + 0.5) / n);
        if (std::isnan(e)) {
            printf("stays");
            return 1;
        }
        low = std::fmin(low, e);
        high = std::fmax(high, e);
    }
    printf("%.6f %.6f", low, high);
}
