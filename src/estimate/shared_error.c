#include "estimate/shared_error.h"

#include <math.h>

/* Estimate of a row's error z from its observations so far: precision, and precision times mean. */
struct row_error {
    double precision, weighted;
};

static bool begins_row(const struct cf_problem *q, size_t i)
{
    const struct cf_observation *o = &q->observation[i];
    return i == 0 || o[-1].data != o->data || o[-1].row != o->row;
}

/* Pass one observation on: its variance given those before, and x whitened. */
static double next(struct row_error *t, double a, double *x)
{
    double own = 1 - a * a, variance = own + a * a / t->precision, before = *x;

    *x = (before - a * t->weighted / t->precision) / sqrt(variance);
    t->precision += a * a / own;
    t->weighted += a * before / own;
    return variance;
}

void cf_shared_whiten(const struct cf_problem *problem, double x[], size_t stride)
{
    struct row_error t = {1, 0};

    for (size_t i = 0; i < problem->nobservation; i++) {
        const struct cf_observation *o = &problem->observation[i];
        if (begins_row(problem, i))
            t = (struct row_error){1, 0};
        if (o->shared != 0 && o->weight > 0)
            next(&t, o->shared, &x[i * stride]);
    }
}

double cf_shared_log_det(const struct cf_problem *problem)
{
    struct row_error t = {1, 0};
    double total = 0, none = 0;

    for (size_t i = 0; i < problem->nobservation; i++) {
        const struct cf_observation *o = &problem->observation[i];
        if (begins_row(problem, i))
            t = (struct row_error){1, 0};
        if (o->shared != 0 && o->weight > 0)
            total += o->weight * log(next(&t, o->shared, &none));
    }
    return total;
}
