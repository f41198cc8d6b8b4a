#include "estimate/criteria.h"

#include <math.h>

double cf_aicc(double cost, double K, double n)
{
    return n - K - 1 > 0 ? cost + 2 * K + 2 * K * (K + 1) / (n - K - 1) : (double) NAN;
}

double cf_bic(double cost, double K, double n)
{
    return cost + K * log(n);
}
