#include "sound/filter.h"

#include <gsl/gsl_math.h>
#include <math.h>

void cf_filter_init(struct cf_filter *filter, double cutoff_Hz, double rate_Hz, double start)
{
    double k = tan(M_PI * cutoff_Hz / rate_Hz), in = start;

    for (int i = 0; i < CF_FILTER_SECTIONS; i++) {
        struct cf_filter_section *s = &filter->section[i];
        /* poles of order 4 lie at 22.5 and 67.5 degrees from the real axis: 1/Q = 2 cos of it */
        double damping = 2 * cos(M_PI * (2 * i + 1) / (4.0 * CF_FILTER_SECTIONS));
        double norm = 1 / (1 + damping * k + k * k);
        s->b0 = norm;
        s->a1 = 2 * (k * k - 1) * norm;
        s->a2 = (1 - damping * k + k * k) * norm;
        /* a constant has come through as 0: states of y = 0 for ever */
        s->s1 = -s->b0 * in;
        s->s2 = s->b0 * in;
        in = 0;
    }
}

double cf_filter_next(struct cf_filter *filter, double sample)
{
    for (int i = 0; i < CF_FILTER_SECTIONS; i++) {
        struct cf_filter_section *s = &filter->section[i];
        double out = s->b0 * sample + s->s1;
        s->s1 = -2 * s->b0 * sample - s->a1 * out + s->s2;
        s->s2 = s->b0 * sample - s->a2 * out;
        sample = out;
    }
    return sample;
}
