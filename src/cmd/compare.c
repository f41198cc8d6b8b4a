/* contactfit compare: the tournament of all laws on the rows of a study that they all predict. */

#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "cmd/closing.h"
#include "cmd/commands.h"
#include "cmd/message.h"
#include "cmd/progress.h"
#include "cmd/write_fit.h"
#include "core/text.h"
#include "document/fit_file.h"
#include "document/fit_json.h"
#include "document/tournament_json.h"
#include "document/view.h"
#include "identify/fit.h"
#include "judge/tournament.h"
#include "report/summary_tournament.h"

/* JSON holds whole numbers exactly below this. */
static const unsigned long long largest_seed = (1ull << 53) - 1;

/* All but the study's own; room for every law. */
struct contenders {
    size_t n;
    const struct cf_law **law;
};

static int add_named(struct cf_study *study, const char *name, struct contenders *c,
                     bool *own_named, struct cf_error *err)
{
    const struct cf_law *law, *own = study->spec.law;
    char shown[CF_SHOWN];
    struct cf_error why = {""};
    bool twice = false;

    if (*name == '\0')
        return cf_fail(err, CF_EUSAGE, "--laws: a name is missing: give a list such as %s",
                       "hunt-crossley,e-log");
    if (cf_study_law_named(study, name, &law, &why))
        return cf_fail(err, CF_EUSAGE, "--laws: %.900s", why.text);
    for (size_t i = 0; i < c->n; i++)
        twice = twice || c->law[i] == law;
    if (twice || (law == own && *own_named))
        return cf_fail(err, CF_EUSAGE, "--laws: %s is named twice", cf_show(name, shown));
    *own_named = *own_named || law == own;
    if (law != own)
        c->law[c->n++] = law;
    return CF_OK;
}

/* Does a law predict what laws are compared in? */
static bool takes_part(const struct cf_law *law, const struct cf_study *study)
{
    const struct cf_protocol *protocol = study->spec.data[0].protocol;
    struct cf_error why;

    for (size_t i = 0; i < study->spec.ndata; i++)
        if (cf_law_suits(law, &study->spec.data[i], &why))
            return false;
    return cf_channel_predicted(&protocol->channel[protocol->headline], law->family);
}

/* A law of the table, with the friction of the study's own where that has one. */
static int add_law(struct cf_study *study, const struct cf_law *law, struct contenders *c,
                   struct cf_error *err)
{
    const struct cf_law *own = study->spec.law;
    struct cf_error why;
    int status = CF_OK;

    if (own->friction && cf_contact_law_check(law, own->friction, &why))
        return CF_OK; /* they do not go together */
    if (own->friction)
        status = cf_contact_law(&study->made, law, own->friction, &law, err);
    if (!status && law != own && takes_part(law, study))
        c->law[c->n++] = law;
    return status;
}

/* Friction alone, as the study's own law is: a normal law beside it would change no prediction. */
static int add_frictions(struct cf_study *study, struct contenders *c, struct cf_error *err)
{
    const char *name[CF_MOST_FRICTIONS];
    size_t n = cf_contact_friction_names(name);
    int status = CF_OK;

    for (size_t i = 0; i < n && !status; i++) {
        const struct cf_law *law;
        status = cf_contact_law(&study->made, NULL, cf_contact_friction_find(name[i]), &law, err);
        if (!status && law != study->spec.law && takes_part(law, study))
            c->law[c->n++] = law;
    }
    return status;
}

/* All laws that could stand in place of the study's own. */
static int add_all(struct cf_study *study, struct contenders *c, struct cf_error *err)
{
    const struct cf_law *own = study->spec.law;
    const struct cf_law *const *laws = cf_registry_laws(study->registry);
    int status = CF_OK;

    if (own->friction && !cf_law_normal(own))
        return add_frictions(study, c, err);
    for (size_t i = 0; laws[i] && !status; i++)
        status = add_law(study, laws[i], c, err);
    return status;
}

/* The laws named, or all laws; the study's own always takes part. */
static int choose(const char *list, struct cf_study *study, struct contenders *c,
                  struct cf_error *err)
{
    const struct cf_law *const *laws = cf_registry_laws(study->registry);
    char *copy, *name;
    bool own_named = false;
    size_t all = 0, room;
    int status = CF_OK;

    while (laws[all])
        all++;
    room = all + CF_MOST_FRICTIONS;
    for (const char *at = list; at && *at; at++)
        room += *at == ',';
    *c = (struct contenders){.law = calloc(room, sizeof *c->law)};
    if (!c->law)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu laws", room);
    if (!list)
        return add_all(study, c, err);
    copy = name = strdup(list);
    if (!copy)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    while (name && !status) {
        char *comma = strchr(name, ',');
        if (comma)
            *comma++ = '\0';
        status = add_named(study, name, c, &own_named, err);
        name = comma;
    }
    free(copy);
    return status;
}

/* The command as a reader may repeat it beside the study: no folders. NULL: no memory. */
static char *command_line(const struct cf_study *study, const char *laws)
{
    const char *slash = strrchr(study->path, '/');
    return cf_format("contactfit compare %s --seed %llu%s%s", slash ? slash + 1 : study->path,
                     (unsigned long long) study->spec.options.seed, laws ? " --laws " : "",
                     laws ? laws : "");
}

static int nothing_common(const struct cf_study *study, struct cf_error *err)
{
    const struct cf_protocol *protocol = study->spec.data[0].protocol;
    const char *name[CF_MAX_COLUMN];
    char list[300];
    size_t n = 0;

    for (size_t i = 0; i < protocol->nchannel; i++)
        if (cf_channel_common(protocol, i))
            name[n++] = protocol->channel[i].name;
    cf_join(list, sizeof list, name, n, " or ");
    return cf_fail(err, CF_EINPUT,
                   "%s: no %s is measured, and these are what all laws predict and are compared on",
                   study->path, list);
}

static int run_tournament(const struct cf_study *study, const struct contenders *c,
                          const struct cf_workers *workers, struct cf_fit **fit,
                          struct cf_tournament **tournament, struct cf_curves *curves,
                          struct cf_error *err)
{
    int status = cf_fit_run(&study->spec, c->n ? c->law : NULL, c->n, curves, workers, fit, err);

    if (!status && (*fit)->nrival == 0)
        return nothing_common(study, err);
    return status ? status : cf_tournament_run(*fit, workers, tournament, err);
}

static int compare(struct cf_study *study, const struct cf_arguments *args, json_t **document,
                   struct cf_error *err)
{
    const char *laws = cf_argument(args, "laws");
    struct contenders contenders;
    struct cf_progress progress;
    struct cf_curves *curves = NULL;
    struct cf_fit *fit = NULL;
    struct cf_tournament *tournament = NULL;
    size_t jobs;
    int status = choose(laws, study, &contenders, err);

    if (!status)
        status = cf_argument_jobs(args, &jobs, err);
    if (!status && !(curves = cf_curves_alloc()))
        status = cf_fail(err, CF_ENOMEM, "no memory for the curves");
    if (!status) {
        cf_progress_begin(&progress, cf_flag(args, "quiet"), jobs);
        status =
            run_tournament(study, &contenders, &progress.workers, &fit, &tournament, curves, err);
        cf_progress_end(&progress, false);
    }
    free(contenders.law);
    if (!status) {
        char *command = command_line(study, laws);
        *document = command ? cf_fit_json(study, fit, command) : NULL;
        free(command);
        cf_json_put(document, "tournament", cf_tournament_json(fit, tournament));
        if (!*document)
            status = cf_fail(err, CF_ENOMEM, "no memory for the fit file");
    }
    cf_tournament_free(tournament);
    cf_fit_free(fit);
    cf_curves_free(curves);
    return status;
}

/* What the tournament says, and the fit of its winner or, of the study's own law, what comes next.
 */
static int put_closing(const struct cf_arguments *args, const json_t *document,
                       struct cf_error *err)
{
    const char *path = args->operand[0];
    const json_t *tournament = json_object_get(document, "tournament");
    const char *best = cf_view_text(tournament, "best");
    char *law = NULL, *next;

    if (!*best)
        next = cf_closing_command("design", path, "");
    else if (strcmp(best, cf_view_text(document, "law")) == 0)
        next = cf_closing_command("fit", path, "");
    else {
        law = cf_format("--law %s", best);
        next = law ? cf_closing_command("fit", path, law) : NULL;
    }
    int status = cf_closing_put(args->text, *best ? CF_CLOSING_GOOD : CF_CLOSING_BAD,
                                cf_view_text(tournament, "summary"), next, err);
    free(law);
    return status;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    static const char *const written[] = {"-compare.json", "-compare.html", NULL};
    struct cf_study *study = cf_study_read(args->operand[0], args->registry, err);
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
        status = cf_write_try(args, study, written, err);
    if (!status)
        status = compare(study, args, &document, err);
    if (!status)
        status = cf_write_fit(args, study, "-compare", document, err);
    if (!status && cf_flag(args, "json"))
        status = cf_fit_file_write(document, stdout, err);
    else if (!status) {
        cf_summary_tournament_write(document, args->text);
        status = put_closing(args, document, err);
    }
    if (!status && json_is_null(json_object_get(json_object_get(document, "tournament"), "best")))
        status = cf_untrusted(err);
    json_decref(document);
    cf_study_free(study);
    return status;
}

static const struct cf_option option[] = {
    {"output", 'o', "DIR", "folder for NAME-compare.json and .html (default: beside the study)"},
    {"laws", 0, "LIST", "contenders besides the study's own law, by comma (default: all laws)"},
    {"seed", 's', "N", "seed of the starts and of the permutation tests (default: the study's, 1)"},
    CF_OPTION_JOBS,
    {"json", 0, NULL, "print the fit file to stdout instead of the table"},
    CF_OPTION_FORCE,
};

const struct cf_command cf_command_compare = {
    .name = "compare",
    .synopsis = "STUDY.yaml [-o DIR] [--laws LIST] [--seed N] [--jobs N] [--json]",
    .what = "the tournament: every law on the same rows, ranked and tested",
    .help =
        "Fits the study's law as contactfit fit does, and every other law to the rows that all\n"
        "of them predict; friction alone is compared with every other friction. Each law's\n"
        "residuals are tested; AICc ranks; held-out rows are predicted; laws that draw the same\n"
        "curve through the data are counted once. Writes NAME-compare.json (a fit file) and\n"
        "NAME-compare.html.\n"
        "\n"
        "Exit status 3 means that no law describes the data: the ranking is one of wrong laws.\n",
    .option = option,
    .noption = sizeof option / sizeof option[0],
    .min_operand = 1,
    .max_operand = 1,
    .run = run,
};
