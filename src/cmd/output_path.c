#define _POSIX_C_SOURCE 200809L

#include "cmd/output_path.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *cf_output_path(const char *input, const char *folder, const char *suffix)
{
    const char *slash = strrchr(input, '/'), *name = slash ? slash + 1 : input;
    const char *dot = strrchr(name, '.');
    int stem = dot && dot > name ? (int) (dot - name) : (int) strlen(name);
    int kept = folder ? 0 : (int) (name - input);
    size_t flen = folder ? strlen(folder) : 0;
    bool divide = flen > 0 && folder[flen - 1] != '/';
    size_t size = strlen(input) + flen + strlen(suffix) + 2;
    char *path = malloc(size);

    if (path)
        snprintf(path, size, "%s%s%.*s%.*s%s", folder ? folder : "", divide ? "/" : "", kept, input,
                 stem, name, suffix);
    return path;
}

char *cf_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, (size_t) (slash - path) + 1) : strdup("");
}
