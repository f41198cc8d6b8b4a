/* `noise` of a column: are the errors of neighbouring rows independent? */

#include <string.h>

#include "study/keys.h"
#include "study/parts.h"

/* Fewer rows do not separate correlated noise from a law that fails. */
enum { LEAST_ROWS = 50 };

int cf_source_noise(const struct cf_yaml *entry, const struct cf_protocol *protocol, size_t channel,
                    struct cf_column_source *column, struct cf_error *err)
{
    const struct cf_yaml *at = cf_yaml_get(entry, "noise");
    const struct cf_channel_row *row = &protocol->channel[channel];
    const char *name = NULL;
    int status = at ? cf_yaml_text(at, &name, err) : CF_OK;

    if (status || !at)
        return status;
    if (strcmp(name, cf_noise_name[CF_NOISE_WHITE]) != 0 &&
        strcmp(name, cf_noise_name[CF_NOISE_DENSE]) != 0)
        return cf_yaml_unknown(at, "noise", name, cf_noise_name, CF_NNOISE, err);
    column->dense = strcmp(name, cf_noise_name[CF_NOISE_DENSE]) == 0;
    if (!column->dense)
        return CF_OK;
    if (row->role == CF_ROLE_IMPOSED)
        return cf_yaml_fail(at, err,
                            "noise: dense: is of what is measured, whose residuals show it, and "
                            "%s is imposed",
                            row->name);
    if (!protocol->record)
        return cf_yaml_fail(at, err,
                            "noise: dense: is of a record in the order of time, and the rows of %s "
                            "are measurements of their own: rows that share an error are named by "
                            "group",
                            protocol->name);
    return CF_OK;
}

/* Rows that are fitted and have a value of the channel. */
static size_t count_rows(const struct cf_dataset *d, size_t channel)
{
    size_t n = 0;

    for (size_t row = 0; row < d->nrow; row++)
        n += d->use[row] == CF_ROW_FIT && cf_dataset_has(d, row, channel);
    return n;
}

/* Enough rows of each dense column; *any: there is one. */
static int check_rows(const struct cf_spec *spec, const struct cf_yaml *root, bool *any,
                      struct cf_error *err)
{
    const struct cf_yaml *data = cf_yaml_get(root, "data");

    for (size_t i = 0; i < spec->ndata; i++) {
        const struct cf_dataset *d = &spec->data[i];
        for (size_t c = 0; c < d->protocol->nchannel; c++) {
            size_t n = d->series[c].dense ? count_rows(d, c) : LEAST_ROWS;
            *any = *any || d->series[c].dense;
            if (n < LEAST_ROWS)
                return cf_yaml_fail(
                    &data->item[i], err,
                    "data set %s: noise: dense: %zu rows of %s to be fitted: at least %d are "
                    "needed to identify their correlation; noise: white "
                    "takes them as independent",
                    d->name, n, d->protocol->channel[c].name, LEAST_ROWS);
        }
    }
    return CF_OK;
}

int cf_study_noise(const struct cf_study *study, const struct cf_yaml *root, struct cf_error *err)
{
    const struct cf_spec *spec = &study->spec;
    const struct cf_yaml *options = cf_yaml_get(root, "options");
    const struct cf_yaml *loss = options ? cf_yaml_get(options, "loss") : NULL;
    bool dense = false;
    int status = check_rows(spec, root, &dense, err);

    if (status)
        return status;
    if (dense && spec->options.loss != CF_LOSS_SQUARES)
        return cf_yaml_fail_key(loss, err,
                                "loss: takes every row as independent, and noise: dense states "
                                "that they are not: leave one of them out");
    return CF_OK;
}
