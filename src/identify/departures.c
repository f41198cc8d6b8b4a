#include "identify/power.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "estimate/clusters.h"
#include "estimate/effects.h"
#include "estimate/evaluate.h"
#include "estimate/records.h"
#include "estimate/serial.h"
#include "judge/departure_columns.h"
#include "judge/noncentral.h"
#include "judge/residual_series.h"

const char *const cf_departure_name[] = {"smooth", "drift", "set", "neighbours"};

/* Lengths that are equal but for rounding. */
static const double rounding = 1e-9;

/* A law that takes more of a polynomial's length than this follows it. */
static const double followed = 0.5;

/* One of which no more than this is left is followed altogether. */
static const double least_left = 0.1;

/* A quantity. */
struct frame {
    const struct cf_problem *q;
    const double *y, *slope; /* nobservation; slope[nfree * nobservation] by columns */
    size_t channel, n;
    struct cf_measured *row; /* n */
    size_t have;             /* columns of the parameters, which are all at right angles, */
    double *column;          /* of nobservation, in sigmas; and room for the others */
    double typical;
    bool estimated;
};

static double sigma_of(const struct frame *f, size_t i)
{
    return f->q->observation[f->row[i].at].sigma;
}

/* The one behind the columns. */
static double *last_column(const struct frame *f)
{
    return &f->column[f->have * f->q->nobservation];
}

/* Numbers of the rows of the quantity, over their sigmas, behind the columns. Their length. */
static double put_by(const struct frame *f, const double by[])
{
    double *w = last_column(f);

    memset(w, 0, f->q->nobservation * sizeof *w);
    for (size_t i = 0; i < f->n; i++)
        w[f->row[i].at] = by[i] / sigma_of(f, i);
    return cf_length(w, f->q->nobservation);
}

/* The length of what the parameters leave of them; 0: next to nothing. */
static double left_of(const struct frame *f, const double by[])
{
    double whole = put_by(f, by);
    double left = cf_take_columns_off(f->column, f->have, f->q->nobservation, last_column(f));
    return cf_keeps_length(left, whole) ? left : 0;
}

static void find_rows(struct frame *f)
{
    const struct cf_problem *q = f->q;
    double squares = 0;

    f->n = cf_measured_with(q, f->channel, f->row);
    f->estimated = false;
    for (size_t i = 0; i < f->n; i++) {
        size_t at = f->row[i].at;
        f->estimated =
            f->estimated || !cf_channel_is_known(&q->channel[q->observation[at].channel]);
        squares += f->y[at] * f->y[at];
    }
    f->typical = sqrt(squares / (double) f->n);
}

static void add_parameters(struct frame *f)
{
    size_t n = f->q->nobservation;

    for (size_t j = 0; j < f->q->nfree; j++) {
        double *w = last_column(f);
        for (size_t i = 0; i < n; i++)
            w[i] = f->slope[j * n + i] / f->q->observation[i].sigma;
        f->have = cf_append_column(f->column, f->have, n, cf_length(w, n));
    }
}

/* ---- the departures */

/* Are errors independent, also of the columns of a row? */
static bool is_plain(const struct cf_problem *q, size_t channel)
{
    bool plain =
        !q->nlocal && !cf_is_clustered(q) && !cf_shares_errors(q) && !cf_serial_of(q, channel);

    for (size_t i = 1; i < q->nobservation && plain; i++) {
        const struct cf_observation *o = &q->observation[i];
        plain = o[-1].data != o->data || o[-1].row != o->row || o[-1].shared * o->shared == 0;
    }
    return plain;
}

static struct cf_departure *add_departure(const struct frame *f, enum cf_departure_kind kind,
                                          struct cf_departures *departures, struct cf_error *err)
{
    const struct cf_channel *c = &f->q->channel[f->channel];
    const struct cf_protocol *p = f->q->spec->data[c->data].protocol;
    struct cf_departure *longer = cf_list_grow(departures->item, departures->n, sizeof *longer), *d;

    if (longer) {
        departures->item = longer;
        d = &longer[departures->n++];
        *d = (struct cf_departure){.kind = kind,
                                   .quantity = &p->channel[c->column],
                                   .axis = &p->axis,
                                   .n = f->n,
                                   .row = malloc((f->n + 1) * sizeof *d->row),
                                   .typical = f->typical,
                                   .length = (double) NAN,
                                   .dof = (double) INFINITY,
                                   .plain = is_plain(f->q, f->channel)};
        if (kind != CF_DEPARTURE_NEIGHBOURS)
            d->by = calloc(f->n + 1, sizeof *d->by);
        if (d->row && (d->by || kind == CF_DEPARTURE_NEIGHBOURS)) {
            for (size_t i = 0; i < f->n; i++)
                d->row[i] = f->row[i].at;
            return d;
        }
    }
    cf_fail(err, CF_ENOMEM, "no memory for the departures of %zu readings", f->n);
    return NULL;
}

/* The test that sees it: of so many columns, fewer where rows are few. An estimated sigma leaves
 * the degrees of freedom that the parameters do not take of these rows. */
static void put_test(const struct frame *f, size_t columns, struct cf_departure *d)
{
    double share = 0;

    d->columns = cf_columns_held(columns, (double) f->n, (double) f->have);
    for (size_t k = 0; k < f->have; k++)
        for (size_t i = 0; i < f->n; i++)
            share += gsl_pow_2(f->column[k * f->q->nobservation + f->row[i].at]);
    if (d->columns && f->estimated)
        d->dof = (double) (f->n - d->columns) - share;
}

static void put_polynomial(const struct frame *f, size_t degree, const double x[], double by[])
{
    double value[CF_DEPARTURE_DEGREE + 1];

    for (size_t i = 0; i < f->n; i++) {
        cf_legendre(x[i], degree, value);
        by[i] = value[degree];
    }
}

/* The largest difference that the parameters leave of by[n], which becomes one of 1 by scaling; the
 * length of what is left. */
static double scale_left(const struct frame *f, double by[])
{
    const double *w = last_column(f);
    double length = left_of(f, by), largest = 0;

    for (size_t i = 0; i < f->n; i++)
        largest = fmax(largest, fabs(w[f->row[i].at]) * sigma_of(f, i));
    for (size_t i = 0; i < f->n && largest > 0; i++)
        by[i] /= largest;
    return length > 0 ? length / largest : 0;
}

/* How many of them the parameters and those before them do not make. */
static size_t count_polynomials(struct frame *f, const double x[], double by[])
{
    size_t parameters = f->have;

    for (size_t k = 0; k <= CF_DEPARTURE_DEGREE; k++) {
        put_polynomial(f, k, x, by);
        double whole = put_by(f, by);
        f->have = cf_append_column(f->column, f->have, f->q->nobservation, whole);
    }
    size_t columns = f->have - parameters;
    f->have = parameters;
    return columns;
}

/* x[2 * n] is spare. */
static int add_smooth(struct frame *f, double x[], struct cf_departures *departures,
                      struct cf_error *err)
{
    double most = 0, *by = x + f->n;

    for (size_t i = 0; i < f->n; i++)
        x[i] = f->q->observation[f->row[i].at].abscissa;
    if (!cf_scale_axis(x, f->n))
        return CF_OK;
    struct cf_departure *d = add_departure(f, CF_DEPARTURE_SMOOTH, departures, err);
    if (!d)
        return CF_ENOMEM;
    for (size_t k = 0; k <= CF_DEPARTURE_DEGREE; k++) {
        put_polynomial(f, k, x, by);
        double whole = put_by(f, by), kept = left_of(f, by) / whole;
        if (most >= followed || !(kept > most))
            continue;
        most = kept;
        d->degree = k;
        memcpy(d->by, by, f->n * sizeof *by);
    }
    d->length = most > least_left ? scale_left(f, d->by) : 0;
    put_test(f, count_polynomials(f, x, by), d);
    return CF_OK;
}

static int add_drift(struct frame *f, struct cf_departures *departures, struct cf_error *err)
{
    double low = (double) INFINITY, high = 0;

    for (size_t i = 0; i < f->n; i++) {
        low = fmin(low, (double) f->row[i].order);
        high = fmax(high, (double) f->row[i].order);
    }
    if (!(high > low))
        return CF_OK;
    struct cf_departure *d = add_departure(f, CF_DEPARTURE_DRIFT, departures, err);
    if (!d)
        return CF_ENOMEM;
    for (size_t i = 0; i < f->n; i++)
        d->by[i] = ((double) f->row[i].order - (low + high) / 2) / (high - low);
    d->length = left_of(f, d->by);
    put_test(f, CF_DEPARTURE_DEGREE, d);
    return CF_OK;
}

static void put_set(const struct frame *f, size_t data, double by[])
{
    for (size_t i = 0; i < f->n; i++)
        by[i] = f->row[i].data == data;
}

static int add_set(struct frame *f, double x[], struct cf_departures *departures,
                   struct cf_error *err)
{
    size_t sets = 0, hardest = 0;
    double least = 0;

    for (size_t i = 0; i < f->n; i++) {
        size_t data = f->row[i].data;
        if (i > 0 && data == f->row[i - 1].data)
            continue;
        put_set(f, data, x);
        double length = left_of(f, x);
        if (sets++ == 0 || least == 0 || (length > 0 && length < least * (1 - rounding))) {
            hardest = data;
            least = length;
        }
    }
    if (sets < 2)
        return CF_OK;
    struct cf_departure *d = add_departure(f, CF_DEPARTURE_SET, departures, err);
    if (!d)
        return CF_ENOMEM;
    d->data = f->q->spec->data[hardest].name;
    put_set(f, hardest, d->by);
    d->length = least;
    put_test(f, (f->n >= CF_LEAST_OF_SET * sets ? 2 : 1) * (sets - 1), d);
    return CF_OK;
}

static int add_quantity(struct frame *f, double x[], struct cf_departures *departures,
                        struct cf_error *err)
{
    find_rows(f);
    int status = add_smooth(f, x, departures, err);
    if (!status)
        status = add_drift(f, departures, err);
    if (!status)
        status = add_set(f, x, departures, err);
    if (!status && !cf_serial_of(f->q, f->channel) &&
        !add_departure(f, CF_DEPARTURE_NEIGHBOURS, departures, err))
        status = CF_ENOMEM;
    return status;
}

/* Derivatives into slope[nfree * nobservation]. */
static void take_slopes(void *context, size_t unit, const struct cf_stretch *at)
{
    const struct cf_problem *q = at->problem;
    const struct cf_part *part = &q->part[at->part];
    const struct cf_set *set = &q->set[part->data];
    double *slope = context;

    (void) unit;
    for (size_t j = 0; j < set->nactive; j++)
        memcpy(&slope[set->active[j] * q->nobservation + at->first],
               &at->A[(at->ncolumn - set->nactive + j) * at->ld], at->count * sizeof *slope);
}

int cf_departures_make(const struct cf_problem *q, const double theta[],
                       struct cf_departures *departures, struct cf_error *err)
{
    size_t n = q->nobservation, most = q->nfree + CF_DEPARTURE_DEGREE + 2;
    double *y = calloc(n * (1 + q->nfree + most + 2) + 1, sizeof *y);
    double *slope = y ? y + n : NULL, *column = y ? slope + n * q->nfree : NULL;
    struct frame f = {.q = q, .y = y, .slope = slope, .row = calloc(n + 1, sizeof *f.row)};
    int status = CF_OK;

    *departures = (struct cf_departures){0};
    if (!y || !f.row)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu readings", n);
    if (!status)
        status = cf_problem_predict(q, theta, y, NULL, err);
    if (!status)
        status = cf_problem_visit(q, theta, NULL, CF_WANT_SLOPES, take_slopes, slope, err);
    if (!status) {
        f.column = column;
        add_parameters(&f);
    }
    for (size_t c = 0; c < q->nchannel && !status; c++) {
        f.channel = c;
        if (cf_tested_with(q, c) == c)
            status = add_quantity(&f, column + n * most, departures, err);
    }
    free(f.row);
    free(y);
    return status;
}

void cf_departures_clear(struct cf_departures *departures)
{
    for (size_t i = 0; i < departures->n; i++) {
        free(departures->item[i].row);
        free(departures->item[i].by);
    }
    free(departures->item);
    *departures = (struct cf_departures){0};
}

double cf_departure_seen(const struct cf_departure *d, double level, double power)
{
    if (d->length == 0)
        return (double) INFINITY;
    if (d->columns == 0 || isnan(d->length))
        return (double) NAN;
    return sqrt(cf_lambda_seen(level, (double) d->columns, d->dof, power)) / d->length;
}
