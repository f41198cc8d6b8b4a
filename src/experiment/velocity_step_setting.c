/* One more record of velocity steps: a hold of another time, or a step to another speed. */

#include <math.h>
#include <stdlib.h>

#include "experiment/velocity_step_channels.h"

/* A hold that no record has had is looked for about this part of the time behind the last step. */
static const double FIRST_HOLD = 0.1;

static bool varies(size_t parameter)
{
    return parameter >= CF_BLOCK_START;
}

/* How long a record slides before its first step and after its last; false: it has none in it, as
 * a part of a record may not. */
static bool around(const struct cf_dataset *d, double *lead_s, double *tail_s)
{
    size_t first, last, n = cf_step_count(d->apparatus);

    cf_step_ends(d, &first, &last);
    if (first == d->nrow || n == 0)
        return false;
    *lead_s = d->apparatus[cf_step_time_of(0)] - cf_step_time(d, first);
    *tail_s = cf_step_time(d, last) - d->apparatus[cf_step_time_of(n - 1)];
    return *lead_s > 0 && *tail_s > 0;
}

/* The first hold between two steps. */
static double read_hold(const struct cf_dataset *d, bool *done)
{
    const double *a = d->apparatus;
    double lead_s, tail_s;

    *done = false;
    if (!around(d, &lead_s, &tail_s))
        return (double) NAN;
    for (size_t j = 1; j < cf_step_count(a) && !*done; j++) {
        *done = a[cf_step_speed_of(j)] == 0;
        if (*done)
            return a[cf_step_time_of(j)] - a[cf_step_time_of(j - 1)];
    }
    return FIRST_HOLD * tail_s;
}

/* The speed behind the first step that is no hold. */
static double read_speed(const struct cf_dataset *d, bool *done)
{
    const double *a = d->apparatus;
    double lead_s, tail_s;

    *done = false;
    if (!around(d, &lead_s, &tail_s))
        return (double) NAN;
    for (size_t j = 1; j <= cf_step_count(a) && !*done; j++) {
        *done = a[cf_step_speed_of(j)] > 0 && a[cf_step_speed_of(j - 1)] > 0;
        if (*done)
            return a[cf_step_speed_of(j)];
    }
    return a[CF_BLOCK_SPEED];
}

/* Rows of a record with so many steps from its start on, and room behind the last. */
static int make_rows(const struct cf_dataset *like, const double apparatus[], double last_step_s,
                     double lead_s, double tail_s, double length_s, struct cf_dataset *out,
                     struct cf_error *err)
{
    double step_s = cf_setting_step(like, CF_STEP_TIME);
    double until_s = isnan(length_s) ? last_step_s + tail_s : length_s - lead_s;
    int status;

    if (!(until_s > last_step_s)) { /* whether rows behind it are enough, complete() says */
        *out = (struct cf_dataset){.nrow = 0};
        return cf_fail(err, CF_ERANGE,
                       "no room behind the last step: it comes %.3g s after the record's begin, "
                       "which is %.3g s long",
                       lead_s + last_step_s, length_s);
    }
    status = cf_setting_rows(like, apparatus, CF_STEP_TIME, -lead_s, until_s, step_s, out, err);
    if (status)
        return status;
    for (size_t i = CF_BLOCK_STEP; i < CF_BLOCK_NNUMBER; i++)
        out->apparatus[i] = (double) NAN;
    out->apparatus[CF_BLOCK_START] = (double) NAN;
    cf_dataset_drop(out, CF_STEP_LOAD_POINT);
    return CF_OK;
}

/* What the law predicts becomes what is measured. */
static int fill(const struct cf_dataset *like, const struct cf_law *law, const double value[],
                struct cf_dataset *out, struct cf_error *err)
{
    static const size_t channel[] = {CF_STEP_FRICTION, CF_STEP_FORCE};
    size_t n = out->nrow, most = sizeof channel / sizeof *channel,
           napparatus = like->protocol->napparatus;
    size_t *row = malloc((n + 1) * sizeof *row);
    double *y = malloc((most * n + 1) * sizeof *y);
    double *own = malloc((law->nparam + napparatus) * sizeof *own);
    struct cf_request q = {.data = out,
                           .law = law,
                           .value = own,
                           .nrow = n,
                           .row = row,
                           .nchannel = most,
                           .channel = channel};
    struct cf_response to = {.y = y};
    int status = row && y && own ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", n);

    for (size_t i = 0; i < law->nparam && !status; i++)
        own[i] = value[i];
    for (size_t i = 0; i < napparatus && !status; i++)
        own[cf_apparatus_value(law, i)] = out->apparatus[i];
    if (!status && isnan(own[cf_apparatus_value(law, CF_BLOCK_START)]))
        own[cf_apparatus_value(law, CF_BLOCK_START)] = cf_step_time(out, 0);
    for (size_t i = 0; i < n && !status; i++)
        row[i] = i;
    if (!status)
        status = cf_step_predict(NULL, &q, &to, err);
    for (size_t i = 0; i < n && !status; i++)
        for (size_t c = 0; c < most && !status; c++)
            if (like->series[channel[c]].value)
                status = cf_dataset_put(out, i, channel[c], y[i * most + c], 0, err);
    free(row);
    free(y);
    free(own);
    return status;
}

/* Slide, hold, slide on at the same speed; time 0 is the begin of the hold. */
static int record_hold(const struct cf_dataset *like, const struct cf_law *law,
                       const double value[], double hold_s, double length_s, struct cf_dataset *out,
                       struct cf_error *err)
{
    const double *a = value + cf_apparatus_value(law, 0);
    double lead_s = 0, tail_s = 0;
    int status;

    around(like, &lead_s, &tail_s);
    status = make_rows(like, a, hold_s, lead_s, tail_s, length_s, out, err);
    if (status)
        return status;
    out->apparatus[cf_step_time_of(0)] = 0;
    out->apparatus[cf_step_speed_of(1)] = 0;
    out->apparatus[cf_step_time_of(1)] = hold_s;
    out->apparatus[cf_step_speed_of(2)] = a[CF_BLOCK_SPEED];
    return fill(like, law, value, out, err);
}

/* One step, at time 0. */
static int record_step(const struct cf_dataset *like, const struct cf_law *law,
                       const double value[], double speed_m_s, double length_s,
                       struct cf_dataset *out, struct cf_error *err)
{
    const double *a = value + cf_apparatus_value(law, 0);
    double lead_s = 0, tail_s = 0;
    int status;

    around(like, &lead_s, &tail_s);
    status = make_rows(like, a, 0, lead_s, tail_s, length_s, out, err);
    if (status)
        return status;
    out->apparatus[cf_step_time_of(0)] = 0;
    out->apparatus[cf_step_speed_of(1)] = speed_m_s;
    return speed_m_s == a[CF_BLOCK_SPEED]
               ? cf_fail(err, CF_ERANGE, "a step without a step: the rig slides at that speed")
               : fill(like, law, value, out, err);
}

const struct cf_setting cf_step_setting[CF_STEP_NSETTING] = {
    {.name = "hold_time",
     .unit = "s",
     .one = "a hold time",
     .many = "hold times",
     .what = "of a hold between slides at one speed",
     .lower = 1e-9,
     .upper = 1e12,
     .varies = varies,
     .read = read_hold,
     .record = record_hold},
    {.name = "step_speed",
     .unit = "m/s",
     .one = "a step speed",
     .many = "step speeds",
     .what = "of the load point behind a step",
     .lower = 1e-15,
     .upper = 1e3,
     .varies = varies,
     .read = read_speed,
     .record = record_step},
};
