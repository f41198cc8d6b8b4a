/* Child processes with a time-out, temporary folders, trajectories. */

#define _XOPEN_SOURCE 700
#include "export/run.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/file.h"
#include "core/text.h"

extern char **environ;

/* More than any log or trajectory that a drop writes. */
static const size_t largest_file = (size_t) 1 << 28;

/* What a child leaves with that finds no program, where spawning itself does not tell. */
enum { NO_SUCH_PROGRAM = 127 };

char *cf_run_path(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

int cf_run_find(const char *program, const char *name, const char *install, struct cf_error *err)
{
    const char *path = getenv("PATH");

    for (const char *part = path ? path : ""; *part; part += *part == ':') {
        size_t len = strcspn(part, ":");
        char full[4096];
        int n = snprintf(full, sizeof full, "%.*s/%s", (int) len, part, program);
        if (n > 0 && (size_t) n < sizeof full && access(full, X_OK) == 0)
            return CF_OK;
        part += len;
    }
    return cf_fail(err, CF_EIO, "%s is not installed (no %s in PATH): %s", name, program, install);
}

static int spawn(char *const argv[], const char *log, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;

    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    if (!failed) {
        /* a group of its own, so that what it starts ends with it */
        failed = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        if (!failed)
            failed =
                posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (!failed)
            failed = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log,
                                                      O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (!failed)
            failed = posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
        if (!failed)
            failed = posix_spawnp(child, argv[0], &actions, &attributes, argv, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* True when the child ended by itself within the time. */
static bool wait_for(pid_t child, double timeout_s, int *ended)
{
    const struct timespec nap = {.tv_nsec = 2000000};
    struct timespec start, now;

    clock_gettime(CLOCK_MONOTONIC, &start);
    for (;;) {
        pid_t got = waitpid(child, ended, WNOHANG);
        if (got == child)
            return true;
        if (got < 0 && errno != EINTR)
            return false;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if ((double) (now.tv_sec - start.tv_sec) + 1e-9 * (double) (now.tv_nsec - start.tv_nsec) >
            timeout_s)
            break;
        nanosleep(&nap, NULL);
    }
    kill(-child, SIGKILL);
    while (waitpid(child, ended, 0) < 0 && errno == EINTR)
        ;
    return false;
}

/* The last line of the log that is not empty, fit to be shown. */
static int fail_with_log(const char *name, const char *log, struct cf_error *err)
{
    char *text = NULL, shown[CF_SHOWN];
    size_t len = 0;
    const char *last = "it gave no reason";

    if (cf_file_read(log, largest_file, &text, &len, NULL, NULL) == CF_OK) {
        /* mpirun rules lines off */
        while (len > 0 && strchr(" \n-", text[len - 1]))
            text[--len] = '\0';
        const char *start = strrchr(text, '\n');
        last = start ? start + 1 : text;
    }
    int status = cf_fail(err, CF_EIO, "%s failed: %s", name, cf_show(last, shown));
    free(text);
    return status;
}

int cf_run_program(char *const argv[], const char *name, const char *install, const char *folder,
                   double timeout_s, struct cf_error *err)
{
    char *log = cf_run_path(folder, "log");
    pid_t child;
    int ended = 0, status = CF_OK;

    if (!log)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    int failed = spawn(argv, log, &child);
    if (failed == ENOENT)
        status = cf_fail(err, CF_EIO, "%s is not installed: %s", name, install);
    else if (failed)
        status = cf_fail(err, CF_EIO, "%s cannot be started: %s", name, strerror(failed));
    else if (!wait_for(child, timeout_s, &ended))
        status = cf_fail(err, CF_EIO, "%s was ended after %g s", name, timeout_s);
    else if (WIFEXITED(ended) && WEXITSTATUS(ended) == NO_SUCH_PROGRAM)
        status = cf_fail(err, CF_EIO, "%s is not installed: %s", name, install);
    else if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        status = fail_with_log(name, log, err);
    free(log);
    return status;
}

int cf_run_write(const char *folder, const char *name, const char *text, struct cf_error *err)
{
    char *path = cf_run_path(folder, name);
    if (!path)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    struct cf_output *out = cf_output_open(path, err);
    free(path);
    if (!out)
        return CF_EIO;
    fputs(text, cf_output_stream(out));
    return cf_output_commit(out, err);
}

int cf_run_export(const struct cf_mapping *m, const char *folder, const char *name,
                  struct cf_error *err)
{
    char *path = cf_run_path(folder, name);
    if (!path)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    struct cf_output *out = cf_output_open(path, err);
    free(path);
    if (!out)
        return CF_EIO;
    int status = m->target->write(&m, 1, cf_output_stream(out), err);
    if (status) {
        cf_output_discard(out);
        return status;
    }
    return cf_output_commit(out, err);
}

void cf_run_arguments(const struct cf_mapping *m, const struct cf_drop *drop,
                      char text[CF_NARGUMENT][32])
{
    const double number[] = {m->material->radius_m, m->material->mass_kg, drop->gap_m,
                             drop->speed_m_s, drop->dt_s};
    for (int i = 0; i < CF_NARGUMENT - 1; i++)
        snprintf(text[i], sizeof text[i], "%.17g", number[i]);
    snprintf(text[CF_NARGUMENT - 1], sizeof text[CF_NARGUMENT - 1], "%ld", drop->steps);
}

/* Steps that change the rate: those of rounding are none. */
static const double rounding = 1e-11;

/* One "TIME COMPRESSION RATE"; false at the end. Lines that begin with # are comments. */
static bool read_line(const char **text, double number[3])
{
    char *end;

    *text += strspn(*text, " \n");
    while (**text == '#') {
        *text += strcspn(*text, "\n");
        *text += strspn(*text, " \n");
    }
    for (int i = 0; i < 3; i++) {
        number[i] = strtod(*text, &end);
        if (end == *text)
            return false;
        *text = end;
    }
    return true;
}

/* The part of a step that lies in touch, where it crosses the surface. */
static double inside(double before, double after)
{
    return before < 0 && after > 0   ? after / (after - before)
           : before > 0 && after < 0 ? before / (before - after)
                                     : 1;
}

static size_t read_lines(const char *text, double speed_m_s, struct cf_seen *out)
{
    double row[3], before[3] = {0};
    size_t n = 0;

    *out = (struct cf_seen){0};
    for (; read_line(&text, row); n++) {
        if (n > 0 && fabs(row[2] - before[2]) > rounding * speed_m_s)
            out->duration_s += (row[0] - before[0]) * inside(before[1], row[1]);
        out->depth_m = fmax(out->depth_m, row[1]);
        out->e = -row[2] / speed_m_s;
        out->left = row[2] < 0 && row[1] <= 0;
        out->time_s = row[0];
        memcpy(before, row, sizeof before);
    }
    return n;
}

int cf_run_trajectory(const char *folder, const char *name, double speed_m_s, struct cf_seen *out,
                      struct cf_error *err)
{
    char *path = cf_run_path(folder, name), *text;
    size_t len;

    if (!path)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    int status = cf_file_read(path, largest_file, &text, &len, NULL, err);
    free(path);
    if (status)
        return status;
    size_t n = read_lines(text, speed_m_s, out);
    free(text);
    if (n < 2)
        return cf_fail(err, CF_EIO, "the run at %g m/s wrote no trajectory", speed_m_s);
    if (!out->left)
        return cf_fail(err, CF_EIO, "the run at %g m/s ended before the contact did", speed_m_s);
    return CF_OK;
}

int cf_run_folder(char **folder, struct cf_error *err)
{
    const char *base = getenv("TMPDIR");

    *folder = cf_run_path(base && *base ? base : "/tmp", "contactfit-XXXXXX");
    if (!*folder)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    if (mkdtemp(*folder))
        return CF_OK;
    int status = cf_fail(err, CF_EIO, "%s: no temporary folder: %s", *folder, strerror(errno));
    free(*folder);
    *folder = NULL;
    return status;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void) info;
    (void) kind;
    (void) where;
    return remove(path);
}

void cf_run_folder_remove(char *folder)
{
    enum { OPEN_FOLDERS = 8 };
    if (folder)
        nftw(folder, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    free(folder);
}
