#include "lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

struct cf_pair lab_pair(double mass_kg, double radius_m)
{
    return (struct cf_pair){.mass_kg = mass_kg, .radius_m = radius_m, .gravity_m_s2 = 9.81};
}

void lab_put(struct cf_dataset *d, size_t row, size_t channel, double value, double sigma)
{
    if (cf_dataset_put(d, row, channel, value, sigma, NULL))
        abort();
}

void lab_dataset(struct cf_dataset *d, const char *column, size_t n, const double speed_m_s[],
                 const double value[], double sigma, struct cf_pair pair)
{
    const struct cf_protocol *protocol = cf_protocol_find("impact");
    size_t in = cf_protocol_channel(protocol, "speed"), out = cf_protocol_channel(protocol, column);

    *d = (struct cf_dataset){.pair = pair};
    if (cf_dataset_alloc(d, protocol, n, NULL))
        abort();
    d->name = malloc(strlen(column) + 1);
    if (!d->name)
        abort();
    memcpy(d->name, column, strlen(column) + 1);
    d->series[out].kind = sigma > 0 ? CF_SIGMA_GIVEN : CF_SIGMA_ESTIMATE;
    for (size_t i = 0; i < n; i++) {
        lab_put(d, i, in, speed_m_s[i], 0);
        lab_put(d, i, out, value[i], sigma);
        d->line[i] = i + 1;
    }
}

struct cf_spec lab_spec(const char *law, const char *const free[], struct cf_dataset *data,
                        size_t ndata)
{
    struct cf_spec spec = {
        .law = cf_law_find(law), .data = data, .ndata = ndata, .options = cf_fit_defaults};
    while (free[spec.nfree]) {
        spec.free[spec.nfree] =
            (struct cf_free){free[spec.nfree], NAN, NAN, NAN, NAN, NAN, false, CF_SHARED_BY_ALL};
        spec.nfree++;
    }
    return spec;
}

void lab_impacts(const char *law, const double p[], double mass_kg, size_t n,
                 const double speed_m_s[], const double scatter[], double by_e, double by_time,
                 double e[], double time_s[])
{
    for (size_t i = 0; i < n; i++) {
        double value[CF_NIMPACT];
        cf_impact_integrate(cf_law_find(law), p, mass_kg, speed_m_s[i], 1e-13, value, NULL);
        e[i] = value[CF_IMPACT_RESTITUTION] + by_e * scatter[i];
        if (time_s)
            time_s[i] = value[CF_IMPACT_DURATION] * (1 - by_time * scatter[n - 1 - i]);
    }
}

struct cf_fit *lab_fit(const struct cf_spec *spec, struct cf_curves *curves)
{
    struct cf_error err = {""};
    struct cf_fit *fit = NULL;
    if (cf_fit_run(spec, NULL, 0, curves, NULL, &fit, &err))
        ok(false, "the fit failed: %s", err.text);
    return fit;
}

double lab_reading(struct cf_curves *curves, const struct cf_dataset *d, const struct cf_law *law,
                   size_t channel, const double value[], double tolerance, double by[],
                   double *by_imposed)
{
    enum { MOST = 64 }; /* parameters and apparatus */
    size_t all[MOST], row = 0;
    double y = (double) NAN;
    struct cf_error err = {""};
    struct cf_request request = {.data = d,
                                 .law = law,
                                 .value = value,
                                 .nrow = 1,
                                 .row = &row,
                                 .nchannel = 1,
                                 .channel = &channel,
                                 .nby = by ? law->nparam + d->protocol->napparatus : 0,
                                 .by = all,
                                 .tolerance = tolerance};
    struct cf_response response = {&y, by, by_imposed};

    for (size_t i = 0; i < MOST; i++)
        all[i] = i;
    if (request.nby > MOST)
        printf("# more derivatives than %d\n", MOST);
    else if (cf_protocol_predict(curves, &request, &response, &err))
        printf("# %s\n", err.text);
    return y;
}
