#include "cmd/along.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/units.h"

/* The imposed channel of an option; nchannel: the protocol imposes nothing of that name. */
static size_t channel_of(const struct cf_protocol *protocol, const char *option)
{
    char name[64];
    size_t i = 0;

    while (i < protocol->nchannel &&
           (!cf_channel_drives(protocol, i) ||
            strcmp(cf_along_respell(protocol->channel[i].name, name), option)))
        i++;
    return i;
}

int cf_along_given(const struct cf_arguments *args, const struct cf_protocol *protocol,
                   const char **option, size_t *channel, struct cf_error *err)
{
    *option = NULL;
    *channel = CF_NO_CHANNEL;
    for (size_t i = 0; i < args->nseen; i++) {
        const char *name = args->seen[i].option->name;
        bool at = strcmp(name, "at") == 0, own = false;
        size_t c = channel_of(protocol, name);
        for (size_t k = 0; k < args->nalong; k++)
            own = own || strcmp(args->along[k].name, name) == 0;
        if ((!at && !own) || cf_along_setting(args->registry, name))
            continue;
        if (!at && c == protocol->nchannel)
            return cf_fail(err, CF_EUSAGE, "--%s: protocol %s imposes no such thing", name,
                           protocol->name);
        if (*option && strcmp(*option, name) != 0)
            return cf_fail(err, CF_EUSAGE, "--%s and --%s: one of them is wanted", *option, name);
        *option = name;
        *channel = at ? CF_NO_CHANNEL : c;
    }
    return CF_OK;
}

/* None was given. */
static int missing(const struct cf_protocol *protocol, struct cf_error *err)
{
    char name[64], others[200] = "";
    size_t used = 0;

    for (size_t i = 0; i < protocol->nchannel && used < sizeof others; i++)
        if (cf_channel_drives(protocol, i) && i != protocol->axis_channel)
            used += (size_t) snprintf(others + used, sizeof others - used, ", or --%s",
                                      cf_along_respell(protocol->channel[i].name, name));
    return cf_fail(err, CF_EUSAGE, "--%s is missing: give 0.1,0.5,2 or FROM:TO:COUNT (%s)%s",
                   cf_along_respell(protocol->channel[protocol->axis_channel].name, name),
                   protocol->axis.linear ? "evenly spaced" : "log-spaced", others);
}

/* Readings of an imposed channel become places on the axis. */
static int to_axis(const struct cf_dataset *like, size_t channel, struct cf_list *list,
                   struct cf_error *err)
{
    struct cf_dataset one;
    int status = cf_dataset_like(like, 1, &one, err);

    for (size_t i = 0; i < list->n && !status; i++) {
        status = cf_dataset_put(&one, 0, channel, list->value[i], 0, err);
        if (!status)
            list->value[i] = like->protocol->abscissa(&one, 0);
    }
    cf_dataset_clear(&one);
    return status;
}

int cf_along_read(const struct cf_arguments *args, const struct cf_dataset *like,
                  struct cf_list *list, struct cf_error *err)
{
    const struct cf_axis *axis = &like->protocol->axis;
    const struct cf_channel_row *row = &like->protocol->channel[like->protocol->axis_channel];
    char option[70], one[70], many[70];
    struct cf_list_kind kind = {option, axis->unit, one, axis->plural, axis->linear};
    const char *name, *word;
    size_t channel;
    int status = cf_along_given(args, like->protocol, &name, &channel, err);

    if (status)
        return status;
    if (!name)
        return missing(like->protocol, err);
    snprintf(option, sizeof option, "--%s", name);
    if (channel != CF_NO_CHANNEL && channel != like->protocol->axis_channel) {
        row = &like->protocol->channel[channel];
        snprintf(many, sizeof many, "values of %s", row->name);
        kind = (struct cf_list_kind){option, row->unit, one, many, axis->linear || row->lower <= 0};
    }
    word = strrchr(row->name, '_') ? strrchr(row->name, '_') + 1 : row->name; /* of drop_height */
    snprintf(one, sizeof one, "%s %s", strchr("aeiou", word[0]) ? "an" : "a", word);
    status = cf_list_parse(&kind, cf_argument(args, name), list, err);
    if (!status && row != &like->protocol->channel[like->protocol->axis_channel])
        status = to_axis(like, channel, list, err);
    return status;
}

void cf_along_column(const char *name, const char *end, const char *unit, char out[], size_t size)
{
    snprintf(out, size, "%s%s%s", name, end, cf_unit_ending(unit));
}

bool cf_along_within(const struct cf_axis *axis, double factor, double low, double high, double x)
{
    cf_axis_widen(axis, factor, &low, &high);
    return x >= low && x <= high;
}
