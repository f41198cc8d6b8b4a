/* Where the examples lie. The build states three paths: CF_SOURCE_FOLDER, that of the sources as
 * seen from the build tree; CF_EXAMPLES_FOLDER, where they are installed; and CF_BIN_FOLDER, where
 * the program is. */

#define _POSIX_C_SOURCE 200809L

#include "cmd/examples_folder.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/output_path.h"
#include "core/file_system.h"
#include "core/text.h"

/* A folder, with its slash, and a path from there, which may be absolute. */
static char *from(const char *folder, const char *path)
{
    return *path == '/' ? strdup(path) : cf_format("%s%s", folder, path);
}

/* Is there such an entry in this folder? Frees its path. */
static bool has(const char *folder, const char *name, enum cf_file_kind kind)
{
    struct cf_file_state state;
    char *path = cf_format("%s/%s", folder, name);
    bool found = path && cf_file_state(path, &state) == 0 && state.kind == kind;

    free(path);
    return found;
}

/* The path, where there are examples; else NULL, and it is freed. */
static char *if_there(char *path)
{
    if (path && has(path, "fits", CF_FILE_FOLDER))
        return path;
    free(path);
    return NULL;
}

char *cf_examples_folder(struct cf_error *err)
{
    char *program = cf_program_path(), *folder = program ? cf_folder_of(program) : NULL;
    char *found = NULL, *climbed;

    if (folder && has(folder, "config.status", CF_FILE_REGULAR))
        found = if_there(from(folder, CF_SOURCE_FOLDER));
    if (folder && !found) {
        climbed = cf_path_climb(CF_BIN_FOLDER, CF_EXAMPLES_FOLDER);
        found = climbed ? if_there(from(folder, climbed)) : NULL;
        free(climbed);
    }
    free(program);
    free(folder);
    if (!found)
        found = if_there(strdup(CF_EXAMPLES_FOLDER));
    if (!found)
        cf_fail(err, CF_EIO, "no examples here: make install puts them into %s",
                CF_EXAMPLES_FOLDER);
    return found;
}
