/* contactfit init: the first study of a table, guessed from the names of its columns. */

#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/draft.h"
#include "cmd/draft_sound.h"
#include "cmd/message.h"
#include "cmd/output_path.h"
#include "cmd/recognise.h"
#include "core/file_system.h"
#include "core/nearest.h"
#include "core/output.h"
#include "core/text.h"
#include "core/units.h"
#include "core/wrap.h"
#include "experiment/registry.h"
#include "file/yaml.h"
#include "sound/recording.h"

static const struct cf_option options[] = {
    {"output", 'o', "FILE", "write to FILE, which names the table from where it is"},
    {"force", 0, NULL, "write over a file that is there"},
    {"block", 0, "N", "the table that is meant, of several in the file"},
    {"header-line", 0, "N", "the line of the file with the names of the columns"},
    {"names", 0, "N", "how many lines the names take; none: there are none"},
    {"delimiter", 0, "MARK", "what parts the cells: , ; tab blanks"},
    {"decimal", 0, "MARK", "the decimal mark: . or ,"},
    {"encoding", 0, "NAME", "of the file: utf-8, utf-16 or windows-1252"},
};

/* No file that memory allows has more lines. */
static const double most_lines = 1e9;

/* The file's name without folder and ending. */
static void set_name(struct cf_draft *draft, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *dot;

    cf_show(slash ? slash + 1 : path, draft->name);
    dot = strrchr(draft->name, '.');
    if (dot && dot > draft->name)
        *dot = '\0';
}

static int find_protocol(const struct cf_registry *registry, const char *name,
                         const struct cf_protocol **protocol, struct cf_error *err)
{
    const struct cf_protocol *const *protocols = cf_registry_protocols(registry);
    const char *known[16], *near;
    char shown[CF_SHOWN];
    size_t n = 0;

    *protocol = cf_registry_protocol(registry, name);
    if (*protocol && (*protocol)->by_scene)
        return cf_fail(err, CF_EUSAGE,
                       "protocol %s is of any scene, and no table says of which: write its study, "
                       "contactfit-study(5) has one",
                       name);
    if (*protocol)
        return cf_dataset_check(*protocol, err);
    while (protocols[n] && n < sizeof known / sizeof *known) {
        known[n] = protocols[n]->name;
        n++;
    }
    near = cf_nearest(name, known, n);
    return cf_fail(err, CF_EUSAGE, "unknown protocol %s: %s %s%s", cf_show(name, shown),
                   near ? "did you mean" : "the first one is", near ? near : known[0],
                   near ? "?" : "");
}

/* A recording of sound has a draft of its own, without them. */
static bool asks_for_rig(const struct cf_draft *draft)
{
    const char *lines = draft->protocol->on_data;
    return draft->csv && lines && strstr(lines, CF_YAML_FILL_IN);
}

/* A table from standard input has no name that the study could give. */
static bool is_nameless(const struct cf_draft *draft)
{
    return strcmp(draft->file, CF_YAML_FILL_IN) == 0;
}

static void say_what_next(const struct cf_draft *draft)
{
    bool columns = !(draft->imposed && draft->measured) || draft->asked;
    bool bodies = !draft->protocol->bodiless, rig = asks_for_rig(draft);
    const char *word[4];
    char shown[CF_SHOWN], all[160];
    size_t n = 0;

    if (is_nameless(draft))
        word[n++] = "the file that holds the table";
    if (bodies)
        word[n++] = "the ball's diameter and mass";
    if (rig)
        word[n++] = "the numbers of the rig";
    if (columns)
        word[n++] = "which columns hold what";
    cf_join(all, sizeof all, word, n, " and ");
    if (n)
        cf_message("%sill in what is marked " CF_YAML_FILL_IN
                   " (%s), then run contactfit check on it.",
                   draft->out == stdout ? "Save this as a .yaml file, f" : "F", all);
    else
        cf_message("%shen run contactfit check on it.",
                   draft->out == stdout ? "Save this as a .yaml file, t" : "T");
    if (draft->kinds)
        cf_message("The rows are of several kinds (column %s): to fit one of them, take the # "
                   "from a line with where.",
                   cf_show(draft->kinds, shown));
}

/* A recording of sound has no columns: what it holds is a bouncing ball. */
static int put(struct cf_draft *draft, const struct cf_arguments *args, struct cf_error *err)
{
    int status = CF_OK;

    if (draft->csv) {
        status = cf_draft_put(draft, args->registry, err);
    } else {
        draft->imposed = draft->measured = true;
        cf_draft_sound_put(draft->out, draft->name, draft->file);
    }
    if (!status && !cf_flag(args, "quiet"))
        say_what_next(draft);
    return status;
}

/* Into a file, which names the table as seen from its own folder. A study that is there already has
 * been edited. */
static int put_file(struct cf_draft *draft, const struct cf_arguments *args, const char *path,
                    const char *table, struct cf_error *err)
{
    struct cf_file_state state;
    struct cf_output *out;
    char *folder, *file;
    int status;

    if (!cf_flag(args, "force") && cf_file_state(path, &state) == 0)
        return cf_fail(err, CF_EIO,
                       "%s: is there already: write to another file, or over this one "
                       "with --force",
                       path);
    out = cf_output_open(args->outputs, path, err);
    if (!out)
        return CF_EIO;
    folder = cf_folder_of(path);
    file = !folder ? NULL : is_nameless(draft) ? strdup(draft->file) : cf_path_from(folder, table);
    if (file) {
        draft->file = file;
        draft->out = cf_output_stream(out);
        status = put(draft, args, err);
    } else {
        status = cf_fail(err, CF_ENOMEM, "no memory for a path");
    }
    free(folder);
    free(file);
    if (!status)
        return cf_output_commit(out, err);
    cf_output_discard(out);
    return status;
}

/* The protocol of a sound recording: the one of stamps; another one that was named is refused. */
static int find_recording(const struct cf_registry *registry, const char *path,
                          const struct cf_protocol **protocol, struct cf_error *err)
{
    struct cf_recording *recording;
    int status;

    if (*protocol && !(*protocol)->recording)
        return cf_fail(err, CF_EUSAGE, "%s: a sound recording, and %s is fitted to tables", path,
                       (*protocol)->name);
    if (!*protocol)
        *protocol = cf_registry_protocol(registry, "bounce");
    status = cf_recording_open(path, 1, &recording, err);
    if (!status)
        cf_recording_close(recording);
    return status;
}

/* A whole number of an option; 0 where it is not given. */
static int take_count(const struct cf_arguments *args, const char *name, size_t *count,
                      struct cf_error *err)
{
    const char *text = cf_argument(args, name);
    char shown[CF_SHOWN];
    double value = 0;

    if (text && (cf_number_parse(text, '.', &value, NULL) || value < 1 || value > most_lines ||
                 value != (double) (size_t) value))
        return cf_fail(err, CF_EUSAGE, "--%s %s: a whole number from 1 on is wanted", name,
                       cf_show(text, shown));
    *count = (size_t) value;
    return CF_OK;
}

/* One of the words of an option: its place in the list; SIZE_MAX where the option is not given. */
static int take_word(const struct cf_arguments *args, const char *name, const char *const words[],
                     size_t n, size_t *index, struct cf_error *err)
{
    const char *text = cf_argument(args, name);
    char shown[CF_SHOWN], all[80];

    *index = SIZE_MAX;
    for (size_t i = 0; text && i < n; i++)
        if (strcmp(text, words[i]) == 0)
            *index = i;
    if (!text || *index != SIZE_MAX)
        return CF_OK;
    cf_join(all, sizeof all, words, n, " or ");
    return cf_fail(err, CF_EUSAGE, "--%s %s: %s is wanted", name, cf_show(text, shown), all);
}

/* What the options say of how the table is written; 0 where they do not. */
static int take_form(const struct cf_arguments *args, struct cf_csv_form *form, size_t *block,
                     struct cf_error *err)
{
    static const char *const delimiters[] = {",", ";", "tab", "blanks"}, *const marks[] = {".",
                                                                                           ","};
    static const char of_delimiter[] = {',', ';', '\t', CF_CSV_BLANKS};
    const char *names = cf_argument(args, "names");
    bool none = names && strcmp(names, "none") == 0;
    size_t delimiter, mark, encoding;
    int status = take_count(args, "block", block, err);

    *form = (struct cf_csv_form){0};
    if (!status)
        status = take_count(args, "header-line", &form->header_line, err);
    if (!status && !none)
        status = take_count(args, "names", &form->names, err);
    if (!status)
        status = take_word(args, "delimiter", delimiters, 4, &delimiter, err);
    if (!status)
        status = take_word(args, "decimal", marks, 2, &mark, err);
    if (!status)
        status = take_word(args, "encoding", cf_encoding_name, CF_ENCODING_COUNT, &encoding, err);
    if (status)
        return status;
    form->names = none ? CF_CSV_NAMELESS : form->names;
    form->delimiter = delimiter < SIZE_MAX ? of_delimiter[delimiter] : '\0';
    form->decimal = mark < SIZE_MAX ? *marks[mark] : '\0';
    form->encoding = encoding < SIZE_MAX ? (enum cf_encoding) encoding : CF_ENCODING_FOUND;
    return CF_OK;
}

/* What was done to read it, a sentence a kind. */
static void tell_reading(const struct cf_draft *draft, const char *path)
{
    const struct cf_layout *layout = &draft->layout;
    const struct cf_csv *csv = draft->survey.head;

    for (size_t i = 0; i < csv->nnote; i++)
        cf_message("%s", csv->note[i]);
    if (layout->form.encoding == CF_ENCODING_UTF16)
        cf_message("%s: text in UTF-16.", path);
    if (layout->nblock > 1)
        cf_message("%s: %zu tables; the one taken, block %zu, has its names in line %zu and ends "
                   "in line %zu: another by --block N.",
                   path, layout->nblock, layout->taken + 1, layout->form.header_line,
                   layout->form.end_line);
    else if (!layout->alone && layout->nblock)
        cf_message("%s: the table ends in line %zu; what follows is left out.", path,
                   layout->form.end_line);
    if (layout->form.names == CF_CSV_NAMELESS)
        cf_message("%s: no names above the numbers: the columns are called c1, c2 and so on.",
                   path);
}

static int read_table(struct cf_draft *draft, const struct cf_arguments *args, const char *path,
                      struct cf_error *err)
{
    struct cf_csv_form stated;
    size_t block;
    int status = take_form(args, &stated, &block, err);

    if (!status)
        status = cf_layout_guess(path, &stated, block, &draft->layout, err);
    if (!status)
        status = cf_survey_read(&draft->survey, path, &draft->layout.form,
                                draft->layout.block[draft->layout.taken].nrow, err);
    if (!status && !cf_flag(args, "quiet"))
        tell_reading(draft, path);
    return status;
}

/* Read the table at `path`, which stands for what the draft names, and write the study. */
static int draft_of(struct cf_draft *draft, const struct cf_arguments *args, const char *path,
                    bool named, struct cf_error *err)
{
    int status = cf_is_sound(path) ? find_recording(args->registry, path, &draft->protocol, err)
                                   : read_table(draft, args, path, err);

    draft->csv = draft->survey.head;
    if (!status && !draft->protocol)
        status = cf_recognise(args->registry, &draft->survey, draft->file, &draft->protocol, err);
    if (!status && !named && !cf_flag(args, "quiet"))
        cf_message("Taken as %s: %s.", draft->protocol->name, draft->protocol->what);
    if (!status && cf_argument(args, "output"))
        status = put_file(draft, args, cf_argument(args, "output"), path, err);
    else if (!status)
        status = put(draft, args, err);
    cf_survey_clear(&draft->survey);
    cf_layout_clear(&draft->layout);
    return status;
}

/* Messages about a file without a name say "-", as the command line does. */
static void rename_in(struct cf_error *err, const char *path)
{
    size_t n = strlen(path);

    for (char *at = err->text; (at = strstr(at, path)); at++) {
        *at = '-';
        memmove(at + 1, at + n, strlen(at + n) + 1);
    }
}

/* A table is read twice, and standard input can be once only. */
static int draft_of_stdin(struct cf_draft *draft, const struct cf_arguments *args, bool named,
                          struct cf_error *err)
{
    char path[CF_FILE_SPOOL_PATH];
    int code, status;
    FILE *spool = cf_file_spool(stdin, path, &code);

    if (!spool)
        return cf_fail(err, CF_EIO, "-: cannot be read: %s", strerror(code));
    set_name(draft, "table");
    draft->file = CF_YAML_FILL_IN;
    status = draft_of(draft, args, path, named, err);
    if (status)
        rename_in(err, path);
    fclose(spool);
    return status;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    bool named = args->noperand > 1;
    const char *path = args->operand[named];
    struct cf_draft draft = {.file = path, .out = stdout};
    int status =
        named ? find_protocol(args->registry, args->operand[0], &draft.protocol, err) : CF_OK;

    if (!named && cf_registry_protocol(args->registry, path))
        return cf_fail(err, CF_EUSAGE, "DATA.csv is missing; usage: contactfit init %s",
                       cf_command_init.synopsis);
    if (status)
        return status;
    if (strcmp(path, "-") == 0)
        return draft_of_stdin(&draft, args, named, err);
    set_name(&draft, path);
    return draft_of(&draft, args, path, named, err);
}

static void list_protocols(const struct cf_registry *registry, FILE *out)
{
    for (const struct cf_protocol *const *p = cf_registry_protocols(registry); *p; p++)
        if (!(*p)->by_scene)
            fprintf(out, "  %-14s " CF_WRAP_HANG "%s\n", (*p)->name, (*p)->what);
}

const struct cf_command cf_command_init = {
    .name = "init",
    .synopsis = "[PROTOCOL] DATA.csv [-o STUDY.yaml]",
    .what = "write a first study of a table, guessed from its columns",
    .help =
        "Reads the table and writes a study with comments: which column is which quantity by\n"
        "its name, in which unit, and what else could stand there. Titles above the names and\n"
        "a row of units below them are seen. What only you know is marked FILL-IN; contactfit\n"
        "check points at what is left of it.\n"
        "\n"
        "    contactfit init PROTOCOL data/bounces.csv -o bounces.yaml\n"
        "\n"
        "Without -o it goes to standard output, and names the table as you did, which holds for\n"
        "a study in the folder where you are; for one that you save elsewhere take -o and not >.\n"
        "\n"
        "A table from standard input, DATA.csv being -, has no name: file is FILL-IN then.\n"
        "\n"
        "PROTOCOL is what was done; without it init goes by the columns, and asks where they suit\n"
        "two of them alike:\n",
    .noption = sizeof options / sizeof options[0],
    .option = options,
    .min_operand = 1,
    .max_operand = 2,
    .help_more = list_protocols,
    .run = run,
};
