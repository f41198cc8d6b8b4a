#include "identify/reference.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

void cf_references_free(struct cf_reference *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(list[i].channel);
        free(list[i].branch);
        free(list[i].abscissa);
    }
    free(list);
}

bool cf_reference_covers(const struct cf_reference *r, double abscissa)
{
    const double printed = 5e-3; /* of a place that is said with three digits */
    double low = fmin(r->low, r->high), high = fmax(r->low, r->high);

    return r->n > 1 && abscissa >= low - printed * fabs(low) &&
           abscissa <= high + printed * fabs(high);
}

double cf_reference_between(const struct cf_reference *r, const double y[], double abscissa)
{
    size_t low = 0, high = r->n - 1;
    bool up = r->abscissa[high] > r->abscissa[0];

    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *((r->abscissa[middle] <= abscissa) == up ? &low : &high) = middle;
    }
    double share = (abscissa - r->abscissa[low]) / (r->abscissa[high] - r->abscissa[low]);
    share = fmin(fmax(share, 0), 1);
    return (1 - share) * y[low] + share * y[high];
}

static double student_of(const struct cf_reference *r, double level)
{
    double p = (1 + level) / 2;
    return isinf(r->dof) ? gsl_cdf_ugaussian_Pinv(p) : gsl_cdf_tdist_Pinv(p, r->dof);
}

void cf_reference_limits(const struct cf_reference *r, double abscissa, double level, double *low,
                         double *high)
{
    double middle = cf_reference_between(r, r->difference, abscissa);
    double half = student_of(r, level) * cf_reference_between(r, r->standard_error, abscissa);

    *low = middle - half - r->stated;
    *high = middle + half + r->stated;
}

static void sort(double y[], size_t n, bool up)
{
    gsl_sort(y, 1, n);
    for (size_t i = 0; i < n / 2 && !up; i++) {
        double swap = y[i];
        y[i] = y[n - 1 - i];
        y[n - 1 - i] = swap;
    }
}

void cf_reference_curve(const struct cf_reference *r, const struct cf_smooth_asked *asked,
                        double value[], double low[], double high[])
{
    double student = student_of(r, asked->level);
    double *const curve[] = {value, low, high};

    for (size_t i = 0; i < r->n; i++) {
        value[i] = r->law[i] + r->difference[i];
        low[i] = value[i] - student * r->standard_error[i] - r->stated;
        high[i] = value[i] + student * r->standard_error[i] + r->stated;
    }
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < r->n; i++)
            curve[k][i] = fmin(fmax(curve[k][i], asked->least), asked->most);
        if (asked->monotone)
            sort(curve[k], r->n, r->law[r->n - 1] > r->law[0]);
    }
}
