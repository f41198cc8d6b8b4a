/* The name of a law in a YAML file. Private to src/file. */

#ifndef CF_FILE_LAW_NAME_H
#define CF_FILE_LAW_NAME_H

#include <stdbool.h>

#include "experiment/registry.h"
#include "file/yaml.h"

/* The law of the registry that a text names, of whatever family; an unknown one fails with the
 * nearest of those allowed there (NULL: all of them). */
int cf_law_name(const struct cf_yaml *at, const struct cf_registry *registry,
                bool (*fit)(const struct cf_law *law), const struct cf_law **law,
                struct cf_error *err);

#endif
