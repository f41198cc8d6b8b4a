/* JavaScript: a module of its own, for browsers and Node.js, with e(v) of one pair or of many. */

#include <string.h>

#include "export/e_code.h"
#include "export/rows.h"

static const char shared[] =
    "// e(v), the coefficient of restitution over the speed of approach.\n"
    "// NAME_e(speed), NAME_is_fitted(speed) and NAME_band(speed) of each pair; find(one, other).\n"
    "\n"
    "// The row, but the last, that x lies behind.\n"
    "function place(row, x) {\n"
    "    let low = 0, high = row.length - 1;\n"
    "    while (high - low > 1) {\n"
    "        const middle = (low + high) >> 1;\n"
    "        if (row[middle][0] <= x)\n"
    "            low = middle;\n"
    "        else\n"
    "            high = middle;\n"
    "    }\n"
    "    return low;\n"
    "}\n"
    "\n"
    "// e(v) of two bodies. Rows ascend in the logarithm of the speed: ln(v/(m/s)), e, de/d ln v;\n"
    "// those of the band: ln(v/(m/s)), lowest e, highest e. materials: of the bodies, '': not\n"
    "// named. speeds: that were fitted [m/s]; 0, 0: none.\n"
    "export class Restitution {\n"
    "    constructor(fit, bodies, materials, speeds, row, band) {\n"
    "        Object.assign(this, {fit, bodies, materials, speeds, row, bandRow: band});\n"
    "    }\n"
    "\n"
    "    // e at a speed of approach [m/s]. Below and beyond the table, and for speeds not above\n"
    "    // 0, e of its first and of its last row; of a speed that is no number, none.\n"
    "    e(speed) {\n"
    "        const row = this.row, first = row[0], last = row[row.length - 1];\n"
    "        if (speed !== speed)\n"
    "            return speed;\n"
    "        const x = speed > 0 ? Math.log(speed) : first[0];\n"
    "        if (x <= first[0] || x >= last[0])\n"
    "            return x <= first[0] ? first[1] : last[1];\n"
    "        const i = place(row, x), a = row[i], b = row[i + 1];\n"
    "        const h = b[0] - a[0], t = (x - a[0]) / h, s = 1 - t;\n"
    "        return s * s * (a[1] * (1 + 2 * t) + h * t * a[2]) +\n"
    "            t * t * (b[1] * (3 - 2 * t) - h * s * b[2]);\n"
    "    }\n"
    "\n"
    "    // Is the speed among those that were fitted? Else e is EXTRAPOLATED there.\n"
    "    isFitted(speed) {\n"
    "        return speed > 0 && speed >= this.speeds[0] && speed <= this.speeds[1];\n"
    "    }\n"
    "\n"
    "    // Ends of the fit's confidence band of e, [low, high]; null where it has none.\n"
    "    band(speed) {\n"
    "        const rounding = 1e-9, row = this.bandRow, x = Math.log(speed);\n"
    "        if (row.length < 2 || !(x >= row[0][0] - rounding) ||\n"
    "            x > row[row.length - 1][0] + rounding)\n"
    "            return null;\n"
    "        const i = place(row, x), a = row[i], b = row[i + 1];\n"
    "        const t = (x - a[0]) / (b[0] - a[0]);\n"
    "        return [a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];\n"
    "    }\n"
    "}\n";

static void text(const char *value, FILE *out)
{
    fputc('"', out);
    for (; *value; value++) {
        if (strchr("\"\\", *value))
            fputc('\\', out);
        fputc(*value, out);
    }
    fputc('"', out);
}

static void pair(const struct cf_mapping *m, const struct cf_e_code *code, FILE *out)
{
    const struct cf_material *material = m->material;
    const char *name = code->name;

    fputc('\n', out);
    cf_e_code_head(m, code, out);
    fprintf(out, "const contactfit_pair_%s = new Restitution(\n    ", name);
    text(material->name, out);
    fputs(", [", out);
    text(material->body[0].name, out);
    fputs(", ", out);
    text(material->body[1].name, out);
    fputs("], [", out);
    text(material->body[0].material, out);
    fputs(", ", out);
    text(material->body[1].material, out);
    fputs("], [", out);
    cf_e_code_speeds(material, out);
    fputs("],\n    [\n", out);
    cf_e_code_rows(&code->table, "        [", "],\n", out);
    fputs("    ],\n    [\n", out);
    if (cf_e_code_band_rows(material))
        cf_e_code_band(material, "        [", "],\n", out);
    fprintf(out,
            "    ]);\n\n"
            "// Restitution's e(), isFitted() and band().\n"
            "export const %s_e = speed => contactfit_pair_%s.e(speed);\n"
            "export const %s_is_fitted = speed => contactfit_pair_%s.isFitted(speed);\n"
            "export const %s_band = speed => contactfit_pair_%s.band(speed);\n",
            name, name, name, name, name, name);
}

static void find(const struct cf_mapping *const m[], const struct cf_e_code code[], size_t n,
                 FILE *out)
{
    fputc('\n', out);
    cf_e_code_not_found(m, code, n, out);
    fputs("const pairs = [", out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "contactfit_pair_%s, ", code[i].name);
    fputs(
        "];\n\n"
        "// The Restitution of two bodies, by their names or those of their materials, in either\n"
        "// order; null where there is none, or more than one.\n"
        "export function find(one, other) {\n"
        "    const is = (pair, i, name) =>\n"
        "        pair.bodies[i] === name || (name !== '' && pair.materials[i] === name);\n"
        "    const found = pairs.filter(pair =>\n"
        "        (is(pair, 0, one) && is(pair, 1, other)) ||\n"
        "        (is(pair, 0, other) && is(pair, 1, one)));\n"
        "    return found.length === 1 ? found[0] : null;\n"
        "}\n",
        out);
}

static int write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    struct cf_e_code *code;

    int status = cf_e_code_make(m, n, &code, err);
    if (status)
        return status;
    fputs(shared, out);
    for (size_t i = 0; i < n; i++)
        pair(m[i], &code[i], out);
    find(m, code, n, out);
    cf_e_code_free(code, n);
    return CF_OK;
}

/* The touch as an engine does it: a step that begins in touch turns the speed round. */
static const char drop_source[] =
    "import * as code from './export.mjs';\n"
    "import {gap, v, dt, run} from './drop.mjs';\n"
    "const [name] = Object.keys(code).filter(x => x.endsWith('_e'));\n"
    "let x = -gap, rate = v;\n"
    "run(() => [x, rate], () => {\n"
    "    if (x > 0 && rate > 0)\n"
    "        rate *= -code[name](rate);\n"
    "    x += dt * rate;\n"
    "});\n";

static const struct cf_runner runner = {
    .install = "apt-get install nodejs",
    .command = cf_node_command,
    .file = "export.mjs",
    .script = "bounce.mjs",
    .source = drop_source,
    .module = "drop.mjs",
    .module_source = cf_node_module,
};

const struct cf_target cf_target_javascript = {
    CF_E_CODE,
    .name = "javascript",
    .title = "JavaScript",
    .what = "a module with e at each speed, for engines that take e at the touch",
    .checked = "run by --verify: Node.js, apt-get install nodejs",
    .comment = {"// ", ""},
    .write = write,
    .runner = &runner,
};
