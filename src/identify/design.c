#include "identify/design.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/leverage.h"
#include "judge/interval.h"

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

/* The channel of a column in a data set, or nchannel. */
static size_t channel_of(const struct cf_problem *q, size_t data, size_t column)
{
    size_t c = 0;
    while (c < q->nchannel && !(q->channel[c].data == data && q->channel[c].column == column))
        c++;
    return c;
}

/* Candidates of one pair are listed once: in the set that measures the column, else in the
 * first. */
static bool stands_for_pair(const struct cf_problem *q, size_t data, size_t column)
{
    const struct cf_dataset *own = &q->spec->data[data];
    bool measured = channel_of(q, data, column) < q->nchannel;

    for (size_t i = 0; i < q->spec->ndata; i++) {
        bool there = channel_of(q, i, column) < q->nchannel;
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
    size_t channel = channel_of(q, c->data, c->column);

    if (channel < q->nchannel && q->channel[channel].estimated) {
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
    int status = cf_problem_predict_rows(q, c->data, row, 1, &first, 1, &j, 0, theta, &y, c->g,
                                         &by_imposed, err);

    *possible = !status && !isnan(y);
    if (!*possible)
        return status;
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
        struct cf_candidate *c = &d->candidate[d->ncandidate];
        bool possible;
        *c = (struct cf_candidate){.data = data,
                                   .column = j,
                                   .abscissa = abscissa,
                                   .g = d->room + d->ncandidate * q->nfree};
        if (protocol->channel[j].role != CF_ROLE_MEASURED || !stands_for_pair(q, data, j) ||
            !cf_channel_predicted(&protocol->channel[j], q->law->family))
            continue;
        status = probe_channel(d, theta, &row, known, j, stated[data * CF_MAX_COLUMN + j], c,
                               &possible, err);
        d->ncandidate += possible;
    }
    cf_dataset_clear(&row);
    return status;
}

int cf_design_init(struct cf_design *design, const struct cf_problem *problem, const double theta[],
                   const double abscissa[], size_t n, const double sigma[], struct cf_error *err)
{
    size_t sets = problem->spec->ndata, most = 0;
    int status;

    *design = (struct cf_design){.problem = problem, .level = problem->spec->options.level};
    for (size_t i = 0; i < sets; i++)
        most += n * problem->spec->data[i].protocol->nchannel;
    design->candidate = calloc(most + 1, sizeof *design->candidate);
    design->room = calloc((most + 1) * problem->nfree + 1, sizeof *design->room);
    design->sigmaless = calloc(sets * CF_MAX_COLUMN, sizeof *design->sigmaless);
    if (!design->candidate || !design->room || !design->sigmaless)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu places", n);
    status = cf_fold_alloc(&design->fold, problem, err);
    if (!status)
        status = cf_problem_fold(problem, theta, &design->fold, err);
    for (size_t i = 0; i < sets; i++)
        for (size_t k = 0; k < n && !status && cf_design_along(problem->spec, i); k++)
            status = probe(design, theta, i, abscissa[k], sigma, err);
    return status;
}

void cf_design_clear(struct cf_design *design)
{
    cf_fold_clear(&design->fold);
    free(design->candidate);
    free(design->room);
    free(design->sigmaless);
    *design = (struct cf_design){.ncandidate = 0};
}

int cf_expected_alloc(struct cf_expected *expected, size_t nfree, struct cf_error *err)
{
    *expected = (struct cf_expected){.half = calloc(3 * nfree + 1, sizeof *expected->half),
                                     .identified = calloc(nfree + 1, sizeof *expected->identified)};
    if (!expected->half || !expected->identified) {
        cf_expected_clear(expected);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu parameters", nfree);
    }
    expected->standard_error = expected->half + nfree;
    expected->dof = expected->standard_error + nfree;
    return CF_OK;
}

void cf_expected_clear(struct cf_expected *expected)
{
    free(expected->half);
    free(expected->identified);
    *expected = (struct cf_expected){.rank = 0};
}

/* The rank of the design's factor with the rows of the picked measurements below it. */
static int rank_with(const struct cf_design *d, const size_t pick[], size_t n, struct cf_rank *rank,
                     struct cf_error *err)
{
    size_t p = d->problem->nfree;
    double *J = calloc((p + n) * p + p + 1, sizeof *J), *norm = J + (p + n) * p;
    int status;

    *rank = (struct cf_rank){0};
    if (!J)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu measurements", n);
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < p; j++)
            J[i * p + j] = d->fold.R[i * (p + 1) + j];
    for (size_t j = 0; j < p; j++)
        norm[j] = d->fold.norm[j];
    for (size_t i = 0; i < n; i++) {
        memcpy(&J[(p + i) * p], d->candidate[pick[i]].g, p * sizeof *J);
        for (size_t j = 0; j < p; j++)
            norm[j] = hypot(norm[j], d->candidate[pick[i]].g[j]);
    }
    status = cf_rank_analyse(J, p + n, p, p, norm, cf_rank_noise, rank, err);
    free(J);
    return status;
}

/* g . x[* step] */
static double along(const double g[], const double x[], size_t n, size_t step)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += g[i] * x[i * step];
    return sum;
}

/* The channels with what the picked measurements add, degrees of freedom by the leverages. */
static int share_dof(const struct cf_design *d, const size_t pick[], size_t n,
                     const struct cf_rank *rank, struct cf_channel channel[], double hat[],
                     struct cf_error *err)
{
    const struct cf_problem *q = d->problem;
    int status = cf_channel_leverages(q, &d->fold, rank, hat, err);

    memcpy(channel, q->channel, q->nchannel * sizeof *channel);
    for (size_t c = 0; c < q->nchannel; c++)
        channel[c].dof = -hat[c];
    for (size_t i = 0; i < q->nobservation; i++)
        channel[q->observation[i].channel].dof += q->observation[i].weight;
    for (size_t i = 0; i < n; i++) {
        const struct cf_candidate *c = &d->candidate[pick[i]];
        double leverage = 0;
        for (size_t k = 0; k < rank->rank; k++)
            leverage += gsl_pow_2(along(c->g, &rank->root[k], q->nfree, rank->rank));
        if (c->estimated)
            channel[c->channel].dof += 1 - leverage;
    }
    return status;
}

/* Degrees of freedom of parameter i; unit[nfree] holds zeros and is left so. */
static int dof_of(const struct cf_design *d, const size_t pick[], size_t n,
                  const struct cf_rank *rank, const struct cf_channel channel[], size_t i,
                  double unit[], double share[], double *dof, struct cf_error *err)
{
    const struct cf_problem *q = d->problem;
    double rest;
    int status;

    unit[i] = 1;
    status = cf_variance_shares(q, &d->fold, rank, unit, share, &rest, err);
    unit[i] = 0;
    for (size_t k = 0; k < n && !status; k++) {
        const struct cf_candidate *c = &d->candidate[pick[k]];
        double part = gsl_pow_2(along(c->g, &rank->covariance[i * q->nfree], q->nfree, 1));
        if (c->estimated)
            share[c->channel] += part;
        else
            rest += part;
    }
    *dof = status ? 0 : cf_satterthwaite(channel, q->nchannel, share, rest);
    return status;
}

static int expect(const struct cf_design *d, const size_t pick[], size_t n,
                  const struct cf_rank *rank, struct cf_expected *out, struct cf_error *err)
{
    size_t p = d->problem->nfree, m = d->problem->nchannel;
    struct cf_channel *channel = calloc(m + 1, sizeof *channel);
    double *unit = calloc(p + 2 * m + 1, sizeof *unit), *share = unit + p, *hat = share + m;
    int status = channel && unit ? share_dof(d, pick, n, rank, channel, hat, err)
                                 : cf_fail(err, CF_ENOMEM, "no memory for %zu channels", m);

    for (size_t i = 0; i < p && !status; i++) {
        if (i < rank->rank)
            out->log_det += 2 * log(rank->singular[i]);
        if (!rank->dead[i])
            out->log_det += 2 * log(rank->norm[i]);
        out->identified[i] = cf_rank_identifies(rank, i);
        out->half[i] = out->standard_error[i] = INFINITY;
        if (!out->identified[i])
            continue;
        out->standard_error[i] = sqrt(cf_rank_variance(rank, i));
        status = dof_of(d, pick, n, rank, channel, i, unit, share, &out->dof[i], err);
        if (!status)
            out->half[i] = cf_t_quantile(d->level, out->dof[i]) * out->standard_error[i];
    }
    free(channel);
    free(unit);
    return status;
}

int cf_design_expect(const struct cf_design *design, const size_t pick[], size_t n,
                     struct cf_expected *out, struct cf_error *err)
{
    struct cf_rank rank;
    int status = rank_with(design, pick, n, &rank, err);

    out->rank = rank.rank;
    out->log_det = 0;
    if (!status)
        status = expect(design, pick, n, &rank, out, err);
    cf_rank_clear(&rank);
    return status;
}

int cf_design_sequence(const struct cf_design *design, size_t n, size_t pick[],
                       struct cf_error *err)
{
    struct cf_expected e;
    int status = cf_expected_alloc(&e, design->problem->nfree, err);

    for (size_t k = 0; k < n && !status; k++) {
        size_t chosen = 0, rank = 0;
        double log_det = -INFINITY;
        for (size_t i = 0; i < design->ncandidate && !status; i++) {
            pick[k] = i;
            status = cf_design_expect(design, pick, k + 1, &e, err);
            if (!status && (e.rank > rank || (e.rank == rank && e.log_det > log_det))) {
                rank = e.rank;
                log_det = e.log_det;
                chosen = i;
            }
        }
        pick[k] = chosen;
    }
    cf_expected_clear(&e);
    return status;
}

static void swap_expected(struct cf_expected *a, struct cf_expected *b)
{
    struct cf_expected kept = *a;
    *a = *b;
    *b = kept;
}

int cf_design_best(const struct cf_design *design, size_t data, size_t column, size_t i,
                   size_t times, size_t *best, struct cf_expected *what, struct cf_error *err)
{
    size_t *pick = calloc(times + 1, sizeof *pick);
    struct cf_expected e;
    int status = cf_expected_alloc(&e, design->problem->nfree, err);

    if (!status && !pick)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu measurements", times);
    *best = design->ncandidate;
    for (size_t c = 0; c < design->ncandidate && !status; c++) {
        if (design->candidate[c].data != data || design->candidate[c].column != column)
            continue;
        for (size_t k = 0; k < times; k++)
            pick[k] = c;
        status = cf_design_expect(design, pick, times, &e, err);
        if (!status && (*best == design->ncandidate || e.half[i] < what->half[i])) {
            *best = c;
            swap_expected(&e, what);
        }
    }
    cf_expected_clear(&e);
    free(pick);
    return status;
}
