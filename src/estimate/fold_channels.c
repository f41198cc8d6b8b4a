#include "estimate/fold_channels.h"

#include <string.h>

#include "estimate/triangle.h"

void cf_fold_stretch(const struct cf_unit_fold *to, const struct cf_stretch *at)
{
    const struct cf_problem *q = at->problem;
    const struct cf_set *set = &q->set[q->part[at->part].data];
    size_t n = at->ncolumn + 1;

    if (set->nchannel == 1) {
        cf_triangle_add(to->channel, n, at->A, at->count, at->ld);
        return;
    }
    for (size_t c = 0; c < set->nchannel; c++) {
        size_t m = 0;
        for (size_t i = 0; i < at->count; i++) {
            if (q->observation[at->first + i].column != set->channel[c])
                continue;
            for (size_t j = 0; j < n; j++)
                to->work[j * at->count + m] = at->A[j * at->ld + i];
            m++;
        }
        cf_triangle_add(&to->channel[c * n * n], n, to->work, m, at->count);
    }
}

void cf_fold_join_channels(const struct cf_problem *q, size_t part, const double local[],
                           struct cf_part_fold *p, double work[])
{
    const struct cf_set *set = &q->set[q->part[part].data];
    size_t n = p->ncolumn + 1;

    memset(p->R, 0, n * n * sizeof *p->R);
    for (size_t c = 0; c < set->nchannel; c++)
        cf_triangle_merge(p->R, n, &p->channel[c * n * n], work);
    for (size_t j = 0; j < set->nlocal; j++) {
        const struct cf_unknown *w = &set->local[j];
        if (!w->has_prior)
            continue;
        memset(work, 0, n * sizeof *work);
        work[j] = -1 / w->prior_sigma;
        work[n - 1] = (w->prior - local[j]) / w->prior_sigma;
        cf_triangle_add(p->R, n, work, 1, 1);
    }
}
