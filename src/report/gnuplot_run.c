/* gnuplot as a child process, which draws one figure after the other: its start takes longer than
 * most figures do.
 *
 * Script and output lie in unnamed temporary files: a half-made figure is never taken for a whole
 * one, for gnuplot says that it is done before the first byte is read.
 */

#define _POSIX_C_SOURCE 200809L
#include "report/gnuplot_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/file_system.h"
#include "core/process.h"

/* After an error in a file, gnuplot goes on behind it. "set output" ends a PDF. Each figure begins
 * with the settings of a gnuplot that has just started. */
static const char request[] = "load '/dev/fd/3'\n"
                              "if (GPVAL_ERRNO != 0) exit status 1\n"
                              "set output\n"
                              "reset session\n"
                              "print 'drawn'\n";
static const char answer[] = "drawn\n";

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
static int fail_with_message(char *text, struct cf_error *err)
{
    size_t len = strlen(text);

    while (len > 0 && (text[len - 1] == '\n' || text[len - 1] == ' '))
        text[--len] = '\0';
    const char *line = strrchr(text, '\n');
    line = line ? line + 1 : text;
    return cf_fail(err, CF_EDRAW, "gnuplot failed: %s",
                   len ? line + strspn(line, " ") : "it gave no reason");
}

/* What a figure comes to that was not drawn. */
static int explain(struct cf_plotter *plotter, struct cf_process_result result,
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
                       plotter->limit_s);
    case CF_PROCESS_SIGNALLED:
        return cf_fail(err, CF_EDRAW, "gnuplot was ended by signal %d, as where memory is short",
                       result.code);
    case CF_PROCESS_EXITED:
    case CF_PROCESS_ANSWERED:
        break;
    }
    return cf_process_succeeded(result) ? cf_fail(err, CF_EDRAW, "gnuplot drew nothing")
                                        : fail_with_message(plotter->gnuplot.said, err);
}

/* A temporary file where there is none, else the same, which is empty again. */
static int empty_file(FILE **file, struct cf_error *err)
{
    int code = 0;

    if (!*file)
        *file = cf_file_temporary(&code);
    else
        code = cf_file_empty(*file);
    return code ? cf_fail(err, CF_EDRAW, "no temporary file for a figure in %s: %s",
                          cf_temporary_folder(), strerror(code))
                : CF_OK;
}

int cf_plotter_begin(struct cf_plotter *plotter, struct cf_error *err)
{
    int status = empty_file(&plotter->script, err);

    return status ? status : empty_file(&plotter->output, err);
}

int cf_plotter_run(struct cf_plotter *plotter, char **bytes, size_t *len, struct cf_error *err)
{
    /* -d: no start-up files of the user or the machine, whose settings would change figures */
    char *argv[] = {"gnuplot", "-d", "-", NULL};
    const struct cf_process gnuplot = {.argv = argv,
                                       .output = plotter->output,
                                       .aside = plotter->script,
                                       .limit_s = plotter->limit_s};

    *bytes = NULL;
    *len = 0;
    if (fflush(plotter->script) || ferror(plotter->script))
        return cf_fail(err, CF_EDRAW, "the script for gnuplot cannot be written: %s",
                       strerror(errno));
    rewind(plotter->script);
    struct cf_process_result result =
        cf_coprocess_ask(&plotter->gnuplot, &gnuplot, request, answer);
    if (result.end != CF_PROCESS_ANSWERED)
        return explain(plotter, result, err);
    *bytes = slurp(plotter->output, len);
    if (!*bytes)
        return cf_fail(err, CF_ENOMEM, "no memory for a figure");
    if (*len > 0)
        return CF_OK;
    free(*bytes);
    *bytes = NULL;
    return cf_fail(err, CF_EDRAW, "gnuplot drew nothing");
}

void cf_plotter_end(struct cf_plotter *plotter)
{
    cf_coprocess_end(&plotter->gnuplot);
    if (plotter->script)
        fclose(plotter->script);
    if (plotter->output)
        fclose(plotter->output);
}
