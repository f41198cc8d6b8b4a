#include "estimate/records.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

/* Two readings share records when they are no further apart. */
enum { BAND = 2 };

int cf_records_make(struct cf_problem *problem, const struct cf_record old[], size_t nold,
                    struct cf_error *err)
{
    const struct cf_spec *spec = problem->spec;

    problem->nrecord = 0;
    problem->record = calloc(spec->ndata + 1, sizeof *problem->record);
    if (!problem->record)
        return cf_fail(err, CF_ENOMEM, "no memory for the records of %zu data sets", spec->ndata);
    for (size_t i = 0; i < problem->nchannel; i++) {
        const struct cf_channel *c = &problem->channel[i];
        const struct cf_dataset *d = &spec->data[c->data];
        const struct cf_derived *recording = d->protocol->recording;
        struct cf_record *record = &problem->record[problem->nrecord];

        if (!recording || c->column != recording->reading)
            continue;
        *record =
            (struct cf_record){.data = c->data,
                               .estimated = d->series[recording->record].kind == CF_SIGMA_ESTIMATE,
                               .identified = true};
        for (size_t k = 0; k < nold; k++)
            if (old[k].data == c->data)
                *record = old[k];
        problem->nrecord++;
    }
    return CF_OK;
}

void cf_records_free(struct cf_problem *problem)
{
    free(problem->record);
    problem->record = NULL;
    problem->nrecord = 0;
}

/* The record of a data set, or NULL. */
static const struct cf_record *record_of(const struct cf_problem *q, size_t data)
{
    for (size_t k = 0; k < q->nrecord; k++)
        if (q->record[k].data == data)
            return &q->record[k];
    return NULL;
}

/* The records of one observation, and what an error of each moves it by. */
struct links {
    size_t n, row[3];
    double by[3];
};

/* a_k [reading per record]. */
static struct links coefficients(const struct cf_problem *q, const struct cf_observation *o)
{
    const struct cf_dataset *d = &q->spec->data[o->data];
    struct cf_stamped s;
    struct links out = {0};

    if (o->column != d->protocol->recording->reading ||
        !d->protocol->recording->stamped(d, o->row, o->predicted, &s))
        return out;
    out.n = s.n;
    for (size_t k = 0; k < s.n; k++) {
        out.row[k] = s.row[k];
        out.by[k] = s.by_value[k] - o->by_imposed * s.by_imposed[k];
    }
    return out;
}

static double record_sigma(const struct cf_problem *q, const struct cf_record *record, size_t row)
{
    const struct cf_dataset *d = &q->spec->data[record->data];

    return record->estimated ? sqrt(fmax(record->variance, 0))
                             : cf_dataset_sigma(d, row, d->protocol->recording->record);
}

/* In the observation's own sigmas; by errors of one standard deviation where these are stated, else
 * of one unit. */
static struct links links_of(const struct cf_problem *q, const struct cf_record *record,
                             const struct cf_observation *o)
{
    struct links out = coefficients(q, o);

    for (size_t k = 0; k < out.n; k++) {
        double stated = record->estimated ? 1 : record_sigma(q, record, out.row[k]);
        out.by[k] *= o->weight > 0 ? sqrt(o->robust) / o->sigma * stated : 0;
    }
    return out;
}

/* What the products of links are multiplied by; a difference of it may lead below 0. */
static double variance_of(const struct cf_record *record)
{
    return record->estimated ? record->variance : 1;
}

static double dot(const struct links *a, const struct links *b)
{
    double sum = 0;

    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++)
            if (a->row[i] == b->row[j])
                sum += a->by[i] * b->by[j];
    return sum;
}

bool cf_record_links(const struct cf_problem *problem, size_t observation)
{
    const struct cf_observation *o = &problem->observation[observation];
    struct links here;

    if (!problem->nrecord || !observation || !record_of(problem, o->data))
        return false;
    here = coefficients(problem, o);
    for (size_t k = 1; k <= BAND && k <= observation && o[-(ptrdiff_t) k].data == o->data; k++) {
        struct links there = coefficients(problem, &o[-(ptrdiff_t) k]);
        for (size_t i = 0; i < here.n; i++)
            for (size_t j = 0; j < there.n; j++)
                if (here.row[i] == there.row[j])
                    return true;
    }
    return false;
}

/* A row of the Cholesky factor: before[k - 1] is the element k to the left of the diagonal. */
struct factor {
    struct links links;
    double diagonal, before[BAND];
};

/* The next row, from those of the observations before it: last[k - 1] is k before; `known` of them.
 */
static void factorise(double variance, struct factor *next, const struct factor last[],
                      size_t known)
{
    double rest = 1 + variance * dot(&next->links, &next->links);

    for (size_t k = BAND; k >= 1; k--) {
        double sum = k <= known ? variance * dot(&next->links, &last[k - 1].links) : 0;
        /* L_ij = (C_ij - sum over m < j of L_im L_jm)/L_jj */
        for (size_t m = k + 1; m <= BAND && m <= known; m++)
            sum -= next->before[m - 1] * last[k - 1].before[m - k - 1];
        next->before[k - 1] = k <= known ? sum / last[k - 1].diagonal : 0;
        rest -= gsl_pow_2(next->before[k - 1]);
    }
    next->diagonal = sqrt(rest); /* NaN: not positive definite */
}

void cf_records_whiten(const struct cf_problem *problem, double A[], size_t ncolumn, size_t ld,
                       double *log_det)
{
    const struct cf_observation *o = problem->observation;
    const struct cf_record *record = NULL;
    struct factor last[BAND] = {0};
    size_t known = 0;

    for (size_t i = 0; i < problem->nobservation && problem->nrecord; i++) {
        struct factor here = {0};
        if (i == 0 || o[i].data != o[i - 1].data) {
            record = record_of(problem, o[i].data);
            known = 0;
        }
        if (!record)
            continue;
        here.links = links_of(problem, record, &o[i]);
        factorise(variance_of(record), &here, last, known);
        for (size_t j = 0; j < ncolumn; j++) {
            double *x = &A[j * ld + i];
            for (size_t k = 1; k <= known; k++)
                *x -= here.before[k - 1] * x[-(ptrdiff_t) k];
            *x /= here.diagonal;
        }
        if (log_det)
            *log_det += 2 * o[i].weight * log(here.diagonal);
        last[1] = last[0];
        last[0] = here;
        known = known < BAND ? known + 1 : BAND;
    }
}

int cf_records_draw(const struct cf_problem *problem, double (*normal)(void *owner), void *owner,
                    double value[], struct cf_error *err)
{
    for (size_t r = 0; r < problem->nrecord; r++) {
        const struct cf_record *record = &problem->record[r];
        size_t nrow = problem->spec->data[record->data].nrow;
        double *error = malloc((nrow + 1) * sizeof *error);
        if (!error)
            return cf_fail(err, CF_ENOMEM, "no memory for the errors of %zu records", nrow);
        for (size_t row = 0; row < nrow; row++)
            error[row] = normal(owner) * record_sigma(problem, record, row);
        for (size_t i = 0; i < problem->nobservation; i++) {
            struct links at;
            if (problem->observation[i].data != record->data)
                continue;
            at = coefficients(problem, &problem->observation[i]);
            for (size_t k = 0; k < at.n; k++)
                value[i] += at.by[k] * error[at.row[k]];
        }
        free(error);
    }
    return CF_OK;
}

double cf_observation_sigma(const struct cf_problem *problem, size_t observation)
{
    const struct cf_observation *o = &problem->observation[observation];
    const struct cf_record *record = record_of(problem, o->data);
    double variance = o->sigma * o->sigma;
    struct links at;

    if (!record)
        return o->sigma;
    at = coefficients(problem, o);
    for (size_t k = 0; k < at.n; k++)
        variance += gsl_pow_2(at.by[k] * record_sigma(problem, record, at.row[k]));
    return sqrt(variance);
}

void cf_records_take(struct cf_problem *problem, const struct cf_problem *from)
{
    for (size_t i = 0; i < problem->nrecord; i++) {
        const struct cf_record *record = record_of(from, problem->record[i].data);
        if (record)
            problem->record[i] = *record;
    }
}

double cf_record_weight(const struct cf_problem *problem, size_t record, size_t *n)
{
    double sum = 0;

    *n = 0;
    for (size_t i = 0; i < problem->nobservation; i++) {
        const struct cf_observation *o = &problem->observation[i];
        struct links at;
        if (o->data != problem->record[record].data || !(o->weight > 0))
            continue;
        at = coefficients(problem, o);
        for (size_t k = 0; k < at.n; k++)
            sum += gsl_pow_2(at.by[k] / o->sigma);
        ++*n;
    }
    return sum;
}

double cf_record_share(const struct cf_problem *problem, size_t channel)
{
    const struct cf_record *record = record_of(problem, problem->channel[channel].data);
    double sum = 0, n = 0;

    for (size_t i = 0; i < problem->nobservation && record; i++) {
        struct links at;
        if (problem->observation[i].channel != channel)
            continue;
        at = links_of(problem, record, &problem->observation[i]);
        sum += variance_of(record) * dot(&at, &at);
        n++;
    }
    return n > 0 ? sum / n : 0;
}

bool cf_shares_errors(const struct cf_problem *problem)
{
    return problem->neffect > 0 || problem->nrecord > 0;
}
