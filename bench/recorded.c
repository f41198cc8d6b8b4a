/* Designs whose rows are those of a study of records. */

#include "recorded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/evaluate.h"
#include "estimate/serial.h"

static const struct design_value *find(const struct design_value list[], size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

/* The errors of what is measured follow each other as the design says, and their sizes, which the
 * study states for the truth, are to be found by the fits where it says so. */
static void put_noise(const struct design *d, struct cf_dataset *data)
{
    for (size_t j = 0; j < data->protocol->nchannel; j++) {
        struct cf_series *series = &data->series[j];
        if (data->protocol->channel[j].role != CF_ROLE_MEASURED || !series->value)
            continue;
        series->dense = d->serial.kind != CF_SERIAL_WHITE;
        if (d->sizes_unknown)
            series->kind = CF_SIGMA_ESTIMATE;
    }
}

/* Of each unknown of the fits the truth: as the design has it, and 0 of a bias and of where
 * segments begin, which is what rows are told from. */
static int put_theta(const struct design *d, const struct cf_problem *fitted, double theta[],
                     struct cf_error *err)
{
    for (size_t i = 0; i < fitted->nfree; i++) {
        const struct cf_unknown *w = &fitted->unknown[i];
        const struct design_value *value = find(d->true_value, d->ntrue, w->name);
        if (!value)
            value = find(d->rig, d->nrig, w->name);
        if (!value && w->kind != CF_UNKNOWN_READING && !w->of_segment)
            return cf_fail(err, CF_EINPUT, "the truth of %s is missing", w->name);
        theta[i] = cf_unknown_theta(w, value ? value->value : 0);
    }
    return CF_OK;
}

/* What segments begin with, at the truth. */
static int put_locals(struct cf_problem *truth, const double theta[], struct cf_error *err)
{
    struct cf_fold fold;
    int status = cf_fold_alloc(&fold, truth, err);

    if (!status)
        status = cf_problem_fold(truth, theta, &fold, err);
    if (!status)
        memcpy(truth->local, fold.local, truth->nlocal * sizeof *truth->local);
    cf_fold_clear(&fold);
    return status;
}

int recorded_prepare(const struct design *d, struct cf_curves *curves, struct design_case *c,
                     struct cf_error *err)
{
    struct cf_study *study = cf_study_read(d->study, NULL, err);
    int status = study ? design_put_rig(d, &study->spec.data[0], err) : CF_EINPUT;

    *c = (struct design_case){.study = study};
    if (status)
        return status;
    design_options(d, &study->spec.options);
    for (size_t i = 0; i < study->spec.ndata; i++)
        put_noise(d, &study->spec.data[i]);
    c->fitted = c->truth = study->spec;
    status = cf_problem_init(&c->problem, &c->truth, c->truth.law, curves, CF_ROW_FIT, CF_SCOPE_ALL,
                             err);
    if (!status)
        status = put_theta(d, &c->problem, c->theta, err);
    for (size_t i = 0; i < c->problem.nchannel && !status; i++) {
        const struct cf_channel *channel = &c->problem.channel[i];
        c->sigma[i] = cf_dataset_sigma(&c->truth.data[channel->data], 0, channel->column);
    }
    if (!status && c->problem.nlocal)
        status = put_locals(&c->problem, c->theta, err);
    if (!status)
        design_put_serial(d, &c->problem);
    return status;
}
