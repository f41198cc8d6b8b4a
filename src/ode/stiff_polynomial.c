/* The collocation polynomial of the stiff method. */

#include "ode/stiff.h"

/* Newton's form would need differences: five weights are as cheap. */
static double weight_of(size_t i, double part)
{
    double weight = part / cf_radau_c[i];

    for (size_t j = 0; j < CF_RADAU_STAGES; j++)
        if (j != i)
            weight *= (part - cf_radau_c[j]) / (cf_radau_c[i] - cf_radau_c[j]);
    return weight;
}

void cf_stiff_polynomial(const struct cf_radau *of, double part, double way[])
{
    for (size_t d = 0; d < of->n; d++)
        way[d] = 0;
    for (size_t i = 0; i < CF_RADAU_STAGES; i++) {
        double weight = weight_of(i, part);
        for (size_t d = 0; d < of->n; d++)
            way[d] += weight * of->last[i * of->n + d];
    }
}

void cf_stiff_weights(double part, double weight[CF_RADAU_STAGES], double slope[CF_RADAU_STAGES])
{
    for (size_t i = 0; i < CF_RADAU_STAGES; i++) {
        weight[i] = weight_of(i, part);
        slope[i] = 0;
        /* one factor after the other is differentiated: x/c_i, and those of the other stages */
        for (size_t k = 0; k < CF_RADAU_STAGES; k++) {
            double product =
                k == i ? 1 / cf_radau_c[i] : part / cf_radau_c[i] / (cf_radau_c[i] - cf_radau_c[k]);
            for (size_t j = 0; j < CF_RADAU_STAGES; j++)
                if (j != i && j != k)
                    product *= (part - cf_radau_c[j]) / (cf_radau_c[i] - cf_radau_c[j]);
            slope[i] += product;
        }
    }
}
