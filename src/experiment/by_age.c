#include "experiment/by_age.h"

#include <gsl/gsl_sort.h>
#include <stdbool.h>

void cf_by_age(size_t n, const double time_s[], size_t by_age[])
{
    bool ordered = true;

    for (size_t i = 0; i < n; i++) {
        by_age[i] = i;
        ordered = ordered && (i == 0 || time_s[i] >= time_s[i - 1]);
    }
    if (!ordered)
        gsl_sort_index(by_age, time_s, 1, n);
}
