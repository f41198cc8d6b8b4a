#include "judge/pooled.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/list.h"

void cf_pools_add(struct cf_pools *pools, const struct cf_pool *one)
{
    struct cf_pool *longer;
    size_t i = 0;

    while (i < pools->n && (strcmp(pools->item[i].name, one->name) != 0 ||
                            pools->item[i].measured != one->measured))
        i++;
    if (i < pools->n) {
        struct cf_pool *pool = &pools->item[i];
        pool->channels += one->channels;
        pool->n += one->n;
        pool->statistic += one->statistic;
        pool->z += one->z;
        return;
    }
    longer = pools->failed ? NULL : cf_list_grow(pools->item, pools->n, sizeof *pools->item);
    pools->failed = !longer;
    if (!longer)
        return;
    pools->item = longer;
    pools->item[pools->n++] = *one;
}

static void describe(const struct cf_pool *pool, struct cf_test *t)
{
    double mean = pool->statistic / (double) pool->channels;

    if (!pool->measured)
        snprintf(t->text, sizeof t->text,
                 "the correlation of neighbouring rows' residuals is %.2f in %zu columns together",
                 mean, pool->channels);
    else if (pool->along)
        snprintf(t->text, sizeof t->text,
                 "residuals %s with %s in %zu data sets together (mean rank correlation %.2f)",
                 mean < 0 ? "fall" : "rise", pool->along, pool->channels, mean);
    else
        snprintf(t->text, sizeof t->text,
                 "the correlation of neighbouring residuals is %.2f in %zu data sets together",
                 mean, pool->channels);
}

int cf_pools_test(const struct cf_pools *pools, struct cf_tests *tests, struct cf_error *err)
{
    for (size_t i = 0; i < pools->n; i++) {
        const struct cf_pool *pool = &pools->item[i];
        double k = (double) pool->channels, z = pool->z / sqrt(k);
        double p = pool->along ? 2 * gsl_cdf_ugaussian_Q(fabs(z)) : gsl_cdf_ugaussian_Q(z);
        struct cf_test *t;
        if (pool->channels < 2)
            continue;
        t = cf_tests_add(tests, pool->name, pool->accuses, pool->channel, pool->n,
                         pool->statistic / k, p);
        if (!t)
            continue;
        t->channels = pool->channels;
        describe(pool, t);
    }
    return pools->failed ? cf_fail(err, CF_ENOMEM, "no memory for tests of all data sets") : CF_OK;
}
