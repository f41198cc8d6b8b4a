/* Preloaded into contactfit: counts the calls that a system may refuse, and refuses one.
 *
 * FAULTS=KIND:N refuses call N, from 1, of a kind below; FAULTS=count refuses none. FAULTS_LOG
 * names a file that receives the counts at the end; FAULTS_SHOW=1 prints where the refused call
 * came from. What the C library writes by itself does not pass by write(): standard output is given
 * a stream that does. Children are not concerned.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum kind { MEMORY, OPEN, WRITE, RENAME, FSYNC, CLOSE, NKIND };
static const char *const name[NKIND] = {"memory", "open", "write", "rename", "fsync", "close"};

static atomic_long count[NKIND];
static long refused[NKIND];
static bool on, show;
static char log_path[4096];

enum { MOST_CALLERS = 64 };

static bool refuse(enum kind kind, int code)
{
    void *caller[MOST_CALLERS];

    if (!on || atomic_fetch_add(&count[kind], 1) + 1 != refused[kind])
        return false;
    if (show) {
        on = false;
        backtrace_symbols_fd(caller, backtrace(caller, MOST_CALLERS), STDERR_FILENO);
        on = true;
    }
    errno = code;
    return true;
}

/* ---- memory, by the names that glibc keeps for those who replace its own */

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size)
{
    return refuse(MEMORY, ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return refuse(MEMORY, ENOMEM) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return refuse(MEMORY, ENOMEM) ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return refuse(MEMORY, ENOMEM) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **to, size_t alignment, size_t size)
{
    *to = aligned_alloc(alignment, size);
    return *to ? 0 : ENOMEM;
}

/* ---- files */

int open(const char *path, int flags, ...)
{
    va_list args;

    va_start(args, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, int) : 0;
    va_end(args);
    return refuse(OPEN, EMFILE) ? -1 : (int) syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    FILE *(*real)(const char *, const char *);

    *(void **) &real = dlsym(RTLD_NEXT, "fopen");
    return refuse(OPEN, EMFILE) ? NULL : real(path, mode);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    return refuse(WRITE, ENOSPC) ? -1 : syscall(SYS_write, file, bytes, size);
}

int fflush(FILE *file)
{
    int (*real)(FILE *);

    *(void **) &real = dlsym(RTLD_NEXT, "fflush");
    return file != stdout && file != stderr && refuse(WRITE, ENOSPC) ? EOF : real(file);
}

int rename(const char *from, const char *to)
{
    return refuse(RENAME, EACCES) ? -1 : (int) syscall(SYS_rename, from, to);
}

int fsync(int file)
{
    return refuse(FSYNC, EIO) ? -1 : (int) syscall(SYS_fsync, file);
}

int close(int file)
{
    int closed = (int) syscall(SYS_close, file); /* as on Linux, also where it reports an error */
    return refuse(CLOSE, EIO) ? -1 : closed;
}

/* ---- from the start to the end of the process */

static ssize_t to_standard_output(void *cookie, const char *bytes, size_t size)
{
    (void) cookie;
    ssize_t written = write(STDOUT_FILENO, bytes, size);
    return written < 0 ? 0 : written;
}

__attribute__((__constructor__)) static void begin(void)
{
    const char *what = getenv("FAULTS"), *log = getenv("FAULTS_LOG");

    for (int i = 0; what && i < NKIND; i++) {
        size_t n = strlen(name[i]);
        if (strncmp(what, name[i], n) == 0 && what[n] == ':')
            refused[i] = atol(what + n + 1);
    }
    snprintf(log_path, sizeof log_path, "%s", log ? log : "");
    show = getenv("FAULTS_SHOW");
    unsetenv("LD_PRELOAD");
    stdout = fopencookie(NULL, "w", (cookie_io_functions_t){.write = to_standard_output});
    on = what && stdout;
}

__attribute__((__destructor__)) static void end(void)
{
    on = false;
    FILE *log = *log_path ? fopen(log_path, "w") : NULL;
    for (int i = 0; log && i < NKIND; i++)
        fprintf(log, "%s %ld\n", name[i], atomic_load(&count[i]));
    if (log)
        fclose(log);
}
