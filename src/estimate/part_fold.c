/* The factors of one part, and what follows from them. */

#include <gsl/gsl_math.h>
#include <string.h>

#include "estimate/fold.h"

void cf_part_follow(const struct cf_problem *problem, const struct cf_fold *fold, size_t part,
                    const double x[], double column[])
{
    const struct cf_part_fold *p = &fold->part[part];
    const struct cf_set *set = &problem->set[problem->part[part].data];
    size_t n = p->ncolumn + 1;

    for (size_t j = 0; j < set->nactive; j++)
        column[p->nlocal + j] = x[set->active[j]];
    for (size_t i = p->nlocal; i-- > 0;) {
        double sum = 0, pivot = p->R[i * n + i];
        for (size_t j = i + 1; j < p->ncolumn; j++)
            sum -= p->R[i * n + j] * column[j];
        column[i] = pivot != 0 ? sum / pivot : 0;
    }
}

void cf_part_local_root(const struct cf_part_fold *part, size_t k, double column[])
{
    size_t n = part->ncolumn + 1;

    memset(column, 0, part->ncolumn * sizeof *column);
    for (size_t i = k + 1; i-- > 0;) {
        double sum = i == k ? 1 : 0, pivot = part->R[i * n + i];
        for (size_t j = i + 1; j <= k; j++)
            sum -= part->R[i * n + j] * column[j];
        column[i] = pivot != 0 ? sum / pivot : 0;
    }
}

/* Row i of a channel's factor times x. */
static double row_times(const struct cf_part_fold *part, size_t channel_index, size_t i,
                        const double x[])
{
    size_t n = part->ncolumn + 1;
    const double *F = &part->channel[channel_index * n * n];
    double sum = 0;

    for (size_t j = i; j < part->ncolumn; j++)
        sum += F[i * n + j] * x[j];
    return sum;
}

void cf_channel_times(const struct cf_part_fold *part, size_t channel_index, const double x[],
                      double out[])
{
    for (size_t i = 0; i < part->ncolumn; i++)
        out[i] = row_times(part, channel_index, i, x);
}

double cf_channel_square(const struct cf_part_fold *part, size_t channel_index, const double x[])
{
    double total = 0;

    for (size_t i = 0; i < part->ncolumn; i++)
        total += gsl_pow_2(row_times(part, channel_index, i, x));
    return total;
}
