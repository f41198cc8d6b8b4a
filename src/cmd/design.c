/* contactfit design: which next measurement shrinks which interval, and by how much? */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/plan.h"
#include "cmd/speeds.h"
#include "core/text.h"
#include "core/units.h"

enum { DEFAULT_ADDED = 3, MOST_ADDED = 100 };

/* Without --speed: log-spaced over the study's range, widened by this factor on both sides. */
enum { NSPEED = 13, MOST_SPEEDS = 200 };
static const double beyond = 2;

static void speed_range(struct cf_plan *a)
{
    const struct cf_problem *q = &a->point.problem;

    a->low_m_s = INFINITY;
    for (size_t i = 0; i < q->nobservation; i++) {
        a->low_m_s = fmin(a->low_m_s, q->observation[i].abscissa);
        a->high_m_s = fmax(a->high_m_s, q->observation[i].abscissa);
    }
}

/* As many as can be compared while one waits, each one that the protocol accepts. */
static int check_speeds(const struct cf_speeds *speeds, const struct cf_protocol *protocol,
                        struct cf_error *err)
{
    const struct cf_channel_row *c = &protocol->channel[cf_protocol_channel(protocol, "speed")];

    if (speeds->n > MOST_SPEEDS)
        return cf_fail(err, CF_EUSAGE, "--speed: %zu speeds: at most %d are compared", speeds->n,
                       MOST_SPEEDS);
    for (size_t i = 0; i < speeds->n; i++)
        if (!(speeds->m_s[i] >= c->lower && speeds->m_s[i] <= c->upper))
            return cf_fail(err, CF_EUSAGE, "--speed: %g m/s: must be from %g to %g m/s",
                           speeds->m_s[i], c->lower, c->upper);
    return CF_OK;
}

static int read_speeds(const struct cf_arguments *args, const struct cf_plan *a,
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
    for (size_t j = 0; j < protocol->nchannel; j++)
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
        if (cf_quantity_parse(equals + 1, protocol->channel[j].unit, &sigma[j], &why))
            return cf_fail(err, CF_EUSAGE, "--sigma %s: %.900s", name, why.text);
        if (!(sigma[j] > 0))
            return cf_fail(err, CF_EUSAGE, "--sigma: %s = %g %s: must be above 0", name, sigma[j],
                           protocol->channel[j].unit);
    }
    return CF_OK;
}

/* The best offer of each quantity on each pair for parameter i, sorted by insertion. */
static int find_offers(struct cf_plan *a, size_t i, struct cf_error *err)
{
    const struct cf_design *d = &a->design;

    a->offer[i] = calloc(d->ncandidate + 1, sizeof *a->offer[i]);
    if (!a->offer[i])
        return cf_fail(err, CF_ENOMEM, "no memory for %zu measurements", d->ncandidate);
    for (size_t set = 0; set < a->study->spec.ndata; set++)
        for (size_t j = 0; j < a->study->spec.data[set].protocol->nchannel; j++) {
            struct cf_offer o;
            size_t k = a->noffer[i];
            int status = cf_expected_alloc(&o.then, d->problem->nfree, err);
            if (!status)
                status = cf_design_best(d, set, j, i, a->added, &o.candidate, &o.then, err);
            if (status || o.candidate == d->ncandidate)
                cf_expected_clear(&o.then);
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

static int make_room(struct cf_plan *a, struct cf_error *err)
{
    size_t n = a->point.problem.nfree;
    int status = cf_expected_alloc(&a->now, n, err);

    if (!status)
        status = cf_expected_alloc(&a->after, n, err);
    a->noffer = calloc(n + 1, sizeof *a->noffer);
    a->offer = calloc(n + 1, sizeof *a->offer);
    if (!status && (!a->noffer || !a->offer))
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu parameters", n);
    return status;
}

static int work_out(const struct cf_arguments *args, struct cf_plan *a, struct cf_error *err)
{
    struct cf_problem *q = &a->point.problem;
    struct cf_speeds speeds = {0, NULL};
    const struct cf_protocol *protocol = q->spec->data[0].protocol;
    double *sigma = calloc(protocol->nchannel + 1, sizeof *sigma);
    int status = sigma ? read_sigmas(args, protocol, sigma, err)
                       : cf_fail(err, CF_ENOMEM, "no memory for %zu sigmas", protocol->nchannel);

    speed_range(a);
    if (!status)
        status = make_room(a, err);
    if (!status)
        status = read_speeds(args, a, &speeds, err);
    if (!status)
        status = cf_design_init(&a->design, q, a->point.theta, speeds.m_s, speeds.n, sigma, err);
    cf_speeds_clear(&speeds);
    free(sigma);
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

static void clear(struct cf_plan *a)
{
    for (size_t i = 0; a->offer && a->noffer && i < a->point.problem.nfree; i++) {
        for (size_t k = 0; k < a->noffer[i]; k++)
            cf_expected_clear(&a->offer[i][k].then);
        free(a->offer[i]);
    }
    free(a->offer);
    free(a->noffer);
    cf_expected_clear(&a->now);
    cf_expected_clear(&a->after);
    free(a->sequence);
    cf_design_clear(&a->design);
    cf_point_clear(&a->point);
}

static int ask(const struct cf_arguments *args, struct cf_study *study, struct cf_error *err)
{
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_plan a = {.study = study};
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
        status = cf_plan_print_json(&a, err);
    else if (!status)
        cf_plan_print_text(&a);
    clear(&a);
    cf_curves_free(curves);
    return status;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    return cf_with_study(args, ask, err);
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
