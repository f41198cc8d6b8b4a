/* Simulators as child processes, temporary folders, trajectories. */

#define _POSIX_C_SOURCE 200809L
#include "export/run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/file.h"
#include "core/file_system.h"
#include "core/output.h"
#include "core/process.h"
#include "core/text.h"

/* More than any log or trajectory that a drop writes. */
static const size_t largest_file = (size_t) 1 << 28;

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
    return cf_process_in_path(program)
               ? CF_OK
               : cf_fail(err, CF_EIO, "%s is not installed (no %s in PATH): %s", name, program,
                         install);
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

/* A run with both of its outputs in one file, and a temporary folder of its own: Open MPI has a
 * folder there for all runs of a user, in which two that begin or end at once are in each other's
 * way. */
static struct cf_process_result run_logged(char *const argv[], const char *log,
                                           const char *temporary, double timeout_s)
{
    const char *const set[] = {temporary, NULL};
    FILE *out = fopen(log, "w");
    if (!out)
        return (struct cf_process_result){CF_PROCESS_NOT_STARTED, errno};
    struct cf_process_result result = cf_process_run(&(struct cf_process){
        .argv = argv, .output = out, .messages = out, .set = set, .limit_s = timeout_s});
    fclose(out);
    return result;
}

int cf_run_program(char *const argv[], const char *name, const char *install, const char *folder,
                   double timeout_s, struct cf_error *err)
{
    char *log = cf_run_path(folder, "log");
    char *temporary = cf_format("TMPDIR=%s/tmp-XXXXXX", folder);
    int status = CF_OK, code;

    if (!log || !temporary) {
        free(log);
        free(temporary);
        return cf_fail(err, CF_ENOMEM, "out of memory");
    }
    code = cf_folder_make_temporary(temporary + strlen("TMPDIR="));
    struct cf_process_result result = {CF_PROCESS_NOT_STARTED, code};
    if (!code)
        result = run_logged(argv, log, temporary, timeout_s);
    free(temporary);
    if (result.end == CF_PROCESS_MISSING)
        status = cf_fail(err, CF_EIO, "%s is not installed: %s", name, install);
    else if (result.end == CF_PROCESS_NOT_STARTED)
        status = cf_fail(err, CF_EIO, "%s cannot be started: %s", name, strerror(result.code));
    else if (result.end == CF_PROCESS_INTERRUPTED)
        status = cf_fail(err, CF_ECANCELLED, "%s was interrupted", name);
    else if (result.end == CF_PROCESS_TIMED_OUT || result.end == CF_PROCESS_LOST)
        status = cf_fail(err, CF_EIO, "%s was ended after %g s", name, timeout_s);
    else if (!cf_process_succeeded(result))
        status = fail_with_log(name, log, err);
    free(log);
    return status;
}

/* Begin FOLDER/NAME. */
static int open_output(const char *folder, const char *name, struct cf_output **out,
                       struct cf_error *err)
{
    char *path = cf_run_path(folder, name);
    if (!path)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    *out = cf_output_open(NULL, path, err);
    free(path);
    return *out ? CF_OK : CF_EIO;
}

int cf_run_write(const char *folder, const char *name, const char *text, struct cf_error *err)
{
    struct cf_output *out = NULL;
    int status = open_output(folder, name, &out, err);
    if (status)
        return status;
    fputs(text, cf_output_stream(out));
    return cf_output_commit(out, err);
}

int cf_run_export(const struct cf_mapping *m, const char *folder, const char *name,
                  struct cf_error *err)
{
    struct cf_output *out = NULL;
    int status = open_output(folder, name, &out, err);
    if (status)
        return status;
    status = m->target->write(&m, 1, cf_output_stream(out), err);
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
    *folder = cf_run_path(cf_temporary_folder(), "contactfit-XXXXXX");
    if (!*folder)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    int code = cf_folder_make_temporary(*folder);
    if (!code)
        return CF_OK;
    int status = cf_fail(err, CF_EIO, "%s: no temporary folder: %s", *folder, strerror(code));
    free(*folder);
    *folder = NULL;
    return status;
}

/* Open MPI puts its own folder away when the program has ended already, and may write to it
 * meanwhile: two seconds at most. */
enum { MOST_NAPS = 100 };
static const long nap_ns = 20000000;

void cf_run_folder_remove(char *folder)
{
    for (int nap = 0; folder && !cf_folder_remove(folder) && nap < MOST_NAPS; nap++)
        nanosleep(&(struct timespec){.tv_nsec = nap_ns}, NULL);
    free(folder);
}
