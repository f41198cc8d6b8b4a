/* Preloaded into contactfit: counts the calls that a system may refuse, and refuses one.
 *
 * The process serves runs: of each line "KIND:N FOLDER" on its standard input it forks a run, in
 * that folder, whose call N, from 1, of a kind below is refused, and answers with the run's wait
 * status. So the program is loaded once for many runs. KIND "count" refuses none, and writes how
 * many calls there were and which allocations are large to FOLDER.log. Standard output and messages
 * go to FOLDER.out and FOLDER.err. FAULTS_SHOW=1 prints where the refused call came from.
 *
 * What the C library writes by itself does not pass by write(): standard output is given a stream
 * that does. Programs that a run starts are not concerned.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind { MEMORY, OPEN, WRITE, RENAME, FSYNC, CLOSE, NKIND };
static const char *const name[NKIND] = {"memory", "open", "write", "rename", "fsync", "close"};

static atomic_long count[NKIND];
static long refused[NKIND];
static bool on, show;
static char log_path[4096];

enum { MOST_CALLERS = 64, LARGE = 4096, MOST_LARGE = 1 << 20, LONGEST_S = 300 };

/* Numbers of the allocations of more than LARGE bytes. */
static int large[MOST_LARGE];
static atomic_int nlarge;

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

/* libsndfile and libFLAC end the process without memory, which the program looks for before: what
 * they ask for themselves is neither counted nor refused. */
static struct {
    uintptr_t from, to;
} foreign[4];
static int nforeign;

static int find_foreign(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void) size, (void) unused;
    if (!strstr(info->dlpi_name, "libsndfile") && !strstr(info->dlpi_name, "libFLAC"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum && nforeign < 4; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            foreign[nforeign].from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            foreign[nforeign].to = foreign[nforeign].from + info->dlpi_phdr[i].p_memsz;
            nforeign++;
        }
    return 0;
}

static bool refuse_memory(size_t size, const void *caller)
{
    for (int i = 0; i < nforeign; i++)
        if ((uintptr_t) caller >= foreign[i].from && (uintptr_t) caller < foreign[i].to)
            return false;
    if (on && size > LARGE) {
        int i = atomic_fetch_add(&nlarge, 1);
        if (i < MOST_LARGE)
            large[i] = (int) atomic_load(&count[MEMORY]) + 1;
    }
    return refuse(MEMORY, ENOMEM);
}

void *malloc(size_t size)
{
    return refuse_memory(size, __builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return refuse_memory(n * size, __builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return refuse_memory(size, __builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return refuse_memory(size, __builtin_return_address(0)) ? NULL
                                                            : __libc_memalign(alignment, size);
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

/* A line without its end; false: there is no more. Not by a stream, whose buffer runs would share.
 */
static bool read_line(char line[], size_t size)
{
    size_t n = 0;

    while (n + 1 < size && syscall(SYS_read, STDIN_FILENO, &line[n], 1) == 1 && line[n] != '\n')
        n++;
    line[n] = '\0';
    return n > 0;
}

static void redirect(int to, const char *folder, const char *ending, int flags)
{
    char path[4096];

    snprintf(path, sizeof path, "%s%s", folder, ending);
    int file = open(path, flags, 0666);
    dup2(file, to);
    syscall(SYS_close, file);
}

static void start(const char *what, const char *folder)
{
    for (int i = 0; i < NKIND; i++) {
        size_t n = strlen(name[i]);
        if (strncmp(what, name[i], n) == 0 && what[n] == ':')
            refused[i] = atol(what + n + 1);
    }
    if (strcmp(what, "count") == 0)
        snprintf(log_path, sizeof log_path, "%s.log", folder);
    if (chdir(folder) != 0)
        _exit(EXIT_FAILURE);
    redirect(STDIN_FILENO, "/dev/null", "", O_RDONLY);
    redirect(STDOUT_FILENO, folder, ".out", O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDERR_FILENO, folder, ".err", O_WRONLY | O_CREAT | O_TRUNC);
    stdout = fopencookie(NULL, "w", (cookie_io_functions_t){.write = to_standard_output});
    alarm(LONGEST_S);
    on = stdout != NULL;
}

__attribute__((__constructor__)) static void serve(void)
{
    char line[8192], answer[40], *folder;

    show = getenv("FAULTS_SHOW");
    dl_iterate_phdr(find_foreign, NULL);
    unsetenv("LD_PRELOAD");
    unsetenv("LD_BIND_NOW");
    while (read_line(line, sizeof line) && (folder = strchr(line, ' '))) {
        int status;
        *folder++ = '\0';
        pid_t run = fork();
        if (run == 0) {
            start(line, folder);
            return;
        }
        if (run < 0 || waitpid(run, &status, 0) != run)
            break;
        int n = snprintf(answer, sizeof answer, "%d\n", status);
        syscall(SYS_write, STDOUT_FILENO, answer, (size_t) n);
    }
    _exit(EXIT_SUCCESS);
}

__attribute__((__destructor__)) static void end(void)
{
    on = false;
    FILE *log = *log_path ? fopen(log_path, "w") : NULL;
    if (!log)
        return;
    for (int i = 0; i < NKIND; i++)
        fprintf(log, "%s %ld\n", name[i], atomic_load(&count[i]));
    fprintf(log, "large");
    for (int i = 0; i < nlarge && i < MOST_LARGE; i++)
        fprintf(log, " %d", large[i]);
    fputc('\n', log);
    fclose(log);
}
