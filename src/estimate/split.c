#include "estimate/split_work.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/effects.h"
#include "estimate/evaluate.h"
#include "estimate/triangle.h"
#include "estimate/variance_work.h"
#include "estimate/whiten.h"

/* Derivatives by variances by differences of this share of their standard deviation. */
static const double difference = 1e-2;

/* Fewer degrees of freedom make no quantile that could be used. */
static const double least_dof = 0.5;

/* ---- the linear model */

static void gather(void *context, size_t unit, const struct cf_stretch *at)
{
    struct cf_linear *l = context;
    const struct cf_set *set = &l->problem.set[l->problem.part[at->part].data];

    (void) unit;
    for (size_t i = 0; i < at->count; i++) {
        for (size_t j = 0; j < set->nactive; j++)
            l->J[set->active[j] * l->n + at->first + i] = at->A[j * at->ld + i];
        l->r[at->first + i] = l->problem.observation[at->first + i].value - at->y[i];
    }
}

/* The estimated variances and how well they are known: by REML, or each channel's by its degrees of
 * freedom. */
static int take_variances(struct cf_linear *l, struct cf_error *err)
{
    const struct cf_problem *q = &l->problem;
    const struct cf_variances *known = &l->optimum->variances;
    size_t most = 3 * q->nchannel + q->neffect + q->nrecord;

    l->part = calloc(most + 1, sizeof *l->part);
    l->v = calloc(most + most * most + 1, sizeof *l->v);
    if (!l->part || !l->v)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu variances", most);
    l->nvariance = cf_variance_list(q, l->part, l->v);
    l->covariance = l->v + most;
    for (size_t k = 0; k < l->nvariance; k++)
        for (size_t m = 0; m < l->nvariance; m++)
            if (known->n == l->nvariance)
                l->covariance[k * l->nvariance + m] = known->covariance[k * known->n + m];
            else if (k == m && l->part[k].kind == CF_VARIANCE_SIGMA)
                l->covariance[k * l->nvariance + k] =
                    2 * l->v[k] * l->v[k] / fmax(q->channel[l->part[k].index].dof, least_dof);
    return CF_OK;
}

int cf_linear_make(const struct cf_optimum *optimum, struct cf_linear *linear, struct cf_error *err)
{
    const struct cf_problem *q = &optimum->problem;
    int status;

    *linear = (struct cf_linear){.optimum = optimum, .n = q->nobservation, .p = q->nfree};
    status = cf_problem_copy(&linear->problem, q, err);
    if (status)
        return status;
    linear->J = calloc(linear->n * (linear->p + 1) + 1, sizeof *linear->J);
    linear->held = calloc(linear->p + 1, sizeof *linear->held);
    if (!linear->J || !linear->held)
        return cf_fail(err, CF_ENOMEM, "no memory for the slopes of %zu observations", linear->n);
    linear->r = linear->J + linear->n * linear->p;
    for (size_t j = 0; j < linear->p; j++)
        linear->held[j] =
            optimum->rank.dead[j] || cf_unknown_at_bound(&q->unknown[j], optimum->theta[j]);
    status = take_variances(linear, err);
    return status
               ? status
               : cf_visit_ungrouped(q, optimum->theta, NULL, CF_WANT_SLOPES, gather, linear, err);
}

void cf_linear_free(struct cf_linear *linear)
{
    cf_problem_free(&linear->problem);
    free(linear->J);
    free(linear->X);
    free(linear->part);
    free(linear->v);
    free(linear->held);
    *linear = (struct cf_linear){0};
}

/* ---- its triangle, some columns split */

static size_t source_of(const struct cf_linear *l, size_t i, enum cf_split_by by)
{
    const struct cf_observation *o = &l->problem.observation[i];
    return by == CF_SPLIT_BY_DATA ? o->data : o->column;
}

/* Column of unknown j in the rows of a source. */
static void split_column(const struct cf_linear *l, size_t j, enum cf_split_by by, size_t source,
                         double x[])
{
    for (size_t i = 0; i < l->n; i++)
        x[i] = source_of(l, i, by) == source ? l->J[j * l->n + i] : 0;
}

/* The columns that are neither held nor split, then the split ones, then the residuals: R[m * m];
 * row[m] is spare. */
static int triangle(struct cf_linear *l, size_t split, enum cf_split_by by, size_t n,
                    const struct cf_split_part part[], double R[], size_t m, double row[],
                    struct cf_error *err)
{
    size_t to = 0;
    int status = cf_split_room(l, m, err);

    if (status)
        return status;
    for (size_t j = 0; j < l->p; j++)
        if (!l->held[j] && j != split)
            memcpy(cf_split_column(l, to++), &l->J[j * l->n], l->n * sizeof *l->J);
    for (size_t k = 0; k < n; k++)
        split_column(l, split, by, part[k].source, cf_split_column(l, to++));
    memcpy(cf_split_column(l, to), l->r, l->n * sizeof *l->r);
    status = cf_whiten(&l->problem, l->X, m, l->n, NULL, err);
    memset(R, 0, m * m * sizeof *R);
    if (!status) {
        cf_triangle_add(R, m, l->X, l->n, l->n);
        cf_split_priors(l, split, R, m, row);
    }
    return status;
}

/* ---- solutions */

static size_t count_free(const struct cf_linear *l, size_t split)
{
    size_t n = 0;

    for (size_t j = 0; j < l->p; j++)
        n += !l->held[j] && j != split;
    return n;
}

size_t cf_split_sources(const struct cf_linear *linear, size_t unknown, enum cf_split_by by,
                        size_t source[])
{
    const double *J = &linear->J[unknown * linear->n];
    size_t most = by == CF_SPLIT_BY_DATA ? linear->problem.spec->ndata : CF_MAX_COLUMN, n = 0;
    double all = 0;

    for (size_t i = 0; i < linear->n; i++)
        all += gsl_pow_2(J[i] / linear->problem.observation[i].sigma);
    for (size_t s = 0; s < most; s++) {
        double size = 0;
        for (size_t i = 0; i < linear->n; i++)
            if (source_of(linear, i, by) == s)
                size += gsl_pow_2(J[i] / linear->problem.observation[i].sigma);
        if (size > gsl_pow_2(cf_split_least) * all)
            source[n++] = s;
    }
    return n;
}

/* ---- parts that share nothing but unknowns */

/* Do groups lie within data sets? Then what is split by these stays so when it is whitened. */
static bool groups_within_data(const struct cf_problem *q)
{
    for (size_t e = 0; e < q->neffect; e++)
        for (size_t g = 0; g < q->effect[e].ngroup; g++) {
            const struct cf_effect *effect = &q->effect[e];
            size_t data = q->observation[effect->member[effect->first[g]]].data;
            for (size_t k = effect->first[g]; k < effect->first[g + 1]; k++)
                if (q->observation[effect->member[k]].data != data)
                    return false;
        }
    return true;
}

/* Room for solutions of p columns. */
struct room {
    size_t p;
    double *R, *row; /* R is NULL where parts share nothing but unknowns */
    double *step, *variance, *slope;
};

static void room_free(struct room *room)
{
    free(room->R);
    free(room->step);
    *room = (struct room){0};
}

static int room_make(struct room *room, size_t p, size_t nslope, bool apart, struct cf_error *err)
{
    size_t m = p + 1;

    *room = (struct room){.p = p};
    room->step = calloc(2 * m + nslope + 1, sizeof *room->step);
    if (!apart)
        room->R = calloc(m * m + m, sizeof *room->R);
    if (!room->step || (!apart && !room->R)) {
        room_free(room);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu columns", p);
    }
    room->row = apart ? NULL : room->R + m * m;
    room->variance = room->step + m;
    room->slope = room->variance + m;
    return CF_OK;
}

/* The steps and variances of the parts, behind those of the other unknowns. */
static int solve(struct cf_linear *l, size_t unknown, enum cf_split_by by, size_t n,
                 const struct cf_split_part part[], struct room *room, double *fall, bool *solved,
                 struct cf_error *err)
{
    size_t shared = room->p - n;
    int status;

    *solved = false;
    if (!room->R)
        return cf_split_apart(l, unknown, n, part, room->step + shared, room->variance + shared,
                              fall, solved, err);
    status = triangle(l, unknown, by, n, part, room->R, room->p + 1, room->row, err);
    if (!status)
        status =
            cf_split_solve(room->R, room->p, NULL, room->step, room->variance, fall, solved, err);
    return status;
}

/* Variances of the parts where estimated variance k is a little larger, less what they are, over
 * that: slope[part * nvariance + k]. */
static int slopes(struct cf_linear *l, size_t unknown, enum cf_split_by by, size_t n,
                  const struct cf_split_part part[], struct room *room, struct cf_error *err)
{
    size_t shared = room->p - n;
    int status = CF_OK;

    for (size_t k = 0; k < l->nvariance && !status; k++) {
        double h = difference * sqrt(l->covariance[k * l->nvariance + k]), kept = l->v[k], fall;
        bool good;
        if (!(h > 0))
            continue;
        l->v[k] += h;
        cf_variance_put(&l->problem, l->part, l->v, l->nvariance);
        status = solve(l, unknown, by, n, part, room, &fall, &good, err);
        for (size_t i = 0; i < n && good; i++)
            room->slope[i * l->nvariance + k] = (room->variance[shared + i] - part[i].variance) / h;
        l->v[k] = kept;
    }
    cf_variance_put(&l->problem, l->part, l->v, l->nvariance);
    return status;
}

static double dof_of(const struct cf_linear *l, double variance, const double slope[])
{
    double spread = 0;

    for (size_t k = 0; k < l->nvariance; k++)
        for (size_t m = 0; m < l->nvariance; m++)
            spread += slope[k] * slope[m] * l->covariance[k * l->nvariance + m];
    return spread > 0 ? fmax(2 * variance * variance / spread, least_dof) : (double) INFINITY;
}

int cf_split(struct cf_linear *linear, size_t unknown, enum cf_split_by by, size_t n,
             struct cf_split_part part[], double *fall, bool *solved, struct cf_error *err)
{
    struct cf_linear *l = linear;
    size_t shared = count_free(l, unknown);
    bool apart = by == CF_SPLIT_BY_DATA && groups_within_data(&l->problem);
    struct room room;
    int status = room_make(&room, shared + n, n * l->nvariance, apart, err);

    *solved = false;
    *fall = (double) NAN;
    if (!status)
        status = solve(l, unknown, by, n, part, &room, fall, solved, err);
    for (size_t k = 0; k < n && *solved; k++) {
        part[k].theta = l->optimum->theta[unknown] + room.step[shared + k];
        part[k].variance = room.variance[shared + k];
    }
    if (*solved)
        status = slopes(l, unknown, by, n, part, &room, err);
    for (size_t k = 0; k < n && *solved && !status; k++)
        part[k].dof = dof_of(l, part[k].variance, &room.slope[k * l->nvariance]);
    room_free(&room);
    return status;
}

int cf_linear_errors(struct cf_linear *linear, enum cf_split_by by, size_t without, double error[],
                     struct cf_error *err)
{
    struct cf_linear *l = linear;
    const struct cf_problem *q = &l->optimum->problem;
    struct cf_rank rank = {0};
    struct room room;
    size_t p = count_free(l, SIZE_MAX), to = 0;
    int status = room_make(&room, p, 0, false, err);

    for (size_t i = 0; i < l->n; i++)
        l->problem.observation[i].weight =
            source_of(l, i, by) == without ? 0 : q->observation[i].weight;
    if (!status)
        status = triangle(l, SIZE_MAX, CF_SPLIT_BY_DATA, 0, NULL, room.R, p + 1, room.row, err);
    if (!status)
        status = cf_rank_analyse(room.R, p, p, p + 1, NULL, cf_rank_noise, &rank, err);
    for (size_t j = 0; j < l->p && !status; j++) {
        error[j] = (double) INFINITY;
        if (l->held[j])
            continue;
        if (cf_rank_identifies(&rank, to))
            error[j] = sqrt(cf_rank_variance(&rank, to));
        to++;
    }
    for (size_t i = 0; i < l->n; i++)
        l->problem.observation[i].weight = q->observation[i].weight;
    cf_rank_clear(&rank);
    room_free(&room);
    return status;
}
