/* Reading the table of synthetic studies, and making a study of a design. */

#include "designs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 12 };

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

static int read_truth(const struct line *line, struct design *d, struct cf_error *err)
{
    int status =
        line->n < 2 ? bad(err, "a law is wanted") : cf_law_get(line->word[1], &d->truth, err);
    return status ? status : read_values(line, 2, d->true_value, &d->ntrue, err);
}

static int read_fit(const struct line *line, struct design *d, struct cf_error *err)
{
    int status =
        line->n < 2 ? bad(err, "a law is wanted") : cf_law_get(line->word[1], &d->fit, err);
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
    d->nrow = (size_t) value[0];
    d->from = value[1];
    d->to = value[2];
    d->imposed_sigma = value[3];
    return status;
}

static int read_measure(const struct line *line, struct design *d, struct cf_error *err)
{
    const struct cf_protocol *impact = cf_protocol_find("impact");
    size_t i = d->nmeasured;

    if (line->n != 4 || i == DESIGN_COLUMNS)
        return bad(err, "QUANTITY SIGMA given|estimated is wanted");
    d->measured[i].column = cf_protocol_channel(impact, line->word[1]);
    d->measured[i].estimated = strcmp(line->word[3], "estimated") == 0;
    if (d->measured[i].column == impact->nchannel)
        return bad(err, "no such quantity");
    if (!d->measured[i].estimated && strcmp(line->word[3], "given"))
        return bad(err, "given or estimated is wanted");
    d->nmeasured++;
    return read_number(line->word[2], &d->measured[i].sigma, err);
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

static const struct {
    const char *word;
    int (*read)(const struct line *line, struct design *d, struct cf_error *err);
} reader[] = {
    {"truth", read_truth}, {"fit", read_fit},         {"fixed", read_fixed},
    {"pair", read_pair},   {"speeds", read_rows},     {"drops", read_rows},
    {"seed", read_seed},   {"measure", read_measure}, {"most", read_most},
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
    more[*n] = (struct design){.nrow = 0};
    copy_word(more[(*n)++].name, name);
    return CF_OK;
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
    return status ? cf_fail(err, status, "%s:%d: %.900s", path, number, why.text) : CF_OK;
}

static int make_rows(const struct design *d, struct cf_dataset *data, struct cf_error *err)
{
    const struct cf_protocol *impact = cf_protocol_find("impact");
    size_t imposed = cf_protocol_channel(impact, d->drops ? "drop_height" : "speed");
    int status;

    *data = (struct cf_dataset){
        .pair = {.mass_kg = d->mass_kg, .radius_m = d->radius_m, .gravity_m_s2 = 9.81}};
    status = cf_dataset_alloc(data, impact, d->nrow, err);
    for (size_t i = 0; i < d->nrow && !status; i++) {
        double share = d->nrow > 1 ? (double) i / (double) (d->nrow - 1) : 0;
        status = cf_dataset_put(data, i, imposed, d->from * pow(d->to / d->from, share),
                                d->imposed_sigma, err);
        for (size_t j = 0; j < d->nmeasured && !status; j++) /* values are drawn later */
            status = cf_dataset_put(data, i, d->measured[j].column, 0,
                                    d->measured[j].estimated ? 0 : d->measured[j].sigma, err);
    }
    for (size_t j = 0; j < d->nmeasured && !status; j++)
        data->series[d->measured[j].column].kind =
            d->measured[j].estimated ? CF_SIGMA_ESTIMATE : CF_SIGMA_GIVEN;
    return status;
}

static bool is_free(const struct design *d, const char *name)
{
    for (size_t i = 0; i < d->nfree; i++)
        if (strcmp(d->free[i], name) == 0)
            return true;
    return false;
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

static void make_specs(const struct design *d, struct design_case *c)
{
    c->truth = (struct cf_spec){.law = d->truth, .ndata = 1, .data = &c->data};
    c->truth.options = cf_fit_defaults;
    design_options(&c->truth.options);
    c->fitted = c->truth;
    c->fitted.law = d->fit;
    for (size_t i = 0; i < d->nfree; i++)
        add_free(&c->fitted, d->free[i]);
    for (size_t i = 0; i < d->nfixed; i++)
        add_given(&c->fitted, &d->fixed[i]);
    if (d->fit == d->truth) {
        for (size_t i = 0; i < d->ntrue; i++)
            if (!is_free(d, d->true_value[i].name))
                add_given(&c->fitted, &d->true_value[i]);
        c->truth = c->fitted;
        return;
    }
    for (size_t i = 0; i < d->ntrue; i++)
        add_free(&c->truth, d->true_value[i].name);
}

int design_prepare(const struct design *design, struct cf_curves *curves, struct design_case *c,
                   struct cf_error *err)
{
    int status;

    *c = (struct design_case){.theta = {0}};
    if (!design->truth || !design->fit || !design->nrow || !design->nmeasured)
        return cf_fail(err, CF_EINPUT, "%s: truth, fit, rows or measure is missing", design->name);
    status = make_rows(design, &c->data, err);
    make_specs(design, c);
    if (!status)
        status = cf_problem_init(&c->problem, &c->truth, design->truth, curves, CF_ROW_FIT,
                                 CF_SCOPE_ALL, err);
    for (size_t i = 0; i < c->problem.nfree && !status; i++)
        for (size_t j = 0; j < design->ntrue; j++)
            if (strcmp(c->problem.unknown[i].name, design->true_value[j].name) == 0)
                c->theta[i] = cf_unknown_theta(&c->problem.unknown[i], design->true_value[j].value);
    for (size_t i = 0; i < c->problem.nchannel && !status; i++)
        for (size_t j = 0; j < design->nmeasured; j++)
            if (c->problem.channel[i].column == design->measured[j].column)
                c->sigma[i] = design->measured[j].sigma;
    return status;
}

void design_case_clear(struct design_case *c)
{
    cf_problem_free(&c->problem);
    cf_dataset_clear(&c->data);
}

void design_options(struct cf_fit_options *options)
{
    options->screen = 256;
    options->starts = 6;
    options->rough_tests = true;
}
