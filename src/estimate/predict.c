/* Predictions and residuals of all observations at once, and predictions of rows that are not the
 * problem's. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/effects.h"
#include "estimate/evaluate.h"
#include "estimate/records.h"

/* Where a visit puts what it sees; NULL: not wanted. */
struct harvest {
    double *y, *by_imposed;
    double *r, *J; /* J row-major */
};

static void take_values(void *context, size_t unit, const struct cf_stretch *at)
{
    const struct harvest *h = context;

    (void) unit;
    memcpy(&h->y[at->first], at->y, at->count * sizeof *at->y);
    if (h->by_imposed)
        memcpy(&h->by_imposed[at->first], at->by_imposed, at->count * sizeof *at->by_imposed);
}

int cf_problem_predict(const struct cf_problem *problem, const double theta[], double y[],
                       double by_imposed[], struct cf_error *err)
{
    struct harvest h = {.y = y, .by_imposed = by_imposed};
    return cf_problem_visit(problem, theta, NULL, by_imposed ? CF_WANT_SLOPES : CF_WANT_VALUES,
                            take_values, &h, err);
}

static void take_one(void *context, size_t unit, const struct cf_stretch *at)
{
    double *y = context;

    (void) unit;
    *y = at->y[0];
}

int cf_part_value(const struct cf_problem *problem, const double theta[], double *y,
                  struct cf_error *err)
{
    return cf_part_visit(problem, 0, theta, NULL, CF_WANT_VALUES, take_one, y, err);
}

static void take_residuals(void *context, size_t unit, const struct cf_stretch *at)
{
    const struct harvest *h = context;
    const struct cf_set *set = &at->problem->set[at->problem->part[at->part].data];
    size_t n = at->problem->nfree;

    (void) unit;
    for (size_t i = 0; i < at->count; i++) {
        h->r[at->first + i] = at->A[at->ncolumn * at->ld + i];
        for (size_t j = 0; h->J && j < set->nactive; j++)
            h->J[(at->first + i) * n + set->active[j]] = at->A[(set->nlocal + j) * at->ld + i];
    }
}

static void take_misfits(void *context, size_t unit, const struct cf_stretch *at)
{
    const struct harvest *h = context;

    (void) unit;
    cf_residuals_of(&at->problem->observation[at->first], at->count, at->y, &h->r[at->first]);
}

int cf_problem_residuals(const struct cf_problem *problem, const double theta[], double r[],
                         double J[], struct cf_error *err)
{
    size_t n = problem->nobservation, nfree = problem->nfree;
    struct harvest h = {.r = r, .J = J};
    int status;

    if (J)
        memset(J, 0, problem->nresidual * nfree * sizeof *J);
    status = J ? cf_problem_visit(problem, theta, NULL, CF_WANT_RESIDUALS, take_residuals, &h, err)
               : cf_problem_visit(problem, theta, NULL, CF_WANT_VALUES, take_misfits, &h, err);
    if (!status && !J && cf_shares_errors(problem))
        status = cf_effects_whiten(problem, r, 1, n, NULL, err);
    for (size_t j = 0; j < nfree && !status; j++) {
        const struct cf_unknown *w = &problem->unknown[j];
        if (!w->has_prior)
            continue;
        r[n] = (w->prior - theta[j]) / w->prior_sigma;
        if (J)
            J[n * nfree + j] = -1 / w->prior_sigma;
        n++;
    }
    return status;
}

/* ---- rows of another data set */

/* The values of another scene's record: the law's are the fit's, the apparatus its own. Derivatives
 * are by the law's alone: by[nby]; *nby of them. */
static void put_scene(const struct cf_problem *q, const struct cf_set *set,
                      const struct cf_dataset *d, double value[], size_t by[], size_t *nby)
{
    memcpy(value + q->law->nparam, d->apparatus, d->protocol->napparatus * sizeof *value);
    *nby = 0;
    for (size_t k = 0; k < set->nby; k++)
        if (set->by[k] < q->law->nparam)
            by[(*nby)++] = set->by[k];
}

/* From derivatives by these values to those by theta, cell by cell. */
static void chain(const struct cf_problem *q, size_t data, size_t nby, const size_t by[],
                  const double by_value[], size_t cells, const double dvalue[], double slope[])
{
    const struct cf_set *set = &q->set[data];
    size_t ncolumn = set->nlocal + set->nactive;

    memset(slope, 0, cells * q->nfree * sizeof *slope);
    for (size_t i = 0; i < cells; i++)
        for (size_t j = 0; j < set->nactive; j++) {
            double sum = 0;
            for (size_t k = 0; k < nby; k++) {
                double along = dvalue[by[k] * ncolumn + set->nlocal + j];
                if (along != 0)
                    sum += by_value[i * nby + k] * along;
            }
            slope[i * q->nfree + set->active[j]] = sum;
        }
}

int cf_problem_predict_rows(const struct cf_problem *problem, size_t data,
                            const struct cf_dataset *d, size_t n, const size_t row[],
                            size_t nchannel, const size_t channel[], double tolerance,
                            const double theta[], double y[], double slope[], double by_imposed[],
                            struct cf_error *err)
{
    const struct cf_set *set = &problem->set[data];
    size_t ncolumn = set->nlocal + set->nactive, cells = n * nchannel, nby = set->nby;
    size_t place = set->nplace + d->protocol->napparatus, *by = malloc((nby + 1) * sizeof *by);
    double *value =
        calloc(place + set->nplace * ncolumn + cells * set->nby + set->nlocal + 1, sizeof *value);
    double *dvalue = value + place, *by_value = dvalue + set->nplace * ncolumn;
    double *local = by_value + cells * set->nby;
    size_t last = 0; /* segment that has rows: what it begins with */
    struct cf_request request = {.data = d,
                                 .law = problem->law,
                                 .value = value,
                                 .nrow = n,
                                 .row = row,
                                 .nchannel = nchannel,
                                 .channel = channel,
                                 .by = by,
                                 .tolerance = tolerance};
    struct cf_response response = {y, slope ? by_value : NULL, by_imposed};
    int status =
        value && by ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", cells);

    for (size_t p = 0; p < problem->npart && !status; p++)
        if (problem->part[p].data == data) {
            last = problem->part[p].segment;
            memcpy(local, &problem->local[problem->part[p].local], set->nlocal * sizeof *local);
        }
    if (!status)
        status =
            cf_set_values(problem, data, last, theta, local, value, slope ? dvalue : NULL, err);
    if (!status) {
        memcpy(by, set->by, nby * sizeof *by);
        if (d->protocol != problem->spec->data[data].protocol)
            put_scene(problem, set, d, value, by, &nby);
        request.nby = slope ? nby : 0;
        status = cf_protocol_predict(problem->curves, &request, &response, err);
    }
    if (!status && slope)
        chain(problem, data, nby, by, by_value, cells, dvalue, slope);
    free(value);
    free(by);
    return status;
}
