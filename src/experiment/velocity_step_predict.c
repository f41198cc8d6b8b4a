/* What a velocity step predicts: a driven block from the start of the record on. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "experiment/velocity_step_channels.h"

/* Steps of fits: errors of this part of a tenth of friction. */
static const double FIT_TOLERANCE = 1e-9;

/* A run that needs more is given up, and costs its start alone: a speed step takes about 100, a
 * block that oscillates some ten for each swing. */
enum { MOST_STEPS = 5000 };

size_t cf_step_count(const double apparatus[])
{
    size_t n = 0;

    while (n < CF_BLOCK_STEPS && !isnan(apparatus[cf_step_time_of(n)]))
        n++;
    return n;
}

/* Columns of the block that are wanted: column[k] of by[k], SIZE_MAX: it moves nothing. */
static size_t choose(const struct cf_request *q, size_t of[], size_t column[])
{
    size_t from = cf_law_friction_from(q->law), nparam = q->law->friction->nparam, n = 0;

    for (size_t k = 0; k < q->nby; k++) {
        size_t value = q->by[k];
        column[k] = SIZE_MAX;
        if (value < from || value >= q->law->nparam + CF_BLOCK_NNUMBER)
            continue;
        column[k] = n;
        of[n++] = value < q->law->nparam ? value - from : nparam + value - q->law->nparam;
    }
    return n;
}

/* What moves friction by less than the errors of the steps, if it were twice as large, moves
 * nothing: such is the dwell time of a bristle behind a step up. */
static void drop_columns(const struct cf_request *q, size_t n, const size_t of[], double by[])
{
    size_t from = cf_law_friction_from(q->law), nparam = q->law->friction->nparam;

    for (size_t c = 0; c < n; c++) {
        double most = 0,
               x = q->value[of[c] < nparam ? from + of[c] : q->law->nparam + of[c] - nparam];
        for (size_t i = 0; i < q->nrow; i++)
            most = fmax(most, fabs(by[i * n + c] * x));
        for (size_t i = 0; x != 0 && most < FIT_TOLERANCE && i < q->nrow; i++)
            by[i * n + c] = 0;
    }
}

/* A channel is friction over the load, times `factor`. */
static void hand_out(const struct cf_request *q, size_t c, double factor, bool load_too, size_t n,
                     const size_t column[], const double y[], const double by[],
                     const double by_time[], struct cf_response *out)
{
    size_t load = q->law->nparam + CF_BLOCK_LOAD;

    for (size_t i = 0; i < q->nrow; i++) {
        size_t to = i * q->nchannel + c;
        out->y[to] = factor * y[i];
        if (out->by_imposed)
            out->by_imposed[to] = factor * by_time[i];
        for (size_t k = 0; out->by_value && k < q->nby; k++) {
            double *slope = &out->by_value[to * q->nby + k];
            *slope = column[k] == SIZE_MAX ? 0 : factor * by[i * n + column[k]];
            if (load_too && q->by[k] == load)
                *slope += y[i];
        }
    }
}

int cf_step_predict(void *work, const struct cf_request *q, struct cf_response *out,
                    struct cf_error *err)
{
    const double *a = q->value + cf_apparatus_value(q->law, 0);
    bool slopes = (out->by_value || out->by_imposed) && !(q->tolerance > 0);
    size_t of[CF_MAX_PARAM + CF_STEP_NAPPARATUS], *column = malloc((q->nby + 1) * sizeof *column);
    size_t n = column ? choose(q, of, column) : 0;
    double *time_s = malloc((q->nrow * (3 + n) + 1) * sizeof *time_s);
    double *y = time_s + q->nrow, *by_time = y + q->nrow, *by = by_time + q->nrow;
    struct cf_driven_block b = {.law = q->law->friction,
                                .p = q->value + cf_law_friction_from(q->law),
                                .nstep = cf_step_count(a)};
    const struct cf_block_columns columns = {n, of};
    int status = CF_OK;

    (void) work;
    if (!column || !time_s)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu rows", q->nrow);
    for (size_t i = 0; i < CF_BLOCK_NNUMBER; i++)
        b.number[i] = a[i];
    if (!(a[CF_BLOCK_LOAD] > 0))
        b.number[CF_BLOCK_LOAD] = 1; /* of a law that takes no other */
    for (size_t i = 0; i < q->nrow && !status; i++)
        time_s[i] = cf_dataset_value(q->data, q->row[i], CF_STEP_TIME);
    if (!status)
        status = cf_driven_block_run(&b, q->nrow, time_s, &columns,
                                     q->tolerance > 0 ? q->tolerance : FIT_TOLERANCE, MOST_STEPS, y,
                                     slopes && n ? by : NULL, slopes ? by_time : NULL, err);
    if (!status && slopes && n)
        drop_columns(q, n, of, by);
    for (size_t c = 0; c < q->nchannel && !status; c++) {
        bool force = q->channel[c] == CF_STEP_FORCE;
        struct cf_response to = {out->y, slopes ? out->by_value : NULL,
                                 slopes ? out->by_imposed : NULL};
        hand_out(q, c, force ? a[CF_BLOCK_LOAD] : 1, force, n, column, y, by, by_time, &to);
    }
    free(column);
    free(time_s);
    return status;
}
