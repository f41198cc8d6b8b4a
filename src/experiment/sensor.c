#include "experiment/sensor.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A slow sensor's input is sampled so often that w h stays below this: what a cubic between two
 * samples leaves out is then some 1e-7 of it. */
static const double LAG_STEP = 0.125;

/* A run goes on behind its last sample, by this part of the scene's own duration. */
static const double BEYOND = 1e-6;

/* The samples of one run, of all sensors together. */
struct record {
    const struct cf_sampling *want;
    size_t nchannel, ncolumn;
    size_t n, room;
    double *time_s;            /* n, ascending, from 0 */
    double *value, *rate, *by; /* n * nchannel; by: * nwrt */
    size_t seen;
};

static void record_free(struct record *r)
{
    free(r->time_s);
    free(r->value);
}

/* ---- the times */

static double seen_at(const struct cf_sampling *want, size_t i, size_t sensor)
{
    return fmax(0, want->time_s[i] - want->sensor[sensor].delay_s);
}

/* The finest spacing that a slow sensor asks for; INFINITY: none is slow. */
static double spacing(const struct cf_sampling *want)
{
    double least = (double) INFINITY;

    for (size_t s = 0; s < want->nsensor; s++)
        if (want->sensor[s].bandwidth_Hz > 0)
            least = fmin(least, LAG_STEP / (2 * M_PI * want->sensor[s].bandwidth_Hz));
    return least;
}

static int add_time(struct record *r, double t, struct cf_error *err)
{
    if (r->n == r->room) {
        size_t room = r->room ? 2 * r->room : 1024;
        double *longer = realloc(r->time_s, room * sizeof *longer);
        if (!longer)
            return cf_fail(err, CF_ENOMEM, "no memory for %zu samples", room);
        r->time_s = longer;
        r->room = room;
    }
    r->time_s[r->n++] = t;
    return CF_OK;
}

/* Those of all sensors, each once. */
static int gather_times(struct record *r, struct cf_error *err)
{
    const struct cf_sampling *want = r->want;
    size_t kept = 1;
    int status = add_time(r, 0, err);

    for (size_t s = 0; s < want->nsensor; s++) {
        bool again = s > 0 && want->sensor[s].delay_s == want->sensor[s - 1].delay_s;
        for (size_t i = 0; i < want->n && !again && !status; i++)
            status = add_time(r, seen_at(want, i, s), err);
    }
    if (status)
        return status;
    gsl_sort(r->time_s, 1, r->n);
    for (size_t i = 1; i < r->n; i++)
        if (r->time_s[i] > r->time_s[kept - 1])
            r->time_s[kept++] = r->time_s[i];
    r->n = kept;
    return CF_OK;
}

/* And between them as often as slow sensors ask for. */
static int refine(struct record *r, struct cf_error *err)
{
    double least = spacing(r->want), *coarse = r->time_s, span;
    size_t n = r->n;
    int status = CF_OK;

    if (isinf(least) || n < 2)
        return CF_OK;
    span = coarse[n - 1];
    if (span / least > (double) CF_SENSOR_MOST)
        return cf_fail(err, CF_ERANGE,
                       "a sensor's bandwidth of which a record of %.4g s would need %.3g samples, "
                       "at most %d: it follows at once, leave its bandwidth out",
                       span, span / least, CF_SENSOR_MOST);
    r->time_s = NULL;
    r->n = r->room = 0;
    for (size_t i = 0; i + 1 < n && !status; i++) {
        size_t parts = (size_t) ceil((coarse[i + 1] - coarse[i]) / least);
        for (size_t k = 0; k < parts && !status; k++)
            status = add_time(
                r, coarse[i] + (coarse[i + 1] - coarse[i]) * (double) k / (double) parts, err);
    }
    if (!status)
        status = add_time(r, coarse[n - 1], err);
    free(coarse);
    return status;
}

/* ---- the run */

static void keep(void *observer, const struct cf_values *at)
{
    struct record *r = observer;
    size_t i = at->sample, n = r->nchannel;

    memcpy(r->value + i * n, at->value, n * sizeof *at->value);
    memcpy(r->rate + i * n, at->rate, n * sizeof *at->rate);
    for (size_t w = 0; w < r->ncolumn; w++)
        for (size_t c = 0; c < n; c++)
            r->by[(i * n + c) * r->ncolumn + w] = at->by[w * n + c];
    r->seen++;
}

static int run(struct record *r, const struct cf_scene *scene, struct cf_error *err)
{
    const struct cf_sampling *want = r->want;
    size_t cells = r->n * r->nchannel;
    struct cf_motion_channel *channel = malloc((r->nchannel + 1) * sizeof *channel);
    struct cf_scene timed = *scene; /* lasts as long as the record */
    struct cf_motion_options options = cf_motion_defaults;
    struct cf_motion_result result;
    int status;

    r->value = malloc((cells * (2 + r->ncolumn) + 1) * sizeof *r->value);
    if (!channel || !r->value) {
        free(channel);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu samples", r->n);
    }
    r->rate = r->value + cells;
    r->by = r->rate + cells;
    for (size_t s = 0; s < r->nchannel; s++)
        channel[s] = want->sensor[s].channel;
    /* a little more: the last sample is within the run, whatever is rounded */
    timed.duration_s = r->time_s[r->n - 1] + scene->duration_s * BEYOND;
    options.tolerance = want->tolerance;
    options.max_steps = want->max_steps;
    options.nwrt = r->ncolumn;
    options.wrt = want->wrt;
    options.ntime = r->n;
    options.time_s = r->time_s;
    options.on_values = keep;
    options.nchannel = r->nchannel;
    options.channel = channel;
    options.observer = r;
    status = cf_motion_run(&timed, &options, &result, err);
    if (!status && r->seen != r->n)
        status = cf_fail(err, CF_ESOLVE, "%zu of %zu samples were reached", r->seen, r->n);
    free(channel);
    return status;
}

/* ---- slow sensors */

/* The slope of a column at sample i, by the parabola through it and its neighbours. */
static double slope_at(const struct record *r, const double column[], size_t stride, size_t i)
{
    const double *t = r->time_s;
    size_t a = i ? i - 1 : 0, b = i + 1 < r->n ? i + 1 : i;
    double before, behind, h0 = t[i] - t[a], h1 = t[b] - t[i];

    if (a == i || b == i)
        return b > a ? (column[b * stride] - column[a * stride]) / (t[b] - t[a]) : 0;
    before = (column[i * stride] - column[a * stride]) / h0;
    behind = (column[b * stride] - column[i * stride]) / h1;
    return (h1 * before + h0 * behind) / (h0 + h1);
}

/* Put through the sensor what column[] was, in place; slope[] is that of the column. by_w, by the
 * sensor's w, and shown_rate, NULL: not wanted. */
static void follow(const struct record *r, const struct cf_sensor *sensor, double column[],
                   size_t stride, const double slope[], size_t slope_stride, double by_w[],
                   double shown_rate[])
{
    struct cf_lag lag = {{column[0], 0}, {0, 0}};
    double w = 2 * M_PI * sensor->bandwidth_Hz, x = column[0];

    for (size_t i = 0; i < r->n; i++) {
        double next = i + 1 < r->n ? column[(i + 1) * stride] : x;
        column[i * stride] = lag.y[0];
        if (by_w)
            by_w[i] = lag.by_w[0];
        if (shown_rate)
            shown_rate[i] = sensor->order == 1 ? w * (x - lag.y[0]) : lag.y[1];
        if (i + 1 < r->n)
            cf_lag_step(sensor, r->time_s[i + 1] - r->time_s[i], (double[]){x, next},
                        (double[]){slope[i * slope_stride], slope[(i + 1) * slope_stride]}, &lag);
        x = next;
    }
}

static int follow_columns(struct record *r, size_t s, struct cf_error *err)
{
    size_t stride = r->nchannel * r->ncolumn;
    double *slope = malloc(r->n * sizeof *slope);

    if (!slope)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu samples", r->n);
    for (size_t w = 0; w < r->ncolumn; w++) {
        double *column = r->by + s * r->ncolumn + w;
        for (size_t i = 0; i < r->n; i++)
            slope[i] = slope_at(r, column, stride, i);
        follow(r, &r->want->sensor[s], column, stride, slope, 1, NULL, NULL);
    }
    free(slope);
    return CF_OK;
}

/* ---- what was wanted */

/* The sample of a time, which is among them. */
static size_t sample_of(const struct record *r, double t)
{
    size_t low = 0, high = r->n - 1;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->time_s[middle] < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void hand_out(const struct record *r, size_t s, const double by_w[], const double rate[],
                     struct cf_sampled *out)
{
    const struct cf_sampling *want = r->want;
    size_t n = r->nchannel, columns = r->ncolumn;

    for (size_t i = 0, at = 0; i < want->n; i++) {
        double t = seen_at(want, i, s);
        size_t cell = i * want->nsensor + s;
        /* rows mostly follow each other */
        while (at + 1 < r->n && r->time_s[at] < t)
            at++;
        if (r->time_s[at] != t)
            at = sample_of(r, t);
        if (out->y)
            out->y[cell] = r->value[at * n + s];
        if (out->by)
            memcpy(out->by + cell * columns, r->by + (at * n + s) * columns,
                   columns * sizeof *out->by);
        if (!out->by_number)
            continue;
        out->by_number[cell * CF_NSENSOR_NUMBER + CF_SENSOR_DELAY] =
            t > 0 ? -(rate ? rate[at] : r->rate[at * n + s]) : 0;
        out->by_number[cell * CF_NSENSOR_NUMBER + CF_SENSOR_BANDWIDTH] =
            by_w ? 2 * M_PI * by_w[at] : 0;
    }
}

static int read_sensor(struct record *r, size_t s, struct cf_sampled *out, struct cf_error *err)
{
    const struct cf_sensor *sensor = &r->want->sensor[s];
    double *by_w = NULL;
    int status = CF_OK;

    if (sensor->bandwidth_Hz > 0) {
        by_w = malloc((2 * r->n + 1) * sizeof *by_w);
        if (!by_w)
            return cf_fail(err, CF_ENOMEM, "no memory for %zu samples", r->n);
        follow(r, sensor, r->value + s, r->nchannel, r->rate + s, r->nchannel, by_w, by_w + r->n);
        if (out->by && r->ncolumn)
            status = follow_columns(r, s, err);
    }
    if (!status)
        hand_out(r, s, by_w, by_w ? by_w + r->n : NULL, out);
    free(by_w);
    return status;
}

int cf_sample(const struct cf_scene *scene, const struct cf_sampling *want, struct cf_sampled *out,
              struct cf_error *err)
{
    struct record r = {
        .want = want, .nchannel = want->nsensor, .ncolumn = out->by ? want->nwrt : 0};
    int status = gather_times(&r, err);

    if (!status)
        status = refine(&r, err);
    if (!status)
        status = run(&r, scene, err);
    for (size_t s = 0; s < want->nsensor && !status; s++)
        status = read_sensor(&r, s, out, err);
    record_free(&r);
    return status;
}
