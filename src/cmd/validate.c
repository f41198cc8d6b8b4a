/* contactfit validate: new data against a fit. */

#include <stdlib.h>
#include <string.h>

#include "cmd/closing.h"
#include "cmd/commands.h"
#include "cmd/fit_sources.h"
#include "cmd/message.h"
#include "cmd/output_path.h"
#include "cmd/write_fit.h"
#include "core/text.h"
#include "document/fit_file.h"
#include "document/json_value.h"
#include "document/model_read.h"
#include "document/validation_json.h"
#include "report/next_step.h"
#include "report/page_validate.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int validate(const struct cf_model *model, const struct cf_study *study, json_t **document,
                    struct cf_error *err)
{
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_validation *v = NULL;
    struct cf_error why = {""};
    char *command =
        cf_format("contactfit validate %s %s", base_name(model->path), base_name(study->path));
    int status = curves ? cf_validate(model, &study->spec, curves, &v, &why)
                        : cf_fail(&why, CF_ENOMEM, "no memory for the curves");

    if (status)
        cf_fail(err, status, "%s: %.900s", study->path, why.text);
    else if (!command)
        status = cf_fail(err, CF_ENOMEM, "no memory for the validation");
    else
        status = cf_validation_json(v, study, curves, command, document, err);
    free(command);
    cf_validation_free(v);
    cf_curves_free(curves);
    return status;
}

static int write_page(const struct cf_arguments *args, const struct cf_study *study,
                      const json_t *document, struct cf_error *err)
{
    char *path = cf_output_path(study->path, cf_argument(args, "output"), "-validate.html");
    int status = path ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a file name");

    if (!status)
        status = cf_write_page(args, path, document, cf_page_validate_write, err);
    if (!status && !cf_flag(args, "quiet"))
        cf_message("wrote %s", path);
    free(path);
    return status;
}

/* The verdict in one line, and the next step. */
static int put_closing(const struct cf_arguments *args, const struct cf_model *model,
                       const struct cf_study *study, const json_t *document, struct cf_error *err)
{
    bool agrees = json_is_true(json_object_get(json_object_get(document, "verdict"), "agrees"));
    const char *unused;

    int status =
        cf_closing_put(args->text, agrees ? CF_CLOSING_GOOD : CF_CLOSING_BAD,
                       agrees ? "the new data agree with the fit"
                              : "the new data disagree with the fit (exit status 3)",
                       cf_next_validation(document, study->path, model->path, &unused), err);
    return status;
}

static struct cf_model *read_model(const struct cf_arguments *args, struct cf_error *err)
{
    const char *path = args->operand[0];
    struct cf_model *model = NULL;
    json_t *fit = NULL;

    if (!cf_fit_file_read(path, &fit, err) &&
        !cf_protect_fit_sources(args->outputs, path, fit, err))
        model = cf_model_of(path, fit, args->registry, err);
    json_decref(fit);
    if (model)
        model->of_new_group = true; /* new data are of a new specimen */
    return model;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    static const char *const written[] = {"-validate.html", NULL};
    bool quiet = cf_flag(args, "quiet");
    struct cf_model *model = read_model(args, err);
    struct cf_study *study =
        model ? cf_study_read_data(args->operand[1], args->registry, err) : NULL;
    json_t *document = NULL;
    int status = study ? CF_OK : CF_EINPUT;

    if (!status) {
        cf_print_notes(study, quiet);
        status = cf_write_try(args, study, written, err);
    }
    if (!status)
        status = validate(model, study, &document, err);
    if (!status)
        status = write_page(args, study, document, err);
    if (!status && cf_flag(args, "json"))
        status = cf_json_write(document, stdout, err);
    else if (!status) {
        status = cf_summary_validate_write(document, args->text, err);
        if (!status)
            status = put_closing(args, model, study, document, err);
    }
    if (!status && !json_is_true(json_object_get(json_object_get(document, "verdict"), "agrees")))
        status = cf_untrusted(err);
    json_decref(document);
    cf_study_free(study);
    cf_model_free(model);
    return status;
}

static const struct cf_option option[] = {
    {"output", 'o', "DIR", "folder for NAME-validate.html (default: beside the study)"},
    {"json", 0, NULL, "print the result as JSON to stdout instead of the summary"},
    CF_OPTION_FORCE,
};

const struct cf_command cf_command_validate = {
    .name = "validate",
    .synopsis = "FIT.json STUDY.yaml [-o DIR] [--json]",
    .what = "new data against a fit: coverage, bias, trends",
    .help =
        "The study names bodies and data as for contactfit fit; law, fit, fixed, rivals, hold-out\n"
        "and options may be missing and are not read: nothing is fitted. Every row is predicted\n"
        "with its predictive interval, from the parameters' covariance and the row's sigma (where\n"
        "the study says sigma: estimate, the fit's). Bodies of another mass or radius are allowed\n"
        "where contactfit predict allows them.\n"
        "\n"
        "Exit status 3 means that the new data disagree with the fit.\n",
    .option = option,
    .noption = sizeof option / sizeof option[0],
    .min_operand = 2,
    .max_operand = 2,
    .run = run,
};
