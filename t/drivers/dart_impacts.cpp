// Impacts in DART, with exports of contactfit: the argument is a file of lines as impacts.hpp has
// them. exports.h holds set_pair(i, a, b) for the exports, or none is and they are SDF, whose
// restitutions go to both bodies as the new Gazebo does. It shares nothing with what writes or
// predicts.
#include "impacts.hpp"
#include <dart/dart.hpp>
using namespace dart::dynamics;
#ifdef SDF
static void set_pair(int, const std::string &file, DynamicsAspect *a, DynamicsAspect *b)
{
    std::ifstream in(file);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const std::string name = "<restitution_coefficient>";
    size_t at = 0;
    for (DynamicsAspect *body : {a, b}) {
        at = text.find(name, at) + name.size();
        body->setRestitutionCoeff(atof(text.c_str() + at));
    }
}
#else
#    include "exports.h"
#endif

// A body that slides along z; it is held where it has no mass.
static ShapeNode *add(const dart::simulation::WorldPtr &world, const std::shared_ptr<Shape> &shape,
                      double m, double z, double v)
{
    static int count = 0;
    auto skeleton = Skeleton::create("body" + std::to_string(count++));
    auto slider = skeleton->createJointAndBodyNodePair<PrismaticJoint>();
    slider.first->setAxis(Eigen::Vector3d::UnitZ());
    auto node = slider.second->createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape);
    if (m > 0) {
        Inertia inertia;
        inertia.setMass(m);
        inertia.setMoment(shape->computeInertia(m));
        slider.second->setInertia(inertia);
    } else {
        skeleton->setMobile(false);
    }
    slider.first->setPosition(0, z);
    slider.first->setVelocity(0, v);
    world->addSkeleton(skeleton);
    return node;
}

static double impact(int i, const pair &p, double gap)
{
    auto world = dart::simulation::World::create();
    world->setGravity(Eigen::Vector3d(0, 0, -p.g));
    world->setTimeStep(p.h);
    // spheres as they are, not as the meshes that FCL makes of them; but DART's own detector lets
    // two whose centres are less than 1 mm apart through each other
    if (p.R2 == 0 || p.R1 + p.R2 > 1e-3)
        world->getConstraintSolver()->setCollisionDetector(
            dart::collision::DARTCollisionDetector::create());
    // deep enough for what a step goes: below its middle the ball would leave by another face
    double size = 20 * p.R1 + 4 * p.v * p.h;
    ShapeNode *b = p.R2 > 0
                       ? add(world, std::make_shared<SphereShape>(p.R2), p.m2, -p.R2, 0)
                       : add(world, std::make_shared<BoxShape>(Eigen::Vector3d::Constant(size)), 0,
                             -size / 2, 0);
    ShapeNode *a =
        add(world, std::make_shared<SphereShape>(p.R1), p.m1, p.R1 + gap, -p.rate_at(gap));
    set_pair(i, p.file, a->getDynamicsAspect(), b->getDynamicsAspect());
    auto at = [](ShapeNode *s) { return s->getSkeleton()->getJoint(0); };
    double apart = p.R1 + (p.R2 > 0 ? p.R2 : size / 2);
    return see(
        p, [&] { world->step(); },
        [&] { return apart - (at(a)->getPosition(0) - at(b)->getPosition(0)); },
        [&] { return at(b)->getVelocity(0) - at(a)->getVelocity(0); });
}

int main(int, char **arg)
{
    return run_impacts(arg[1], impact);
}
