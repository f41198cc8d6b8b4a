/* contactfit selftest: are known parameters found again on this very design? */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cmd/closing.h"
#include "cmd/commands.h"
#include "cmd/message.h"
#include "cmd/point.h"
#include "cmd/progress.h"
#include "core/decimal.h"
#include "core/text.h"
#include "core/wrap.h"
#include "document/json_dump.h"
#include "document/json_value.h"
#include "document/selftest_json.h"
#include "identify/selftest.h"
#include "study/study.h"

enum { DEFAULT_REPLICATES = 200, MOST_REPLICATES = 1000000 };

/* JSON holds whole numbers exactly below this. */
static const unsigned long long largest_seed = (1ull << 53) - 1;

/* If fits of another law's data are called good or weak more often than this, the design does not
 * separate the laws. */
static const double most_passing = 0.05;

static double percent(size_t count, size_t n)
{
    return n ? 100 * (double) count / (double) n : 0;
}

static bool holds(const struct cf_selftest *t, double level)
{
    size_t counted = 0;

    if (!t->same_law)
        return (double) (t->verdict[CF_VERDICT_GOOD] + t->verdict[CF_VERDICT_WEAK]) <=
               most_passing * (double) t->replicates;
    for (size_t i = 0; i < t->nfree; i++) {
        counted += t->parameter[i].worth[CF_WORTH_FINE];
        if (!cf_recovery_holds(&t->parameter[i], level, NULL, NULL))
            return false;
    }
    return counted > 0 &&
           (double) t->false_success <= cf_false_success_most * (double) t->replicates;
}

static void print_parameter(FILE *out, const struct cf_recovery *r, size_t replicates, double level)
{
    bool pure = strcmp(r->unit, "1") == 0;
    size_t n = r->worth[CF_WORTH_FINE];
    char both[2 * CF_DECIMAL];
    double low, high;

    fprintf(out, "  %-12s " CF_WRAP_HANG "fine in %zu of %zu", r->name, n, replicates);
    if (r->known && n) {
        cf_binomial_interval(r->covered, n, level, &low, &high);
        fprintf(
            out,
            "; covered by %.1f %% of the profile intervals (%.1f to %.1f), by %.1f %% of Wald's",
            percent(r->covered, n), 100 * low, 100 * high, percent(r->wald_covered, n));
    }
    fputc('\n', out);
    if (r->known && r->identified > 1)
        fprintf(out,
                "  %-12s " CF_WRAP_HANG
                "bias %s standard errors; missed %zu times below, %zu above\n",
                "", cf_decimal_plus_minus(r->bias, r->bias_error, both, sizeof both), r->below,
                r->above);
    if (r->identified)
        fprintf(out, "  %-12s typical interval %.4g to %.4g%s%s\n", "", r->low, r->high,
                pure ? "" : " ", pure ? "" : r->unit);
}

static void print_verdicts(FILE *out, const struct cf_selftest *t)
{
    fprintf(out, "  verdicts:    ");
    for (int i = 0; i < CF_NVERDICT; i++)
        fprintf(out, "%s%s %zu", i ? ", " : "", cf_verdict_text((enum cf_verdict_status) i),
                t->verdict[i]);
    fputc('\n', out);
    if (t->same_law)
        fprintf(out,
                "  false:       %zu of %zu are called good with the truth outside of a 99.99 %% "
                "region\n",
                t->false_success, t->replicates);
}

/* What was counted, in a sentence; the caller frees it. */
static char *judgement(const struct cf_selftest *t, const char *maker, const char *law,
                       double level)
{
    size_t fine = 0, covered = 0;

    for (size_t i = 0; i < t->nfree; i++) {
        fine += t->parameter[i].worth[CF_WORTH_FINE];
        covered += t->parameter[i].covered;
    }
    if (!t->same_law)
        return cf_format(
            "if %s were the truth, this design would let %s pass as good or weak in %.1f %% of "
            "all studies: it %s",
            maker, law,
            percent(t->verdict[CF_VERDICT_GOOD] + t->verdict[CF_VERDICT_WEAK], t->replicates),
            holds(t, level) ? "separates the two" : "cannot separate the two");
    if (fine == 0)
        return cf_format("on this design no parameter is ever identified well enough to be called "
                         "fine: there is nothing to count");
    if (holds(t, level))
        return cf_format("on this design the intervals hold: %.1f %% of those called fine cover "
                         "the truth, %g %% is promised",
                         percent(covered, fine), 100 * level);
    return cf_format("on this design the intervals do not hold what they promise: %.1f %% of those "
                     "called fine cover the truth, %g %% is promised%s",
                     percent(covered, fine), 100 * level,
                     t->false_success ? ", and wrong fits are called good" : "");
}

static int print_judgement(const struct cf_arguments *args, const struct cf_selftest *t,
                           const char *maker, const struct cf_study *study, struct cf_error *err)
{
    FILE *out = args->text;
    double level = study->spec.options.level;
    char *text = judgement(t, maker, study->spec.law->name, level);
    bool good = holds(t, level);

    if (t->same_law && t->verdict[CF_VERDICT_MISFIT])
        fprintf(out, "The true law would be called a misfit in %.1f %% of all studies.\n",
                percent(t->verdict[CF_VERDICT_MISFIT], t->replicates));
    int status =
        cf_closing_put(out, good ? CF_CLOSING_GOOD : CF_CLOSING_BAD, text,
                       cf_closing_command(good ? "fit" : "design", args->operand[0], ""), err);
    free(text);
    return status;
}

static json_t *json_recovery(const struct cf_recovery *r, double level)
{
    json_t *worth = json_object(), *band = json_null();
    size_t low, high, n = r->worth[CF_WORTH_FINE];

    for (int i = 0; i < CF_NWORTH; i++)
        cf_json_put(&worth, cf_worth_text((enum cf_worth) i),
                    json_integer((json_int_t) r->worth[i]));
    if (r->known && n) {
        cf_binomial_band(n, level, cf_coverage_band, &low, &high);
        band = json_pack("[II]", (json_int_t) low, (json_int_t) high);
    }
    return json_pack("{so ss so sI sI sI sI so so so so so sb}", "truth", cf_json_number(r->truth),
                     "unit", r->unit, "verdicts", worth, "covered", (json_int_t) r->covered,
                     "wald_covered", (json_int_t) r->wald_covered, "below", (json_int_t) r->below,
                     "above", (json_int_t) r->above, "band", band, "bias", cf_json_number(r->bias),
                     "bias_error", cf_json_number(r->bias_error), "typical_low",
                     cf_json_number(r->low), "typical_high", cf_json_number(r->high), "holds",
                     cf_recovery_holds(r, level, NULL, NULL));
}

static int print_json(const struct cf_selftest *t, const struct cf_point *point, const char *law,
                      uint64_t seed, double level, struct cf_error *err)
{
    json_t *verdicts = json_object(), *parameters = json_object(), *truth = json_object(), *all;

    for (int i = 0; i < CF_NVERDICT; i++)
        cf_json_put(&verdicts, cf_verdict_text((enum cf_verdict_status) i),
                    json_integer((json_int_t) t->verdict[i]));
    for (size_t i = 0; i < t->nfree; i++)
        cf_json_put(&parameters, t->parameter[i].name, json_recovery(&t->parameter[i], level));
    for (size_t i = 0; i < point->problem.nfree; i++)
        cf_json_put(&truth, point->problem.unknown[i].name,
                    cf_json_number(cf_unknown_value(&point->problem.unknown[i], point->theta[i])));
    all = json_pack("{sb ss ss so sb ss sI sI sf so sI sI so sb}", "synthetic", 1, "made_by",
                    point->problem.law->name, "law", law, "truth", truth, "given", point->given,
                    "misfit", point->misfit, "seed", (json_int_t) seed, "replicates",
                    (json_int_t) t->replicates, "level", level, "verdicts", verdicts, "broken",
                    (json_int_t) t->broken, "false_success", (json_int_t) t->false_success,
                    "parameters", parameters, "holds", holds(t, level));
    if (!all || cf_json_dump(all, stdout, JSON_INDENT(2))) {
        json_decref(all);
        return cf_fail(err, CF_EIO, "the self-test cannot be written as JSON");
    }
    json_decref(all);
    putchar('\n');
    return CF_OK;
}

static int print_text(const struct cf_arguments *args, const struct cf_selftest *t,
                      const struct cf_point *point, const struct cf_study *study,
                      const struct cf_selftest_plan *plan, struct cf_error *err)
{
    FILE *out = args->text;
    double level = study->spec.options.level;
    char text[400];

    cf_point_text(point, text, sizeof text);
    fprintf(out, "self-test of %s: %zu synthetic studies on its design, seed %llu\n", study->name,
            t->replicates, (unsigned long long) plan->seed);
    fprintf(out, "  made by:     " CF_WRAP_HANG "%s, %s (%s)\n", point->problem.law->name, text,
            point->given ? "as given" : "as fitted to the study's data");
    fprintf(out, "  fitted with: %s\n", study->spec.law->name);
    fprintf(out, "  beside:      " CF_WRAP_HANG);
    for (size_t i = 0; i < plan->nrival; i++)
        fprintf(out, "%s%s", i ? ", " : "", plan->rival[i]->name);
    fprintf(out, "%s\n", plan->nrival ? "" : "no rivals");
    if (*point->misfit)
        fprintf(out, "  misfit:      " CF_WRAP_HANG "%s\n", point->misfit);
    for (size_t i = 0; i < t->nfree; i++)
        print_parameter(out, &t->parameter[i], t->replicates, level);
    print_verdicts(out, t);
    return print_judgement(args, t, point->problem.law->name, study, err);
}

/* Fits as the study's own, at a tenth of the cost: the parameters are few, the basin is known to
 * be there, and no picture is made. */
static void thrifty(struct cf_fit_options *options)
{
    if (options->screen > 256)
        options->screen = 256;
    if (options->starts > 6)
        options->starts = 6;
    options->rough_tests = true;
}

static int make(const struct cf_arguments *args, const struct cf_selftest_plan *plan, size_t jobs,
                struct cf_replicates *seen, struct cf_error *err)
{
    struct cf_progress progress;
    int status;

    cf_progress_begin(&progress, cf_flag(args, "quiet"), jobs);
    status = cf_selftest_run(plan, &progress.workers, seen, err);
    cf_progress_end(&progress, false);
    return status;
}

/* The replicates: made here, or read from the records that the operands behind the study name. */
static int see(const struct cf_arguments *args, const struct cf_study *study,
               const struct cf_selftest_plan *plan, size_t jobs, struct cf_replicates *seen,
               struct cf_error *err)
{
    const struct cf_selftest_source source = {study->name, study->sha256, 0};

    return args->noperand > 1
               ? cf_selftest_merge(&source, plan, args->noperand - 1, args->operand + 1, seen, err)
               : make(args, plan, jobs, seen, err);
}

/* --tasks FROM:TO of the replicates, as a record on standard output. */
static int make_record(const struct cf_arguments *args, const struct cf_study *study,
                       const struct cf_selftest_plan *whole, size_t jobs, struct cf_error *err)
{
    const struct cf_selftest_source source = {study->name, study->sha256, 0};
    struct cf_selftest_plan plan = *whole;
    struct cf_replicates seen = {0};
    json_t *record = NULL;
    size_t to;
    int status =
        cf_selftest_tasks(cf_argument(args, "tasks"), whole->replicates, &plan.first, &to, err);

    if (status)
        return status;
    if (args->noperand > 1)
        return cf_fail(err, CF_EUSAGE, "--tasks makes a record: records are counted without it");
    plan.replicates = to - plan.first;
    status = make(args, &plan, jobs, &seen, err);
    if (!status && !(record = cf_selftest_json(&source, whole, &seen)))
        status = cf_fail(err, CF_ENOMEM, "no memory for a record");
    if (!status)
        status = cf_json_write(record, stdout, err);
    json_decref(record);
    cf_replicates_clear(&seen);
    return status;
}

static int count(const struct cf_arguments *args, struct cf_study *study,
                 const struct cf_point *point, size_t replicates, uint64_t seed,
                 struct cf_error *err)
{
    struct cf_selftest_plan plan = {
        .truth = &point->problem,
        .theta = point->theta,
        .sigma = point->sigma,
        .fitted = &study->spec,
        .rival = study->rival,
        .nrival = cf_flag(args, "without-rivals") ? 0 : study->nrival,
        .replicates = replicates,
        .seed = seed,
    };
    struct cf_replicates seen = {0};
    struct cf_selftest t = {0};
    size_t jobs;
    int status = cf_argument_jobs(args, &jobs, err);

    if (status)
        return status;
    thrifty(&study->spec.options);
    if (cf_flag(args, "tasks"))
        return make_record(args, study, &plan, jobs, err);
    status = see(args, study, &plan, jobs, &seen, err);
    if (!status)
        status = cf_selftest_count(&plan, &seen, &t, err);
    cf_replicates_clear(&seen);
    if (!status && cf_flag(args, "json"))
        status = print_json(&t, point, study->spec.law->name, seed, study->spec.options.level, err);
    else if (!status)
        status = print_text(args, &t, point, study, &plan, err);
    if (!status && !holds(&t, study->spec.options.level))
        status = cf_untrusted(err);
    cf_selftest_clear(&t);
    return status;
}

static int ask(const struct cf_arguments *args, struct cf_study *study, struct cf_error *err)
{
    const char *name = cf_argument(args, "law");
    const struct cf_law *law = study->spec.law;
    struct cf_curves *curves = NULL;
    struct cf_point point = {.given = false};
    unsigned long long replicates, seed;
    int status = cf_argument_count(args, "replicates", 1, MOST_REPLICATES, DEFAULT_REPLICATES,
                                   &replicates, err);

    if (!status)
        status =
            cf_argument_count(args, "seed", 0, largest_seed, study->spec.options.seed, &seed, err);
    if (!status && name && cf_study_law_named(study, name, &law, err))
        status = CF_EUSAGE;
    if (!status && !(curves = cf_curves_alloc()))
        status = cf_fail(err, CF_ENOMEM, "no memory for the curves");
    if (!status)
        status = cf_point_find(args, &study->spec, law, curves, &point, err);
    if (!status)
        status = count(args, study, &point, replicates, seed, err);
    cf_point_clear(&point);
    cf_curves_free(curves);
    return status;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    return cf_with_study(args, ask, err);
}

static const struct cf_option option[] = {
    {"replicates", 'n', "N", "synthetic studies (default: 200)"},
    {"parameter", 'p', "NAME=VALUE", "a true parameter; all or none (default: the study's fit)"},
    {"law", 0, "NAME", "the law that makes the data (default: the study's own)"},
    {"seed", 's', "N", "seed of the noise (default: the study's, 1)"},
    {"without-rivals", 0, NULL, "judge the fits without the study's rivals, which takes less time"},
    CF_OPTION_JOBS,
    {"tasks", 0, "FROM:TO", "make these of the synthetic studies only, as a record to be merged"},
    {"json", 0, NULL, "print the counts as JSON"},
};

const struct cf_command cf_command_selftest = {
    .name = "selftest",
    .synopsis = "STUDY.yaml [RECORD...] [-n N] [-p NAME=VALUE]... [--law NAME] [--seed N] "
                "[--jobs N] [--tasks FROM:TO] [--json]",
    .what = "recover known parameters from synthetic data on a study's very design",
    .help =
        "Makes synthetic data on the study's rows and sigmas from its own fitted\n"
        "parameters, or from given ones, fits each set as the study's own would be, and counts:\n"
        "how often the intervals of parameters called fine cover the truth, which verdicts come,\n"
        "and how often a fit that is called good is wrong. An imposed quantity with a sigma is\n"
        "recorded with that error.\n"
        "\n"
        "With --tasks the work is spread: each machine makes some of the N studies, counted from\n"
        "0, as a record on standard output; the command with the same options and all records\n"
        "behind the study counts them, to the same digits.\n"
        "\n"
        "With --law another law makes the data: how often would the study's law pass unnoticed?\n"
        "\n"
        "Exit status 3 means that a coverage lies outside the binomial 99.9 % band of its count,\n"
        "that more than 1 % of the fits are called good and are wrong, that nothing could be\n"
        "counted, or with --law that the law passes as good or weak in more than 5 %.",
    .option = option,
    .noption = sizeof option / sizeof option[0],
    .min_operand = 1,
    .max_operand = SIZE_MAX,
    .run = run,
};
