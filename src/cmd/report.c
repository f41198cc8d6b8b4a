/* contactfit report: the pages of fits, and one page of figure files. */

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "cmd/commands.h"
#include "cmd/figure_file.h"
#include "cmd/output_path.h"
#include "core/file.h"
#include "report/drawing.h"
#include "report/page.h"
#include "study/fitfile.h"

static const struct cf_option options[] = {
    {"output", 'o', "DIR", "write into DIR and not beside the file"},
};

/* What a page is made of: a fit, or drawings. */
struct content {
    json_t *fit; /* NULL for drawings */
    size_t n;
    struct cf_drawing **drawing;
};

static int write_page(const struct cf_arguments *args, const struct content *content, char *target,
                      struct cf_error *err)
{
    struct cf_output *out = target ? cf_output_open(target, err) : NULL;
    int status = CF_OK;

    if (!target)
        return cf_fail(err, CF_ENOMEM, "no memory for a path");
    if (!out)
        return CF_EIO;
    if (content->fit)
        status = cf_page_write(content->fit, cf_output_stream(out), err);
    else
        status = cf_gallery_write(content->drawing, content->n, cf_output_stream(out), err);
    if (status)
        cf_output_discard(out);
    else
        status = cf_output_commit(out, err);
    if (!status && !cf_flag(args, "quiet"))
        fprintf(stderr, "wrote %s\n", target);
    return status;
}

static int report_fit(const struct cf_arguments *args, const char *path, struct cf_error *err)
{
    struct content content = {.fit = NULL};
    int status = cf_fitfile_read(path, &content.fit, err);

    if (status)
        return status;
    char *target = cf_output_path(path, cf_argument(args, "output"), ".html");
    status = write_page(args, &content, target, err);
    free(target);
    json_decref(content.fit);
    return status;
}

/* The page of all figure files lies where the first of them does. */
static int report_drawings(const struct cf_arguments *args, const struct content *content,
                           struct cf_error *err)
{
    const char *folder = cf_argument(args, "output");
    char *beside = cf_folder_of(content->drawing[0]->path);
    char *target = beside ? cf_output_path("figures", folder ? folder : beside, ".html") : NULL;
    int status = write_page(args, content, target, err);

    free(target);
    free(beside);
    return status;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    struct content gallery = {.fit = NULL};
    int status = CF_OK;

    gallery.drawing = calloc(args->noperand, sizeof *gallery.drawing);
    if (!gallery.drawing)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    for (size_t i = 0; i < args->noperand && status == CF_OK; i++) {
        bool drawing = false;
        status = cf_is_figure_file(args->operand[i], &drawing, err);
        if (status == CF_OK && drawing) {
            gallery.drawing[gallery.n] = cf_drawing_read(args->operand[i], err);
            status = gallery.drawing[gallery.n] ? CF_OK : CF_EINPUT;
            gallery.n += status == CF_OK;
        } else if (status == CF_OK) {
            status = report_fit(args, args->operand[i], err);
        }
    }
    if (status == CF_OK && gallery.n)
        status = report_drawings(args, &gallery, err);
    for (size_t i = 0; i < gallery.n; i++)
        cf_drawing_free(gallery.drawing[i]);
    free(gallery.drawing);
    return status;
}

const struct cf_command cf_command_report = {
    .name = "report",
    .synopsis = "FILE... [-o DIR]",
    .what = "write the pages of fits, and a page of figure files",
    .help =
        "Writes FIT.html beside each fit file, or in DIR, and says so on standard error. A page\n"
        "is one file that loads nothing else; gnuplot draws its figures. All figure files that\n"
        "are named (contactfit: figure/1) stand on one page with their captions, figures.html,\n"
        "beside the first of them or in DIR.\n",
    .noption = sizeof options / sizeof options[0],
    .option = options,
    .min_operand = 1,
    .max_operand = SIZE_MAX,
    .run = run,
};
