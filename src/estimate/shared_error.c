#include "estimate/shared_error.h"

#include <math.h>

/* Estimate of a row's error z from its observations so far: precision, and precision times mean. */
struct row_error {
    double precision, weighted;
};

static bool begins_row(const struct cf_observation o[], size_t i)
{
    return i == 0 || o[i - 1].data != o[i].data || o[i - 1].row != o[i].row;
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

void cf_shared_whiten(const struct cf_observation o[], size_t n, double x[])
{
    struct row_error t = {1, 0};

    for (size_t i = 0; i < n; i++) {
        if (begins_row(o, i))
            t = (struct row_error){1, 0};
        if (o[i].shared != 0 && o[i].weight > 0)
            next(&t, o[i].shared, &x[i]);
    }
}

double cf_shared_log_det(const struct cf_problem *problem)
{
    struct row_error t = {1, 0};
    double total = 0, none = 0;

    for (size_t i = 0; i < problem->nobservation; i++) {
        const struct cf_observation *o = &problem->observation[i];
        if (begins_row(problem->observation, i))
            t = (struct row_error){1, 0};
        if (o->shared != 0 && o->weight > 0)
            total += o->weight * log(next(&t, o->shared, &none));
    }
    return total;
}
