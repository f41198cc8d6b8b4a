// Impacts in MuJoCo, with exports of contactfit, which are included as a user would: the argument is
// a file of lines as impacts.mjs has them. It shares nothing with what writes or predicts.
import {pathToFileURL} from 'node:url';
import {find, rate_at, run, see} from './impacts.mjs';
const mujoco = await (await import(pathToFileURL(find('mujoco-js')))).default();

const body = (z, R, m) => `<body pos="0 0 ${z}"><joint type="slide" axis="0 0 1"/>
<geom class="contactfit_1" type="sphere" size="${R}" mass="${m}"/></body>`;

run((p, gap) => {
    const other = p.R2 == 0 ? '<geom class="contactfit_1" type="plane" size="1 1 .1"/>'
        : p.m2 == 0 ? `<geom class="contactfit_1" type="sphere" size="${p.R2}" pos="0 0 ${-p.R2}"/>`
        : body(-p.R2, p.R2, p.m2);
    mujoco.FS.writeFile('/export.xml', p.text);
    mujoco.FS.writeFile('/scene.xml', `<mujoco><include file="export.xml"/>
<option timestep="${p.h}" gravity="0 0 ${-p.g}"/>
<worldbody>${body(p.R1 + gap, p.R1, p.m1)}${other}</worldbody></mujoco>`);
    const model = mujoco.MjModel.loadFromXML('/scene.xml'), data = new mujoco.MjData(model);
    data.qvel[0] = -rate_at(p, gap);
    const q = data.qpos, u = data.qvel, free = p.m2 > 0;
    // both places are from where the bodies stand in the file
    const e = see(p, () => mujoco.mj_step(model, data),
                  () => [-gap - q[0] + (free ? q[1] : 0), (free ? u[1] : 0) - u[0]]);
    data.delete();
    model.delete();
    return e;
});
