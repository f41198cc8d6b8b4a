// Impacts that a driver is to run: lines "EXPORT R1 R2 m1 m2 v h gap...", R2 = 0 a plane, m2 = 0 held.
// A driver has one function, which makes the scene of one impact and tells step, depth and rate; a
// line of e is printed for each line.
import fs from 'node:fs';
import {createRequire} from 'node:module';

export const patience = 400000;
const argv = process.argv;
export const cases = fs.readFileSync(argv[2], 'utf8').trimEnd().split('\n').map(line => {
    const [file, ...word] = line.split(' ');
    const [R1, R2, m1, m2, v, h, ...gaps] = word.map(Number);
    return {text: fs.readFileSync(file, 'utf8'), R1, R2, m1, m2, v, h, gaps};
});

// A module by the name, from NODE_PATH.
export const find = name => createRequire(import.meta.url).resolve(name);

// e of an impact: step() makes one, seen() tells depth and rate of approach.
export function see(v, step, seen)
{
    let touched = false;
    for (let i = 0; i < patience; i++) {
        step();
        const [x, u] = seen();
        touched = touched || x > 0 || u < v*(1 - 1e-6);
        if (touched && x <= 0 && u < 0)
            return (-u/v).toPrecision(9);
    }
    return 'stays';
}

export function run(impact)
{
    for (const p of cases)
        fs.writeSync(1, p.gaps.map(gap => impact(p, gap)).join(' ') + '\n');
}
