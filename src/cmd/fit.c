/* contactfit fit: fit a study, write its fit file and its page, say what it is worth. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/message.h"
#include "cmd/parts.h"
#include "cmd/progress.h"
#include "cmd/write_fit.h"
#include "core/text.h"
#include "document/fit_file.h"
#include "document/fit_json.h"
#include "document/view.h"
#include "estimate/global.h"
#include "export/survey.h"
#include "identify/fit.h"
#include "report/summary.h"
#include "study/study.h"

/* JSON holds whole numbers exactly below this. */
static const unsigned long long largest_seed = (1ull << 53) - 1;

/* Steps of each walker where --posterior names none: some 10^4 independent draws of two parameters.
 */
static const unsigned long long default_steps = 2000;

/* The command as a reader may repeat it beside the study: no folders. NULL: no memory. */
static char *command_line(const struct cf_study *study, const struct cf_arguments *args)
{
    const struct cf_fit_options *o = &study->spec.options;
    const char *loss = cf_argument(args, "loss"), *global = cf_argument(args, "global");
    const char *law = cf_argument(args, "law");
    const char *slash = strrchr(study->path, '/');
    const char *steps = cf_argument(args, "substeps");
    char bootstrap[40] = "", posterior[40] = "", time[40] = "";

    if (o->bootstrap)
        snprintf(bootstrap, sizeof bootstrap, " --bootstrap %zu", o->bootstrap);
    if (o->posterior)
        snprintf(posterior, sizeof posterior, " --posterior=%zu", o->posterior);
    if (cf_argument(args, "time"))
        snprintf(time, sizeof time, " --time %.15gs", o->time_s);
    return cf_format("contactfit fit %s%s%s%s --seed %llu%s%s%s%s%s%s%s%s%s",
                     slash ? slash + 1 : study->path, law ? " --law " : "", law ? law : "",
                     cf_argument(args, "choose-by") ? " --choose-by hold-out" : "",
                     (unsigned long long) o->seed, bootstrap, posterior, loss ? " --loss " : "",
                     loss ? loss : "", global ? " --global " : "", global ? global : "",
                     steps ? " --substeps " : "", steps ? steps : "", time);
}

/* --loss and --global replace what the study says. */
static int read_methods(const struct cf_arguments *args, struct cf_fit_options *o,
                        struct cf_error *err)
{
    const char *loss = cf_argument(args, "loss"), *global = cf_argument(args, "global");
    enum cf_loss_kind before = o->loss;
    int status = loss ? cf_loss_find(loss, &o->loss, err) : CF_OK;

    if (o->loss != before)
        o->loss_scale = (double) NAN; /* that of the study's loss */
    if (status == CF_OK && global)
        status = cf_global_find(global, &o->global, err);
    return status ? CF_EUSAGE : CF_OK;
}

/* --substeps replaces what the study says of recorded motions. */
static int read_steps(const struct cf_arguments *args, const struct cf_spec *spec,
                      struct cf_error *err)
{
    unsigned long long steps;
    double most = 0;
    int status;

    if (!cf_argument(args, "substeps"))
        return CF_OK;
    for (size_t i = 0; i < spec->ndata; i++) {
        const struct cf_protocol *protocol = spec->data[i].protocol;
        if (protocol->steps)
            most = fmax(most, protocol->apparatus[protocol->steps].upper);
    }
    if (!(most > 0))
        return cf_fail(err, CF_EUSAGE,
                       "--substeps: no data set of this study has steps from row to row, as those "
                       "of a ramp have");
    status = cf_argument_count(args, "substeps", 1, (unsigned long long) most, 1, &steps, err);
    for (size_t i = 0; i < spec->ndata && !status; i++) {
        struct cf_dataset *d = &spec->data[i];
        if (!d->protocol->steps)
            continue;
        d->apparatus[d->protocol->steps] = (double) steps;
        d->steps_stated = true;
    }
    return status;
}

/* What simulators will show is written to the file, too, for the page. */
static int survey(json_t **document, struct cf_curves *curves, struct cf_error *err)
{
    json_t *simulators;
    int status = cf_export_survey(*document, curves, &simulators, err);
    if (status || !simulators)
        return status;
    cf_json_put(document, "simulators", simulators);
    if (!*document)
        status = cf_fail(err, CF_ENOMEM, "no memory for the fit file");
    return status;
}

static int run_fit(const struct cf_study *study, const struct cf_arguments *args,
                   const struct cf_workers *workers, json_t **document, struct cf_error *err)
{
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_fit *fit = NULL;
    char *command = command_line(study, args);
    int status =
        curves ? cf_fit_run(&study->spec, study->rival, study->nrival, curves, workers, &fit, err)
               : cf_fail(err, CF_ENOMEM, "no memory for the curves");

    if (!status) {
        *document = command ? cf_fit_json(study, fit, command) : NULL;
        if (!*document)
            status = cf_fail(err, CF_ENOMEM, "no memory for the fit file");
    }
    if (!status)
        status = survey(document, curves, err);
    free(command);
    cf_fit_free(fit);
    cf_curves_free(curves);
    return status;
}

/* Options of the command line that replace the study's. */
static int read_options(const struct cf_arguments *args, struct cf_fit_options *o,
                        struct cf_error *err)
{
    unsigned long long seed = o->seed, bootstrap = o->bootstrap, posterior = o->posterior;
    const char *steps = cf_argument(args, "posterior");
    int status = cf_argument_count(args, "seed", 0, largest_seed, seed, &seed, err);

    if (!status)
        status = cf_argument_count(args, "bootstrap", CF_LEAST_BOOTSTRAP, CF_MOST_BOOTSTRAP,
                                   bootstrap, &bootstrap, err);
    if (!status && steps && !*steps)
        posterior = posterior ? posterior : default_steps;
    else if (!status)
        status = cf_argument_count(args, "posterior", CF_LEAST_POSTERIOR, CF_MOST_POSTERIOR,
                                   posterior, &posterior, err);
    o->seed = seed;
    o->bootstrap = (size_t) bootstrap;
    o->posterior = (size_t) posterior;
    return status ? status : cf_argument_quantity(args, "time", "s", o->time_s, &o->time_s, err);
}

/* The study, with the law of --law if there is one. */
static int read_study(const struct cf_arguments *args, struct cf_study **study,
                      struct cf_error *err)
{
    const char *law = cf_argument(args, "law");
    struct cf_contact_laws unused = {0};
    const struct cf_law *found;
    struct cf_error why = {""};

    /* a friction law alone is known once the study is */
    if (law && !cf_contact_friction_find(law) &&
        cf_registry_contact_law(args->registry, &unused, NULL, law, &found, &why)) {
        cf_contact_laws_clear(&unused);
        return cf_fail(err, CF_EUSAGE, "--law: %s", why.text);
    }
    cf_contact_laws_clear(&unused);
    *study = cf_study_read_with(args->operand[0], law, args->registry, err);
    return *study ? CF_OK : CF_EINPUT;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    static const char *const written[] = {".json", ".html", NULL};
    struct cf_study *study = NULL;
    bool quiet = cf_flag(args, "quiet");
    struct cf_progress progress = {.early = false};
    json_t *document = NULL;
    size_t jobs;
    int status = read_study(args, &study, err);

    if (status)
        return status;
    cf_print_notes(study, quiet);
    status = read_options(args, &study->spec.options, err);
    if (!status)
        status = read_methods(args, &study->spec.options, err);
    if (!status)
        status = cf_argument_jobs(args, &jobs, err);
    if (!status)
        status = cf_write_try(args, study, written, err);
    if (!status) {
        cf_progress_begin(&progress, quiet, jobs);
        cf_progress_end_early(&progress);
        if (cf_argument(args, "choose-by"))
            status = cf_choose_law(args, &study, &progress.workers, quiet, err);
        if (!status)
            status = read_steps(args, &study->spec, err);
        if (!status)
            status = run_fit(study, args, &progress.workers, &document, err);
        cf_progress_end(&progress, status != CF_OK);
    }
    if (!status)
        status = cf_write_fit(args, study, "", document, err);
    if (!status && cf_flag(args, "json"))
        status = cf_fit_file_write(document, stdout, err);
    else if (!status) {
        cf_summary_write(document, args->text);
        status = cf_write_closing(args, study, "", document, err);
    }
    if (!status && !cf_view_usable(document))
        status = cf_untrusted(err);
    cf_progress_leave(&progress);
    json_decref(document);
    cf_study_free(study);
    return status;
}

static const struct cf_option option[] = {
    {"output", 'o', "DIR", "folder for NAME.json and NAME.html (default: beside the study)"},
    {"law", 0, "NAME", "the law to fit, with all its parameters (default: the study's)"},
    {"choose-by", 0, "hold-out", "choose among the law and its rivals by the held-out rows alone"},
    {"seed", 's', "N", "seed of the starts and of the permutation tests (default: the study's, 1)"},
    {"bootstrap", 0, "N", "intervals by N bootstrap replicates, of rows and parametric"},
    {"posterior", 0, "[=N]", "intervals by sampling the posterior, N steps (default: 2000)"},
    CF_OPTION_JOBS,
    {"loss", 0, "NAME", "squares, huber or student-t (default: the study's, squares)"},
    {"global", 0, "NAME", "search by crs2, direct, mlsl, isres or esch, too (default: none)"},
    {"substeps", 0, "N", "steps from row to row of recorded motions (default: as many as needed)"},
    {"time", 0, "T", "end after this time with what was found (default: the study's, none)"},
    {"json", 0, NULL, "print the fit file to stdout instead of the summary"},
    CF_OPTION_FORCE,
};

const struct cf_command cf_command_fit = {
    .name = "fit",
    .synopsis = "STUDY.yaml [-o DIR] [--law NAME] [--choose-by hold-out] [--seed N] [--loss NAME] "
                "[--global NAME] [--substeps N] [--bootstrap N] [--posterior[=N]] [--time T] "
                "[--jobs N] [--json]",
    .what = "fit a study: verdict, parameters with intervals, rivals, a page",
    .help =
        "Fits the study's law to its data, judges the result, compares the rivals, predicts the\n"
        "held-out rows, and writes NAME.json (the fit file) and NAME.html (the page). A file that\n"
        "is there already is replaced only by a whole new one.\n"
        "\n"
        "--bootstrap and --posterior add intervals made in other ways, side by side with those by\n"
        "the likelihood; where a bootstrap fails too often or the sampler does not converge, only\n"
        "the reason is given.\n"
        "\n"
        "Intervals of a law that was chosen because it fits these data best are too narrow: they "
        "do\n"
        "not know of the choice. --choose-by hold-out chooses by the held-out rows alone, and "
        "fits\n"
        "the law that is chosen to the others.\n"
        "\n"
        "Exit status 3 means that there is a result and that it is not to be trusted as it "
        "stands:\n"
        "the law misfits, the data leave a parameter undetermined, or the optimum could not be\n"
        "confirmed. The first line of the summary says which, the last what to do next.",
    .option = option,
    .noption = sizeof option / sizeof option[0],
    .min_operand = 1,
    .max_operand = 1,
    .run = run,
};
