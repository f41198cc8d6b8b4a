/* A ball that bounces in Bullet by a fitted e(v), at steps of 1 ms.
 *
 *     contactfit export --to c-header golf_ball_bounces.json -o restitution.h
 *     c++ drop_bullet.cpp -o drop_bullet $(pkg-config --cflags --libs bullet)
 *     ./drop_bullet 1.2
 *
 * drops it from 1.2 m, and prints the speeds before and after each bounce, and their ratio. What
 * touches at one point bounces so; of a box that lands flat Bullet finds one corner first.
 */

#include <btBulletDynamicsCommon.h>
#include <cstdio>
#include <cstdlib>

#include "restitution.h"

static const btScalar radius = 0.021, mass = 0.0415, gravity = 9.81, h = 1e-3;

static btVector3 velocity_at(const btCollisionObject *object, const btVector3 &place)
{
    const btRigidBody *body = btRigidBody::upcast(object);
    return body ? body->getVelocityInLocalPoint(place - body->getCenterOfMassPosition())
                : btVector3(0, 0, 0);
}

/* Called for each contact point, after its distance is known and before it is solved: e at the
 * speed at which the two bodies meet. A point that is still open would stop the ball on its way,
 * and take from the bounce what is left of the way: it is put out of reach until it has closed. */
static bool touch(btManifoldPoint &point, void *a, void *b)
{
    const btVector3 va = velocity_at((const btCollisionObject *) a, point.getPositionWorldOnA());
    const btVector3 vb = velocity_at((const btCollisionObject *) b, point.getPositionWorldOnB());

    point.m_combinedRestitution = golf_ball_bounces_e((vb - va).dot(point.m_normalWorldOnB));
    if (point.getDistance() > 0)
        point.setDistance(BT_LARGE_FLOAT);
    return true;
}

int main(int n, char **argument)
{
    const btScalar height = n > 1 ? atof(argument[1]) : 1;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);

    gContactProcessedCallback = touch;
    world.setGravity(btVector3(0, 0, -gravity));
    /* slower than gravity makes them in two steps bodies do not bounce: they lie */
    world.getSolverInfo().m_restitutionVelocityThreshold = 2 * gravity * h;
    /* depth is taken back without a speed, which would be added to that of the bounce */
    world.getSolverInfo().m_splitImpulse = true;
    world.getSolverInfo().m_splitImpulsePenetrationThreshold = 0;

    btStaticPlaneShape plane(btVector3(0, 0, 1), 0);
    btRigidBody floor(0, nullptr, &plane);
    btSphereShape sphere(radius);
    btVector3 inertia;
    sphere.calculateLocalInertia(mass, inertia);
    btRigidBody ball(mass, nullptr, &sphere, inertia);
    btTransform place(btQuaternion::getIdentity(), btVector3(0, 0, radius + height));
    ball.setWorldTransform(place);
    ball.setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(&floor);
    world.addRigidBody(&ball);

    for (int bounces = 0, steps = 0; bounces < 12 && steps < 60000; steps++) {
        const double before = -ball.getLinearVelocity().z();
        world.stepSimulation(h, 1, h);
        const double after = ball.getLinearVelocity().z();
        if (before > 0 && after > 0) {
            std::printf("%.9f %.9f %.6f%s\n", before, after, after / before,
                        golf_ball_bounces_is_fitted(before) ? "" : " EXTRAPOLATED");
            bounces++;
        }
    }
    world.removeRigidBody(&ball);
    world.removeRigidBody(&floor);
    return 0;
}
