#include "report/range.h"

#include <math.h>

void cf_range_include(struct cf_range *range, double x)
{
    range->low = fmin(range->low, x);
    range->high = fmax(range->high, x);
}

void cf_range_pad(struct cf_range *range, double share)
{
    double width = range->high - range->low;
    if (!(width > 0))
        width = fmax(fabs(range->high), 1e-3) * 0.1;
    range->low -= share * width;
    range->high += share * width;
}
