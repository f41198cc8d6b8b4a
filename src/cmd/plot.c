/* contactfit plot: the figures of fits as files. */

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/output_path.h"
#include "core/file.h"
#include "core/nearest.h"
#include "report/figure.h"
#include "study/fitfile.h"

static const struct cf_option options[] = {
    {"figure", 'f', "NAME", "one figure, by a name below, or all (default)"},
    {"format", 0, "LIST", "svg, pdf, png, several divided by commas (default: svg)"},
    {"output", 'o', "DIR", "write into DIR and not beside the fit file"},
};

static const char *const formats[] = {"svg", "pdf", "png"};
enum { NFORMAT = sizeof formats / sizeof formats[0], MAX_FIGURES = 32 };

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
static int parse_figure(const char *name, const struct cf_figure **figure, struct cf_error *err)
{
    const char *known[MAX_FIGURES] = {"all"};
    size_t n = 1;

    *figure = NULL;
    if (strcmp(name, "all") == 0)
        return CF_OK;
    *figure = cf_figure_find(name);
    if (*figure)
        return CF_OK;
    for (const struct cf_figure *const *f = cf_figures; *f && n < MAX_FIGURES; f++)
        known[n++] = (*f)->name;
    const char *near = cf_nearest(name, known, n);
    return near ? cf_fail(err, CF_EUSAGE, "--figure %s: did you mean %s?", name, near)
                : cf_fail(err, CF_EUSAGE, "--figure %s: contactfit plot --help lists the figures",
                          name);
}

static int write_figure(const struct cf_arguments *args, const char *path, const json_t *fit,
                        const struct cf_figure *figure, const char *format, struct cf_error *err)
{
    char *bytes = NULL, suffix[64];
    size_t len = 0;

    snprintf(suffix, sizeof suffix, "-%s.%s", figure->name, format);
    char *target = cf_output_path(path, cf_argument(args, "output"), suffix);
    if (!target)
        return cf_fail(err, CF_ENOMEM, "%s: out of memory", path);
    int status = cf_figure_render(figure, fit, format, &bytes, &len, err);
    struct cf_output *out = status ? NULL : cf_output_open(target, err);
    if (!status && !out)
        status = CF_EIO;
    if (!status) {
        /* a write that fails is found by the commit */
        fwrite(bytes, 1, len, cf_output_stream(out));
        status = cf_output_commit(out, err);
    }
    if (!status && !cf_flag(args, "quiet"))
        fprintf(stderr, "wrote %s\n", target);
    free(bytes);
    free(target);
    return status;
}

static int plot_fit(const struct cf_arguments *args, const char *path, const struct cf_figure *only,
                    const bool wanted[NFORMAT], struct cf_error *err)
{
    json_t *fit;
    int status = cf_fitfile_read(path, &fit, err);

    if (status)
        return status;
    if (only && !only->applies(fit))
        status = cf_fail(err, CF_EINPUT, "%s: nothing in it for the figure %s (%s)", path,
                         only->name, only->what);
    for (const struct cf_figure *const *f = cf_figures; *f; f++)
        for (size_t i = 0; i < NFORMAT && status == CF_OK; i++)
            if (wanted[i] && (only ? *f == only : (*f)->applies(fit)))
                status = write_figure(args, path, fit, *f, formats[i], err);
    json_decref(fit);
    return status;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    const char *figure = cf_argument(args, "figure"), *list = cf_argument(args, "format");
    const struct cf_figure *only = NULL;
    bool wanted[NFORMAT] = {false};

    int status = parse_figure(figure ? figure : "all", &only, err);
    if (status == CF_OK)
        status = parse_formats(list ? list : "svg", wanted, err);
    for (size_t i = 0; i < args->noperand && status == CF_OK; i++)
        status = plot_fit(args, args->operand[i], only, wanted, err);
    return status;
}

const struct cf_command cf_command_plot = {
    .name = "plot",
    .synopsis = "FIT.json... [--figure NAME] [--format LIST] [-o DIR]",
    .what = "write the figures of fits as SVG, PDF or PNG",
    .help = "Writes FIT-FIGURE.FORMAT beside each fit file, or in DIR, and says so on standard\n"
            "error. gnuplot draws. With --figure all a figure that a fit has nothing for is left "
            "out.\n"
            "\n"
            "Figures:\n"
            "  restitution-log  e against log v: data, fitted law with band, rivals\n"
            "  restitution      e against v: the same on a linear axis\n"
            "  measurements     contact duration, compression, force, rebound against speed, a "
            "panel each\n"
            "  residuals        (measured - predicted) / sigma against speed, a panel a channel\n"
            "  profiles         rise of -2 ln L against each parameter, with the interval's "
            "threshold\n"
            "  starts           the sorted ends of all starts of the optimiser\n",
    .noption = sizeof options / sizeof options[0],
    .option = options,
    .min_operand = 1,
    .max_operand = SIZE_MAX,
    .run = run,
};
