/* Bouncing balls to time: e(v) over many throws, and a force law over a few bounces. */

#define _POSIX_C_SOURCE 200809L

#include "bounce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

/* Stamps of a ball that loses a seventh of its speed with each bounce. */
enum { STAMPS = 12, THROWS = 10000 };
static const double gravity_m_s2 = 9.80665, first_m_s = 4, loss = 0.86;

static int make(struct cf_dataset *d, size_t nthrow, struct cf_error *err)
{
    const struct cf_protocol *protocol = cf_protocol_find("bounce");
    size_t throw = cf_protocol_channel(protocol, "throw");
    int status = cf_dataset_alloc(d, protocol, nthrow * STAMPS, err);

    d->pair = (struct cf_pair){.mass_kg = 0.0415, .radius_m = 0.021, .gravity_m_s2 = gravity_m_s2};
    for (size_t i = 0; i < nthrow && !status; i++) {
        double t = 0, v = first_m_s;
        for (size_t k = 0; k < STAMPS && !status; k++) {
            status = cf_dataset_put(d, i * STAMPS + k, protocol->recording->record, t, 0, err);
            if (!status)
                status = cf_dataset_put(d, i * STAMPS + k, throw, (double) i, 0, err);
            v *= loss;
            t += 2 * v / gravity_m_s2;
        }
    }
    return status ? status : protocol->recording->derive(d, NULL, err);
}

/* The rows that have a ratio. */
static size_t ratios(const struct cf_dataset *d, size_t row[])
{
    size_t n = 0;

    for (size_t i = 0; i < d->nrow; i++)
        if (cf_dataset_has(d, i, d->protocol->recording->reading))
            row[n++] = i;
    return n;
}

static int time_rows(struct cf_curves *curves, const struct cf_law *law, const double p[],
                     size_t nthrow, size_t turns, const char *key, const char *remark,
                     struct cf_error *err)
{
    struct cf_dataset d = {0};
    int status = make(&d, nthrow, err);
    const size_t channel = d.protocol->recording->reading;
    size_t *row = malloc((d.nrow + 1) * sizeof *row), by[CF_MAX_PARAM];
    double *y = malloc((d.nrow * (law->nparam + 1) + 1) * sizeof *y), best = INFINITY, sum = 0;
    double value[CF_MAX_PARAM + CF_MAX_COLUMN] = {0};
    void *work = d.protocol->open(curves);
    struct cf_request request = {.data = &d,
                                 .law = law,
                                 .value = value,
                                 .row = row,
                                 .nchannel = 1,
                                 .channel = &channel,
                                 .nby = law->nparam,
                                 .by = by};

    memcpy(value, p, law->nparam * sizeof *p); /* the apparatus is 0: no drag */
    for (size_t i = 0; i < law->nparam; i++)
        by[i] = i;
    if (!status && (!row || !y || !work))
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu bounces", d.nrow);
    if (!status)
        request.nrow = ratios(&d, row);
    for (size_t turn = 0; turn < turns && !status; turn++) {
        struct cf_response response = {y, y + d.nrow, NULL};
        double begin = bench_now_s();
        status = d.protocol->predict(work, &request, &response, err);
        best = fmin(best, bench_now_s() - begin);
    }
    for (size_t i = 0; i < request.nrow && !status; i++)
        sum += y[i];
    if (!status)
        bench_print(key, best, sum / (double) request.nrow, remark);
    if (work)
        d.protocol->close(work);
    free(row);
    free(y);
    cf_dataset_clear(&d);
    return status;
}

int bench_bounce(struct cf_curves *curves, const struct cf_law *law, struct cf_error *err)
{
    static const struct cf_named given[] = {{"k", 2e8}, {"lambda", 2000}};
    static const double e_log[] = {0.9, 0.02};
    const struct cf_law *line = NULL;
    double p[CF_MAX_PARAM];
    int status = cf_law_params(law, given, 2, NAN, 0, p, err);

    if (!status)
        status = time_rows(curves, law, p, 1, 2000, "bounce",
                           "10 ratios of intervals and their derivatives", err);
    if (!status)
        status = cf_law_get("e-log", &line, err);
    return status ? status
                  : time_rows(curves, line, e_log, THROWS, 20, "bounces",
                              "100 000 ratios and their derivatives", err);
}
