/* Reading the table of synthetic studies, and making a study of a design. */

#include "designs.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "core/text.h"
#include "estimate/effects.h"
#include "estimate/serial.h"
#include "recorded.h"

enum { MAX_WORDS = 12, MAX_ROWS = 20000 };

/* A line in words. */
struct line {
    size_t n;
    char *word[MAX_WORDS];
};

static int bad(struct cf_error *err, const char *what)
{
    return cf_fail(err, CF_EINPUT, "%s", what);
}

static int read_number(const char *text, double *value, struct cf_error *err)
{
    char *end;
    *value = strtod(text, &end);
    return *text && !*end && isfinite(*value) ? CF_OK : bad(err, "a number is wanted");
}

static int read_numbers(const struct line *line, size_t least, double value[], struct cf_error *err)
{
    if (line->n < least + 1)
        return bad(err, "numbers are missing");
    for (size_t i = 1; i < line->n; i++) {
        int status = read_number(line->word[i], &value[i - 1], err);
        if (status)
            return status;
    }
    return CF_OK;
}

static void copy_word(char to[DESIGN_WORD], const char *from)
{
    snprintf(to, DESIGN_WORD, "%s", from);
}

/* NAME=VALUE words from the given one on. */
static int read_values(const struct line *line, size_t first, struct design_value value[],
                       size_t *n, struct cf_error *err)
{
    for (size_t i = first; i < line->n; i++) {
        char *equals = strchr(line->word[i], '=');
        int status;
        if (!equals || *n == CF_MAX_PARAM)
            return bad(err, "NAME=VALUE is wanted");
        *equals = '\0';
        copy_word(value[*n].name, line->word[i]);
        status = read_number(equals + 1, &value[(*n)++].value, err);
        if (status)
            return status;
    }
    return CF_OK;
}

static int find_law(struct design *d, const char *name, const struct cf_law **law,
                    struct cf_error *err)
{
    return cf_registry_contact_law(NULL, &d->made, NULL, name, law, err);
}

static int read_truth(const struct line *line, struct design *d, struct cf_error *err)
{
    int status =
        line->n < 2 ? bad(err, "a law is wanted") : find_law(d, line->word[1], &d->truth, err);
    return status ? status : read_values(line, 2, d->true_value, &d->ntrue, err);
}

static int read_true(const struct line *line, struct design *d, struct cf_error *err)
{
    return read_values(line, 1, d->true_value, &d->ntrue, err);
}

static int read_fit(const struct line *line, struct design *d, struct cf_error *err)
{
    int status =
        line->n < 2 ? bad(err, "a law is wanted") : find_law(d, line->word[1], &d->fit, err);
    for (size_t i = 2; i < line->n && d->nfree < CF_MAX_PARAM && !status; i++)
        copy_word(d->free[d->nfree++], line->word[i]);
    return status;
}

static int read_fixed(const struct line *line, struct design *d, struct cf_error *err)
{
    return read_values(line, 1, d->fixed, &d->nfixed, err);
}

static int read_pair(const struct line *line, struct design *d, struct cf_error *err)
{
    double value[MAX_WORDS] = {0};
    int status = read_numbers(line, 2, value, err);
    d->mass_kg = value[0];
    d->radius_m = value[1];
    return status;
}

static int read_rows(const struct line *line, struct design *d, struct cf_error *err)
{
    double value[MAX_WORDS] = {0};
    int status = read_numbers(line, 3, value, err);
    d->drops = strcmp(line->word[0], "drops") == 0;
    d->linear = strcmp(line->word[0], "angles") == 0;
    d->nrow = (size_t) value[0];
    d->from = value[1];
    d->to = value[2];
    d->imposed_sigma = value[3];
    return status;
}

/* strokes ROWS FROM TO RATE... */
static int read_strokes(const struct line *line, struct design *d, struct cf_error *err)
{
    double value[MAX_WORDS] = {0};
    int status = read_numbers(line, 4, value, err);

    if (!status && line->n > 4 + DESIGN_RATES)
        return bad(err, "too many rates");
    d->nrow = (size_t) value[0];
    d->from = value[1];
    d->to = value[2];
    for (size_t i = 4; i < line->n && !status; i++)
        d->rate[d->nrate++] = value[i - 1];
    return !status && d->nrow < 2 ? bad(err, "two rows of a stroke at least are wanted") : status;
}

/* of STUDY.yaml given|estimated */
static int read_of(const struct line *line, struct design *d, struct cf_error *err)
{
    if (line->n != 3 || d->study)
        return bad(err, "of STUDY.yaml given|estimated is wanted");
    d->sizes_unknown = strcmp(line->word[2], "estimated") == 0;
    if (!d->sizes_unknown && strcmp(line->word[2], "given"))
        return bad(err, "given or estimated is wanted");
    d->study = cf_format("%s", line->word[1]);
    return d->study ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a path");
}

static int read_rig(const struct line *line, struct design *d, struct cf_error *err)
{
    return line->n > 1 + DESIGN_RIG || line->n > 1 + CF_MAX_PARAM
               ? bad(err, "too many numbers of the rig")
               : read_values(line, 1, d->rig, &d->nrig, err);
}

static int read_rig_free(const struct line *line, struct design *d, struct cf_error *err)
{
    return line->n > 1 + DESIGN_RIG || line->n > 1 + CF_MAX_PARAM
               ? bad(err, "too many numbers of the rig")
               : read_values(line, 1, d->rig_free, &d->nrig_free, err);
}

static int read_protocol(const struct line *line, struct design *d, struct cf_error *err)
{
    d->protocol = line->n == 2 ? cf_protocol_find(line->word[1]) : NULL;
    return d->protocol ? CF_OK : bad(err, "no such protocol");
}

static int read_directions(const struct line *line, struct design *d, struct cf_error *err)
{
    d->both_directions = line->n == 2 && strcmp(line->word[1], "both") == 0;
    return d->both_directions ? CF_OK : bad(err, "both is wanted");
}

static int read_bootstrap(const struct line *line, struct design *d, struct cf_error *err)
{
    d->never_resampled = line->n == 2 && strcmp(line->word[1], "no") == 0;
    return d->never_resampled ? CF_OK : bad(err, "no is wanted");
}

static int read_apparatus(const struct line *line, struct design *d, struct cf_error *err)
{
    return read_values(line, 1, d->apparatus, &d->napparatus, err);
}

static int read_load(const struct line *line, struct design *d, struct cf_error *err)
{
    double value[MAX_WORDS] = {0};
    int status = read_numbers(line, 1, value, err);
    d->load_N = value[0];
    return status;
}

static int read_measure(const struct line *line, struct design *d, struct cf_error *err)
{
    size_t i = d->nmeasured;

    if (line->n != 4 || i == DESIGN_COLUMNS)
        return bad(err, "QUANTITY SIGMA given|estimated is wanted");
    d->measured[i].column = cf_protocol_channel(d->protocol, line->word[1]);
    d->measured[i].estimated = strcmp(line->word[3], "estimated") == 0;
    if (d->measured[i].column == d->protocol->nchannel)
        return bad(err, "no such quantity");
    if (!d->measured[i].estimated && strcmp(line->word[3], "given"))
        return bad(err, "given or estimated is wanted");
    d->nmeasured++;
    return read_number(line->word[2], &d->measured[i].sigma, err);
}

/* dense ar PARTIAL..., dense white-ar PHI SHARE */
static int read_dense(const struct line *line, struct design *d, struct cf_error *err)
{
    bool slow = line->n > 1 && strcmp(line->word[1], cf_serial_name[CF_SERIAL_WHITE_AR]) == 0;
    bool ar = line->n > 1 && strcmp(line->word[1], cf_serial_name[CF_SERIAL_AR]) == 0;
    size_t order = slow ? 1 : line->n - 2;
    int status = CF_OK;

    if (!(slow ? line->n == 4 : ar && order >= 1 && order <= DESIGN_ORDER))
        return bad(err, "ar PARTIAL... or white-ar PHI SHARE is wanted");
    d->serial =
        (struct cf_serial_model){.kind = slow ? CF_SERIAL_WHITE_AR : CF_SERIAL_AR, .order = order};
    for (size_t k = 0; k < order && !status; k++)
        status = read_number(line->word[2 + k], &d->partial[k], err);
    return status || !slow ? status : read_number(line->word[3], &d->serial.share, err);
}

static int read_seed(const struct line *line, struct design *d, struct cf_error *err)
{
    double value[MAX_WORDS] = {0};
    int status = read_numbers(line, 1, value, err);
    d->seed = (uint64_t) value[0];
    return status;
}

static int read_most(const struct line *line, struct design *d, struct cf_error *err)
{
    double value[MAX_WORDS] = {0};
    int status = read_numbers(line, 1, value, err);
    if (!status && !(value[0] >= 1))
        return bad(err, "at least one study is wanted");
    d->most = (size_t) value[0];
    return status;
}

static int read_starts(const struct line *line, struct design *d, struct cf_error *err)
{
    double value[MAX_WORDS] = {0};
    int status = read_numbers(line, 1, value, err);
    if (!status && !(value[0] >= 2))
        return bad(err, "two starts at least are wanted");
    d->starts = (size_t) value[0];
    return status;
}

static int read_broken(const struct line *line, struct design *d, struct cf_error *err)
{
    d->broken = line->n == 1;
    return d->broken ? CF_OK : bad(err, "nothing more is wanted");
}

static int read_repeats(const struct line *line, struct design *d, struct cf_error *err)
{
    double value[MAX_WORDS] = {0};
    int status = read_numbers(line, 1, value, err);
    d->repeats = (size_t) value[0];
    return status;
}

static int read_order(const struct line *line, struct design *d, struct cf_error *err)
{
    d->shuffled = line->n == 2 && strcmp(line->word[1], "random") == 0;
    return d->shuffled ? CF_OK : bad(err, "random is wanted");
}

/* share place TAU, share session COUNT TAU */
static int read_share(const struct line *line, struct design *d, struct cf_error *err)
{
    double sessions = 0;
    int status;

    if (line->n == 3 && strcmp(line->word[1], "place") == 0)
        return read_number(line->word[2], &d->tau, err);
    if (line->n != 4 || strcmp(line->word[1], "session"))
        return bad(err, "place TAU or session COUNT TAU is wanted");
    status = read_number(line->word[2], &sessions, err);
    d->sessions = (size_t) sessions;
    return status ? status : read_number(line->word[3], &d->tau, err);
}

static int read_group(const struct line *line, struct design *d, struct cf_error *err)
{
    static const char *const word[] = {[CF_GROUPS_ABSENT] = "",
                                       [CF_GROUPS_STATED] = "stated",
                                       [CF_GROUPS_BY_RECORD] = "record",
                                       [CF_GROUPS_BY_PLACE] = "silent",
                                       [CF_GROUPS_DENIED] = "none"};
    for (int i = CF_GROUPS_STATED; i <= CF_GROUPS_DENIED && line->n == 2; i++)
        if (strcmp(line->word[1], word[i]) == 0) {
            d->group = (enum cf_group_origin) i;
            return CF_OK;
        }
    return bad(err, "stated, silent or none is wanted");
}

static int read_disturb(const struct line *line, struct design *d, struct cf_error *err)
{
    double value[2] = {0};

    if (line->n < 3 || line->n > 4 || d->ndisturb == DESIGN_DISTURB)
        return bad(err, "a disturbance with one or two numbers is wanted");
    for (size_t i = 2; i < line->n; i++) {
        int status = read_number(line->word[i], &value[i - 2], err);
        if (status)
            return status;
    }
    return disturb_find(line->word[1], value[0], value[1], &d->disturb[d->ndisturb++])
               ? CF_OK
               : bad(err, "no such disturbance");
}

/* prior NAME OFFSET SIGMA */
static int read_prior(const struct line *line, struct design *d, struct cf_error *err)
{
    int status;

    if (line->n != 4 || d->nprior == CF_MAX_PARAM)
        return bad(err, "NAME OFFSET SIGMA is wanted");
    copy_word(d->prior[d->nprior].name, line->word[1]);
    status = read_number(line->word[2], &d->prior[d->nprior].value, err);
    return status ? status : read_number(line->word[3], &d->prior_sigma[d->nprior++], err);
}

/* nuisance bias SIGMA, or nuisance bias free: of the last `measure` */
static int read_nuisance(const struct line *line, struct design *d, struct cf_error *err)
{
    if (line->n != 3 || strcmp(line->word[1], "bias") || !d->nmeasured)
        return bad(err, "bias SIGMA is wanted, behind what is measured");
    if (strcmp(line->word[2], "free") == 0) {
        d->bias_sigma[d->nmeasured - 1] = (double) INFINITY;
        return CF_OK;
    }
    return read_number(line->word[2], &d->bias_sigma[d->nmeasured - 1], err);
}

/* throws COUNT FROM LEAST, scatter SIGMA EXPONENT, shift SIGMA, jitter SIGMA, bad SHARE SIZE,
 * missed SHARE, spurious SHARE, drag COEFFICIENT */
static int read_throws(const struct line *line, struct design *d, struct cf_error *err)
{
    struct throws *t = &d->throws;
    double n = 0;
    const struct {
        const char *word;
        double *to[3];
    } known[] = {
        {"throws", {&n, &t->from_m_s, &t->least_m_s}},
        {"scatter", {&t->scatter, &t->exponent}},
        {"shift", {&t->shift}},
        {"jitter", {&t->jitter_s}},
        {"bad", {&t->bad, &t->bad_size}},
        {"missed", {&t->missed}},
        {"spurious", {&t->spurious}},
        {"drag", {&t->drag_coefficient}},
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        for (size_t k = 0; strcmp(known[i].word, line->word[0]) == 0 && k < 3 && known[i].to[k];
             k++) {
            int status = k + 1 < line->n ? read_number(line->word[k + 1], known[i].to[k], err)
                                         : bad(err, "numbers are missing");
            if (status)
                return status;
        }
    t->n = n > 0 ? (size_t) n : t->n;
    d->protocol = cf_protocol_find("bounce");
    return CF_OK;
}

static const struct {
    const char *word;
    int (*read)(const struct line *line, struct design *d, struct cf_error *err);
} reader[] = {
    {"truth", read_truth},
    {"fit", read_fit},
    {"fixed", read_fixed},
    {"pair", read_pair},
    {"speeds", read_rows},
    {"drops", read_rows},
    {"seed", read_seed},
    {"measure", read_measure},
    {"starts", read_starts},
    {"most", read_most},
    {"dense", read_dense},
    {"repeats", read_repeats},
    {"order", read_order},
    {"share", read_share},
    {"group", read_group},
    {"disturb", read_disturb},
    {"prior", read_prior},
    {"nuisance", read_nuisance},
    {"broken", read_broken},
    {"protocol", read_protocol},
    {"strokes", read_strokes},
    {"rig", read_rig},
    {"of", read_of},
    {"true", read_true},
    {"rig-free", read_rig_free},
    {"directions", read_directions},
    {"load", read_load},
    {"throws", read_throws},
    {"scatter", read_throws},
    {"shift", read_throws},
    {"jitter", read_throws},
    {"bad", read_throws},
    {"missed", read_throws},
    {"spurious", read_throws},
    {"drag", read_throws},
    {"angles", read_rows},
    {"apparatus", read_apparatus},
    {"bootstrap", read_bootstrap},
};

static int read_line(const struct line *line, struct design *d, struct cf_error *err)
{
    for (size_t i = 0; i < sizeof reader / sizeof reader[0]; i++)
        if (strcmp(reader[i].word, line->word[0]) == 0)
            return reader[i].read(line, d, err);
    return bad(err, "no such line in a study");
}

static void split(char *text, struct line *line)
{
    line->n = 0;
    for (char *word = strtok(text, " \t\n"); word && *word != '#' && line->n < MAX_WORDS;
         word = strtok(NULL, " \t\n"))
        line->word[line->n++] = word;
}

static int grow(struct design **list, size_t *n, const char *name, struct cf_error *err)
{
    struct design *more = realloc(*list, (*n + 1) * sizeof *more);
    if (!more)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu designs", *n + 1);
    *list = more;
    more[*n] = (struct design){.protocol = cf_protocol_find("impact")};
    copy_word(more[(*n)++].name, name);
    return CF_OK;
}

void design_free(struct design *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        cf_contact_laws_clear(&list[i].made);
        free(list[i].study);
    }
    free(list);
}

/* A study's path is one beside the table. */
static int find_study(const char *table, struct design *d, struct cf_error *err)
{
    const char *slash = strrchr(table, '/');
    char *name = d->study;

    if (!name || !slash)
        return CF_OK;
    d->study = cf_format("%.*s/%s", (int) (slash - table), table, name);
    free(name);
    return d->study ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a path");
}

int design_read(const char *path, struct design **list, size_t *n, struct cf_error *err)
{
    FILE *in = fopen(path, "r");
    struct cf_error why = {""};
    char text[256];
    struct line line;
    int status = CF_OK, number = 0;

    *list = NULL;
    *n = 0;
    if (!in)
        return cf_fail(err, CF_EIO, "%s: cannot be read", path);
    while (!status && fgets(text, sizeof text, in)) {
        number++;
        split(text, &line);
        if (line.n == 2 && strcmp(line.word[0], "study") == 0)
            status = grow(list, n, line.word[1], &why);
        else if (line.n)
            status =
                *n ? read_line(&line, &(*list)[*n - 1], &why) : bad(&why, "study NAME is wanted");
    }
    fclose(in);
    for (size_t i = 0; i < *n && !status; i++)
        status = find_study(path, &(*list)[i], &why);
    return status ? cf_fail(err, status, "%s:%d: %.900s", path, number, why.text) : CF_OK;
}

/* The place of row i, and its rate: a stroke forth and one back at each rate. */
static int put_stroke_row(const struct design *d, size_t i, struct cf_dataset *data,
                          struct cf_error *err)
{
    size_t stroke = i / d->nrow, at = i % d->nrow;
    double share = (double) at / (double) (d->nrow - 1), rate = d->rate[stroke / 2];
    int status;

    if (stroke % 2) {
        share = 1 - share;
        rate = -rate;
    }
    status = cf_dataset_put(data, i, d->protocol->axis_channel, d->from + (d->to - d->from) * share,
                            d->imposed_sigma, err);
    return status ? status
                  : cf_dataset_put(data, i, cf_protocol_channel(d->protocol, "rate"), rate, 0, err);
}

/* What is imposed on row i, whose place is this share of the range. */
static int put_axis_row(const struct design *d, size_t i, double share, size_t imposed,
                        struct cf_dataset *data, struct cf_error *err)
{
    double sign = d->both_directions && i % 2 ? -1 : 1;
    double at =
        d->linear ? d->from + (d->to - d->from) * share : d->from * pow(d->to / d->from, share);

    return cf_dataset_put(data, i, imposed, sign * at, d->imposed_sigma, err);
}

int design_put_rig(const struct design *d, struct cf_dataset *data, struct cf_error *err)
{
    const struct cf_protocol *protocol = data->protocol;

    for (size_t i = 0; i < d->nrig; i++) {
        size_t j = cf_param_find(protocol->apparatus, protocol->napparatus, d->rig[i].name);
        if (j == protocol->napparatus)
            return cf_fail(err, CF_EINPUT, "no number of the rig is called %s", d->rig[i].name);
        data->apparatus[j] = d->rig[i].value;
    }
    return CF_OK;
}

void design_put_serial(const struct design *d, struct cf_problem *truth)
{
    for (size_t i = 0; i < truth->nserial; i++) {
        struct cf_serial_model *to = &truth->serial[i].model;
        to->kind = d->serial.kind;
        to->order = d->serial.order;
        to->share = d->serial.share;
        memcpy(to->partial, d->partial, to->order * sizeof *to->partial);
    }
}

static int make_rows(const struct design *d, gsl_rng *rng, struct cf_dataset *data,
                     struct cf_error *err)
{
    size_t imposed =
        d->drops ? cf_protocol_channel(d->protocol, "drop_height") : d->protocol->axis_channel;
    size_t load = cf_protocol_channel(d->protocol, "load");
    size_t repeats = d->repeats ? d->repeats : 1, place[MAX_ROWS];
    int status;

    if (d->nrate)
        repeats = 2 * d->nrate;
    if (d->nrow * repeats > MAX_ROWS)
        return bad(err, "too many rows");

    *data = (struct cf_dataset){
        .pair = {.mass_kg = d->mass_kg, .radius_m = d->radius_m, .gravity_m_s2 = 9.81}};
    data->name = calloc(1, sizeof "synthetic");
    if (!data->name)
        return cf_fail(err, CF_ENOMEM, "no memory for a data set");
    strcpy(data->name, "synthetic");
    status = cf_dataset_alloc(data, d->protocol, d->nrow * repeats, err);
    if (!status)
        status = design_put_rig(d, data, err);
    for (size_t i = 0; i < d->napparatus && !status; i++) {
        size_t to =
            cf_param_find(d->protocol->apparatus, d->protocol->napparatus, d->apparatus[i].name);
        if (to == d->protocol->napparatus)
            return bad(err, "no such number of the apparatus");
        data->apparatus[to] = d->apparatus[i].value;
    }
    for (size_t i = 0; i < data->nrow && !status; i++)
        place[i] = i / repeats;
    if (d->shuffled)
        gsl_ran_shuffle(rng, place, data->nrow, sizeof *place);
    for (size_t i = 0; i < data->nrow && !status; i++) {
        double share = d->nrow > 1 ? (double) place[i] / (double) (d->nrow - 1) : 0;
        data->line[i] = i + 2;
        status = d->nrate ? put_stroke_row(d, i, data, err)
                          : put_axis_row(d, i, share, imposed, data, err);
        if (!status && d->load_N > 0 && load < d->protocol->nchannel)
            status = cf_dataset_put(data, i, load, d->load_N, 0, err);
        for (size_t j = 0; j < d->nmeasured && !status; j++) /* values are drawn later */
            status = cf_dataset_put(data, i, d->measured[j].column, 0,
                                    d->measured[j].estimated ? 0 : d->measured[j].sigma, err);
    }
    for (size_t j = 0; j < d->nmeasured && !status; j++) {
        struct cf_series *series = &data->series[d->measured[j].column];
        series->kind = d->measured[j].estimated ? CF_SIGMA_ESTIMATE : CF_SIGMA_GIVEN;
        series->dense = d->serial.kind != CF_SERIAL_WHITE;
    }
    return status ? status : cf_dataset_conditions(data, err);
}

static bool is_free(const struct design *d, const char *name)
{
    for (size_t i = 0; i < d->nfree; i++)
        if (strcmp(d->free[i], name) == 0)
            return true;
    return false;
}

/* Throws by the design's truth. */
static int make_throws(const struct design *d, struct cf_curves *curves, gsl_rng *rng,
                       struct cf_dataset *data, struct cf_grouping *grouping, struct cf_error *err)
{
    const struct cf_pair pair = {
        .mass_kg = d->mass_kg, .radius_m = d->radius_m, .gravity_m_s2 = 9.81};
    double p[CF_MAX_PARAM] = {0};

    for (size_t i = 0; i < d->ntrue; i++)
        for (size_t j = 0; j < d->truth->nparam; j++)
            if (strcmp(d->truth->param[j].name, d->true_value[i].name) == 0)
                p[j] = d->true_value[i].value;
    return throws_make(&d->throws, d->truth, p, pair, curves, rng, data, grouping, NULL, err);
}

/* A replicate of its own throws. */
static int generate(const void *owner, struct cf_curves *curves, uint64_t seed, uint64_t stream,
                    struct cf_spec *spec, struct cf_error *err)
{
    gsl_rng *rng = cf_random_stream(seed, stream);
    int status = rng ? make_throws(owner, curves, rng, spec->data, &spec->grouping, err)
                     : cf_fail(err, CF_ENOMEM, "no memory for a random stream");

    spec->ndata = 1;
    if (rng)
        gsl_rng_free(rng);
    return status;
}

static void add_free(struct cf_spec *spec, const char *name)
{
    spec->free[spec->nfree++] =
        (struct cf_free){name, NAN, NAN, NAN, NAN, NAN, false, CF_SHARED_BY_ALL};
}

static void add_given(struct cf_spec *spec, const struct design_value *v)
{
    spec->given[spec->ngiven++] = (struct cf_given){v->name, v->value, false};
}

/* The groups of the rows: places, or sessions of equal length in the order of the rows. */
static int make_groups(const struct design *d, struct design_case *c, struct cf_error *err)
{
    struct cf_dataset *data = &c->data;
    size_t level, n = data->nrow;
    int status =
        cf_grouping_level(&c->grouping, d->sessions ? "session" : "speed", SIZE_MAX, &level, err);

    c->grouping.origin = d->group;
    if (!status)
        status = cf_dataset_group_room(data, 1, err);
    for (size_t i = 0; i < n && !status; i++) {
        char text[DESIGN_WORD];
        if (d->sessions)
            snprintf(text, sizeof text, "%zu", i * d->sessions / n);
        else
            snprintf(text, sizeof text, "%.17g", data->protocol->abscissa(data, i));
        status = cf_grouping_number(&c->grouping, level, CF_NO_GROUP, text, &data->group[i], err);
    }
    return status;
}

static void add_prior(const struct design *d, size_t i, struct cf_spec *spec)
{
    for (size_t j = 0; j < spec->nfree; j++)
        for (size_t k = 0; k < d->ntrue; k++)
            if (strcmp(spec->free[j].name, d->prior[i].name) == 0 &&
                strcmp(d->true_value[k].name, d->prior[i].name) == 0) {
                double value = d->true_value[k].value * exp(d->prior[i].value * d->prior_sigma[i]);
                spec->free[j].prior_value = value;
                spec->free[j].prior_sigma = value * d->prior_sigma[i];
            }
}

/* A nuisance is sought within so many sigmas of its prior; one without, of what is measured. */
static const double bias_range = 20, free_range = 1000;

static void add_nuisances(const struct design *d, struct design_case *c)
{
    c->fitted.nuisance = c->nuisance;
    for (size_t i = 0; i < d->nmeasured; i++) {
        bool free = isinf(d->bias_sigma[i]);
        double most = free ? free_range * d->measured[i].sigma : bias_range * d->bias_sigma[i];
        if (d->bias_sigma[i] > 0)
            c->nuisance[c->fitted.nnuisance++] =
                (struct cf_nuisance){.kind = CF_NUISANCE_BIAS,
                                     .index = d->measured[i].column,
                                     .min = -most,
                                     .max = most,
                                     .start = NAN,
                                     .prior_value = free ? (double) NAN : 0,
                                     .prior_sigma = free ? (double) NAN : d->bias_sigma[i]};
    }
}

/* Searches do not begin at the truth, but this share of the range beside it. */
static const double aside = 0.3;

static void add_rig(const struct design *d, struct design_case *c)
{
    const struct cf_protocol *protocol = d->protocol;

    for (size_t i = 0; i < d->nrig_free; i++) {
        size_t j = cf_param_find(protocol->apparatus, protocol->napparatus, d->rig_free[i].name);
        double truth = c->data.apparatus[j], range = d->rig_free[i].value;
        c->nuisance[c->fitted.nnuisance++] =
            (struct cf_nuisance){.kind = CF_NUISANCE_APPARATUS,
                                 .index = j,
                                 .min = fmax(truth - range, protocol->apparatus[j].lower),
                                 .max = truth + range,
                                 .start = truth + aside * range,
                                 .prior_value = NAN,
                                 .prior_sigma = NAN};
    }
}

static void make_specs(const struct design *d, struct design_case *c)
{
    c->truth = (struct cf_spec){.law = d->truth, .ndata = 1, .data = &c->data};
    c->truth.options = cf_fit_defaults;
    design_options(d, &c->truth.options);
    c->fitted = c->truth;
    c->fitted.law = d->fit;
    for (size_t i = 0; i < d->nfree; i++)
        add_free(&c->fitted, d->free[i]);
    for (size_t i = 0; i < d->nfixed; i++)
        add_given(&c->fitted, &d->fixed[i]);
    for (size_t i = 0; i < d->nprior; i++)
        add_prior(d, i, &c->fitted);
    add_nuisances(d, c);
    add_rig(d, c);
    if (d->fit == d->truth) {
        for (size_t i = 0; i < d->ntrue; i++)
            if (!is_free(d, d->true_value[i].name))
                add_given(&c->fitted, &d->true_value[i]);
        c->truth = c->fitted;
        c->truth.nuisance = NULL;
        c->truth.nnuisance = 0;
        c->truth.grouping = c->grouping;
        if (d->throws.n || d->group == CF_GROUPS_STATED || d->group == CF_GROUPS_BY_PLACE)
            c->fitted.grouping = c->grouping;
        return;
    }
    for (size_t i = 0; i < d->ntrue; i++)
        add_free(&c->truth, d->true_value[i].name);
}

int design_prepare(const struct design *design, struct cf_curves *curves, struct design_case *c,
                   struct cf_error *err)
{
    gsl_rng *rng;
    int status;

    if (design->study)
        return recorded_prepare(design, curves, c, err);
    *c = (struct design_case){.theta = {0}};
    if (!design->truth || !design->fit ||
        (!design->throws.n && (!design->nrow || !design->nmeasured)))
        return cf_fail(err, CF_EINPUT, "%s: truth, fit, rows or measure is missing", design->name);
    rng = cf_random_stream(design->seed, UINT64_MAX);
    if (!rng)
        return cf_fail(err, CF_ENOMEM, "no memory for a random stream");
    c->generator = (struct cf_generator){design, generate};
    status = design->throws.n ? cf_curves_prepare(curves, design->truth, err)
                              : make_rows(design, rng, &c->data, err);
    if (!status && design->throws.n)
        status = make_throws(design, curves, rng, &c->data, &c->grouping, err);
    gsl_rng_free(rng);
    if (!status && !design->throws.n && (design->tau > 0 || design->group != CF_GROUPS_ABSENT))
        status = make_groups(design, c, err);
    make_specs(design, c);
    c->list = (struct disturb_list){design->ndisturb, design->disturb};
    c->disturbance = (struct cf_disturbance){disturb_all, &c->list};
    if (!status)
        status = cf_problem_init(&c->problem, &c->truth, design->truth, curves, CF_ROW_FIT,
                                 CF_SCOPE_ALL, err);
    if (!status)
        design_put_serial(design, &c->problem);
    for (size_t i = 0; i < c->problem.nfree && !status; i++)
        for (size_t j = 0; j < design->ntrue; j++)
            if (strcmp(c->problem.unknown[i].name, design->true_value[j].name) == 0)
                c->theta[i] = cf_unknown_theta(&c->problem.unknown[i], design->true_value[j].value);
    /* of a dense record they are unknowns like those of the law, and stand behind them */
    for (size_t i = 0; i < c->fitted.nnuisance && !status; i++)
        if (c->fitted.nuisance[i].kind == CF_NUISANCE_APPARATUS)
            c->theta[c->problem.nfree + i] = c->data.apparatus[c->fitted.nuisance[i].index];
    for (size_t i = 0; i < c->problem.nchannel && !status; i++)
        for (size_t j = 0; j < design->nmeasured; j++)
            if (c->problem.channel[i].column == design->measured[j].column)
                c->sigma[i] = design->measured[j].sigma;
    for (size_t i = 0; i < c->problem.neffect && !status; i++)
        for (size_t j = 0; j < design->nmeasured; j++)
            if (c->problem.effect[i].column == design->measured[j].column)
                c->problem.effect[i].variance = gsl_pow_2(design->tau * design->measured[j].sigma);
    return status;
}

void design_case_clear(struct design_case *c)
{
    cf_problem_free(&c->problem);
    cf_dataset_clear(&c->data);
    cf_study_free(c->study);
    cf_grouping_clear(&c->grouping);
}

void design_options(const struct design *d, struct cf_fit_options *options)
{
    options->screen = 256;
    options->starts = d->starts ? d->starts : 6;
    options->rough_tests = true;
}
