/* Running drops by scripts. */

#define _XOPEN_SOURCE 700
#include "export/runner.h"

#include <stdlib.h>
#include <string.h>

#include "export/run.h"

const char *const cf_node_command[] = {"node", NULL};

/* A package is looked for from the folder that contactfit was started in, and in NODE_PATH. */
const char cf_node_module[] =
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

int cf_runner_prepare(const struct cf_mapping *m, const char *folder, struct cf_error *err)
{
    const struct cf_runner *r = m->target->runner;

    int status = cf_run_find(r->command[0], m->target->title, r->install, err);
    if (!status && r->also)
        status = cf_run_find(r->also, m->target->title, r->install, err);
    if (!status && r->module)
        status = cf_run_write(folder, r->module, r->module_source, err);
    if (!status)
        status = cf_run_write(folder, r->script, r->source, err);
    return status ? status : cf_run_export(m, folder, r->file, err);
}

/* Words of a command, and what follows them. */
enum { MOST_WORDS = 8, MOST_ARGUMENTS = MOST_WORDS + 2 + CF_NARGUMENT + 1 };

static void free_all(char *argv[MOST_ARGUMENTS])
{
    for (int i = 0; i < MOST_ARGUMENTS; i++)
        free(argv[i]);
}

static int collect(const struct cf_mapping *m, const struct cf_drop *d, char *argv[MOST_ARGUMENTS],
                   struct cf_error *err)
{
    const struct cf_runner *r = m->target->runner;
    char text[CF_NARGUMENT][32];
    int n = 0;

    cf_run_arguments(m, d, text);
    for (; r->command[n] && n < MOST_WORDS; n++)
        argv[n] = strdup(r->command[n]);
    argv[n++] = cf_run_path(d->folder, r->script);
    argv[n++] = strdup(d->folder);
    for (int i = 0; i < CF_NARGUMENT; i++)
        argv[n++] = strdup(text[i]);
    for (int i = 0; i < n; i++)
        if (!argv[i])
            return cf_fail(err, CF_ENOMEM, "out of memory");
    return CF_OK;
}

int cf_runner_drop(const struct cf_mapping *m, const struct cf_drop *d, struct cf_seen *out,
                   struct cf_error *err)
{
    char *argv[MOST_ARGUMENTS] = {NULL};

    int status = collect(m, d, argv, err);
    if (!status)
        status = cf_run_program(argv, m->target->title, m->target->runner->install, d->folder,
                                d->timeout_s, err);
    free_all(argv);
    return status ? status : cf_run_trajectory(d->folder, "trajectory", d->speed_m_s, out, err);
}
