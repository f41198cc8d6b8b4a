/* contactfit predict: the fitted law at new places of its axis, or another mass or radius, with its
 * band. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/along.h"
#include "cmd/closing.h"
#include "cmd/commands.h"
#include "cmd/message.h"
#include "cmd/predict_distrust.h"
#include "cmd/predict_shape.h"
#include "core/decimal.h"
#include "core/text.h"
#include "core/units.h"
#include "document/fit_json.h"
#include "document/json_dump.h"
#include "document/model_read.h"
#include "identify/asked.h"

/* Further beyond the fitted range than this the law is extrapolated. */
static const double far = 1.25;

struct question {
    struct cf_asked asked;
    struct cf_curves *curves;
    struct cf_list at;                         /* places of its protocol's axis */
    size_t nquantity, quantity[CF_MAX_COLUMN]; /* channels */
    unsigned unknown, unidentified;            /* bit masks over channels, found on the way */
    unsigned met;                              /* those that lie anywhere where a need is met, */
    unsigned beyond, unmet; /* those that lie anywhere where no need is met; where one is not met */
    bool smooth, monotone;  /* the reference is asked for, not the law */
};

static const struct cf_protocol *protocol_of(const struct question *q)
{
    return q->asked.one.protocol;
}

/* The reference of a quantity of this very pair, at a place that was judged; NULL: there is none.
 */
static const struct cf_reference *find_reference(const struct question *q, size_t channel,
                                                 double abscissa)
{
    const struct cf_model *m = q->asked.model;
    const struct cf_pair *pair = &q->asked.one.pair;
    const struct cf_protocol *protocol = protocol_of(q);

    for (size_t i = 0; i < m->nreference; i++) {
        const struct cf_reference *r = &m->reference[i];
        const struct cf_dataset *of = r->data < m->spec.ndata ? &m->spec.data[r->data] : NULL;
        if (of && cf_protocol_same(of->protocol, protocol) &&
            strcmp(r->channel, protocol->channel[channel].name) == 0 &&
            (!r->branch || strcmp(r->branch, protocol->branch_name[0]) == 0) &&
            of->pair.mass_kg == pair->mass_kg && of->pair.radius_m == pair->radius_m &&
            cf_reference_covers(r, abscissa))
            return r;
    }
    return NULL;
}

static int add_named(struct question *q, const char *name, struct cf_error *err)
{
    struct cf_error why = {""};
    size_t channel;

    if (cf_asked_channel(&q->asked, name, &channel, &why))
        return cf_fail(err, CF_EUSAGE, "--quantity: %s", why.text);
    for (size_t i = 0; i < q->nquantity; i++)
        if (q->quantity[i] == channel)
            return cf_fail(err, CF_EUSAGE, "--quantity: %s is named twice", name);
    q->quantity[q->nquantity++] = channel;
    return CF_OK;
}

/* Is any curve of it judged? The headline is refused in words where it is not. */
static bool has_reference(const struct question *q, size_t channel)
{
    const struct cf_protocol *protocol = protocol_of(q);
    bool any = channel == protocol->headline;

    for (size_t i = 0; i < q->asked.model->nreference; i++)
        any = any ||
              (q->asked.model->reference[i].n > 0 &&
               strcmp(q->asked.model->reference[i].channel, protocol->channel[channel].name) == 0);
    return any;
}

/* Those asked for; else those that the protocol calls usual, or that have smoothed measurements. */
static int read_quantities(const struct cf_arguments *args, struct question *q,
                           struct cf_error *err)
{
    const char *list = cf_argument(args, "quantity");
    int status = CF_OK;

    for (size_t c = 0; !list && c < protocol_of(q)->nchannel; c++)
        if (q->smooth ? has_reference(q, c)
                      : protocol_of(q)->channel[c].usual && cf_asked_predicts(&q->asked, c))
            q->quantity[q->nquantity++] = c;
    while (list && !status) {
        char name[CF_SHOWN];
        size_t len = strcspn(list, ",");
        snprintf(name, sizeof name, "%.*s", (int) len, list);
        status = add_named(q, name, err);
        list = list[len] ? list + len + 1 : NULL;
    }
    return status;
}

/* "from 0.217 to 20.8 rad/s and from -0.224 to -20.8 rad/s"; "": there are none. */
static void list_ranges(const struct question *q, size_t channel, char text[], size_t size)
{
    const struct cf_model *m = q->asked.model;
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < m->nreference && used < size; i++)
        if (m->reference[i].n > 0 &&
            strcmp(m->reference[i].channel, protocol_of(q)->channel[channel].name) == 0)
            used += (size_t) snprintf(text + used, size - used, "%sfrom %.3g to %.3g %s",
                                      used ? " and " : "", m->reference[i].low,
                                      m->reference[i].high, protocol_of(q)->axis.unit);
}

static int refuse_smooth(const struct question *q, size_t channel, double place,
                         struct cf_error *err)
{
    const struct cf_axis *axis = &protocol_of(q)->axis;
    const char *name = protocol_of(q)->channel[channel].name;
    char ranges[400];

    const struct cf_dataset *like = &q->asked.model->spec.data[q->asked.data];

    if (like->pair.mass_kg != q->asked.one.pair.mass_kg ||
        like->pair.radius_m != q->asked.one.pair.radius_m)
        return cf_fail(err, CF_EUSAGE,
                       "--smooth: what was measured is of the fitted bodies: leave out --mass and "
                       "--radius");
    list_ranges(q, channel, ranges, sizeof ranges);
    if (*ranges)
        return cf_fail(err, CF_EUSAGE,
                       "--smooth: %s is not known at %g %s of these bodies: it was measured %s",
                       name, place, axis->unit, ranges);
    return cf_fail(err, CF_EUSAGE,
                   "--smooth: there are no smoothed measurements of %s: they need rows along the "
                   "%s, at %d places, and no record",
                   name, axis->name, CF_ADEQUACY_PLACES);
}

/* Have all places that are asked for smoothed measurements? */
static int check_smooth(const struct question *q, struct cf_error *err)
{
    for (size_t i = 0; i < q->nquantity && q->smooth; i++)
        for (size_t k = 0; k < q->at.n; k++)
            if (!find_reference(q, q->quantity[i], q->at.value[k]))
                return refuse_smooth(q, q->quantity[i], q->at.value[k], err);
    return CF_OK;
}

/* --smooth[=monotone] */
static int read_smooth(const struct cf_arguments *args, struct question *q, struct cf_error *err)
{
    const char *how = cf_argument(args, "smooth");

    q->smooth = how != NULL;
    q->monotone = how && strcmp(how, "monotone") == 0;
    if (how && *how && !q->monotone)
        return cf_fail(err, CF_EUSAGE, "--smooth: %.80s: monotone, or nothing, is wanted", how);
    return CF_OK;
}

/* Errors in the question are errors of the command line. */
static int read_question(const struct cf_arguments *args, const struct cf_model *model,
                         struct question *q, struct cf_error *err)
{
    double mass_kg, radius_m;
    struct cf_error why = {""};
    int status = cf_argument_quantity(args, "mass", "kg", 0, &mass_kg, err);

    if (!status)
        status = cf_argument_quantity(args, "radius", "m", 0, &radius_m, err);
    if (status)
        return status;
    status = cf_asked_init(&q->asked, model, cf_argument(args, "data"), mass_kg, radius_m, &why);
    if (status)
        return status == CF_ERANGE ? cf_fail(err, CF_EUSAGE, "--radius: %.900s", why.text)
                                   : cf_fail(err, status, "%s", why.text);
    status = read_smooth(args, q, err);
    if (!status)
        status = read_quantities(args, q, err);
    if (!status)
        status = cf_along_read(args, &model->spec.data[q->asked.data], &q->at, err);
    if (!status)
        status = check_smooth(q, err);
    return status && status != CF_ENOMEM ? CF_EUSAGE : status;
}

/* Where a need was stated, a curve is used by what was measured of it: the band is from the law to
 * the limits of what is measured, about the reference. */
static void answer_need(struct question *q, double abscissa, size_t channel, struct cf_answer *cell)
{
    const struct cf_reference *r = find_reference(q, channel, abscissa);
    bool met = r && r->needed && r->word == CF_ADEQUATE && !q->asked.model->failed;

    q->beyond |= (unsigned) !met << channel;
    q->unmet |= (unsigned) (r && r->needed && r->word != CF_ADEQUATE) << channel;
    if (!met)
        return;
    if (!cell->identified)
        cell->value = cf_reference_between(r, r->law, abscissa);
    cf_reference_limits(r, abscissa, q->asked.model->spec.options.level, &cell->low, &cell->high);
    *cell = (struct cf_answer){true, true, cell->value, cell->value + fmin(cell->low, 0),
                               cell->value + fmax(cell->high, 0)};
    q->met |= 1u << channel;
}

static int answer_smoothly(const struct question *q, double abscissa, size_t channel,
                           struct cf_answer *cell, struct cf_error *err)
{
    const struct cf_channel_row *c = &protocol_of(q)->channel[channel];
    const struct cf_reference *r = find_reference(q, channel, abscissa);
    const struct cf_smooth_asked asked = {q->asked.model->spec.options.level, c->lower, c->upper,
                                          q->monotone};
    double *curve;

    curve = calloc(3 * r->n, sizeof *curve);
    if (!curve)
        return cf_fail(err, CF_ENOMEM, "no memory for a curve of %zu points", r->n);
    cf_reference_curve(r, &asked, curve, curve + r->n, curve + 2 * r->n);
    *cell = (struct cf_answer){true, true, cf_reference_between(r, curve, abscissa),
                               cf_reference_between(r, curve + r->n, abscissa),
                               cf_reference_between(r, curve + 2 * r->n, abscissa)};
    free(curve);
    return CF_OK;
}

static int answer(struct question *q, double abscissa, struct cf_answer cell[],
                  struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 0; i < q->nquantity && !status; i++) {
        if (q->smooth)
            status = answer_smoothly(q, abscissa, q->quantity[i], &cell[i], err);
        else
            status = cf_asked_at(&q->asked, q->curves, abscissa, q->quantity[i], &cell[i], err);
        if (!status && !q->smooth)
            answer_need(q, abscissa, q->quantity[i], &cell[i]);
        q->unknown |= (unsigned) (!status && !cell[i].known) << q->quantity[i];
        q->unidentified |= (unsigned) (!status && cell[i].known && !cell[i].identified)
                           << q->quantity[i];
    }
    return status;
}

/* Measurements are; curves of which a need is stated, where it is met; others by the verdict. Where
 * parameters are known only together, so is what depends on nothing else. */
static bool is_trusted(const struct question *q)
{
    const struct cf_model *m = q->asked.model;

    if (q->unmet)
        return false;
    return q->smooth || !q->beyond || m->trusted || (m->partly && !q->unknown && !q->unidentified);
}

static void heading(const struct question *q, size_t i, const char *end)
{
    const struct cf_channel_row *c = &protocol_of(q)->channel[q->quantity[i]];
    char column[120];

    cf_along_column(c->name, end, c->unit, column, sizeof column);
    printf(",%s", column);
}

/* Value and interval; nothing where the data do not identify them. */
static void print_cell(const struct cf_answer *cell)
{
    const double number[] = {cell->value, cell->low, cell->high};

    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        putchar(',');
        if (cell->identified)
            cf_decimal_put(number[i], stdout);
    }
}

static int print_csv(struct question *q, struct cf_error *err)
{
    const struct cf_axis *axis = &protocol_of(q)->axis;
    char column[120];
    int status = CF_OK;

    cf_along_column(axis->name, "", axis->unit, column, sizeof column);
    printf("%s", column);
    for (size_t i = 0; i < q->nquantity; i++) {
        heading(q, i, "");
        heading(q, i, "_low");
        heading(q, i, "_high");
    }
    printf("\n");
    for (size_t k = 0; k < q->at.n && !status && !ferror(stdout); k++) {
        struct cf_answer cell[CF_MAX_COLUMN];
        status = answer(q, q->at.value[k], cell, err);
        if (status)
            break;
        cf_decimal_put(q->at.value[k], stdout);
        for (size_t i = 0; i < q->nquantity; i++)
            print_cell(&cell[i]);
        printf("\n");
    }
    return status;
}

static json_t *row_json(const struct question *q, double abscissa, const struct cf_answer cell[])
{
    const struct cf_axis *axis = &protocol_of(q)->axis;
    char column[120];
    json_t *row;

    cf_along_column(axis->name, "", axis->unit, column, sizeof column);
    row = json_pack("{s:f}", column, abscissa);

    for (size_t i = 0; i < q->nquantity; i++) {
        const struct cf_channel_row *c = &protocol_of(q)->channel[q->quantity[i]];
        cf_json_put(&row, c->name,
                    cell[i].identified
                        ? json_pack("{s:f,s:f,s:f,s:s}", "value", cell[i].value, "low", cell[i].low,
                                    "high", cell[i].high, "unit", c->unit)
                        : json_null());
    }
    return row;
}

static int print_json(struct question *q, struct cf_error *err)
{
    const struct cf_dataset *like = &q->asked.model->spec.data[q->asked.data];
    json_t *rows = json_array(), *all = json_object();
    int status = CF_OK;

    for (size_t k = 0; k < q->at.n && !status; k++) {
        struct cf_answer cell[CF_MAX_COLUMN];
        status = answer(q, q->at.value[k], cell, err);
        if (!status)
            cf_json_add(&rows, row_json(q, q->at.value[k], cell));
    }
    cf_json_put(&all, "law", json_string(q->asked.model->law->name));
    cf_json_put(&all, "data", json_string(like->name));
    cf_json_put(&all, "mass_kg", cf_json_number(q->asked.one.pair.mass_kg));
    cf_json_put(&all, "radius_m", cf_json_number(q->asked.one.pair.radius_m));
    cf_json_put(&all, "level", cf_json_number(q->asked.model->spec.options.level));
    cf_json_put(&all, "trusted", json_boolean(is_trusted(q)));
    cf_json_put(&all, "rows", rows);
    if (!status && cf_json_dump(all, stdout, JSON_INDENT(2)) != 0)
        status = cf_fail(err, CF_EIO, "the rows cannot be written as JSON");
    json_decref(all);
    if (!status)
        printf("\n");
    return status;
}

static void say_columns(const struct question *q, unsigned columns, const char *why)
{
    const char *name[CF_MAX_COLUMN];
    char list[400];
    size_t n = 0;

    for (size_t i = 0; i < q->nquantity; i++)
        if (columns >> q->quantity[i] & 1u)
            name[n++] = protocol_of(q)->channel[q->quantity[i]].name;
    cf_join(list, sizeof list, name, n, ", ");
    if (n)
        cf_message("contactfit predict: %s: %s", list, why);
}

/* Some places lie too far outside of what was fitted. */
static void say_beyond(const struct question *q)
{
    const struct cf_axis *axis = &protocol_of(q)->axis;
    const struct cf_model *m = q->asked.model;
    double low = q->at.value[0], high = low;
    char to[40] = "", by[60];

    for (size_t i = 0; i < q->at.n; i++) {
        low = fmin(low, q->at.value[i]);
        high = fmax(high, q->at.value[i]);
    }
    if (high > low)
        snprintf(to, sizeof to, " to %g", high);
    if (cf_along_within(axis, far, m->axis_low, m->axis_high, low) &&
        cf_along_within(axis, far, m->axis_low, m->axis_high, high))
        return;
    if (axis->linear)
        snprintf(by, sizeof by, "%g %% of their span", 100 * (far - 1) / 2);
    else
        snprintf(by, sizeof by, "a factor %g", far);
    cf_message(
        "contactfit predict: %g%s %s goes beyond the fitted %s, %g to %g %s, by more than %s: "
        "the band holds if the law does there",
        low, to, axis->unit, axis->plural, m->axis_low, m->axis_high, axis->unit, by);
}

/* What the places have beside the axis. */
static void say_conditions(const struct question *q)
{
    const struct cf_protocol *protocol = protocol_of(q);

    for (size_t k = 0; k < protocol->ncondition; k++) {
        const struct cf_channel_row *channel = &protocol->channel[protocol->condition[k]];
        if (!isnan(q->asked.one.condition[k]))
            cf_message("contactfit predict: at the median %s of the fitted rows, %g %s",
                       channel->label, q->asked.one.condition[k], channel->unit);
    }
}

static void say_notes(const struct question *q)
{
    const struct cf_dataset *like = &q->asked.model->spec.data[q->asked.data];

    say_columns(q, q->unknown,
                q->asked.model->law->curve ? "the cells stay empty: the fit knows no load or lever"
                                           : "the cells stay empty: the fit holds no k");
    say_conditions(q);
    say_columns(q, q->unidentified,
                "the cells stay empty: the data do not identify all that they depend on");
    say_beyond(q);
    if (is_trusted(q))
        say_columns(q, q->met & q->beyond,
                    "where it was not measured, its band is that of the law");
    say_columns(q, q->unmet, "its curve is not known to be as near as the study needs");
    if (!is_trusted(q) && !q->unmet)
        say_columns(
            q, ~q->beyond,
            "its curve is adequate for what is needed: asked for alone, it is to be trusted");
    if (q->asked.model->law->family == CF_FAMILY_RESTITUTION &&
        q->asked.one.pair.mass_kg != like->pair.mass_kg)
        cf_message("contactfit predict: %s knows no mass: what is said is the %s at %g kg",
                   q->asked.model->law->name,
                   protocol_of(q)->channel[protocol_of(q)->headline].name, like->pair.mass_kg);
}

static int run_fit(const struct cf_arguments *args, struct cf_error *err)
{
    struct cf_model *model = cf_model_read(args->operand[0], args->registry, err);
    struct question q = {.curves = NULL};
    int status;

    if (!model)
        return CF_EINPUT;
    status = read_question(args, model, &q, err);
    if (!status) {
        q.curves = cf_curves_alloc();
        status = q.curves ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the curves");
    }
    if (!status)
        status = cf_flag(args, "json") ? print_json(&q, err) : print_csv(&q, err);
    if (!status && !cf_flag(args, "quiet"))
        say_notes(&q);
    if (!status && !is_trusted(&q))
        status = q.unmet && model->trusted ? cf_untrusted(err) : cf_predict_distrust(model, err);
    else if (!status) /* else the message is the verdict */
        cf_closing_say(cf_flag(args, "quiet"), CF_CLOSING_GOOD,
                       "predicted; the fit is to be trusted",
                       cf_closing_command("report", model->path, ""));
    cf_asked_clear(&q.asked);
    cf_list_clear(&q.at);
    cf_curves_free(q.curves);
    cf_model_free(model);
    return status;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    const struct cf_hydroelastic *shape;
    int status = cf_predict_shape_named(args->operand[0], &shape, err);

    if (status)
        return status;
    if (shape)
        return cf_predict_shape(args, shape, err);
    if (cf_argument(args, "parameter"))
        return cf_fail(err, CF_EUSAGE,
                       "-p is of a hydroelastic shape: a fit has its own parameters");
    return run_fit(args, err);
}

static const struct cf_option option[] = {
    CF_OPTION_AT,
    {"mass", 0, "Q", "effective mass (default: the fitted one); the load of a SHAPE"},
    {"radius", 0, "Q", "effective radius of the pair (default: the fitted one)"},
    {"data", 0, "NAME", "data set of the fit whose pair is meant (default: the first)"},
    {"quantity", 0, "LIST", "measured channels of the protocol (default: the usual ones)"},
    {"smooth", 0, "[=monotone]", "the smoothed measurements (e-smooth) in place of the law"},
    {"parameter", 'p', "NAME=VALUE", "size or stiffness of a hydroelastic SHAPE; once for each"},
    {"json", 0, NULL, "print JSON instead of CSV"},
};

const struct cf_command cf_command_predict = {
    .name = "predict",
    .synopsis = "FIT.json|SHAPE --at LIST | --CHANNEL LIST [--mass Q] [--radius Q] [--data NAME] "
                "[--quantity LIST] [--smooth[=monotone]] [-p NAME=VALUE...] [--json]",
    .what =
        "a fitted law elsewhere on its axis, with its band; or the force on a hydroelastic shape",
    .help =
        "CHANNEL is what the protocol imposes: --speed or --drop-height of impacts. A range\n"
        "FROM:TO:COUNT is spaced as the axis is: speeds by equal factors.\n"
        "\n"
        "CSV to standard output: the place, then value, low and high of each quantity.\n"
        "The band is the confidence band of the curve at the study's level (default 95 %): where\n"
        "the law's curve lies, not where the next measurement does. A cell that depends on what\n"
        "the data do not identify is empty, with a word on standard error.\n"
        "\n"
        "Another radius scales what belongs to the material: k of Hertz and the lambda of\n"
        "azad-featherstone by sqrt(R/R0). Parameters that hold no force (a, alpha, e) stay. Laws\n"
        "without such a rule (linear, lee-wang, formulas for e) refuse another radius.\n"
        "\n"
        "Where the study states what is needed of a quantity and the curve is adequate, the band "
        "is\n"
        "that of what is measured: it reaches from the law to the limits of the smoothed\n"
        "measurements, whatever the verdict; of the fitted pair and range alone. --smooth prints\n"
        "these measurements themselves, e-smooth of impacts: no law, no parameters, no value "
        "outside\n"
        "of the range; monotone: sorted.\n"
        "\n"
        "Exit status 3: the fit is not to be trusted; the numbers are printed, with the reasons. "
        "A\n"
        "fit that is undetermined, and nothing else, is to be trusted in what its data identify:\n"
        "--quantity restitution, where k and lambda are known only together.\n"
        "\n"
        "SHAPE, without any fit: hydroelastic-sphere, -spheres, -cylinder or -cone, pressed in by\n"
        "--depth LIST, --force LIST or the weight of --mass. CSV of stiffness, force, depth and\n"
        "volume, by the closed form and by the exact overlap volume. The stiffness is given by "
        "kv,\n"
        "by modulus (a LIST, over the thickness of the foundation), follows from contact_radius\n"
        "under a load, or from a --force measured at a --depth. contactfit models SHAPE lists the\n"
        "parameters; gravity, of --mass, is 9.80665 m/s^2 unless -p says otherwise.\n"
        "  contactfit predict hydroelastic-sphere -p radius=5cm -p modulus=1e6,1e7,1e8 --mass "
        "1kg\n",
    .option = option,
    .noption = sizeof option / sizeof option[0],
    .min_operand = 1,
    .max_operand = 1,
    .along = true,
    .run = run,
};
