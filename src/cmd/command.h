/* Commands: a row each, in a file of its own; main.c holds the table. */

#ifndef CF_CMD_COMMAND_H
#define CF_CMD_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/output.h"
#include "core/status.h"

struct cf_option {
    const char *name;  /* "output" for --output */
    char letter;       /* 'o', or 0 for none */
    const char *value; /* what the value is called in help, "DIR"; "[=N]": --name or --name=N, ""
                          when it is left out; NULL for a flag */
    const char *what;  /* one line */
};

enum { CF_MAX_SEEN = 64 };

struct cf_registry;
struct cf_along_option;

struct cf_arguments {
    const struct cf_command *command;
    const struct cf_command *const *commands; /* all that there are, set by main; NULL-terminated */
    const struct cf_registry *registry; /* what files may name; NULL: what is built in */
    size_t nalong;
    struct cf_along_option *along; /* options that the registry's protocols make */
    size_t nseen;
    struct {
        const struct cf_option *option;
        const char *value; /* NULL for a flag */
    } seen[CF_MAX_SEEN];
    size_t noperand;
    char **operand;
    struct cf_outputs *outputs; /* the files that the command writes; its operands are protected */
    FILE *text;                 /* for people: shown on stdout in the end, folded */
    int argc; /* the whole command line from the program's name on, for provenance */
    char **argv;
};

struct cf_command {
    const char *name;
    const char *synopsis; /* operands that must be there first: "STUDY.yaml [-o DIR]" */
    const char *what;     /* one line */
    const char *help;     /* paragraphs for --help */
    size_t noption;       /* --help, --version and --quiet are added for all */
    const struct cf_option *option;
    size_t min_operand, max_operand;
    bool along;    /* each imposed channel of a protocol is an option, too, */
    bool settings; /* and each setting of its rig */
    void (*help_more)(const struct cf_registry *registry, FILE *out); /* behind the help; or NULL */

    /* CF_OK is exit 0, CF_EUSAGE 2, CF_EUNTRUSTED 3, all else 1. Data goes to stdout, messages to
     * stderr; the text of err is printed by main. */
    int (*run)(const struct cf_arguments *args, struct cf_error *err);
};

/* The last value given for an option, or NULL; "" for a flag that was given. */
const char *cf_argument(const struct cf_arguments *args, const char *name);
bool cf_flag(const struct cf_arguments *args, const char *name);

/* The value of an option as a whole number in [lower, upper], `otherwise` when it is not given. */
int cf_argument_count(const struct cf_arguments *args, const char *name, unsigned long long lower,
                      unsigned long long upper, unsigned long long otherwise,
                      unsigned long long *value, struct cf_error *err);

/* The quantity of an option in SI, `otherwise` when it is not given; it must be above 0. */
int cf_argument_quantity(const struct cf_arguments *args, const char *name, const char *unit,
                         double otherwise, double *value, struct cf_error *err);

/* --jobs: how many threads work, all processors that this process may use when it is not given.
 * A command with it has CF_OPTION_JOBS among its options. */
int cf_argument_jobs(const struct cf_arguments *args, size_t *jobs, struct cf_error *err);
#define CF_OPTION_JOBS                                                                             \
    {                                                                                              \
        "jobs", 'j', "N", "threads at work (default: all processors); never changes a result"      \
    }

/* What each command that writes files has. */
#define CF_OPTION_FORCE                                                                            \
    {                                                                                              \
        "force", 0, NULL, "write over files that contactfit did not write"                         \
    }

/* Parse argv[2..], what follows the program's and the command's name; CF_EUSAGE with the nearest
 * known option. --help and --version make everything else optional. The registry says what files
 * may name (NULL: what is built in). cf_arguments_clear() them, also after a failure. */
int cf_arguments_parse(const struct cf_command *command, const struct cf_registry *registry,
                       int argc, char *argv[], struct cf_arguments *args, struct cf_error *err);
void cf_arguments_clear(struct cf_arguments *args);

/* Show each option of a command to a function, in the order of its help. */
int cf_command_each_option(const struct cf_command *command, const struct cf_registry *registry,
                           void (*see)(void *with, const struct cf_option *option), void *with,
                           struct cf_error *err);

/* Usage, options and help of a command, as `contactfit help COMMAND` shows them. */
int cf_command_help(const struct cf_command *command, const struct cf_registry *registry, FILE *out,
                    struct cf_error *err);

#endif
