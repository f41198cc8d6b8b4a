/* contactfit examples: the studies, scenes and figures that came with the program, and copies of
 * them with the files that they name. */

#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "cmd/closing.h"
#include "cmd/command.h"
#include "cmd/copies.h"
#include "cmd/examples_folder.h"
#include "cmd/message.h"
#include "core/file.h"
#include "core/file_system.h"
#include "core/nearest.h"
#include "core/text.h"
#include "core/wrap.h"
#include "figure/law_figure.h"
#include "file/head.h"
#include "scene/scene_file.h"
#include "study/study.h"

static const struct cf_option options[] = {
    {"output", 'o', "DIR", "folder for the copies (default: this one)"},
    {"force", 0, NULL, "write over files that are there"},
};

static const char ending[] = ".yaml";
enum { FILE_LIMIT = 1 << 20 };

/* The files that one names, as its reader finds them. */
static int names_of_study(const char *path, const struct cf_registry *registry,
                          struct cf_paths *paths, struct cf_error *err)
{
    struct cf_study *study = cf_study_read_data(path, registry, err);
    int status = study ? CF_OK : CF_EINPUT;

    for (size_t i = 0; study && i < study->read.n && !status; i++)
        status = cf_paths_add(paths, study->read.path[i], err);
    cf_study_free(study);
    return status;
}

static int names_of_scene(const char *path, const struct cf_registry *registry,
                          struct cf_paths *paths, struct cf_error *err)
{
    struct cf_scene_file *scene = cf_scene_read(path, NULL, 0, err);
    int status = scene ? CF_OK : CF_EINPUT;

    (void) registry;
    for (size_t i = 0; scene && i < scene->read.n && !status; i++)
        status = cf_paths_add(paths, scene->read.path[i], err);
    cf_scene_file_free(scene);
    return status;
}

static int names_of_figure(const char *path, const struct cf_registry *registry,
                           struct cf_paths *paths, struct cf_error *err)
{
    struct cf_drawing *drawing = cf_drawing_read(path, err);
    int status = drawing ? CF_OK : CF_EINPUT;

    (void) registry;
    for (size_t i = 0; drawing && i < drawing->read.n && !status; i++)
        status = cf_paths_add(paths, drawing->read.path[i], err);
    cf_drawing_free(drawing);
    return status;
}

static const struct kind {
    const char *folder, *title, *next; /* the command for which one is made */
    int (*names)(const char *path, const struct cf_registry *registry, struct cf_paths *paths,
                 struct cf_error *err);
} kinds[] = {{"fits", "Studies", "check", names_of_study},
             {"scenes", "Scenes", "simulate", names_of_scene},
             {"figures", "Figures", "plot", names_of_figure}};
enum { NKIND = sizeof kinds / sizeof *kinds };

/* The examples of each kind, by their names without ending, where they lie. */
struct examples {
    char *root;
    char **name[NKIND];
    size_t n[NKIND];
};

static void clear(struct examples *e)
{
    for (int k = 0; k < NKIND; k++) {
        while (e->n[k] > 0)
            free(e->name[k][--e->n[k]]);
        free(e->name[k]);
    }
    free(e->root);
}

static int find(struct examples *e, struct cf_error *err)
{
    e->root = cf_examples_folder(err);
    for (int k = 0; k < NKIND && e->root; k++) {
        char *folder = cf_format("%s/%s", e->root, kinds[k].folder);
        int code = folder ? cf_folder_list(folder, ending, &e->name[k], &e->n[k]) : 0;
        int status = !folder ? cf_fail(err, CF_ENOMEM, "no memory for the examples")
                     : code ? cf_fail(err, CF_EIO, "%s: cannot be read: %s", folder, strerror(code))
                            : CF_OK;
        free(folder);
        if (status)
            return status;
        for (size_t i = 0; i < e->n[k]; i++)
            e->name[k][i][strlen(e->name[k][i]) - strlen(ending)] = '\0';
    }
    return e->root ? CF_OK : CF_EIO;
}

/* ---- the list */

static int print_title(const struct examples *e, int k, size_t i, int width, FILE *out,
                       struct cf_error *err)
{
    char *path = cf_format("%s/%s/%s%s", e->root, kinds[k].folder, e->name[k][i], ending);
    char *text = NULL, shown[CF_SHOWN];
    const char *title = "";
    size_t len = 0;
    int status = path ? cf_file_read(path, FILE_LIMIT, &text, &len, NULL, err)
                      : cf_fail(err, CF_ENOMEM, "no memory for the examples");
    struct cf_yaml *root = status ? NULL : cf_yaml_parse(path, text, len, err);

    if (!status)
        status = root ? cf_head_text(root, "title", &title, err) : CF_EINPUT;
    if (!status)
        fprintf(out, "  %-*s  " CF_WRAP_HANG "%s\n", width, e->name[k][i], cf_show(title, shown));
    cf_yaml_free(root);
    free(text);
    free(path);
    return status;
}

static int print_list(const struct examples *e, FILE *out, struct cf_error *err)
{
    int status = CF_OK;

    for (int k = 0; k < NKIND && !status; k++) {
        int width = 0;
        for (size_t i = 0; i < e->n[k]; i++)
            width = (int) strlen(e->name[k][i]) > width ? (int) strlen(e->name[k][i]) : width;
        fprintf(out, "%s" CF_WRAP_BOLD "%s" CF_WRAP_PLAIN ":\n", k ? "\n" : "", kinds[k].title);
        for (size_t i = 0; i < e->n[k] && !status; i++)
            status = print_title(e, k, i, width, out, err);
    }
    return status;
}

/* ---- copies */

static int copy_example(const struct cf_arguments *args, const struct examples *e, int k,
                        const char *name, struct cf_error *err)
{
    const char *folder = cf_argument(args, "output");
    char *path = cf_format("%s/%s/%s%s", e->root, kinds[k].folder, name, ending);
    struct cf_paths named = {0};
    struct cf_copies c = {0};
    int status = path ? kinds[k].names(path, args->registry, &named, err)
                      : cf_fail(err, CF_ENOMEM, "no memory for the path of an example");

    folder = folder ? folder : "";
    if (!status)
        status = cf_copies_add(&c, e->root, path, folder, err);
    for (size_t i = 0; i < named.n && !status; i++)
        status = cf_copies_add(&c, e->root, named.path[i], folder, err);
    if (!status)
        status = cf_copies_write(&c, args, folder, err);
    char *next = status ? NULL : cf_closing_command(kinds[k].next, c.copy[0].to, "");
    if (next && !cf_flag(args, "quiet"))
        cf_message("next: %s", next);
    free(next);
    cf_copies_clear(&c);
    cf_paths_clear(&named);
    free(path);
    return status;
}

/* By its name, also with its folder and its ending. */
static int find_example(const struct examples *e, const char *text, int *kind, const char **name,
                        struct cf_error *err)
{
    const char *slash = strrchr(text, '/'), *bare = slash ? slash + 1 : text, **known, *near;
    size_t n = 0, len = strlen(bare), end = strlen(ending);
    char shown[CF_SHOWN];

    if (len > end && strcmp(bare + len - end, ending) == 0)
        len -= end;
    for (*kind = 0; *kind < NKIND; ++*kind)
        for (size_t i = 0; i < e->n[*kind]; i++) {
            *name = e->name[*kind][i];
            if (strncmp(*name, bare, len) == 0 && !(*name)[len])
                return CF_OK;
        }
    known = calloc(e->n[0] + e->n[1] + e->n[2] + 1, sizeof *known);
    if (!known)
        return cf_fail(err, CF_ENOMEM, "no memory for the names of the examples");
    for (int k = 0; k < NKIND; k++)
        for (size_t i = 0; i < e->n[k]; i++)
            known[n++] = e->name[k][i];
    near = cf_nearest(bare, known, n);
    free(known);
    return cf_fail(err, CF_EUSAGE, "no example \"%s\": %s%s%s", cf_show(bare, shown),
                   near ? "did you mean " : "contactfit examples lists them", near ? near : "",
                   near ? "?" : "");
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    struct examples e = {0};
    const char *name = NULL, *folder = cf_argument(args, "output");
    int kind = 0, status = CF_OK;

    if (folder && (!*folder || strcmp(folder, "-") == 0))
        return cf_fail(err, CF_EUSAGE, "-o %s: a folder is wanted: an example is several files",
                       folder);
    status = find(&e, err);
    if (!status && args->noperand)
        status = find_example(&e, args->operand[0], &kind, &name, err);
    if (!status && name)
        status = copy_example(args, &e, kind, name, err);
    else if (!status)
        status = print_list(&e, args->text, err);
    clear(&e);
    return status;
}

const struct cf_command cf_command_examples = {
    .name = "examples",
    .synopsis = "[EXAMPLE] [-o DIR]",
    .what = "list the studies, scenes and figures that came with contactfit, or copy one",
    .help =
        "Without an operand it lists them, each with its title. With the name of one it copies\n"
        "that file and the tables, recordings and scenes that it names, into the folders fits/,\n"
        "scenes/, figures/ and data/ of this folder or of DIR, which are made:\n"
        "\n"
        "  contactfit examples croquet_ball_on_wood -o try\n"
        "  contactfit fit try/fits/croquet_ball_on_wood.yaml\n"
        "\n"
        "Nothing that is there is written over without --force.\n",
    .noption = sizeof options / sizeof options[0],
    .option = options,
    .max_operand = 1,
    .run = run,
};
