/* Room for descents. */

#include "estimate/descent_room.h"

#include <stdlib.h>

void cf_descent_free(struct cf_descent *descent)
{
    if (!descent)
        return;
    cf_fold_clear(&descent->now);
    cf_fold_clear(&descent->trial);
    cf_fold_clear(&descent->probe);
    free(descent->moving);
    free(descent->room);
    free(descent);
}

struct cf_descent *cf_descent_alloc(const struct cf_problem *problem)
{
    struct cf_descent *d = calloc(1, sizeof *d);
    size_t n = problem->nfree, all = (n + 1) * (n + 1);

    if (!d)
        return NULL;
    d->n = n;
    d->moving = calloc(n + 1, sizeof *d->moving);
    d->room = calloc(8 * n + 4 * all + 1, sizeof *d->room);
    if (!d->moving || !d->room || cf_fold_alloc(&d->now, problem, NULL) ||
        cf_fold_alloc(&d->trial, problem, NULL) || cf_fold_alloc(&d->probe, problem, NULL) ||
        cf_fold_keep(&d->now, problem, NULL) || cf_fold_keep(&d->trial, problem, NULL)) {
        cf_descent_free(d);
        return NULL;
    }
    d->u = d->room;
    d->next = d->u + n;
    d->slope = d->next + n;
    d->theta = d->slope + n;
    d->change = d->theta + n;
    d->scale = d->change + n;
    d->v = d->scale + n;
    d->a = d->v + n;
    d->B = d->a + n;
    d->C = d->B + all;
    return d;
}

const struct cf_fold *cf_descent_fold(const struct cf_descent *descent)
{
    return &descent->now;
}
