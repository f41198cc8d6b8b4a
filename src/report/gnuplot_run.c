/* gnuplot as a child process, without a shell.
 *
 * Script and output lie in unnamed temporary files and not in pipes: nothing can block when both
 * sides write, a child that dies early raises no SIGPIPE, and a half-made figure is never taken
 * for a whole one, for the exit status is known before the first byte is read.
 */

#define _POSIX_C_SOURCE 200809L
#include "report/gnuplot_parts.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int spawn(FILE *script, FILE *output, FILE *messages, pid_t *child)
{
    /* -d: no start-up files of the user or the machine, whose settings would change figures */
    char *argv[] = {"gnuplot", "-d", "-", NULL};
    posix_spawn_file_actions_t actions;

    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return failed;
    failed = posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(&actions, fileno(output), STDOUT_FILENO);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(&actions, fileno(messages), STDERR_FILENO);
    if (!failed)
        failed = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* All of a file from its start, with a NUL behind. NULL on failure. */
static char *slurp(FILE *file, size_t *len)
{
    if (fseek(file, 0, SEEK_END))
        return NULL;
    long size = ftell(file);
    char *bytes = size < 0 ? NULL : malloc((size_t) size + 1);
    if (!bytes)
        return NULL;
    rewind(file);
    *len = fread(bytes, 1, (size_t) size, file);
    bytes[*len] = '\0';
    return bytes;
}

/* gnuplot shows the line and a caret first; the last line says what is wrong. */
static int fail_with_message(FILE *messages, struct cf_error *err)
{
    size_t len = 0;
    char *text = slurp(messages, &len);

    while (len > 0 && (text[len - 1] == '\n' || text[len - 1] == ' '))
        text[--len] = '\0';
    const char *line = text ? strrchr(text, '\n') : NULL;
    int status = cf_fail(err, CF_EIO, "gnuplot failed: %s",
                         line          ? line + 1
                         : text && len ? text
                                       : "it gave no reason");
    free(text);
    return status;
}

static int run(FILE *script, FILE *output, FILE *messages, char **bytes, size_t *len,
               struct cf_error *err)
{
    pid_t child;
    int ended, failed;

    if (fflush(script) || ferror(script) || fseek(script, 0, SEEK_SET) ||
        lseek(fileno(script), 0, SEEK_SET) < 0)
        return cf_fail(err, CF_EIO, "the script for gnuplot cannot be written: %s",
                       strerror(errno));
    failed = spawn(script, output, messages, &child);
    if (failed == ENOENT)
        return cf_fail(err, CF_EIO,
                       "gnuplot is not installed, and figures are drawn by it: "
                       "apt-get install gnuplot-nox");
    if (failed)
        return cf_fail(err, CF_EIO, "gnuplot cannot be started: %s", strerror(failed));
    while (waitpid(child, &ended, 0) < 0)
        if (errno != EINTR)
            return cf_fail(err, CF_EIO, "gnuplot was lost: %s", strerror(errno));
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        return fail_with_message(messages, err);
    *bytes = slurp(output, len);
    if (*bytes && *len > 0)
        return CF_OK;
    free(*bytes);
    *bytes = NULL;
    return cf_fail(err, CF_EIO, "gnuplot drew nothing");
}

int cf_gnuplot_run(FILE *script, char **bytes, size_t *len, struct cf_error *err)
{
    FILE *output = tmpfile(), *messages = tmpfile();
    int status;

    *bytes = NULL;
    *len = 0;
    if (output && messages)
        status = run(script, output, messages, bytes, len, err);
    else
        status = cf_fail(err, CF_EIO, "no temporary file for a figure: %s", strerror(errno));
    if (output)
        fclose(output);
    if (messages)
        fclose(messages);
    return status;
}
