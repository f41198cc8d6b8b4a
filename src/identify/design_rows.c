/* The single rows that could be measured: each channel that the law predicts, at places of the
 * axis.
 */

#include "identify/design.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool same_pair(const struct cf_dataset *a, const struct cf_dataset *b)
{
    return a->protocol == b->protocol && a->pair.mass_kg == b->pair.mass_kg &&
           a->pair.radius_m == b->pair.radius_m;
}

bool cf_design_along(const struct cf_spec *spec, size_t data)
{
    const struct cf_axis *a = &spec->data[0].protocol->axis, *b = &spec->data[data].protocol->axis;

    return data == 0 || cf_protocol_same(spec->data[0].protocol, spec->data[data].protocol) ||
           (strcmp(a->name, b->name) == 0 && strcmp(a->unit, b->unit) == 0 &&
            a->linear == b->linear);
}

/* Candidates of one pair are listed once: in the set that measures the column, else in the
 * first. */
static bool stands_for_pair(const struct cf_problem *q, size_t data, size_t column)
{
    const struct cf_dataset *own = &q->spec->data[data];
    bool measured = cf_channel_of(q, data, column) != CF_NO_CHANNEL;

    for (size_t i = 0; i < q->spec->ndata; i++) {
        bool there = cf_channel_of(q, i, column) != CF_NO_CHANNEL;
        if (i == data || !same_pair(own, &q->spec->data[i]))
            continue;
        if ((there && !measured) || (there == measured && i < data))
            return false;
    }
    return true;
}

/* Distance of two places on an axis. */
static double distance(const struct cf_protocol *protocol, double a, double b)
{
    return protocol->axis.linear ? fabs(a - b) : fabs(log(a / b));
}

/* Sigma of the abscissa in the row of a data set that is nearest to it: one sigma of the imposed
 * quantity, carried over to the abscissa. */
static double axis_sigma(const struct cf_dataset *d, double abscissa)
{
    size_t nearest = 0, channel;
    struct cf_dataset bent;
    double sigma;

    for (size_t row = 1; row < d->nrow; row++)
        if (distance(d->protocol, d->protocol->abscissa(d, row), abscissa) <
            distance(d->protocol, d->protocol->abscissa(d, nearest), abscissa))
            nearest = row;
    channel = d->protocol->imposed(d, nearest);
    sigma = cf_dataset_sigma(d, nearest, channel);
    if (!(sigma > 0))
        return 0;
    if (cf_dataset_copy(&bent, d, NULL))
        return NAN;
    bent.series[channel].value[nearest] += sigma;
    sigma = fabs(d->protocol->abscissa(&bent, nearest) - d->protocol->abscissa(d, nearest));
    cf_dataset_clear(&bent);
    return sigma;
}

/* Sigma of a column at a place from the study's rows of this pair, else of any; NAN: none. */
static double study_sigma(const struct cf_problem *q, struct cf_candidate *c)
{
    const struct cf_dataset *own = &q->spec->data[c->data];
    double nearest = INFINITY, sigma = NAN;
    size_t channel = cf_channel_of(q, c->data, c->column);

    if (channel != CF_NO_CHANNEL && q->channel[channel].estimated) {
        c->estimated = true;
        c->channel = channel;
        return q->channel[channel].sigma;
    }
    for (int other = 0; other < 2 && isnan(sigma); other++)
        for (size_t i = 0; i < q->nobservation; i++) {
            const struct cf_observation *o = &q->observation[i];
            double far = distance(own->protocol, o->abscissa, c->abscissa);
            if (o->column != c->column || far >= nearest ||
                !cf_protocol_same(own->protocol, q->spec->data[o->data].protocol) ||
                same_pair(own, &q->spec->data[o->data]) == (other == 1))
                continue;
            nearest = far;
            sigma = q->channel[o->channel].estimated ? q->channel[o->channel].sigma : o->sigma0;
        }
    return sigma;
}

/* Sensitivities at a point of the axis of channel j, over its sigma. */
static int probe_channel(struct cf_design *d, const double theta[], const struct cf_dataset *row,
                         double known, size_t j, double stated, struct cf_candidate *c,
                         bool *possible, struct cf_error *err)
{
    const struct cf_problem *q = d->problem;
    const size_t first = 0;
    double y, by_imposed;
    struct cf_error why = {""};
    int status = cf_problem_predict_rows(q, c->data, row, 1, &first, 1, &j, 0, theta, &y, c->g,
                                         &by_imposed, &why);

    *possible = !status && !isnan(y);
    if (cf_status_ends(status))
        return cf_fail(err, status, "%s", why.text);
    if (status && d->nfailed++ == 0)
        d->why = why;
    if (!*possible)
        return CF_OK;
    c->sigma = isnan(stated) ? study_sigma(q, c) : stated;
    *possible = c->sigma > 0;
    if (!*possible) {
        d->sigmaless[c->data * CF_MAX_COLUMN + j] = true;
        return CF_OK;
    }
    if (!c->estimated) /* the scatter about a fit includes the imposed quantity's */
        c->sigma = hypot(c->sigma, by_imposed * known);
    for (size_t i = 0; i < q->nfree; i++)
        c->g[i] /= c->sigma;
    return CF_OK;
}

static int no_memory(const struct cf_design *d, struct cf_dataset *row, struct cf_error *err)
{
    cf_dataset_clear(row);
    return cf_fail(err, CF_ENOMEM, "no memory for %zu measurements", d->ncandidate + 1);
}

/* All channels of a data set's pair there. */
static int probe(struct cf_design *d, const double theta[], size_t data, double abscissa,
                 const double stated[], struct cf_error *err)
{
    const struct cf_problem *q = d->problem;
    const struct cf_dataset *own = &q->spec->data[data];
    const struct cf_protocol *protocol = own->protocol;
    double known = axis_sigma(own, abscissa);
    struct cf_dataset row;
    int status = cf_dataset_along(own, 1, &abscissa, &row, err);

    if (!status && isnan(known))
        status = cf_fail(err, CF_ENOMEM, "no memory for a row");
    for (size_t j = 0; j < protocol->nchannel && !status; j++) {
        struct cf_candidate *c;
        bool possible = false;
        if (protocol->channel[j].role != CF_ROLE_MEASURED || !stands_for_pair(q, data, j) ||
            !cf_channel_predicted(&protocol->channel[j], q->law->family))
            continue;
        c = cf_design_append(d, data * CF_MAX_COLUMN + j, 1);
        if (!c)
            return no_memory(d, &row, err);
        c->data = data;
        c->column = j;
        c->abscissa = abscissa;
        c->count = 1;
        status = probe_channel(d, theta, &row, known, j, stated[data * CF_MAX_COLUMN + j], c,
                               &possible, err);
        if (!possible)
            free(d->candidate[--d->ncandidate].g);
    }
    cf_dataset_clear(&row);
    return status;
}

int cf_design_init(struct cf_design *design, const struct cf_problem *problem, const double theta[],
                   const double abscissa[], size_t n, const double sigma[], struct cf_error *err)
{
    size_t sets = problem->spec->ndata;
    int status;

    *design = (struct cf_design){.problem = problem, .level = problem->spec->options.level};
    design->sigmaless = calloc(sets * CF_MAX_COLUMN, sizeof *design->sigmaless);
    if (!design->sigmaless)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu data sets", sets);
    status = cf_fold_alloc(&design->fold, problem, err);
    if (!status)
        status = cf_problem_fold(problem, theta, &design->fold, err);
    for (size_t i = 0; i < sets; i++)
        for (size_t k = 0; k < n && !status && cf_design_along(problem->spec, i); k++)
            status = probe(design, theta, i, abscissa[k], sigma, err);
    return status;
}
