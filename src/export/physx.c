/* PhysX and Isaac: compliant contact of a material, as USD.
 *
 * A spring and damper, solved backward in time; with the acceleration flag both would be divided
 * by the mass, so it is off. The same material on both bodies: whatever way they are combined but
 * multiplied, equal values stay. A touch that the step would bring is taken into that step, spring
 * and damper, as far as the contact offset of the shapes sees it. Read in PhysX 5, revision
 * 176bc52d, physx/include/PxMaterial.h and physx/source/lowleveldynamics/src/DyContactPrepShared.h,
 * and the tokens of the USD schema; run in 5.6.1, of single precision.
 */

#include <math.h>

#include "export/join.h"
#include "export/predict.h"
#include "export/rows.h"
#include "export/runner.h"

static int run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    return cf_run_linear(m, CF_SCHEME_THROUGH, curves, err);
}

/* PxShape's contact offset, 0.02 m at the usual scale, of both bodies. */
static const double seen_m = 2 * 0.02;

static void adds(struct cf_mapping *m)
{
    if (!m->question.settings)
        m->twin.engine.sees_m = seen_m;
}

static void fill_friction(struct cf_mapping *m)
{
    const struct cf_tangential *t = &m->material->tangential;
    double dynamic = isnan(t->mu_C) ? t->mu_S : t->mu_C;

    if (isnan(dynamic))
        return;
    cf_mapping_add(m, "staticFriction", "1", isnan(t->mu_S) ? dynamic : t->mu_S, CF_OF_BOTH,
                   "mu_S");
    cf_mapping_add(m, "dynamicFriction", "1", dynamic, CF_OF_BOTH, "mu_C");
}

static int fill(struct cf_mapping *m, struct cf_error *err)
{
    double share = cf_export_share(m);

    (void) err;
    cf_mapping_add(m, "compliantContactStiffness", "N/m", share * cf_mapping_parameter(m, "k"),
                   CF_OF_BOTH, "K; in C++ the restitution is -K");
    cf_mapping_add(m, "compliantContactDamping", "N s/m", share * cf_mapping_parameter(m, "lambda"),
                   CF_OF_BOTH, "C; in C++ the damping");
    fill_friction(m);
    return CF_OK;
}

static void material(const struct cf_mapping *m, size_t i, int which, const char *suffix, FILE *out)
{
    double mu = cf_mapping_of(m, "dynamicFriction", which);
    double K = cf_mapping_of(m, "compliantContactStiffness", which);

    fprintf(out,
            "def Material \"contactfit_%zu%s\" (\n"
            "    prepend apiSchemas = [\"PhysicsMaterialAPI\", \"PhysxMaterialAPI\"]\n)\n{\n",
            i + 1, suffix);
    if (!isnan(K))
        fprintf(out,
                "    float physxMaterial:compliantContactStiffness = %.9g\n"
                "    float physxMaterial:compliantContactDamping = %.9g\n"
                "    bool physxMaterial:compliantContactAccelerationSpring = 0\n",
                K, cf_mapping_of(m, "compliantContactDamping", which));
    fprintf(out, "    uniform token physxMaterial:frictionCombineMode = \"average\"\n");
    if (!isnan(K))
        fprintf(out, "    uniform token physxMaterial:restitutionCombineMode = \"average\"\n"
                     "    uniform token physxMaterial:dampingCombineMode = \"average\"\n"
                     "    float physics:restitution = 0\n");
    if (!isnan(mu))
        fprintf(out,
                "    float physics:staticFriction = %.9g\n"
                "    float physics:dynamicFriction = %.9g\n",
                cf_mapping_of(m, "staticFriction", which), mu);
    fprintf(out, "}\n");
}

/* A class for the colliders: each sees as far as a body goes in a step, with gravity's kick, and a
 * pair of them twice as far. */
static void collider(const struct cf_mapping *m, size_t i, FILE *out)
{
    const char *mark = m->question.settings ? "" : "# ";
    double dt = m->question.dt_s, offset = cf_export_way(m) + m->twin.gravity_m_s2 * dt * dt;

    if (isnan(cf_mapping_value(m, "compliantContactStiffness")) || !(offset > 0))
        return;
    cf_export_comment(
        m, out, "%s",
        m->question.settings
            ? "for the colliders to inherit: e above is with that contact offset, or a "
              "larger one"
            : "e above is with the contact offset that PhysX has by itself, 0.02 m; the "
              "option engine-settings chooses for this");
    fprintf(out,
            "%sclass \"contactfit_collider_%zu\" (\n"
            "%s    prepend apiSchemas = [\"PhysxCollisionAPI\"]\n%s)\n%s{\n"
            "%s    float physxCollision:contactOffset = %.3g\n%s}\n",
            mark, i + 1, mark, mark, mark, mark, offset, mark);
}

/* One for both bodies, or one each. */
static void one(const struct cf_mapping *m, size_t i, FILE *out)
{
    collider(m, i, out);
    if (cf_mapping_alike(m)) {
        material(m, i, 0, "", out);
        return;
    }
    material(m, i, 0, "_a", out);
    material(m, i, 1, "_b", out);
}

/* The numbers of the export, by hand: PhysX reads no USD. The ball is near 0 and the block no
 * larger than it must be, for floats are finest there. The module is built for browsers only, and
 * binds no PxMaterial::setDamping(): the damping is written where PxsMaterialData has it, behind
 * the restitution, and goes to the solver with the next change of the material. */
static const char scene[] =
    "import fs from 'node:fs';\n"
    "import {pathToFileURL} from 'node:url';\n"
    "import {folder, R, m, gap, v, dt, find, run} from './drop.mjs';\n"
    "const text = fs.readFileSync(folder + '/export.usda', 'utf8');\n"
    "const read = (name, body) => {\n"
    "    const all = [...text.matchAll(RegExp(`physxMaterial:${name} = (\\\\S+)`, 'g'))];\n"
    "    return Number(all[Math.min(body, all.length - 1)][1]);\n"
    "};\n"
    "const file = find('physx-js-webidl');\n"
    "const wasm = fs.readFileSync(file.replace(/mjs$/, 'wasm'));\n"
    "globalThis.window = globalThis;\n"
    "globalThis.process = undefined;\n"
    "let memory;\n"
    "async function instantiateWasm(imports, done) {\n"
    "    const {instance, module} = await WebAssembly.instantiate(wasm, imports);\n"
    "    memory = Object.values(instance.exports).find(x => x instanceof WebAssembly.Memory);\n"
    "    done(instance, module);\n"
    "}\n"
    "const px = await (await import(pathToFileURL(file))).default({instantiateWasm});\n"
    "const scale = new px.PxTolerancesScale(), zero = new px.PxVec3(0, 0, 0);\n"
    "const base = px.CreateFoundation(px.PHYSICS_VERSION, new px.PxDefaultAllocator(),\n"
    "                                 new px.PxDefaultErrorCallback());\n"
    "const physics = px.CreatePhysics(px.PHYSICS_VERSION, base, scale);\n"
    "const scene = new px.PxSceneDesc(scale);\n"
    "scene.set_gravity(zero);\n"
    "scene.set_cpuDispatcher(px.DefaultCpuDispatcherCreate(0));\n"
    "scene.set_filterShader(px.DefaultFilterShader());\n"
    "const world = physics.createScene(scene);\n"
    "function make(body) {\n"
    "    const K = read('compliantContactStiffness', body);\n"
    "    const material = physics.createMaterial(0, 0, 0);\n"
    "    material.setRestitution(-K);\n"
    "    const at = px.getPointer(material) / 4, floats = new Float32Array(memory.buffer);\n"
    "    const i = floats.subarray(at, at + 64).indexOf(Math.fround(-K));\n"
    "    if (i < 0)\n"
    "        throw new Error('this PhysX keeps the restitution of a material elsewhere');\n"
    "    floats[at + i + 1] = read('compliantContactDamping', body);\n"
    "    material.setRestitution(-K);\n"
    "    return material;\n"
    "}\n"
    "const pose = z => new px.PxTransform(new px.PxVec3(0, 0, z), new px.PxQuat(0, 0, 0, 1));\n"
    "function add(body, geometry, material) {\n"
    "    const flags = new px.PxShapeFlags(px.PxShapeFlagEnum.eSIMULATION_SHAPE);\n"
    "    const shape = physics.createShape(geometry, material, true, flags);\n"
    "    shape.setSimulationFilterData(new px.PxFilterData(1, 1, 0, 0));\n"
    "    body.attachShape(shape);\n"
    "    world.addActor(body);\n"
    "}\n"
    "const ball = physics.createRigidDynamic(pose(gap));\n"
    "// deep enough for soft contacts: below its middle the ball would leave by another face\n"
    "const depth = v * Math.sqrt(m / read('compliantContactStiffness', 0));\n"
    "const half = Math.max(2 * R, 2 * depth);\n"
    "const box = new px.PxBoxGeometry(half, half, half);\n"
    "add(physics.createRigidStatic(pose(-R - half)), box, make(1));\n"
    "add(ball, new px.PxSphereGeometry(R), make(0));\n"
    "ball.setMass(m);\n"
    "ball.setLinearDamping(0);\n"
    "ball.setSleepThreshold(0);\n"
    "ball.setLinearVelocity(new px.PxVec3(0, 0, -v));\n"
    "run(() => [-ball.getGlobalPose().p.z, -ball.getLinearVelocity().z], () => {\n"
    "    world.simulate(dt);\n"
    "    world.fetchResults(true);\n"
    "});\n";

static const struct cf_runner runner = {
    .install = "apt-get install nodejs npm, then npm install physx-js-webidl here or in NODE_PATH",
    .command = cf_node_command,
    .file = "export.usda",
    .script = "scene.mjs",
    .source = scene,
    .module = "drop.mjs",
    .module_source = cf_node_module,
};

static const struct cf_join joins[] = {
    {"compliantContactStiffness", CF_JOINED_MEAN, .neutral = (double) NAN},
    {"compliantContactDamping", CF_JOINED_MEAN, .neutral = (double) NAN},
    {"dynamicFriction", CF_JOINED_MEAN, .neutral = (double) NAN},
    {"staticFriction", CF_JOINED_MEAN, .neutral = (double) NAN, .above = "dynamicFriction"},
    {0}};

const struct cf_target cf_target_physx = {
    .joins = joins,
    .name = "physx",
    .title = "PhysX/Isaac",
    .what = "USD: a material with compliant contact, for both bodies",
    .formula = "f = K (x + h v') + C v' >= 0",
    .pair_rule = "combine mode average: equal values stay",
    .source = "PhysX 5, revision 176bc52d: PxMaterial.h, DyContactPrepShared.h; tokens of the USD "
              "schema",
    .checked = "run by --verify: PhysX 5.6.1, npm install physx-js-webidl; the USD by tinyusdz",
    .comment = {"# ", ""},
    .needs = CF_NEEDS_MASS,
    .takes = CF_TAKES_MU_S | CF_TAKES_MU_C,
    .spring = true,
    .single = true,
    .per_point = true,
    .exactness = cf_exactness_linear,
    .run = run,
    .adds = adds,
    .settings = true,
    .fill = fill,
    .fill_friction = fill_friction,
    .write = cf_export_each,
    .opening = "#usda 1.0\n",
    .one = one,
    .prepare = cf_runner_prepare,
    .drop = cf_runner_drop,
    .runner = &runner,
    .tolerance_e = 2e-4,
};
