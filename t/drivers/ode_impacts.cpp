// Impacts in ODE, with exports of contactfit: the argument is a file of lines as impacts.hpp has
// them. exports.h holds set_pair(i, surface, h) for the exports, or none is and they are SDF, whose
// kp and kd of both bodies are joined as Gazebo classic does. With BOX a cube of side 2 R1 lands
// flat in place of the ball. It shares nothing with what writes or predicts.
#include "impacts.hpp"
#include <ode/ode.h>
#ifndef BOX
#    define BOX 0
#endif
#ifdef SDF
static double tag(const std::string &path, const std::string &name, int k)
{
    std::ifstream in(path);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    size_t at = 0;
    for (int i = 0; i <= k; i++)
        at = text.find("<" + name + ">", at) + name.size() + 2;
    return atof(text.c_str() + at);
}
static void set_pair(int, const std::string &file, dSurfaceParameters *s, dReal h)
{
    double kp = 1 / (1 / tag(file, "kp", 0) + 1 / tag(file, "kp", 1));
    double kd = tag(file, "kd", 0) + tag(file, "kd", 1);
    s->mode = dContactSoftERP | dContactSoftCFM;
    s->soft_erp = h * kp / (h * kp + kd);
    s->soft_cfm = 1 / (h * kp + kd);
}
#else
#    include "exports.h"
#endif

struct near_pair {
    dSurfaceParameters surface;
    dWorldID world;
    dJointGroupID group;
};

static void touch(void *data, dGeomID a, dGeomID b)
{
    near_pair *near = (near_pair *) data;
    dContact c[8];
    int n = dCollide(a, b, BOX ? 8 : 1, &c[0].geom, sizeof(dContact));
    for (int i = 0; i < n; i++) {
        c[i].surface = near->surface;
        dJointAttach(dJointCreateContact(near->world, near->group, &c[i]), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

static dBodyID body_of(dWorldID world, dGeomID geom, double m, double R, double z)
{
    dGeomSetPosition(geom, 0, 0, z);
    if (m == 0)
        return nullptr;
    dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetSphereTotal(&mass, m, R);
    dBodySetMass(body, &mass);
    dGeomSetBody(geom, body);
    dBodySetPosition(body, 0, 0, z);
    return body;
}

static double impact(int i, const pair &p, double gap)
{
    near_pair near = {dSurfaceParameters(), dWorldCreate(), dJointGroupCreate(0)};
    dSpaceID space = dSimpleSpaceCreate(0);
    dWorldSetGravity(near.world, 0, 0, -p.g);
    set_pair(i, p.file, &near.surface, p.h);
    dBodyID b = nullptr;
    if (p.R2 > 0)
        b = body_of(near.world, dCreateSphere(space, p.R2), p.m2, p.R2, -p.R2);
    else
        dCreatePlane(space, 0, 0, 1, 0);
    dGeomID ball =
        BOX ? dCreateBox(space, 2 * p.R1, 2 * p.R1, 2 * p.R1) : dCreateSphere(space, p.R1);
    dBodyID a = body_of(near.world, ball, p.m1, p.R1, p.R1 + gap);
    dBodySetLinearVel(a, 0, 0, -p.rate_at(gap));
    double e = see(
        p,
        [&] {
            dSpaceCollide(space, &near, touch);
            dWorldStep(near.world, p.h);
            dJointGroupEmpty(near.group);
        },
        [&] {
            double low = b ? dBodyGetPosition(b)[2] : -p.R2;
            return p.R1 + p.R2 - (dBodyGetPosition(a)[2] - low);
        },
        [&] { return (b ? dBodyGetLinearVel(b)[2] : 0) - dBodyGetLinearVel(a)[2]; });
    dSpaceDestroy(space);
    dJointGroupDestroy(near.group);
    dWorldDestroy(near.world);
    return e;
}

int main(int, char **arg)
{
    dInitODE2(0);
    return run_impacts(arg[1], impact);
}
