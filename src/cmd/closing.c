#include "cmd/closing.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/terminal.h"
#include "core/file_system.h"
#include "core/text.h"
#include "report/next_step.h"

/* A fold within quotes would change the word. */
static void put_command(FILE *out, const char *command)
{
    bool quoted = false;

    fputs(CF_WRAP_COMMAND, out);
    for (const char *c = command; *c; c++) {
        quoted = quoted != (*c == '\'');
        fputs(quoted && *c == ' ' ? CF_WRAP_KEEP : (char[]){*c, '\0'}, out);
    }
}

/* Names with control characters are shown nowhere as they are, and a command with other names would
 * be another command. */
static bool can_be_copied(const char *command)
{
    return !cf_text_unsafe(command, strlen(command)) && !strchr(command, '\n');
}

static void put_verdict(FILE *out, enum cf_closing kind, const char *verdict)
{
    static const char *const mark[] = {[CF_CLOSING_GOOD] = CF_WRAP_GOOD,
                                       [CF_CLOSING_DOUBT] = CF_WRAP_DOUBT,
                                       [CF_CLOSING_BAD] = CF_WRAP_BAD};

    fprintf(out, "\n%sverdict:" CF_WRAP_PLAIN " %s\n", mark[kind], verdict ? verdict : "");
}

void cf_closing_put_edit(FILE *out, const char *verdict, const char *edit)
{
    put_verdict(out, CF_CLOSING_BAD, verdict);
    fprintf(out, CF_WRAP_BOLD "edit:" CF_WRAP_PLAIN " %s\n", edit);
}

int cf_closing_put(FILE *out, enum cf_closing kind, const char *verdict, char *command,
                   struct cf_error *err)
{
    int status =
        verdict && command ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the next step");

    put_verdict(out, kind, verdict);
    if (command && can_be_copied(command)) {
        fputs(CF_WRAP_BOLD "next:" CF_WRAP_PLAIN " ", out);
        put_command(out, command);
        fputc('\n', out);
    }
    free(command);
    return status;
}

void cf_closing_say(bool quiet, enum cf_closing kind, const char *verdict, char *command)
{
    struct cf_text_stream text;
    size_t columns;

    if (quiet || !cf_stream_terminal(stderr, &columns)) {
        free(command);
        return;
    }
    if (cf_text_begin(&text))
        cf_closing_put(text.out, kind, verdict, command, NULL);
    else
        free(command);
    cf_terminal_end(&text, stderr);
}

char *cf_closing_command(const char *command, const char *file, const char *more)
{
    char *word = cf_shell_word(file, "");
    char *line =
        word ? cf_format("contactfit %s %s%s%s", command, word, *more ? " " : "", more) : NULL;

    free(word);
    return line;
}
