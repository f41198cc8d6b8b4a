/* Synthetic throws: see throws.h. */

#include "throws.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "experiment/bounce_channels.h"
#include "experiment/flight.h"
#include "experiment/rows.h"

/* A stamp, and what it is. */
struct stamp {
    double time_s;
    size_t throw;
    enum { TRUE_STAMP, MISSED_BEFORE, FALSE_STAMP } kind;
};

struct list {
    size_t n, room;
    struct stamp *stamp;
    struct cf_error *err;
};

static int append(struct list *l, struct stamp stamp)
{
    if (l->n == l->room) {
        size_t room = l->room ? 2 * l->room : 64;
        struct stamp *more = realloc(l->stamp, room * sizeof *more);
        if (!more)
            return cf_fail(l->err, CF_ENOMEM, "no memory for %zu stamps", room);
        l->stamp = more;
        l->room = room;
    }
    l->stamp[l->n++] = stamp;
    return CF_OK;
}

/* What throws are made by. */
struct maker {
    const struct throws *t;
    const struct cf_law *law;
    const double *p;
    struct cf_curves *curves;
    double mass_kg, gravity_m_s2, drag_1_m;
    gsl_rng *rng;
};

/* A bounce at *v, which becomes the speed of the next one; *length is the time between them. */
static int bounce(const struct maker *m, double shift, double *v, double *length,
                  struct cf_error *err)
{
    const struct throws *t = m->t;
    struct cf_impact impact;
    struct cf_flight flight;
    int status = cf_impact(m->curves, m->law, m->p, m->mass_kg, *v, &impact, err);
    double e;

    if (status)
        return status;
    e = impact.value[CF_IMPACT_RESTITUTION] + shift +
        gsl_ran_gaussian(m->rng, t->scatter * pow(*v, t->exponent));
    if (gsl_rng_uniform(m->rng) < t->bad)
        e -= gsl_ran_exponential(m->rng, t->bad_size);
    e = fmin(fmax(e, 0.05), 0.999);
    flight = cf_flight(e * *v, m->gravity_m_s2, m->drag_1_m);
    *length =
        flight.time_s + (impact.known[CF_IMPACT_DURATION] ? impact.value[CF_IMPACT_DURATION] : 0);
    *v = flight.landing_m_s;
    return CF_OK;
}

/* A stamp of an impact, unless it is missed; two impacts in a row are not. */
static int stamp_impact(const struct maker *m, size_t throw, double time, bool *missed,
                        struct list *l, bool first)
{
    bool miss = !first && !*missed && gsl_rng_uniform(m->rng) < m->t->missed;
    bool before = *missed;

    *missed = miss;
    return miss ? CF_OK
                : append(l, (struct stamp){time + gsl_ran_gaussian(m->rng, m->t->jitter_s), throw,
                                           before ? MISSED_BEFORE : TRUE_STAMP});
}

static int make_throw(const struct maker *m, size_t throw, struct list *l, struct cf_error *err)
{
    double shift = gsl_ran_gaussian(m->rng, m->t->shift), time = gsl_rng_uniform(m->rng);
    double v = m->t->from_m_s * (0.7 + 0.3 * gsl_rng_uniform(m->rng)), length;
    bool missed = false;
    int status = stamp_impact(m, throw, time, &missed, l, true);

    while (!status && v > m->t->least_m_s) {
        status = bounce(m, shift, &v, &length, err);
        if (!status && gsl_rng_uniform(m->rng) < m->t->spurious)
            status =
                append(l, (struct stamp){time + length * (0.15 + 0.7 * gsl_rng_uniform(m->rng)),
                                         throw, FALSE_STAMP});
        time += length;
        if (!status)
            status = stamp_impact(m, throw, time, &missed, l, false);
    }
    return status;
}

static int group(struct cf_dataset *d, struct cf_grouping *grouping, struct cf_error *err)
{
    size_t level;
    int status = cf_grouping_level(grouping, "throw", SIZE_MAX, &level, err);

    grouping->origin = CF_GROUPS_BY_RECORD;
    if (!status)
        status = cf_dataset_group_room(d, 1, err);
    for (size_t row = 0; row < d->nrow && !status; row++) {
        char *text = cf_format("%zu", cf_bounce_throw(d, row));
        status = text ? cf_grouping_number(grouping, level, CF_NO_GROUP, text, &d->group[row], err)
                      : cf_fail(err, CF_ENOMEM, "no memory for the groups");
        free(text);
    }
    return status;
}

static void count_found(const struct list *l, const struct cf_dataset *d,
                        struct throws_count *count)
{
    bool clean = true, cut = false;

    for (size_t i = 0; i < l->n; i++) {
        bool first = i == 0 || l->stamp[i].throw != l->stamp[i - 1].throw;
        bool named = l->stamp[i].kind == FALSE_STAMP
                         ? d->use[i] == CF_ROW_EXCLUDED
                         : !first && !cf_dataset_has(d, i, CF_BOUNCE_INTERVAL);
        if (first && i) {
            count->clean += clean;
            count->clean_cut += clean && cut;
            clean = true;
            cut = false;
        }
        clean = clean && l->stamp[i].kind == TRUE_STAMP;
        cut = cut || named;
        count->missed += l->stamp[i].kind == MISSED_BEFORE;
        count->missed_named += l->stamp[i].kind == MISSED_BEFORE && named;
        count->spurious += l->stamp[i].kind == FALSE_STAMP;
        count->spurious_named += l->stamp[i].kind == FALSE_STAMP && named;
    }
    count->clean += clean;
    count->clean_cut += clean && cut;
}

static int fill(const struct throws *t, const struct list *l, struct cf_dataset *d,
                struct cf_error *err)
{
    int status = CF_OK;

    d->apparatus[CF_BOUNCE_DRAG] = t->drag_coefficient;
    for (size_t i = 0; i < l->n && !status; i++) {
        d->line[i] = i + 2;
        status = cf_dataset_put(d, i, CF_BOUNCE_TIME, l->stamp[i].time_s, 0, err);
        if (!status)
            status = cf_dataset_put(d, i, CF_BOUNCE_THROW, (double) l->stamp[i].throw +1, 0, err);
    }
    d->series[CF_BOUNCE_TIME].kind = CF_SIGMA_ESTIMATE;
    return status;
}

int throws_make(const struct throws *t, const struct cf_law *law, const double p[],
                struct cf_pair pair, struct cf_curves *curves, gsl_rng *rng,
                struct cf_dataset *data, struct cf_grouping *grouping, struct throws_count *count,
                struct cf_error *err)
{
    struct list l = {.err = err};
    struct maker m = {t,
                      law,
                      p,
                      curves,
                      pair.mass_kg,
                      pair.gravity_m_s2,
                      cf_sphere_drag(t->drag_coefficient, 1.2, pair.radius_m, pair.mass_kg),
                      rng};
    int status = CF_OK;

    *data = (struct cf_dataset){.pair = pair};
    *grouping = (struct cf_grouping){0};
    for (size_t i = 0; i < t->n && !status; i++)
        status = make_throw(&m, i, &l, err);
    data->name = calloc(1, sizeof "synthetic");
    if (!status && !data->name)
        status = cf_fail(err, CF_ENOMEM, "no memory for a data set");
    if (!status) {
        memcpy(data->name, "synthetic", sizeof "synthetic");
        status = cf_dataset_alloc(data, &cf_protocol_bounce, l.n, err);
    }
    if (!status)
        status = fill(t, &l, data, err);
    if (!status)
        status = cf_bounce_derive(data, NULL, err);
    if (!status) {
        data->series[CF_BOUNCE_RATIO].kind = CF_SIGMA_ESTIMATE;
        if (count)
            count_found(&l, data, count);
        status = group(data, grouping, err);
    }
    free(l.stamp);
    return status;
}
