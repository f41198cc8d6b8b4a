// Impacts in Simbody, with exports of contactfit: the argument is a file of lines as impacts.hpp
// has them. exports.h holds material_of(i) for the exports, or none is and they are tables in CSV.
// It shares nothing with what writes or predicts.
#include "impacts.hpp"
#include <Simbody.h>
using namespace SimTK;
#ifdef TABLE
// stiffness, dissipation and frictions follow the names of fit and bodies
static ContactMaterial material_of(int, const std::string &file)
{
    std::ifstream in(file);
    std::string line, cell;
    std::getline(in, line);
    std::getline(in, line);
    std::istringstream row(line);
    double number[5];
    for (int i = 0; i < 8 && std::getline(row, cell, ','); i++)
        if (i >= 3)
            number[i - 3] = atof(cell.c_str());
    return ContactMaterial(number[0], number[1], number[2], number[3], number[4]);
}
#else
#    include "exports.h"
#endif

static double impact(int i, const pair &p, double gap)
{
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    ContactTrackerSubsystem tracker(system);
    CompliantContactSubsystem contact(system, tracker);
    ContactMaterial material = material_of(i, p.file);
    system.setUseUniformBackground(true);
    double other = p.m2 > 0 ? p.m2 : 1;
    Body::Rigid small(MassProperties(p.m1, Vec3(0), UnitInertia::sphere(p.R1) * p.m1));
    Body::Rigid large(MassProperties(other, Vec3(0), UnitInertia::sphere(1) * other));
    small.addContactSurface(Transform(), ContactSurface(ContactGeometry::Sphere(p.R1), material));
    // sliders along x
    MobilizedBody::Slider a(matter.Ground(), Transform(), small, Transform());
    MobilizedBody b = matter.Ground();
    if (p.R2 > 0) {
        ContactSurface sphere(ContactGeometry::Sphere(p.R2), material);
        if (p.m2 > 0) {
            large.addContactSurface(Transform(), sphere);
            b = MobilizedBody::Slider(matter.Ground(), Transform(Vec3(-p.R2, 0, 0)), large,
                                      Transform());
        } else {
            matter.Ground().updBody().addContactSurface(Transform(Vec3(-p.R2, 0, 0)), sphere);
        }
    } else {
        matter.Ground().updBody().addContactSurface(
            Transform(Rotation(Pi, ZAxis)), ContactSurface(ContactGeometry::HalfSpace(), material));
    }
    State state = system.realizeTopology();
    a.setOneQ(state, 0, p.R1 + gap);
    a.setOneU(state, 0, -p.v);
    RungeKuttaMersonIntegrator integrator(system);
    integrator.setAccuracy(1e-8);
    integrator.setMaximumStepSize(p.h);
    TimeStepper stepper(system, integrator);
    stepper.initialize(state);
    bool moves = p.m2 > 0;
    long n = 0;
    return see(
        p, [&] { stepper.stepTo(++n * p.h); },
        [&] {
            const State &s = stepper.getState();
            return p.R1 - (a.getOneQ(s, 0) - (moves ? b.getOneQ(s, 0) : 0));
        },
        [&] {
            const State &s = stepper.getState();
            return (moves ? b.getOneU(s, 0) : 0) - a.getOneU(s, 0);
        });
}

int main(int, char **arg)
{
    return run_impacts(arg[1], impact);
}
