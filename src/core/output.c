/* A file that appears whole or not at all: it grows under another name beside its target.
 *
 * Each write is seen by write_some(), with its reason where it fails: streams of the C library that
 * grow in memory drop bytes without a word where memory is short.
 */

#define _POSIX_C_SOURCE 200809L

#include "core/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/file_system.h"
#include "core/outputs.h"
#include "core/process.h"

/* Bytes that are gathered before they go to the disk. */
enum { BUFFER = 1 << 16 };

struct cf_output {
    FILE *stream;
    char buffer[BUFFER];
    char *path;      /* as given, for messages */
    char *target;    /* where a symbolic link at path leads */
    char *folder;    /* of the target */
    char *temporary; /* room for its name */
    FILE *console;   /* what "-" stands for: all is kept until it is whole; NULL: a file */
    char *kept;
    size_t nkept;
    int file;             /* -1: not begun */
    int code;             /* an errno; 0: all is well */
    unsigned permissions; /* of the file that is replaced; 0 when there is none */
    struct cf_held_signals held;
    struct cf_outputs *outputs; /* NULL: no rules */
    size_t place;               /* among them */
};

static int refuse(const char *path, int code, struct cf_error *err)
{
    return cf_fail(err, code == ENOMEM ? CF_ENOMEM : CF_EIO, "%s: cannot be written: %s", path,
                   strerror(code));
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t) (slash - path));
}

/* What can be known before the work is done: is there a place for the file? */
static int check_target(struct cf_output *out, struct cf_file_state *folder, struct cf_error *err)
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
    if ((code = cf_file_state(out->folder, folder)) != 0)
        return code == ENOENT ? cf_fail(err, CF_EIO, "%s: cannot be written: there is no folder %s",
                                        out->path, out->folder)
                              : refuse(out->path, code, err);
    if (folder->kind != CF_FILE_FOLDER)
        return cf_fail(err, CF_EIO, "%s: cannot be written: %s is not a folder", out->path,
                       out->folder);
    if ((code = cf_folder_may_hold(out->folder)) != 0)
        return refuse(out->path, code, err);
    return CF_OK;
}

/* The temporary file; what runs before this one that were killed left there goes. */
static int begin(struct cf_output *out)
{
    cf_signals_hold(&out->held);
    cf_folder_clear_stale(out->folder);
    int code = cf_file_create_in(out->folder, out->temporary,
                                 strlen(out->folder) + CF_FILE_NAME_ROOM, &out->file);
    if (code)
        cf_signals_release(&out->held);
    return code;
}

static bool keep_some(struct cf_output *out, const char *bytes, size_t size)
{
    char *longer = out->code ? NULL : realloc(out->kept, out->nkept + size);

    if (!longer) {
        out->code = out->code ? out->code : ENOMEM;
        return false;
    }
    memcpy(longer + out->nkept, bytes, size);
    out->kept = longer;
    out->nkept += size;
    return true;
}

static bool write_some(void *owner, const char *bytes, size_t size)
{
    struct cf_output *out = owner;

    if (out->console)
        return keep_some(out, bytes, size);
    if (!out->code && out->file < 0)
        out->code = begin(out);
    if (!out->code && cf_signals_wait())
        out->code = EINTR;
    if (!out->code)
        out->code = cf_file_write_all(out->file, bytes, size);
    return !out->code;
}

static int prepare(struct cf_output *out, const char *path, struct cf_error *err)
{
    struct cf_file_state folder;
    int status;

    out->path = strdup(path);
    int code = cf_file_target(path, &out->target);
    if (code)
        return refuse(path, code, err);
    if (!out->path)
        return cf_fail(err, CF_ENOMEM, "%s: out of memory", path);
    out->console = cf_outputs_stream(out->outputs, path);
    out->folder = folder_of(out->target);
    out->temporary = out->folder ? malloc(strlen(out->folder) + CF_FILE_NAME_ROOM) : NULL;
    out->stream = out->temporary ? cf_stream_open(write_some, out, out->buffer, BUFFER) : NULL;
    if (!out->stream)
        return cf_fail(err, CF_ENOMEM, "%s: out of memory", path);
    folder = (struct cf_file_state){.kind = CF_FILE_OTHER};
    status = out->console ? CF_OK : check_target(out, &folder, err);
    if (status || !out->outputs)
        return status;
    return cf_outputs_enter(out->outputs, path, out->target, &folder, &out->place, err);
}

struct cf_output *cf_output_open(struct cf_outputs *outputs, const char *path, struct cf_error *err)
{
    struct cf_output *out = calloc(1, sizeof *out);

    if (!out) {
        cf_fail(err, CF_ENOMEM, "%s: out of memory", path);
        return NULL;
    }
    out->file = -1;
    out->outputs = outputs;
    out->place = CF_NO_PLACE;
    if (prepare(out, path, err) == CF_OK)
        return out;
    cf_output_discard(out);
    return NULL;
}

FILE *cf_output_stream(struct cf_output *out)
{
    return out->stream;
}

bool cf_output_failed(struct cf_output *out)
{
    return out->code || (out->file >= 0 && cf_signals_wait());
}

/* Returns 0 or an errno. */
static int write_kept(const struct cf_output *out)
{
    errno = 0;
    if (out->nkept == 0 ||
        (fwrite(out->kept, 1, out->nkept, out->console) == out->nkept && fflush(out->console) == 0))
        return 0;
    return errno ? errno : EIO;
}

/* Returns 0 or an errno. */
static int finish(struct cf_output *out)
{
    int bad = ferror(out->stream), code;

    bad |= fclose(out->stream) != 0;
    out->stream = NULL;
    if (!out->code && bad)
        out->code = EIO;
    if (out->console)
        return out->code ? out->code : write_kept(out);
    if (!out->code && out->file < 0) /* an empty file is one, too */
        out->code = begin(out);
    if (!out->code && cf_signals_wait())
        out->code = EINTR;
    if (out->code)
        return out->code;
    code = out->permissions ? cf_file_set_permissions(out->file, out->permissions) : 0;
    if (!code)
        code = cf_file_sync(out->file);
    if (!code)
        code = cf_file_rename(out->temporary, out->target);
    if (code)
        return code;
    /* its lock goes with it: not before it has its name. What a close could report, fsync has */
    cf_file_close(out->file);
    out->file = -1;
    cf_signals_release(&out->held);
    return cf_folder_sync(out->folder);
}

int cf_output_commit(struct cf_output *out, struct cf_error *err)
{
    int status = CF_OK, code = finish(out);

    if (code)
        status = code == EINTR
                     ? cf_fail(err, CF_ECANCELLED, "%s: interrupted: not written", out->path)
                     : refuse(out->path, code, err);
    else
        out->place = CF_NO_PLACE; /* it stays among those that are written */
    cf_output_discard(out);
    return status;
}

void cf_output_discard(struct cf_output *out)
{
    if (!out)
        return;
    if (out->stream) {
        out->code = ECANCELED; /* what is still in the buffer goes nowhere */
        fclose(out->stream);
    }
    if (out->file >= 0) {
        cf_file_remove(out->temporary);
        cf_file_close(out->file);
        cf_signals_release(&out->held);
    }
    if (out->place != CF_NO_PLACE)
        cf_outputs_leave(out->outputs, out->place);
    free(out->path);
    free(out->target);
    free(out->folder);
    free(out->temporary);
    free(out->kept);
    free(out);
}
