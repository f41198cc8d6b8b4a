/* `needed` of a study: how near a curve has to be to what is measured, and where. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/text.h"
#include "experiment/run_number.h"
#include "study/keys.h"
#include "study/parts.h"

/* Does a row measure the quantity, or something that gives it as its headline? */
static bool measures_in_row(const struct cf_dataset *d, size_t row, size_t channel)
{
    for (size_t c = 0; c < d->protocol->nchannel; c++) {
        double value = 1, sigma = 1;
        if (d->protocol->channel[c].role == CF_ROLE_MEASURED && cf_dataset_has(d, row, c) &&
            (c == channel ||
             (channel == d->protocol->headline && cf_protocol_headline(d, c, 1, &value, &sigma))))
            return true;
    }
    return false;
}

static bool measures(const struct cf_dataset *d, size_t channel)
{
    bool any = false;

    for (size_t row = 0; row < d->nrow && !any; row++)
        any = measures_in_row(d, row, channel);
    return any;
}

/* What a need is of: a channel of a data set, or a number of its runs. */
struct quantity {
    const struct cf_dataset *data;
    const struct cf_run_number *number; /* NULL: */
    size_t channel;
    const char *name, *unit;
    const struct cf_axis *axis; /* NULL: none */
};

/* Names of what may be needed, for who asks for something else. */
struct names {
    const char *of[2 * CF_MAX_COLUMN];
    size_t n;
};

static void add_name(struct names *names, const char *name)
{
    bool known = names->n == sizeof names->of / sizeof *names->of;

    for (size_t i = 0; i < names->n && !known; i++)
        known = strcmp(names->of[i], name) == 0;
    if (!known)
        names->of[names->n++] = name;
}

static bool find_number(const struct cf_dataset *d, const char *name, struct quantity *q,
                        struct names *names)
{
    for (size_t i = 0; i < d->protocol->nrun_number; i++) {
        const struct cf_run_number *number = &d->protocol->run_number[i];
        if (!measures(d, number->channel))
            continue;
        add_name(names, number->name);
        if (strcmp(number->name, name) == 0) {
            *q = (struct quantity){d,           number, number->channel, number->name, number->unit,
                                   number->axis};
            return true;
        }
    }
    return false;
}

/* The readings of a record have no curve. */
static bool find_channel(const struct cf_dataset *d, const char *name, struct quantity *q,
                         struct names *names, bool *reading)
{
    for (size_t c = 0; c < d->protocol->nchannel; c++) {
        const struct cf_channel_row *channel = &d->protocol->channel[c];
        if (channel->role != CF_ROLE_MEASURED || !measures(d, c))
            continue;
        bool named = strcmp(channel->name, name) == 0;
        *reading = *reading || (named && d->protocol->record);
        if (d->protocol->record)
            continue;
        add_name(names, channel->name);
        if (named) {
            *q = (struct quantity){d, NULL, c, channel->name, channel->unit, &d->protocol->axis};
            return true;
        }
    }
    return false;
}

static int find_quantity(const struct cf_study *study, const struct cf_yaml *at, struct quantity *q,
                         struct cf_error *err)
{
    struct names names = {.n = 0};
    bool reading = false;

    for (size_t i = 0; i < study->spec.ndata; i++) {
        const struct cf_dataset *d = &study->spec.data[i];
        if (find_number(d, at->key, q, &names) || find_channel(d, at->key, q, &names, &reading))
            return CF_OK;
    }
    if (reading) {
        char *list = names.n ? cf_joined(names.of, names.n, " or ") : NULL;
        int status = cf_yaml_fail_key(
            at, err,
            "%s: its readings are a record, one behind the other in time, and no use needs each "
            "of them: state a number of its runs%s%s",
            at->key, list ? ", " : "; of these data none is made", list ? list : "");
        free(list);
        return status;
    }
    return cf_yaml_unknown(at, "measured quantity", at->key, names.of, names.n, err);
}

/* Does a row lie there? */
static int check_rows(const struct cf_study *study, const struct cf_yaml *at,
                      const struct cf_need *need, struct cf_error *err)
{
    double low = (double) INFINITY, high = 0;
    const struct cf_axis *axis = NULL;

    for (size_t i = 0; i < study->spec.ndata; i++) {
        const struct cf_dataset *d = &study->spec.data[i];
        size_t c = cf_protocol_channel(d->protocol, need->quantity);
        for (size_t row = 0; c < d->protocol->nchannel && row < d->nrow; row++) {
            if (d->use[row] != CF_ROW_FIT || !measures_in_row(d, row, c))
                continue;
            double x = fabs(d->protocol->abscissa(d, row));
            axis = &d->protocol->axis;
            low = fmin(low, x);
            high = fmax(high, x);
            if (!(x < need->low) && !(x > need->high))
                return CF_OK;
        }
    }
    if (!axis)
        return cf_yaml_fail_key(at, err, "%s: no row that is fitted measures it", at->key);
    return cf_yaml_fail_key(at, err,
                            "%s: no row that is fitted lies in this range: the %s of those that "
                            "measure it go from %.4g to %.4g %s",
                            at->key, axis->plural, low, high, axis->unit);
}

/* Does a run lie there? */
static int check_runs(const struct cf_study *study, const struct cf_yaml *at,
                      const struct cf_need *need, struct cf_error *err)
{
    double low = (double) INFINITY, high = 0;
    const struct cf_axis *axis = NULL;

    for (size_t i = 0; i < study->spec.ndata; i++) {
        const struct cf_dataset *d = &study->spec.data[i];
        const struct cf_run_number *number = cf_run_number_find(d->protocol, need->quantity);
        struct cf_run *run = NULL;
        size_t n = 0;
        int status = number ? cf_runs_cut(d, number, &run, &n, err) : CF_OK;
        bool inside = false;
        for (size_t k = 0; k < n; k++) {
            double x = fabs(run[k].place);
            axis = number->axis;
            low = fmin(low, x);
            high = fmax(high, x);
            inside = inside || !axis || (!(x < need->low) && !(x > need->high));
        }
        free(run);
        if (status || inside)
            return status;
    }
    if (!axis)
        return cf_yaml_fail_key(at, err, "%s: no run of these records has it", at->key);
    return cf_yaml_fail_key(at, err,
                            "%s: no run lies in this range: the %s of those that measure it go "
                            "from %.4g to %.4g %s",
                            at->key, axis->plural, low, high, axis->unit);
}

static int read_range(const struct cf_yaml *at, const struct cf_axis *axis, struct cf_need *need,
                      struct cf_error *err)
{
    const struct cf_yaml *from = cf_yaml_get(at, "from"), *to = cf_yaml_get(at, "to");
    int status = CF_OK;

    if (from)
        status = cf_yaml_quantity(from, axis->unit, &need->low, err);
    if (!status && to)
        status = cf_yaml_quantity(to, axis->unit, &need->high, err);
    if (!status && need->low >= need->high)
        status = cf_yaml_fail(to, err, "to: %s: must lie beyond from", to->text);
    return status;
}

static int read_need(const struct cf_study *study, const struct cf_yaml *at, struct cf_need *need,
                     struct cf_error *err)
{
    const struct cf_yaml *within = at;
    struct quantity q;
    int status = find_quantity(study, at, &q, err);

    if (!status && at->kind == CF_YAML_MAP)
        status = cf_schema_check(at, &cf_study_need_schema, err);
    if (status)
        return status;
    *need = (struct cf_need){.quantity = q.name, .low = (double) NAN, .high = (double) NAN};
    if (at->kind == CF_YAML_MAP) {
        const struct cf_yaml *from = cf_yaml_get(at, "from"), *to = cf_yaml_get(at, "to");
        status = cf_yaml_need(at, "within", &within, err);
        if (!status && !q.axis && (from || to))
            return cf_yaml_fail_key(from ? from : to, err,
                                    "%s: %s is one number a run, and runs lie along no axis",
                                    from ? "from" : "to", q.name);
        if (!status && q.axis)
            status = read_range(at, q.axis, need, err);
    }
    if (!status)
        status = cf_yaml_spread(within, q.unit, &need->within, &need->relative, err);
    if (status)
        return status;
    return q.number ? check_runs(study, at, need, err) : check_rows(study, at, need, err);
}

int cf_study_needs(struct cf_study *study, const struct cf_yaml *root, struct cf_error *err)
{
    const struct cf_yaml *needs = cf_yaml_get(root, "needed");
    struct cf_spec *spec = &study->spec;
    int status =
        needs ? cf_yaml_need_some(root, "needed", "restitution: 0.02", &needs, err) : CF_OK;

    for (size_t i = 0; needs && !status && i < needs->n; i++) {
        struct cf_need *longer = cf_list_grow(spec->need, spec->nneed, sizeof *longer);
        if (!longer)
            return cf_fail(err, CF_ENOMEM, "no memory for the needs of a study");
        spec->need = longer;
        status = read_need(study, &needs->item[i], &longer[spec->nneed], err);
        spec->nneed += !status;
    }
    return status;
}
