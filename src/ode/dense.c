/* The dense output of a step: states, rates and columns within it. */

#include <string.h>

#include "ode/stiff.h"

void cf_ode_dense_span(const struct cf_ode_dense *dense, double *from, double *to)
{
    *from = dense->from;
    *to = dense->from + dense->length;
}

/* Of x (a0 + u (a1 + x (a2 + u (..., u = 1 - x: the weights of its terms, and their slopes by x. */
static void weigh(double x, double weight[CF_ODE_TERMS], double slope[CF_ODE_TERMS])
{
    double product = 1, growth = 0;

    for (int j = 0; j < CF_ODE_TERMS; j++) {
        double factor = j % 2 == 0 ? x : 1 - x;
        growth = growth * factor + product * (j % 2 == 0 ? 1 : -1);
        product *= factor;
        weight[j] = product;
        slope[j] = growth;
    }
}

static double part_of(const struct cf_ode_dense *dense, double t)
{
    return (t - dense->from) / dense->length;
}

void cf_ode_dense_at(const struct cf_ode_dense *dense, double t, double y[])
{
    double x = part_of(dense, t), u = 1 - x;

    if (dense->stiff) {
        cf_stiff_polynomial(&dense->stiff->own, x, y);
        for (size_t i = 0; i < dense->n; i++)
            y[i] += dense->y[i];
        return;
    }
    for (size_t i = 0; i < dense->n; i++) {
        const double *a = dense->term + i * CF_ODE_TERMS;
        y[i] =
            dense->y[i] +
            x * (a[0] + u * (a[1] + x * (a[2] + u * (a[3] + x * (a[4] + u * (a[5] + x * a[6]))))));
    }
}

void cf_ode_dense_columns_at(const struct cf_ode_dense *dense, double t, double s[])
{
    struct cf_ode *ode = dense->ode;
    size_t all = ode->nrow * ode->ncolumn;
    double weight[CF_ODE_TERMS], slope[CF_ODE_TERMS], x = part_of(dense, t);

    memcpy(s, ode->s_now, all * sizeof *s);
    if (dense->stiff) {
        cf_stiff_weights(x, weight, slope);
        for (size_t c = 0; c < ode->ncolumn; c++)
            for (size_t j = 0; j < CF_RADAU_STAGES; j++)
                for (size_t i = 0; i < ode->nrow; i++)
                    s[c * ode->nrow + i] +=
                        weight[j] * dense->stiff->column[c].last[j * ode->nrow + i];
        return;
    }
    cf_ode_columns_dense(ode);
    weigh(x, weight, slope);
    for (int j = 0; j < CF_ODE_TERMS; j++)
        for (size_t i = 0; i < all; i++)
            s[i] += weight[j] * dense->s_term[(size_t) j * all + i];
}

static void states_of_stiff(const struct cf_ode_dense *dense, double x, size_t n,
                            const size_t state[], double value[], double rate[], double by[])
{
    const struct cf_ode *ode = dense->ode;
    const struct cf_radau *own = &dense->stiff->own;
    double weight[CF_RADAU_STAGES], slope[CF_RADAU_STAGES];

    cf_stiff_weights(x, weight, slope);
    for (size_t i = 0; i < n; i++) {
        value[i] = dense->y[state[i]];
        rate[i] = 0;
        for (size_t j = 0; j < CF_RADAU_STAGES; j++) {
            value[i] += weight[j] * own->last[j * own->n + state[i]];
            rate[i] += slope[j] * own->last[j * own->n + state[i]] / dense->length;
        }
        for (size_t c = 0; c < ode->ncolumn; c++) {
            const struct cf_radau *column = &dense->stiff->column[c];
            double sum = ode->s_now[c * ode->nrow + state[i]];
            for (size_t j = 0; j < CF_RADAU_STAGES; j++)
                sum += weight[j] * column->last[j * column->n + state[i]];
            by[c * n + i] = sum;
        }
    }
}

void cf_ode_dense_states_at(const struct cf_ode_dense *dense, double t, size_t n,
                            const size_t state[], double value[], double rate[], double by[])
{
    struct cf_ode *ode = dense->ode;
    size_t all = ode->nrow * ode->ncolumn;
    double weight[CF_ODE_TERMS], slope[CF_ODE_TERMS], x = part_of(dense, t);

    if (dense->stiff) {
        states_of_stiff(dense, x, n, state, value, rate, by);
        return;
    }
    if (ode->ncolumn > 0)
        cf_ode_columns_dense(ode);
    weigh(x, weight, slope);
    for (size_t i = 0; i < n; i++) {
        const double *term = dense->term + state[i] * CF_ODE_TERMS;
        value[i] = dense->y[state[i]];
        rate[i] = 0;
        for (int j = 0; j < CF_ODE_TERMS; j++) {
            value[i] += weight[j] * term[j];
            rate[i] += slope[j] * term[j] / dense->length;
        }
        for (size_t c = 0; c < ode->ncolumn; c++) {
            size_t at = c * ode->nrow + state[i];
            double sum = ode->s_now[at];
            for (int j = 0; j < CF_ODE_TERMS; j++)
                sum += weight[j] * dense->s_term[(size_t) j * all + at];
            by[c * n + i] = sum;
        }
    }
}
