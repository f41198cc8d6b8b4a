/* Command lines: options and operands of one command, checked against its row. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/along_options.h"
#include "core/limits.h"
#include "core/nearest.h"
#include "core/process.h"
#include "core/text.h"
#include "core/units.h"
#include "core/wrap.h"

/* Every command has these. */
static const struct cf_option common[] = {
    {"quiet", 'q', NULL, "say nothing on stderr but errors"},
    {"help", 'h', NULL, "show this help"},
    {"version", 0, NULL, "show the version"},
};
/* More threads than any machine at hand has processors are a slip. */
static const unsigned long long most_jobs = 1024;

enum { NCOMMON = sizeof common / sizeof common[0], MAX_OPTION = 64 };

/* "[=N]" */
static bool optional(const struct cf_option *option)
{
    return option->value && option->value[0] == '[';
}

/* Option i of a command, its own first; NULL behind the last. */
static const struct cf_option *option_at(const struct cf_arguments *args, size_t i)
{
    size_t own = args->command->noption;

    if (i < own)
        return &args->command->option[i];
    if (i < own + args->nalong)
        return &args->along[i - own].option;
    i -= own + args->nalong;
    return i < NCOMMON ? &common[i] : NULL;
}

static const struct cf_option *find_name(const struct cf_arguments *args, const char *name,
                                         size_t len)
{
    const struct cf_option *o;
    for (size_t i = 0; (o = option_at(args, i)); i++)
        if (strncmp(o->name, name, len) == 0 && o->name[len] == '\0')
            return o;
    return NULL;
}

static const struct cf_option *find_letter(const struct cf_arguments *args, char letter)
{
    const struct cf_option *o;
    for (size_t i = 0; (o = option_at(args, i)); i++)
        if (o->letter == letter)
            return o;
    return NULL;
}

static int unknown(const struct cf_arguments *args, const char *word, struct cf_error *err)
{
    const struct cf_option *o;
    const char *names[MAX_OPTION];
    char bare[CF_SHOWN], shown[CF_SHOWN];
    size_t n = 0;

    for (size_t i = 0; (o = option_at(args, i)) && n < MAX_OPTION; i++)
        names[n++] = o->name;
    cf_show(word + strspn(word, "-"), bare);
    bare[strcspn(bare, "=")] = '\0';
    cf_show(word, shown);
    shown[strcspn(shown, "=")] = '\0';
    const char *nearest = cf_nearest(bare, names, n);
    if (nearest)
        return cf_fail(err, CF_EUSAGE, "unknown option %s: did you mean --%s?", shown, nearest);
    return cf_fail(err, CF_EUSAGE, "unknown option %s: see contactfit %s --help", shown,
                   args->command->name);
}

/* -x, --xyz; but "-" is a file's name, and -0.5 and -.5 are numbers. */
static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0' && !(word[1] >= '0' && word[1] <= '9') &&
           word[1] != '.';
}

static int see(struct cf_arguments *args, const struct cf_option *option, const char *value,
               struct cf_error *err)
{
    if (args->nseen == CF_MAX_SEEN)
        return cf_fail(err, CF_EUSAGE, "more than %d options", CF_MAX_SEEN);
    args->seen[args->nseen].option = option;
    args->seen[args->nseen].value = value;
    args->nseen++;
    return CF_OK;
}

/* One option at argv[*i]; *i is moved on over a value of its own. */
static int read_option(struct cf_arguments *args, int argc, char *argv[], int *i,
                       struct cf_error *err)
{
    const char *word = argv[*i], *value = NULL;
    const struct cf_option *option;
    char shown[CF_SHOWN];

    if (word[1] == '-') {
        size_t len = strcspn(word + 2, "=");
        option = find_name(args, word + 2, len);
        value = word[2 + len] ? word + 2 + len + 1 : NULL;
    } else {
        option = find_letter(args, word[1]);
        value = word[2] ? word + 2 : NULL;
        /* "-speed" is a slip for --speed, not the flag -s and more */
        if (option && value && !option->value)
            option = NULL;
    }
    if (!option)
        return unknown(args, word, err);
    if (!option->value && value)
        return cf_fail(err, CF_EUSAGE, "--%s takes no value: \"%s\"", option->name,
                       cf_show(value, shown));
    if (optional(option) && !value)
        value = "";
    if (option->value && !value) {
        if (*i + 1 >= argc || is_option(argv[*i + 1]))
            return cf_fail(err, CF_EUSAGE, "--%s wants a value: --%s %s", option->name,
                           option->name, option->value);
        value = argv[++*i];
    }
    return see(args, option, value, err);
}

/* Words of a synopsis start with the operands that must be there: "PROTOCOL DATA.csv [-o DIR]". */
static int missing_operand(const struct cf_arguments *args, struct cf_error *err)
{
    const struct cf_command *command = args->command;
    const char *word = command->synopsis;

    for (size_t i = 0; i < args->noperand; i++) {
        word += strcspn(word, " ");
        word += strspn(word, " ");
    }
    return cf_fail(err, CF_EUSAGE, "%.*s is missing; usage: contactfit %s %s",
                   (int) strcspn(word, " "), word, command->name, command->synopsis);
}

static int check_operands(const struct cf_arguments *args, struct cf_error *err)
{
    const struct cf_command *command = args->command;
    char shown[CF_SHOWN];

    if (cf_flag(args, "help") || cf_flag(args, "version"))
        return CF_OK;
    if (args->noperand < command->min_operand)
        return missing_operand(args, err);
    if (args->noperand > command->max_operand)
        return cf_fail(err, CF_EUSAGE, "\"%s\" is one argument too many; usage: contactfit %s %s",
                       cf_show(args->operand[command->max_operand], shown), command->name,
                       command->synopsis);
    return CF_OK;
}

/* Two things on standard output would be one mess. */
static int check_console(const struct cf_arguments *args, struct cf_error *err)
{
    for (size_t i = 0; i < args->nseen; i++)
        if (cf_flag(args, "json") && args->seen[i].value && strcmp(args->seen[i].value, "-") == 0)
            return cf_fail(err, CF_EUSAGE,
                           "--%s - and --json both write to standard output: name a file",
                           args->seen[i].option->name);
    return CF_OK;
}

/* Of a command, with the options that protocols make of it. */
static int begin(const struct cf_command *command, const struct cf_registry *registry,
                 struct cf_arguments *args, struct cf_error *err)
{
    *args = (struct cf_arguments){.command = command, .registry = registry};
    return command->along
               ? cf_along_options(registry, command->settings, &args->along, &args->nalong, err)
               : CF_OK;
}

void cf_arguments_clear(struct cf_arguments *args)
{
    free(args->operand);
    free(args->along);
    cf_outputs_free(args->outputs);
    args->outputs = NULL;
    args->operand = NULL;
    args->along = NULL;
}

/* Nothing that is read is written over, whatever the command. */
static int protect_operands(struct cf_arguments *args, struct cf_error *err)
{
    int status = CF_OK;

    args->outputs = cf_outputs_alloc(cf_flag(args, "force"));
    if (!args->outputs)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    cf_outputs_set_console(args->outputs, stdout);
    for (size_t i = 0; i < args->noperand && !status; i++)
        status = cf_outputs_protect(args->outputs, args->operand[i], err);
    return status;
}

/* A line break in a file's name would break messages, pages and exports that name it. */
static int check_characters(int argc, char *argv[], struct cf_error *err)
{
    char shown[CF_SHOWN];

    for (int i = 2; i < argc; i++)
        for (const unsigned char *c = (const unsigned char *) argv[i]; *c; c++)
            if (*c < ' ' || *c == 0x7f)
                return cf_fail(err, CF_EUSAGE,
                               "\"%s\": control characters, such as line breaks, are not allowed: "
                               "rename the file, or leave them out",
                               cf_show(argv[i], shown));
    return CF_OK;
}

int cf_arguments_parse(const struct cf_command *command, const struct cf_registry *registry,
                       int argc, char *argv[], struct cf_arguments *args, struct cf_error *err)
{
    bool operands_only = false;
    int begun = begin(command, registry, args, err);

    if (!begun)
        begun = check_characters(argc, argv, err);
    if (begun)
        return begun;
    args->argc = argc;
    args->argv = argv;
    args->operand = calloc((size_t) argc, sizeof *args->operand);
    if (!args->operand)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    for (int i = 2; i < argc; i++) {
        int status = CF_OK;
        if (!operands_only && strcmp(argv[i], "--") == 0)
            operands_only = true;
        else if (!operands_only && is_option(argv[i]))
            status = read_option(args, argc, argv, &i, err);
        else
            args->operand[args->noperand++] = argv[i];
        if (status)
            return status;
    }
    int status = check_operands(args, err);
    if (!status)
        status = check_console(args, err);
    return status ? status : protect_operands(args, err);
}

const char *cf_argument(const struct cf_arguments *args, const char *name)
{
    for (size_t i = args->nseen; i-- > 0;)
        if (strcmp(args->seen[i].option->name, name) == 0)
            return args->seen[i].value ? args->seen[i].value : "";
    return NULL;
}

bool cf_flag(const struct cf_arguments *args, const char *name)
{
    return cf_argument(args, name) != NULL;
}

int cf_argument_count(const struct cf_arguments *args, const char *name, unsigned long long lower,
                      unsigned long long upper, unsigned long long otherwise,
                      unsigned long long *value, struct cf_error *err)
{
    const char *text = cf_argument(args, name);
    char shown[CF_SHOWN];

    *value = otherwise;
    if (!text)
        return CF_OK;
    errno = 0;
    *value = strtoull(text, NULL, 10);
    if (!*text || text[strspn(text, "0123456789")] || errno || *value < lower || *value > upper)
        return cf_fail(err, CF_EUSAGE, "--%s: \"%s\": a whole number from %llu to %llu is wanted",
                       name, cf_show(text, shown), lower, upper);
    return CF_OK;
}

int cf_argument_quantity(const struct cf_arguments *args, const char *name, const char *unit,
                         double otherwise, double *value, struct cf_error *err)
{
    const char *text = cf_argument(args, name);
    struct cf_error why = {""};

    *value = otherwise;
    if (!text)
        return CF_OK;
    if (cf_quantity_parse(text, unit, value, &why) != CF_OK)
        return cf_fail(err, CF_EUSAGE, "--%s: %.900s", name, why.text);
    if (!(*value > 0))
        return cf_fail(err, CF_EUSAGE, "--%s: %.15g%s%s: must be above 0", name, *value,
                       strcmp(unit, "1") ? " " : "", strcmp(unit, "1") ? unit : "");
    return cf_limits_check(name, unit, *value, &why) ? cf_fail(err, CF_EUSAGE, "--%.900s", why.text)
                                                     : CF_OK;
}

int cf_argument_jobs(const struct cf_arguments *args, size_t *jobs, struct cf_error *err)
{
    unsigned long long value, processors = cf_processors();
    int status = cf_argument_count(args, "jobs", 1, most_jobs,
                                   processors < most_jobs ? processors : most_jobs, &value, err);

    *jobs = (size_t) value;
    return status;
}

/* The synopsis; what stands in brackets is not folded. */
static void print_usage(const struct cf_command *command, FILE *out)
{
    int depth = 0;

    fprintf(out, "usage: contactfit %s " CF_WRAP_HANG, command->name);
    for (const char *c = command->synopsis; *c; c++) {
        depth += (*c == '[') - (*c == ']');
        if (*c == ' ' && depth > 0)
            fputs(CF_WRAP_KEEP, out);
        else
            fputc(*c, out);
    }
    fprintf(out, "\n\n" CF_WRAP_HANG "%s\n\n", command->what);
}

/* Paragraphs, whose lines are joined unless they are indented. */
static void print_paragraphs(const char *text, FILE *out)
{
    static const char example[] = "  contactfit ";
    bool begins = true;

    for (const char *c = text; *c; c++) {
        bool joins = *c == '\n' && !begins && c[1] && c[1] != '\n' && c[1] != ' ';
        if (begins && strncmp(c, example, strlen(example)) == 0)
            fputs(CF_WRAP_COMMAND, out);
        else if (begins && *c != '\n' && *c != ' ')
            fputs(CF_WRAP_HANG, out);
        fputc(joins ? ' ' : *c, out);
        begins = *c == '\n' && !joins;
    }
    fputs(text[0] && text[strlen(text) - 1] != '\n' ? "\n" : "", out);
}

static void print_options(const struct cf_arguments *args, FILE *out)
{
    const struct cf_option *o;
    int width = 0;

    for (size_t i = 0; (o = option_at(args, i)); i++) {
        int len = (int) (strlen(o->name) + (o->value ? strlen(o->value) + !optional(o) : 0));
        width = len > width ? len : width;
    }
    for (size_t i = 0; (o = option_at(args, i)); i++) {
        int used = fprintf(out, "  %c%c%c --%s%s%s", o->letter ? '-' : ' ',
                           o->letter ? o->letter : ' ', o->letter ? ',' : ' ', o->name,
                           o->value ? optional(o) ? "" : " " : "", o->value ? o->value : "");
        fprintf(out, "%*s" CF_WRAP_HANG "%s\n", 10 + width - used, "", o->what);
    }
}

int cf_command_each_option(const struct cf_command *command, const struct cf_registry *registry,
                           void (*visit)(void *with, const struct cf_option *option), void *with,
                           struct cf_error *err)
{
    struct cf_arguments args;
    const struct cf_option *o;
    int status = begin(command, registry, &args, err);

    for (size_t i = 0; !status && (o = option_at(&args, i)); i++)
        visit(with, o);
    cf_arguments_clear(&args);
    return status;
}

int cf_command_help(const struct cf_command *command, const struct cf_registry *registry, FILE *out,
                    struct cf_error *err)
{
    struct cf_arguments args;
    int status = begin(command, registry, &args, err);

    if (status)
        return status;
    print_usage(command, out);
    print_options(&args, out);
    cf_arguments_clear(&args);
    if (command->help && command->help[0]) {
        fputc('\n', out);
        print_paragraphs(command->help, out);
    }
    if (command->help_more)
        command->help_more(registry, out);
    return CF_OK;
}
