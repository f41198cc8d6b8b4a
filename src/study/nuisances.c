/* `nuisance` of a data set: numbers that are not exactly known and fitted along, of the apparatus
 * by its names, of what is measured as CHANNEL.gain and CHANNEL.bias. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "study/keys.h"
#include "study/parts.h"

enum { ADDRESS = 80 }; /* more than any name in a message */

/* The parts of a channel's address. */
static const char *const part[] = {"gain", "bias"};
static const enum cf_nuisance_kind kind_of_part[] = {CF_NUISANCE_GAIN, CF_NUISANCE_BIAS};
static const char *const part_of_trace[] = {"delay", "bandwidth"};
enum { NPART = sizeof part / sizeof *part };
enum { NPART_OF_TRACE = sizeof part_of_trace / sizeof *part_of_trace };

static size_t find_word(const char *word, const char *const words[], size_t n)
{
    size_t i = 0;
    while (i < n && strcmp(words[i], word) != 0)
        i++;
    return i;
}

static bool measures(const struct cf_source *source, const struct cf_protocol *protocol,
                     size_t channel)
{
    return source->column[channel].node && protocol->channel[channel].role == CF_ROLE_MEASURED;
}

/* "restitution, duration": what the set measures. */
static const char *measured(const struct cf_source *source, const struct cf_protocol *protocol,
                            char list[], size_t size)
{
    size_t used = 0;

    list[0] = '\0';
    for (size_t i = 0; i < protocol->nchannel && used < size; i++)
        if (measures(source, protocol, i))
            used += (size_t) snprintf(list + used, size - used, "%s%s", used ? ", " : "",
                                      protocol->channel[i].name);
    return list;
}

static bool is_smoothing(const struct cf_protocol *protocol, size_t parameter)
{
    return parameter - protocol->smoothing < protocol->nsmoothing; /* below it: a huge number */
}

static bool is_gravity(const struct cf_protocol *protocol, size_t parameter)
{
    return protocol->gravity && parameter == protocol->gravity;
}

/* Fail with the nearest of what may be one. */
static int unknown(const struct cf_yaml *at, const struct cf_source *source,
                   const struct cf_protocol *protocol, struct cf_error *err)
{
    size_t room = protocol->napparatus + NPART * protocol->nchannel, n = 0;
    char(*address)[ADDRESS] = calloc(room + 1, sizeof *address);
    const char **known = calloc(room + 1, sizeof *known);
    int status;

    for (size_t i = 0; address && known && i < protocol->napparatus; i++)
        if (!is_smoothing(protocol, i) && !is_gravity(protocol, i))
            snprintf(address[n++], ADDRESS, "%s", protocol->apparatus[i].name);
    for (size_t i = 0; address && known && i < protocol->nchannel; i++)
        for (size_t j = 0; j < NPART && measures(source, protocol, i); j++)
            snprintf(address[n++], ADDRESS, "%s.%s", protocol->channel[i].name, part[j]);
    for (size_t i = 0; address && known && i < n; i++)
        known[i] = address[i];
    status = address && known ? cf_yaml_unknown(at, "nuisance", at->key, known, n, err)
                              : cf_fail(err, CF_ENOMEM, "no memory for names");
    free(address);
    free(known);
    return status;
}

/* CHANNEL.PART. */
static int find_channel(const struct cf_yaml *at, const struct cf_source *source,
                        const struct cf_dataset *d, struct cf_nuisance *nuisance,
                        struct cf_error *err)
{
    const struct cf_protocol *protocol = d->protocol;
    const char *dot = strrchr(at->key, '.');
    size_t n = dot ? (size_t) (dot - at->key) : 0, i = 0, j;
    char list[256];

    while (i < protocol->nchannel && !(strlen(protocol->channel[i].name) == n &&
                                       strncmp(protocol->channel[i].name, at->key, n) == 0))
        i++;
    if (!dot || i == protocol->nchannel)
        return unknown(at, source, protocol, err);
    j = find_word(dot + 1, part, NPART);
    if (!protocol->record && find_word(dot + 1, part_of_trace, NPART_OF_TRACE) < NPART_OF_TRACE)
        return cf_yaml_fail_key(at, err,
                                "%s: %s belongs to traces, and protocol %s is a table: gain and "
                                "bias are what may be fitted here",
                                at->key, dot + 1, protocol->name);
    if (j == NPART)
        return unknown(at, source, protocol, err);
    if (protocol->channel[i].role == CF_ROLE_IMPOSED)
        return cf_yaml_fail_key(
            at, err, "%s: %s is imposed: a %s may be fitted of what is measured: %s", at->key,
            protocol->channel[i].name, part[j], measured(source, protocol, list, sizeof list));
    if (!source->column[i].node)
        return cf_yaml_fail_key(at, err, "%s: data set %s does not measure %s: it measures %s",
                                at->key, d->name, protocol->channel[i].name,
                                measured(source, protocol, list, sizeof list));
    nuisance->kind = kind_of_part[j];
    nuisance->index = i;
    return CF_OK;
}

/* The largest less the smallest value that is not excluded. */
static double spread(const struct cf_dataset *d, size_t channel)
{
    double low = (double) INFINITY, high = (double) -INFINITY;

    for (size_t row = 0; row < d->nrow; row++)
        if (d->use[row] != CF_ROW_EXCLUDED && cf_dataset_has(d, row, channel)) {
            low = fmin(low, cf_dataset_value(d, row, channel));
            high = fmax(high, cf_dataset_value(d, row, channel));
        }
    return high - low;
}

/* Its unit and ranges; where a fit looks is what struct cf_nuisance says. */
static int number_of(const struct cf_yaml *at, const struct cf_dataset *d,
                     const struct cf_nuisance *nuisance, struct cf_estimand *number,
                     struct cf_error *err)
{
    const struct cf_channel_row *channel;
    double most;

    if (nuisance->kind == CF_NUISANCE_APPARATUS) {
        struct cf_param row;
        int status = cf_apparatus_param(d, nuisance->index, &row, err);
        *number = cf_apparatus_number(&row);
        return status;
    }
    if (nuisance->kind == CF_NUISANCE_GAIN) {
        *number = (struct cf_estimand){.name = at->key,
                                       .unit = "1",
                                       .positive = true,
                                       .upper = (double) INFINITY,
                                       .fit_lower = 0.1,
                                       .fit_upper = 10,
                                       .whose = "the usual bound of a gain"};
        return CF_OK;
    }
    channel = &d->protocol->channel[nuisance->index];
    most = spread(d, nuisance->index);
    *number = (struct cf_estimand){.name = at->key,
                                   .unit = channel->unit,
                                   .lower = (double) -INFINITY,
                                   .upper = (double) INFINITY,
                                   .fit_lower = -most,
                                   .fit_upper = most,
                                   .whose = "the spread of what was measured"};
    return CF_OK;
}

/* A value under `apparatus` is where the search starts, unless the nuisance says. */
static int start_at_apparatus(const struct cf_yaml *set, const struct cf_dataset *d,
                              const struct cf_estimand *number, const struct cf_yaml *nuisance,
                              struct cf_nuisance *out, struct cf_error *err)
{
    const struct cf_yaml *apparatus = cf_yaml_get(set, "apparatus");
    const struct cf_yaml *at = apparatus ? cf_yaml_get(apparatus, number->name) : NULL;
    double lower = isnan(out->min) ? number->fit_lower : out->min;
    double upper = isnan(out->max) ? number->fit_upper : out->max;

    if (!at || out->kind != CF_NUISANCE_APPARATUS || !isnan(out->start))
        return CF_OK;
    out->start = d->apparatus[out->index];
    if (out->start >= lower && out->start <= upper)
        return CF_OK;
    return cf_yaml_fail(at, err,
                        "%s: %g, where its search would start, is outside the bounds [%g, %g] of "
                        "line %zu: give start there, too",
                        number->name, out->start, lower, upper, nuisance->key_line);
}

static int read_nuisance(const struct cf_yaml *at, const struct cf_source *source,
                         const struct cf_dataset *d, struct cf_nuisance *out, struct cf_error *err)
{
    const struct cf_yaml *prior, *value, *sigma;
    struct cf_estimand number;
    struct cf_search search;
    int status = cf_schema_check(at, &cf_study_nuisance_schema, err);

    if (status == CF_OK)
        status = number_of(at, d, out, &number, err);
    if (status == CF_OK)
        status = cf_estimand_search(&number, at, &search, err);
    if (status)
        return status;
    out->min = search.min;
    out->max = search.max;
    out->start = search.start;
    out->prior_value = out->prior_sigma = (double) NAN;
    if (!(number.fit_lower < number.fit_upper) && isnan(out->min) && isnan(out->max))
        return cf_yaml_fail_key(at, err,
                                "%s: all values of data set %s are the same, so that their spread "
                                "gives no bounds: give min and max",
                                at->key, d->name);
    prior = cf_yaml_get(at, "prior");
    if (!prior)
        return start_at_apparatus(source->set, d, &number, at, out, err);
    status = cf_estimand_prior(prior, &value, &sigma, err);
    if (status == CF_OK)
        status = cf_estimand_value(&number, value, &out->prior_value, err);
    if (status == CF_OK)
        status = cf_estimand_sigma(sigma, number.unit, out->prior_value, &out->prior_sigma, err);
    return status == CF_OK ? start_at_apparatus(source->set, d, &number, at, out, err) : status;
}

static int check_free(const struct cf_yaml *at, const struct cf_dataset *d, size_t parameter,
                      struct cf_error *err)
{
    const struct cf_protocol *protocol = d->protocol;
    struct cf_error what = {""};

    if (is_smoothing(protocol, parameter))
        return cf_yaml_fail_key(at, err, "%s is stated or chosen, and never fitted",
                                protocol->apparatus[parameter].name);
    if (is_gravity(protocol, parameter))
        return cf_yaml_fail_key(at, err,
                                "gravity is stated under apparatus, and never fitted: what it may "
                                "be off by is stated with it (gravity: 9.81 m/s^2 +- 0.1 %%)");
    if (!d->protocol->check_free || !d->protocol->check_free(d, parameter, &what))
        return CF_OK;
    return cf_yaml_fail_key(at, err, "%s", what.text);
}

static bool is_said(const struct cf_source *source, const char *list, const char *name)
{
    const struct cf_yaml *map = cf_yaml_get(source->set, list);

    return map && cf_yaml_get(map, name);
}

/* What is always unknown in an experiment, by its protocol, is a nuisance where the study does not
 * state it. */
static int add_unknown(struct cf_study *study, const struct cf_source *source,
                       const struct cf_dataset *d, struct cf_error *err)
{
    const struct cf_protocol *protocol = d->protocol;
    struct cf_spec *spec = &study->spec;

    for (size_t j = 0; spec->law && protocol->is_unknown && j < protocol->napparatus; j++) {
        const char *name = protocol->apparatus[j].name;
        struct cf_nuisance *grown;
        double sd;
        bool unknown;
        int status = protocol->is_unknown(d, j, &unknown, &sd, err);
        if (status)
            return status;
        if (!unknown || is_said(source, "apparatus", name) || is_said(source, "nuisance", name))
            continue;
        grown = realloc(spec->nuisance, (spec->nnuisance + 1) * sizeof *grown);
        if (!grown)
            return cf_fail(err, CF_ENOMEM, "no memory for the nuisances");
        spec->nuisance = grown;
        grown[spec->nnuisance++] = (struct cf_nuisance){
            .data = (size_t) (d - spec->data),
            .kind = CF_NUISANCE_APPARATUS,
            .index = j,
            .min = (double) NAN,
            .max = (double) NAN,
            .start = (double) NAN,
            .prior_value = isfinite(sd) ? protocol->apparatus[j].typical : (double) NAN,
            .prior_sigma = isfinite(sd) ? sd : (double) NAN};
    }
    return CF_OK;
}

int cf_source_nuisances(struct cf_study *study, const struct cf_source *source,
                        const struct cf_dataset *d, struct cf_error *err)
{
    struct cf_spec *spec = &study->spec;
    const struct cf_protocol *protocol = d->protocol;
    const struct cf_yaml *nuisances = cf_yaml_get(source->set, "nuisance");
    int status = nuisances ? cf_yaml_map(nuisances, err) : CF_OK;
    struct cf_nuisance *grown;

    if (status)
        return status;
    if (!nuisances || !nuisances->n)
        return add_unknown(study, source, d, err);
    grown = realloc(spec->nuisance, (spec->nnuisance + nuisances->n) * sizeof *grown);
    if (!grown)
        return cf_fail(err, CF_ENOMEM, "no memory for the nuisances");
    spec->nuisance = grown;
    for (size_t i = 0; i < nuisances->n && status == CF_OK; i++) {
        const struct cf_yaml *at = &nuisances->item[i];
        struct cf_nuisance *out = &spec->nuisance[spec->nnuisance];
        size_t j = cf_param_find(protocol->apparatus, protocol->napparatus, at->key);

        *out = (struct cf_nuisance){
            .data = (size_t) (d - spec->data), .kind = CF_NUISANCE_APPARATUS, .index = j};
        if (j == protocol->napparatus)
            status = find_channel(at, source, d, out, err);
        else
            status = check_free(at, d, j, err);
        if (status == CF_OK)
            status = read_nuisance(at, source, d, out, err);
        spec->nnuisance += status == CF_OK;
    }
    return status ? status : add_unknown(study, source, d, err);
}
