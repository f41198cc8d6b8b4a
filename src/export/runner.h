/* Targets whose drop is a script that another program runs. */

#ifndef CF_EXPORT_RUNNER_H
#define CF_EXPORT_RUNNER_H

#include "export/target.h"

struct cf_runner {
    const char *install;
    const char *const *command; /* NULL-terminated; script, folder and the drop follow */
    const char *also;           /* one more program that must be there; NULL: none */
    const char *file;           /* name of the export in the folder */
    const char *script;         /* name of what follows */
    const char *source;
    const char *module, *module_source; /* a file that the script reads; NULL: none */
};

/* `prepare` and `drop` of targets with m->target->runner. */
int cf_runner_prepare(const struct cf_mapping *m, const char *folder, struct cf_error *err);
int cf_runner_drop(const struct cf_mapping *m, const struct cf_drop *drop, struct cf_seen *out,
                   struct cf_error *err);

/* Node.js, with its module ./drop.mjs: the drop as numbers folder, R, m, gap, v, dt, n; find() of a
 * package; run(state, step), which prints what state() gives as compression and rate. */
extern const char *const cf_node_command[];
extern const char cf_node_module[];

#endif
