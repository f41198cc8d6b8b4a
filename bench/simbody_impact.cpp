// What bench/motion.c times, done with Simbody: a sphere that hits a plane by Hunt and Crossley's
// law, once, without gravity. Prints impact<tab>SECONDS<tab>ERROR<tab>REMARK.
//
//   simbody_impact K A MASS RADIUS SPEED E       E: the true restitution
//
// Simbody asks for E* and c: k = (4/3) E* sqrt(R), a = 1.5 c; the plane is all but rigid. From one
// radius above the plane, less a hair, to the time at which bench/motion.c ends.

#include "Simbody.h"
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace SimTK;

int main(int argc, char *argv[])
{
    if (argc != 7)
        return 2;
    const Real k = atof(argv[1]), a = atof(argv[2]), m = atof(argv[3]), R = atof(argv[4]);
    const Real v = atof(argv[5]), e = atof(argv[6]);
    const Real rigid = 1e25, accuracy = 1e-6, gap = 1e-7, end = 8e-3, longest = 2e-4;

    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    GeneralContactSubsystem contacts(system);
    ContactSetIndex set = contacts.createContactSet();
    Body::Rigid ball(MassProperties(m, Vec3(0), UnitInertia::sphere(R)));
    MobilizedBody::Slider slider(matter.Ground(), Transform(), ball, Transform());
    contacts.addBody(set, slider, ContactGeometry::Sphere(R), Transform());
    contacts.addBody(set, matter.updGround(), ContactGeometry::HalfSpace(),
                     Transform(Rotation(Pi, ZAxis)));
    HuntCrossleyForce law(forces, contacts, set);
    law.setBodyParameters(ContactSurfaceIndex(0), 0.75 * k / std::sqrt(R), a / 1.5, 0, 0, 0);
    law.setBodyParameters(ContactSurfaceIndex(1), rigid, a / 1.5, 0, 0, 0);
    system.realizeTopology();
    State state = system.getDefaultState();
    system.realizeModel(state);
    slider.setOneQ(state, 0, R + gap);
    slider.setOneU(state, 0, -v);

    double best = INFINITY, error = NAN;
    int steps = 0;
    for (int turn = 0; turn < 20; turn++) {
        RungeKuttaMersonIntegrator integrator(system);
        integrator.setAccuracy(accuracy);
        integrator.setMaximumStepSize(longest); // else it may step over the contact
        TimeStepper stepper(system, integrator);
        stepper.initialize(state);
        auto begin = std::chrono::steady_clock::now();
        stepper.stepTo(end);
        std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        best = std::fmin(best, spent.count());
        error = std::fabs(slider.getOneU(stepper.getState(), 0) / v - e);
        steps = integrator.getNumStepsTaken();
    }
    printf("impact-simbody\t%.9g\t%.9g\tSimbody, Runge-Kutta-Merson at accuracy %.0e: %d steps\n",
           best, error, accuracy, steps);
    return 0;
}
