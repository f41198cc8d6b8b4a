/* contactfit completion: what a shell offers behind TAB, from the rows of the commands. */

#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "core/text.h"
#include "estimate/global.h"
#include "estimate/loss.h"
#include "experiment/protocol.h"
#include "experiment/registry.h"
#include "export/target.h"
#include "law/law.h"
#include "ode/ode.h"
#include "report/figure.h"
#include "volume/hydroelastic.h"

/* What an option or an operand takes: words, files, or what nobody can guess, such as a number. */
struct offer {
    void (*add)(const struct cf_registry *registry, FILE *out); /* words; NULL: none */
    const char *pattern; /* of files, "*.yaml"; "/" of folders; "@": of no file, but the examples
                            that are installed where the shell asks; NULL: none */
};

static const char list_examples[] =
    "$(contactfit examples 2>/dev/null | sed -n \"s/^  \\([a-z0-9_]*\\) .*/\\1/p\")";

struct script {
    FILE *out;
    const struct cf_command *const *commands; /* all; NULL-terminated */
    const struct cf_command *command;         /* the one whose options are put */
    const struct cf_registry *registry;
};

static void add_word(FILE *out, const char *word)
{
    fprintf(out, "%s ", word);
}

static void add_laws(const struct cf_registry *registry, FILE *out)
{
    (void) registry;
    for (const struct cf_law *const *l = cf_laws; *l; l++)
        add_word(out, (*l)->name);
}

static void add_targets(const struct cf_registry *registry, FILE *out)
{
    (void) registry;
    for (const struct cf_target *const *t = cf_targets; *t; t++)
        add_word(out, (*t)->name);
}

static void add_figures(const struct cf_registry *registry, FILE *out)
{
    char name[CF_FIGURE_NAME];

    (void) registry;
    for (const struct cf_figure *const *f = cf_figures; *f; f++)
        add_word(out, cf_figure_name(*f, NULL, name));
}

static void add_protocols(const struct cf_registry *registry, FILE *out)
{
    for (const struct cf_protocol *const *p = cf_registry_protocols(registry); *p; p++)
        if (!(*p)->by_scene)
            add_word(out, (*p)->name);
}

static void add_losses(const struct cf_registry *registry, FILE *out)
{
    (void) registry;
    for (size_t i = 0; i < CF_NLOSS; i++)
        add_word(out, cf_loss_name[i]);
}

static void add_searches(const struct cf_registry *registry, FILE *out)
{
    (void) registry;
    for (size_t i = 0; i < CF_NGLOBAL; i++)
        add_word(out, cf_global_name[i]);
}

static void add_methods(const struct cf_registry *registry, FILE *out)
{
    (void) registry;
    add_word(out, "adaptive");
    for (const struct cf_ode_scheme *const *s = cf_ode_schemes; *s; s++)
        add_word(out, (*s)->name);
}

static void add_shapes(const struct cf_registry *registry, FILE *out)
{
    (void) registry;
    for (const struct cf_hydroelastic *const *s = cf_hydroelastic_shapes; *s; s++)
        add_word(out, (*s)->name);
}

static void add_kinds(const struct cf_registry *registry, FILE *out)
{
    (void) registry;
    add_word(out, "study");
    add_word(out, "scene");
    add_word(out, "figure");
}

static void add_shells(const struct cf_registry *registry, FILE *out)
{
    (void) registry;
    add_word(out, "bash");
    add_word(out, "zsh");
}

/* By the option, or by what the synopsis calls the first operand. Files are offered by how most of
 * them end; what else an operand may be is typed. */
static const struct {
    const char *option, *operand;
    void (*add)(const struct cf_registry *registry, FILE *out);
    const char *pattern;
} known[] = {
    {"law", "[NAME]", add_laws, NULL},
    {"laws", "LAW", add_laws, NULL},
    {"approximate", NULL, add_laws, NULL},
    {"to", NULL, add_targets, NULL},
    {"figure", NULL, add_figures, NULL},
    {"loss", NULL, add_losses, NULL},
    {"global", NULL, add_searches, NULL},
    {"method", NULL, add_methods, NULL},
    {NULL, "[PROTOCOL]", add_protocols, "*"},
    {NULL, "bash|zsh", add_shells, NULL},
    {NULL, "study|scene|figure", add_kinds, NULL},
    {NULL, "STUDY.yaml", NULL, "*.yaml"},
    {NULL, "SCENE.yaml", NULL, "*.yaml"},
    {NULL, "FIT.json", NULL, "*.json"},
    {NULL, "FIT.json|SHAPE", add_shapes, "*.json"},
    {NULL, "--to", NULL, "*.json"}, /* FIT.json of export */
    {NULL, "[EXAMPLE]", NULL, "@"},
};

enum { NKNOWN = sizeof known / sizeof known[0] };

static struct offer offer_of(size_t row, const char *pattern)
{
    return row < NKNOWN ? (struct offer){known[row].add, known[row].pattern}
                        : (struct offer){NULL, pattern};
}

/* A file by the name of the value; onsets draws into a --figure that is a file. */
static struct offer of_option(const struct cf_option *option)
{
    const char *pattern = strncmp(option->value, "FILE", 4) == 0  ? "*"
                          : strncmp(option->value, "DIR", 3) == 0 ? "/"
                                                                  : NULL;
    size_t row = 0;

    while (row < NKNOWN &&
           (!known[row].option || pattern || strcmp(known[row].option, option->name) != 0))
        row++;
    return offer_of(row, pattern);
}

static struct offer of_operands(const struct cf_command *command)
{
    size_t length = strcspn(command->synopsis, " "), row = 0;

    while (row < NKNOWN && (!known[row].operand || strlen(known[row].operand) != length ||
                            strncmp(known[row].operand, command->synopsis, length) != 0))
        row++;
    return offer_of(row, "*");
}

/* Within single quotes of a shell; what zsh divides a specification at gets a backslash. */
static void put_quoted(FILE *out, const char *text, const char *escaped)
{
    for (const char *c = text; *c; c++) {
        if (strchr(escaped, *c))
            fputc('\\', out);
        if (*c == '\'')
            fputs("'\\''", out);
        else
            fputc(*c, out);
    }
}

static bool is_examples(const struct offer *o)
{
    return o->pattern && strcmp(o->pattern, "@") == 0;
}

static void put_offer(const struct script *s, const struct offer *o)
{
    FILE *out = s->out;

    if (o->add) {
        fputs(" words='", out);
        o->add(s->registry, out);
        fputc('\'', out);
    }
    if (is_examples(o))
        fprintf(out, " words=%s", list_examples);
    else if (o->pattern)
        fprintf(out, " files='%s'", o->pattern);
}

static void bash_value(void *with, const struct cf_option *option)
{
    const struct script *s = with;

    if (!option->value || option->value[0] == '[')
        return;
    struct offer o = of_option(option);
    fprintf(s->out, "    %s:--%s", s->command->name, option->name);
    if (option->letter)
        fprintf(s->out, "|%s:-%c", s->command->name, option->letter);
    fputs(") value=1", s->out);
    put_offer(s, &o);
    fputs(" ;;\n", s->out);
}

static void bash_name(void *with, const struct cf_option *option)
{
    const struct script *s = with;
    fprintf(s->out, "--%s ", option->name);
    if (option->letter)
        fprintf(s->out, "-%c ", option->letter);
}

static int put_bash(struct script *s, struct cf_error *err)
{
    int status = CF_OK;

    fputs("# bash completion of contactfit, made by contactfit completion bash\n\n"
          "_contactfit()\n{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local command=${COMP_WORDS[1]} words= files= value=\n\n"
          "    COMPREPLY=()\n"
          "    case $command:$prev in\n",
          s->out);
    for (const struct cf_command *const *c = s->commands; *c && !status; c++) {
        s->command = *c;
        status = cf_command_each_option(*c, s->registry, bash_value, s, err);
    }
    fputs("    esac\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ] || [ \"$COMP_CWORD:$command\" = 2:help ]; then\n"
          "        words='help --help --version",
          s->out);
    for (const struct cf_command *const *c = s->commands; *c; c++)
        fprintf(s->out, " %s", (*c)->name);
    fputs("' files= value=1\n    fi\n"
          "    [ -n \"$value\" ] || case $command:$cur in\n",
          s->out);
    for (const struct cf_command *const *c = s->commands; *c && !status; c++) {
        struct offer o = of_operands(*c);
        fprintf(s->out, "    %s:-*) words='", (*c)->name);
        status = cf_command_each_option(*c, s->registry, bash_name, s, err);
        fprintf(s->out, "' ;;\n    %s:*)", (*c)->name);
        put_offer(s, &o);
        fputs(" ;;\n", s->out);
    }
    fputs("    esac\n"
          "    [ -z \"$words\" ] || mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
          "    [ -n \"$files\" ] || return 0\n"
          "    compopt -o filenames 2>/dev/null\n"
          "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(\n"
          "        [ \"$files\" = '*' ] || compgen -d -- \"$cur\"\n"
          "        [ \"$files\" = / ] || compgen -f -X \"!$files\" -- \"$cur\")\n"
          "}\n\n"
          "complete -F _contactfit contactfit\n",
          s->out);
    return status;
}

/* { compadd -- WORDS; _files -g "*.yaml" } */
static void put_action(const struct script *s, const struct offer *o)
{
    FILE *out = s->out;

    fputs("{ ", out);
    if (o->add) {
        fputs("compadd -- ", out);
        o->add(s->registry, out);
        fputs("; ", out);
    }
    if (is_examples(o))
        fprintf(out, "compadd -- ${(f)\"%s\"}; ", list_examples);
    else if (o->pattern && strcmp(o->pattern, "/") == 0)
        fputs("_files -/; ", out);
    else if (o->pattern)
        fprintf(out, "_files -g \"%s\"; ", o->pattern);
    fputs(o->add || o->pattern ? "}" : "_message value }", out);
}

/* One name of an option: '--output=[what]:DIR:{ _files -/; }'. */
static void zsh_name(const struct script *s, const struct cf_option *option, bool letter)
{
    bool optional = option->value && option->value[0] == '[';
    struct offer o = {NULL, NULL};

    if (letter)
        fprintf(s->out, " \\\n            '*-%c%s[", option->letter, option->value ? "+" : "");
    else
        fprintf(s->out, " \\\n            '*--%s%s[", option->name,
                optional        ? "=-"
                : option->value ? "="
                                : "");
    put_quoted(s->out, option->what, "[]:\\");
    fputc(']', s->out);
    if (option->value && !optional) {
        o = of_option(option);
        fputc(':', s->out);
        put_quoted(s->out, option->value, "[]:\\");
        fputc(':', s->out);
        put_action(s, &o);
    } else if (optional)
        fputs("::number: ", s->out);
    fputc('\'', s->out);
}

static void zsh_option(void *with, const struct cf_option *option)
{
    const struct script *s = with;

    if (option->letter)
        zsh_name(s, option, true);
    zsh_name(s, option, false);
}

static int put_zsh(struct script *s, struct cf_error *err)
{
    int status = CF_OK;

    fputs("#compdef contactfit\n"
          "# zsh completion of contactfit, made by contactfit completion zsh\n\n"
          "_contactfit()\n{\n"
          "    local -a commands=(\n        'help:show the help of a command'\n",
          s->out);
    for (const struct cf_command *const *c = s->commands; *c; c++) {
        fprintf(s->out, "        '%s:", (*c)->name);
        put_quoted(s->out, (*c)->what, ":\\");
        fputs("'\n", s->out);
    }
    fputs("    )\n"
          "    if (( CURRENT == 2 )) || [[ $CURRENT$words[2] == 3help ]]; then\n"
          "        _describe -t commands command commands\n"
          "        return\n"
          "    fi\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    case $words[1] in\n",
          s->out);
    for (const struct cf_command *const *c = s->commands; *c && !status; c++) {
        struct offer o = of_operands(*c);
        fprintf(s->out, "    %s)\n        _arguments -S", (*c)->name);
        status = cf_command_each_option(*c, s->registry, zsh_option, s, err);
        fputs(" \\\n            '*:operand:", s->out);
        put_action(s, &o);
        fputs("'\n        ;;\n", s->out);
    }
    fputs("    esac\n"
          "}\n\n"
          "if [ \"$funcstack[1]\" = _contactfit ]; then\n"
          "    _contactfit \"$@\"\n"
          "else\n"
          "    compdef _contactfit contactfit\n"
          "fi\n",
          s->out);
    return status;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    struct script s = {.commands = args->commands, .registry = args->registry};
    const char *shell = args->operand[0];
    bool bash = strcmp(shell, "bash") == 0;
    struct cf_text_stream text;
    char shown[CF_SHOWN];

    if (!bash && strcmp(shell, "zsh") != 0)
        return cf_fail(err, CF_EUSAGE, "\"%s\": the shell must be bash or zsh",
                       cf_show(shell, shown));
    int status = cf_text_begin(&text) ? CF_OK : CF_ENOMEM;
    s.out = text.out;
    if (!status)
        status = bash ? put_bash(&s, err) : put_zsh(&s, err);
    if (!cf_text_end(&text))
        status = cf_fail(err, CF_ENOMEM, "no memory for the script");
    if (!status)
        fputs(text.bytes, stdout);
    free(text.bytes);
    return status;
}

const struct cf_command cf_command_completion = {
    .name = "completion",
    .synopsis = "bash|zsh",
    .what = "print what makes a shell complete contactfit's commands and options",
    .help =
        "Commands, options, files by their endings, and the names of laws, targets, figures and\n"
        "protocols are completed behind TAB:\n"
        "\n"
        "  contactfit completion bash > ~/.local/share/bash-completion/completions/contactfit\n"
        "\n"
        "or, for zsh, in a folder of its fpath, under the name _contactfit.\n",
    .min_operand = 1,
    .max_operand = 1,
    .run = run,
};
