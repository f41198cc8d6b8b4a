/* A file that appears whole or not at all.
 *
 * The text is gathered in memory and the disk is touched only by the commit, so an interrupted run
 * leaves nothing behind and every failing write() shows its own reason.
 */

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/file_system.h"

struct cf_output {
    FILE *stream;
    char *text; /* of the stream; NULL before its first flush */
    size_t len;
    char *path;           /* as given, for messages */
    char *target;         /* where a symbolic link at path leads */
    char *folder;         /* of the target */
    unsigned permissions; /* of the file that is replaced; 0 when there is none */
};

static int refuse(const char *path, int code, struct cf_error *err)
{
    return cf_fail(err, CF_EIO, "%s: cannot be written: %s", path, strerror(code));
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t) (slash - path));
}

/* What can be known before the work is done: is there a place for the file? */
static int check_target(struct cf_output *out, struct cf_error *err)
{
    struct cf_file_state state;
    int code;

    if (cf_file_state(out->path, &state) == 0) {
        if (state.kind == CF_FILE_FOLDER)
            return cf_fail(err, CF_EIO, "%s: cannot be written: it is a folder", out->path);
        /* renaming over /dev/null would take it away from everyone */
        if (state.kind != CF_FILE_REGULAR)
            return cf_fail(err, CF_EIO, "%s: cannot be written: it is not a regular file",
                           out->path);
        if ((code = cf_file_may_write(out->path)) != 0)
            return refuse(out->path, code, err);
        out->permissions = state.permissions;
    }
    if ((code = cf_file_state(out->folder, &state)) != 0)
        return code == ENOENT ? cf_fail(err, CF_EIO, "%s: cannot be written: there is no folder %s",
                                        out->path, out->folder)
                              : refuse(out->path, code, err);
    if (state.kind != CF_FILE_FOLDER)
        return cf_fail(err, CF_EIO, "%s: cannot be written: %s is not a folder", out->path,
                       out->folder);
    if ((code = cf_folder_may_hold(out->folder)) != 0)
        return refuse(out->path, code, err);
    return CF_OK;
}

struct cf_output *cf_output_open(const char *path, struct cf_error *err)
{
    struct cf_output *out = calloc(1, sizeof *out);
    if (!out)
        goto memory;
    out->path = strdup(path);
    out->target = cf_file_real_path(path);
    if (!out->target)
        out->target = strdup(path);
    if (!out->path || !out->target)
        goto memory;
    out->folder = folder_of(out->target);
    out->stream = open_memstream(&out->text, &out->len);
    if (!out->folder || !out->stream)
        goto memory;
    if (check_target(out, err) == CF_OK)
        return out;
    cf_output_discard(out);
    return NULL;

memory:
    cf_fail(err, CF_ENOMEM, "%s: out of memory", path);
    cf_output_discard(out);
    return NULL;
}

FILE *cf_output_stream(struct cf_output *out)
{
    return out->stream;
}

/* Returns 0 or an errno; nothing of the temporary file is left after a failure. */
static int write_file(const struct cf_output *out, char *temp, size_t size)
{
    int file, code = cf_file_create_in(out->folder, temp, size, &file);
    if (code)
        return code;
    code = cf_file_write_all(file, out->text, out->len);
    if (!code && out->permissions)
        code = cf_file_set_permissions(file, out->permissions);
    if (!code)
        code = cf_file_sync(file);
    int closed = cf_file_close(file);
    if (!code)
        code = closed;
    if (!code)
        code = cf_file_rename(temp, out->target);
    if (code) {
        cf_file_remove(temp);
        return code;
    }
    return cf_folder_sync(out->folder);
}

int cf_output_commit(struct cf_output *out, struct cf_error *err)
{
    int status = CF_OK, bad = ferror(out->stream);
    size_t size = strlen(out->folder) + CF_FILE_NAME_ROOM;
    char *temp = malloc(size);

    bad |= fclose(out->stream) != 0;
    out->stream = NULL;
    if (bad || !temp) {
        status = cf_fail(err, CF_ENOMEM, "%s: out of memory", out->path);
    } else {
        int code = write_file(out, temp, size);
        if (code)
            status = refuse(out->path, code, err);
    }
    free(temp);
    cf_output_discard(out);
    return status;
}

void cf_output_discard(struct cf_output *out)
{
    if (!out)
        return;
    if (out->stream)
        fclose(out->stream);
    free(out->text);
    free(out->path);
    free(out->target);
    free(out->folder);
    free(out);
}
