/* Are there enough data for the parameters?
 *
 * Rows that differ only by scatter determine one number, whatever their count. So what is fitted
 * without prior may be no more than the distinct (pair, place on the axis, kind of answer) among
 * the rows to be fitted; the channels that all laws predict are one kind, since each follows from
 * the other, unless the data set has nuisances, which may come between them. That bound is
 * necessary, not sufficient: the fit then judges by rank.
 */

#include <math.h>
#include <stdlib.h>

#include "study/parts.h"

/* A condition under which something was measured. */
struct different {
    double mass_kg, abscissa;
    size_t kind;
    size_t group;   /* of data sets that the same values are fitted to */
    size_t imposed; /* of a data set with nuisances; else 0 */
};

static size_t kind_of(const struct cf_protocol *protocol, size_t column)
{
    return cf_channel_common(protocol, column) ? protocol->nchannel : column;
}

static bool same(const struct different *a, const struct different *b)
{
    return a->mass_kg == b->mass_kg && a->abscissa == b->abscissa && a->kind == b->kind &&
           a->group == b->group && a->imposed == b->imposed;
}

static bool has_nuisance(const struct cf_spec *spec, size_t data)
{
    for (size_t i = 0; i < spec->nnuisance; i++)
        if (spec->nuisance[i].data == data)
            return true;
    return false;
}

static bool any_shared(const struct cf_spec *spec, enum cf_sharing per)
{
    for (size_t i = 0; i < spec->nfree; i++)
        if (spec->free[i].per == per)
            return true;
    return false;
}

/* The first data set of the same pair. */
static size_t first_of_pair(const struct cf_spec *spec, size_t data)
{
    const struct cf_pair *own = &spec->data[data].pair;
    size_t i = 0;

    while (i < data && !(spec->data[i].pair.mass_kg == own->mass_kg &&
                         spec->data[i].pair.radius_m == own->radius_m &&
                         spec->data[i].pair.modulus_Pa == own->modulus_Pa))
        i++;
    return i;
}

/* One number for data sets whose rows have the same information where their conditions are the
 * same. */
static size_t group_of(const struct cf_spec *spec, size_t data)
{
    if (has_nuisance(spec, data) || any_shared(spec, CF_SHARED_BY_DATA))
        return spec->ndata + data;
    return any_shared(spec, CF_SHARED_BY_PAIR) ? first_of_pair(spec, data) : 0;
}

static struct different condition(const struct cf_spec *spec, size_t data, size_t group, size_t row,
                                  size_t column)
{
    const struct cf_dataset *d = &spec->data[data];
    struct different here = {d->pair.mass_kg, d->protocol->abscissa(d, row),
                             kind_of(d->protocol, column), group, 0};

    if (has_nuisance(spec, data)) {
        here.kind = column;
        here.imposed = d->protocol->imposed(d, row);
    }
    return here;
}

/* Count the distinct ones into seen[most], until it is full. */
static size_t count_different(const struct cf_spec *spec, size_t most, struct different seen[])
{
    size_t n = 0;

    for (size_t i = 0; i < spec->ndata; i++) {
        const struct cf_dataset *d = &spec->data[i];
        size_t group = group_of(spec, i);
        for (size_t row = 0; row < d->nrow; row++) {
            for (size_t c = 0; c < d->protocol->nchannel && n < most; c++) {
                struct different here;
                size_t j = 0;

                if (d->use[row] != CF_ROW_FIT || d->protocol->channel[c].role != CF_ROLE_MEASURED ||
                    !cf_dataset_has(d, row, c))
                    continue;
                here = condition(spec, i, group, row, c);
                while (j < n && !same(&seen[j], &here))
                    j++;
                if (j == n)
                    seen[n++] = here;
            }
        }
    }
    return n;
}

/* How many values of a parameter are fitted. */
static size_t copies(const struct cf_spec *spec, const struct cf_free *f)
{
    size_t n = 0;

    if (f->per == CF_SHARED_BY_ALL)
        return 1;
    for (size_t i = 0; i < spec->ndata; i++)
        n += f->per == CF_SHARED_BY_DATA || first_of_pair(spec, i) == i;
    return n;
}

/* What is fitted without prior. */
static size_t count_wanted(const struct cf_spec *spec)
{
    size_t n = 0;

    for (size_t i = 0; i < spec->nfree; i++)
        n += isnan(spec->free[i].prior_sigma) ? copies(spec, &spec->free[i]) : 0;
    for (size_t i = 0; i < spec->nnuisance; i++)
        n += isnan(spec->nuisance[i].prior_sigma);
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
    const struct cf_axis *axis = &spec->data[0].protocol->axis;
    const struct cf_yaml *fit = cf_yaml_get(root, "fit"), *hold_out = cf_yaml_get(root, "hold-out");
    bool several = any_shared(spec, CF_SHARED_BY_PAIR) || any_shared(spec, CF_SHARED_BY_DATA);
    const char *what = several           ? "values of parameters"
                       : spec->nnuisance ? "parameters and nuisances"
                                         : "parameters";
    const struct cf_yaml *at = fit ? fit : cf_study_law_node(root);
    size_t wanted = count_wanted(spec), values = count_values(spec), n;
    struct different *seen;

    if (values == 0)
        return cf_yaml_fail_key(hold_out ? hold_out : cf_yaml_get(root, "data"), err,
                                "no row is left to be fitted: all are held out, excluded or empty");
    if (values < wanted)
        return cf_yaml_fail_key(at, err,
                                "fit: %zu %s without prior and %zu measured value%s in the rows to "
                                "be fitted: measure more, or fix a parameter",
                                wanted, what, values, values == 1 ? "" : "s");
    seen = calloc(wanted + 1, sizeof *seen);
    if (!seen)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu conditions", wanted);
    n = count_different(spec, wanted, seen);
    free(seen);
    if (n < wanted)
        return cf_yaml_fail_key(at, err,
                                "fit: %zu %s without prior, but the measured values stand for %zu "
                                "different condition%s (%s, and what was measured): vary the %s, "
                                "or fix a parameter",
                                wanted, what, n, n == 1 ? "" : "s", axis->name, axis->name);
    return CF_OK;
}
