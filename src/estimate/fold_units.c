#include "estimate/fold_units.h"

#include <stdlib.h>
#include <string.h>

#include "estimate/fold_channels.h"
#include "estimate/triangle.h"

/* Derivatives of so many observations are kept: each part is one stretch then. */
enum { MOST_KEPT = CF_STRETCH };

static size_t kept_size(const struct cf_problem *q, const struct cf_fold *fold)
{
    size_t total = 0;

    for (size_t i = 0; i < q->npart; i++)
        total += q->part[i].count * (fold->part[i].ncolumn + 1);
    return total;
}

int cf_fold_keep(struct cf_fold *fold, const struct cf_problem *problem, struct cf_error *err)
{
    if (problem->nlocal || problem->nobservation > MOST_KEPT)
        return CF_OK;
    fold->nkept = kept_size(problem, fold);
    fold->kept = malloc((fold->nkept + 1) * sizeof *fold->kept);
    return fold->kept ? CF_OK
                      : cf_fail(err, CF_ENOMEM, "no memory for the derivatives of %zu observations",
                                problem->nobservation);
}

/* The matrix of a part among those kept. */
static double *kept_of(const struct cf_problem *q, const struct cf_fold *fold, size_t part)
{
    double *place = fold->kept;

    for (size_t i = 0; i < part; i++)
        place += q->part[i].count * (fold->part[i].ncolumn + 1);
    return place;
}

/* What becomes of the stretches of all units. */
struct unit_work {
    const struct cf_fold *fold;
    const double *r;  /* residuals from elsewhere; NULL: those of the fold */
    double **channel; /* of each unit */
    double **work;
};

static void add_to_unit(void *context, size_t unit, const struct cf_stretch *at)
{
    const struct unit_work *w = context;
    const struct cf_unit_fold to = {w->channel[unit], w->work[unit]};

    if (w->r)
        memcpy(&at->A[at->ncolumn * at->ld], &w->r[at->first], at->count * sizeof *w->r);
    else if (w->fold->keeps)
        memcpy(kept_of(at->problem, w->fold, at->part), at->A,
               at->count * (at->ncolumn + 1) * sizeof *at->A);
    cf_fold_stretch(&to, at);
}

/* Sizes of the factors and of the work of a unit of a part. */
static size_t unit_size(const struct cf_problem *q, size_t part, size_t *work)
{
    const struct cf_set *set = &q->set[q->part[part].data];
    size_t n = set->nlocal + set->nactive + 1;
    size_t rows = q->part[part].count < CF_STRETCH ? q->part[part].count : CF_STRETCH;

    rows = n > rows ? n : rows;
    *work = rows * n;
    return set->nchannel * n * n;
}

/* Sum up the units of each part. */
static void join_units(const struct cf_problem *q, struct unit_work *w, struct cf_fold *fold)
{
    size_t unit = 0;

    for (size_t p = 0; p < q->npart; p++) {
        const struct cf_set *set = &q->set[q->part[p].data];
        struct cf_part_fold *to = &fold->part[p];
        size_t n = to->ncolumn + 1, nunit = cf_part_units(&q->part[p]);
        for (size_t step = 1; step < nunit; step *= 2)
            for (size_t i = 0; i + step < nunit; i += 2 * step)
                for (size_t c = 0; c < set->nchannel; c++)
                    cf_triangle_merge(&w->channel[unit + i][c * n * n], n,
                                      &w->channel[unit + i + step][c * n * n], w->work[unit + i]);
        memcpy(to->channel, w->channel[unit], set->nchannel * n * n * sizeof *to->channel);
        cf_fold_join_channels(q, p, NULL, to, w->work[unit]);
        unit += nunit;
    }
}

/* The visit's stretches again, as `here` has kept them. */
static int visit_kept(const struct cf_problem *q, const struct cf_fold *here, struct unit_work *w,
                      struct cf_error *err)
{
    for (size_t p = 0; p < q->npart; p++) {
        size_t count = q->part[p].count, size = count * (here->part[p].ncolumn + 1);
        struct cf_stretch at = {.problem = q,
                                .part = p,
                                .first = q->part[p].first,
                                .count = count,
                                .ncolumn = here->part[p].ncolumn,
                                .A = malloc((size + 1) * sizeof *at.A),
                                .ld = count};
        if (!at.A)
            return cf_fail(err, CF_ENOMEM, "no memory to fold %zu observations", count);
        memcpy(at.A, kept_of(q, here, p), size * sizeof *at.A);
        add_to_unit(w, p, &at);
        free(at.A);
    }
    return CF_OK;
}

/* Room for the units of all parts, in one piece; NULL when there is none. */
static double *make_room(const struct cf_problem *q, struct unit_work *w)
{
    size_t unit = 0, total = 0, size, more;
    double *room, *at;

    for (size_t p = 0; p < q->npart; p++) {
        size = unit_size(q, p, &more);
        total += cf_part_units(&q->part[p]) * (size + more);
    }
    room = at = calloc(total + 1, sizeof *room);
    for (size_t p = 0; p < q->npart && room; p++)
        for (size_t k = 0; k < cf_part_units(&q->part[p]); k++, unit++) {
            size = unit_size(q, p, &more);
            w->channel[unit] = at;
            w->work[unit] = at + size;
            at += size + more;
        }
    return room;
}

/* Fold what is visited at theta, or, where theta is NULL, what `here` has kept. */
static int fold(const struct cf_problem *q, const struct cf_fold *here, const double theta[],
                const double r[], struct cf_fold *out, struct cf_error *err)
{
    size_t units = cf_units(q);
    struct unit_work w = {.fold = out, .r = r};
    double *room = NULL;
    int status;

    w.channel = malloc(2 * (units + 1) * sizeof *w.channel);
    if (w.channel) {
        w.work = w.channel + units + 1;
        room = make_room(q, &w);
    }
    if (!room) {
        free(w.channel);
        return cf_fail(err, CF_ENOMEM, "no memory to fold %zu observations", q->nobservation);
    }
    status = theta ? cf_problem_visit(q, theta, NULL, CF_WANT_RESIDUALS, add_to_unit, &w, err)
                   : visit_kept(q, here, &w, err);
    if (!status)
        join_units(q, &w, out);
    free(w.channel);
    free(room);
    return status;
}

int cf_fold_units(const struct cf_problem *problem, const double theta[], struct cf_fold *out,
                  struct cf_error *err)
{
    out->keeps =
        out->kept && problem->nobservation <= MOST_KEPT && kept_size(problem, out) == out->nkept;
    return fold(problem, NULL, theta, NULL, out, err);
}

int cf_fold_units_other(const struct cf_problem *problem, const struct cf_fold *here,
                        const double theta[], const double r[], struct cf_fold *out,
                        struct cf_error *err)
{
    return fold(problem, here, here->keeps ? NULL : theta, r, out, err);
}
