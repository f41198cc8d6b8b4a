#include "estimate/bounded.h"

#include <math.h>

static const double margin = 1e-3;

double cf_bounded_share(double u)
{
    return u < 0 ? exp(u) / (1 + exp(u)) : 1 / (1 + exp(-u));
}

double cf_bounded_theta(const struct cf_unknown *unknown, double u)
{
    return unknown->lower + (unknown->upper - unknown->lower) * cf_bounded_share(u);
}

double cf_bounded_start(const struct cf_unknown *unknown, double theta)
{
    double share = (theta - unknown->lower) / (unknown->upper - unknown->lower);

    share = fmin(fmax(share, margin), 1 - margin);
    return log(share / (1 - share));
}
