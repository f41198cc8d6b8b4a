/* Gazebo: classic with ODE, and the new one.
 *
 * Classic reads kp and kd of both bodies, kp in series and kd added, into ERP and CFM as ODE does;
 * bounce, threshold and mu take the smaller; max_vel, 0.01 m/s unless set otherwise, would cap
 * what pushes the bodies apart. The engines of the new one (gz-physics) that read anything of a
 * contact read the restitution, and multiply both bodies': dartsim, which is the usual one and has
 * DART's threshold, and bullet-featherstone, which has Bullet's and reads a friction of its own.
 * Read in gazebo-classic, revision 73be8911, gazebo/physics/ode/ODEPhysics.cc, and in gz-physics
 * 10, dartsim/src and bullet-featherstone/src.
 */

#include <math.h>

#include "export/join.h"
#include "export/rows.h"

/* Above what any fitted bounce leaves with. */
static const double fast_m_s = 1000;

static int run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    return cf_run_linear(m, CF_SCHEME_BACKWARD, curves, err);
}

static void add_friction(struct cf_mapping *m)
{
    double mu = m->material->tangential.mu_C;
    if (!isnan(mu))
        cf_mapping_add(m, "mu", "1", mu, CF_OF_BOTH,
                       "mu_C; the smaller counts, along two directions by themselves: between them "
                       "friction is up to 1.41 of it");
}

static int fill(struct cf_mapping *m, struct cf_error *err)
{
    double share = cf_export_share(m);

    (void) err;
    cf_mapping_add(m, "kp", "N/m", 2 * share * cf_mapping_parameter(m, "k"), CF_OF_BOTH,
                   "2 K: in series K");
    cf_mapping_add(m, "kd", "N s/m", share * cf_mapping_parameter(m, "lambda") / 2, CF_OF_BOTH,
                   "C/2: in sum C");
    cf_mapping_add(m, "max_vel", "m/s", fast_m_s, CF_OF_BOTH, "no cap on the way out");
    add_friction(m);
    return CF_OK;
}

static int fill_new(struct cf_mapping *m, struct cf_error *err)
{
    (void) err;
    cf_mapping_add(m, "restitution_coefficient", "1", m->twin.e, CF_OF_BODY_1, "e");
    cf_mapping_add(m, "restitution_coefficient", "1", 1, CF_OF_BODY_2,
                   "restitutions are multiplied");
    add_friction(m);
    return CF_OK;
}

static void surface(const struct cf_mapping *m, int which, FILE *out)
{
    double kp = cf_mapping_of(m, "kp", which), mu = cf_mapping_of(m, "mu", which);

    fprintf(out, "          <surface>\n");
    if (!isnan(cf_mapping_value(m, "restitution_coefficient")))
        fprintf(out,
                "            <bounce>\n"
                "              <restitution_coefficient>%.10g</restitution_coefficient>\n"
                "              <threshold>0</threshold>\n            </bounce>\n",
                cf_mapping_of(m, "restitution_coefficient", which));
    if (!isnan(mu))
        fprintf(out, "            <friction><ode><mu>%.10g</mu><mu2>%.10g</mu2></ode></friction>\n",
                mu, mu);
    if (!isnan(kp))
        fprintf(out,
                "            <contact><ode>\n              <kp>%.10g</kp>\n"
                "              <kd>%.10g</kd>\n              <max_vel>%.10g</max_vel>\n"
                "              <min_depth>0</min_depth>\n            </ode></contact>\n",
                kp, cf_mapping_of(m, "kd", which), cf_mapping_of(m, "max_vel", which));
    fprintf(out, "          </surface>\n");
}

static void model(const struct cf_mapping *m, size_t i, int which, FILE *out)
{
    cf_export_comment(m, out, "<surface> for %s", m->material->body[which].name);
    fprintf(out,
            "    <model name=\"contactfit_%zu_%c\">\n      <link name=\"link\">\n"
            "        <collision name=\"collision\">\n"
            "          <geometry><sphere><radius>1</radius></sphere></geometry>\n",
            i + 1, 'a' + which);
    surface(m, which, out);
    fprintf(out, "        </collision>\n      </link>\n    </model>\n");
}

/* A world whose models carry the surfaces, to be copied into the user's: the spheres in it are
 * placeholders. */
static int write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    (void) err;
    fprintf(out, "<?xml version=\"1.0\"?>\n<sdf version=\"1.6\">\n"
                 "  <world name=\"contactfit\">\n");
    if (!isnan(m[0]->question.dt_s))
        fprintf(out,
                "    <physics name=\"contactfit\" type=\"ode\">\n"
                "      <max_step_size>%.10g</max_step_size>\n    </physics>\n",
                m[0]->question.dt_s);
    for (size_t i = 0; i < n; i++) {
        cf_export_head(m[i], out);
        model(m[i], i, 0, out);
        model(m[i], i, 1, out);
    }
    fprintf(out, "  </world>\n</sdf>\n");
    return CF_OK;
}

/* Classic by a motor that stands still with that much force, the new one as DART has it. */
static void joint_axis(const struct cf_mapping *m, size_t i, FILE *out)
{
    bool turns = m->law->family == CF_FAMILY_FRICTION_TORQUE;

    cf_export_comment(m, out, "<dynamics> for the axis of the joint");
    fprintf(out,
            "    <model name=\"contactfit_%zu\">\n      <link name=\"link\"/>\n"
            "      <joint name=\"joint\" type=\"%s\">\n"
            "        <parent>world</parent>\n        <child>link</child>\n"
            "        <axis>\n          <xyz>0 0 1</xyz>\n          <dynamics>\n"
            "            <damping>%.10g</damping>\n            <friction>%.10g</friction>\n"
            "          </dynamics>\n        </axis>\n      </joint>\n    </model>\n",
            i + 1, turns ? "revolute" : "prismatic", cf_mapping_value(m, "damping"),
            cf_mapping_value(m, "friction"));
}

static const struct cf_friction_joint joint = {
    .dry = "friction",
    .viscous = "damping",
    .opening = "<?xml version=\"1.0\"?>\n<sdf version=\"1.6\">\n  <world name=\"contactfit\">\n",
    .one = joint_axis,
    .closing = "  </world>\n</sdf>\n",
};

static const struct cf_join joins[] = {{"kp", CF_JOINED_SERIES, .neutral = (double) NAN},
                                       {"kd", CF_JOINED_SUM, .neutral = (double) NAN},
                                       {"mu", CF_JOINED_SMALLER},
                                       {0}};

const struct cf_target cf_target_gazebo = {
    .joins = joins,
    .name = "gazebo",
    .per_point = true,
    .title = "Gazebo classic",
    .what = "SDF: <surface> of both bodies, spring and damper for ODE",
    .formula = "f = kp (x + h v') + kd v' >= 0",
    .pair_rule = "kp in series, kd added, mu the smaller",
    .source = "gazebo-classic, revision 73be8911: gazebo/physics/ode/ODEPhysics.cc",
    .checked = "xmllint and sdformat 12; the same numbers run as ode",
    .comment = {"<!-- ", " -->"},
    .needs = CF_NEEDS_MASS,
    .takes = CF_TAKES_MU_C,
    .spring = true,
    .exactness = cf_exactness_linear,
    .run = run,
    .fill = fill,
    .fill_friction = add_friction,
    .joint = &joint,
    .write = write,
};

static const struct cf_join joins_new[] = {
    {"restitution_coefficient", CF_JOINED_PRODUCT, .neutral = 1}, {"mu", CF_JOINED_SMALLER}, {0}};

const struct cf_target cf_target_gz = {
    .joins = joins_new,
    .name = "gz",
    .only_e = true,
    .title = "Gazebo (gz-sim)",
    .what = "SDF: <surface> of both bodies, restitution",
    .formula = "v' = e v where that is above 0.1 m/s, else 0 (dartsim)",
    .pair_rule = "restitutions multiplied; mu the smaller (dartsim; bullet-featherstone does not "
                 "read it); kp and kd are read by no engine",
    .source = "gz-physics 10: dartsim/src/SDFFeatures.cc, bullet-featherstone/src/SDFFeatures.cc",
    .checked = "xmllint and sdformat 12; dartsim's bounce runs as dart",
    .comment = {"<!-- ", " -->"},
    .takes = CF_TAKES_MU_C,
    .exactness = cf_exactness_restitution,
    .run = cf_run_dart,
    .adds = cf_dart_adds,
    .fill = fill_new,
    .fill_friction = add_friction,
    .joint = &joint,
    .write = write,
    .pushed_out = 0.01, /* DART's */
};
