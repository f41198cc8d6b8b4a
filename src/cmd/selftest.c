/* contactfit selftest: are known parameters found again on this very design? */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/closing.h"
#include "cmd/commands.h"
#include "cmd/message.h"
#include "cmd/parts.h"
#include "cmd/point.h"
#include "cmd/progress.h"
#include "core/decimal.h"
#include "core/text.h"
#include "core/wrap.h"
#include "document/json_dump.h"
#include "document/json_value.h"
#include "document/selftest_json.h"
#include "identify/false_words.h"
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

/* The counts, and what follows from them. */
struct counted {
    struct cf_selftest t;
    struct cf_false_word word[CF_NFALSE];
    double level; /* of the intervals */
    bool cover;   /* as they promise */
    size_t fine;  /* intervals of parameters called so */
    bool holds;
};

static void judge(struct counted *c, const struct cf_fit_options *options)
{
    const struct cf_selftest *t = &c->t;

    c->level = options->level;
    c->cover = true;
    cf_false_words(t, options->p_reject, c->word);
    for (size_t i = 0; i < t->nfree; i++) {
        c->fine += t->parameter[i].worth[CF_WORTH_FINE];
        c->cover = c->cover && cf_recovery_holds(&t->parameter[i], c->level, NULL, NULL);
    }
    c->holds = c->cover && c->fine > 0;
    for (int i = 0; i < CF_NFALSE; i++)
        c->holds = c->holds && c->word[i].holds;
    if (!t->same_law)
        c->holds = (double) (t->verdict[CF_VERDICT_GOOD] + t->verdict[CF_VERDICT_WEAK]) <=
                   most_passing * (double) t->replicates;
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

/* Each with the count that its band allows, and by which rules. */
static void print_false_words(FILE *out, const struct counted *c)
{
    fprintf(out, "  false:       " CF_WRAP_HANG);
    for (int i = 0; i < CF_NFALSE; i++)
        fprintf(out, "%s%s %zu (up to %zu may be)", i ? ", " : "", cf_false_text[i],
                c->word[i].count, c->word[i].most);
    fputc('\n', out);
    for (int i = 0; i < CF_NFALSE; i++)
        if (c->word[i].rule < CF_NRULE)
            fprintf(out, "  %-12s " CF_WRAP_HANG "most often by the rule \"%s\": %zu\n",
                    cf_false_name[i], cf_rules[c->word[i].rule].name, c->word[i].told);
    if (c->t.why)
        fprintf(out, "  %-12s " CF_WRAP_HANG "the first: %s\n", cf_false_name[CF_FALSE_ERROR],
                c->t.why);
}

static void print_verdicts(FILE *out, const struct counted *c)
{
    const struct cf_selftest *t = &c->t;

    fprintf(out, "  verdicts:    ");
    for (int i = 0; i < CF_NVERDICT; i++)
        fprintf(out, "%s%s %zu", i ? ", " : "", cf_verdict_text((enum cf_verdict_status) i),
                t->verdict[i]);
    fputc('\n', out);
    if (t->same_law)
        print_false_words(out, c);
}

/* The first of the words that are told too often, in a sentence; NULL: none is, or no memory. */
static char *false_sentence(const struct counted *c)
{
    char by[80] = "";
    int i = 0;

    while (i < CF_NFALSE && c->word[i].holds)
        i++;
    if (i == CF_NFALSE)
        return NULL;
    const struct cf_false_word *w = &c->word[i];
    if (w->rule < CF_NRULE)
        snprintf(by, sizeof by, ", most often by the rule \"%s\"", cf_rules[w->rule].name);
    return cf_format("of studies of the true law %.1f %% are %s%s: at most %g %% are wanted",
                     percent(w->count, c->t.replicates), cf_false_text[i], by, 100 * w->share);
}

/* What was counted, in a sentence; the caller frees it. */
static char *judgement(const struct counted *c, const char *maker, const char *law)
{
    const struct cf_selftest *t = &c->t;
    char *wrong = false_sentence(c), *text;
    size_t covered = 0;

    for (size_t i = 0; i < t->nfree; i++)
        covered += t->parameter[i].covered;
    if (!t->same_law)
        text = cf_format(
            "if %s were the truth, this design would let %s pass as good or weak in %.1f %% of "
            "all studies: it %s",
            maker, law,
            percent(t->verdict[CF_VERDICT_GOOD] + t->verdict[CF_VERDICT_WEAK], t->replicates),
            c->holds ? "separates the two" : "cannot separate the two");
    else if (!c->cover)
        text = cf_format(
            "on this design the intervals do not hold what they promise: %.1f %% of those "
            "called fine cover the truth, %g %% is promised%s%s",
            percent(covered, c->fine), 100 * c->level, wrong ? "; and " : "", wrong ? wrong : "");
    else if (wrong)
        text = cf_format("on this design the verdict is not to be believed: %s", wrong);
    else if (c->fine == 0)
        text = cf_format("on this design no parameter is ever identified well enough to be called "
                         "fine: there is nothing to count");
    else
        text = cf_format("on this design the intervals hold: %.1f %% of those called fine cover "
                         "the truth, %g %% is promised",
                         percent(covered, c->fine), 100 * c->level);
    free(wrong);
    return text;
}

static int print_judgement(const struct cf_arguments *args, const struct counted *c,
                           const char *maker, const struct cf_study *study, struct cf_error *err)
{
    char *text = judgement(c, maker, study->spec.law->name);
    int status =
        cf_closing_put(args->text, c->holds ? CF_CLOSING_GOOD : CF_CLOSING_BAD, text,
                       cf_closing_command(c->holds ? "fit" : "design", args->operand[0], ""), err);

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

static json_t *json_false_words(const struct counted *c)
{
    json_t *all = json_object();

    for (int i = 0; i < CF_NFALSE; i++) {
        const struct cf_false_word *w = &c->word[i];
        json_t *rule = w->rule < CF_NRULE ? json_string(cf_rules[w->rule].name) : json_null();
        cf_json_put(&all, cf_false_name[i],
                    json_pack("{sI sI sf so sI sb}", "count", (json_int_t) w->count, "most",
                              (json_int_t) w->most, "wanted", w->share, "rule", rule, "told",
                              (json_int_t) w->told, "holds", w->holds));
    }
    return all;
}

/* How often each rule was found that made a verdict. */
static json_t *json_told(const struct cf_selftest *t)
{
    json_t *all = json_object();

    for (int i = 0; i < CF_NRULE; i++)
        if (t->told[i] && cf_rules[i].word != CF_VERDICT_GOOD)
            cf_json_put(&all, cf_rules[i].name, json_integer((json_int_t) t->told[i]));
    return all;
}

static int print_json(const struct counted *c, const struct cf_point *point, const char *law,
                      uint64_t seed, struct cf_error *err)
{
    const struct cf_selftest *t = &c->t;
    json_t *verdicts = json_object(), *parameters = json_object(), *truth = json_object(), *all;

    for (int i = 0; i < CF_NVERDICT; i++)
        cf_json_put(&verdicts, cf_verdict_text((enum cf_verdict_status) i),
                    json_integer((json_int_t) t->verdict[i]));
    for (size_t i = 0; i < t->nfree; i++)
        cf_json_put(&parameters, t->parameter[i].name, json_recovery(&t->parameter[i], c->level));
    for (size_t i = 0; i < point->problem.nfree; i++)
        cf_json_put(&truth, point->problem.unknown[i].name,
                    cf_json_number(cf_unknown_value(&point->problem.unknown[i], point->theta[i])));
    all =
        json_pack("{sb ss ss so sb ss sI sI sf so sI so sI so sb}", "synthetic", 1, "made_by",
                  point->problem.law->name, "law", law, "truth", truth, "given", point->given,
                  "misfit", point->misfit, "seed", (json_int_t) seed, "replicates",
                  (json_int_t) t->replicates, "level", c->level, "verdicts", verdicts, "broken",
                  (json_int_t) t->broken, "broken_because", cf_json_shown(t->why), "false_success",
                  (json_int_t) t->false_success, "parameters", parameters, "holds", c->holds);
    cf_json_put(&all, "rules", json_told(t));
    if (t->same_law)
        cf_json_put(&all, "false_words", json_false_words(c));
    if (!all || cf_json_dump(all, stdout, JSON_INDENT(2))) {
        json_decref(all);
        return cf_fail(err, CF_EIO, "the self-test cannot be written as JSON");
    }
    json_decref(all);
    putchar('\n');
    return CF_OK;
}

static int print_text(const struct cf_arguments *args, const struct counted *c,
                      const struct cf_point *point, const struct cf_study *study,
                      const struct cf_selftest_plan *plan, struct cf_error *err)
{
    FILE *out = args->text;
    const struct cf_selftest *t = &c->t;
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
        print_parameter(out, &t->parameter[i], t->replicates, c->level);
    print_verdicts(out, c);
    return print_judgement(args, c, point->problem.law->name, study, err);
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
    struct counted c = {.fine = 0};
    size_t jobs;
    int status = cf_argument_jobs(args, &jobs, err);

    if (status)
        return status;
    thrifty(&study->spec.options);
    if (cf_flag(args, "power"))
        return cf_selftest_power(args, study, point, &plan, jobs, err);
    if (cf_flag(args, "tasks"))
        return make_record(args, study, &plan, jobs, err);
    status = see(args, study, &plan, jobs, &seen, err);
    if (!status)
        status = cf_selftest_count(&plan, &seen, &c.t, err);
    cf_replicates_clear(&seen);
    if (!status)
        judge(&c, &study->spec.options);
    if (!status && cf_flag(args, "json"))
        status = print_json(&c, point, study->spec.law->name, seed, err);
    else if (!status)
        status = print_text(args, &c, point, study, &plan, err);
    if (!status && !c.holds)
        status = cf_untrusted(err);
    cf_selftest_clear(&c.t);
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

/* --power makes all that it counts itself, and by the study's own law. */
static int check_power(const struct cf_arguments *args, struct cf_error *err)
{
    static const char *const other[] = {"law", "tasks"};

    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (cf_flag(args, other[i]))
            return cf_fail(err, CF_EUSAGE, "--power is sought %s: leave --%s out",
                           i ? "by one machine" : "with data of the study's own law", other[i]);
    if (args->noperand > 1)
        return cf_fail(err, CF_EUSAGE, "--power is sought on one design: %s is one operand more",
                       args->operand[1]);
    return CF_OK;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    if (cf_flag(args, "power") && check_power(args, err))
        return CF_EUSAGE;
    return cf_with_study(args, ask, err);
}

static const struct cf_option option[] = {
    {"replicates", 'n', "N", "synthetic studies (default: 200)"},
    {"parameter", 'p', "NAME=VALUE", "a true parameter; all or none (default: the study's fit)"},
    {"law", 0, "NAME", "the law that makes the data (default: the study's own)"},
    {"seed", 's', "N", "seed of the noise (default: the study's, 1)"},
    {"without-rivals", 0, NULL, "judge the fits without the study's rivals, which takes less time"},
    {"power", 0, NULL, "the least departures from the law that the design sees in 80 %"},
    CF_OPTION_JOBS,
    {"tasks", 0, "FROM:TO", "make these of the synthetic studies only, as a record to be merged"},
    {"json", 0, NULL, "print the counts as JSON"},
};

const struct cf_command cf_command_selftest = {
    .name = "selftest",
    .synopsis = "STUDY.yaml [RECORD...] [-n N] [-p NAME=VALUE]... [--law NAME] [--seed N] "
                "[--power] [--jobs N] [--tasks FROM:TO] [--json]",
    .what = "recover known parameters from synthetic data on a study's very design",
    .help =
        "Makes synthetic data on the study's rows and sigmas from its own fitted\n"
        "parameters, or from given ones, fits each set as the study's own would be, and counts:\n"
        "how often the intervals of parameters called fine cover the truth, which verdicts come\n"
        "and which of them are false, by which rule. An imposed quantity with a sigma is\n"
        "recorded with that error.\n"
        "\n"
        "With --tasks the work is spread: each machine makes some of the N studies, counted from\n"
        "0, as a record on standard output; the command with the same options and all records\n"
        "behind the study counts them, to the same digits.\n"
        "\n"
        "With --power departures are added to the data of the law, in each quantity: a polynomial\n"
        "along the axis which the law cannot follow, a drift in the order of the rows, one data\n"
        "set that is off, errors that follow each other; and the size is sought at which 80 % of\n"
        "N studies each are called misfit. That takes some five times as long for each of them.\n"
        "\n"
        "With --law another law makes the data: how often would the study's law pass unnoticed?\n"
        "\n"
        "Exit status 3 means that a coverage lies outside the binomial 99.9 % band of its count,\n"
        "that more studies of the true law than the same band allows are called misfit (2 %),\n"
        "failed (1 %), or good and wrong (0.1 %), that a fit ended by an error, that nothing\n"
        "could be counted, or with --law that the law passes as good or weak in more than 5 %.",
    .option = option,
    .noption = sizeof option / sizeof option[0],
    .min_operand = 1,
    .max_operand = SIZE_MAX,
    .run = run,
};
