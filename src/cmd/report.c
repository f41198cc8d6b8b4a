/* contactfit report: one page of fits, and one of figure files and scenes. */

#define _POSIX_C_SOURCE 200809L

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/figure_file.h"
#include "cmd/fit_sources.h"
#include "cmd/message.h"
#include "cmd/output_path.h"
#include "document/fit_file.h"
#include "report/gallery.h"
#include "report/page.h"
#include "report/pages.h"

static const struct cf_option options[] = {
    {"output", 'o', "DIR", "write into DIR and not beside the file, or one page as FILE.html"},
    CF_OPTION_FORCE,
};

/* What pages are made of. */
struct content {
    size_t nfit;
    json_t **fit;
    const char *first; /* path of the first fit */
    struct cf_gallery gallery;
};

/* Writes one of the pages. */
typedef int put_page(const struct content *content, FILE *out, struct cf_error *err);

static int put_fits(const struct content *content, FILE *out, struct cf_error *err)
{
    return content->nfit == 1 ? cf_page_write(content->fit[0], true, out, err)
                              : cf_pages_write(content->fit, content->nfit, true, out, err);
}

static int put_gallery(const struct content *content, FILE *out, struct cf_error *err)
{
    return cf_gallery_write(&content->gallery, out, err);
}

static int write_page(const struct cf_arguments *args, const struct content *content, put_page *put,
                      const char *target, struct cf_error *err)
{
    struct cf_output *out = target ? cf_output_open(args->outputs, target, err) : NULL;
    int status = CF_OK;

    if (!target)
        return cf_fail(err, CF_ENOMEM, "no memory for a path");
    if (!out)
        return CF_EIO;
    status = put(content, cf_output_stream(out), err);
    if (status && !cf_output_failed(out))
        cf_output_discard(out);
    else
        status = cf_output_commit(out, err);
    if (!status && !cf_flag(args, "quiet"))
        cf_message("wrote %s", target);
    return status;
}

/* FILE.html of --output, which names one page; NULL for a folder. */
static const char *page_name(const struct cf_arguments *args)
{
    const char *output = cf_argument(args, "output"), *dot = output ? strrchr(output, '.') : NULL;
    bool console = output && strcmp(output, "-") == 0;
    return console || (dot && strcmp(dot, ".html") == 0) ? output : NULL;
}

static char *target_of(const struct cf_arguments *args, const char *path, const char *folder)
{
    const char *page = page_name(args);
    return page ? strdup(page) : cf_output_path(path, folder, ".html");
}

/* The page of one fit is called as that is; that of several is fits.html beside the first. */
static int report_fits(const struct cf_arguments *args, const struct content *content,
                       struct cf_error *err)
{
    const char *folder = cf_argument(args, "output");
    char *beside = cf_folder_of(content->first), *target = NULL;
    int status;

    if (beside)
        target = content->nfit == 1 ? target_of(args, content->first, folder)
                                    : target_of(args, "fits", folder ? folder : beside);
    status = write_page(args, content, put_fits, target, err);
    free(target);
    free(beside);
    return status;
}

static int add_fit(const struct cf_arguments *args, struct content *content, const char *path,
                   struct cf_error *err)
{
    int status = cf_fit_file_read(path, &content->fit[content->nfit], err);

    if (status)
        return status;
    content->first = content->nfit ? content->first : path;
    return cf_protect_fit_sources(args->outputs, path, content->fit[content->nfit++], err);
}

/* The tables and motions that figure files and scenes name. */
static int protect(const struct cf_arguments *args, const struct cf_gallery *gallery,
                   struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 0; i < gallery->ndrawing && !status; i++)
        status = cf_outputs_protect_all(args->outputs, &gallery->drawing[i]->read, err);
    for (size_t i = 0; i < gallery->nscene && !status; i++)
        status = cf_outputs_protect_all(args->outputs, &gallery->scene[i]->file->read, err);
    return status;
}

/* The page of all figure files and scenes is written beside the first of them. */
static int report_gallery(const struct cf_arguments *args, const struct content *content,
                          struct cf_error *err)
{
    const struct cf_gallery *gallery = &content->gallery;
    const char *folder = cf_argument(args, "output");
    char *beside =
        cf_folder_of(gallery->ndrawing ? gallery->drawing[0]->path : gallery->scene[0]->file->path);
    char *target = beside ? target_of(args, "figures", folder ? folder : beside) : NULL;
    int status = protect(args, gallery, err);

    if (!status)
        status = write_page(args, content, put_gallery, target, err);
    free(target);
    free(beside);
    return status;
}

static int add_drawing(struct cf_gallery *gallery, const char *path, struct cf_error *err)
{
    struct cf_drawing *drawing = cf_drawing_read(path, err);

    if (!drawing)
        return CF_EINPUT;
    gallery->drawing[gallery->ndrawing++] = drawing;
    return CF_OK;
}

/* A scene, run. */
static int add_scene(struct cf_gallery *gallery, const char *path, struct cf_error *err)
{
    struct cf_scene_file *file = cf_scene_read(path, NULL, 0, err);
    struct cf_scene_figures *scene = file ? cf_scene_figures_read(file, err) : NULL;

    if (!scene) {
        cf_scene_file_free(file);
        return CF_EINPUT;
    }
    gallery->scene[gallery->nscene++] = scene;
    return cf_scene_figures_run(scene, scene->n, err);
}

static int read_operand(const struct cf_arguments *args, struct content *content, const char *path,
                        struct cf_error *err)
{
    enum cf_operand kind;
    int status = cf_operand_kind(path, &kind, err);

    if (status)
        return status;
    return kind == CF_OPERAND_FIT     ? add_fit(args, content, path, err)
           : kind == CF_OPERAND_SCENE ? add_scene(&content->gallery, path, err)
                                      : add_drawing(&content->gallery, path, err);
}

static void clear_gallery(struct cf_gallery *gallery)
{
    for (size_t i = 0; i < gallery->ndrawing; i++)
        cf_drawing_free(gallery->drawing[i]);
    for (size_t i = 0; i < gallery->nscene; i++) {
        const struct cf_scene_file *file = gallery->scene[i]->file;
        cf_scene_figures_free(gallery->scene[i]);
        cf_scene_file_free((struct cf_scene_file *) file);
    }
    free(gallery->drawing);
    free(gallery->scene);
}

static int write_pages(const struct cf_arguments *args, const struct content *content,
                       struct cf_error *err)
{
    size_t drawn = content->gallery.ndrawing + content->gallery.nscene;
    int status = CF_OK;

    if (content->nfit && drawn && page_name(args))
        return cf_fail(err, CF_EUSAGE, "--output: %s names one page, and fits and figures make two",
                       page_name(args));
    if (content->nfit)
        status = report_fits(args, content, err);
    return status || !drawn ? status : report_gallery(args, content, err);
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    struct content content = {0};
    struct cf_gallery *gallery = &content.gallery;
    int status = CF_OK;

    content.fit = calloc(args->noperand, sizeof *content.fit);
    gallery->drawing = calloc(args->noperand, sizeof *gallery->drawing);
    gallery->scene = calloc(args->noperand, sizeof *gallery->scene);
    if (!content.fit || !gallery->drawing || !gallery->scene)
        status = cf_fail(err, CF_ENOMEM, "out of memory");
    for (size_t i = 0; i < args->noperand && status == CF_OK; i++)
        status = read_operand(args, &content, args->operand[i], err);
    if (status == CF_OK)
        status = write_pages(args, &content, err);
    for (size_t i = 0; i < content.nfit; i++)
        json_decref(content.fit[i]);
    free(content.fit);
    clear_gallery(gallery);
    return status;
}

const struct cf_command cf_command_report = {
    .name = "report",
    .synopsis = "FILE... [-o DIR]",
    .what = "write the page of a fit or of several, and a page of figure files and scenes",
    .help =
        "Writes FIT.html beside a fit file, or in DIR, and says so on standard error; of several\n"
        "fits one page, fits.html, with a table of them at its top. A page is one file that loads\n"
        "nothing else; gnuplot draws its figures. All figure files (contactfit: figure/1) and\n"
        "scenes (contactfit: scene/1) that are named stand on one page with their captions,\n"
        "figures.html, beside the first of them or in DIR; of up to eight scenes a slider moves "
        "the\n"
        "bodies.\n",
    .noption = sizeof options / sizeof options[0],
    .option = options,
    .min_operand = 1,
    .max_operand = SIZE_MAX,
    .run = run,
};
