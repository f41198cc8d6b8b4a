/* Targets that run in Node.js, out of a package of npm. */

#ifndef CF_EXPORT_NODE_H
#define CF_EXPORT_NODE_H

#include "export/target.h"

struct cf_node {
    const char *install;
    const char *file;   /* name of the export in the folder */
    const char *source; /* an ES module; see node.c for what it imports from ./drop.mjs */
};

/* `prepare` and `drop` of targets with m->target->node. */
int cf_node_prepare(const struct cf_mapping *m, const char *folder, struct cf_error *err);
int cf_node_drop(const struct cf_mapping *m, const struct cf_drop *drop, struct cf_seen *out,
                 struct cf_error *err);

#endif
