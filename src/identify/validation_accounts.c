/* What protocols count over whole data sets. */

#include <math.h>
#include <stdlib.h>

#include "identify/validation.h"

static int add(void *owner, const char *text, struct cf_error *err)
{
    struct cf_statements *list = owner;

    cf_say(list, "%s", text);
    return cf_statements_status(list, err);
}

static int account(struct cf_validation *v, size_t data, struct cf_error *err)
{
    const struct cf_dataset *d = &v->spec.data[data];
    const struct cf_problem *q = &v->problem;
    const struct cf_remarks remarks = {&v->accounts, add};
    size_t n = d->nrow * d->protocol->nchannel;
    double *predicted = malloc((n + 1) * sizeof *predicted);
    bool agrees = true;
    size_t first = v->accounts.n;
    int status;

    if (!predicted)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", n);
    for (size_t i = 0; i < n; i++)
        predicted[i] = (double) NAN;
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        if (o->data == data)
            predicted[o->row * d->protocol->nchannel + o->column] = v->predicted[i].value;
    }
    status = d->protocol->account(d, predicted, &remarks, &agrees, err);
    if (!status && !agrees && v->accounts.n > first) {
        v->agrees = false;
        cf_say(&v->reasons, "%s", v->accounts.text[first]);
    }
    free(predicted);
    return status;
}

int cf_validate_accounts(struct cf_validation *v, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 0; i < v->spec.ndata && !status; i++)
        if (v->spec.data[i].protocol->account)
            status = account(v, i, err);
    return status;
}
