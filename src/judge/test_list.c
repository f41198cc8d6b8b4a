#include "judge/test_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/list.h"

struct cf_test *cf_tests_add(struct cf_tests *tests, const char *name, enum cf_accused accuses,
                             size_t channel, size_t n, double statistic, double p)
{
    struct cf_test *longer, *t;

    if (tests->failed || !isfinite(p))
        return NULL;
    longer = cf_list_grow(tests->item, tests->n, sizeof *tests->item);
    tests->failed = !longer;
    if (!longer)
        return NULL;
    tests->item = longer;
    t = &longer[tests->n++];
    *t = (struct cf_test){.accuses = accuses,
                          .channel = channel,
                          .n = n,
                          .statistic = statistic,
                          .p = p,
                          .size = (double) NAN,
                          .at = (double) NAN};
    snprintf(t->name, sizeof t->name, "%s", name);
    return t;
}

void cf_test_into(const struct cf_test *test, struct cf_finding *finding)
{
    finding->accuses = test->accuses;
    finding->test = test->name;
    finding->p = test->p_adjusted;
    finding->size = test->size;
    finding->unit = test->unit;
    finding->at = test->at;
}

double cf_holm(double before, size_t left, double p)
{
    return fmax(before, fmin(1, (double) left * p));
}

/* By p; equal ones in their order. */
static int compare_p(const void *a, const void *b)
{
    const struct cf_test *const *s = a, *const *t = b;
    if ((*s)->p != (*t)->p)
        return (*s)->p < (*t)->p ? -1 : 1;
    return (*s > *t) - (*s < *t);
}

int cf_tests_adjust(struct cf_tests *tests, double p_reject, struct cf_error *err)
{
    struct cf_test **order = calloc(tests->n + 1, sizeof *order);
    double p = 0;

    if (!order || tests->failed) {
        free(order);
        return cf_fail(err, CF_ENOMEM, "no memory for the tests after the first %zu", tests->n);
    }
    for (size_t i = 0; i < tests->n; i++)
        order[i] = &tests->item[i];
    qsort(order, tests->n, sizeof *order, compare_p);
    for (size_t i = 0; i < tests->n; i++) {
        p = cf_holm(p, tests->n - i, order[i]->p);
        order[i]->p_adjusted = p;
        order[i]->place = i;
        order[i]->rejects = p < p_reject;
    }
    free(order);
    return CF_OK;
}

void cf_tests_clear(struct cf_tests *tests)
{
    free(tests->item);
    *tests = (struct cf_tests){0};
}
