/* The collocation polynomial of the stiff method. */

#include "ode/stiff.h"

void cf_stiff_polynomial(const struct cf_radau *of, double part, double way[])
{
    /* Newton's form would need differences: five weights are as cheap */
    for (size_t d = 0; d < of->n; d++)
        way[d] = 0;
    for (size_t i = 0; i < CF_RADAU_STAGES; i++) {
        double weight = part / cf_radau_c[i];
        for (size_t j = 0; j < CF_RADAU_STAGES; j++)
            if (j != i)
                weight *= (part - cf_radau_c[j]) / (cf_radau_c[i] - cf_radau_c[j]);
        for (size_t d = 0; d < of->n; d++)
            way[d] += weight * of->last[i * of->n + d];
    }
}
