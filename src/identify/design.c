#include "identify/design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge/interval.h"

static bool same_pair(const struct cf_dataset *a, const struct cf_dataset *b)
{
    return a->protocol == b->protocol && a->pair.mass_kg == b->pair.mass_kg &&
           a->pair.radius_m == b->pair.radius_m;
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
                same_pair(own, &q->spec->data[o->data]) == (other == 1))
                continue;
            nearest = far;
            sigma = q->channel[o->channel].estimated ? q->channel[o->channel].sigma : o->sigma0;
        }
    return sigma;
}

/* Sensitivities of one row of a probe, for all its columns. */
static int probe(struct cf_design *d, const double theta[], size_t data, double abscissa,
                 const double stated[], struct cf_error *err)
{
    const struct cf_problem *q = d->problem;
    const struct cf_dataset *own = &q->spec->data[data];
    const struct cf_protocol *protocol = own->protocol;
    double p[CF_MAX_PARAM], dp[CF_MAX_PARAM * CF_MAX_PARAM], known = axis_sigma(own, abscissa);
    struct cf_dataset row;
    struct cf_prediction y;
    int status = cf_dataset_along(own, 1, &abscissa, &row, err);

    if (!status)
        status = cf_problem_params(q, data, theta, p, dp, err);
    if (!status)
        status = cf_predict_row(q->curves, q->law, p, &row, 0, 0, &y, err);
    for (size_t j = 0; j < protocol->nchannel && !status; j++) {
        struct cf_candidate c = {.data = data, .column = j, .abscissa = abscissa};
        if (protocol->channel[j].role != CF_ROLE_MEASURED || !(y.known >> j & 1u) ||
            !stands_for_pair(q, data, j))
            continue;
        c.sigma = isnan(stated[j]) ? study_sigma(q, &c) : stated[j];
        if (!(c.sigma > 0)) {
            d->sigmaless |= 1u << j;
            continue;
        }
        if (!c.estimated) /* the scatter about a fit includes the speed's */
            c.sigma = hypot(c.sigma, y.by_imposed[j] * known);
        for (size_t i = 0; i < q->nfree; i++)
            for (size_t m = 0; m < q->law->nparam; m++)
                if (dp[m * q->nfree + i] != 0)
                    c.g[i] += y.by_param[j][m] * dp[m * q->nfree + i] / c.sigma;
        d->candidate[d->ncandidate++] = c;
    }
    cf_dataset_clear(&row);
    return status;
}

int cf_design_init(struct cf_design *design, const struct cf_problem *problem, const double theta[],
                   const double abscissa[], size_t n, const double sigma[], struct cf_error *err)
{
    size_t sets = problem->spec->ndata, m = problem->nresidual;
    double *r = calloc(m + 1, sizeof *r);
    int status = CF_OK;

    *design = (struct cf_design){.problem = problem, .level = problem->spec->options.level};
    design->J = calloc(m * problem->nfree + 1, sizeof *design->J);
    design->candidate = calloc(sets * n * CF_MAX_COLUMN + 1, sizeof *design->candidate);
    if (!r || !design->J || !design->candidate)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu places", n);
    if (!status)
        status = cf_problem_residuals(problem, theta, r, design->J, err);
    for (size_t i = 0; i < sets; i++)
        for (size_t k = 0; k < n && !status; k++)
            status = probe(design, theta, i, abscissa[k], sigma, err);
    free(r);
    return status;
}

void cf_design_clear(struct cf_design *design)
{
    free(design->J);
    free(design->candidate);
    *design = (struct cf_design){.J = NULL};
}

/* The problem with the picked measurements behind its observations and before its priors. */
struct longer {
    struct cf_problem problem;
    double *J, *hat;
};

static void longer_clear(struct longer *l)
{
    free(l->problem.observation);
    free(l->problem.channel);
    free(l->J);
    free(l->hat);
}

static int longer_init(struct longer *l, const struct cf_design *d, const size_t pick[], size_t n,
                       struct cf_error *err)
{
    const struct cf_problem *q = d->problem;
    size_t p = q->nfree, m = q->nobservation;

    *l = (struct longer){.problem = *q};
    l->problem.nobservation = m + n;
    l->problem.nresidual = q->nresidual + n;
    l->problem.observation = calloc(m + n + 1, sizeof *q->observation);
    l->problem.channel = calloc(q->nchannel + 1, sizeof *q->channel);
    l->J = calloc(l->problem.nresidual * p + 1, sizeof *l->J);
    l->hat = calloc(l->problem.nresidual + 1, sizeof *l->hat);
    if (!l->problem.observation || !l->problem.channel || !l->J || !l->hat)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu measurements", m + n);
    memcpy(l->problem.observation, q->observation, m * sizeof *q->observation);
    memcpy(l->problem.channel, q->channel, q->nchannel * sizeof *q->channel);
    memcpy(l->J, d->J, m * p * sizeof *l->J);
    memcpy(&l->J[(m + n) * p], &d->J[m * p], q->nprior * p * sizeof *l->J);
    for (size_t i = 0; i < n; i++) {
        const struct cf_candidate *c = &d->candidate[pick[i]];
        l->problem.observation[m + i] = (struct cf_observation){
            .data = c->data,
            .column = c->column,
            .channel = c->estimated ? c->channel : q->nchannel,
            .weight = 1,
        };
        memcpy(&l->J[(m + i) * p], c->g, p * sizeof *l->J);
    }
    return CF_OK;
}

/* Degrees of freedom of the channels by the leverages. */
static void share_dof(struct longer *l)
{
    struct cf_problem *q = &l->problem;

    for (size_t c = 0; c < q->nchannel; c++)
        q->channel[c].dof = 0;
    for (size_t i = 0; i < q->nobservation; i++)
        if (q->observation[i].channel < q->nchannel)
            q->channel[q->observation[i].channel].dof += q->observation[i].weight - l->hat[i];
}

int cf_design_expect(const struct cf_design *design, const size_t pick[], size_t n,
                     struct cf_expected *out, struct cf_error *err)
{
    struct longer l;
    struct cf_rank rank;
    size_t p = design->problem->nfree;
    int status = longer_init(&l, design, pick, n, err);

    *out = (struct cf_expected){.rank = 0};
    if (!status)
        status = cf_rank_analyse(l.J, l.problem.nresidual, p, cf_rank_noise, &rank, l.hat, err);
    if (!status) {
        share_dof(&l);
        out->rank = rank.rank;
    }
    for (size_t i = 0; i < p && !status; i++) {
        double g[CF_MAX_PARAM] = {0};
        g[i] = 1;
        if (i < rank.rank)
            out->log_det += 2 * log(rank.singular[i]);
        if (!rank.dead[i])
            out->log_det += 2 * log(rank.norm[i]);
        out->identified[i] = !rank.dead[i] && !rank.flat[i];
        out->half[i] = out->standard_error[i] = INFINITY;
        if (!out->identified[i])
            continue;
        out->standard_error[i] = sqrt(cf_linear_variance(&rank, g));
        out->dof[i] = cf_satterthwaite(&l.problem, &rank, l.J, g);
        out->half[i] = cf_t_quantile(design->level, out->dof[i]) * out->standard_error[i];
    }
    longer_clear(&l);
    return status;
}

int cf_design_sequence(const struct cf_design *design, size_t n, size_t pick[],
                       struct cf_error *err)
{
    for (size_t k = 0; k < n; k++) {
        struct cf_expected best = {.log_det = -INFINITY}, e;
        size_t chosen = 0;
        for (size_t i = 0; i < design->ncandidate; i++) {
            int status;
            pick[k] = i;
            status = cf_design_expect(design, pick, k + 1, &e, err);
            if (status)
                return status;
            if (e.rank > best.rank || (e.rank == best.rank && e.log_det > best.log_det)) {
                best = e;
                chosen = i;
            }
        }
        pick[k] = chosen;
    }
    return CF_OK;
}

int cf_design_best(const struct cf_design *design, size_t data, size_t column, size_t i,
                   size_t times, size_t *best, struct cf_expected *what, struct cf_error *err)
{
    size_t *pick = calloc(times + 1, sizeof *pick);
    struct cf_expected e;
    int status = pick ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu measurements", times);

    *best = design->ncandidate;
    for (size_t c = 0; c < design->ncandidate && !status; c++) {
        if (design->candidate[c].data != data || design->candidate[c].column != column)
            continue;
        for (size_t k = 0; k < times; k++)
            pick[k] = c;
        status = cf_design_expect(design, pick, times, &e, err);
        if (!status && (*best == design->ncandidate || e.half[i] < what->half[i])) {
            *best = c;
            *what = e;
        }
    }
    free(pick);
    return status;
}
