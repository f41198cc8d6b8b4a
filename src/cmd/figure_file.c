#include "cmd/figure_file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"

enum { FILE_LIMIT = 64 << 20 }; /* bytes, as of fit files */

static bool is_scene(const char *text)
{
    static const char key[] = "contactfit:";

    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, strlen(key)) != 0)
            continue;
        line += strlen(key);
        line += strspn(line, " \t'\"");
        return strncmp(line, "scene/", strlen("scene/")) == 0;
    }
    return false;
}

int cf_operand_kind(const char *path, enum cf_operand *kind, struct cf_error *err)
{
    const char *blank = " \t\n", *at;
    char *text = NULL;
    size_t len;
    int status;

    *kind = CF_OPERAND_FIT;
    if (strcmp(path, "-") == 0) /* standard input can be read once only */
        return CF_OK;
    status = cf_file_read(path, FILE_LIMIT, &text, &len, NULL, err);

    if (status)
        return status;
    at = text + strspn(text, blank);
    *kind = *at == '{' && at[1 + strspn(at + 1, blank)] == '"' ? CF_OPERAND_FIT
            : is_scene(text)                                   ? CF_OPERAND_SCENE
                                                               : CF_OPERAND_FIGURE;
    free(text);
    return CF_OK;
}
