/* The unknowns of a problem: which numbers are free, within which bounds, and by which data sets
 * each is shared. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/by_hand.h"
#include "estimate/records.h"
#include "estimate/segment_starts.h"
#include "estimate/values.h"

/* Gains are sought within these, biases within the spread of what was measured to both sides: a
 * sensor further off is broken. */
static const double least_gain = 0.1, most_gain = 10;

/* The row that describes a parameter of the law or the target of an alias. */
static int describe(const struct cf_law *law, const char *name, struct cf_unknown *unknown,
                    struct cf_error *err)
{
    size_t i = cf_param_find(law->param, law->nparam, name);
    const struct cf_alias *s = NULL;

    if (i == law->nparam) {
        s = cf_law_alias(law, name);
        if (!s)
            return cf_fail(err, CF_EINPUT, "%s has no parameter %s", law->name, name);
        i = s->target;
    }
    *unknown = (struct cf_unknown){
        .name = s ? s->name : law->param[i].name,
        .unit = s ? s->unit : law->param[i].unit,
        .what = s ? s->what : law->param[i].what,
        .scale = law->param[i].scale,
        .start = NAN,
        .target = i,
        .alias = s,
    };
    return CF_OK;
}

/* Bounds of an alias follow from those of its target at the pair's radius and, where the
 * alias needs k, at the middle of k's range; where it needs an exponent, at a typical one. */
static void default_bounds(const struct cf_problem *q, struct cf_unknown *w)
{
    const struct cf_param *row = &q->law->param[w->target];
    double scale = 1;

    if (w->alias) {
        double R = q->spec->data[w->data].pair.radius_m;
        size_t k = cf_law_k(q->law);
        scale = w->alias->factor;
        if (w->alias->pivot_by)
            scale *= pow(q->pivot_m, -q->law->param[w->alias->pivot_by - 1].typical);
        if (w->alias->radius_power != 0)
            scale *= pow(R, w->alias->radius_power);
        if (w->alias->k_power != 0 && k < q->law->nparam)
            scale *=
                pow(q->law->param[k].fit_lower * q->law->param[k].fit_upper, w->alias->k_power / 2);
    }
    w->lower = cf_unknown_theta(w, row->fit_lower / scale);
    w->upper = cf_unknown_theta(w, row->fit_upper / scale);
}

/* What a study states of an unknown, in natural values; NAN: nothing. */
struct statement {
    double min, max, start, prior_value, prior_sigma;
};

static int put_statement(struct cf_unknown *w, const struct statement *s, struct cf_error *err)
{
    if (!isnan(s->min)) {
        w->lower = cf_unknown_theta(w, s->min);
        w->lower_by = CF_BOUND_BY_STUDY;
    }
    if (!isnan(s->max)) {
        w->upper = cf_unknown_theta(w, s->max);
        w->upper_by = CF_BOUND_BY_STUDY;
    }
    if (!isnan(s->start)) {
        w->start = cf_unknown_theta(w, s->start);
        w->by_hand = false;
    }
    if (!(isfinite(w->lower) && isfinite(w->upper) && w->lower < w->upper))
        return cf_fail(err, CF_ERANGE, "%s: bounds %g to %g %s leave nothing to fit", w->name,
                       cf_unknown_value(w, w->lower), cf_unknown_value(w, w->upper), w->unit);
    if (isnan(s->prior_sigma))
        return CF_OK;
    if (w->scale == CF_SCALE_LOG && !(s->prior_value > 0))
        return cf_fail(err, CF_ERANGE, "prior of %s = %g %s: must be above 0", w->name,
                       s->prior_value, w->unit);
    w->has_prior = true;
    w->prior = cf_unknown_theta(w, s->prior_value);
    w->prior_sigma = w->scale == CF_SCALE_LOG ? s->prior_sigma / s->prior_value : s->prior_sigma;
    return CF_OK;
}

/* The first data set that shares the unknown of `data`: the one whose unknown it is. */
static size_t first_of(const struct cf_spec *spec, enum cf_sharing per, size_t data)
{
    size_t first = 0;
    while (!cf_shares(spec, per, first, data))
        first++;
    return first;
}

/* The unknown of free parameter f that begins with a data set; several of one name are
 * distinguished by that set's. */
static int add_unknown(struct cf_problem *q, const struct cf_free *f, size_t data, bool several,
                       struct cf_by_hand hand[], struct cf_error *err)
{
    struct cf_unknown *w = &q->unknown[q->nfree];
    const struct cf_dataset *d = &q->spec->data[data];
    struct statement s = {f->min, f->max, f->start, f->prior_value, f->prior_sigma};
    double rows_upper;
    int status = describe(q->law, f->name, w, err);

    if (status)
        return status;
    q->nfree++;
    w->data = data;
    w->per = f->per;
    default_bounds(q, w);
    if (f->prior_hertz)
        s.prior_value = cf_hertz_stiffness(d->pair.modulus_Pa, d->pair.radius_m);
    if (several) {
        w->name = cf_problem_name(q, "%s[%s]", w->name, d->name);
        if (!w->name)
            return cf_fail(err, CF_ENOMEM, "no memory for the name of a parameter");
    }
    rows_upper = w->upper;
    status = cf_start_by_hand(q, hand, w, err);
    if (!(isnan(s.min) && isnan(s.start))) /* they were checked against that */
        w->upper = fmax(w->upper, rows_upper);
    if (!status)
        status = put_statement(w, &s, err);
    if (!status && w->by_hand)
        w->start = fmin(w->upper, fmax(w->lower, w->start));
    return status;
}

/* All unknowns of one free parameter, number `entry` of those of the law. */
static int add_free(struct cf_problem *q, const struct cf_free *f, size_t entry,
                    struct cf_by_hand hand[], struct cf_error *err)
{
    const struct cf_spec *spec = q->spec;
    bool several = false;
    int status = CF_OK;

    for (size_t d = 1; d < spec->ndata; d++)
        several = several || first_of(spec, f->per, d) > 0;
    for (size_t d = 0; d < spec->ndata && !status; d++) {
        size_t first = first_of(spec, f->per, d);
        q->set[d].own[entry] = first == d ? q->nfree : q->set[first].own[entry];
        if (first == d)
            status = add_unknown(q, f, d, several, hand, err);
    }
    return status;
}

/* How a rival is fitted in its parameter i: as its row says, else as itself. */
static const char *unknown_name(const struct cf_law *law, size_t i)
{
    for (const char *const *name = law->unknown; name && *name; name++)
        if (cf_law_target(law, *name) == i)
            return *name;
    return law->param[i].name;
}

/* The sharing that the study states for a parameter of this name or meaning; a rival's parameter of
 * another name is shared by all. */
static enum cf_sharing sharing_of(const struct cf_problem *q, size_t target)
{
    for (size_t j = 0; j < q->spec->nfree; j++)
        if (cf_same_meaning(q, q->spec->free[j].name) &&
            cf_law_target(q->law, q->spec->free[j].name) == target)
            return q->spec->free[j].per;
    return CF_SHARED_BY_ALL;
}

/* The free parameters of a rival: all but those given. */
static size_t rivals_parameters(const struct cf_problem *q, struct cf_free free[])
{
    size_t n = 0;

    for (size_t i = 0; i < q->law->nparam; i++) {
        bool given = false;
        struct cf_held held;
        for (size_t j = 0; j < cf_held_count(q->spec) && !given; j++)
            given = cf_held_at(q, j, &held) && held.target == i;
        if (!given)
            free[n++] = (struct cf_free){unknown_name(q->law, i), NAN, NAN, NAN, NAN, NAN, false,
                                         sharing_of(q, i)};
    }
    return n;
}

/* A nuisance that is a number of the apparatus. */
static int describe_apparatus(const struct cf_problem *q, const struct cf_nuisance *nuisance,
                              struct cf_unknown *w, struct cf_error *err)
{
    const struct cf_dataset *d = &q->spec->data[nuisance->data];
    struct cf_param row;
    double sd;
    int status = cf_apparatus_param(d, nuisance->index, &row, err);

    *w = (struct cf_unknown){
        .name = row.name,
        .unit = row.unit,
        .what = row.what,
        .kind = CF_UNKNOWN_VALUE,
        .scale = row.scale,
        .target = cf_set_apparatus(q, nuisance->index),
    };
    w->lower = cf_unknown_theta(w, row.fit_lower);
    w->upper = cf_unknown_theta(w, row.fit_upper);
    w->start = cf_unknown_theta(w, row.typical);
    /* what is unknown of the rig starts at its usual value in all searches */
    if (!status && d->protocol->is_unknown)
        status = d->protocol->is_unknown(d, nuisance->index, &w->by_hand, &sd, err);
    return status;
}

/* The largest less the smallest value of a channel; where they are one, its size. */
static double spread_of(const struct cf_dataset *d, size_t channel)
{
    double low = INFINITY, high = -INFINITY;

    for (size_t row = 0; row < d->nrow; row++)
        if (d->use[row] != CF_ROW_EXCLUDED && cf_dataset_has(d, row, channel)) {
            low = fmin(low, cf_dataset_value(d, row, channel));
            high = fmax(high, cf_dataset_value(d, row, channel));
        }
    return high > low ? high - low : fabs(high);
}

/* Gain or bias of a channel. False when there is no memory. */
static bool describe_reading(struct cf_problem *q, const struct cf_nuisance *nuisance,
                             struct cf_unknown *w)
{
    const struct cf_set *set = &q->set[nuisance->data];
    const struct cf_dataset *d = &q->spec->data[nuisance->data];
    const struct cf_channel_row *row = &d->protocol->channel[nuisance->index];
    bool gain = nuisance->kind == CF_NUISANCE_GAIN;
    size_t at = set->index[nuisance->index];

    *w = (struct cf_unknown){
        .name = cf_problem_name(q, "%s.%s", row->name, gain ? "gain" : "bias"),
        .unit = gain ? "1" : row->unit,
        .what = gain ? "reading over true value" : "reading at a true value of 0",
        .kind = CF_UNKNOWN_READING,
        .scale = gain ? CF_SCALE_LOG : CF_SCALE_LINEAR,
        .target = gain ? cf_set_gain(set, at) : cf_set_bias(set, at),
    };
    w->upper = gain ? log(most_gain) : spread_of(d, nuisance->index);
    w->lower = gain ? log(least_gain) : -w->upper;
    w->lower_by = w->upper_by = gain ? CF_BOUND_BY_ROW : CF_BOUND_BY_DATA;
    return w->name != NULL;
}

static int add_nuisance(struct cf_problem *q, const struct cf_nuisance *nuisance,
                        struct cf_error *err)
{
    struct cf_set *set = &q->set[nuisance->data];
    bool several = cf_nuisances_are_joint(q, nuisance->data), room = true;
    struct cf_unknown w;
    const struct statement s = {nuisance->min, nuisance->max, nuisance->start,
                                nuisance->prior_value, nuisance->prior_sigma};
    int status = CF_OK;

    if (nuisance->kind != CF_NUISANCE_APPARATUS && set->index[nuisance->index] == set->nchannel)
        return CF_OK; /* no row of these was measured */
    if (nuisance->kind == CF_NUISANCE_APPARATUS)
        status = describe_apparatus(q, nuisance, &w, err);
    else
        room = describe_reading(q, nuisance, &w);
    if (status)
        return status;
    if (room && q->spec->ndata > 1)
        w.name = cf_problem_name(q, "%s[%s]", w.name, q->spec->data[nuisance->data].name);
    if (!room || !w.name)
        return cf_fail(err, CF_ENOMEM, "no memory for the name of a nuisance");
    w.data = nuisance->data;
    status = put_statement(&w, &s, err);
    if (several) /* reaches all segments, costs a run each, or is among what variances are beside */
        q->unknown[q->nfree++] = w;
    else
        set->local[set->nlocal++] = w;
    return status;
}

int cf_problem_choose(struct cf_problem *problem, struct cf_error *err)
{
    const struct cf_spec *spec = problem->spec;
    struct cf_free own[CF_MAX_PARAM];
    const struct cf_free *wanted = spec->free;
    size_t n = spec->nfree;
    struct cf_by_hand *hand = calloc(spec->ndata + 1, sizeof *hand);
    int status = CF_OK;

    if (problem->law != spec->law) {
        n = rivals_parameters(problem, own);
        wanted = own;
    }
    problem->unknown = calloc(n * spec->ndata + spec->nnuisance + cf_starts_count(problem) + 1,
                              sizeof *problem->unknown);
    if (!problem->unknown || !hand)
        status =
            cf_fail(err, CF_ENOMEM, "no memory for the unknowns of %zu data sets", spec->ndata);
    for (size_t j = 0; j < n && !status; j++)
        status = add_free(problem, &wanted[j], j, hand, err);
    free(hand);
    for (size_t j = 0; j < spec->nnuisance && !status; j++)
        status = add_nuisance(problem, &spec->nuisance[j], err);
    for (size_t d = 0; d < spec->ndata && !status; d++)
        status = cf_starts_add(problem, d, err);
    for (size_t i = 0; i < problem->nfree; i++)
        problem->nprior += problem->unknown[i].has_prior;
    return status ? status : cf_problem_assign(problem, n, err);
}
