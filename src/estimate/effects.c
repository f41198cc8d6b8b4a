#include "estimate/effects.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/records.h"
#include "estimate/serial.h"
#include "estimate/shared_error.h"

static const struct cf_effect *same_of(const struct cf_effect *e, const struct cf_effect of[],
                                       size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (of[i].level == e->level && of[i].of == e->of && of[i].protocol == e->protocol &&
            of[i].column == e->column && of[i].unknown == e->unknown)
            return &of[i];
    return NULL;
}

void cf_effects_take(struct cf_problem *problem, const struct cf_problem *from)
{
    for (size_t i = 0; i < problem->neffect; i++) {
        const struct cf_effect *e = same_of(&problem->effect[i], from->effect, from->neffect);
        problem->effect[i].variance = e ? e->variance : 0;
    }
}

/* Of one effect on the same observations. */
static void take_loads(struct cf_effect *to, const struct cf_effect *from)
{
    memcpy(to->load, from->load, to->nload * sizeof *to->load);
    memcpy(to->own, from->own, to->nload * sizeof *to->own);
    to->loaded = from->loaded;
    to->bends = from->bends;
}

void cf_effects_restore(struct cf_problem *copy, const struct cf_problem *from)
{
    for (size_t i = 0; i < from->neffect; i++) {
        copy->effect[i].variance = from->effect[i].variance;
        take_loads(&copy->effect[i], &from->effect[i]);
    }
}

static void clear(struct cf_effect *e)
{
    free(e->first);
    free(e->member);
    free(e->group);
    free(e->load);
    free(e->own);
}

void cf_effects_free(struct cf_problem *problem)
{
    for (size_t i = 0; i < problem->neffect; i++)
        clear(&problem->effect[i]);
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

static bool belongs(const struct cf_problem *q, const struct cf_effect *e,
                    const struct cf_observation *o)
{
    return cf_effect_reaches(q, e, o->data, o->column) && group_of(q, o, e->level) != CF_NO_GROUP;
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
    e->nload = q->nobservation;
    e->load = calloc(e->nload + 1, sizeof *e->load);
    e->own = calloc(e->nload + 1, sizeof *e->own);
    if (!e->first || !e->group || !e->member || !e->load || !e->own)
        return false;
    for (size_t i = 0; i < e->nload; i++)
        e->own[i] = NAN;
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

/* Add an effect, unless it is there. */
static int add_effect(struct cf_problem *q, const struct cf_effect *like,
                      const struct cf_effect old[], size_t nold, struct cf_error *err)
{
    struct cf_effect *e = &q->effect[q->neffect];
    size_t n = q->spec->grouping.level[like->level].n, *at;
    const struct cf_effect *before;
    bool room;

    if (same_of(like, q->effect, q->neffect))
        return CF_OK;
    at = calloc(n + 1, sizeof *at);
    *e = *like;
    e->identified = true;
    q->neffect++;
    room = at && list_members(q, e, at, n);
    free(at);
    if (!room)
        return cf_fail(err, CF_ENOMEM, "no memory for the groups of %zu rows", q->nobservation);
    before = same_of(e, old, nold);
    e->variance = before ? before->variance : 0;
    if (before && before->nload == e->nload)
        take_loads(e, before);
    for (size_t i = 0; i < e->nload && e->of == CF_GROUPS_SHIFT; i++)
        e->load[i] =
            cf_effect_reaches(q, e, q->observation[i].data, q->observation[i].column) ? 1 : 0;
    return CF_OK;
}

/* Drop effects whose groups have one observation each, and those of a single group: how groups
 * differ cannot be seen in one. */
static void drop_single(struct cf_problem *q)
{
    size_t kept = 0;

    for (size_t i = 0; i < q->neffect; i++) {
        struct cf_effect *e = &q->effect[i];
        if (e->first[e->ngroup] > e->ngroup && e->ngroup > 1)
            q->effect[kept++] = *e;
        else
            clear(e);
    }
    q->neffect = kept;
}

/* A part that is predicted whole has one value of each parameter. */
static int check_whole(const struct cf_problem *q, size_t level, struct cf_error *err)
{
    for (size_t p = 0; p < q->npart; p++) {
        const struct cf_observation *o = &q->observation[q->part[p].first];
        for (size_t i = 1; i < q->part[p].count && q->part[p].whole; i++)
            if (group_of(q, &o[i], level) != group_of(q, o, level))
                return cf_fail(err, CF_EINPUT,
                               "%s: a run is predicted as one, with one value of each parameter, "
                               "and its rows lie in several groups of %s: say one text for all of "
                               "them, as group: {%s: ...} of the data set",
                               q->spec->data[q->part[p].data].name,
                               q->spec->grouping.level[level].name,
                               q->spec->grouping.level[level].name);
    }
    return CF_OK;
}

/* The effects on parameters; *any: the law has one of them, or no unknowns yet. */
static int add_parameters(struct cf_problem *q, size_t level, const struct cf_effect old[],
                          size_t nold, bool *any, struct cf_error *err)
{
    const struct cf_group_level *l = &q->spec->grouping.level[level];
    struct cf_effect e = {.level = level, .of = CF_GROUPS_PARAMETER, .unknown = SIZE_MAX};
    int status = CF_OK;

    *any = l->of == CF_GROUPS_PARAMETER && !q->unknown;
    if (*any)
        return add_effect(q, &e, old, nold, err);
    for (size_t k = 0; k < l->nparameter; k++)
        for (size_t j = 0; j < q->nfree && !status; j++) {
            if (q->unknown[j].kind != CF_UNKNOWN_LAW ||
                strcmp(q->unknown[j].name, l->parameter[k]) != 0)
                continue;
            e.unknown = j;
            *any = true;
            status = add_effect(q, &e, old, nold, err);
        }
    return status || !*any ? status : check_whole(q, level, err);
}

/* Those of one level: on parameters, or one on each quantity. */
static int add_level(struct cf_problem *q, size_t level, const struct cf_effect old[], size_t nold,
                     struct cf_error *err)
{
    bool any, shift = q->spec->grouping.level[level].of == CF_GROUPS_SHIFT;
    int status = add_parameters(q, level, old, nold, &any, err);

    for (size_t i = 0; i < q->nobservation && !any && !status; i++) {
        const struct cf_observation *o = &q->observation[i];
        struct cf_effect e = {.level = level,
                              .of = shift ? CF_GROUPS_SHIFT : CF_GROUPS_SHARE,
                              .protocol = protocol_of(q, o),
                              .column = o->column,
                              .unknown = SIZE_MAX};
        if (group_of(q, o, level) != CF_NO_GROUP)
            status = add_effect(q, &e, old, nold, err);
    }
    return status;
}

int cf_effects_make(struct cf_problem *problem, const struct cf_effect old[], size_t nold,
                    struct cf_error *err)
{
    size_t nlevel = problem->spec->grouping.nlevel;
    int status = CF_OK;

    problem->neffect = 0;
    problem->effect = NULL;
    if (!nlevel)
        return CF_OK;
    problem->effect =
        calloc(nlevel * (problem->nchannel + problem->nfree + 1), sizeof *problem->effect);
    if (!problem->effect)
        return cf_fail(err, CF_ENOMEM, "no memory for the groups of %zu levels", nlevel);
    for (size_t level = nlevel; level-- > 0 && !status;)
        status = add_level(problem, level, old, nold, err);
    if (!status)
        drop_single(problem);
    return status;
}

/* ---- making observations independent */

/* s/sigma of each effect's observations that count, 0 elsewhere: load[neffect * n]. A group that
 * counts twice is two groups of one size and not one of twice as many rows. */
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
            size_t i = effect->member[k];
            const struct cf_observation *o = &q->observation[i];
            if (o->weight > 0)
                load[e * n + i] = effect->load[i] * sqrt(o->robust) / o->sigma;
        }
        cf_shared_whiten(q->observation, n, &load[e * n]);
    }
    cf_records_whiten(q, load, q->neffect, n, NULL);
    return load;
}

/* The rows of a group that an effect of it has reached: its members, and, where rows share an
 * error, what else was measured in these rows. Several of these may be members: `from` is where
 * the one before has come to. */
static size_t reached_from(const struct cf_problem *q, size_t i, size_t from)
{
    const struct cf_observation *o = q->observation;

    while (i > from && o[i].shared != 0 && o[i - 1].data == o[i].data && o[i - 1].row == o[i].row)
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

    for (size_t k = e->first[g], done = 0; k < e->first[g + 1]; k++) {
        size_t i = e->member[k] < done ? done : reached_from(q, e->member[k], done);
        for (done = reached_to(q, e->member[k]); i < done; i++)
            sum += u[i] * x[i];
    }
    return sum;
}

static void subtract(const struct cf_problem *q, const struct cf_effect *e, size_t g, double factor,
                     const double u[], double x[])
{
    for (size_t k = e->first[g], done = 0; k < e->first[g + 1]; k++) {
        size_t i = e->member[k] < done ? done : reached_from(q, e->member[k], done);
        for (done = reached_to(q, e->member[k]); i < done; i++)
            x[i] -= factor * u[i];
    }
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

/* ---- what reports ask */

bool cf_effect_reaches(const struct cf_problem *problem, const struct cf_effect *e, size_t data,
                       size_t column)
{
    return e->of == CF_GROUPS_PARAMETER ||
           (e->column == column && e->protocol == problem->spec->data[data].protocol);
}

bool cf_effects_meet(const struct cf_effect *a, const struct cf_effect *b)
{
    return a->of == CF_GROUPS_PARAMETER || b->of == CF_GROUPS_PARAMETER ||
           (a->protocol == b->protocol && a->column == b->column);
}

const char *cf_effect_name(const struct cf_problem *problem, const struct cf_effect *e)
{
    return e->of == CF_GROUPS_PARAMETER ? problem->unknown[e->unknown].name
                                        : e->protocol->channel[e->column].name;
}

bool cf_effect_is_relative(const struct cf_problem *problem, const struct cf_effect *e)
{
    return e->of == CF_GROUPS_SHARE ||
           (e->of == CF_GROUPS_PARAMETER && problem->unknown[e->unknown].scale == CF_SCALE_LOG);
}

const char *cf_effect_unit(const struct cf_problem *problem, const struct cf_effect *e)
{
    if (cf_effect_is_relative(problem, e))
        return "1";
    return e->of == CF_GROUPS_PARAMETER ? problem->unknown[e->unknown].unit
                                        : e->protocol->channel[e->column].unit;
}

double cf_effect_weight(const struct cf_problem *problem, const struct cf_effect *e, size_t group)
{
    double weight = 0;

    for (size_t k = e->first[group]; k < e->first[group + 1]; k++)
        weight += gsl_pow_2(e->load[e->member[k]] / cf_observation_sigma(problem, e->member[k]));
    return weight;
}

double cf_shared_variance(const struct cf_problem *problem, size_t observation)
{
    double sum = 0;

    for (size_t i = 0; i < problem->neffect; i++)
        sum += problem->effect[i].variance * gsl_pow_2(problem->effect[i].load[observation]);
    return fmax(sum, 0);
}

double cf_shared_variance_at(const struct cf_problem *problem, size_t data, size_t column, double y,
                             const double slope[])
{
    double sum = 0;

    for (size_t i = 0; i < problem->neffect; i++) {
        const struct cf_effect *e = &problem->effect[i];
        double load = e->of == CF_GROUPS_SHIFT   ? 1
                      : e->of == CF_GROUPS_SHARE ? y
                                                 : slope[e->unknown];
        if (cf_effect_reaches(problem, e, data, column))
            sum += e->variance * load * load;
    }
    return fmax(sum, 0);
}

double cf_mean_shared_variance(const struct cf_problem *problem, size_t channel)
{
    double sum = 0, n = 0;

    for (size_t i = 0; i < problem->nobservation; i++)
        if (problem->observation[i].channel == channel) {
            sum += cf_shared_variance(problem, i);
            n++;
        }
    return n > 0 ? sum / n : 0;
}
