/* Are there enough data for the parameters?
 *
 * Rows that differ only by scatter determine one number, whatever their count. So the parameters
 * without prior may be no more than the distinct (pair, place on the axis, kind of answer) among
 * the rows to be fitted; the channels that all laws predict are one kind, since each follows from
 * the other. That bound is necessary, not sufficient: the fit then judges by rank.
 */

#include <math.h>

#include "study/parts.h"

struct different {
    double mass_kg, abscissa;
    size_t kind;
};

static size_t kind_of(const struct cf_protocol *protocol, size_t column)
{
    return cf_channel_common(protocol, column) ? protocol->nchannel : column;
}

/* Count the distinct ones, up to `most`, which is at most CF_MAX_PARAM. */
static size_t count_different(const struct cf_spec *spec, size_t most)
{
    struct different seen[CF_MAX_PARAM];
    size_t n = 0;

    for (size_t i = 0; i < spec->ndata; i++) {
        const struct cf_dataset *d = &spec->data[i];
        for (size_t row = 0; row < d->nrow; row++) {
            for (size_t c = 0; c < d->protocol->nchannel && n < most; c++) {
                struct different here = {d->pair.mass_kg, 0, kind_of(d->protocol, c)};
                size_t j = 0;

                if (d->use[row] != CF_ROW_FIT || d->protocol->channel[c].role != CF_ROLE_MEASURED ||
                    !cf_dataset_has(d, row, c))
                    continue;
                here.abscissa = d->protocol->abscissa(d, row);
                while (j < n && !(seen[j].mass_kg == here.mass_kg && seen[j].kind == here.kind &&
                                  seen[j].abscissa == here.abscissa))
                    j++;
                if (j == n)
                    seen[n++] = here;
            }
        }
    }
    return n;
}

static size_t count_values(const struct cf_spec *spec)
{
    size_t n = 0;

    for (size_t i = 0; i < spec->ndata; i++) {
        const struct cf_dataset *d = &spec->data[i];
        for (size_t row = 0; row < d->nrow; row++)
            for (size_t c = 0; c < d->protocol->nchannel && d->use[row] == CF_ROW_FIT; c++)
                n += d->protocol->channel[c].role == CF_ROLE_MEASURED && cf_dataset_has(d, row, c);
    }
    return n;
}

int cf_study_enough(const struct cf_study *study, const struct cf_yaml *root, struct cf_error *err)
{
    const struct cf_spec *spec = &study->spec;
    const struct cf_yaml *fit = cf_yaml_get(root, "fit"), *hold_out = cf_yaml_get(root, "hold-out");
    const struct cf_axis *axis = &spec->data[0].protocol->axis;
    size_t wanted = 0, values = count_values(spec), different;

    for (size_t i = 0; i < spec->nfree; i++)
        wanted += isnan(spec->free[i].prior_sigma);
    if (values == 0)
        return cf_yaml_fail_key(hold_out ? hold_out : cf_yaml_get(root, "data"), err,
                                "no row is left to be fitted: all are held out, excluded or empty");
    if (values < wanted)
        return cf_yaml_fail_key(fit, err,
                                "fit: %zu parameters without prior and %zu measured value%s in the "
                                "rows to be fitted: measure more, or fix a parameter",
                                wanted, values, values == 1 ? "" : "s");
    different = count_different(spec, wanted);
    if (different < wanted)
        return cf_yaml_fail_key(fit, err,
                                "fit: %zu parameters without prior, but the measured values stand "
                                "for %zu different condition%s (%s, and what was measured): "
                                "vary the %s, or fix a parameter",
                                wanted, different, different == 1 ? "" : "s", axis->name,
                                axis->name);
    return CF_OK;
}
