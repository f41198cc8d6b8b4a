/* A ball that bounces in DART by a fitted e(v), at steps of 1 ms.
 *
 *     contactfit export --to c-header golf_ball_bounces.json -o restitution.h
 *     c++ drop_dart.cpp -o drop_dart $(pkg-config --cflags --libs dart) -std=c++17
 *     ./drop_dart 1.2
 *
 * drops it from 1.2 m, and prints the speeds before and after each bounce, and their ratio. DART
 * lets nothing bounce that would leave at 0.1 m/s or slower.
 */

#include <cstdio>
#include <cstdlib>
#include <dart/dart.hpp>

#include "restitution.h"

using namespace dart::dynamics;

static const double radius = 0.021, mass = 0.0415, gravity = 9.81, h = 1e-3;

int main(int n, char **argument)
{
    const double height = n > 1 ? std::atof(argument[1]) : 1, size = 10;
    auto world = dart::simulation::World::create();
    world->setGravity(Eigen::Vector3d(0, 0, -gravity));
    world->setTimeStep(h);
    /* the usual detector makes meshes of spheres, which touch beside their middle */
    world->getConstraintSolver()->setCollisionDetector(
        dart::collision::DARTCollisionDetector::create());

    auto floor = Skeleton::create("floor"), ball = Skeleton::create("ball");
    auto slab = floor->createJointAndBodyNodePair<WeldJoint>()
                    .second->createShapeNodeWith<CollisionAspect, DynamicsAspect>(
                        std::make_shared<BoxShape>(Eigen::Vector3d::Constant(size)));
    slab->setRelativeTranslation(Eigen::Vector3d(0, 0, -size / 2));
    floor->setMobile(false);

    auto body = ball->createJointAndBodyNodePair<FreeJoint>().second;
    auto sphere = std::make_shared<SphereShape>(radius);
    auto shape = body->createShapeNodeWith<CollisionAspect, DynamicsAspect>(sphere);
    body->setInertia(Inertia(mass, Eigen::Vector3d::Zero(), sphere->computeInertia(mass)));
    ball->setPosition(5, radius + height);
    world->addSkeleton(floor);
    world->addSkeleton(ball);

    /* the restitutions of two shapes are multiplied: the ball's is that of the pair */
    auto aspect = shape->getDynamicsAspect();
    slab->getDynamicsAspect()->setRestitutionCoeff(1);

    for (int bounces = 0, steps = 0; bounces < 12 && steps < 60000; steps++) {
        /* gravity first, then contacts: they meet at this speed, if they meet in this step */
        const double before = -body->getLinearVelocity().z() + gravity * h;
        aspect->setRestitutionCoeff(golf_ball_bounces_e(before));
        world->step();
        const double after = body->getLinearVelocity().z();
        if (before > 2 * gravity * h && after > 0.5 * before * aspect->getRestitutionCoeff()) {
            std::printf("%.9f %.9f %.6f%s\n", before, after, after / before,
                        golf_ball_bounces_is_fitted(before) ? "" : " EXTRAPOLATED");
            bounces++;
        }
    }
    return 0;
}
