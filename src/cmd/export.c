/* contactfit export: fits as the parameters of a simulator, and what they are worth there. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/export_list.h"
#include "cmd/export_options.h"
#include "cmd/export_say.h"
#include "cmd/fit_sources.h"
#include "cmd/message.h"
#include "core/file.h"
#include "document/fit_file.h"
#include "document/json_dump.h"
#include "document/json_value.h"
#include "export/answer.h"
#include "export/friction.h"
#include "export/verify.h"

static const struct cf_option options[] = {
    {"to", 0, "TARGET", "the simulator or the kind of table; --list shows all"},
    {"list", 0, NULL, "print the targets, or with --to all about one, and end"},
    {"speed", 0, "Q", "design speed (default: the middle of the fitted speeds)"},
    {"dt", 0, "Q", "time step of the target: predict e there, choose the damping for it"},
    {"plain", 0, NULL, "keep the fit's damping whatever the step"},
    {"keep", 0, "WHAT", "of the contact: depth (default), duration, force, or e at this step"},
    {"bound", 0, "E", "error of e that is still good (default: 0.02)"},
    {"slowest", 0, "Q", "hold e from this speed (default: the slowest that was fitted)"},
    {"fastest", 0, "Q", "hold e up to this speed (default: the fastest that was fitted)"},
    {"gravity", 0, "Q", "with --dt: hold e under gravity along the approach"},
    {"engine-settings", 0, NULL,
     "with --dt: write what sets the engine's ways around a contact (bullet, physx)"},
    {"allow-missing", 0, "A,B", "of liggghts: bodies A and B, of which no fit is, may overlap"},
    {"approximate", 0, "LAW", "accept LAW where the target cannot express the fit's"},
    {"mass", 0, "Q", "effective mass: another than the fit's has the law's e, and no interval"},
    {"radius", 0, "Q", "effective radius: another than the fit's scales k, as predict does"},
    {"smooth", 0, "[=monotone]", "smoothed measurements of e in place of the law (c-header, ...)"},
    {"parameter", 'p', "NAME=Q", "mu_S, mu_C, v_S, sigma_2, kv or kappa, by hand"},
    {"friction", 0, "FILE", "a fit of slides, whose friction the fits of impacts get"},
    {"verify", 0, NULL, "run the target at three speeds and print what it shows"},
    {"points", 0, "N",
     "N points touch at once and share the spring (ode, bullet, gazebo, urdf, physx)"},
    {"drops", 0, "N", "with --verify: at N speeds, 3 to 64"},
    {"seen", 0, "FILE", "--verify, and write what it shows as a data table"},
    {"untrusted", 0, NULL, "export a fit that is not to be trusted, marked"},
    CF_OPTION_FORCE,
    {"output", 'o', "FILE", "write to FILE and not to standard output"},
    {"json", 0, NULL, "print what is predicted and seen as JSON; the text goes to -o only"},
};

/* All that one run of the command holds. */
struct job {
    struct cf_export_options ask;
    size_t n;
    struct cf_material *material;
    struct cf_material slides; /* --friction; its law NULL: not given */
    struct cf_mapping *mapping;
    const struct cf_mapping **list;
    struct cf_curves *curves;
    struct cf_outputs *outputs;
};

/* Why a fit is not exported, and what can be done. */
static int refuse(const char *path, const struct cf_target *target,
                  const struct cf_material *material, struct cf_error *err)
{
    char names[256] = "";
    size_t used = 0;

    if (material->by_curve && (target->only_e || target->spring))
        return cf_fail(
            err, CF_EINPUT,
            "%s: the verdict of the fit is %s; its e is adequate for what is needed from "
            "%.4g to %.4g m/s alone: --speed, --slowest and --fastest must lie there, "
            "and of a spring --keep step takes e alone; --untrusted exports it all the "
            "same, marked",
            path, material->verdict, material->curve->low, material->curve->high);

    if (material->partly_known && target->spring)
        used = (size_t) snprintf(names, sizeof names, "%s with --keep step", target->name);
    for (size_t i = 0; material->partly_known && cf_targets[i]; i++)
        if (cf_targets[i]->only_e && used < sizeof names)
            used += (size_t) snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                      cf_targets[i]->name);
    return cf_fail(err, CF_EINPUT,
                   "%s: the verdict of the fit is %s, and its numbers are not to be trusted: %s%s%s"
                   "--untrusted exports them all the same, marked",
                   path, material->verdict,
                   !*names ? ""
                   : material->by_curve
                       ? "what takes e alone, which is adequate for what is needed "
                         "where it was measured, can have it ("
                       : "what takes e alone, which is identified, can have it (",
                   names, *names ? "); " : "");
}

static int read_fit(const struct cf_arguments *args, const char *path, struct cf_material *material,
                    struct cf_error *err)
{
    struct cf_error why = {""};
    char sha256[65];
    json_t *fit;

    int status = cf_fit_file_read_hashed(path, sha256, &fit, err);
    if (status)
        return status;
    status = cf_protect_fit_sources(args->outputs, path, fit, err);
    if (!status && (status = cf_material_read(fit, path, sha256, material, &why)) != CF_OK)
        cf_fail(err, status, "%s: %.900s", path, why.text);
    json_decref(fit);
    return status;
}

static int check_trusted(const struct cf_arguments *args, const struct cf_export_options *ask,
                         const char *path, const struct cf_material *material, struct cf_error *err)
{
    return cf_flag(args, "untrusted") || cf_export_trusted(ask->target, &ask->question, material)
               ? CF_OK
               : refuse(path, ask->target, material, err);
}

/* What was asked for stands before what a fit knows of friction. */
static void override(struct cf_tangential *known, const struct cf_tangential *asked)
{
    double *to[] = {&known->mu_S,    &known->mu_C, &known->v_S,
                    &known->sigma_2, &known->kv,   &known->kappa};
    const double from[] = {asked->mu_S,    asked->mu_C, asked->v_S,
                           asked->sigma_2, asked->kv,   asked->kappa};

    for (size_t i = 0; i < sizeof to / sizeof *to; i++)
        if (!isnan(from[i]))
            *to[i] = from[i];
}

/* Values given as options, and the friction of slides, complete or replace those of the file. */
static int by_hand(const struct job *job, struct cf_material *material, struct cf_error *err)
{
    struct cf_error why = {""};
    int status = job->slides.law ? cf_friction_beside(&job->slides, material, err) : CF_OK;

    cf_export_on_foundation(job->ask.target, material);
    if (!isnan(job->ask.mass_kg))
        cf_material_at_mass(material, job->ask.mass_kg);
    if (!status && !isnan(job->ask.radius_m) &&
        cf_material_at_radius(material, job->ask.radius_m, &why))
        status = cf_fail(err, CF_EUSAGE, "--radius: %s: %.900s", material->name, why.text);
    if (!status && job->ask.question.smooth)
        status = cf_material_smooth(material, job->ask.question.monotone, err);
    if (!status)
        cf_friction_reduce(job->ask.target, material);
    override(&material->tangential, &job->ask.tangential);
    return status;
}

/* Of slides alone nothing drops, and nothing depends on a step. */
static int check_slide(const struct job *job, const struct cf_material *material,
                       struct cf_error *err)
{
    const struct cf_export_options *ask = &job->ask;
    const struct cf_tangential *t = &ask->tangential;
    const struct {
        const char *name;
        bool given;
    } option[] = {{"--verify", ask->verify},
                  {"--approximate", ask->approximate != NULL},
                  {"--speed", !isnan(ask->question.speed_m_s)},
                  {"--dt", !isnan(ask->question.dt_s)},
                  {"--points", ask->question.points > 1},
                  {"--bound", !isnan(ask->question.bound_e)},
                  {"--mass", !isnan(ask->mass_kg)},
                  {"--radius", !isnan(ask->radius_m)},
                  {"-p mu_S", !isnan(t->mu_S)},
                  {"-p mu_C", !isnan(t->mu_C)},
                  {"-p v_S", !isnan(t->v_S)},
                  {"-p sigma_2", !isnan(t->sigma_2)},
                  {"-p kv", !isnan(t->kv)},
                  {"-p kappa", !isnan(t->kappa)}};

    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (option[i].given && cf_material_is_friction(material))
            return cf_fail(err, CF_EUSAGE, "%s does not go with %s, a fit of friction alone, %s",
                           option[i].name, material->file, material->law->name);
    return CF_OK;
}

static bool same_pair(const struct cf_material *a, const struct cf_material *b)
{
    return !cf_material_is_friction(a) && !cf_material_is_friction(b) && cf_export_same_pair(a, b);
}

static bool both_fall(const struct cf_material *material)
{
    return isfinite(material->body[0].mass_kg) && isfinite(material->body[1].mass_kg);
}

/* Why it cannot be mapped; where no spring keeps e, also who serves. */
static int refuse_map(const struct job *job, const struct cf_material *material,
                      const struct cf_question *question, int status, const struct cf_error *why,
                      struct cf_error *err)
{
    char names[CF_SERVING] = "", advice[CF_ADVICE] = "";

    if (status == CF_EINPUT && question->keep == CF_KEEP_STEP) {
        cf_export_advise(job->ask.target, material, question, job->curves, advice, sizeof advice);
        cf_export_serving(job->ask.target, material, question, job->curves, names, sizeof names);
    }
    return cf_fail(err, status, "%s%s%s%s", why->text, advice,
                   *names ? "; as it is asked serve: " : "", names);
}

static int map_one(const struct cf_arguments *args, struct job *job, size_t i, struct cf_error *err)
{
    struct cf_material *material = &job->material[i];
    struct cf_question question = job->ask.question;

    int status = read_fit(args, args->operand[i], material, err);
    if (status)
        return status;
    job->n = i + 1;
    status = check_slide(job, material, err);
    if (!status)
        status = by_hand(job, material, err);
    if (!status)
        status = check_trusted(args, &job->ask, args->operand[i], material, err);
    if (status)
        return status;
    if (question.gravity_m_s2 > 0 && both_fall(material))
        return cf_fail(
            err, CF_EINPUT,
            "--gravity: %s and %s both fall, and nothing of it is between them: leave it "
            "out, or fit a pair of which one is fixed: true",
            material->body[0].name, material->body[1].name);
    for (size_t j = 0; j < i; j++)
        if (same_pair(&job->material[j], material))
            return cf_fail(err, CF_EINPUT, "%s and %s are fits of the same pair, %s with %s",
                           args->operand[j], args->operand[i], material->body[0].name,
                           material->body[1].name);
    if (isnan(question.speed_m_s))
        question.speed_m_s = cf_export_middle_speed(&question, material);
    job->list[i] = &job->mapping[i];
    if (cf_material_is_friction(material))
        return cf_friction_map(job->ask.target, material, &question, &job->mapping[i], err);
    struct cf_error why = {""};
    status = cf_export_map(job->ask.target, material, &question, job->ask.approximate, job->curves,
                           &job->mapping[i], &why);
    return status ? refuse_map(job, material, &question, status, &why, err) : CF_OK;
}

static int write_all(const struct job *job, FILE *out, struct cf_error *err)
{
    return cf_export_write(job->list, job->n, out, err);
}

static int write_file(const struct job *job, const char *path, struct cf_error *err)
{
    struct cf_output *out = cf_output_open(job->outputs, path, err);
    if (!out)
        return CF_EIO;
    int status = write_all(job, cf_output_stream(out), err);
    if (status) {
        cf_output_discard(out);
        return status;
    }
    return cf_output_commit(out, err);
}

static void say_unfitted(const struct job *job)
{
    char text[CF_WHY];

    cf_export_unfitted(job->mapping, job->n, text, sizeof text);
    if (text[0])
        cf_message("no fit is of %s: %s joins the values that stand here", text,
                   job->ask.target->name);
}

static int write_seen(const struct job *job, const struct cf_mapping *m,
                      const struct cf_verification *seen, const char *path, struct cf_error *err)
{
    struct cf_output *out = cf_output_open(job->outputs, path, err);
    if (!out)
        return CF_EIO;
    cf_verification_data(m, seen, cf_output_stream(out));
    return cf_output_commit(out, err);
}

/* One fit: its report and its predictions. answers NULL: as a table and not as JSON. */
static int verify(const struct job *job, size_t i, json_t **answers, bool *good,
                  struct cf_error *err)
{
    struct cf_verification seen;
    int status = CF_OK;

    if (job->ask.verify) {
        status = cf_export_verify(job->list[i], job->ask.drops, job->curves, &seen, err);
        *good = *good && !status && seen.good;
    }
    if (!status && job->ask.verify && !*answers)
        cf_verification_print(job->list[i], &seen, stdout);
    if (!status && job->ask.seen)
        status = write_seen(job, job->list[i], &seen, job->ask.seen, err);
    if (status || !*answers)
        return status;
    cf_json_add(answers, cf_export_answer(job->list[i], job->ask.verify ? &seen : NULL));
    return *answers ? CF_OK : cf_fail(err, CF_ENOMEM, "out of memory");
}

static int print_answers(json_t *answers, struct cf_error *err)
{
    json_t *all = json_pack("{s:s,s:O}", "contactfit", "export/1", "fits", answers);
    int failed = !all || cf_json_dump(all, stdout, JSON_INDENT(2)) || putchar('\n') == EOF;
    json_decref(all);
    return failed ? cf_fail(err, CF_EIO, "the answer cannot be written") : CF_OK;
}

/* The target's own text: to a file; else to standard output, if nothing else goes there. */
static int write_text(const struct cf_arguments *args, const struct job *job, struct cf_error *err)
{
    const char *path = cf_argument(args, "output");

    if (path)
        return write_file(job, path, err);
    return job->ask.verify || cf_flag(args, "json") ? CF_OK : write_all(job, stdout, err);
}

/* --friction; by hand the same would be said twice. */
static int read_slides(const struct cf_arguments *args, struct job *job, struct cf_error *err)
{
    const struct cf_tangential *t = &job->ask.tangential;

    if (!(isnan(t->mu_S) && isnan(t->mu_C) && isnan(t->v_S) && isnan(t->sigma_2)))
        return cf_fail(err, CF_EUSAGE,
                       "--friction and -p both say the friction: give mu_S, mu_C, v_S and sigma_2, "
                       "or the fit");
    int status = read_fit(args, job->ask.friction, &job->slides, err);
    return status ? status : check_trusted(args, &job->ask, job->ask.friction, &job->slides, err);
}

static int work(const struct cf_arguments *args, struct job *job, struct cf_error *err)
{
    json_t *answers = cf_flag(args, "json") ? json_array() : NULL;
    bool good = true;
    int status = CF_OK;

    if (cf_flag(args, "json") && !answers)
        status = cf_fail(err, CF_ENOMEM, "out of memory");
    else if (job->ask.seen && args->noperand > 1)
        status = cf_fail(err, CF_EUSAGE, "--seen: one table holds the drops of one fit");
    if (!status && job->ask.friction)
        status = read_slides(args, job, err);
    for (size_t i = 0; i < args->noperand && !status; i++)
        status = map_one(args, job, i, err);
    if (!status)
        status = cf_export_add_grains(job->material, job->mapping, job->list, &job->n,
                                      job->ask.approximate, job->curves, err);
    if (!status)
        status = cf_export_together(job->mapping, job->n, err);
    if (!status && !cf_flag(args, "quiet"))
        say_unfitted(job);
    if (!status)
        status = write_text(args, job, err);
    for (size_t i = 0; i < job->n && !status; i++) {
        if (!cf_flag(args, "quiet"))
            cf_export_say(&job->mapping[i], job->curves);
        good = good && job->mapping[i].prediction.good &&
               cf_export_trusted(job->ask.target, &job->ask.question, &job->material[i]);
        status = verify(job, i, &answers, &good, err);
    }
    if (!status && answers)
        status = print_answers(answers, err);
    json_decref(answers);
    if (!status)
        cf_export_say_closing(args, job->ask.target, job->ask.verify, good);
    return status || good ? status : cf_untrusted(err);
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    struct job job = {.outputs = args->outputs};

    if (cf_flag(args, "list"))
        return cf_export_list(args->text, cf_argument(args, "to"), err);
    if (args->noperand == 0)
        return cf_fail(err, CF_EUSAGE, "FIT.json is wanted: what contactfit fit wrote");
    int status = cf_export_options_read(args, &job.ask, err);
    if (status) {
        free(job.ask.question.missing);
        return status;
    }
    /* each fit, and two grains of it */
    job.material = calloc(2 * args->noperand, sizeof *job.material);
    job.mapping = calloc(2 * args->noperand, sizeof *job.mapping);
    job.list = calloc(2 * args->noperand, sizeof *job.list);
    job.curves = cf_curves_alloc();
    if (job.material && job.mapping && job.list && job.curves)
        status = work(args, &job, err);
    else
        status = cf_fail(err, CF_ENOMEM, "out of memory");
    for (size_t i = 0; job.material && i < 2 * args->noperand; i++)
        cf_material_free(&job.material[i]);
    for (size_t i = 0; job.mapping && i < 2 * args->noperand; i++)
        cf_mapping_clear(&job.mapping[i]);
    cf_material_free(&job.slides);
    free(job.material);
    free(job.mapping);
    free(job.list);
    free(job.ask.question.missing);
    cf_curves_free(job.curves);
    return status;
}

const struct cf_command cf_command_export = {
    .name = "export",
    .synopsis = "--to TARGET FIT.json...",
    .what = "write fits for a simulator, and prove them there",
    .help =
        "Writes the target's own text: parameters in its units, so that the pair gets what was\n"
        "fitted, and above them how exact that is, e at the design speed and over the fitted\n"
        "speeds, and with --dt the e that will be seen at that step and the largest step that\n"
        "keeps it. Several fits go into one text.\n"
        "\n"
        "--verify drops a sphere in the target at three speeds and prints what was seen beside\n"
        "the fit and the prediction; the export itself then goes to -o FILE only. Exit 3: e is\n"
        "off by more than the bound, or the fit is not to be trusted.\n",
    .noption = sizeof options / sizeof options[0],
    .option = options,
    .min_operand = 0,
    .max_operand = SIZE_MAX,
    .run = run,
};
