#include "estimate/records.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/carried.h"

/* The record of a data set, or NULL. */
static const struct cf_record *record_of(const struct cf_problem *q, size_t data)
{
    for (size_t k = 0; k < q->nrecord; k++)
        if (q->record[k].data == data)
            return &q->record[k];
    return NULL;
}

static double record_sigma(const struct cf_problem *q, const struct cf_record *record, size_t row)
{
    const struct cf_dataset *d = &q->spec->data[record->data];

    return record->estimated ? sqrt(fmax(record->variance, 0))
                             : cf_dataset_sigma(d, row, d->protocol->recording->record);
}

/* What an error of each record moves an observation by. */
static void link_one(const struct cf_problem *q, const struct cf_record *record,
                     const struct cf_observation *o, double predicted, double by_imposed,
                     struct cf_reading_link *out)
{
    const struct cf_dataset *d = &q->spec->data[o->data];
    struct cf_stamped s;

    out->n = 0;
    out->known = 0;
    if (!record || o->column != d->protocol->recording->reading ||
        !d->protocol->recording->stamped(d, o->row, predicted, &s))
        return;
    out->n = s.n;
    for (size_t k = 0; k < s.n; k++) {
        out->row[k] = s.row[k];
        out->by[k] = s.by_value[k] - by_imposed * s.by_imposed[k];
    }
    out->known = gsl_pow_2(cf_carried_beside(q, o, by_imposed));
}

/* The sum over the records that two observations have in common: of the products of what their
 * errors move them by; by errors of one standard deviation where these are stated, else of one
 * unit. */
static double common(const struct cf_problem *q, const struct cf_record *record,
                     const struct cf_reading_link *a, const struct cf_reading_link *b)
{
    double sum = 0;

    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++)
            if (a->row[i] == b->row[j]) {
                double sigma = record->estimated ? 1 : record_sigma(q, record, a->row[i]);
                sum += a->by[i] * b->by[j] * sigma * sigma;
            }
    return sum;
}

/* With itself and with those before it. */
static void band_of(const struct cf_problem *q, const struct cf_record *record, size_t i)
{
    struct cf_reading_link *link = &q->link[i];

    for (size_t k = 0; k <= CF_RECORD_BAND; k++)
        link->band[k] = k <= i && q->observation[i - k].data == q->observation[i].data
                            ? common(q, record, link, link - k)
                            : 0;
}

void cf_record_link(struct cf_problem *problem, size_t observation, double predicted,
                    double by_imposed)
{
    const struct cf_observation *o = &problem->observation[observation];
    const struct cf_record *record = record_of(problem, o->data);
    struct cf_reading_link *link = problem->nrecord ? &problem->link[observation] : NULL;

    if (!record)
        return;
    link_one(problem, record, o, predicted, by_imposed, link);
    link->band[0] = common(problem, record, link, link);
}

/* Bands of all, whose links are known. */
static void band_all(struct cf_problem *q)
{
    const struct cf_record *record = NULL;

    for (size_t i = 0; i < q->nobservation && q->nrecord; i++) {
        if (i == 0 || q->observation[i].data != q->observation[i - 1].data)
            record = record_of(q, q->observation[i].data);
        if (record)
            band_of(q, record, i);
    }
}

void cf_records_link(struct cf_problem *problem, const double predicted[],
                     const double by_imposed[])
{
    for (size_t i = 0; i < problem->nobservation && problem->nrecord; i++) {
        const struct cf_observation *o = &problem->observation[i];
        link_one(problem, record_of(problem, o->data), o, predicted ? predicted[i] : o->value,
                 by_imposed ? by_imposed[i] : 0, &problem->link[i]);
    }
    band_all(problem);
}

/* ---- the records of a problem */

/* Room for the records of all data sets, and for the links of all observations. */
static int allocate(struct cf_problem *q, struct cf_error *err)
{
    q->nrecord = 0;
    q->record = calloc(q->spec->ndata + 1, sizeof *q->record);
    q->link = NULL;
    for (size_t i = 0; i < q->spec->ndata && !q->link && q->record; i++) {
        if (!q->spec->data[i].protocol->recording)
            continue;
        q->link = calloc(q->nobservation + 1, sizeof *q->link);
        if (!q->link)
            return cf_fail(err, CF_ENOMEM, "no memory for %zu readings", q->nobservation);
    }
    return q->record ? CF_OK
                     : cf_fail(err, CF_ENOMEM, "no memory for the records of %zu data sets",
                               q->spec->ndata);
}

int cf_records_make(struct cf_problem *problem, struct cf_error *err)
{
    int status = allocate(problem, err);

    for (size_t i = 0; i < problem->nchannel && !status; i++) {
        const struct cf_channel *c = &problem->channel[i];
        const struct cf_dataset *d = &problem->spec->data[c->data];
        const struct cf_derived *recording = d->protocol->recording;

        if (!recording || c->column != recording->reading)
            continue;
        problem->record[problem->nrecord++] =
            (struct cf_record){.data = c->data,
                               .estimated = d->series[recording->record].kind == CF_SIGMA_ESTIMATE,
                               .identified = true};
    }
    if (!status)
        cf_records_link(problem, NULL, NULL);
    return status;
}

int cf_records_copy(struct cf_problem *copy, const struct cf_problem *from, struct cf_error *err)
{
    int status = allocate(copy, err);

    if (status)
        return status;
    memcpy(copy->record, from->record, from->nrecord * sizeof *from->record);
    copy->nrecord = from->nrecord;
    if (from->nrecord)
        memcpy(copy->link, from->link, from->nobservation * sizeof *from->link);
    return CF_OK;
}

void cf_records_restore(struct cf_problem *copy, const struct cf_problem *from)
{
    for (size_t i = 0; i < from->nrecord; i++)
        copy->record[i].variance = from->record[i].variance;
    if (from->nrecord)
        memcpy(copy->link, from->link, from->nobservation * sizeof *from->link);
}

void cf_records_close_up(struct cf_problem *problem, const bool keep[], size_t nobservation)
{
    size_t n = 0;

    for (size_t i = 0; i < nobservation && problem->nrecord; i++)
        if (keep[i])
            problem->link[n++] = problem->link[i];
    band_all(problem);
}

void cf_records_free(struct cf_problem *problem)
{
    free(problem->record);
    free(problem->link);
    problem->record = NULL;
    problem->link = NULL;
    problem->nrecord = 0;
}

/* ---- the factor */

/* What the band is multiplied by; a difference of it may lead below 0. */
static double variance_of(const struct cf_record *record)
{
    return record->estimated ? record->variance : 1;
}

bool cf_record_links(const struct cf_problem *problem, size_t observation)
{
    const struct cf_reading_link *link = problem->nrecord ? &problem->link[observation] : NULL;

    for (size_t k = 1; link && k <= CF_RECORD_BAND; k++)
        if (link->band[k] != 0)
            return true;
    return false;
}

/* A row of the Cholesky factor: before[k - 1] is the element k to the left of the diagonal. */
struct factor {
    double diagonal, before[CF_RECORD_BAND];
};

/* The next row, from the two before it, which have the elements c[] of C in common with it. */
static struct factor factorise(const double c[], const struct factor *last,
                               const struct factor *second)
{
    struct factor next;

    next.before[1] = c[2] / second->diagonal;
    next.before[0] = (c[1] - next.before[1] * last->before[0]) / last->diagonal;
    /* NaN: not positive definite */
    next.diagonal = sqrt(1 + c[0] - gsl_pow_2(next.before[0]) - gsl_pow_2(next.before[1]));
    return next;
}

/* 1/sigma of an observation that counts. */
static double scale_of(const struct cf_observation *o)
{
    return o->weight > 0 ? sqrt(o->robust) / o->sigma : 0;
}

/* Row i of L^-1 A, from those before it. */
static void substitute(const struct factor *f, double A[], size_t ncolumn, size_t ld, size_t i)
{
    for (size_t j = 0; j < ncolumn; j++) {
        double *x = &A[j * ld + i];
        if (i >= 1)
            *x -= f->before[0] * x[-1];
        if (i >= 2)
            *x -= f->before[1] * x[-2];
        *x /= f->diagonal;
    }
}

void cf_records_whiten(const struct cf_problem *problem, double A[], size_t ncolumn, size_t ld,
                       double *log_det)
{
    const struct factor alone = {.diagonal = 1};
    struct factor last = alone, second = alone;
    double before[CF_RECORD_BAND] = {0}, variance = 0; /* scales of the two before it */

    for (size_t i = 0; i < problem->nobservation && problem->nrecord; i++) {
        const struct cf_observation *o = &problem->observation[i];
        const double *band = problem->link[i].band;
        double known = problem->link[i].known;
        double scale = scale_of(o);
        if (i == 0 || o->data != o[-1].data) {
            const struct cf_record *record = record_of(problem, o->data);
            variance = record ? variance_of(record) : 0;
        }
        struct factor here = alone;
        if ((variance != 0 && band[0] != 0) || known > 0) {
            double share = variance * scale;
            double c[] = {share * scale * band[0] + scale * scale * known,
                          share * before[0] * band[1], share * before[1] * band[2]};
            here = factorise(c, &last, &second);
            substitute(&here, A, ncolumn, ld, i);
            if (log_det)
                *log_det += 2 * o->weight * log(here.diagonal);
        }
        second = last;
        last = here;
        before[1] = before[0];
        before[0] = scale;
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
            const struct cf_reading_link *at = &problem->link[i];
            if (problem->observation[i].data != record->data)
                continue;
            for (size_t k = 0; k < at->n; k++)
                value[i] += at->by[k] * error[at->row[k]];
            value[i] += at->known > 0 ? sqrt(at->known) * normal(owner) : 0;
        }
        free(error);
    }
    return CF_OK;
}

double cf_observation_sigma(const struct cf_problem *problem, size_t observation)
{
    const struct cf_observation *o = &problem->observation[observation];
    const struct cf_record *record = record_of(problem, o->data);

    return record ? sqrt(gsl_pow_2(o->sigma) + problem->link[observation].known +
                         variance_of(record) * problem->link[observation].band[0])
                  : o->sigma;
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
        if (o->data != problem->record[record].data || !(o->weight > 0))
            continue;
        sum += problem->link[i].band[0] / gsl_pow_2(o->sigma);
        ++*n;
    }
    return sum;
}

double cf_record_share(const struct cf_problem *problem, size_t channel)
{
    const struct cf_record *record = record_of(problem, problem->channel[channel].data);
    double sum = 0, n = 0;

    for (size_t i = 0; i < problem->nobservation && record; i++) {
        const struct cf_observation *o = &problem->observation[i];
        if (o->channel != channel)
            continue;
        sum += variance_of(record) * gsl_pow_2(scale_of(o)) * problem->link[i].band[0];
        n++;
    }
    return n > 0 ? sum / n : 0;
}

bool cf_shares_errors(const struct cf_problem *problem)
{
    return problem->neffect > 0 || problem->nrecord > 0 || problem->nserial > 0;
}
