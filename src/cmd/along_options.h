/* Options that are named after the channels that protocols impose: drop_height gives --drop-height.
 * Private to src/cmd. */

#ifndef CF_CMD_ALONG_OPTIONS_H
#define CF_CMD_ALONG_OPTIONS_H

#include "cmd/command.h"
#include "experiment/registry.h"

enum { CF_ALONG_NAME = 64 };

struct cf_along_option {
    struct cf_option option;
    char name[CF_ALONG_NAME], what[160];
};

/* Those of all protocols of a registry, each name once, and with `settings` those of what rigs can
 * be set to, too (plate_speed: --plate-speed): (*option)[*n], which is the caller's to free(). */
int cf_along_options(const struct cf_registry *registry, bool settings,
                     struct cf_along_option **option, size_t *n, struct cf_error *err);

/* The setting of an option, of whatever protocol; NULL: the option is none of a setting. */
const struct cf_setting *cf_along_setting(const struct cf_registry *registry, const char *option);

/* The name of a channel as that of an option. Returns out. */
const char *cf_along_respell(const char *name, char out[CF_ALONG_NAME]);

#endif
