// A ball that drops under gravity on a plane of ODE, by the surface that was exported: the least and
// the largest e of many heights, from the tops of the flights before and after the first bounce.
//
//   ode_gravity RADIUS MASS SPEED STEP PLACES
//
// The heights are those from which a body falls to SPEED, varied so that the touch falls anywhere in
// a step. e is the square root of the ratio of the tops, each from the parabola through the three
// highest places.

#include "export.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

static const double g = 9.80665;
static dWorldID world;
static dSpaceID space;
static dJointGroupID group;
static double step;

static void near_pair(void *, dGeomID a, dGeomID b)
{
    dContact c[4];
    int n = dCollide(a, b, 4, &c[0].geom, sizeof(dContact));
    for (int i = 0; i < n; i++) {
        c[i].surface = dSurfaceParameters();
        contactfit_surface_1(&c[i].surface, step);
        dJointAttach(dJointCreateContact(world, group, &c[i]), dGeomGetBody(c[i].geom.g1),
                     dGeomGetBody(c[i].geom.g2));
    }
}

// The top of the parabola through places at equal times.
static double top(double a, double b, double c)
{
    double bend = a - 2 * b + c, slope = (c - a) / 2;
    return bend < 0 ? b - slope * slope / (2 * bend) : b;
}

static double bounce(double R, double m, double height)
{
    world = dWorldCreate();
    space = dSimpleSpaceCreate(0);
    group = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -g);
    dCreatePlane(space, 0, 0, 1, 0);
    dGeomID ball = dCreateSphere(space, R);
    dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetSphereTotal(&mass, m, R);
    dBodySetMass(body, &mass);
    dGeomSetBody(ball, body);
    dBodySetPosition(body, 0, 0, R + height);

    // at rest at the start: the parabola through the steps has its top half a kick earlier
    double from = height + g * step * step / 8, before = height, last = height, after = 0;
    bool touched = false;
    for (long i = 0; i < 10000000; i++) {
        dSpaceCollide(space, 0, near_pair);
        dWorldStep(world, step);
        dJointGroupEmpty(group);
        double z = dBodyGetPosition(body)[2] - R;
        touched = touched || z < 0;
        if (touched && last > 0 && before < last && z <= last) {
            after = top(before, last, z);
            break;
        }
        before = last;
        last = z;
        if (touched && i > 1000000)
            break;
    }
    dGeomDestroy(ball);
    dJointGroupDestroy(group);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    return after > 0 ? std::sqrt(after / from) : 0;
}

int main(int argc, char **argv)
{
    if (argc != 6 || !dInitODE2(0))
        return 1;
    double R = std::atof(argv[1]), m = std::atof(argv[2]), v = std::atof(argv[3]);
    int places = std::atoi(argv[5]);
    step = std::atof(argv[4]);

    double low = 10, high = -10;
    for (int i = 0; i < places; i++) {
        double height = v * v / (2 * g) + v * step * i / places;
        double e = bounce(R, m, height);
        low = std::fmin(low, e);
        high = std::fmax(high, e);
    }
    std::printf("%.9g %.9g\n", low, high);
    return 0;
}
