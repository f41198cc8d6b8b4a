// Impacts in PhysX, with exports of contactfit: the argument is a file of lines as impacts.mjs has
// them. PhysX reads no USD: the numbers are taken from it here. With "box" behind that file cubes of
// side 2 R1 land flat in place of balls. It shares nothing with what writes or predicts.
import fs from 'node:fs';
import {pathToFileURL} from 'node:url';
import {find, rate_at, run, see} from './impacts.mjs';
const file = find('physx-js-webidl');
const wasm = fs.readFileSync(file.replace(/mjs$/, 'wasm'));
const box = process.argv[3] == 'box';
// the module is built for browsers
globalThis.window = globalThis;
globalThis.process = undefined;
let memory;
async function instantiateWasm(imports, done) {
    const {instance, module} = await WebAssembly.instantiate(wasm, imports);
    memory = Object.values(instance.exports).find(x => x instanceof WebAssembly.Memory);
    done(instance, module);
}
const px = await (await import(pathToFileURL(file))).default({instantiateWasm});
const scale = new px.PxTolerancesScale();
const base = px.CreateFoundation(px.PHYSICS_VERSION, new px.PxDefaultAllocator(),
                                 new px.PxDefaultErrorCallback());
const physics = px.CreatePhysics(px.PHYSICS_VERSION, base, scale);
const dispatcher = px.DefaultCpuDispatcherCreate(0);
const description = new px.PxSceneDesc(scale);
description.set_cpuDispatcher(dispatcher);
description.set_filterShader(px.DefaultFilterShader());

// The damping stands behind the restitution in memory, for the module binds no setDamping().
function material_of(text)
{
    const read = name => Number(text.match(`physxMaterial:${name} = (\\S+)`)[1]);
    const K = read('compliantContactStiffness'), C = read('compliantContactDamping');
    const material = physics.createMaterial(0, 0, 0);
    material.setRestitution(-K);
    const at = px.getPointer(material)/4, floats = new Float32Array(memory.buffer);
    const i = floats.subarray(at, at + 64).indexOf(Math.fround(-K));
    floats[at + i + 1] = C;
    material.setRestitution(-K);
    return material;
}

const pose = z => new px.PxTransform(new px.PxVec3(0, 0, z), new px.PxQuat(0, 0, 0, 1));

run((p, gap) => {
    // deep enough for soft contacts: below its middle the ball would leave by another face
    const K = Number(p.text.match(/compliantContactStiffness = (\S+)/)[1]);
    const half = 2*Math.max(p.R1, p.v*(Math.sqrt(p.m1/K) + p.h));
    description.set_gravity(new px.PxVec3(0, 0, -p.g));
    const world = physics.createScene(description), material = material_of(p.text);
    const shape_of = (body, geometry) => {
        const flags = new px.PxShapeFlags(px.PxShapeFlagEnum.eSIMULATION_SHAPE);
        const shape = physics.createShape(geometry, material, true, flags);
        shape.setSimulationFilterData(new px.PxFilterData(1, 1, 0, 0));
        // as the export says, or as PhysX has it
        const set = p.text.match(/^    float physxCollision:contactOffset = (\S+)/m);
        if (set)
            shape.setContactOffset(Number(set[1]));
        body.attachShape(shape);
        world.addActor(body);
    };
    const moving = (z, R, m, v) => {
        const body = physics.createRigidDynamic(pose(z));
        shape_of(body, box ? new px.PxBoxGeometry(R, R, R) : new px.PxSphereGeometry(R));
        body.setMass(m);
        const turning = (box ? 2/3 : 2/5)*m*R*R;
        body.setMassSpaceInertiaTensor(new px.PxVec3(turning, turning, turning));
        body.setLinearDamping(0);
        body.setSleepThreshold(0);
        body.setMaxLinearVelocity(1e6);
        body.setLinearVelocity(new px.PxVec3(0, 0, v));
        return body;
    };
    const a = moving(p.R1 + gap, p.R1, p.m1, -rate_at(p, gap));
    let b = null;
    if (p.R2 > 0 && p.m2 > 0)
        b = moving(-p.R2, p.R2, p.m2, 0);
    else if (p.R2 > 0)
        shape_of(physics.createRigidStatic(pose(-p.R2)), new px.PxSphereGeometry(p.R2));
    else
        shape_of(physics.createRigidStatic(pose(-half)), new px.PxBoxGeometry(half, half, half));
    const place = body => body.getGlobalPose().p.z, rate = body => body.getLinearVelocity().z;
    const e = see(p, () => {
        world.simulate(p.h);
        world.fetchResults(true);
    }, () => [p.R1 + p.R2 - (place(a) - (b ? place(b) : -p.R2)), (b ? rate(b) : 0) - rate(a)]);
    world.release();
    material.release();
    return e;
});
