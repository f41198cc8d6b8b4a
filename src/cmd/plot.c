/* contactfit plot: the figures of fits, and those defined by figure files and scenes, as images. */

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/figure_file.h"
#include "cmd/fit_sources.h"
#include "cmd/message.h"
#include "cmd/output_path.h"
#include "core/nearest.h"
#include "core/wrap.h"
#include "document/fit_file.h"
#include "report/drawing.h"
#include "report/figure.h"
#include "report/image.h"
#include "report/render.h"
#include "report/scene_drawing.h"

static const struct cf_option options[] = {
    {"figure", 'f', "NAME",
     "one figure, of fits by a name below, of scenes by theirs, or all (default)"},
    {"format", 0, "LIST", "svg, pdf, png, several divided by commas (default: svg)"},
    {"output", 'o', "DIR", "write into DIR, or one image as FILE.svg, FILE.pdf or FILE.png"},
    {"list", 0, NULL,
     "list the figures of fits and the kinds of figure files and of scenes' figures"},
    CF_OPTION_FORCE,
};

static const char *const formats[] = {"svg", "pdf", "png"};
enum { NFORMAT = sizeof formats / sizeof formats[0], MAX_FIGURES = 32 };

/* What is asked for. */
struct request {
    const struct cf_arguments *args;
    const char *name; /* of the figure; NULL: all */
    bool wanted[NFORMAT];
    const char *folder; /* NULL: beside the file */
    const char *file;   /* the one image; NULL: names follow from the files' */
    struct cf_plotter *plotter;
};

static int parse_formats(const char *list, bool wanted[NFORMAT], struct cf_error *err)
{
    while (true) {
        size_t len = strcspn(list, ","), i = 0;
        while (i < NFORMAT && (strlen(formats[i]) != len || strncmp(formats[i], list, len) != 0))
            i++;
        if (i == NFORMAT)
            return cf_fail(err, CF_EUSAGE, "--format %.*s: svg, pdf and png are known", (int) len,
                           list);
        wanted[i] = true;
        if (!list[len])
            return CF_OK;
        list += len + 1;
    }
}

/* *figure is NULL for all of them. */
static int find_figure(const json_t *fit, const char *name, const struct cf_figure **figure,
                       struct cf_error *err)
{
    char own[MAX_FIGURES][CF_FIGURE_NAME];
    const char *known[MAX_FIGURES] = {"all"};
    size_t n = 1;

    *figure = NULL;
    if (!name)
        return CF_OK;
    *figure = cf_figure_find(fit, name);
    if (*figure)
        return CF_OK;
    for (const struct cf_figure *const *f = cf_figures; *f && n < MAX_FIGURES; f++, n++)
        known[n] = cf_figure_name(*f, fit, own[n]);
    const char *near = cf_nearest(name, known, n);
    return near ? cf_fail(err, CF_EUSAGE, "--figure %s: did you mean %s?", name, near)
                : cf_fail(err, CF_EUSAGE, "--figure %s: contactfit plot --help lists the figures",
                          name);
}

/* Standard output takes one image, of the format that is asked for. */
static int parse_console(struct request *request, const char *output, struct cf_error *err)
{
    size_t n = 0;

    request->file = output;
    for (size_t i = 0; i < NFORMAT; i++)
        n += request->wanted[i];
    if (n > 1)
        return cf_fail(err, CF_EUSAGE,
                       "-o -: standard output takes one image, and --format has %zu", n);
    if (request->args->noperand > 1)
        return cf_fail(err, CF_EUSAGE,
                       "-o -: standard output takes one image, and here are %zu files",
                       request->args->noperand);
    return CF_OK;
}

/* --output names a folder, or one image by the ending of its format. */
static int parse_output(struct request *request, const char *output, struct cf_error *err)
{
    const char *dot = output ? strrchr(output, '.') : NULL;
    size_t i = 0;

    while (dot && i < NFORMAT && strcmp(dot + 1, formats[i]) != 0)
        i++;
    if (output && strcmp(output, "-") == 0)
        return parse_console(request, output, err);
    if (!dot || i == NFORMAT) {
        request->folder = output;
        return CF_OK;
    }
    request->file = output;
    if (request->args->noperand > 1)
        return cf_fail(err, CF_EUSAGE, "-o %s: one image cannot take the figures of %zu files",
                       output, request->args->noperand);
    if (cf_argument(request->args, "format"))
        return cf_fail(err, CF_EUSAGE, "-o %s: the ending is the format: leave --format out",
                       output);
    memset(request->wanted, 0, sizeof request->wanted);
    request->wanted[i] = true;
    return CF_OK;
}

/* Write an image, which becomes free, and say so. */
static int write_image(const struct request *request, const char *path, const char *suffix,
                       char *bytes, size_t len, struct cf_error *err)
{
    char *target = request->file ? NULL : cf_output_path(path, request->folder, suffix);
    const char *name = request->file ? request->file : target;
    struct cf_output *out = name ? cf_output_open(request->args->outputs, name, err) : NULL;
    int status = name ? out ? CF_OK : CF_EIO : cf_fail(err, CF_ENOMEM, "%s: out of memory", path);

    if (!status) {
        /* a write that fails is found by the commit */
        cf_image_write(bytes, len, cf_output_stream(out));
        status = cf_output_commit(out, err);
    }
    if (!status && !cf_flag(request->args, "quiet") && strcmp(name, "-") != 0)
        cf_message("wrote %s", name);
    free(bytes);
    free(target);
    return status;
}

/* A chart in each format that is wanted; `name` is that of the figure, or "". */
static int write_chart(const struct request *request, const char *path, const char *name,
                       struct cf_chart *chart, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 0; i < NFORMAT && status == CF_OK; i++) {
        char *bytes = NULL, suffix[256];
        size_t len = 0;
        if (!request->wanted[i])
            continue;
        snprintf(suffix, sizeof suffix, "%s%.200s.%s", *name ? "-" : "", name, formats[i]);
        status = cf_chart_render(chart, formats[i], request->plotter, &bytes, &len, err);
        if (status == CF_OK)
            status = write_image(request, path, suffix, bytes, len, err);
    }
    return status;
}

static int write_figure(const struct request *request, const char *path, const json_t *fit,
                        const struct cf_figure *figure, struct cf_error *err)
{
    struct cf_chart chart;
    char name[CF_FIGURE_NAME];
    int status = cf_figure_chart(figure, fit, &chart, err);

    if (status == CF_OK)
        status = write_chart(request, path, cf_figure_name(figure, fit, name), &chart, err);
    cf_chart_free(&chart);
    return status;
}

static int plot_fit(const struct request *request, const char *path, struct cf_error *err)
{
    const struct cf_figure *only = NULL;
    char name[CF_FIGURE_NAME], what[120];
    json_t *fit;
    int status;

    if (request->file && !request->name)
        return cf_fail(err, CF_EUSAGE,
                       "-o %s: a fit has several figures: name one with --figure, or a folder",
                       request->file);
    status = cf_fit_file_read(path, &fit, err);
    if (status)
        return status;
    status = cf_protect_fit_sources(request->args->outputs, path, fit, err);
    if (!status)
        status = find_figure(fit, request->name, &only, err);
    if (!status && only && !only->applies(fit))
        status =
            cf_fail(err, CF_EINPUT, "%s: nothing in it for the figure %s (%s)", path,
                    cf_figure_name(only, fit, name), cf_figure_what(only, fit, what, sizeof what));
    for (const struct cf_figure *const *f = cf_figures; *f; f++)
        if (status == CF_OK && (only ? *f == only : (*f)->applies(fit)))
            status = write_figure(request, path, fit, *f, err);
    json_decref(fit);
    return status;
}

static int plot_drawing(const struct request *request, const char *path, struct cf_error *err)
{
    struct cf_drawing *drawing;
    int status = CF_OK;

    if (request->name)
        return cf_fail(err, CF_EUSAGE, "--figure %s: %s is no fit, but a figure file, which is one",
                       request->name, path);
    drawing = cf_drawing_read(path, err);
    if (!drawing)
        return CF_EINPUT;
    status = cf_outputs_protect_all(request->args->outputs, &drawing->read, err);
    if (status == CF_OK) {
        struct cf_chart chart;
        status = cf_drawing_chart(drawing, &chart, err);
        if (status == CF_OK)
            status = write_chart(request, path, "", &chart, err);
        cf_chart_free(&chart);
    }
    cf_drawing_free(drawing);
    return status;
}

static int write_scene_figure(const struct request *request, const struct cf_scene_figures *figures,
                              const struct cf_scene_figure *figure, struct cf_error *err)
{
    struct cf_chart chart;
    int status = cf_scene_figure_chart(figures, figure, &chart, err);

    if (status == CF_OK)
        status = write_chart(request, figures->file->path, figure->name, &chart, err);
    cf_chart_free(&chart);
    return status;
}

/* The one figure that a file asks for, or that it has without asking; n: it asks for several. */
static size_t the_figure(const struct cf_scene_figures *figures)
{
    size_t one = 0, listed = 0;

    for (size_t i = 0; i < figures->n; i++)
        if (figures->figure[i].at) {
            one = i;
            listed++;
        }
    return listed > 1 ? figures->n : one;
}

/* Which figure of a scene is wanted; n for all. */
static int find_scene_figure(const struct request *request, const struct cf_scene_figures *figures,
                             size_t *only, struct cf_error *err)
{
    const char *path = figures->file->path, **known, *near;

    *only = request->file && !request->name ? the_figure(figures) : figures->n;
    if (figures->n == 0)
        return cf_fail(err, CF_EINPUT, "%s: no figures in it: the key figures lists them", path);
    if (request->file && !request->name && *only == figures->n)
        return cf_fail(err, CF_EUSAGE,
                       "-o %s: %s has several figures: name one with --figure, or a folder",
                       request->file, path);
    if (!request->name)
        return CF_OK;
    *only = cf_scene_figures_find(figures, request->name);
    if (*only < figures->n)
        return CF_OK;
    known = calloc(figures->n + 1, sizeof *known);
    if (!known)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu names", figures->n);
    known[0] = "all";
    for (size_t i = 0; i < figures->n; i++)
        known[i + 1] = figures->figure[i].name;
    near = cf_nearest(request->name, known, figures->n + 1);
    free(known);
    return cf_fail(err, CF_EUSAGE, "--figure %s: %s has none of that name%s%s%s", request->name,
                   path, near ? ": did you mean " : "", near ? near : "", near ? "?" : "");
}

static int plot_scene(const struct request *request, const char *path, struct cf_error *err)
{
    struct cf_scene_file *file = cf_scene_read(path, NULL, 0, err);
    struct cf_scene_figures *figures = file ? cf_scene_figures_read(file, err) : NULL;
    size_t only;
    int status = figures ? find_scene_figure(request, figures, &only, err) : CF_EINPUT;

    if (status == CF_OK)
        status = cf_outputs_protect_all(request->args->outputs, &file->read, err);
    if (status == CF_OK)
        status = cf_scene_figures_run(figures, only, err);
    for (size_t i = 0; figures && i < figures->n && status == CF_OK; i++)
        if (only == figures->n || only == i)
            status = write_scene_figure(request, figures, &figures->figure[i], err);
    cf_scene_figures_free(figures);
    cf_scene_file_free(file);
    return status;
}

static void print_figures(FILE *out)
{
    fprintf(out, "Figures of fits:\n");
    for (const struct cf_figure *const *f = cf_figures; *f; f++) {
        char name[CF_FIGURE_NAME], what[120];
        fprintf(out, "  %-17s  " CF_WRAP_HANG "%s\n", cf_figure_name(*f, NULL, name),
                cf_figure_what(*f, NULL, what, sizeof what));
    }
}

static void help_more(const struct cf_registry *registry, FILE *out)
{
    (void) registry;
    print_figures(out);
}

static void print_list(FILE *out)
{
    print_figures(out);
    fprintf(out, "\nKinds of figure files:\n");
    for (const struct cf_drawing_kind *const *k = cf_drawing_kinds; *k; k++)
        fprintf(out, "  %-17s  " CF_WRAP_HANG "%s\n", (*k)->name, (*k)->what);
    fprintf(out, "\nKinds of figures of scenes:\n");
    for (int k = 0; k < CF_SCENE_NKIND; k++)
        fprintf(out, "  %-17s  " CF_WRAP_HANG "%s\n", cf_scene_kinds[k].name,
                cf_scene_kinds[k].what);
}

static int plot_operand(const struct request *request, const char *path, struct cf_error *err)
{
    enum cf_operand kind;
    int status = cf_operand_kind(path, &kind, err);

    if (status)
        return status;
    return kind == CF_OPERAND_FIT     ? plot_fit(request, path, err)
           : kind == CF_OPERAND_SCENE ? plot_scene(request, path, err)
                                      : plot_drawing(request, path, err);
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    const char *figure = cf_argument(args, "figure"), *list = cf_argument(args, "format");
    struct cf_plotter plotter = CF_PLOTTER;
    struct request request = {.args = args, .plotter = &plotter};

    if (cf_flag(args, "list")) {
        print_list(args->text);
        return CF_OK;
    }
    if (!args->noperand)
        return cf_fail(err, CF_EUSAGE, "FILE... is missing; usage: contactfit plot %s",
                       args->command->synopsis);
    if (figure && strcmp(figure, "all") != 0)
        request.name = figure;
    int status = parse_formats(list ? list : "svg", request.wanted, err);
    if (status == CF_OK)
        status = parse_output(&request, cf_argument(args, "output"), err);
    for (size_t i = 0; i < args->noperand && status == CF_OK; i++)
        status = plot_operand(&request, args->operand[i], err);
    cf_plotter_end(&plotter);
    return status;
}

const struct cf_command cf_command_plot = {
    .name = "plot",
    .synopsis = "FILE... [--figure NAME] [--format LIST] [-o DIR]",
    .what = "write the figures of fits, figure files and scenes as SVG, PDF or PNG",
    .help =
        "Of a fit file FIT.json it writes FIT-FIGURE.FORMAT, of a figure file NAME.yaml\n"
        "NAME.FORMAT, of a scene SCENE-FIGURE.FORMAT, beside the file or in DIR, and says so\n"
        "on standard error. gnuplot draws. With --figure all a figure that a fit has nothing\n"
        "for is left out.\n"
        "\n"
        "A figure file (contactfit: figure/1) draws curves of laws as papers do, over your\n"
        "own points if it names a table of them. A scene (contactfit: scene/1) is run, and\n"
        "what it lists under figures is drawn, and its bodies to scale: see contactfit-scene(5).\n"
        "--list says which kinds there are.\n"
        "\n"
        "Of a fit, `headline` stands for its main channel and `axis` for what that is drawn\n"
        "against: of impacts restitution and speed, so that headline-log is restitution-log.\n"
        "\n",
    .noption = sizeof options / sizeof options[0],
    .option = options,
    .min_operand = 0,
    .max_operand = SIZE_MAX,
    .help_more = help_more,
    .run = run,
};
