/* `needed` of a study: how near a curve has to be to what is measured, and where. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
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

/* The data set and channel that a need is of; the names of what has a curve, for who asks for
 * something else. A record's readings have none. */
static int find_quantity(const struct cf_study *study, const struct cf_yaml *at,
                         const struct cf_dataset **data, size_t *channel, struct cf_error *err)
{
    const char *known[2 * CF_MAX_COLUMN];
    size_t n = 0;

    *data = NULL;
    for (size_t i = 0; i < study->spec.ndata; i++) {
        const struct cf_dataset *d = &study->spec.data[i];
        for (size_t c = 0; c < d->protocol->nchannel; c++) {
            bool named = strcmp(d->protocol->channel[c].name, at->key) == 0;
            if (d->protocol->channel[c].role != CF_ROLE_MEASURED || !measures(d, c))
                continue;
            if (named && d->protocol->record)
                return cf_yaml_fail_key(
                    at, err,
                    "%s: readings of %s are a record, one behind the other in time: how far a "
                    "curve is off is judged of rows along an axis, as restitution over speed",
                    at->key, d->protocol->name);
            if (named) {
                *data = d;
                *channel = c;
                return CF_OK;
            }
            if (!d->protocol->record && n < sizeof known / sizeof *known)
                known[n++] = d->protocol->channel[c].name;
        }
    }
    if (n == 0)
        return cf_yaml_fail_key(at, err,
                                "%s: nothing measured here has a curve along an axis: readings of "
                                "these data sets are records",
                                at->key);
    return cf_yaml_unknown(at, "measured quantity", at->key, known, n, err);
}

/* Does a row lie there? */
static int check_range(const struct cf_study *study, const struct cf_yaml *at,
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
    const struct cf_dataset *d;
    size_t channel = 0;
    int status = find_quantity(study, at, &d, &channel, err);

    if (!status && at->kind == CF_YAML_MAP)
        status = cf_schema_check(at, &cf_study_need_schema, err);
    if (status)
        return status;
    *need = (struct cf_need){
        .quantity = d->protocol->channel[channel].name, .low = (double) NAN, .high = (double) NAN};
    if (at->kind == CF_YAML_MAP) {
        status = cf_yaml_need(at, "within", &within, err);
        if (!status)
            status = read_range(at, &d->protocol->axis, need, err);
    }
    if (!status)
        status = cf_yaml_spread(within, d->protocol->channel[channel].unit, &need->within,
                                &need->relative, err);
    return status ? status : check_range(study, at, need, err);
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
