#include "cmd/figure_file.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"

enum { FILE_LIMIT = 64 << 20 }; /* bytes, as of fit files */

int cf_is_figure_file(const char *path, bool *figure, struct cf_error *err)
{
    const char *blank = " \t\n", *at;
    char *text = NULL;
    size_t len;
    int status = cf_file_read(path, FILE_LIMIT, &text, &len, NULL, err);

    if (status)
        return status;
    at = text + strspn(text, blank);
    *figure = *at != '{' || at[1 + strspn(at + 1, blank)] != '"';
    free(text);
    return CF_OK;
}
