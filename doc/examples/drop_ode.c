/* A ball that bounces in ODE by a fitted e(v), at steps of 1 ms.
 *
 *     contactfit export --to c-header golf_ball_bounces.json -o restitution.h
 *     cc drop_ode.c -o drop_ode $(pkg-config --cflags --libs ode) -lm
 *     ./drop_ode 1.2
 *
 * drops it from 1.2 m, and prints the speeds before and after each bounce, and their ratio.
 */

#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>

#include "restitution.h"

static const dReal radius = 0.021, mass = 0.0415, gravity = 9.81, h = 1e-3;

static dWorldID world;
static dJointGroupID touches;

static dReal velocity_along(dGeomID geom, const dReal *at, const dReal *normal)
{
    dBodyID body = dGeomGetBody(geom);
    dVector3 v = {0};

    if (body)
        dBodyGetPointVel(body, at[0], at[1], at[2], v);
    return v[0] * normal[0] + v[1] * normal[1] + v[2] * normal[2];
}

/* The near callback: e at the speed at which the two bodies meet. Slower than gravity makes them
 * in two steps they do not bounce: they lie. The correction of depth, soft_erp, must not be faster
 * than the bounce. */
static void near_pair(void *data, dGeomID a, dGeomID b)
{
    dContact contact[4];
    int n = dCollide(a, b, 4, &contact[0].geom, sizeof contact[0]);

    (void) data;
    for (int i = 0; i < n; i++) {
        const dContactGeom *at = &contact[i].geom; /* its normal points into a */
        dReal approach =
            velocity_along(b, at->pos, at->normal) - velocity_along(a, at->pos, at->normal);
        dReal e = golf_ball_bounces_e(approach);
        contact[i].surface = (dSurfaceParameters){.mode = dContactBounce | dContactSoftERP,
                                                  .bounce = e,
                                                  .bounce_vel = 2 * gravity * h,
                                                  .soft_erp = e < 0.2 ? e : 0.2};
        dJointAttach(dJointCreateContact(world, touches, &contact[i]), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

int main(int n, char **argument)
{
    dReal height = n > 1 ? atof(argument[1]) : 1;
    dMass inertia;

    dInitODE2(0);
    world = dWorldCreate();
    touches = dJointGroupCreate(0);
    dSpaceID space = dSimpleSpaceCreate(0);
    dWorldSetGravity(world, 0, 0, -gravity);
    dCreatePlane(space, 0, 0, 1, 0);
    dGeomID ball = dCreateSphere(space, radius);
    dBodyID body = dBodyCreate(world);
    dMassSetSphereTotal(&inertia, mass, radius);
    dBodySetMass(body, &inertia);
    dGeomSetBody(ball, body);
    dBodySetPosition(body, 0, 0, radius + height);

    for (int bounces = 0, steps = 0; bounces < 12 && steps < 60000; steps++) {
        dReal before = -dBodyGetLinearVel(body)[2];
        dSpaceCollide(space, 0, near_pair);
        dWorldStep(world, h);
        dJointGroupEmpty(touches);
        dReal after = dBodyGetLinearVel(body)[2];
        if (before > 0 && after > 0) {
            printf("%.9f %.9f %.6f%s\n", before, after, after / before,
                   golf_ball_bounces_is_fitted(before) ? "" : " EXTRAPOLATED");
            bounces++;
        }
    }
    dWorldDestroy(world);
    dSpaceDestroy(space);
    dCloseODE();
    return 0;
}
