#include "estimate/effects.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/records.h"
#include "estimate/serial.h"
#include "estimate/shared_error.h"

static double old_variance(const struct cf_effect *e, const struct cf_effect old[], size_t nold)
{
    for (size_t i = 0; i < nold; i++)
        if (old[i].level == e->level && old[i].protocol == e->protocol &&
            old[i].column == e->column)
            return old[i].variance;
    return 0;
}

void cf_effects_take(struct cf_problem *problem, const struct cf_problem *from)
{
    for (size_t i = 0; i < problem->neffect; i++)
        problem->effect[i].variance =
            old_variance(&problem->effect[i], from->effect, from->neffect);
}

void cf_effects_free(struct cf_problem *problem)
{
    for (size_t i = 0; i < problem->neffect; i++) {
        free(problem->effect[i].first);
        free(problem->effect[i].member);
        free(problem->effect[i].group);
    }
    free(problem->effect);
    problem->effect = NULL;
    problem->neffect = 0;
}

/* ---- which there are */

static const struct cf_protocol *protocol_of(const struct cf_problem *q,
                                             const struct cf_observation *o)
{
    return q->spec->data[o->data].protocol;
}

static uint32_t group_of(const struct cf_problem *q, const struct cf_observation *o, size_t level)
{
    return cf_dataset_group(&q->spec->data[o->data], o->row, level);
}

/* Is it one of the effect's? */
static bool belongs(const struct cf_problem *q, const struct cf_effect *e,
                    const struct cf_observation *o)
{
    return o->column == e->column && protocol_of(q, o) == e->protocol &&
           group_of(q, o, e->level) != CF_NO_GROUP;
}

/* Put the effect's observations into its lists, by groups; at[n + 1] holds zeros, n groups of the
 * level. False when there is no memory. */
static bool list_members(const struct cf_problem *q, struct cf_effect *e, size_t at[], size_t n)
{
    size_t total = 0;

    for (size_t i = 0; i < q->nobservation; i++)
        if (belongs(q, e, &q->observation[i]))
            at[group_of(q, &q->observation[i], e->level)]++;
    for (size_t g = 0; g < n; g++) {
        total += at[g];
        e->ngroup += at[g] > 0;
    }
    e->first = calloc(e->ngroup + 1, sizeof *e->first);
    e->group = calloc(e->ngroup + 1, sizeof *e->group);
    e->member = calloc(total + 1, sizeof *e->member);
    if (!e->first || !e->group || !e->member)
        return false;
    for (size_t g = 0, k = 0, from = 0; g < n; g++) {
        size_t count = at[g];
        at[g] = from;
        if (!count)
            continue;
        e->group[k] = (uint32_t) g;
        e->first[k++] = from;
        from += count;
    }
    e->first[e->ngroup] = total;
    for (size_t i = 0; i < q->nobservation; i++)
        if (belongs(q, e, &q->observation[i]))
            e->member[at[group_of(q, &q->observation[i], e->level)]++] = i;
    return true;
}

/* Add the effect of a level on a quantity, unless it is there or none. */
static int add_effect(struct cf_problem *q, size_t level, const struct cf_observation *o,
                      const struct cf_effect old[], size_t nold, struct cf_error *err)
{
    struct cf_effect *e = &q->effect[q->neffect];
    size_t n = q->spec->grouping.level[level].n, *at;
    bool room;

    for (size_t i = 0; i < q->neffect; i++)
        if (q->effect[i].level == level && q->effect[i].column == o->column &&
            q->effect[i].protocol == protocol_of(q, o))
            return CF_OK;
    at = calloc(n + 1, sizeof *at);
    *e = (struct cf_effect){
        .level = level, .protocol = protocol_of(q, o), .column = o->column, .identified = true};
    q->neffect++;
    room = at && list_members(q, e, at, n);
    free(at);
    if (!room)
        return cf_fail(err, CF_ENOMEM, "no memory for the groups of %zu rows", q->nobservation);
    e->variance = old_variance(e, old, nold);
    return CF_OK;
}

/* Drop effects whose groups have one observation each, and those of a single group: how groups
 * differ cannot be seen in one. */
static void drop_single(struct cf_problem *q)
{
    size_t kept = 0;

    for (size_t i = 0; i < q->neffect; i++) {
        struct cf_effect *e = &q->effect[i];
        if (e->first[e->ngroup] > e->ngroup && e->ngroup > 1) {
            q->effect[kept++] = *e;
            continue;
        }
        free(e->first);
        free(e->member);
        free(e->group);
    }
    q->neffect = kept;
}

int cf_effects_make(struct cf_problem *problem, const struct cf_effect old[], size_t nold,
                    struct cf_error *err)
{
    size_t nlevel = problem->spec->grouping.nlevel;

    problem->neffect = 0;
    problem->effect = NULL;
    if (!nlevel)
        return CF_OK;
    problem->effect = calloc(nlevel * problem->nchannel + 1, sizeof *problem->effect);
    if (!problem->effect)
        return cf_fail(err, CF_ENOMEM, "no memory for the groups of %zu levels", nlevel);
    for (size_t level = nlevel; level-- > 0;)
        for (size_t i = 0; i < problem->nobservation; i++) {
            const struct cf_observation *o = &problem->observation[i];
            int status = CF_OK;
            if (group_of(problem, o, level) != CF_NO_GROUP)
                status = add_effect(problem, level, o, old, nold, err);
            if (status)
                return status;
        }
    drop_single(problem);
    return CF_OK;
}

/* ---- making observations independent */

/* The 1/sigma of each effect's observations that count, 0 elsewhere: load[neffect * n]. A group
 * that counts twice is two groups of one size and not one of twice as many rows. */
static double *loads(const struct cf_problem *q, struct cf_error *err)
{
    size_t n = q->nobservation;
    double *load = calloc(q->neffect * n + 1, sizeof *load);

    if (!load) {
        cf_fail(err, CF_ENOMEM, "no memory for the groups of %zu rows", n);
        return NULL;
    }
    for (size_t e = 0; e < q->neffect; e++) {
        const struct cf_effect *effect = &q->effect[e];
        for (size_t k = 0; k < effect->first[effect->ngroup]; k++) {
            const struct cf_observation *o = &q->observation[effect->member[k]];
            if (o->weight > 0)
                load[e * n + effect->member[k]] = sqrt(o->robust) / o->sigma;
        }
        cf_shared_whiten(q->observation, n, &load[e * n]);
    }
    cf_records_whiten(q, load, q->neffect, n, NULL);
    return load;
}

/* The rows of a group that an effect of it has reached: its members, and, where rows share an
 * error, what else was measured in these rows. */
static size_t reached_from(const struct cf_problem *q, size_t i)
{
    const struct cf_observation *o = q->observation;

    while (i > 0 && o[i].shared != 0 && o[i - 1].data == o[i].data && o[i - 1].row == o[i].row)
        i--;
    return i;
}

static size_t reached_to(const struct cf_problem *q, size_t i)
{
    const struct cf_observation *o = q->observation;

    while (i + 1 < q->nobservation && o[i].shared != 0 && o[i + 1].data == o[i].data &&
           o[i + 1].row == o[i].row)
        i++;
    return i + 1;
}

/* Sum of u x over what a group reaches. */
static double dot(const struct cf_problem *q, const struct cf_effect *e, size_t g, const double u[],
                  const double x[])
{
    double sum = 0;

    for (size_t k = e->first[g]; k < e->first[g + 1]; k++)
        for (size_t i = reached_from(q, e->member[k]); i < reached_to(q, e->member[k]); i++)
            sum += u[i] * x[i];
    return sum;
}

static void subtract(const struct cf_problem *q, const struct cf_effect *e, size_t g, double factor,
                     const double u[], double x[])
{
    for (size_t k = e->first[g]; k < e->first[g + 1]; k++)
        for (size_t i = reached_from(q, e->member[k]); i < reached_to(q, e->member[k]); i++)
            x[i] -= factor * u[i];
}

/* How often a group counts. */
static double times(const struct cf_problem *q, const struct cf_effect *e, size_t g)
{
    double most = 0;

    for (size_t k = e->first[g]; k < e->first[g + 1]; k++)
        most = fmax(most, q->observation[e->member[k]].weight);
    return most;
}

/* Whiten A and the loads of the effects to come; adds to *log_det, and to information[neffect] what
 * cf_effects_inform() says (NULL to skip). */
static void whiten(const struct cf_problem *q, double load[], double A[], size_t ncolumn, size_t ld,
                   double *log_det, double information[])
{
    size_t n = q->nobservation;

    for (size_t e = 0; e < q->neffect; e++) {
        const struct cf_effect *effect = &q->effect[e];
        const double *u = &load[e * n];
        for (size_t g = 0; (effect->variance != 0 || information) && g < effect->ngroup; g++) {
            double length = dot(q, effect, g, u, u), grown = 1 + effect->variance * length;
            double share = length > 0 ? (1 - 1 / sqrt(grown)) / length : 0;
            if (information)
                information[e] += times(q, effect, g) * gsl_pow_2(length / grown) / 2;
            *log_det += times(q, effect, g) * log(grown); /* NaN: not positive definite */
            for (size_t j = 0; j < ncolumn; j++)
                subtract(q, effect, g, share * dot(q, effect, g, u, &A[j * ld]), u, &A[j * ld]);
            for (size_t later = e + 1; later < q->neffect; later++)
                subtract(q, effect, g, share * dot(q, effect, g, u, &load[later * n]), u,
                         &load[later * n]);
        }
    }
}

int cf_effects_whiten(const struct cf_problem *problem, double A[], size_t ncolumn, size_t ld,
                      double *log_det, struct cf_error *err)
{
    double all = 0, *load = loads(problem, err);
    int status;

    if (!load)
        return CF_ENOMEM;
    cf_records_whiten(problem, A, ncolumn, ld, &all);
    status = cf_serial_whiten(problem, A, ncolumn, ld, &all, err);
    if (!status)
        status =
            cf_serial_whiten(problem, load, problem->neffect, problem->nobservation, NULL, err);
    if (!status)
        whiten(problem, load, A, ncolumn, ld, &all, NULL);
    if (log_det)
        *log_det = all;
    free(load);
    return status;
}

int cf_effects_inform(const struct cf_problem *problem, double information[], struct cf_error *err)
{
    double none = 0, *load = loads(problem, err);
    int status =
        load ? cf_serial_whiten(problem, load, problem->neffect, problem->nobservation, NULL, err)
             : CF_ENOMEM;

    for (size_t e = 0; e < problem->neffect; e++)
        information[e] = 0;
    if (!status)
        whiten(problem, load, NULL, 0, 0, &none, information);
    free(load);
    return status;
}

double cf_shared_variance(const struct cf_problem *problem, size_t data, size_t column)
{
    double sum = 0;

    for (size_t i = 0; i < problem->neffect; i++)
        if (problem->effect[i].column == column &&
            problem->effect[i].protocol == problem->spec->data[data].protocol)
            sum += problem->effect[i].variance;
    return fmax(sum, 0);
}
