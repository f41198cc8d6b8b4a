// A ball that bounces in PhysX by a fitted e(v), at steps of 1 ms, by Node.js.
//
//     contactfit export --to javascript golf_ball_bounces.json -o restitution.mjs
//     npm install physx-js-webidl
//     node drop_physx.mjs 1.2
//
// drops it from 1.2 m, and prints the speeds before and after each bounce, and their ratio.

import fs from 'node:fs';
import {createRequire} from 'node:module';

import {golf_ball_bounces_e as e, golf_ball_bounces_is_fitted as isFitted} from './restitution.mjs';

const radius = 0.021, mass = 0.0415, gravity = 9.81, h = 1e-3;
const height = Number(process.argv[2] || 1);

// The module is built for browsers: what Node.js has instead must be put in its way.
const file = createRequire(import.meta.url).resolve('physx-js-webidl');
const wasmBinary = fs.readFileSync(file.replace(/mjs$/, 'wasm'));
globalThis.window = globalThis;
globalThis.process = undefined;
const px = await (await import('physx-js-webidl')).default({wasmBinary});

const scale = new px.PxTolerancesScale();
const base = px.CreateFoundation(px.PHYSICS_VERSION, new px.PxDefaultAllocator(),
                                 new px.PxDefaultErrorCallback());
const physics = px.CreatePhysics(px.PHYSICS_VERSION, base, scale);
const description = new px.PxSceneDesc(scale);
description.set_gravity(new px.PxVec3(0, 0, -gravity));
description.set_cpuDispatcher(px.DefaultCpuDispatcherCreate(0));
description.set_filterShader(px.DefaultFilterShader());
// slower than gravity makes them in two steps bodies do not bounce: they lie
description.set_bounceThresholdVelocity(2 * gravity * h);
const scene = physics.createScene(description);

// The larger of two restitutions is the pair's: the ball's, which follows its speed.
const floorMaterial = physics.createMaterial(0, 0, 0), ballMaterial = physics.createMaterial(0, 0, 0);
ballMaterial.setRestitutionCombineMode(px.PxCombineModeEnum.eMAX);

function add(body, geometry, material) {
    const flags = new px.PxShapeFlags(px.PxShapeFlagEnum.eSIMULATION_SHAPE);
    const shape = physics.createShape(geometry, material, true, flags);
    shape.setSimulationFilterData(new px.PxFilterData(1, 1, 0, 0));
    body.attachShape(shape);
    scene.addActor(body);
    return body;
}
const at = z => new px.PxTransform(new px.PxVec3(0, 0, z), new px.PxQuat(0, 0, 0, 1));
add(physics.createRigidStatic(at(-1)), new px.PxBoxGeometry(1, 1, 1), floorMaterial);
const ball = add(physics.createRigidDynamic(at(radius + height)), new px.PxSphereGeometry(radius),
                 ballMaterial);
ball.setMass(mass);
ball.setLinearDamping(0);
ball.setSleepThreshold(0);

for (let bounces = 0, steps = 0; bounces < 12 && steps < 60000; steps++) {
    const before = -ball.getLinearVelocity().z + gravity * h;
    ballMaterial.setRestitution(e(before));
    scene.simulate(h);
    scene.fetchResults(true);
    const after = ball.getLinearVelocity().z;
    if (before > 2 * gravity * h && after > 0) {
        console.log(before.toFixed(9), after.toFixed(9), (after / before).toFixed(6),
                    isFitted(before) ? '' : 'EXTRAPOLATED');
        bounces++;
    }
}
