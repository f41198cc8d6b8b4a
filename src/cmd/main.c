/* contactfit: finds the command and runs it. */

#include <config.h>

#include <errno.h>
#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/message.h"
#include "cmd/terminal.h"
#include "core/file_system.h"
#include "core/process.h"
#include "core/text.h"
#include "experiment/registry.h"

/* What files may name: what is built in. */
static const struct cf_registry built_in = {NULL, NULL};

enum { GOOD = 0, BAD = 1, USAGE = 2, DOUBT = 3 };

static int exit_code(int status)
{
    return status == CF_OK           ? GOOD
           : status == CF_EUSAGE     ? USAGE
           : status == CF_EUNTRUSTED ? DOUBT
                                     : BAD;
}

static void put_usage(FILE *out)
{
    fprintf(out, "usage: contactfit COMMAND [ARGUMENT...]\n\n"
                 "From logs of impacts to the parameters of a contact law that you can trust.\n\n");
    for (const struct cf_command *const *c = cf_commands; *c; c++)
        fprintf(out, "  %-12s " CF_WRAP_HANG "%s\n", (*c)->name, (*c)->what);
    fprintf(out,
            "\ncontactfit help COMMAND shows more. Exit status: 0 good, 1 bad input or failure,\n"
            "2 usage, 3 the result is there but not to be trusted.\n");
}

static void usage(FILE *to)
{
    struct cf_text_stream text;

    if (cf_text_begin(&text))
        put_usage(text.out);
    cf_terminal_end(&text, to);
}

static void version(void)
{
    printf("contactfit " PACKAGE_VERSION "\n"
           "License GPLv3+: GNU GPL version 3 or later <https://gnu.org/licenses/gpl.html>.\n"
           "This is free software: you are free to change and redistribute it.\n"
           "There is NO WARRANTY, to the extent permitted by law.\n");
}

/* NULL, and a message with the nearest command, when no command has that name. */
static const struct cf_command *find(const char *name)
{
    const char *nearest;
    const struct cf_command *command = cf_command_find(name, &nearest);
    char shown[CF_SHOWN];

    if (command)
        return command;
    if (nearest)
        cf_message("contactfit: unknown command \"%s\": did you mean %s?", cf_show(name, shown),
                   nearest);
    else
        cf_message("contactfit: unknown command \"%s\": contactfit help lists them",
                   cf_show(name, shown));
    return NULL;
}

static int help(const char *name)
{
    if (!name) {
        usage(stdout);
        return GOOD;
    }
    const struct cf_command *command = find(name);
    struct cf_error err = {""};
    struct cf_text_stream text;
    if (!command)
        return USAGE;
    int status = cf_text_begin(&text) ? cf_command_help(command, &built_in, text.out, &err)
                                      : cf_fail(&err, CF_ENOMEM, "no memory for the help");
    if (!cf_terminal_end(&text, stdout) && !status)
        status = cf_fail(&err, CF_ENOMEM, "no memory for the help");
    if (status)
        cf_message("contactfit: %s", err.text);
    return status ? BAD : GOOD;
}

/* What went wrong: a line for each thing. */
static void say(const struct cf_command *command, int status, const struct cf_error *err)
{
    const char *text = err->text[0] ? err->text : cf_status_text(status);

    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        if (*text == ' ') /* it goes on with the line before */
            cf_message("%.*s", (int) n, text);
        else
            cf_message("contactfit %s: %.*s", command->name, (int) n, text);
    }
}

/* Is standard output a pipe whose reader, such as head(1), has seen enough? */
static bool lost_reader(void)
{
    fflush(stdout);
    return ferror(stdout) && cf_stream_unread(stdout);
}

static int run(const struct cf_command *command, int argc, char *argv[])
{
    struct cf_error err = {""};
    struct cf_arguments args;
    struct cf_text_stream text;
    int status = cf_arguments_parse(command, &built_in, argc, argv, &args, &err);

    if (!cf_text_begin(&text) && !status)
        status = cf_fail(&err, CF_ENOMEM, "no memory for the output");
    args.text = text.out;
    args.commands = cf_commands;
    if (!status && cf_flag(&args, "help"))
        status = cf_command_help(command, &built_in, text.out, &err);
    else if (!status && cf_flag(&args, "version"))
        version();
    else if (!status)
        status = command->run(&args, &err);
    bool console = cf_outputs_console(args.outputs);
    cf_arguments_clear(&args);
    if (status == CF_ENOMEM) { /* a text that was begun is no result */
        cf_text_end(&text);
        free(text.bytes);
    } else if (!cf_terminal_end(&text, console ? stderr : stdout) &&
               (!status || status == CF_EUNTRUSTED))
        status = cf_fail(&err, CF_ENOMEM, "no memory for the output");
    /* what was lost, nobody reads: no failure of ours */
    if (status && status != CF_EUSAGE && lost_reader())
        return GOOD;
    if (status && (err.text[0] || status != CF_EUNTRUSTED))
        say(command, status, &err);
    return exit_code(status);
}

/* Output that did not arrive is a failure, however good the result was. */
static int close_output(int code)
{
    int lost = ferror(stdout);
    errno = 0;
    if (fflush(stdout) == 0 && !lost)
        return code;
    if (cf_stream_unread(stdout))
        return code;
    fprintf(stderr, "contactfit: standard output: %s\n",
            errno ? strerror(errno) : "cannot be written");
    return BAD;
}

static int dispatch(int argc, char *argv[])
{
    if (argc < 2) {
        usage(stderr);
        return USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(NULL);
    if (strcmp(argv[1], "help") == 0)
        return help(argc > 2 ? argv[2] : NULL);
    if (strcmp(argv[1], "--version") == 0) {
        version();
        return GOOD;
    }
    const struct cf_command *command = find(argv[1]);
    return command ? run(command, argc, argv) : USAGE;
}

int main(int argc, char *argv[])
{
    /* failures come back as codes: GSL's would abort, a full disk and a closed pipe would kill */
    gsl_set_error_handler_off();
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    int code = close_output(dispatch(argc, argv));
    cf_signals_release(&(struct cf_held_signals){{false}}); /* one may have ended the work early */
    return code;
}
