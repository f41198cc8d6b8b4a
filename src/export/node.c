/* Running drops in Node.js. */

#define _XOPEN_SOURCE 700
#include "export/node.h"

#include <stdlib.h>
#include <string.h>

#include "export/run.h"

/* The drop as numbers; find() looks for a package from the folder that contactfit was started in,
 * and in NODE_PATH; run() steps, and prints the trajectory that state() gives as compression and
 * rate. */
static const char common[] =
    "import fs from 'node:fs';\n"
    "import path from 'node:path';\n"
    "import {createRequire} from 'node:module';\n"
    "export const [folder, R, m, gap, v, dt, n] =\n"
    "    process.argv.slice(2).map((x, i) => i ? Number(x) : x);\n"
    "export function find(name) {\n"
    "    const places = [process.cwd(), ...(process.env.NODE_PATH || '').split(path.delimiter)];\n"
    "    for (const place of places.filter(x => x)) {\n"
    "        try {\n"
    "            return createRequire(path.join(place, 'x.js')).resolve(name);\n"
    "        } catch {}\n"
    "    }\n"
    "    console.log(`${name} is not installed: npm install ${name}, here or in NODE_PATH`);\n"
    "    process.exit(1);\n"
    "}\n"
    "export function run(state, step) {\n"
    "    let out = '';\n"
    "    for (let i = 0; i <= n; i++) {\n"
    "        out += `${i * dt} ${state().join(' ')}\\n`;\n"
    "        step();\n"
    "    }\n"
    "    fs.writeFileSync(folder + '/trajectory', out);\n"
    "}\n";

int cf_node_prepare(const struct cf_mapping *m, const char *folder, struct cf_error *err)
{
    const struct cf_node *node = m->target->node;
    char name[64];

    snprintf(name, sizeof name, "Node.js, to run %s,", m->target->title);
    int status = cf_run_find("node", name, node->install, err);
    if (!status)
        status = cf_run_write(folder, "drop.mjs", common, err);
    if (!status)
        status = cf_run_write(folder, "scene.mjs", node->source, err);
    return status ? status : cf_run_export(m, folder, node->file, err);
}

int cf_node_drop(const struct cf_mapping *m, const struct cf_drop *d, struct cf_seen *out,
                 struct cf_error *err)
{
    const struct cf_node *node = m->target->node;
    char text[CF_NARGUMENT][32], *script = cf_run_path(d->folder, "scene.mjs");
    char *folder = strdup(d->folder);
    int status;

    cf_run_arguments(m, d, text);
    if (script && folder) {
        char *argv[] = {"node",  script,  folder,  text[0], text[1],
                        text[2], text[3], text[4], text[5], NULL};
        status =
            cf_run_program(argv, m->target->title, node->install, d->folder, d->timeout_s, err);
    } else {
        status = cf_fail(err, CF_ENOMEM, "out of memory");
    }
    free(script);
    free(folder);
    return status ? status : cf_run_trajectory(d->folder, "trajectory", d->speed_m_s, out, err);
}
