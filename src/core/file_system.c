/* For fopencookie() and flock(). */
#define _GNU_SOURCE

#include "core/file_system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names tried for a new file, one after the other. */
enum { TRIES = 1000 };

/* Symbolic links that are followed, one after the other, as Linux does. */
enum { LINKS = 40 };

/* Folders kept open at once while a tree is removed. */
enum { OPEN_FOLDERS = 8 };

static int code_of(int failed)
{
    return failed ? errno : 0;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

static void take_state(const struct stat *st, struct cf_file_state *state)
{
    state->kind = S_ISREG(st->st_mode)   ? CF_FILE_REGULAR
                  : S_ISDIR(st->st_mode) ? CF_FILE_FOLDER
                                         : CF_FILE_OTHER;
    state->size = (unsigned long long) st->st_size;
    state->device = (unsigned long long) st->st_dev;
    state->inode = (unsigned long long) st->st_ino;
    state->permissions = st->st_mode & 0777;
}

int cf_file_state(const char *path, struct cf_file_state *state)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return errno;
    take_state(&st, state);
    return 0;
}

int cf_file_state_open(int file, struct cf_file_state *state)
{
    struct stat st;
    if (fstat(file, &st) != 0)
        return errno;
    take_state(&st, state);
    return 0;
}

int cf_file_may_write(const char *path)
{
    return code_of(access(path, W_OK));
}

int cf_folder_may_hold(const char *path)
{
    return code_of(access(path, W_OK | X_OK));
}

char *cf_file_real_path(const char *path)
{
    return realpath(path, NULL);
}

/* The path that a symbolic link holds, as seen from where the link is; NULL, with an errno, where
 * there is no link, and no memory. */
static char *read_link(const char *path)
{
    const char *slash = strrchr(path, '/');
    char held[PATH_MAX], *to;
    ssize_t n = readlink(path, held, sizeof held);

    if (n < 0)
        return NULL;
    if (n == sizeof held) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    int folder = slash && held[0] != '/' ? (int) (slash - path) + 1 : 0;
    size_t size = (size_t) folder + (size_t) n + 1;
    to = malloc(size);
    if (to)
        snprintf(to, size, "%.*s%.*s", folder, path, (int) n, held);
    return to;
}

int cf_file_target(const char *path, char **target)
{
    char *at = strdup(path), *next;

    *target = NULL;
    for (int i = 0; at && i < LINKS; i++, at = next) {
        *target = realpath(at, NULL);
        next = *target ? NULL : read_link(at);
        int code = *target || next ? 0 : errno;
        if (*target || code == EINVAL || code == ENOENT || code == ENOTDIR) {
            if (*target)
                free(at);
            else
                *target = at;
            return 0;
        }
        free(at);
        if (code)
            return code;
    }
    free(at);
    return at ? ELOOP : ENOMEM;
}

int cf_file_open(const char *path, int *file)
{
    *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    return code_of(*file < 0);
}

int cf_file_read_some(int file, char *bytes, size_t size, size_t *n)
{
    ssize_t got;
    do
        got = read(file, bytes, size);
    while (got < 0 && errno == EINTR);
    *n = got < 0 ? 0 : (size_t) got;
    return code_of(got < 0);
}

int cf_file_read_at(int file, unsigned long long offset, char *bytes, size_t size, size_t *n)
{
    size_t got = 1;
    int code = code_of(lseek(file, (off_t) offset, SEEK_SET) < 0);

    *n = 0;
    while (!code && got && *n < size) {
        code = cf_file_read_some(file, bytes + *n, size - *n, &got);
        *n += got;
    }
    return code;
}

/* The name of a temporary file begins like this. */
static const char prefix[] = ".contactfit.";

/* Is this still the file of that name, in a folder or from here (AT_FDCWD)? */
static bool has_name(int file, int folder, const char *name)
{
    struct stat is, named;
    return fstat(file, &is) == 0 && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           is.st_dev == named.st_dev && is.st_ino == named.st_ino;
}

/* Lock a new file. Another run that clears stale files may hold its lock, and takes it away then,
 * or has done so: false. File systems without locks have it unlocked, and nobody clears there. */
static bool lock_new(int file, const char *path)
{
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    return has_name(file, AT_FDCWD, path);
}

/* Not by mkstemp(), whose mode 0600 ignores the umask. O_EXCL keeps others out. */
int cf_file_create_in(const char *folder, char *path, size_t size, int *file)
{
    *file = -1;
    for (int i = 0; i < TRIES && *file < 0; i++) {
        snprintf(path, size, "%s/%s%ld.%d", folder, prefix, (long) getpid(), i);
        *file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (*file < 0 && errno != EEXIST)
            break;
        if (*file >= 0 && !lock_new(*file, path)) {
            close(*file);
            *file = -1;
            errno = EEXIST;
        }
    }
    return code_of(*file < 0);
}

/* Once locked, a file that still has this name keeps it: without its lock nobody renames it. */
static void clear_one(int folder, const char *name)
{
    int file = openat(folder, name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

    if (file < 0)
        return;
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && has_name(file, folder, name))
        unlinkat(folder, name, 0);
    close(file);
}

void cf_folder_clear_stale(const char *folder)
{
    DIR *listing = opendir(folder);
    const struct dirent *entry;

    while (listing && (entry = readdir(listing)))
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0)
            clear_one(dirfd(listing), entry->d_name);
    if (listing)
        closedir(listing);
}

int cf_file_write_all(int file, const char *bytes, size_t size)
{
    while (size) {
        ssize_t n = write(file, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : EIO;
        bytes += n;
        size -= (size_t) n;
    }
    return 0;
}

int cf_file_set_permissions(int file, unsigned permissions)
{
    return code_of(fchmod(file, (mode_t) permissions));
}

int cf_file_sync(int file)
{
    return code_of(fsync(file));
}

int cf_folder_sync(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return errno;
    int code = code_of(fsync(folder));
    close(folder);
    return code == EINVAL ? 0 : code; /* said by file systems that cannot */
}

int cf_file_close(int file)
{
    return code_of(close(file));
}

/* What a stream of ours stands on. */
struct stream {
    cf_stream_write *write;
    void *owner;
};

static ssize_t pass_on(void *cookie, const char *bytes, size_t size)
{
    const struct stream *stream = cookie;
    return stream->write(stream->owner, bytes, size) ? (ssize_t) size : 0;
}

static int end_stream(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *cf_stream_open(cf_stream_write *write, void *owner, char *buffer, size_t size)
{
    struct stream *stream = malloc(sizeof *stream);
    FILE *file = NULL;

    if (stream) {
        *stream = (struct stream){write, owner};
        file = fopencookie(stream, "w",
                           (cookie_io_functions_t){.write = pass_on, .close = end_stream});
    }
    if (!file)
        free(stream);
    else
        setvbuf(file, buffer, _IOFBF, size);
    return file;
}

int cf_file_rename(const char *from, const char *to)
{
    return code_of(rename(from, to));
}

int cf_file_remove(const char *path)
{
    return code_of(remove(path));
}

int cf_folder_make_temporary(char *path)
{
    return code_of(!mkdtemp(path));
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void) info;
    (void) kind;
    (void) where;
    remove(
        path); /* what another process has just removed, or still writes to, keeps nothing else */
    return 0;
}

bool cf_folder_remove(const char *path)
{
    nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    return access(path, F_OK) != 0;
}

const char *cf_temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

/* File systems that have no files without a name lend one, for a moment. */
static int open_nameless(const char *folder)
{
    char path[PATH_MAX];
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);

    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return file;
    if (snprintf(path, sizeof path, "%s/%sXXXXXX", folder, prefix) >= (int) sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0)
        unlink(path);
    return file;
}

FILE *cf_file_temporary(int *code)
{
    int file = open_nameless(cf_temporary_folder());
    FILE *stream = file < 0 ? NULL : fdopen(file, "a+");

    *code = stream ? 0 : errno;
    if (!stream && file >= 0)
        close(file);
    return stream;
}

int cf_file_empty(FILE *temporary)
{
    if (fflush(temporary) || ftruncate(fileno(temporary), 0))
        return errno;
    rewind(temporary);
    return 0;
}

FILE *cf_file_spool(FILE *from, char path[CF_FILE_SPOOL_PATH], int *code)
{
    FILE *spool = cf_file_temporary(code);
    char bytes[1 << 14];
    size_t n;

    while (spool && (n = fread(bytes, 1, sizeof bytes, from)) > 0 && !*code)
        if (fwrite(bytes, 1, n, spool) != n)
            *code = errno;
    if (spool && !*code && (ferror(from) || fflush(spool) != 0))
        *code = errno ? errno : EIO;
    if (spool && !*code) {
        snprintf(path, CF_FILE_SPOOL_PATH, "/dev/fd/%d", fileno(spool));
        return spool;
    }
    if (spool)
        fclose(spool);
    return NULL;
}

int cf_folder_make(const char *path)
{
    struct cf_file_state state;

    if (mkdir(path, 0777) == 0)
        return 0;
    int code = errno;
    if (code != EEXIST)
        return code;
    code = cf_file_state(path, &state);
    return code ? code : state.kind == CF_FILE_FOLDER ? 0 : ENOTDIR;
}

int cf_folder_list(const char *path, const char *ending, char ***name, size_t *n)
{
    struct dirent **entry;
    size_t length = strlen(ending);
    int all = scandir(path, &entry, NULL, NULL), code = 0;

    *n = 0;
    *name = all < 0 ? NULL : calloc((size_t) all + 1, sizeof **name);
    if (!*name)
        code = all < 0 ? errno : ENOMEM;
    for (int i = 0; i < all; i++) {
        size_t size = strlen(entry[i]->d_name);
        if (!code && size > length && strcmp(entry[i]->d_name + size - length, ending) == 0) {
            (*name)[*n] = strdup(entry[i]->d_name);
            code = (*name)[*n] ? 0 : ENOMEM;
            *n += !code;
        }
        free(entry[i]);
    }
    if (all >= 0)
        free(entry);
    if (*n)
        qsort(*name, *n, sizeof **name, by_bytes);
    return code;
}

char *cf_program_path(void)
{
    return realpath("/proc/self/exe", NULL);
}

bool cf_stream_terminal(FILE *stream, size_t *columns)
{
    struct winsize size;
    bool terminal = isatty(fileno(stream));

    *columns = terminal && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
    return terminal;
}

bool cf_stream_unread(FILE *stream)
{
    struct pollfd end = {.fd = fileno(stream), .events = POLLOUT};
    return poll(&end, 1, 0) > 0 && (end.revents & POLLERR) != 0;
}
