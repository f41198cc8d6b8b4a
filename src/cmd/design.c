/* contactfit design: which next measurement shrinks which interval, and by how much? */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/along.h"
#include "cmd/commands.h"
#include "cmd/plan.h"
#include "cmd/plan_records.h"
#include "core/text.h"
#include "core/units.h"

/* Of readings and of whole records. */
enum { DEFAULT_ADDED = 3, DEFAULT_RECORDS = 1, MOST_ADDED = 100 };

/* Where nothing is asked for: over the study's range, widened by this factor on both sides. */
enum { NPLACE = 13, MOST_PLACES = 200 };
static const double beyond = 2;

/* What is planned for. */
struct scope {
    bool readings, records;
};

/* Of the data sets along the axis of the first, which is planned along. */
static void find_range(struct cf_plan *a)
{
    const struct cf_problem *q = &a->point.problem;

    a->low = (double) INFINITY;
    a->high = -(double) INFINITY;
    for (size_t i = 0; i < q->nobservation; i++) {
        if (!cf_design_along(q->spec, q->observation[i].data))
            continue;
        a->low = fmin(a->low, q->observation[i].abscissa);
        a->high = fmax(a->high, q->observation[i].abscissa);
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

/* Where a linear axis is planned along: at quantiles of the study's own places, which may crowd
 * where much happens, and at the ends of the widened range. */
static int own_places(const struct cf_plan *a, double low, double high, struct cf_list *at,
                      struct cf_error *err)
{
    const struct cf_problem *q = &a->point.problem;
    double *place = calloc(q->nobservation + 1, sizeof *place);
    size_t n = 0;

    if (!place)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu places", q->nobservation);
    for (size_t i = 0; i < q->nobservation; i++)
        if (cf_design_along(q->spec, q->observation[i].data))
            place[n++] = q->observation[i].abscissa;
    qsort(place, n, sizeof *place, ascending);
    at->n = 0;
    at->value[at->n++] = low;
    for (size_t i = 0; i < NPLACE - 2; i++) {
        double next = place[i * (n - 1) / (NPLACE - 3)];
        if (next > at->value[at->n - 1])
            at->value[at->n++] = next;
    }
    if (high > at->value[at->n - 1])
        at->value[at->n++] = high;
    free(place);
    return CF_OK;
}

/* As many as can be compared while one waits, each one that the protocol accepts. */
static int check_places(const char *option, const struct cf_list *at,
                        const struct cf_protocol *protocol, struct cf_error *err)
{
    const struct cf_axis *axis = &protocol->axis;

    if (at->n > MOST_PLACES)
        return cf_fail(err, CF_EUSAGE, "--%s: %zu %s: at most %d are compared", option, at->n,
                       axis->plural, MOST_PLACES);
    for (size_t i = 0; i < at->n; i++)
        if (!(at->value[i] >= axis->lower && at->value[i] <= axis->upper))
            return cf_fail(err, CF_EUSAGE, "--%s: %g %s: must be from %g to %g %s", option,
                           at->value[i], axis->unit, axis->lower, axis->upper, axis->unit);
    return CF_OK;
}

static int read_places(const struct cf_arguments *args, const struct cf_plan *a, struct cf_list *at,
                       struct cf_error *err)
{
    const struct cf_dataset *like = &a->study->spec.data[0];
    double low = a->low, high = a->high;
    const char *option;
    size_t channel;
    int status = cf_along_given(args, like->protocol, &option, &channel, err);

    if (!status && option) {
        status = cf_along_read(args, like, at, err);
        if (!status)
            status = check_places(option, at, like->protocol, err);
    }
    if (status || option)
        return status && status != CF_ENOMEM ? CF_EUSAGE : status;
    *at = (struct cf_list){.n = NPLACE, .value = calloc(NPLACE, sizeof *at->value)};
    if (!at->value)
        return cf_fail(err, CF_ENOMEM, "no memory for %d %s", NPLACE, like->protocol->axis.plural);
    cf_axis_widen(&like->protocol->axis, beyond, &low, &high);
    if (like->protocol->axis.linear)
        return own_places(a, low, high, at, err);
    cf_axis_points(&like->protocol->axis, low, high, NPLACE, at->value);
    return CF_OK;
}

/* The protocol of the data sets that are planned for which measures a quantity; the first one's
 * where none does. */
static const struct cf_protocol *measuring(const struct cf_spec *spec, const char *name)
{
    for (size_t i = 0; i < spec->ndata; i++) {
        const struct cf_protocol *p = spec->data[i].protocol;
        size_t j = cf_protocol_channel(p, name);
        if (cf_design_along(spec, i) && j < p->nchannel && p->channel[j].role == CF_ROLE_MEASURED)
            return p;
    }
    return spec->data[0].protocol;
}

/* In all that are planned for and measure a quantity of this name and unit. */
static void put_sigma(const struct cf_spec *spec, const struct cf_channel_row *of, double value,
                      double sigma[])
{
    for (size_t i = 0; i < spec->ndata; i++) {
        const struct cf_protocol *p = spec->data[i].protocol;
        size_t j = cf_protocol_channel(p, of->name);
        if (cf_design_along(spec, i) && j < p->nchannel && p->channel[j].role == CF_ROLE_MEASURED &&
            strcmp(p->channel[j].unit, of->unit) == 0)
            sigma[i * CF_MAX_COLUMN + j] = value;
    }
}

/* --sigma QUANTITY=VALUE, once for each; sigma[ndata * CF_MAX_COLUMN]. */
static int read_sigmas(const struct cf_arguments *args, const struct cf_spec *spec, double sigma[],
                       struct cf_error *err)
{
    const struct cf_protocol *protocol = spec->data[0].protocol;

    for (size_t j = 0; j < spec->ndata * CF_MAX_COLUMN; j++)
        sigma[j] = NAN;
    for (size_t i = 0; i < args->nseen; i++) {
        const char *text = args->seen[i].value, *equals;
        char name[CF_SHOWN], shown[CF_SHOWN];
        struct cf_error why = {""};
        double value;
        size_t j;
        int status;
        if (strcmp(args->seen[i].option->name, "sigma") != 0)
            continue;
        equals = strchr(text, '=');
        if (!equals || equals == text || (size_t) (equals - text) >= sizeof name)
            return cf_fail(err, CF_EUSAGE,
                           "--sigma: \"%s\": QUANTITY=VALUE is wanted, such as %s=0.01",
                           cf_show(text, shown), protocol->channel[protocol->headline].name);
        memcpy(name, text, (size_t) (equals - text));
        name[equals - text] = '\0';
        protocol = measuring(spec, name);
        status = cf_measured_column(protocol, "--sigma", name, &j, err);
        if (status)
            return status;
        if (cf_quantity_parse(equals + 1, protocol->channel[j].unit, &value, &why))
            return cf_fail(err, CF_EUSAGE, "--sigma %s: %.900s", name, why.text);
        if (!(value > 0))
            return cf_fail(err, CF_EUSAGE, "--sigma: %s = %g %s: must be above 0", name, value,
                           protocol->channel[j].unit);
        put_sigma(spec, &protocol->channel[j], value, sigma);
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
    for (size_t kind = 0; kind < d->nkind; kind++) {
        struct cf_offer o;
        size_t k = a->noffer[i];
        int status = cf_expected_alloc(&o.then, d->problem->nfree, err);
        if (!status)
            status = cf_design_best(d, kind, i, a->added, &o.candidate, &o.then, err);
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

/* All that is compared. */
static int list_candidates(const struct cf_arguments *args, const struct scope *scope,
                           struct cf_plan *a, struct cf_error *err)
{
    struct cf_problem *q = &a->point.problem;
    struct cf_list at = {0, NULL};
    double *sigma = calloc(q->spec->ndata * CF_MAX_COLUMN, sizeof *sigma);
    int status = sigma ? read_sigmas(args, q->spec, sigma, err)
                       : cf_fail(err, CF_ENOMEM, "no memory for %zu data sets", q->spec->ndata);

    find_range(a);
    if (!status && scope->readings)
        status = read_places(args, a, &at, err);
    if (!status)
        status = cf_design_init(&a->design, q, a->point.theta, at.value, at.n, sigma, err);
    if (!status && scope->records)
        status = cf_plan_add_records(args, sigma, a, err);
    cf_list_clear(&at);
    free(sigma);
    return status;
}

static int work_out(const struct cf_arguments *args, const struct scope *scope, struct cf_plan *a,
                    struct cf_error *err)
{
    struct cf_problem *q = &a->point.problem;
    int status = make_room(a, err);

    if (!status)
        status = list_candidates(args, scope, a, err);
    if (!status)
        status = cf_design_expect(&a->design, NULL, 0, &a->now, err);
    for (size_t i = 0; i < q->nfree && !status; i++)
        if (!q->unknown[i].of_segment)
            status = find_offers(a, i, err);
    if (!status)
        status = cf_departures_make(q, a->point.theta, &a->departures, err);
    a->sequence = calloc(a->added, sizeof *a->sequence);
    if (!status && !a->sequence)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu measurements", a->added);
    if (!status && a->design.ncandidate)
        status = cf_design_sequence(&a->design, a->added, a->sequence, err);
    if (!status && a->design.ncandidate)
        status = cf_design_expect(&a->design, a->sequence, a->added, &a->after, err);
    return status;
}

/* Readings where places are asked for, records where settings are; where neither is, records of
 * rigs that can be set, and readings along the axis of a first data set that has none. */
static int find_scope(const struct cf_arguments *args, const struct cf_spec *spec,
                      struct scope *scope, struct cf_error *err)
{
    size_t settings = 0, channel;
    const char *option = NULL;
    int status = cf_plan_settings_given(args, spec, &settings, err);

    if (!status)
        status = cf_along_given(args, spec->data[0].protocol, &option, &channel, err);
    scope->readings = option || (!settings && !spec->data[0].protocol->nsetting);
    scope->records = settings || (!option && cf_plan_has_settings(spec));
    if (!scope->readings && !scope->records) /* parts of records, of which no more can be made */
        scope->readings = true;
    if (!status && !scope->records && cf_argument(args, "length"))
        status = cf_fail(err, CF_EUSAGE, "--length: no record is planned here%s",
                         cf_plan_has_settings(spec) ? ": readings are, along an axis" : "");
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
    cf_departures_clear(&a->departures);
    free(a->sequence);
    free(a->range);
    cf_design_clear(&a->design);
    cf_point_clear(&a->point);
}

static int ask(const struct cf_arguments *args, struct cf_study *study, struct cf_error *err)
{
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_plan a = {.study = study, .path = args->operand[0]};
    struct scope scope;
    unsigned long long added = 0;
    int status = find_scope(args, &study->spec, &scope, err);

    if (!status)
        status = cf_argument_count(args, "add", 1, MOST_ADDED,
                                   scope.records ? DEFAULT_RECORDS : DEFAULT_ADDED, &added, err);
    a.added = added;
    if (!status && !curves)
        status = cf_fail(err, CF_ENOMEM, "no memory for the curves");
    if (!status)
        status = cf_point_find(args, &study->spec, study->spec.law, curves, &a.point, err);
    if (!status)
        status = work_out(args, &scope, &a, err);
    if (!status && cf_flag(args, "json"))
        status = cf_plan_print_json(&a, err);
    else if (!status)
        status = cf_plan_print_text(args->text, &a, err);
    clear(&a);
    cf_curves_free(curves);
    return status;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    return cf_with_study(args, ask, err);
}

static const struct cf_option option[] = {
    {"add", 'n', "N", "how many measurements are added (default: 3; of whole records 1)"},
    CF_OPTION_AT,
    {"length", 0, "TIME", "of a record to come (default: as long as the study's)"},
    {"sigma", 0, "QUANTITY=VALUE", "the sigma of an added quantity, such as duration=\"0.01 ms\""},
    {"parameter", 'p', "NAME=VALUE", "a parameter to plan at; all or none (default: the fit)"},
    {"json", 0, NULL, "print the plan as JSON"},
};

const struct cf_command cf_command_design = {
    .name = "design",
    .synopsis = "STUDY.yaml [-n N] [--at LIST | --CHANNEL LIST] [--SETTING LIST]... "
                "[--length TIME] [--sigma QUANTITY=VALUE]... [-p NAME=VALUE]... [--json]",
    .what = "which next measurements shrink which interval, and by how much",
    .help =
        "Takes the sensitivities at the study's fit, or at given parameters, and works out what\n"
        "intervals N further measurements would leave: for each parameter the best place on the\n"
        "axis for each quantity that the law predicts, and the best N one after the other for all\n"
        "parameters together. The sigma of a quantity is that of the study at the nearest place;\n"
        "one that the study does not measure needs --sigma. Places beyond those of the study are\n"
        "marked: there the law is taken on its word. Without --at or an imposed CHANNEL (--speed\n"
        "or --drop-height of impacts), 13 places over twice the study's range are compared, of a\n"
        "signed axis those that the study has and both ends.\n"
        "\n"
        "Where a study has records of a rig that can be set, as a plate to its speed, whole "
        "records\n"
        "are compared: at 13 values of each SETTING over ten times the study's range, or at those\n"
        "of an option that is named after it (--plate-speed of stick-slip; --hold-time and\n"
        "--step-speed of velocity steps). Each is simulated with the study's noise, read, and has\n"
        "nuisances and starts of its own; one that identifies nothing is named with the reason.\n"
        "\n"
        "Widths are half widths of intervals, to first order. What the study sees already is the\n"
        "least curve along the axis that the F test of departures finds in 80 % of experiments.",
    .option = option,
    .noption = sizeof option / sizeof option[0],
    .min_operand = 1,
    .max_operand = 1,
    .along = true,
    .settings = true,
    .run = run,
};
