/* contactfit init: the first study of a table, guessed from the names of its columns. */

#define _POSIX_C_SOURCE 200809L

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
#include "core/wrap.h"
#include "experiment/registry.h"
#include "file/yaml.h"
#include "sound/recording.h"

static const struct cf_option options[] = {
    {"output", 'o', "FILE", "write to FILE, which names the table from where it is"},
    {"force", 0, NULL, "write over a file that is there"},
};

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

/* Read the table at `path`, which stands for what the draft names, and write the study. */
static int draft_of(struct cf_draft *draft, const struct cf_arguments *args, const char *path,
                    bool named, struct cf_error *err)
{
    int status = cf_is_sound(path) ? CF_OK : cf_guess_form(path, &draft->form, err);

    if (status)
        return status;
    if (cf_is_sound(path))
        status = find_recording(args->registry, path, &draft->protocol, err);
    else
        status = cf_survey_read(&draft->survey, path, &draft->form, err);
    draft->csv = draft->survey.head;
    if (!status && !draft->protocol)
        status = cf_recognise(args->registry, &draft->survey, &draft->protocol, err);
    if (!status && !named && !cf_flag(args, "quiet"))
        cf_message("Taken as %s: %s.", draft->protocol->name, draft->protocol->what);
    if (!status && cf_argument(args, "output"))
        status = put_file(draft, args, cf_argument(args, "output"), path, err);
    else if (!status)
        status = put(draft, args, err);
    cf_survey_clear(&draft->survey);
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
