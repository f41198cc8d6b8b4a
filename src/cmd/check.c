/* contactfit check: is a study sound, and what will its data be able to identify? */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/closing.h"
#include "cmd/commands.h"
#include "cmd/message.h"
#include "core/decimal.h"
#include "core/text.h"
#include "core/wrap.h"
#include "document/json_dump.h"
#include "document/json_value.h"
#include "estimate/clusters.h"
#include "judge/identifiability.h"
#include "judge/odd_rows.h"
#include "judge/plausibility.h"
#include "study/study.h"

/* What a pair has: a slide has no mass that matters, a record without bodies nothing. */
static void print_pair(FILE *out, const struct cf_dataset *d)
{
    bool mass = isfinite(d->pair.mass_kg), radius = isfinite(d->pair.radius_m);
    bool modulus = d->pair.modulus_Pa > 0;

    if (!mass && !radius && !modulus)
        return;
    fputs("    ", out);
    if (mass)
        fprintf(out, "effective mass %.6g kg%s", d->pair.mass_kg, radius || modulus ? ", " : "");
    if (radius)
        fprintf(out, "effective radius %.6g m%s", d->pair.radius_m, modulus ? ", " : "");
    if (modulus)
        fprintf(out, "E* %.6g Pa: k from Hertz %.6g N/m^1.5", d->pair.modulus_Pa,
                cf_hertz_stiffness(d->pair.modulus_Pa, d->pair.radius_m));
    fputc('\n', out);
}

static void print_column(FILE *out, const struct cf_dataset *d, size_t column)
{
    const struct cf_channel_row *c = &d->protocol->channel[column];
    const char *unit = strcmp(c->unit, "1") == 0 ? "" : c->unit;
    double low = INFINITY, high = -INFINITY, least = INFINITY, most = 0;
    size_t n = 0;

    for (size_t row = 0; row < d->nrow; row++)
        if (cf_dataset_has(d, row, column)) {
            n++;
            low = fmin(low, cf_dataset_value(d, row, column));
            high = fmax(high, cf_dataset_value(d, row, column));
            least = fmin(least, cf_dataset_sigma(d, row, column));
            most = fmax(most, cf_dataset_sigma(d, row, column));
        }
    if (n == 0)
        return;
    fprintf(out, "    %-15s " CF_WRAP_HANG "%4zu values, %g to %g%s%s", c->name, n, low, high,
            *unit ? " " : "", unit);
    if (d->series[column].kind == CF_SIGMA_ESTIMATE && d->series[column].floored)
        fprintf(out, ", sigma to be estimated, beside a floor of %g to %g", least, most);
    else if (d->series[column].kind == CF_SIGMA_ESTIMATE)
        fprintf(out, ", sigma to be estimated");
    else if (most > 0 && least < most)
        fprintf(out, ", sigma %g to %g", least, most);
    else if (most > 0)
        fprintf(out, ", sigma %g", most);
    fputc('\n', out);
}

/* Which rows share an error. */
static void print_groups(FILE *out, const struct cf_spec *spec)
{
    static const char *const who[] = {[CF_GROUPS_STATED] = "as the study states",
                                      [CF_GROUPS_BY_RECORD] = "as what was recorded together",
                                      [CF_GROUPS_BY_PLACE] =
                                          "repeats at few places; group: none takes them as "
                                          "independent"};

    for (size_t i = 0; i < spec->grouping.nlevel; i++) {
        const struct cf_group_level *level = &spec->grouping.level[i];
        fprintf(out, "  rows of one %s share an error: %zu group%s (%s)\n", level->name, level->n,
                level->n == 1 ? "" : "s", who[spec->grouping.origin]);
    }
}

/* What may be wrong with the numbers of a study. */
struct looked {
    struct cf_plausibility plausibility;
    struct cf_odd_rows odd;
};

static int look(const struct cf_study *study, struct looked *at, struct cf_error *err)
{
    int status;

    *at = (struct looked){0};
    status = cf_plausibility(&study->spec, NULL, &at->plausibility, err);
    return status ? status : cf_odd_rows(&study->spec, &at->odd, err);
}

static void looked_clear(struct looked *at)
{
    cf_plausibility_clear(&at->plausibility);
    cf_odd_rows_clear(&at->odd);
}

/* The first number that is not possible; NULL: all are, or the study says so. */
static const struct cf_plausible *impossible(const struct looked *at)
{
    for (size_t i = 0; i < at->plausibility.n; i++)
        if (!at->plausibility.item[i].possible && !at->plausibility.item[i].stated)
            return &at->plausibility.item[i];
    return NULL;
}

static void print_odd(FILE *out, const struct cf_odd_rows *odd)
{
    for (size_t i = 0; i < odd->n; i++)
        fprintf(out, "  LOOK FIRST: " CF_WRAP_HANG "%s\n", odd->item[i].text);
}

/* The number of every rule of the plausible. */
static void print_plausible(FILE *out, const struct cf_plausibility *found)
{
    if (found->n)
        fprintf(out, "  numbers, and what is plausible:\n");
    for (size_t i = 0; i < found->n; i++) {
        const struct cf_plausible *p = &found->item[i];
        char range[CF_SHOWN], what[2 * CF_SHOWN], shown[CF_SHOWN], number[CF_DECIMAL];
        bool bare = strcmp(p->rule->unit, "1") == 0;
        cf_plausible_range(p->rule, range, sizeof range);
        snprintf(what, sizeof what, "%s of %s", p->rule->name, cf_show(p->of, shown));
        fprintf(out, "    %s: %s%s%s" CF_WRAP_FIRST " (%s)%s%s%s%s\n", what,
                cf_decimal_short(p->number, 3, number), bare ? "" : " ", bare ? "" : p->rule->unit,
                range,
                p->inside   ? ""
                : p->stated ? ": unusual, as stated"
                            : ": NO",
                p->slip ? ": is " : "", p->slip ? p->slip : "", p->slip ? "?" : "");
    }
}

static void print_data(FILE *out, const struct cf_study *study)
{
    for (size_t i = 0; i < study->spec.ndata; i++) {
        const struct cf_dataset *d = &study->spec.data[i];
        size_t held = 0, excluded = 0;
        for (size_t row = 0; row < d->nrow; row++) {
            held += d->use[row] == CF_ROW_HELD_OUT;
            excluded += d->use[row] == CF_ROW_EXCLUDED;
        }
        fprintf(out, "  data \"%s\": %s, %zu rows, %zu held out, %zu excluded\n", d->name,
                d->protocol->name, d->nrow, held, excluded);
        print_pair(out, d);
        for (size_t j = 0; j < d->protocol->nchannel; j++)
            print_column(out, d, j);
    }
}

/* "yes, to about 4 %", half of the interval; of a nuisance near 0 in its unit. */
static void print_foreseen_interval(FILE *out, const struct cf_unknown *w,
                                    const struct cf_foreseen *at)
{
    const struct cf_interval *i = &at->interval;
    const char *unit = strcmp(w->unit, "1") == 0 ? "" : w->unit;
    double half = (i->high - i->low) / 2;

    if (i->known && (i->open_low || i->open_high))
        fprintf(out, "weak, it would end at its %s bound %.3g%s%s\n",
                i->open_low ? "lower" : "upper", at->value, *unit ? " " : "", unit);
    else if (!i->known)
        fprintf(out, "yes\n");
    else if (w->scale == CF_SCALE_LOG && at->weak)
        fprintf(out, "weak, to about a factor of %.2g\n", sqrt(i->high / i->low));
    else if (w->scale == CF_SCALE_LOG || w->kind == CF_UNKNOWN_LAW)
        fprintf(out, "%s, to about %.2g %%\n", at->weak ? "weak" : "yes",
                100 * half / fabs(at->value));
    else
        fprintf(out, "%s, to about %.2g%s%s\n", at->weak ? "weak" : "yes", half, *unit ? " " : "",
                unit);
}

static void print_identified(FILE *out, const struct cf_problem *q,
                             const struct cf_identifiability *f)
{
    for (size_t i = 0; i < f->nfree; i++) {
        const char *name = q->unknown[i].name;
        if (q->unknown[i].of_segment && cf_rank_identifies(&f->rank, i))
            continue; /* asked for by nobody */
        fprintf(out, "    %-12s " CF_WRAP_HANG, name);
        if (f->rank.dead[i])
            fprintf(out, "no: it has no influence on anything that was measured\n");
        else if (f->rank.flat[i])
            fprintf(out, "not by itself\n");
        else
            print_foreseen_interval(out, &q->unknown[i], &f->foreseen[i]);
    }
}

static void print_identifiability(FILE *out, const struct cf_problem *q,
                                  const struct cf_identifiability *f)
{
    char help[800];

    fprintf(out, "  what these data can identify of %s, before any fit:\n", q->law->name);
    print_identified(out, q, f);
    if (cf_is_clustered(q))
        fprintf(out, "    rows of one run share errors, so that a fit is less sure than this\n");
    for (size_t i = 0; i < f->ncombination; i++)
        fprintf(out, "    they identify %s only\n", f->combination[i].name);
    for (size_t i = 0; i < q->law->nparam; i++) {
        const char *flat = cf_law_flat(q->spec->data, q->spec->ndata, q->law->param[i].name);
        if (flat)
            fprintf(out, "    %s\n", flat);
    }
    cf_identifiability_advice(q, f, help, sizeof help);
    if (*help)
        fprintf(out, "    to identify %s, add %s\n", f->rank.nnull ? "them separately" : "it",
                help);
}

/* What the protocols say at the likely point, of each data set. */
static int print_foreseen(FILE *out, const struct cf_problem *q, const struct cf_identifiability *f,
                          struct cf_error *err)
{
    double p[CF_MAX_PARAM];
    char text[800];
    int status = CF_OK;

    for (size_t i = 0; i < q->spec->ndata && !status; i++) {
        const struct cf_dataset *d = &q->spec->data[i];
        if (!d->protocol->foresee)
            continue;
        status = cf_problem_params(q, i, f->theta, p, NULL, err);
        if (status)
            break;
        status = d->protocol->foresee(d, q->law, p, text, sizeof text, err);
        if (*text)
            fprintf(out, "    %s\n", text);
    }
    return status;
}

/* What is to be corrected before a fit. */
static int put_impossible(FILE *out, const struct cf_plausible *p, struct cf_error *err)
{
    char *what = cf_format("the %s of %s is not possible (exit status 3)", p->rule->name, p->of);
    char *line = cf_impossible_text(p);
    char *edit = line ? cf_format("%s%s If it is right, state unusual: [%s]", line,
                                  p->slip ? "" : ".", p->rule->name)
                      : NULL;
    int status = what && edit ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for what to correct");

    if (!status)
        cf_closing_put_edit(out, what, edit);
    free(what);
    free(line);
    free(edit);
    return status;
}

/* Whether the fit is worth its time, or what must be measured first. */
static int put_closing(FILE *out, const char *path, const struct cf_problem *q,
                       const struct cf_identifiability *f, const struct looked *at,
                       struct cf_error *err)
{
    if (impossible(at))
        return put_impossible(out, impossible(at), err);
    bool all = f->rank.rank >= f->rank.n, weak = false;
    for (size_t i = 0; i < f->nfree; i++)
        weak = weak || (f->foreseen[i].weak && q->unknown[i].kind == CF_UNKNOWN_LAW);
    char *text =
        all ? cf_format("these data can identify %s%s", q->law->name,
                        weak ? ", in part weakly" : "")
            : cf_format("these data cannot identify all of %s (exit status 3)", q->law->name);

    if (at->odd.n && text) {
        char *both = cf_format("look at the odd row%s named above first; then %s",
                               at->odd.n == 1 ? "" : "s", text);
        free(text);
        text = both;
    }
    int status = cf_closing_put(out,
                                !all        ? CF_CLOSING_BAD
                                : at->odd.n ? CF_CLOSING_DOUBT
                                            : CF_CLOSING_GOOD,
                                text, cf_closing_command(all ? "fit" : "design", path, ""), err);
    free(text);
    return status;
}

static json_t *foreseen_json(const struct cf_foreseen *at)
{
    const struct cf_interval *i = &at->interval;

    return json_pack("{s:o,s:o,s:o,s:b}", "value", cf_json_number(at->value), "low",
                     i->open_low ? json_null() : cf_json_number(i->low), "high",
                     i->open_high ? json_null() : cf_json_number(i->high), "weak", at->weak);
}

/* Lines to look at before any fit. */
static json_t *lines_json(const struct looked *at)
{
    json_t *list = json_array();

    for (size_t i = 0; i < at->plausibility.n; i++) {
        const struct cf_plausible *p = &at->plausibility.item[i];
        char *text;
        if (p->possible || p->stated)
            continue;
        text = cf_impossible_text(p);
        cf_json_add(&list, text ? json_string(text) : NULL);
        free(text);
    }
    for (size_t i = 0; i < at->odd.n; i++)
        cf_json_add(&list, json_string(at->odd.item[i].text));
    return list;
}

static int print_json(const struct cf_problem *q, const struct cf_identifiability *f,
                      const struct looked *at)
{
    json_t *parameters = json_object(), *groups = json_array(), *helpful = json_array(), *j;
    json_t *foreseen = json_object();
    const struct cf_protocol *protocol = q->spec->data[0].protocol;

    for (size_t i = 0; i < f->nfree; i++)
        cf_json_put(&parameters, q->unknown[i].name,
                    json_string(cf_rank_identifies(&f->rank, i) ? "identified"
                                : f->rank.dead[i]               ? "dead"
                                                                : "flat"));
    for (size_t i = 0; i < f->nfree; i++)
        if (f->foreseen[i].interval.known)
            cf_json_put(&foreseen, q->unknown[i].name, foreseen_json(&f->foreseen[i]));
    for (size_t i = 0; i < f->ncombination; i++)
        cf_json_add(&groups, json_string(f->combination[i].name));
    for (size_t i = 0; i < protocol->nchannel; i++)
        if (f->helpful[i])
            cf_json_add(&helpful, json_string(protocol->channel[i].name));
    j = json_pack("{s:o,s:s,s:o,s:o,s:o,s:o,s:b}", "look_at", lines_json(at), "law", q->law->name,
                  "parameters", parameters, "foreseen", foreseen, "combinations", groups, "helpful",
                  helpful, "hertz_helps", f->hertz_helps);
    int failed = !j || cf_json_dump(j, stdout, JSON_INDENT(2)) || putchar('\n') == EOF;
    json_decref(j);
    return failed ? CF_EIO : CF_OK;
}

static int identifiability(const struct cf_arguments *args, const struct cf_study *study, bool json,
                           const struct looked *at, struct cf_error *err)
{
    FILE *out = args->text;
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_problem q = {0};
    struct cf_identifiability f = {0};
    int status = curves ? cf_problem_init(&q, &study->spec, study->spec.law, curves, CF_ROW_FIT,
                                          CF_SCOPE_ALL, err)
                        : cf_fail(err, CF_ENOMEM, "no memory for the curves");

    if (!status)
        status = cf_identifiability_before_fit(&q, &f, err);
    if (!status && json)
        status = print_json(&q, &f, at);
    else if (!status)
        print_identifiability(out, &q, &f);
    if (!status && !json)
        status = print_foreseen(out, &q, &f, err);
    if (!status && !json)
        status = put_closing(out, args->operand[0], &q, &f, at, err);
    if (!status && (f.rank.rank < f.rank.n || impossible(at)))
        status = cf_untrusted(err);
    cf_identifiability_clear(&f);
    cf_problem_free(&q);
    cf_curves_free(curves);
    return status;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    struct cf_study *study = cf_study_read(args->operand[0], args->registry, err);
    bool json = cf_flag(args, "json");
    struct looked at;
    int status;

    if (!study)
        return CF_EINPUT;
    status = look(study, &at, err);
    if (!json && !status) {
        FILE *out = args->text;
        fprintf(out, "%s: %s\n", study->path, study->title);
        print_odd(out, &at.odd);
        fprintf(out, "  law %s: %s\n", study->spec.law->name, study->spec.law->formula);
        print_data(out, study);
        print_groups(out, &study->spec);
        print_plausible(out, &at.plausibility);
    }
    for (size_t i = 0; i < study->nnote && !cf_flag(args, "quiet"); i++)
        cf_message("note: %s", study->note[i]);
    if (!status)
        status = identifiability(args, study, json, &at, err);
    looked_clear(&at);
    cf_study_free(study);
    return status;
}

static const struct cf_option option[] = {
    {"json", 0, NULL, "print what the data can identify as JSON"},
};

const struct cf_command cf_command_check = {
    .name = "check",
    .synopsis = "STUDY.yaml [--json]",
    .what = "read a study and say what its data can and cannot identify, before any fit",
    .help =
        "Reads the study and its data, with every check of units and plausibility, and looks at\n"
        "the sensitivities at a likely point of the bounds: which parameters the data can "
        "identify,\n"
        "how well, which only in a combination, and which added measurement would separate them.\n"
        "To about 4 % is half of the interval that a fit will have; weak is what it will call "
        "weak.\n"
        "\n"
        "Exit status 3 means that a parameter that the study asks for cannot be identified from "
        "these data, or that "
        "a number is not possible, whose line is named.",
    .option = option,
    .noption = sizeof option / sizeof option[0],
    .min_operand = 1,
    .max_operand = 1,
    .run = run,
};
