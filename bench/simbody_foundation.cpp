// What bench/octree.c and bench/volumes.c time, done with Simbody: a sphere pressed into a half-space
// over an elastic foundation, by springs on a mesh of triangles (ElasticFoundationForce).
//
//   simbody_foundation RADIUS ERROR...
//
// For each error of the depth it finds the coarsest of Simbody's meshes of a sphere that is as good,
// and prints foundation-ERROR<tab>SECONDS<tab>ERROR<tab>REMARK: the time of one force, at another
// pose each, and the root mean square over the poses, half of the radius deep as there. Simbody's springs have the area of the
// surface, not of its shadow: the force of fine meshes is k pi R d^2, which is what errors are
// counted from; the depth's is half of the force's.

#include "Simbody.h"
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace SimTK;

namespace {
const int poses = 24, finest = 8;

struct Run {
    double seconds, error;
    int faces;
};

// A direction that no other pose has.
Rotation turned(int i)
{
    return Rotation(BodyRotationSequence, 2.4 * i, XAxis, std::acos(1 - (2 * i + 1.) / poses), YAxis,
                    0.7 * i, XAxis);
}

Run press(double R, int resolution)
{
    const double k = 1e8, d = R / 2;
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    GeneralContactSubsystem contacts(system);
    ContactSetIndex set = contacts.createContactSet();
    Body::Rigid ball(MassProperties(1, Vec3(0), UnitInertia::sphere(R)));
    MobilizedBody::Free body(matter.Ground(), Transform(), ball, Transform());
    ContactGeometry::TriangleMesh mesh(PolygonalMesh::createSphereMesh(R, resolution));
    contacts.addBody(set, body, mesh, Transform());
    contacts.addBody(set, matter.updGround(), ContactGeometry::HalfSpace(),
                     Transform(Rotation(Pi, ZAxis)));
    ElasticFoundationForce law(forces, contacts, set);
    law.setBodyParameters(ContactSurfaceIndex(0), k, 0, 0, 0, 0);
    system.realizeTopology();
    State state = system.getDefaultState();
    system.realizeModel(state);

    Run best = {INFINITY, NAN, mesh.getNumFaces()};
    for (int turn = 0; turn < 5; turn++) {
        double sum = 0;
        auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < poses; i++) {
            body.setQToFitTransform(state, Transform(turned(i), Vec3(R - d, 0, 0)));
            system.realize(state, Stage::Dynamics);
            double force = system.getRigidBodyForces(
                state, Stage::Dynamics)[body.getMobilizedBodyIndex()][1][0];
            sum += square((force / (k * Pi * R * d * d) - 1) / 2);
        }
        std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        best.seconds = std::fmin(best.seconds, spent.count() / poses);
        best.error = std::sqrt(sum / poses);
    }
    return best;
}
} // namespace

int main(int argc, char *argv[])
{
    if (argc < 3)
        return 2;
    int resolution = 2;
    for (int i = 2; i < argc; i++) {
        Run run = {NAN, INFINITY, 0};
        for (; resolution <= finest; resolution++) {
            run = press(atof(argv[1]), resolution);
            if (run.error <= atof(argv[i]))
                break;
        }
        printf("foundation-%s\t%.9g\t%.9g\tSimbody, a mesh of %d triangles\n", argv[i], run.seconds,
               run.error, run.faces);
    }
    return 0;
}
