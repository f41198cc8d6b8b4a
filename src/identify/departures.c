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
#include "judge/noncentral.h"
#include "judge/residual_tests.h"

const char *const cf_departure_name[] = {"smooth", "drift", "set", "neighbours"};

/* As judge/departures.c tests: degrees of its polynomials, columns that it needs, residuals that
 * these leave, rows of a set that has a slope, the share of its length that a column keeps at
 * least, and axes by logarithms. */
enum { DEGREE = 3, LEAST_COLUMNS = 2, LEAST_LEFT = 3, LEAST_OF_SET = 4 };
static const double least_kept = 1e-4, wide = 3;

/* Lengths that are equal but for rounding. */
static const double rounding = 1e-9;

/* A law that takes more of a polynomial's length than this follows it. */
static const double followed = 0.5;

/* One of which no more than this is left is followed altogether. */
static const double least_left = 0.1;

/* Columns of length 1 at right angles, in sigmas; there is room for one more than there may be. */
struct basis {
    size_t n, have;
    double *column; /* n each */
};

/* A quantity. */
struct frame {
    const struct cf_problem *q;
    const double *y, *slope; /* nobservation; slope[nfree * nobservation] by columns */
    size_t channel, n, *row; /* its rows */
    struct basis all;        /* of the parameters, in all observations */
    double typical;
    bool estimated;
};

static double sigma_of(const struct frame *f, size_t i)
{
    return f->q->observation[f->row[i]].sigma;
}

static double length_of(const double w[], size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += w[i] * w[i];
    return sqrt(sum);
}

/* What was put behind the columns, without what it has of them, twice for the digits. The length of
 * what is left; 0: next to nothing. */
static double take_off(const struct basis *b)
{
    double *w = &b->column[b->have * b->n], whole = length_of(w, b->n);

    for (int again = 0; again < 2; again++)
        for (size_t k = 0; k < b->have; k++) {
            double dot = 0;
            for (size_t i = 0; i < b->n; i++)
                dot += w[i] * b->column[k * b->n + i];
            for (size_t i = 0; i < b->n; i++)
                w[i] -= dot * b->column[k * b->n + i];
        }
    double left = length_of(w, b->n);
    return left > least_kept * whole ? left : 0;
}

/* It becomes one of them, where something is left of it. */
static void add_column(struct basis *b)
{
    double *w = &b->column[b->have * b->n], left = take_off(b);

    for (size_t i = 0; i < b->n && left > 0; i++)
        w[i] /= left;
    b->have += left > 0;
}

/* Numbers of the rows of the quantity, over their sigmas, behind the columns of all observations.
 */
static void put_by(struct frame *f, const double by[])
{
    double *w = &f->all.column[f->all.have * f->all.n];

    memset(w, 0, f->all.n * sizeof *w);
    for (size_t i = 0; i < f->n; i++)
        w[f->row[i]] = by[i] / sigma_of(f, i);
}

/* The length of what the parameters leave of them; and its share. */
static double left_of(struct frame *f, const double by[])
{
    put_by(f, by);
    return take_off(&f->all);
}

static double share_left(struct frame *f, const double by[])
{
    put_by(f, by);
    double whole = length_of(&f->all.column[f->all.have * f->all.n], f->all.n);
    return take_off(&f->all) / whole;
}

static int compare_size(const void *a, const void *b)
{
    size_t x = *(const size_t *) a, y = *(const size_t *) b;
    return (x > y) - (x < y);
}

static size_t order_of(const struct cf_problem *q, size_t i)
{
    const struct cf_observation *o = &q->observation[i];
    return cf_dataset_order(&q->spec->data[o->data], o->row);
}

/* The rows of one data set, which come together, in their order. */
static void sort_set(const struct cf_problem *q, size_t row[], size_t n)
{
    for (size_t i = 1; i < n; i++) { /* nearly in order */
        size_t here = row[i], k = i;
        for (; k > 0 && order_of(q, row[k - 1]) > order_of(q, here); k--)
            row[k] = row[k - 1];
        row[k] = here;
    }
}

static void find_rows(struct frame *f)
{
    const struct cf_problem *q = f->q;
    double squares = 0;
    size_t first = 0;

    f->n = 0;
    f->estimated = false;
    for (size_t i = 0; i < q->nobservation; i++)
        if (cf_tested_with(q, q->observation[i].channel) == f->channel) {
            f->estimated =
                f->estimated || !cf_channel_is_known(&q->channel[q->observation[i].channel]);
            squares += f->y[i] * f->y[i];
            f->row[f->n++] = i;
        }
    f->typical = sqrt(squares / (double) f->n);
    qsort(f->row, f->n, sizeof *f->row, compare_size);
    for (size_t i = 1; i <= f->n; i++)
        if (i == f->n || q->observation[f->row[i]].data != q->observation[f->row[first]].data) {
            sort_set(q, &f->row[first], i - first);
            first = i;
        }
}

static void add_parameters(struct frame *f)
{
    f->all.n = f->q->nobservation;
    f->all.have = 0;
    for (size_t j = 0; j < f->q->nfree; j++) {
        for (size_t i = 0; i < f->all.n; i++)
            f->all.column[f->all.have * f->all.n + i] =
                f->slope[j * f->all.n + i] / f->q->observation[i].sigma;
        add_column(&f->all);
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
            memcpy(d->row, f->row, f->n * sizeof *d->row);
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
    size_t parameters = f->all.have;
    double share = 0;

    while (columns > LEAST_COLUMNS && f->n < parameters + columns + LEAST_LEFT)
        columns--;
    if (columns < LEAST_COLUMNS || f->n < parameters + columns + LEAST_LEFT)
        return;
    for (size_t k = 0; k < parameters; k++)
        for (size_t i = 0; i < f->n; i++)
            share += gsl_pow_2(f->all.column[k * f->all.n + f->row[i]]);
    d->columns = columns;
    if (f->estimated)
        d->dof = (double) (f->n - columns) - share;
}

/* From the range of the axis to -1 to 1. */
static bool scale_axis(const struct frame *f, double x[])
{
    double low = (double) INFINITY, high = -low;

    for (size_t i = 0; i < f->n; i++) {
        x[i] = f->q->observation[f->row[i]].abscissa;
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    bool logarithmic = low > 0 && high > wide * low;
    for (size_t i = 0; i < f->n; i++)
        x[i] = logarithmic ? 2 * log(x[i] / low) / log(high / low) - 1
                           : (2 * x[i] - low - high) / (high - low);
    return high > low;
}

/* Legendre's polynomial at each x[n]. */
static void put_polynomial(const struct frame *f, size_t degree, const double x[], double by[])
{
    for (size_t i = 0; i < f->n; i++) {
        double before = 0, here = 1;
        for (size_t k = 0; k < degree; k++) {
            double next =
                ((2 * (double) k + 1) * x[i] * here - (double) k * before) / ((double) k + 1);
            before = here;
            here = next;
        }
        by[i] = here;
    }
}

/* The largest difference that the parameters leave of by[n], which becomes one of 1 by scaling; the
 * length of what is left. */
static double scale_left(struct frame *f, double by[])
{
    const double *w = &f->all.column[f->all.have * f->all.n];
    double length = left_of(f, by), largest = 0;

    for (size_t i = 0; i < f->n; i++)
        largest = fmax(largest, fabs(w[f->row[i]]) * sigma_of(f, i));
    for (size_t i = 0; i < f->n && largest > 0; i++)
        by[i] /= largest;
    return length > 0 ? length / largest : 0;
}

/* How many of them the parameters and those before them do not make. */
static size_t count_polynomials(struct frame *f, const double x[], double by[])
{
    size_t parameters = f->all.have;

    for (size_t k = 0; k <= DEGREE; k++) {
        put_polynomial(f, k, x, by);
        put_by(f, by);
        add_column(&f->all);
    }
    size_t columns = f->all.have - parameters;
    f->all.have = parameters;
    return columns;
}

/* x[2 * n] is spare. */
static int add_smooth(struct frame *f, double x[], struct cf_departures *departures,
                      struct cf_error *err)
{
    double most = 0, *by = x + f->n;

    if (!scale_axis(f, x))
        return CF_OK;
    struct cf_departure *d = add_departure(f, CF_DEPARTURE_SMOOTH, departures, err);
    if (!d)
        return CF_ENOMEM;
    for (size_t k = 0; k <= DEGREE; k++) {
        put_polynomial(f, k, x, by);
        double kept = share_left(f, by);
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
        low = fmin(low, (double) order_of(f->q, f->row[i]));
        high = fmax(high, (double) order_of(f->q, f->row[i]));
    }
    if (!(high > low))
        return CF_OK;
    struct cf_departure *d = add_departure(f, CF_DEPARTURE_DRIFT, departures, err);
    if (!d)
        return CF_ENOMEM;
    for (size_t i = 0; i < f->n; i++)
        d->by[i] = ((double) order_of(f->q, f->row[i]) - (low + high) / 2) / (high - low);
    d->length = left_of(f, d->by);
    put_test(f, DEGREE, d);
    return CF_OK;
}

static void put_set(const struct frame *f, size_t data, double by[])
{
    for (size_t i = 0; i < f->n; i++)
        by[i] = f->q->observation[f->row[i]].data == data;
}

static int add_set(struct frame *f, double x[], struct cf_departures *departures,
                   struct cf_error *err)
{
    size_t sets = 0, hardest = 0;
    double least = 0;

    for (size_t i = 0; i < f->n; i++) {
        size_t data = f->q->observation[f->row[i]].data;
        if (i > 0 && data == f->q->observation[f->row[i - 1]].data)
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
    put_test(f, (f->n >= LEAST_OF_SET * sets ? 2 : 1) * (sets - 1), d);
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
    size_t n = q->nobservation, most = q->nfree + DEGREE + 2;
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
        f.all.column = column;
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
