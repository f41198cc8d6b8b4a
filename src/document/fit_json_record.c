/* The record of a data set as it was cut, so that a figure can show where: one measured channel
 * over time, thinned, what became of each row, and where segments begin. */

#include <math.h>
#include <string.h>

#include "document/fit_json.h"
#include "experiment/protocol.h"

/* Rows of a record in the file at most, evenly spaced; reasons for excluding rows that are told
 * apart. */
enum { MOST_ROWS = 600, MOST_REASONS = 6 };

/* What becomes of a row, as the file has it: from EXCLUDED on the reason. */
enum { FITTED, HELD_OUT, EXCLUDED };

/* The main channel, or where that is made of others the first that was measured. */
static size_t shown_channel(const struct cf_dataset *d)
{
    const struct cf_protocol *protocol = d->protocol;

    if (d->series[protocol->headline].value)
        return protocol->headline;
    for (size_t i = 0; i < protocol->nchannel; i++)
        if (protocol->channel[i].role == CF_ROLE_MEASURED && d->series[i].value)
            return i;
    return CF_NO_CHANNEL;
}

/* The place of a reason in the list, which it may be new in; the last place is that of all that
 * have no room. */
static size_t reason_of(const char *because, const char *reason[], size_t *n)
{
    size_t i = 0;

    while (i < *n && strcmp(reason[i], because) != 0)
        i++;
    if (i == *n && *n < MOST_REASONS)
        reason[(*n)++] = *n == MOST_REASONS - 1 ? "other reasons" : because;
    return i < MOST_REASONS ? i : MOST_REASONS - 1;
}

static double place(const struct cf_dataset *d, size_t row)
{
    return d->protocol->clock == CF_NO_CHANNEL ? (double) (row + 1)
                                               : cf_dataset_value(d, row, d->protocol->clock);
}

void cf_fit_json_put_record(const struct cf_dataset *d, json_t **to)
{
    size_t channel = shown_channel(d), step = 1 + (d->nrow - 1) / MOST_ROWS, n = 0;
    const char *reason[MOST_REASONS];
    json_t *j, *x, *y, *use, *starts, *reasons;

    if (!(d->nsegment > 1 || (d->nsegment && d->nexclusion)) || channel == CF_NO_CHANNEL)
        return;
    j = json_object(), x = json_array(), y = json_array(), use = json_array();
    starts = json_array(), reasons = json_array();
    for (size_t row = 0; row < d->nrow; row += step) {
        const char *because = cf_dataset_because(d, row);
        double at = place(d, row), value = cf_dataset_value(d, row, channel);
        size_t kind = d->use[row] == CF_ROW_HELD_OUT ? HELD_OUT : FITTED;
        if (!isfinite(at) || !isfinite(value))
            continue;
        if (d->use[row] == CF_ROW_EXCLUDED)
            kind = EXCLUDED + reason_of(because ? because : "excluded", reason, &n);
        cf_json_add(&x, cf_json_number(at));
        cf_json_add(&y, cf_json_number(value));
        cf_json_add(&use, json_integer((json_int_t) kind));
    }
    for (size_t i = 0; i < d->nsegment; i++)
        cf_json_add(&starts, cf_json_number(place(d, d->segment[i].first)));
    for (size_t i = 0; i < n; i++)
        cf_json_add(&reasons, json_string(reason[i]));
    cf_json_put(&j, "channel", json_string(d->protocol->channel[channel].name));
    cf_json_put(&j, "along",
                json_string(d->protocol->clock == CF_NO_CHANNEL
                                ? "row"
                                : d->protocol->channel[d->protocol->clock].name));
    cf_json_put(&j, "step", json_integer((json_int_t) step));
    cf_json_put(&j, "abscissa", x);
    cf_json_put(&j, "value", y);
    cf_json_put(&j, "use", use);
    cf_json_put(&j, "starts", starts);
    cf_json_put(&j, "reasons", reasons);
    cf_json_put(to, "record", j);
}
