/* A file that appears whole or not at all.
 *
 * The text is gathered in memory and the disk is touched only by the commit, so an interrupted run
 * leaves nothing behind and every failing write() shows its own reason.
 */

#define _XOPEN_SOURCE 700

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"

enum { TRIES = 1000, NAME_ROOM = 48 };

struct cf_output {
    FILE *stream;
    char *text; /* of the stream; NULL before its first flush */
    size_t len;
    char *path;   /* as given, for messages */
    char *target; /* where a symbolic link at path leads */
    char *folder; /* of the target */
    mode_t mode;  /* of the file that is replaced; 0 when there is none */
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
    struct stat st;

    if (stat(out->path, &st) == 0) {
        if (S_ISDIR(st.st_mode))
            return cf_fail(err, CF_EIO, "%s: cannot be written: it is a folder", out->path);
        /* renaming over /dev/null would take it away from everyone */
        if (!S_ISREG(st.st_mode))
            return cf_fail(err, CF_EIO, "%s: cannot be written: it is not a regular file",
                           out->path);
        if (access(out->path, W_OK) != 0)
            return refuse(out->path, errno, err);
        out->mode = st.st_mode & 0777;
    }
    if (stat(out->folder, &st) != 0)
        return errno == ENOENT
                   ? cf_fail(err, CF_EIO, "%s: cannot be written: there is no folder %s", out->path,
                             out->folder)
                   : refuse(out->path, errno, err);
    if (!S_ISDIR(st.st_mode))
        return cf_fail(err, CF_EIO, "%s: cannot be written: %s is not a folder", out->path,
                       out->folder);
    if (access(out->folder, W_OK | X_OK) != 0)
        return refuse(out->path, errno, err);
    return CF_OK;
}

struct cf_output *cf_output_open(const char *path, struct cf_error *err)
{
    struct cf_output *out = calloc(1, sizeof *out);
    if (!out)
        goto memory;
    out->path = strdup(path);
    out->target = realpath(path, NULL);
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

/* A new file beside the target: not by mkstemp(), whose mode 0600 ignores the umask. O_EXCL
 * keeps others out. */
static int open_beside(const struct cf_output *out, char *temp, size_t size)
{
    int fd = -1;
    for (int i = 0; i < TRIES; i++) {
        snprintf(temp, size, "%s/.contactfit.%ld.%d", out->folder, (long) getpid(), i);
        fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    return fd;
}

static int write_all(int fd, const char *text, size_t len)
{
    while (len) {
        ssize_t n = write(fd, text, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : EIO;
        text += n;
        len -= (size_t) n;
    }
    return 0;
}

/* Make the new name last; file systems that cannot sync a folder say EINVAL. */
static int sync_folder(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), code = 0;
    if (fd < 0)
        return errno;
    if (fsync(fd) != 0 && errno != EINVAL)
        code = errno;
    close(fd);
    return code;
}

/* Returns 0 or an errno; nothing of the temporary file is left after a failure. */
static int write_file(const struct cf_output *out, char *temp, size_t size)
{
    int fd = open_beside(out, temp, size), code;
    if (fd < 0)
        return errno;
    code = write_all(fd, out->text, out->len);
    if (!code && out->mode && fchmod(fd, out->mode) != 0)
        code = errno;
    if (!code && fsync(fd) != 0)
        code = errno;
    if (close(fd) != 0 && !code)
        code = errno;
    if (!code && rename(temp, out->target) != 0)
        code = errno;
    if (code) {
        unlink(temp);
        return code;
    }
    return sync_folder(out->folder);
}

int cf_output_commit(struct cf_output *out, struct cf_error *err)
{
    int status = CF_OK, bad = ferror(out->stream);
    size_t size = strlen(out->folder) + NAME_ROOM;
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
