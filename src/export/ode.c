/* ODE: the spring and damper of ERP and CFM, and the bounce.
 *
 * A contact joint with soft_erp = h kp/(h kp + kd) and soft_cfm = 1/(h kp + kd) is a spring kp with
 * a damper kd solved backward in time, f = kp (x + h v') + kd v' >= 0, which adds about h kp of
 * damping: kd is chosen for the step. `bounce` gives its e at any step. mu is a
 * coefficient with dContactApprox1 only: without, it is a force in N. Read in ODE, revision
 * aff542d5, ode/src/joints/contact.cpp, and run in 0.16.
 */

#include <math.h>

#include "export/built.h"
#include "export/rows.h"

static int run_soft(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    return cf_run_linear(m, CF_SCHEME_BACKWARD, curves, err);
}

static void add_friction(struct cf_mapping *m)
{
    double mu = m->material->tangential.mu_C;
    if (!isnan(mu))
        cf_mapping_add(m, "mu", "1", mu, CF_OF_PAIR, "friction, one coefficient: mu_C");
}

static int fill_soft(struct cf_mapping *m, struct cf_error *err)
{
    double share = cf_export_share(m);

    (void) err;
    cf_mapping_add(m, "kp", "N/m", share * cf_mapping_parameter(m, "k"), CF_OF_PAIR, "spring");
    cf_mapping_add(m, "kd", "N s/m", share * cf_mapping_parameter(m, "lambda"), CF_OF_PAIR,
                   "damper");
    add_friction(m);
    return CF_OK;
}

/* Above this e the joint's own correction of depth, 0.2 depth/h at most, is slower than the
 * bounce; below, the correction would be what is seen, and is taken back to e. */
static const double usual_erp = 0.2;

/* The world's CFM, 1e-10 s/kg unless it is set, gives way by (1 + e) m CFM/h of the speed: 0.007 of
 * e for 450 kg at 10 us. This part of 1/m is rigid for any step and still parts the points of a
 * face that lands flat. */
static const double soft_part = 1e-6, usual_cfm = 1e-10;

/* The part of the depth that is taken back in a step. */
static double pushed(const struct cf_mapping *m)
{
    return fmin(usual_erp, m->twin.e);
}

static void bounce_adds(struct cf_mapping *m)
{
    m->twin.engine.taken_back = pushed(m);
}

static int fill_bounce(struct cf_mapping *m, struct cf_error *err)
{
    const double unmeasured = 0.1; /* of the lowest speed that was fitted */
    double low = m->material->speed_low_m_s;

    (void) err;
    cf_mapping_add(m, "bounce", "1", m->twin.e, CF_OF_PAIR, "restitution");
    cf_mapping_add(m, "bounce_vel", "m/s", unmeasured * (low > 0 ? low : m->question.speed_m_s),
                   CF_OF_PAIR, "slower contacts do not bounce");
    cf_mapping_add(m, "soft_erp", "1", pushed(m), CF_OF_PAIR,
                   "part of the depth taken back in a step: not faster than the bounce");
    if (m->material->mass_kg > 0)
        cf_mapping_add(m, "soft_cfm/h", "1/kg", soft_part / m->material->mass_kg, CF_OF_PAIR,
                       "1e-6/m*: not softer than that");
    add_friction(m);
    return CF_OK;
}

/* Friction is held to mu along each of two directions by itself, so that between them it is up to
 * 1.41 mu: one of them is that of the slip. The surface knows no direction; the contact does. */
static void write_contact(size_t i, FILE *out)
{
    fprintf(
        out,
        "/* The contact of two geoms, whose bodies may be 0, with its friction along the slip: in "
        "place of\n * the surface alone, whose friction is up to 1.41 mu, by the direction. */\n"
        "static void contactfit_contact_%zu(dContact *c, dBodyID a, dBodyID b, dReal h)\n{\n"
        "    const dReal *p = c->geom.pos, *n = c->geom.normal;\n"
        "    dVector3 v = {0, 0, 0}, w = {0, 0, 0};\n"
        "    dReal along = 0, slip = 0;\n"
        "    contactfit_surface_%zu(&c->surface, h);\n"
        "    if (a)\n        dBodyGetPointVel(a, p[0], p[1], p[2], v);\n"
        "    if (b)\n        dBodyGetPointVel(b, p[0], p[1], p[2], w);\n"
        "    for (int k = 0; k < 3; k++)\n        along += (v[k] -= w[k]) * n[k];\n"
        "    for (int k = 0; k < 3; k++) {\n        v[k] -= along * n[k];\n"
        "        slip += v[k] * v[k];\n    }\n"
        "    if (slip > 0) {\n        c->surface.mode |= dContactFDir1;\n"
        "        for (int k = 0; k < 3; k++)\n            c->fdir1[k] = v[k] / dSqrt(slip);\n"
        "    }\n}\n",
        i + 1, i + 1);
}

static void one(const struct cf_mapping *m, size_t i, FILE *out)
{
    double mu = cf_mapping_value(m, "mu"), rigid = cf_mapping_value(m, "soft_cfm/h");

    fprintf(out, "static void contactfit_surface_%zu(dSurfaceParameters *s, dReal h)\n{\n", i + 1);
    if (cf_material_is_friction(m->material))
        fprintf(out, "    (void) h;\n    s->mode = 0;\n");
    else if (isnan(cf_mapping_value(m, "bounce")))
        fprintf(out,
                "    const dReal kp = %.10g, kd = %.10g;\n"
                "    s->mode = dContactSoftERP | dContactSoftCFM;\n"
                "    s->soft_erp = h * kp / (h * kp + kd);\n"
                "    s->soft_cfm = 1 / (h * kp + kd);\n",
                cf_mapping_value(m, "kp"), cf_mapping_value(m, "kd"));
    else
        fprintf(out,
                "    s->mode = dContactBounce | dContactSoftERP;\n"
                "    s->bounce = %.10g;\n"
                "    s->bounce_vel = %.10g;\n"
                "    s->soft_erp = %.10g;\n",
                cf_mapping_value(m, "bounce"), cf_mapping_value(m, "bounce_vel"),
                cf_mapping_value(m, "soft_erp"));
    if (!isnan(cf_mapping_value(m, "bounce")) && isnan(rigid))
        fprintf(out, "    (void) h;\n");
    if (!isnan(rigid))
        fprintf(out,
                "    s->mode |= dContactSoftCFM;\n"
                "    s->soft_cfm = h * %.10g < %.10g ? h * %.10g : %.10g;\n",
                rigid, usual_cfm, rigid, usual_cfm);
    if (!isnan(mu))
        fprintf(out, "    s->mode |= dContactApprox1;\n    s->mu = %.10g;\n", mu);
    fprintf(out, "}\n");
    if (!isnan(mu))
        write_contact(i, out);
}

/* A sphere and a plane, the surface from the export itself. */
static const char drop_source[] = CF_BUILT_INCLUDES
    "static dWorldID world; static dSpaceID space; static dJointGroupID group; static dReal step;\n"
    "static void near_pair(void *, dGeomID a, dGeomID b)\n"
    "{\n"
    "    dContact c[4];\n"
    "    int n = dCollide(a, b, 4, &c[0].geom, sizeof(dContact));\n"
    "    for (int i = 0; i < n; i++) {\n"
    "        c[i].surface = dSurfaceParameters();\n"
    "        contactfit_surface_1(&c[i].surface, step);\n"
    "        dJointAttach(dJointCreateContact(world, group, &c[i]),\n"
    "                     dGeomGetBody(c[i].geom.g1), dGeomGetBody(c[i].geom.g2));\n"
    "    }\n"
    "}\n" CF_BUILT_MAIN "    if (!dInitODE2(0))\n"
    "        return 1;\n"
    "    step = h;\n"
    "    world = dWorldCreate(); space = dSimpleSpaceCreate(0); group = dJointGroupCreate(0);\n"
    "    dCreatePlane(space, 0, 0, 1, 0);\n"
    "    dGeomID ball = dCreateSphere(space, R);\n"
    "    dBodyID body = dBodyCreate(world);\n"
    "    dMass mass;\n"
    "    dMassSetSphereTotal(&mass, m, R);\n"
    "    dBodySetMass(body, &mass);\n"
    "    dGeomSetBody(ball, body);\n"
    "    dBodySetPosition(body, 0, 0, R + gap);\n"
    "    dBodySetLinearVel(body, 0, 0, -v);\n"
    "    for (long i = 0; i <= n; i++) {\n"
    "        fprintf(out, \"%.17g %.17g %.17g\\n\", i * h, R - dBodyGetPosition(body)[2],\n"
    "                -dBodyGetLinearVel(body)[2]);\n"
    "        dSpaceCollide(space, 0, near_pair);\n"
    "        dWorldStep(world, h);\n"
    "        dJointGroupEmpty(group);\n"
    "    }\n"
    "    return fclose(out) != 0;\n"
    "}\n";

static const struct cf_built built = {
    .title = "ODE",
    .module = "ode",
    .install = "apt-get install libode-dev pkgconf g++",
    .source = drop_source,
};

/* What both rows say alike. */
#define JOINT                                                                                      \
    .pair_rule = "none: the near callback sets each pair's surface",                               \
    .source = "ODE, revision aff542d5: ode/src/joints/contact.cpp",                                \
    .checked = "run by --verify: ODE 0.16, apt-get install libode-dev pkgconf g++",                \
    .comment = {"// ", ""}, .takes = CF_TAKES_MU_C, .by_pair = true, .write = cf_export_each,      \
    .opening = "#include <ode/ode.h>\n", .one = one, .prepare = cf_built_prepare,                  \
    .drop = cf_built_drop, .built = &built

const struct cf_target cf_target_ode = {
    JOINT,
    .name = "ode",
    .title = "ODE",
    .what = "C++: the surface of a contact joint, spring and damper by ERP and CFM",
    .formula = "f = kp (x + h v') + kd v' >= 0; soft_erp = h kp/(h kp + kd), "
               "soft_cfm = 1/(h kp + kd)",
    .needs = CF_NEEDS_MASS,
    .per_point = true,
    .spring = true,
    .exactness = cf_exactness_linear,
    .run = run_soft,
    .fill = fill_soft,
    .fill_friction = add_friction,
    .tolerance_e = 1e-4,
};

const struct cf_target cf_target_ode_bounce = {
    JOINT,
    .name = "ode-bounce",
    .only_e = true,
    .title = "ODE (bounce)",
    .what = "C++: the surface of a contact joint that bounces",
    .formula = "v' = bounce v, where v is above bounce_vel",
    .exactness = cf_exactness_restitution,
    .run = cf_run_restitution,
    .adds = bounce_adds,
    .fill = fill_bounce,
    .fill_friction = add_friction,
    .tolerance_e = 1e-5,
};
