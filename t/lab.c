#include "lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cf_pair lab_pair(double mass_kg, double radius_m)
{
    return (struct cf_pair){.mass_kg = mass_kg, .radius_m = radius_m, .gravity_m_s2 = 9.81};
}

void lab_dataset(struct cf_dataset *d, const char *column, size_t n, const double speed_m_s[],
                 const double value[], double sigma, struct cf_pair pair)
{
    const struct cf_protocol *protocol = cf_protocol_find("impact");
    size_t in = cf_protocol_column(protocol, "speed"), out = cf_protocol_column(protocol, column);

    *d = (struct cf_dataset){.pair = pair};
    if (cf_dataset_alloc(d, protocol, n, NULL))
        abort();
    d->name = malloc(strlen(column) + 1);
    if (!d->name)
        abort();
    memcpy(d->name, column, strlen(column) + 1);
    d->kind[out] = sigma > 0 ? CF_SIGMA_GIVEN : CF_SIGMA_ESTIMATE;
    for (size_t i = 0; i < n; i++) {
        d->value[i * protocol->ncolumn + in] = speed_m_s[i];
        d->value[i * protocol->ncolumn + out] = value[i];
        d->sigma[i * protocol->ncolumn + out] = sigma;
        d->measured[i] = 1u << in | 1u << out;
        d->line[i] = i + 1;
    }
}

struct cf_spec lab_spec(const char *law, const char *const free[], struct cf_dataset *data,
                        size_t ndata)
{
    struct cf_spec spec = {
        .law = cf_law_find(law), .data = data, .ndata = ndata, .options = cf_fit_defaults};
    while (free[spec.nfree]) {
        spec.free[spec.nfree] = (struct cf_free){free[spec.nfree], NAN, NAN, NAN, NAN, NAN, false};
        spec.nfree++;
    }
    return spec;
}
