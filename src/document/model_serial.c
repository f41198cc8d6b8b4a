/* What a fit file says of errors that follow each other, into a model. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/model_parts.h"
#include "document/view.h"

/* The channel that an entry is of; NULL: none of the model's. */
static struct cf_model_channel *channel_of(struct cf_model *m, const json_t *from)
{
    const char *data = cf_view_text(from, "data"), *name = cf_view_text(from, "channel");

    for (size_t i = 0; i < m->nchannel; i++) {
        struct cf_model_channel *c = &m->channel[i];
        const struct cf_dataset *d = &m->spec.data[c->data];
        if (strcmp(d->name, data) == 0 && strcmp(d->protocol->channel[c->column].name, name) == 0)
            return c;
    }
    return NULL;
}

static int read_one(struct cf_model *m, const json_t *from, struct cf_model_channel *c,
                    struct cf_error *err)
{
    const json_t *list = json_object_get(from, "coefficients");
    size_t n = json_array_size(list);
    const char *kind = cf_view_text(from, "model");
    double *coefficient = calloc(n + 1, sizeof *coefficient);
    int status = CF_OK;

    free(c->serial.partial);
    c->serial = (struct cf_serial_model){.order = n, .share = cf_model_number(from, "share", 1)};
    c->serial.partial = calloc(n + 1, sizeof *c->serial.partial);
    if (!coefficient || !c->serial.partial)
        status = cf_fail(err, CF_ENOMEM, "no memory for a noise model");
    for (int k = 0; k < CF_NSERIAL; k++)
        if (strcmp(kind, cf_serial_name[k]) == 0)
            c->serial.kind = (enum cf_serial_kind) k;
    if (!status && (c->serial.kind == CF_SERIAL_WHITE ? n != 0
                    : c->serial.kind == CF_SERIAL_AR  ? n == 0
                                                      : n != 1))
        status = cf_model_refuse(m, "errors.serial: no such order of the model", kind, err);
    if (!status && !(c->serial.share > 0 && c->serial.share <= 1))
        status =
            cf_model_refuse(m, "errors.serial: a share is above 0 and no more than 1", NULL, err);
    for (size_t k = 0; k < n && !status; k++)
        coefficient[k] = json_number_value(json_array_get(list, k));
    if (!status && cf_serial_from_coefficients(&c->serial, coefficient, err))
        status = cf_model_refuse(m, "errors.serial: coefficients of no stationary autoregression",
                                 NULL, err);
    c->serial_rows = cf_model_number(from, "rows", 0);
    c->serial_step_s = cf_model_number(from, "step_s", (double) NAN);
    free(coefficient);
    return status;
}

int cf_model_serial(struct cf_model *m, const json_t *file, struct cf_error *err)
{
    const json_t *all = json_object_get(json_object_get(file, "errors"), "serial"), *one;
    size_t i;
    int status = CF_OK;

    json_array_foreach(all, i, one)
    {
        struct cf_model_channel *c = status ? NULL : channel_of(m, one);
        if (c)
            status = read_one(m, one, c, err);
    }
    return status;
}
