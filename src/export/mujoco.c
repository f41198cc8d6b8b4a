/* MuJoCo: a spring and damper by the direct form of solref.
 *
 * solref = (-K/m*, -C/m*) with a constant impedance, solimp d0 = dmax, gives the acceleration
 * -(K x + C v)/m* in place of gravity's, never pulling: per mass, so that a value belongs to an
 * effective mass. Steps
 * are semi-implicit, which takes damping away (e = 1.063 was seen for a contact tuned to 0.85, at
 * 1 ms): C is chosen for the step. Read in MuJoCo 3.12.1, src/engine/
 * engine_core_constraint.c and engine_collision_driver.c, and run in 2.2.2 and 3.3.8.
 */

#include <math.h>

#include "export/built.h"
#include "export/rows.h"
#include "export/runner.h"

static enum cf_exactness exactness(const struct cf_law *law, const char **why)
{
    enum cf_exactness found = cf_exactness_linear(law, why);
    if (found != CF_EXACTNESS_LAW_RADIUS)
        return found;
    *why = "a linear spring and damper as the law, by mass: the values belong to this m*";
    return CF_EXACTNESS_LAW_HERE;
}

static int run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    return cf_run_linear(m, CF_SCHEME_REFERENCE, curves, err);
}

/* Constant, and the largest that MuJoCo takes: friction's pyramid shares the normal force out to
 * its edges, and at 0.99 that made e wrong by 0.009 at 1 ms, with mu = 0.2. With d0 = dmax width,
 * midpoint and power have no say, and the defaults stand. */
static const double impedance = 0.9999;

static void adds(struct cf_mapping *m)
{
    m->twin.engine.impedance = impedance;
}

static void fill_friction(struct cf_mapping *m)
{
    double mu = m->material->tangential.mu_C;

    if (!isnan(mu))
        cf_mapping_add(m, "friction[0]", "1", mu, CF_OF_PAIR, "sliding friction: mu_C");
}

static int fill(struct cf_mapping *m, struct cf_error *err)
{
    double mass = m->material->mass_kg;

    (void) err;
    cf_mapping_add(m, "solref[0]", "1/s^2", -cf_mapping_parameter(m, "k") / mass, CF_OF_PAIR,
                   "-K/m*");
    cf_mapping_add(m, "solref[1]", "1/s", 0 - cf_mapping_parameter(m, "lambda") / mass, CF_OF_PAIR,
                   "-C/m*");
    cf_mapping_add(m, "solimp[0]", "1", impedance, CF_OF_PAIR, "constant impedance");
    cf_mapping_add(m, "solimp[1]", "1", impedance, CF_OF_PAIR, "constant impedance");
    fill_friction(m);
    return CF_OK;
}

static void attributes(const struct cf_mapping *m, bool pair, FILE *out)
{
    double mu = cf_mapping_value(m, "friction[0]");

    if (!isnan(cf_mapping_value(m, "solref[0]")))
        fprintf(out, " solref=\"%.10g %.10g\" solimp=\"%.10g %.10g 0.001 0.5 2\"",
                cf_mapping_value(m, "solref[0]"), cf_mapping_value(m, "solref[1]"),
                cf_mapping_value(m, "solimp[0]"), cf_mapping_value(m, "solimp[1]"));
    if (!isnan(mu) && pair)
        fprintf(out, " condim=\"3\" friction=\"%.10g %.10g 0.005 0.0001 0.0001\"", mu, mu);
    else if (!isnan(mu))
        fprintf(out, " condim=\"3\" friction=\"%.10g 0.005 0.0001\"", mu);
}

/* In the pyramid that is MuJoCo's default, friction between its edges is less by up to a third. */
static void write_cone(const struct cf_mapping *const m[], size_t n, FILE *out)
{
    bool rubs = false;

    for (size_t i = 0; i < n; i++)
        rubs = rubs || !isnan(cf_mapping_value(m[i], "friction[0]"));
    if (!rubs)
        return;
    cf_export_comment(m[0], out,
                      "friction alike in all directions; in the pyramidal cone, the default, it is "
                      "0.67 to 1 of mu, by the direction");
    fprintf(out, "  <option cone=\"elliptic\"/>\n");
}

/* A class for the geoms of the two bodies, and for an explicit pair of them, which nothing is
 * mixed into. priority: above that of geoms without one, or the pair's numbers are mixed. */
static int write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    (void) err;
    fprintf(out, "<mujoco model=\"contactfit\">\n");
    for (size_t i = 0; i < n; i++)
        cf_export_head(m[i], out);
    if (!isnan(m[0]->question.dt_s)) {
        cf_export_comment(m[0], out,
                          "the step that e is for; the integrator is the model's: Euler, implicit "
                          "and implicitfast show that e, RK4 another");
        fprintf(out, "  <option timestep=\"%.10g\"/>\n", m[0]->question.dt_s);
    }
    write_cone(m, n, out);
    bool several = n > 1 && !cf_material_is_friction(m[0]->material);
    if (several)
        cf_export_comment(m[0], out,
                          "several fits: a geom of the body that they share gets no class, or each "
                          "pair of geoms is a pair of its class");
    fprintf(out, "  <default>\n");
    for (size_t i = 0; i < n; i++) {
        if (several)
            cf_export_comment(m[i], out, "%s with %s",
                              cf_export_type_name(&m[i]->material->body[0]),
                              cf_export_type_name(&m[i]->material->body[1]));
        fprintf(out, "    <default class=\"contactfit_%zu\">\n      <geom priority=\"1\"", i + 1);
        attributes(m[i], false, out);
        fprintf(out, "/>\n      <pair");
        attributes(m[i], true, out);
        fprintf(out, "/>\n    </default>\n");
    }
    fprintf(out, "  </default>\n</mujoco>\n");
    return CF_OK;
}

/* A class for the joint; frictionloss is a constraint, and soft below frictionloss times
 * solreffriction[0] over 2 I: there the speed decays and does not end. */
static void joint_class(const struct cf_mapping *m, size_t i, FILE *out)
{
    fprintf(out,
            "    <default class=\"contactfit_%zu\">\n"
            "      <joint frictionloss=\"%.10g\" damping=\"%.10g\"/>\n    </default>\n",
            i + 1, cf_mapping_value(m, "frictionloss"), cf_mapping_value(m, "damping"));
}

static const struct cf_friction_joint joint = {
    .dry = "frictionloss",
    .viscous = "damping",
    .opening = "<mujoco model=\"contactfit\">\n  <default>\n",
    .one = joint_class,
    .closing = "  </default>\n</mujoco>\n",
};

/* The export is included as the user would. */
static const char scene[] =
    "import fs from 'node:fs';\n"
    "import {pathToFileURL} from 'node:url';\n"
    "import {folder, R, m, gap, v, dt, find, run} from './drop.mjs';\n"
    "const mujoco = await (await import(pathToFileURL(find('mujoco-js')))).default();\n"
    "mujoco.FS.writeFile('/export.xml', fs.readFileSync(folder + '/export.xml'));\n"
    "mujoco.FS.writeFile('/drop.xml', `<mujoco><include file=\"export.xml\"/>\n"
    "<option timestep=\"${dt}\" gravity=\"0 0 0\"/><worldbody>\n"
    "<geom class=\"contactfit_1\" type=\"plane\" size=\"1 1 .1\"/>\n"
    "<body pos=\"0 0 ${R + gap}\"><freejoint/>\n"
    "<geom class=\"contactfit_1\" type=\"sphere\" size=\"${R}\" mass=\"${m}\"/></body>\n"
    "</worldbody></mujoco>`);\n"
    "const model = mujoco.MjModel.loadFromXML('/drop.xml'), data = new mujoco.MjData(model);\n"
    "data.qvel[2] = -v;\n"
    "run(() => [R - data.qpos[2], -data.qvel[2]], () => mujoco.mj_step(model, data));\n";

/* The same where Debian's library is, of another version. */
static const char native_scene[] =
    "#include <mujoco/mujoco.h>\n"
    "#include <cstdio>\n"
    "#include <cstdlib>\n"
    "#include <string>\n" CF_BUILT_MAIN "    std::string place(arg[7]);\n"
    "    place.resize(place.rfind('/') + 1);\n"
    "    place += \"drop.xml\";\n"
    "    FILE *scene = fopen(place.c_str(), \"w\");\n"
    "    if (!scene)\n"
    "        return 1;\n"
    "    fprintf(scene, \"<mujoco><include file='export.xml'/>\"\n"
    "            \"<option timestep='%.17g' gravity='0 0 0'/><worldbody>\"\n"
    "            \"<geom class='contactfit_1' type='plane' size='1 1 .1'/>\"\n"
    "            \"<body pos='0 0 %.17g'><freejoint/>\"\n"
    "            \"<geom class='contactfit_1' type='sphere' size='%.17g' mass='%.17g'/></body>\"\n"
    "            \"</worldbody></mujoco>\\n\", h, R + gap, R, m);\n"
    "    fclose(scene);\n"
    "    char why[1000] = \"\";\n"
    "    mjModel *model = mj_loadXML(place.c_str(), nullptr, why, sizeof why);\n"
    "    if (!model) {\n"
    "        fprintf(stderr, \"%s\\n\", why);\n"
    "        return 1;\n"
    "    }\n"
    "    mjData *data = mj_makeData(model);\n"
    "    data->qvel[2] = -v;\n"
    "    for (long i = 0; i <= n; i++) {\n"
    "        fprintf(out, \"%.17g %.17g %.17g\\n\", i * h, R - data->qpos[2], -data->qvel[2]);\n"
    "        mj_step(model, data);\n"
    "    }\n"
    "    mj_deleteData(data);\n"
    "    mj_deleteModel(model);\n"
    "    return fclose(out) != 0;\n"
    "}\n";

/* pkg-config knows nothing of it. */
static const struct cf_built built = {
    .title = "MuJoCo",
    .flags = "-lmujoco",
    .install = "apt-get install libmujoco-dev g++",
    .file = "export.xml",
    .source = native_scene,
};

static int prepare(const struct cf_mapping *m, const char *folder, struct cf_error *err)
{
    struct cf_error why = {""};
    int status = cf_built_prepare(m, folder, &why);

    if (status == CF_ENOMEM || status == CF_ECANCELLED)
        return cf_fail(err, status, "%.900s", why.text);
    return cf_built_is_there(folder) ? CF_OK : cf_runner_prepare(m, folder, err);
}

static int drop(const struct cf_mapping *m, const struct cf_drop *drop, struct cf_seen *out,
                struct cf_error *err)
{
    return cf_built_is_there(drop->folder) ? cf_built_drop(m, drop, out, err)
                                           : cf_runner_drop(m, drop, out, err);
}

static const struct cf_runner runner = {
    .install =
        "apt-get install libmujoco-dev g++, or nodejs npm, then npm install mujoco-js here or "
        "in NODE_PATH",
    .command = cf_node_command,
    .file = "export.xml",
    .script = "scene.mjs",
    .source = scene,
    .module = "drop.mjs",
    .module_source = cf_node_module,
};

const struct cf_target cf_target_mujoco = {
    .by_pair = true,
    .name = "mujoco",
    .title = "MuJoCo",
    .what = "MJCF: classes for the geoms, or for an explicit pair",
    .formula = "acceleration solref[0] x + solref[1] v, never pulling; solref = (-K/m*, -C/m*)",
    .pair_rule = "the geom of higher priority; of equal ones the mean by solmix, but of a direct "
                 "solref the smaller; friction: the larger; an explicit pair as it is",
    .source = "MuJoCo 3.12.1: src/engine/engine_core_constraint.c, engine_collision_driver.c",
    .checked = "run by --verify: MuJoCo 2.2.2, apt-get install libmujoco-dev g++, or mujoco-js "
               "3.3.8, npm install mujoco-js; xmllint",
    .comment = {"<!-- ", " -->"},
    .needs = CF_NEEDS_MASS,
    .takes = CF_TAKES_MU_C,
    .spring = true,
    .exactness = exactness,
    .run = run,
    .adds = adds,
    .fill = fill,
    .fill_friction = fill_friction,
    .joint = &joint,
    .write = write,
    .prepare = prepare,
    .drop = drop,
    .built = &built,
    .runner = &runner,
    .tolerance_e = 1e-4,
};
