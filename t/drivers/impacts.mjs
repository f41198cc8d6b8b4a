// Impacts that a driver is to run: lines "EXPORT R1 R2 m1 m2 v h g gap...", R2 = 0 a plane, m2 = 0
// held, g the gravity along the approach. A driver has one function, which makes the scene of one impact and tells step, depth and rate; a
// line of e is printed for each line.
import fs from 'node:fs';
import {createRequire} from 'node:module';

export const patience = 400000;
const argv = process.argv;
export const cases = fs.readFileSync(argv[2], 'utf8').trimEnd().split('\n').map(line => {
    const [file, ...word] = line.split(' ');
    const [R1, R2, m1, m2, v, h, g, ...gaps] = word.map(Number);
    return {text: fs.readFileSync(file, 'utf8'), R1, R2, m1, m2, v, h, g, gaps};
});

// A module by the name, from NODE_PATH.
export const find = name => createRequire(import.meta.url).resolve(name);

// The rate at a gap from which the touch has the speed v: half a kick of gravity behind that of the
// flight, in an engine that kicks before it moves.
export const rate_at = ({v, h, g}, gap) => Math.sqrt(Math.max(v*v - 2*g*gap, 0)) - g*h/2;

// e of an impact: step() makes one, seen() tells depth and rate of approach. Under gravity it is by
// the top of the flight away; what stays for ten flights of that speed stays.
export function see({v, h, g}, step, seen)
{
    let touched = false, before = seen()[1];
    for (let i = 0; i < patience; i++) {
        step();
        const [x, u] = seen();
        touched = touched || x > 0 || u < before*(1 - 1e-6);
        before = u;
        if (touched && x <= 0 && u < 0)
            return (Math.sqrt(Math.max(-u - g*h/2, 0)**2 - 2*g*x)/v).toPrecision(9);
        if (touched && g > 0 && i > 1000 && i*h > 20*v/g)
            break;
    }
    return 'stays';
}

export function run(impact)
{
    for (const p of cases)
        fs.writeSync(1, p.gaps.map(gap => impact(p, gap)).join(' ') + '\n');
}
