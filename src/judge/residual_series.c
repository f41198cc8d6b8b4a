#include "judge/residual_series.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "estimate/serial.h"
#include "judge/permutation.h"

/* Rows whose order and the axis have a rank correlation beyond this are in the order of the axis
 * but for a few neighbours: the tests along the axis see what those by row would see. */
static const double nearly_along = 0.9;

/* Residuals of so many sigmas matter to nobody, whatever they follow. */
static const double nothing = 1e-3;

void cf_residual_series_clear(struct cf_residual_series *series)
{
    free(series->abscissa);
    free(series->order);
    *series = (struct cf_residual_series){0};
}

static int compare_measured(const void *a, const void *b)
{
    const struct cf_measured *x = a, *y = b;
    if (x->data != y->data)
        return x->data < y->data ? -1 : 1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

void cf_measured_sort(struct cf_measured row[], size_t n)
{
    qsort(row, n, sizeof *row, compare_measured);
}

static struct cf_measured measured_of(const struct cf_problem *q, const struct cf_observation *o,
                                      size_t at)
{
    return (struct cf_measured){o->data, cf_dataset_order(&q->spec->data[o->data], o->row), at};
}

/* How far the order of n rows of one data set goes with the axis: the sums of products and squares
 * of their ranks, about the means. */
static void add_ranks(struct cf_residual_series *s, const struct cf_measured row[], size_t n,
                      double *products, double *squares)
{
    double sum = 0, own = 0, along = 0, middle = ((double) n + 1) / 2;

    for (size_t i = 0; i < n; i++)
        s->work[i] = s->abscissa[row[i].at];
    cf_ranks(s->work, n, s->order, s->rank);
    for (size_t i = 0; i < n; i++) {
        double a = s->rank[i] - middle, b = (double) i + 1 - middle;
        sum += a * b;
        own += b * b;
        along += a * a;
    }
    *products += fabs(sum);
    *squares += sqrt(own * along);
}

/* The residuals along the axis of each data set, up in one and down in the next, so that neighbours
 * from set to set are near on the axis, too. */
static void put_along_sets(struct cf_residual_series *s, struct cf_measured row[])
{
    size_t set = 0;

    for (size_t i = 0; i < s->n; i++)
        row[i].order = row[i].at;
    cf_measured_sort(row, s->n);
    for (size_t i = 0, n; i < s->n; i += n, set++) {
        for (n = 1; i + n < s->n && row[i + n].data == row[i].data;)
            n++;
        for (size_t k = 0; k < n; k++)
            s->by_set[i + k] = s->r[row[set % 2 ? i + n - 1 - k : i + k].at];
    }
}

/* The residuals by row, as they were measured, none where that is along the axis, or nearly so, in
 * each data set; and along the axis of each. */
static int put_by_set(struct cf_residual_series *s, const struct cf_fitted *of,
                      const double *const at[], struct cf_error *err)
{
    const struct cf_problem *q = of->problem;
    struct cf_measured *row = calloc(s->n + 1, sizeof *row);
    double products = 0, squares = 0;

    if (!row)
        return cf_fail(err, CF_ENOMEM, "no memory for the order of %zu residuals", s->n);
    for (size_t i = 0; i < s->n; i++)
        row[i] = measured_of(q, &q->observation[at[i] - of->place], i);
    cf_measured_sort(row, s->n);
    for (size_t i = 0, n; i < s->n; i += n) {
        for (n = 1; i + n < s->n && row[i + n].data == row[i].data;)
            n++;
        add_ranks(s, &row[i], n, &products, &squares);
    }
    s->has_rows = squares > 0 && products < nearly_along * squares;
    for (size_t i = 0; i < s->n; i++)
        s->by_row[i] = s->r[row[i].at];
    put_along_sets(s, row);
    free(row);
    return CF_OK;
}

/* Is it one channel, or are both of one quantity? */
static bool are_tested_together(const struct cf_problem *q, size_t a, size_t b)
{
    const struct cf_dataset *of_a = &q->spec->data[q->channel[a].data];
    const struct cf_dataset *of_b = &q->spec->data[q->channel[b].data];

    return a == b || (q->channel[a].column == q->channel[b].column && !of_a->protocol->record &&
                      !cf_serial_of(q, a) && !cf_serial_of(q, b) &&
                      cf_protocol_same(of_a->protocol, of_b->protocol));
}

/* The degrees of freedom of the channels that are tested with one. */
static double dof_of(const struct cf_problem *q, size_t channel)
{
    double dof = 0;

    for (size_t c = 0; c < q->nchannel; c++)
        dof += are_tested_together(q, channel, c) ? q->channel[c].dof : 0;
    return dof;
}

/* A row's error of what is imposed, in its sigmas, as its n residuals tell it: the mean of its
 * distribution given them (estimate/shared_error.h). */
static double expect_error(const struct cf_fitted *of, const struct cf_observation o[], size_t n)
{
    double precision = 1, weighted = 0;

    for (size_t i = 0; i < n; i++) {
        double share = o[i].carried / o[i].sigma, own = fmax(1 - share * share, DBL_EPSILON);
        double residual = o[i].value - of->y[&o[i] - of->problem->observation];
        if (share != 0 && o[i].weight > 0) {
            precision += share * share / own;
            weighted += share * residual / o[i].sigma / own;
        }
    }
    return weighted / precision;
}

void cf_find_places(const struct cf_fitted *of, double place[])
{
    const struct cf_problem *q = of->problem;

    for (size_t i = 0, n; i < q->nobservation; i += n) {
        const struct cf_observation *o = &q->observation[i];
        const struct cf_dataset *d = &q->spec->data[o->data];
        size_t imposed = d->protocol->imposed(d, o->row);
        for (n = 1; i + n < q->nobservation && o[n].data == o->data && o[n].row == o->row;)
            n++;
        bool is_axis = imposed == d->protocol->axis_channel;
        double sigma = is_axis ? cf_dataset_sigma(d, o->row, imposed) : 0;
        double error = sigma > 0 ? sigma * expect_error(of, o, n) : 0;
        for (size_t k = 0; k < n; k++)
            place[i + k] = o[k].abscissa + error;
    }
}

int cf_residual_series_make(struct cf_residual_series *series, const struct cf_fitted *of,
                            const double *const at[], size_t n, struct cf_error *err)
{
    const struct cf_observation *first = of->problem->observation;
    struct cf_residual_series *s = series;

    *s = (struct cf_residual_series){.n = n,
                                     .abscissa = calloc(6 * n + 1, sizeof *s->abscissa),
                                     .order = calloc(n + 1, sizeof *s->order)};
    if (!s->abscissa || !s->order)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    s->r = s->abscissa + n;
    s->by_row = s->r + n;
    s->by_set = s->by_row + n;
    s->work = s->by_set + n;
    s->rank = s->work + n;
    if (n == 0)
        return CF_OK;
    s->dof = dof_of(of->problem, first[at[0] - of->place].channel);
    for (size_t i = 0; i < n; i++) {
        size_t k = (size_t) (at[i] - of->place);
        s->abscissa[i] = *at[i];
        s->r[i] =
            of->independent ? of->independent[k] : (first[k].value - of->y[k]) / first[k].sigma;
    }
    return put_by_set(s, of, at, err);
}

size_t cf_tested_with(const struct cf_problem *problem, size_t channel)
{
    for (size_t c = 0; c < channel; c++)
        if (are_tested_together(problem, c, channel))
            return c;
    return channel;
}

size_t cf_measured_with(const struct cf_problem *problem, size_t channel, struct cf_measured row[])
{
    size_t n = 0;

    for (size_t i = 0; i < problem->nobservation; i++)
        if (cf_tested_with(problem, problem->observation[i].channel) == channel)
            row[n++] = measured_of(problem, &problem->observation[i], i);
    cf_measured_sort(row, n);
    return n;
}

size_t cf_tested_sets(const struct cf_problem *problem, size_t channel)
{
    size_t sets = 0;

    for (size_t d = 0; d < problem->spec->ndata; d++) {
        size_t c = cf_channel_of(problem, d, problem->channel[channel].column);
        sets += c != CF_NO_CHANNEL && are_tested_together(problem, channel, c);
    }
    return sets > 1 ? sets : 0;
}

bool cf_residuals_are_exact(const struct cf_fitted *of, size_t channel)
{
    const struct cf_problem *q = of->problem;

    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        const struct cf_channel *c = &q->channel[o->channel];
        if (are_tested_together(q, channel, o->channel) &&
            !(c->estimated && !(c->sigma > c->floor)) &&
            fabs(o->value - of->y[i]) > fmax(c->floor, nothing * c->sigma))
            return false;
    }
    return true;
}
