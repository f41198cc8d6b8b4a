#include "experiment/protocol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t cf_protocol_channel(const struct cf_protocol *protocol, const char *name)
{
    size_t i = 0;
    while (i < protocol->nchannel && strcmp(protocol->channel[i].name, name) != 0)
        i++;
    return i;
}

bool cf_protocol_same(const struct cf_protocol *a, const struct cf_protocol *b)
{
    bool same = a == b || (a->by_scene && b->by_scene && a->nchannel == b->nchannel &&
                           strcmp(a->name, b->name) == 0);

    for (size_t i = 0; i < a->nchannel && same && a != b; i++)
        same = strcmp(a->channel[i].name, b->channel[i].name) == 0;
    return same;
}

size_t cf_protocol_read(const struct cf_protocol *protocol)
{
    return protocol->recording ? protocol->recording->nread : protocol->nchannel;
}

bool cf_channel_drives(const struct cf_protocol *protocol, size_t channel)
{
    for (size_t k = 0; k < protocol->ncondition; k++)
        if (protocol->condition[k] == channel)
            return false;
    return protocol->channel[channel].role == CF_ROLE_IMPOSED;
}

bool cf_channel_predicted(const struct cf_channel_row *channel, enum cf_family family)
{
    return channel->families >> family & 1u;
}

bool cf_channel_common(const struct cf_protocol *protocol, size_t channel)
{
    unsigned any = 0;

    for (size_t i = 0; i < protocol->nchannel; i++)
        any |= protocol->channel[i].families;
    return any && protocol->channel[channel].families == any;
}

int cf_law_suits(const struct cf_law *law, const struct cf_dataset *d, struct cf_error *err)
{
    return d->protocol->check_law ? d->protocol->check_law(d, law, err) : CF_OK;
}

size_t cf_apparatus_value(const struct cf_law *law, size_t parameter)
{
    return law->nparam + parameter;
}

int cf_apparatus_param(const struct cf_dataset *d, size_t parameter, struct cf_param *row,
                       struct cf_error *err)
{
    *row = d->protocol->apparatus[parameter];
    row->typical = d->apparatus[parameter];
    return d->protocol->range ? d->protocol->range(d, parameter, row, err) : CF_OK;
}

const char *cf_law_flat(const struct cf_dataset data[], size_t n, const char *parameter)
{
    for (size_t i = 0; i < n; i++) {
        const struct cf_protocol *p = data[i].protocol;
        if (p->flat_parameter && strcmp(p->flat_parameter, parameter) == 0)
            return p->on_flat;
    }
    return NULL;
}

size_t cf_windows_shown(const struct cf_dataset *d)
{
    return d->nsegment < d->protocol->windows ? d->nsegment : d->protocol->windows;
}

size_t cf_window_shown(const struct cf_dataset *d, size_t k)
{
    size_t n = cf_windows_shown(d);

    return n > 1 ? k * (d->nsegment - 1) / (n - 1) : 0;
}

bool cf_row_shown(const struct cf_dataset *d, size_t row)
{
    bool shown = d->nsegment == 0;

    for (size_t k = 0; k < cf_windows_shown(d) && !shown; k++) {
        const struct cf_segment *s = &d->segment[cf_window_shown(d, k)];
        shown = row >= s->first && row < s->first + s->count;
    }
    return shown;
}

int cf_dataset_like(const struct cf_dataset *like, size_t n, struct cf_dataset *out,
                    struct cf_error *err)
{
    const struct cf_protocol *protocol = like->protocol;
    int status;

    *out = (struct cf_dataset){.pair = like->pair};
    status = cf_dataset_alloc(out, protocol, n, err);
    if (status)
        return status;
    out->drive = cf_recorded_drive_share(like->drive);
    out->press = cf_press_share(like->press);
    memcpy(out->apparatus, like->apparatus, protocol->napparatus * sizeof *like->apparatus);
    memcpy(out->condition, like->condition, protocol->ncondition * sizeof *like->condition);
    for (size_t k = 0; k < protocol->ncondition; k++)
        for (size_t i = 0; i < n && !status && !isnan(like->condition[k]); i++)
            status = cf_dataset_put(out, i, protocol->condition[k], like->condition[k], 0, err);
    return status;
}

int cf_dataset_along(const struct cf_dataset *like, size_t n, const double abscissa[],
                     struct cf_dataset *out, struct cf_error *err)
{
    int status = cf_dataset_like(like, n, out, err);

    for (size_t i = 0; i < n && !status; i++)
        status = cf_dataset_put(out, i, like->protocol->axis_channel, abscissa[i], 0, err);
    return status;
}

int cf_protocol_predict(struct cf_curves *curves, const struct cf_request *request,
                        struct cf_response *out, struct cf_error *err)
{
    const struct cf_protocol *protocol = request->data->protocol;
    void *work = protocol->open ? protocol->open(curves) : NULL;
    int status = protocol->open && !work ? cf_fail(err, CF_ENOMEM, "no memory for predictions")
                                         : protocol->predict(work, request, out, err);

    if (work)
        protocol->close(work);
    return status;
}

int cf_predict_row(struct cf_curves *curves, const struct cf_law *law, const double p[],
                   const struct cf_dataset *d, size_t row, double tolerance,
                   struct cf_prediction *out, struct cf_error *err)
{
    const struct cf_protocol *protocol = d->protocol;
    size_t channel[CF_MAX_COLUMN], by[CF_MAX_PARAM], n = 0;
    double y[CF_MAX_COLUMN], by_imposed[CF_MAX_COLUMN];
    double *value = malloc((law->nparam + protocol->napparatus + 1) * sizeof *value);
    double by_value[CF_MAX_COLUMN * CF_MAX_PARAM];
    struct cf_request request = {.data = d,
                                 .law = law,
                                 .value = value,
                                 .nrow = 1,
                                 .row = &row,
                                 .channel = channel,
                                 .nby = tolerance > 0 ? 0 : law->nparam,
                                 .by = by,
                                 .tolerance = tolerance};
    struct cf_response response = {y, by_value, by_imposed};
    int status;

    if (!value)
        return cf_fail(err, CF_ENOMEM, "no memory for the numbers of a rig");
    for (size_t i = 0; i < law->nparam; i++) {
        value[i] = p[i];
        by[i] = i;
    }
    for (size_t i = 0; i < protocol->napparatus; i++)
        value[law->nparam + i] = d->apparatus[i];
    for (size_t i = 0; i < protocol->nchannel; i++)
        if (protocol->channel[i].role == CF_ROLE_MEASURED)
            channel[n++] = i;
    request.nchannel = n;
    status = cf_protocol_predict(curves, &request, &response, err);
    free(value);
    *out = (struct cf_prediction){.known = 0};
    for (size_t c = 0; c < n && !status; c++) {
        if (isnan(y[c]))
            continue;
        out->known |= 1u << channel[c];
        out->value[channel[c]] = y[c];
        out->by_imposed[channel[c]] = by_imposed[c];
        for (size_t i = 0; i < request.nby; i++)
            out->by_param[channel[c]][i] = by_value[c * request.nby + i];
    }
    return status;
}

void cf_axis_points(const struct cf_axis *axis, double low, double high, size_t n, double point[])
{
    for (size_t i = 0; i < n; i++) {
        double share = (double) i / (double) (n - 1);
        point[i] = axis->linear ? low + (high - low) * share : low * pow(high / low, share);
    }
}

/* Point k of m from rest to the end of an axis that jumps there: the first beside the jump, the
 * others by the cubes of even steps, so that slow sliding is seen on a logarithmic axis, too. */
static double from_rest(double end, size_t k, size_t m)
{
    const double beside = 1e-8, least = 0.05; /* least: whose cube is where the even steps begin */

    return k == 0 ? beside * end
                  : end * pow(least + (1 - least) * (double) k / (double) (m - 1), 3);
}

void cf_axis_curve_points(const struct cf_axis *axis, double low, double high, size_t n,
                          double point[])
{
    size_t next = 1;

    cf_axis_points(axis, low, high, n, point);
    if (!axis->jumps || !(low < 0 && high > 0))
        return;
    while (next + 2 < n && !(point[next] > 0))
        next++;
    for (size_t i = 0; i < next; i++)
        point[i] = from_rest(low, next - 1 - i, next);
    for (size_t i = next; i < n; i++)
        point[i] = from_rest(high, i - next, n - next);
}

bool cf_protocol_headline(const struct cf_dataset *d, size_t channel, double abscissa,
                          double *value, double *sigma)
{
    const struct cf_protocol *protocol = d->protocol;

    if (channel == protocol->headline)
        return true;
    return protocol->headline_from && protocol->headline_from(d, channel, abscissa, value, sigma);
}

void cf_axis_widen(const struct cf_axis *axis, double factor, double *low, double *high)
{
    if (axis->linear) {
        double span = *high > *low ? *high - *low : fmax(fabs(*high), axis->upper - axis->lower);
        double margin = (factor - 1) / 2 * span;
        *low = fmax(*low - margin, axis->lower);
        *high = fmin(*high + margin, axis->upper);
        return;
    }
    *low /= factor;
    *high *= factor;
}
