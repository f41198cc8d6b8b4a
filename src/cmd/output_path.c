#define _POSIX_C_SOURCE 200809L

#include "cmd/output_path.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file_system.h"

char *cf_output_path(const char *input, const char *folder, const char *suffix)
{
    if (strcmp(input, "-") == 0)
        input = "stdin";
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

char *cf_path_climb(const char *from, const char *path)
{
    size_t shared = 0, up = 0;
    char *out, *end;

    for (size_t i = 0; path[i] && path[i] == from[i]; i++)
        shared = path[i] == '/' ? i + 1 : shared;
    for (const char *c = from + shared; *c; c++)
        up += *c == '/';
    out = malloc(3 * up + strlen(path + shared) + 1);
    for (end = out; out && up; up--)
        end = stpcpy(end, "../");
    if (out)
        memcpy(end, path + shared, strlen(path + shared) + 1);
    return out;
}

char *cf_path_from(const char *folder, const char *path)
{
    char *real = *path == '/' ? NULL : cf_file_real_path(path), *from = NULL, *out;
    char *base = real ? cf_file_real_path(*folder ? folder : ".") : NULL;
    size_t n = base ? strlen(base) : 0;

    if (base && (from = malloc(n + 2)))
        snprintf(from, n + 2, "%s%s", base, n && base[n - 1] == '/' ? "" : "/");
    out = from ? cf_path_climb(from, real) : strdup(path);
    free(real);
    free(base);
    free(from);
    return out;
}
