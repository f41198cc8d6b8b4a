/* contactfit fit: fit a study, write its fit file and its page, say what it is worth. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/write_fit.h"
#include "fit/fit.h"
#include "report/summary.h"
#include "study/fit_json.h"
#include "study/fitfile.h"
#include "study/study.h"

/* JSON holds whole numbers exactly below this. */
static const unsigned long long largest_seed = (1ull << 53) - 1;

/* The command as a reader may repeat it beside the study: no folders. */
static void command_line(const struct cf_study *study, char text[], size_t size)
{
    const char *slash = strrchr(study->path, '/');
    snprintf(text, size, "contactfit fit %s --seed %llu", slash ? slash + 1 : study->path,
             (unsigned long long) study->spec.options.seed);
}

static int run_fit(const struct cf_study *study, json_t **document, struct cf_error *err)
{
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_fit *fit = NULL;
    char command[600];
    int status =
        curves ? cf_fit_run(&study->spec, study->rival, study->nrival, curves, NULL, &fit, err)
               : cf_fail(err, CF_ENOMEM, "no memory for the curves");

    command_line(study, command, sizeof command);
    if (!status) {
        *document = cf_fit_json(study, fit, command);
        if (!*document)
            status = cf_fail(err, CF_ENOMEM, "no memory for the fit file");
    }
    cf_fit_free(fit);
    cf_curves_free(curves);
    return status;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    struct cf_study *study = cf_study_read(args->operand[0], err);
    bool quiet = cf_flag(args, "quiet");
    unsigned long long seed;
    json_t *document = NULL;
    int status;

    if (!study)
        return CF_EINPUT;
    cf_print_notes(study, quiet);
    status = cf_argument_count(args, "seed", 0, largest_seed, study->spec.options.seed, &seed, err);
    study->spec.options.seed = seed;
    if (!status)
        status = run_fit(study, &document, err);
    if (!status)
        status = cf_write_fit(study, cf_argument(args, "output"), "", document, quiet, err);
    if (!status && cf_flag(args, "json"))
        status = cf_fitfile_write(document, stdout, err);
    else if (!status && !quiet)
        cf_summary_write(document, stdout);
    if (!status && !json_is_true(json_object_get(json_object_get(document, "verdict"), "trusted")))
        status = CF_EUNTRUSTED;
    json_decref(document);
    cf_study_free(study);
    return status;
}

static const struct cf_option option[] = {
    {"output", 'o', "DIR", "folder for NAME.json and NAME.html (default: beside the study)"},
    {"seed", 's', "N", "seed of the starts and of the permutation tests (default: the study's, 1)"},
    {"json", 0, NULL, "print the fit file to stdout instead of the summary"},
};

const struct cf_command cf_command_fit = {
    .name = "fit",
    .synopsis = "STUDY.yaml [-o DIR] [--seed N] [--json]",
    .what = "fit a study: verdict, parameters with intervals, rivals, a page",
    .help =
        "Fits the study's law to its data, judges the result, compares the rivals, predicts the\n"
        "held-out rows, and writes NAME.json (the fit file) and NAME.html (the page). A file that\n"
        "is there already is replaced only by a whole new one.\n"
        "\n"
        "Exit status 3 means that there is a result and that it is not to be trusted as it "
        "stands:\n"
        "the law misfits, the data leave a parameter undetermined, or the optimum could not be\n"
        "confirmed. The first line of the summary says which, and what to do.",
    .option = option,
    .noption = sizeof option / sizeof option[0],
    .min_operand = 1,
    .max_operand = 1,
    .run = run,
};
