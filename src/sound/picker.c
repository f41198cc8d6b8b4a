#include "sound/picker.h"

#include <math.h>

static double term(double sum, size_t n, double least)
{
    return (double) n * log(fmax(sum / (double) n, least));
}

size_t cf_pick_onset(const double x[], size_t n, double least)
{
    double all = 0, before = 0, best = HUGE_VAL;
    size_t onset = 1;

    for (size_t i = 0; i < n; i++)
        all += x[i] * x[i];
    if (!(all > 0))
        return onset;
    for (size_t k = 1; k < n; k++) {
        double aic;
        before += x[k - 1] * x[k - 1];
        aic = term(before, k, least) + term(all - before, n - k, least);
        /* of equals the last: in silence the step in front of the sound */
        if (aic <= best) {
            best = aic;
            onset = k;
        }
    }
    return onset;
}
