#include "estimate/criteria.h"

#include <math.h>

double cf_aicc(double cost, double K, double n)
{
    /* fewer are corrected by more than what is corrected */
    return n >= 2 * K + 2 ? cost + 2 * K + 2 * K * (K + 1) / (n - K - 1) : (double) NAN;
}

double cf_bic(double cost, double K, double n)
{
    return cost + K * log(n);
}
