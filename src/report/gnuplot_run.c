/* gnuplot as a child process.
 *
 * Script and output lie in unnamed temporary files: a half-made figure is never taken for a whole
 * one, for the exit status is known before the first byte is read.
 */

#define _POSIX_C_SOURCE 200809L
#include "report/gnuplot_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/file_system.h"
#include "core/process.h"

/* Far beyond what the largest figure takes on a busy machine, some seconds: a gnuplot that is still
 * at work then hangs. */
static const double limit_s = 60;

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
    if (*len == (size_t) size)
        return bytes;
    free(bytes);
    return NULL;
}

/* gnuplot shows the line and a caret first; the last line says what is wrong. */
static int fail_with_message(FILE *messages, struct cf_error *err)
{
    size_t len = 0;
    char *text = slurp(messages, &len);

    while (len > 0 && (text[len - 1] == '\n' || text[len - 1] == ' '))
        text[--len] = '\0';
    const char *line = text ? strrchr(text, '\n') : NULL;
    int status = cf_fail(err, CF_EDRAW, "gnuplot failed: %s",
                         line          ? line + 1
                         : text && len ? text
                                       : "it gave no reason");
    free(text);
    return status;
}

/* What a run that is not good comes to. */
static int explain(struct cf_process_result result, double within_s, FILE *messages,
                   struct cf_error *err)
{
    switch (result.end) {
    case CF_PROCESS_MISSING:
        return cf_fail(err, CF_EDRAW,
                       "gnuplot is not installed, and figures are drawn by it: "
                       "apt-get install gnuplot-nox");
    case CF_PROCESS_NOT_STARTED:
        return cf_fail(err, CF_EDRAW, "gnuplot cannot be started: %s", strerror(result.code));
    case CF_PROCESS_LOST:
        return cf_fail(err, CF_EDRAW, "gnuplot was lost: %s", strerror(result.code));
    case CF_PROCESS_INTERRUPTED:
        return cf_fail(err, CF_ECANCELLED, "interrupted: nothing was written");
    case CF_PROCESS_TIMED_OUT:
        return cf_fail(err, CF_EDRAW,
                       "gnuplot was ended after %g s without a figure: see whether \"gnuplot "
                       "--version\" answers at once, and try again when the machine is less busy",
                       within_s);
    case CF_PROCESS_SIGNALLED:
        return cf_fail(err, CF_EDRAW, "gnuplot was ended by signal %d, as where memory is short",
                       result.code);
    case CF_PROCESS_EXITED:
        break;
    }
    return fail_with_message(messages, err);
}

static int run(FILE *script, double within_s, FILE *output, FILE *messages, char **bytes,
               size_t *len, struct cf_error *err)
{
    /* -d: no start-up files of the user or the machine, whose settings would change figures */
    char *argv[] = {"gnuplot", "-d", "-", NULL};
    const struct cf_process gnuplot = {
        .argv = argv, .input = script, .output = output, .messages = messages, .limit_s = within_s};

    if (fflush(script) || ferror(script))
        return cf_fail(err, CF_EDRAW, "the script for gnuplot cannot be written: %s",
                       strerror(errno));
    struct cf_process_result result = cf_process_run(&gnuplot);
    if (!cf_process_succeeded(result))
        return explain(result, within_s, messages, err);
    *bytes = slurp(output, len);
    if (!*bytes)
        return cf_fail(err, CF_ENOMEM, "no memory for a figure");
    if (*len > 0)
        return CF_OK;
    free(*bytes);
    *bytes = NULL;
    return cf_fail(err, CF_EDRAW, "gnuplot drew nothing");
}

int cf_gnuplot_run_within(FILE *script, double within_s, char **bytes, size_t *len,
                          struct cf_error *err)
{
    int code[2], status;
    FILE *output = cf_file_temporary(&code[0]), *messages = cf_file_temporary(&code[1]);

    *bytes = NULL;
    *len = 0;
    if (output && messages)
        status = run(script, within_s, output, messages, bytes, len, err);
    else
        status = cf_fail(err, CF_EDRAW, "no temporary file for a figure in %s: %s",
                         cf_temporary_folder(), strerror(code[0] ? code[0] : code[1]));
    if (output)
        fclose(output);
    if (messages)
        fclose(messages);
    return status;
}

int cf_gnuplot_run(FILE *script, char **bytes, size_t *len, struct cf_error *err)
{
    return cf_gnuplot_run_within(script, limit_s, bytes, len, err);
}
