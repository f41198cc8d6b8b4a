/* contactfit design: which next measurement shrinks which interval, and by how much? */

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/point.h"
#include "cmd/speeds.h"
#include "core/text.h"
#include "core/units.h"
#include "fit/design.h"
#include "study/study.h"

enum { DEFAULT_ADDED = 3, MOST_ADDED = 100 };

/* Without --speed: log-spaced over the study's range, widened by this factor on both sides. */
enum { NSPEED = 13, MOST_SPEEDS = 200 };
static const double beyond = 2;

/* The best speed at which a quantity tells a parameter, where `added` of it are measured. */
struct offer {
    size_t candidate;
    struct cf_expected then;
};

struct answer {
    const struct cf_study *study;
    struct cf_point point;
    struct cf_design design;
    double low_m_s, high_m_s; /* of the study */
    struct cf_expected now;
    size_t added, noffer[CF_MAX_PARAM], *sequence;
    struct offer *offer[CF_MAX_PARAM]; /* by parameter, the narrowest interval first */
    struct cf_expected after;          /* the sequence */
};

static void speed_range(struct answer *a)
{
    const struct cf_problem *q = &a->point.problem;

    a->low_m_s = INFINITY;
    for (size_t i = 0; i < q->nobservation; i++) {
        a->low_m_s = fmin(a->low_m_s, q->observation[i].speed_m_s);
        a->high_m_s = fmax(a->high_m_s, q->observation[i].speed_m_s);
    }
}

/* As many as can be compared while one waits, each one that the protocol accepts. */
static int check_speeds(const struct cf_speeds *speeds, const struct cf_protocol *protocol,
                        struct cf_error *err)
{
    const struct cf_column *c = &protocol->column[cf_protocol_column(protocol, "speed")];

    if (speeds->n > MOST_SPEEDS)
        return cf_fail(err, CF_EUSAGE, "--speed: %zu speeds: at most %d are compared", speeds->n,
                       MOST_SPEEDS);
    for (size_t i = 0; i < speeds->n; i++)
        if (!(speeds->m_s[i] >= c->lower && speeds->m_s[i] <= c->upper))
            return cf_fail(err, CF_EUSAGE, "--speed: %g m/s: must be from %g to %g m/s",
                           speeds->m_s[i], c->lower, c->upper);
    return CF_OK;
}

static int read_speeds(const struct cf_arguments *args, const struct answer *a,
                       struct cf_speeds *speeds, struct cf_error *err)
{
    const char *list = cf_argument(args, "speed");
    double low = a->low_m_s / beyond, high = a->high_m_s * beyond;
    int status;

    if (list) {
        status = cf_speeds_parse(list, speeds, err);
        if (!status)
            status = check_speeds(speeds, a->study->spec.data[0].protocol, err);
        return status && status != CF_ENOMEM ? CF_EUSAGE : status;
    }
    *speeds = (struct cf_speeds){.n = NSPEED, .m_s = calloc(NSPEED, sizeof *speeds->m_s)};
    if (!speeds->m_s)
        return cf_fail(err, CF_ENOMEM, "no memory for %d speeds", NSPEED);
    for (size_t i = 0; i < NSPEED; i++)
        speeds->m_s[i] = low * pow(high / low, (double) i / (NSPEED - 1));
    return CF_OK;
}

/* --sigma QUANTITY=VALUE, once for each. */
static int read_sigmas(const struct cf_arguments *args, const struct cf_protocol *protocol,
                       double sigma[], struct cf_error *err)
{
    for (size_t j = 0; j < CF_MAX_COLUMN; j++)
        sigma[j] = NAN;
    for (size_t i = 0; i < args->nseen; i++) {
        const char *text = args->seen[i].value, *equals;
        char name[CF_SHOWN], shown[CF_SHOWN];
        struct cf_error why = {""};
        size_t j;
        int status;
        if (strcmp(args->seen[i].option->name, "sigma") != 0)
            continue;
        equals = strchr(text, '=');
        if (!equals || equals == text || (size_t) (equals - text) >= sizeof name)
            return cf_fail(
                err, CF_EUSAGE,
                "--sigma: \"%s\": QUANTITY=VALUE is wanted, such as duration=\"0.01 ms\"",
                cf_show(text, shown));
        memcpy(name, text, (size_t) (equals - text));
        name[equals - text] = '\0';
        status = cf_measured_column(protocol, "--sigma", name, &j, err);
        if (status)
            return status;
        if (cf_quantity_parse(equals + 1, protocol->column[j].unit, &sigma[j], &why))
            return cf_fail(err, CF_EUSAGE, "--sigma %s: %.900s", name, why.text);
        if (!(sigma[j] > 0))
            return cf_fail(err, CF_EUSAGE, "--sigma: %s = %g %s: must be above 0", name, sigma[j],
                           protocol->column[j].unit);
    }
    return CF_OK;
}

/* The best offer of each quantity on each pair for parameter i, sorted by insertion. */
static int find_offers(struct answer *a, size_t i, struct cf_error *err)
{
    const struct cf_design *d = &a->design;

    a->offer[i] = calloc(d->ncandidate + 1, sizeof *a->offer[i]);
    if (!a->offer[i])
        return cf_fail(err, CF_ENOMEM, "no memory for %zu measurements", d->ncandidate);
    for (size_t set = 0; set < a->study->spec.ndata; set++)
        for (size_t j = 0; j < a->study->spec.data[set].protocol->ncolumn; j++) {
            struct offer o;
            size_t k = a->noffer[i];
            int status = cf_design_best(d, set, j, i, a->added, &o.candidate, &o.then, err);
            if (status)
                return status;
            if (o.candidate == d->ncandidate)
                continue;
            for (; k > 0 && a->offer[i][k - 1].then.half[i] > o.then.half[i]; k--)
                a->offer[i][k] = a->offer[i][k - 1];
            a->offer[i][k] = o;
            a->noffer[i]++;
        }
    return CF_OK;
}

static int work_out(const struct cf_arguments *args, struct answer *a, struct cf_error *err)
{
    struct cf_problem *q = &a->point.problem;
    struct cf_speeds speeds = {0, NULL};
    double sigma[CF_MAX_COLUMN];
    int status = read_sigmas(args, q->spec->data[0].protocol, sigma, err);

    speed_range(a);
    if (!status)
        status = read_speeds(args, a, &speeds, err);
    if (!status)
        status = cf_design_init(&a->design, q, a->point.theta, speeds.m_s, speeds.n, sigma, err);
    cf_speeds_clear(&speeds);
    if (!status)
        status = cf_design_expect(&a->design, NULL, 0, &a->now, err);
    for (size_t i = 0; i < q->nfree && !status; i++)
        status = find_offers(a, i, err);
    a->sequence = calloc(a->added, sizeof *a->sequence);
    if (!status && !a->sequence)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu measurements", a->added);
    if (!status && a->design.ncandidate)
        status = cf_design_sequence(&a->design, a->added, a->sequence, err);
    if (!status && a->design.ncandidate)
        status = cf_design_expect(&a->design, a->sequence, a->added, &a->after, err);
    return status;
}

static void clear(struct answer *a)
{
    for (size_t i = 0; i < CF_MAX_PARAM; i++)
        free(a->offer[i]);
    free(a->sequence);
    cf_design_clear(&a->design);
    cf_point_clear(&a->point);
}

/* "+-4.2 %", "a factor of 3.1", "+-0.02 m" or "not told". */
static const char *width_text(const struct answer *a, size_t i, double half, char text[],
                              size_t size)
{
    const struct cf_walk *w = &a->point.problem.walk[i];
    bool pure = strcmp(w->unit, "1") == 0;

    if (!isfinite(half))
        snprintf(text, size, "not told");
    else if (w->scale == CF_LOG && half < 0.5)
        snprintf(text, size, "+-%.2g %%", 100 * sinh(half));
    else if (w->scale == CF_LOG)
        snprintf(text, size, "a factor of %.3g", exp(half));
    else
        snprintf(text, size, "+-%.2g%s%s", half, pure ? "" : " ", pure ? "" : w->unit);
    return text;
}

/* "2.1 times narrower", or "becomes told". */
static const char *gain_text(double now, double then, char text[], size_t size)
{
    if (!isfinite(then))
        snprintf(text, size, "still not told");
    else if (!isfinite(now))
        snprintf(text, size, "becomes told");
    else
        snprintf(text, size, "%.2f times narrower", now / then);
    return text;
}

static bool several_pairs(const struct answer *a)
{
    const struct cf_spec *spec = &a->study->spec;
    for (size_t i = 1; i < spec->ndata; i++)
        if (spec->data[i].pair.mass_kg != spec->data[0].pair.mass_kg ||
            spec->data[i].pair.radius_m != spec->data[0].pair.radius_m)
            return true;
    return false;
}

/* "duration at 4.8 m/s on "ball" (outside the speeds measured)". */
static const char *candidate_text(const struct answer *a, size_t candidate, char text[],
                                  size_t size)
{
    const struct cf_candidate *c = &a->design.candidate[candidate];
    const struct cf_dataset *d = &a->study->spec.data[c->data];
    bool several = several_pairs(a);
    bool outside =
        c->speed_m_s < a->low_m_s * (1 - 1e-9) || c->speed_m_s > a->high_m_s * (1 + 1e-9);

    snprintf(text, size, "%s at %.3g m/s%s%s%s%s", d->protocol->column[c->column].name,
             c->speed_m_s, several ? " on \"" : "", several ? d->name : "", several ? "\"" : "",
             outside ? " (beyond the study's speeds)" : "");
    return text;
}

static void print_offers(const struct answer *a, size_t i)
{
    const struct cf_walk *w = &a->point.problem.walk[i];
    char what[200], width[60], gain[60];
    size_t longest = 52; /* so that most tables look alike */

    for (size_t k = 0; k < a->noffer[i]; k++) {
        candidate_text(a, a->offer[i][k].candidate, what, sizeof what);
        longest = strlen(what) > longest ? strlen(what) : longest;
    }
    printf("  %s, now %s\n", w->name, width_text(a, i, a->now.half[i], width, sizeof width));
    for (size_t k = 0; k < a->noffer[i]; k++) {
        const struct offer *o = &a->offer[i][k];
        printf("    %zu x %-*s %-16s %s\n", a->added, (int) longest,
               candidate_text(a, o->candidate, what, sizeof what),
               width_text(a, i, o->then.half[i], width, sizeof width),
               gain_text(a->now.half[i], o->then.half[i], gain, sizeof gain));
    }
}

/* Equal neighbours are told once, with their count. */
static void print_sequence(const struct answer *a)
{
    char what[200], before[60], after[60], gain[60];

    printf("  the best %zu one after the other, for all parameters together:\n", a->added);
    for (size_t k = 0, n; k < a->added; k += n) {
        for (n = 1; k + n < a->added && a->sequence[k + n] == a->sequence[k]; n++)
            ;
        printf("    %zu x %s\n", n, candidate_text(a, a->sequence[k], what, sizeof what));
    }
    for (size_t i = 0; i < a->point.problem.nfree; i++)
        printf("    %-12s %s, then %s: %s\n", a->point.problem.walk[i].name,
               width_text(a, i, a->now.half[i], before, sizeof before),
               width_text(a, i, a->after.half[i], after, sizeof after),
               gain_text(a->now.half[i], a->after.half[i], gain, sizeof gain));
}

/* The parameter that is told worst, and what helps it most. */
static void print_advice(const struct answer *a)
{
    size_t worst = 0;
    char what[200], before[60], after[60], gain[60];

    for (size_t i = 1; i < a->point.problem.nfree; i++) {
        double scale = a->point.problem.walk[i].scale == CF_LOG ? 1 : fabs(a->point.theta[i]);
        double other =
            a->point.problem.walk[worst].scale == CF_LOG ? 1 : fabs(a->point.theta[worst]);
        if (a->now.half[i] / scale > a->now.half[worst] / other)
            worst = i;
    }
    if (a->noffer[worst] == 0)
        return;
    const struct offer *o = &a->offer[worst][0];
    const char *name = a->point.problem.walk[worst].name;
    candidate_text(a, o->candidate, what, sizeof what);
    width_text(a, worst, a->now.half[worst], before, sizeof before);
    width_text(a, worst, o->then.half[worst], after, sizeof after);
    if (!isfinite(o->then.half[worst]))
        printf("No single kind of these measurements would tell %s.\n", name);
    else if (!isfinite(a->now.half[worst]))
        printf("Add %zu x %s: %s becomes told, to %s.\n", a->added, what, name, after);
    else
        printf("Add %zu x %s: the %g %% interval of %s shrinks from %s to %s (%s).\n", a->added,
               what, 100 * a->design.level, name, before, after,
               gain_text(a->now.half[worst], o->then.half[worst], gain, sizeof gain));
}

static void print_text(const struct answer *a)
{
    const struct cf_protocol *protocol = a->study->spec.data[0].protocol;
    char text[400];

    cf_point_text(&a->point, text, sizeof text);
    printf("next measurements for %s\n", a->study->name);
    printf("  at: %s, %s (%s)\n", a->study->spec.law->name, text,
           a->point.given ? "as given" : "as fitted to the study's data");
    if (a->now.rank < a->point.problem.nfree && !a->point.given)
        printf("  these data do not tell every parameter, so that point is any that fits: plan at\n"
               "  likely values with -p\n");
    for (size_t i = 0; i < a->point.problem.nfree; i++)
        print_offers(a, i);
    if (a->design.ncandidate)
        print_sequence(a);
    for (size_t j = 0; j < protocol->ncolumn; j++)
        if (a->design.sigmaless >> j & 1u)
            printf("  %s needs a sigma: --sigma %s=VALUE [%s]\n", protocol->column[j].name,
                   protocol->column[j].name, protocol->column[j].unit);
    print_advice(a);
}

static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *json_expected(const struct answer *a, const struct cf_expected *e)
{
    json_t *all = json_object();

    for (size_t i = 0; i < a->point.problem.nfree; i++)
        json_object_set_new(all, a->point.problem.walk[i].name,
                            json_pack("{sb so so sb}", "told", e->told[i], "standard_error",
                                      number(e->standard_error[i]), "half_width",
                                      number(e->half[i]), "log_scale",
                                      a->point.problem.walk[i].scale == CF_LOG));
    return all;
}

static json_t *json_candidate(const struct answer *a, size_t candidate)
{
    const struct cf_candidate *c = &a->design.candidate[candidate];
    const struct cf_dataset *d = &a->study->spec.data[c->data];

    return json_pack("{ss ss sf sf}", "quantity", d->protocol->column[c->column].name, "data",
                     d->name, "speed_m_s", c->speed_m_s, "sigma", c->sigma);
}

static json_t *json_offers(const struct answer *a, size_t i)
{
    json_t *list = json_array();

    for (size_t k = 0; k < a->noffer[i]; k++) {
        json_t *one = json_candidate(a, a->offer[i][k].candidate);
        json_object_set_new(one, "then", json_expected(a, &a->offer[i][k].then));
        json_array_append_new(list, one);
    }
    return list;
}

static int print_json(const struct answer *a, struct cf_error *err)
{
    const struct cf_protocol *protocol = a->study->spec.data[0].protocol;
    json_t *at = json_object(), *offers = json_object(), *sequence = json_array(),
           *needs = json_array(), *all;
    int failed;

    for (size_t i = 0; i < a->point.problem.nfree; i++) {
        const struct cf_walk *w = &a->point.problem.walk[i];
        json_object_set_new(at, w->name, number(cf_walk_value(w, a->point.theta[i])));
        json_object_set_new(offers, w->name, json_offers(a, i));
    }
    for (size_t k = 0; k < a->added && a->design.ncandidate; k++)
        json_array_append_new(sequence, json_candidate(a, a->sequence[k]));
    for (size_t j = 0; j < protocol->ncolumn; j++)
        if (a->design.sigmaless >> j & 1u)
            json_array_append_new(needs, json_string(protocol->column[j].name));
    all =
        json_pack("{ss so sb sf sI so so so so so}", "law", a->study->spec.law->name, "at", at,
                  "given", a->point.given, "level", a->design.level, "added", (json_int_t) a->added,
                  "now", json_expected(a, &a->now), "offers", offers, "sequence", sequence,
                  "after_sequence", json_expected(a, &a->after), "needs_sigma", needs);
    failed = !all || json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(all);
    if (failed)
        return cf_fail(err, CF_EIO, "the design cannot be written as JSON");
    putchar('\n');
    return CF_OK;
}

static int ask(const struct cf_arguments *args, const struct cf_study *study, struct cf_error *err)
{
    struct cf_curves *curves = cf_curves_alloc();
    struct answer a = {.study = study};
    unsigned long long added;
    int status = cf_argument_count(args, "add", 1, MOST_ADDED, DEFAULT_ADDED, &added, err);

    a.added = added;
    if (!status && !curves)
        status = cf_fail(err, CF_ENOMEM, "no memory for the curves");
    if (!status)
        status = cf_point_find(args, &study->spec, study->spec.law, curves, &a.point, err);
    if (!status)
        status = work_out(args, &a, err);
    if (!status && cf_flag(args, "json"))
        status = print_json(&a, err);
    else if (!status)
        print_text(&a);
    clear(&a);
    cf_curves_free(curves);
    return status;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    struct cf_study *study = cf_study_read(args->operand[0], err);
    int status;

    if (!study)
        return CF_EINPUT;
    status = ask(args, study, err);
    cf_study_free(study);
    return status;
}

static const struct cf_option option[] = {
    {"add", 'n', "N", "how many measurements are added (default: 3)"},
    {"speed", 0, "LIST", "where: 0.1,0.5,2 or FROM:TO:COUNT (default: 13 over twice the study's)"},
    {"sigma", 0, "QUANTITY=VALUE", "the sigma of an added quantity, such as duration=\"0.01 ms\""},
    {"parameter", 'p', "NAME=VALUE", "a parameter to plan at; all or none (default: the fit)"},
    {"json", 0, NULL, "print the plan as JSON"},
};

const struct cf_command cf_command_design = {
    .name = "design",
    .synopsis = "STUDY.yaml [-n N] [--speed LIST] [--sigma QUANTITY=VALUE]... "
                "[-p NAME=VALUE]... [--json]",
    .what = "which next measurements shrink which interval, and by how much",
    .help =
        "Takes the sensitivities at the study's fit, or at given parameters, and works out what\n"
        "intervals N further measurements would leave: for each parameter the best speed of each\n"
        "quantity that the law predicts, and the best N one after the other for all parameters\n"
        "together. The sigma of a quantity is that of the study at the nearest speed; one that\n"
        "the study does not measure needs --sigma. Speeds beyond those of the study are marked:\n"
        "there the law is taken on its word.\n"
        "\n"
        "Widths are half widths of intervals, to first order.",
    .option = option,
    .noption = sizeof option / sizeof option[0],
    .min_operand = 1,
    .max_operand = 1,
    .run = run,
};
